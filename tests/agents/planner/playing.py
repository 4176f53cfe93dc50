"""Let a pair play a task in a room, without a session around it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from teach_agents.actions import OBJECT_ACTIONS, Action, Role
from teach_agents.core.agents.contract import Agent, Briefing
from teach_agents.household.household import Household
from teach_agents.household.scenario import Scenario
from teach_agents.simulator.contract import Scene
from teach_agents.simulator.embedded.simulator import EmbeddedSimulator

MAX_TURNS = 600


@dataclass
class Played:
    """What became of it."""

    success: bool = False
    turns: int = 0
    utterances: list[tuple[Role, str]] = field(default_factory=list)
    acted: Counter[str] = field(default_factory=Counter)
    failures: int = 0

    @property
    def interactions(self) -> int:
        """How often the Follower touched anything."""
        return sum(self.acted[name] for name in OBJECT_ACTIONS)


def scenario(task: str, *params: str, room: str, seed: int = 0, randomize: bool = False) -> Scenario:
    """A task in a room as it ships, or randomised."""
    return Scenario(f"{task} in {room}", task, tuple(params), Scene(room=room, randomize=randomize), seed)


def play(
    what: Scenario, commander: Agent, follower: Agent, change: Callable[[Role, Action], Action] | None = None
) -> Played:
    """Play until somebody ends it; `change` may tamper with what is done."""
    household = Household(EmbeddedSimulator())
    household.reset(what)
    played = Played()
    agents = {Role.COMMANDER: commander, Role.FOLLOWER: follower}
    for role, agent in agents.items():
        agent.begin(Briefing(what.scenario_id, role, seed=what.seed))
    for turn in range(MAX_TURNS):
        chosen = {}
        for role, agent in agents.items():
            action = agent.act(household.observe(role, agent.privileges, turn=turn))
            assert isinstance(action, Action)
            chosen[role] = change(role, action) if change else action
        for role, action in chosen.items():
            household.act(role, action, time_ms=turn)
            if action.name == "Text":
                played.utterances.append((role, action.utterance))
            elif role is Role.FOLLOWER:
                played.acted[action.name] += 1
        played.turns = turn + 1
        if chosen[Role.COMMANDER].name == "Finish" or chosen[Role.FOLLOWER].name == "Stop":
            break
    played.success = household.progress().success
    played.failures = household.failures[Role.FOLLOWER]
    return played
