"""What is played over several processes, and how."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from teach_agents.core.session.hooks import DialogueHook
from teach_agents.core.session.timing import Timeouts
from teach_agents.household import Household, Limits, Scenario

__all__ = ["Plan"]


@dataclass(frozen=True, slots=True)
class Plan:
    """A session for the environment's worker.

    `make_scenario` is asked where there is no record yet. `make_household` makes a household for the session, and one
    for each agent that was replaced: it is asked on the turns so far once more (`remind`), or begun as resumed.
    `timeouts.begin_s` is also how long a worker may take to come.
    """

    session_id: str
    make_scenario: Callable[[], Scenario]
    make_household: Callable[[], Household]
    limits: Limits = Limits()
    timeouts: Timeouts = Timeouts()
    make_hooks: Callable[[], Sequence[tuple[str, DialogueHook]]] = tuple
    remind: bool = True
