"""A Follower in a room, and somebody who talks to it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from teach_agents.actions import OBJECT_ACTIONS, Action, Role
from teach_agents.agents.planner import planner_follower
from teach_agents.core.agents.contract import Agent, Briefing
from teach_agents.core.json_types import JsonMapping
from teach_agents.household.household import Household
from teach_agents.simulator.embedded.simulator import EmbeddedSimulator
from tests.agents.planner.playing import scenario

_QUIET = 3
_MOST = 500


@dataclass
class Said:
    """What came of an utterance: replies in order, actions by name, and how many of them came after the last words of
    `then`."""

    replies: list[str] = field(default_factory=list)
    done: Counter[str] = field(default_factory=Counter)
    after: int = 0

    @property
    def text(self) -> str:
        """All replies."""
        return " ".join(self.replies)

    @property
    def touched(self) -> bool:
        """Whether anything was touched."""
        return bool(set(OBJECT_ACTIONS) & set(self.done))


class Room:
    """A Follower in a room, and somebody who talks to it."""

    def __init__(self, room: str = "FloorPlan7", follower: Agent | None = None) -> None:
        self.household = Household(EmbeddedSimulator())
        self.household.reset(scenario("Coffee", room=room))
        self.turn = 0
        self.thoughts: list[JsonMapping | None] = []
        self.seat(follower)

    def seat(self, follower: Agent | None = None, *, resumed: bool = False, state: JsonMapping | None = None) -> Said:
        """Have a Follower take the chair and come to rest."""
        self.follower = follower or planner_follower()
        self.follower.begin(Briefing("test", Role.FOLLOWER, 0, resumed, state))
        return self._until_quiet({})

    def say(self, text: str, then: dict[int, str] | None = None) -> Said:
        """Say something, and more after so many turns; what comes of it."""
        self._tell(text)
        return self._until_quiet(then or {})

    def _tell(self, text: str) -> None:
        self.household.act(Role.COMMANDER, Action.say(text), time_ms=self.turn)

    def _until_quiet(self, then: dict[int, str]) -> Said:
        said, quiet = Said(), 0
        for turn in range(_MOST):
            if turn in then:
                self._tell(then[turn])
                said.after = 0
            action = self.follower.act(self.household.observe(Role.FOLLOWER, self.follower.privileges, turn=self.turn))
            assert isinstance(action, Action)
            self.thoughts.append(self.follower.thought)
            self.household.act(Role.FOLLOWER, action, time_ms=self.turn)
            self.turn += 1
            quiet = quiet + 1 if action == Action.wait() else 0
            if quiet == _QUIET and turn >= max(then, default=0):
                return said
            if action.name == "Text":
                said.replies.append(action.utterance)
            elif action != Action.wait():
                said.done[action.name] += 1
                said.after += 1
        raise AssertionError("the Follower does not come to rest")

    def one(self, object_type: str) -> dict[str, object]:
        """The first object of a type, as it is."""
        return next(dict(one) for one in self.household.objects if one["objectType"] == object_type)

    def holding(self) -> str:
        """The type of what the Follower holds."""
        return next((str(one["objectType"]) for one in self.household.objects if one["isPickedUp"]), "")
