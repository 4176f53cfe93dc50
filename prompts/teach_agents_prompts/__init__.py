"""Every prompt, a template a file; no prompt text in Python.

```python
prompts = load_prompts("my_prompts").only("lm_follower*")  # the package's, with those of a folder in their place
text = prompts.render("lm_follower_system", name="value of each input")
prompts.hash  # of all templates in it: what results call `prompt_hash`
```

A template's head says for whom it is, what it is given and what it is about (`Template`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

from teach_agents.errors import InputError
from teach_agents_prompts.template import Template

__all__ = [
    "FIXED",
    "Prompts",
    "Template",
    "UnknownPromptError",
    "load_prompts",
    "render",
    "template_names",
    "templates_folder",
]

FIXED = frozenset({"commander_system", "follower_system", "repair", "step", "tools"})
"""Templates that nobody takes from a folder: what models and exports of this package say by themselves."""

_SUFFIX = ".jinja"


class UnknownPromptError(InputError, KeyError):
    """A prompt template that does not exist."""

    __str__ = Exception.__str__  # a `KeyError` would show its message quoted


class Prompts(Mapping[str, Template]):
    """Templates by name, in order of name."""

    def __init__(self, templates: Mapping[str, Template]) -> None:
        self._templates = {name: templates[name] for name in sorted(templates)}

    def __getitem__(self, name: str) -> Template:
        if name not in self._templates:
            raise UnknownPromptError("prompts", "there is no template of this name", value=name, valid=self)
        return self._templates[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._templates)

    def __len__(self) -> int:
        return len(self._templates)

    @property
    def hash(self) -> str:
        """12 hexadecimal digits that change with any template in it."""
        listed = "".join(f"{name} {template.hash}\n" for name, template in self.items())
        return hashlib.sha256(listed.encode()).hexdigest()[:12]

    def only(self, *patterns: str) -> Prompts:
        """Those that an agent uses, by name or pattern (`lm_follower*`), so that the hash covers them alone.

        Raises `UnknownPromptError` for a pattern that no name matches.
        """
        chosen = {}
        for pattern in patterns:
            found = [name for name in self if fnmatchcase(name, pattern)]
            chosen.update({name: self[name] for name in found or [pattern]})
        return Prompts(chosen)

    def render(self, name: str, **inputs: object) -> str:
        """A template with its inputs in place. Raises `UnknownPromptError`, else as `Template.render` does."""
        return self[name].render(**inputs)


def load_prompts(folder: str | Path | None = None) -> Prompts:
    """The package's templates; those in a folder of the user's stand in place of the package's of the same names.

    Everything in the folder is checked (hidden files apart): names that the package does not have or that are `FIXED`,
    heads, Jinja, roles and inputs that are not those of the package's template. Raises `InputError` with file, line and
    what would be valid.
    """
    ours = _package()
    if folder is None:
        return ours
    theirs = _own(Path(folder), ours)
    return Prompts({**ours, **theirs})


def template_names() -> list[str]:
    """The names of the package's templates, sorted."""
    return sorted(path.stem for path in templates_folder().glob(f"*{_SUFFIX}"))


def render(name: str, **inputs: object) -> str:
    """One of the package's templates with its inputs in place; raises as `Prompts.render` does."""
    return _package().render(name, **inputs)


def templates_folder() -> Path:
    """Where the package's templates are."""
    return Path(__file__).parent / "templates"


@cache
def _package() -> Prompts:
    return Prompts({name: _read(templates_folder() / f"{name}{_SUFFIX}") for name in template_names()})


def _read(path: Path) -> Template:
    try:
        source = path.read_text(encoding="utf-8-sig")  # some editors begin a file with a byte order mark
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(str(path), f"cannot be read as UTF-8 text: {error}") from error
    return Template.read(path.stem, source, where=str(path))


def _own(folder: Path, ours: Prompts) -> dict[str, Template]:
    if not folder.is_dir():
        raise InputError("prompts", "there is no such folder", value=str(folder))
    files = [f"{name}{_SUFFIX}" for name in ours if name not in FIXED]
    found = {}
    for path in sorted(path for path in folder.iterdir() if not path.name.startswith(".")):
        if path.name not in files:
            raise InputError(
                str(folder), "holds what is no file of a template that agents are told", value=path.name, valid=files
            )
        found[path.stem] = _fitting(_read(path), ours[path.stem])
    return found


def _fitting(own: Template, ours: Template) -> Template:
    """The user's template, if it is for the same reader and is given the same as the package's."""
    if own.role != ours.role:
        raise InputError(own.line("role"), "is for another role", value=own.role, valid=[ours.role])
    for name in own.inputs:
        if name not in ours.inputs:
            raise InputError(own.line("inputs"), "is given no such input", value=name, valid=ours.inputs)
    for name in ours.inputs:
        if name not in own.inputs:
            raise InputError(own.line("inputs"), f"lacks {name!r}, which it is given", valid=ours.inputs)
    return own
