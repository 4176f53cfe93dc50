"""Classes of other people, known by their methods."""

from __future__ import annotations

from collections.abc import Mapping

from teach_agents.benchmarks.solo.assignment import ShownInstance
from teach_agents.conventions.calling import has_methods
from teach_agents.conventions.tatc_model import TATC_METHODS, chair_of
from teach_agents.conventions.teach_model import TEACH_METHODS, follower_of
from teach_agents.core.agents.contract import Agent

_TEACH = (TEACH_METHODS, follower_of)
_TATC = (TATC_METHODS, chair_of)


def adopted(found: type, context: Mapping[str, object]) -> Agent | None:
    """An agent that asks a class of another convention; `None` for a class that follows none of them.

    `context` is what any agent may be handed: the chair, and what the benchmark shows. A class with TEACh's and the
    TATC challenge's methods is asked by the former in EDH and TfD, else by the latter. Raises `SpecError` for a chair
    that the convention has no methods for.
    """
    if issubclass(found, Agent):
        return None
    for methods, make in (_TEACH, _TATC) if isinstance(context.get("instance"), ShownInstance) else (_TATC, _TEACH):
        if has_methods(found, *methods):
            return make(found, context)
    return None
