"""A household small enough that every session in it is over in milliseconds."""

from __future__ import annotations

import math
from typing import Any

from teach_agents.actions import Action, Role
from teach_agents.agents import Agent, ScriptedAgent
from teach_agents.household import Household, Scenario
from teach_agents.observations import Observation
from teach_agents.session import Session
from teach_agents.simulator.contract import Scene
from tests.household.fake import FakeSimulator

WAIT = Action.wait()
FORWARD = Action("Forward")
MUG = "Mug"


def scenario(task: str = "Coffee", *params: str, seed: int = 0) -> Scenario:
    return Scenario("s1", task, params, Scene("FloorPlan1"), seed)


def small_household() -> Household:
    return Household(FakeSimulator(), view_size=64)


def click(household: Household, object_type: str, name: str = "Pickup") -> Action:
    """A click on the only object of a type, from where the Follower stands."""
    household.reset(scenario())
    object_id = next(one for one, obj in household.simulator.state.objects.items() if obj.object_type == object_type)
    point = household.click_for(object_id, name)
    assert point is not None
    return Action.click(name, *point)


def session(commander: Any = (), follower: Any = (), **options: Any) -> Session:
    """A session of scripts: lists of actions stand for scripted agents that wait at their end."""
    return Session(small_household(), _agent(commander), _agent(follower), **options)


def _agent(what: Any) -> Any:
    return ScriptedAgent(what) if isinstance(what, list | tuple) else what


class Recall(Agent):
    """Keeps every observation it is given, and plays a script."""

    def __init__(self, *script: Action) -> None:
        self.script = ScriptedAgent(script)
        self.seen: list[Observation] = []
        self.briefings: list[Any] = []

    def begin(self, briefing: Any) -> None:
        self.briefings.append(briefing)

    def act(self, observation: Observation) -> Action:
        self.seen.append(observation)
        answer: Action = self.script.act(observation)
        return answer


def finite(value: float) -> bool:
    return math.isfinite(value)


ROLES = tuple(Role)
