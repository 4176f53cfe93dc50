"""Two chairs that speak different languages, through any language model."""

from __future__ import annotations

from collections.abc import Mapping

from teach_agents import hookimpl
from teach_agents.core.plugins import Target

__all__ = ["dialogue_hooks"]


@hookimpl
def dialogue_hooks() -> Mapping[str, Target]:
    """Registers `translate:model=SPEC,to=French`, by address: nothing is imported before it is used."""
    return {"translate": "teach_agents_translate.hook:Translate"}
