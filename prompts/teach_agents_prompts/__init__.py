"""Every prompt, a template a file; no prompt text in Python.

```python
text = render("follower_system", tasks=["make coffee"])
```
"""

from __future__ import annotations

import difflib
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jinja2 import Environment

__all__ = ["render", "template_names"]

_SUFFIX = ".jinja"


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    # Prompts are plain text for models, never HTML for browsers: nothing is escaped.
    return Environment(
        loader=PackageLoader(__name__),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=False,
    )


def template_names() -> list[str]:
    """The names of all templates, sorted."""
    return sorted(name.removesuffix(_SUFFIX) for name in _environment().list_templates(extensions=["jinja"]))


def render(name: str, **values: object) -> str:
    """A template with its values in place.

    Raises `LookupError` for an unknown name, with the nearest, and `ValueError` naming a value that the template needs
    and was not given.
    """
    from jinja2 import TemplateNotFound, UndefinedError

    try:
        return _environment().get_template(name + _SUFFIX).render(values)
    except TemplateNotFound:
        near = difflib.get_close_matches(name, template_names(), n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(template_names())}"
        raise LookupError(f"no prompt template {name!r}; {hint}") from None
    except UndefinedError as error:
        raise ValueError(f"prompt template {name!r}: {error.message}") from error
