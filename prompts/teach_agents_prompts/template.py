"""One prompt template: a file whose head says who it is for and what it is given, and whose rest is Jinja.

```text
---
role: follower
about: What the Follower is told once, before all else.
inputs: actions
version: 1
---
You are the Follower in a household.
```

The head is read by rules of its own, not as YAML: one `key: value` a line, all four keys once, in any order. `inputs`
are names with commas between; nothing after the colon means none.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

from teach_agents.errors import InputError

if TYPE_CHECKING:
    import jinja2

__all__ = ["FENCE", "KEYS", "ROLES", "Template"]

FENCE = "---"
KEYS = ("role", "about", "inputs", "version")
ROLES = ("commander", "follower", "any")

_MAX_SOURCE = 20_000
_MAX_TEXT = 200_000
_HASH_DIGITS = 12


@dataclass(frozen=True)
class Template:
    """A prompt template that was found good.

    `role` is whose model reads it, `any` for both; `inputs` are the values that `render` needs, all of them and no
    others; `text` is the Jinja after the head; `hash` is the beginning of the file's SHA-256; `where` names the file.
    """

    name: str
    role: str
    about: str
    inputs: tuple[str, ...]
    version: int
    text: str
    hash: str
    where: str
    _lines: Mapping[str, int] = field(repr=False)
    """Which line of the file has which key, and (for the fence) how many lines the head has."""

    @classmethod
    def read(cls, name: str, source: str, *, where: str) -> Template:
        """The template in a file's text. Raises `InputError` with the file, the line and what would be valid."""
        if len(source) > _MAX_SOURCE:
            raise InputError(where, f"a template has at most {_MAX_SOURCE} characters", value=len(source))
        values, head = _front_matter(source, where)
        text = "".join(source.splitlines(keepends=True)[head:])
        template = cls(
            name=name,
            role=_one_of(values, "role", ROLES, where),
            about=values["about"][1],
            inputs=_names(*values["inputs"], where),
            version=_version(*values["version"], where),
            text=text,
            hash=hashlib.sha256(source.encode()).hexdigest()[:_HASH_DIGITS],
            where=where,
            _lines={**{key: line for key, (line, _) in values.items()}, FENCE: head},
        )
        template._check()
        return template

    def line(self, key: str) -> str:
        """`FILE:LINE` of a key of the head."""
        return f"{self.where}:{self._lines[key]}"

    def _at(self, line: int) -> str:
        """`FILE:LINE` of a line of the text."""
        return f"{self.where}:{line + self._lines[FENCE]}"

    def render(self, **inputs: object) -> str:
        """The text with its inputs in place.

        Raises `InputError` for inputs that it does not declare or is not given, and, with file and line, for what goes
        wrong in between: a field that a value does not have, something unsafe, more than 200,000 characters.
        """
        called = f"prompt template {self.name!r}"
        for name in inputs:
            if name not in self.inputs:
                raise InputError(called, "has no such input", value=name, valid=self.inputs)
        for name in self.inputs:
            if name not in inputs:
                raise InputError(called, f"lacks its input {name!r}", valid=self.inputs)
        pieces, size = [], 0
        try:
            for piece in self._compiled().generate(inputs):
                size += len(piece)
                if size > _MAX_TEXT:
                    raise ValueError(f"the text grows beyond {_MAX_TEXT} characters")
                pieces.append(piece)
        except Exception as error:
            line = _last_line(error, self.where)
            raise InputError(self._at(line) if line else self.where, _words(error)) from error
        return "".join(pieces)

    def _compiled(self) -> jinja2.Template:
        return _compiled(self.text, self.name, self.where)

    def _check(self) -> None:
        """Refuse text that is no Jinja, needs another file, or reads what it does not declare."""
        from jinja2 import TemplateSyntaxError, meta, nodes

        try:
            tree = _environment().parse(self.text, self.name, self.where)
            self._compiled()
        except TemplateSyntaxError as error:
            raise InputError(self._at(error.lineno), f"is no Jinja: {error.message}") from error
        for kind in (nodes.Include, nodes.Import, nodes.FromImport, nodes.Extends):
            for node in tree.find_all(kind):
                raise InputError(self._at(node.lineno), "a template stands alone; it takes in no other file")
        unknown = meta.find_undeclared_variables(tree) - set(self.inputs) - set(_environment().globals)
        for name in tree.find_all(nodes.Name):
            if name.name in unknown:
                problem = "reads what is not among its inputs"
                raise InputError(self._at(name.lineno), problem, value=name.name, valid=self.inputs)


@cache
def _environment() -> jinja2.Environment:
    """Prompts are plain text for models, never HTML for browsers: nothing is escaped. A folder of prompts may come from
    anybody: it computes in Jinja's sandbox, which lets it neither reach into values nor change them.
    """
    from jinja2 import StrictUndefined
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    return ImmutableSandboxedEnvironment(undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)


@cache
def _compiled(text: str, name: str, where: str) -> jinja2.Template:
    from jinja2 import Template as Compiled

    environment = _environment()
    code = environment.compile(text, name, where)
    return Compiled.from_code(environment, code, environment.make_globals(None))


Entry = tuple[int, str]
"""A line's number, counted from 1, and the value in it."""


def _front_matter(source: str, where: str) -> tuple[Mapping[str, Entry], int]:
    """The head's values by key, and how many lines it has, fences included."""
    lines = source.splitlines()
    if not lines or lines[0] != FENCE:
        raise InputError(f"{where}:1", f"a template begins with a line {FENCE!r} and its keys", valid=KEYS)
    found: dict[str, Entry] = {}
    for number, line in enumerate(lines[1:], start=2):
        if line == FENCE:
            missing = [key for key in KEYS if key not in found]
            if missing:
                raise InputError(f"{where}:{number}", f"the head lacks {missing[0]!r}", valid=KEYS)
            return found, number
        key, colon, value = line.partition(":")
        if not colon or key not in KEYS:
            raise InputError(f"{where}:{number}", "the head has lines 'key: value'", value=line, valid=KEYS)
        if key in found:
            raise InputError(f"{where}:{number}", "the key stands there twice", value=key)
        if key != "inputs" and not value.strip():
            raise InputError(f"{where}:{number}", f"{key!r} is empty")
        found[key] = number, value.strip()
    raise InputError(f"{where}:{len(lines)}", f"the head is not closed by a line {FENCE!r}")


def _one_of(values: Mapping[str, Entry], key: str, valid: tuple[str, ...], where: str) -> str:
    line, value = values[key]
    if value not in valid:
        raise InputError(f"{where}:{line}", f"is no {key}", value=value, valid=valid)
    return value


def _names(line: int, value: str, where: str) -> tuple[str, ...]:
    names = tuple(name.strip() for name in value.split(",")) if value else ()
    for number, name in enumerate(names):
        if not name.isidentifier() or name in names[:number]:
            raise InputError(f"{where}:{line}", "inputs are different names with commas between", value=name)
    return names


def _version(line: int, value: str, where: str) -> int:
    if not (value.isascii() and value.isdigit() and int(value) > 0):
        raise InputError(f"{where}:{line}", "a version is a whole number from 1", value=value)
    return int(value)


def _last_line(error: BaseException, where: str) -> int | None:
    """The line of the template's text at which an error arose; Jinja makes its tracebacks say so."""
    line, trace = None, error.__traceback__
    while trace is not None:
        line = trace.tb_lineno if trace.tb_frame.f_code.co_filename == where else line
        trace = trace.tb_next
    return line


def _words(error: Exception) -> str:
    return str(error) if isinstance(error, ValueError) else f"{type(error).__name__}: {error}"
