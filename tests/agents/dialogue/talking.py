"""A Follower in a room, and somebody who talks to it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from teach_agents.actions import OBJECT_ACTIONS, Action, Role
from teach_agents.agents.perceiving.oracle import OraclePerception
from teach_agents.agents.perceiving.perceived import Perceived
from teach_agents.agents.planner import planner_follower
from teach_agents.agents.planner.follower import PlannerFollower
from teach_agents.benchmarks.requests.cases import Case, Check
from teach_agents.benchmarks.requests.setups import scenario_of
from teach_agents.core.agents.contract import Agent, Briefing
from teach_agents.core.dialogue import Reading
from teach_agents.core.json_types import JsonMapping
from teach_agents.household.household import Household
from teach_agents.installed import installed_tasks
from teach_agents.simulator.embedded.simulator import EmbeddedSimulator
from teach_agents.understanding.notation import read_meaning
from teach_agents.understanding.rules_reader import RulesReader
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


class ReadAs:
    """Reads certain utterances as the meaning that is told of each, all others as rules do."""

    def __init__(self, meanings: Mapping[str, str]) -> None:
        self._meanings = meanings
        self._rules = RulesReader()

    def read(self, text: str, recent: Sequence[str] = ()) -> Reading:
        """The reading of an utterance."""
        meaning = self._meanings.get(text)
        return self._rules.read(text, recent) if meaning is None else Reading(read_meaning(meaning), 1.0, "rules")


class Room:
    """A Follower in a room, and somebody who talks to it.

    `setup` is done to the room before, as in cases of `requests`. With `meanings` the planner Follower reads these
    utterances so and all others by rules; it `looks_for_itself` or knows the whole room, and knows whether a
    `person` talks.
    """

    def __init__(
        self,
        room: str = "FloorPlan7",
        follower: Agent | None = None,
        *,
        setup: Sequence[str] = (),
        meanings: Mapping[str, str] | None = None,
        looks_for_itself: bool = False,
        person: bool = False,
    ) -> None:
        self._person = person
        if meanings is not None:
            follower = PlannerFollower(understanding=ReadAs(meanings))
            follower = Perceived(follower, OraclePerception()) if looks_for_itself else follower
        self.household = Household(EmbeddedSimulator(), installed_tasks() if setup else None)
        begun = scenario("Coffee", room=room)
        if setup:
            begun = scenario_of(Case("test", "", "", room, (), Check(), tuple(setup)), self.household, 0)
        self.household.reset(begun)
        self.turn = 0
        self.thoughts: list[JsonMapping | None] = []
        self.seat(follower)

    def seat(self, follower: Agent | None = None, *, resumed: bool = False, state: JsonMapping | None = None) -> Said:
        """Have a Follower take the chair and come to rest."""
        self.follower = follower or planner_follower()
        self.follower.begin(Briefing("test", Role.FOLLOWER, 0, resumed, state, person=self._person))
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

    def is_in(self, object_type: str, holder: str) -> bool:
        """Whether any object of a type is in or on any of another."""
        return any(
            str(parent).startswith(f"{holder}|")
            for one in self.household.objects
            if one["objectType"] == object_type
            for parent in one.get("parentReceptacles") or ()
        )

    def holding(self) -> str:
        """The type of what the Follower holds."""
        return next((str(one["objectType"]) for one in self.household.objects if one["isPickedUp"]), "")
