"""What is played over several processes, and how."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from teach_agents.core.environment import Environment
from teach_agents.core.session.context import Timeouts
from teach_agents.core.session.hooks import DialogueHook
from teach_agents.core.session.policies import Policy, Turns
from teach_agents.household import Household, Limits
from teach_agents.session.environment import HouseholdEnvironment


@dataclass(frozen=True, slots=True)
class Plan:
    """A session for the environment's worker.

    `make_scenario` is asked for the instance where there is no record yet. `make_household` makes a household, or any
    other world, for the session, and one for each agent that was replaced: it is asked on the turns so far once more
    (`remind`), or begun as resumed. `limits` are a household's. `seed` is by default the instance's own, or 0.
    `timeouts.begin_s` is also how long a worker may take to come. `make_policy` says who is asked when.
    """

    session_id: str
    make_scenario: Callable[[], Any]
    make_household: Callable[[], Household | Environment[Any, Any, Any]]
    limits: Limits = Limits()
    timeouts: Timeouts = Timeouts()
    make_hooks: Callable[[], Sequence[tuple[str, DialogueHook]]] = tuple
    remind: bool = True
    seed: int | None = None
    make_policy: Callable[[], Policy] = Turns

    def environment(self) -> Environment[Any, Any, Any]:
        """A world to play in."""
        made = self.make_household()
        return HouseholdEnvironment(made, self.limits) if isinstance(made, Household) else made

    def seed_of(self, instance: Any) -> int:
        """The seed to play an instance with."""
        return int(getattr(instance, "seed", 0)) if self.seed is None else self.seed
