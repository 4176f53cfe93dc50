"""The planner Follower among people: what "it" is, hints along with a request, and never a silence for an answer."""

from __future__ import annotations

from collections import Counter

import pytest

from teach_agents.actions import OBJECT_ACTIONS, Action, Role
from teach_agents.agents.planner import planner_follower
from teach_agents.core.agents.contract import Briefing
from teach_agents.household.household import Household
from teach_agents.simulator.embedded.simulator import EmbeddedSimulator
from tests.agents.planner.playing import scenario

_QUIET = 3


class _Room:
    """A Follower in a room, and somebody who talks to it."""

    def __init__(self) -> None:
        self.household = Household(EmbeddedSimulator())
        self.household.reset(scenario("Coffee", room="FloorPlan7"))
        self.turn = 0
        self.seat(resumed=False)

    def seat(self, *, resumed: bool) -> None:
        """Have a new Follower take the chair and look around."""
        self.follower = planner_follower()
        self.follower.begin(Briefing("test", Role.FOLLOWER, 0, resumed))
        self._until_quiet()

    def say(self, text: str) -> tuple[str, Counter[str]]:
        """What the Follower answers, and what it did."""
        self.household.act(Role.COMMANDER, Action.say(text), time_ms=self.turn)
        return self._until_quiet()

    def _until_quiet(self) -> tuple[str, Counter[str]]:
        answers: list[str] = []
        done, quiet = Counter[str](), 0
        for _ in range(400):
            action = self.follower.act(self.household.observe(Role.FOLLOWER, self.follower.privileges, turn=self.turn))
            assert isinstance(action, Action)
            self.household.act(Role.FOLLOWER, action, time_ms=self.turn)
            self.turn += 1
            quiet = quiet + 1 if action == Action.wait() else 0
            if quiet == _QUIET:
                return " ".join(answers), done
            if action.name == "Text":
                answers.append(action.utterance)
            done[action.name] += 1
        raise AssertionError("the follower does not come to rest")

    @property
    def held(self) -> str:
        """The type of what the Follower holds."""
        return next((str(one["objectType"]) for one in self.household.objects if one["isPickedUp"]), "")


def test_somebody_who_asks_for_a_mug_gets_one() -> None:
    room = _Room()
    answer, _ = room.say("Can you get me a mug?")
    assert room.held == "Mug"
    assert "?" in answer and "Where" not in answer


def test_what_is_not_understood_is_answered_once_with_what_can_be_done() -> None:
    room = _Room()
    for text in ("What can you do?", "Hello. Please dance!", "The mug is in the sink. Now dance!"):
        answer, done = room.say(text)
        assert "wash" in answer and ("dance" in text) == ("dance" in answer), text
        assert not set(OBJECT_ACTIONS) & set(done)


def test_what_is_done_of_a_request_and_what_is_not_is_told_apart() -> None:
    answer, _ = _Room().say("pick up the mug, then dance")
    assert "mug" in answer and "cannot dance" in answer


def test_it_is_what_was_spoken_of() -> None:
    room = _Room()
    room.say("slice the tomato and put it on a plate")
    plates = {one["objectId"] for one in room.household.objects if one["objectType"] == "Plate"}
    slices = [one for one in room.household.objects if one["objectType"] == "TomatoSliced"]
    assert any(plates & set(one["parentReceptacles"] or ()) for one in slices)


def test_a_follower_that_is_seated_again_knows_what_it_was() -> None:
    room = _Room()
    room.say("wash the mug")
    room.seat(resumed=True)
    answer, _ = room.say("pick it up")
    assert room.held == "Mug", answer


def test_nothing_that_cannot_be_is_said_to_be_done() -> None:
    room = _Room()
    answer, _ = room.say("open the apple")
    assert "not" in answer
    assert room.say("turn on the stove")[1]["ToggleOn"] == 1


def test_the_follower_moves_as_it_is_told_and_says_whether_it_did() -> None:
    room = _Room()
    before = room.household.simulator.state.agent
    answer, done = room.say("Turn around and look down, please")
    assert done["Turn Left"] == 2 and done["Look Down"] == 1 and done["Text"] == 1 and "?" in answer
    answer, _ = room.say("turn around. look up")
    assert room.household.simulator.state.agent == before and "not" not in answer
    answer, done = room.say("go forward 20 steps")
    assert "not" in answer and done["Forward"] < 20, "there is a wall"


@pytest.mark.parametrize("place", ["cabinet", "fridge", "drawer"])
def test_a_hint_that_fits_nothing_is_let_go(place: str) -> None:
    room = _Room()
    room.say(f"take a mug, it is in the {place} left of the bed")
    assert room.held == "Mug"
