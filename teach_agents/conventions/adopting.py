"""Classes of other people, known by their methods."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from teach_agents.agents.contract import Agent
from teach_agents.conventions.calling import has_methods
from teach_agents.conventions.teach_model import TEACH_METHODS, follower_of

__all__ = ["adopted"]

_CONVENTIONS: Mapping[tuple[str, ...], Callable[[type, Mapping[str, object]], Agent]] = {
    TEACH_METHODS: follower_of,
}


def adopted(found: type, context: Mapping[str, object]) -> Agent | None:
    """An agent that asks a class of another convention; `None` for a class that follows none of them.

    `context` is what `specs.build` was given: the chair, and what the benchmark knows. Raises `SpecError` for a chair
    that the convention has no methods for.
    """
    if issubclass(found, Agent):
        return None
    for methods, make in _CONVENTIONS.items():
        if has_methods(found, *methods):
            return make(found, context)
    return None
