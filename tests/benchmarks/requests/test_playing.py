"""Cases played by scripted Followers: when things are said, when it is over, what is wrong."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from teach_agents.actions import Action, Role
from teach_agents.benchmarks.requests.cases import case_of
from teach_agents.benchmarks.requests.player import How, play
from teach_agents.core.json_types import JsonObject
from teach_agents.household import Household
from teach_agents.installed import installed_tasks
from teach_agents.observations import Observation
from teach_agents.simulator.embedded import EmbeddedSimulator


@pytest.fixture(scope="module")
def household() -> Household:
    return Household(EmbeddedSimulator(), installed_tasks())


def _follower(*answers: list[Action]) -> Callable[[Observation], Action]:
    """Does the first list after the first thing that it hears, and so on; what comes next ends what was begun."""
    rest: list[Action] = []
    heard = 0

    def act(observation: Observation) -> Action:
        nonlocal heard, rest
        said = sum(one.speaker is Role.COMMANDER for one in observation.dialogue)
        if said > heard:
            heard, rest = said, list(answers[said - 1])
        return rest.pop(0) if rest else Action.wait()

    return act


def _played(household: Household, told: JsonObject, *answers: list[Action]) -> JsonObject:
    case: dict[str, Any] = {"id": "x", "kind": "motion", "pair": "p", "room": "FloorPlan1", **told}
    return play(case_of("here", case), household, _follower(*answers), How())


_TURN = [Action("Turn Left"), Action.say("I have turned.")]


def test_what_was_asked_for_is_right_and_more_is_not(household: Household) -> None:
    told: JsonObject = {"talk": ["Turn left."], "check": {"true": ["turned -90", "moved 0"]}}
    right = _played(household, told, _TURN)
    assert (right["status"], right["verdict"]["missed"], right["end_reason"]) == ("done", [], "finished")
    assert len(right["latencies_s"]) == 1
    wrong = _played(household, told, [Action("Turn Right"), Action.say("I have turned.")])
    assert wrong["verdict"]["missed"] == ["not: turned -90"]
    assert wrong["verdict"]["false_claims"] == ["i have turned"] and wrong["verdict"]["false_claim"]
    honest = _played(household, told, [Action("Turn Right"), Action.say("I could not turn to the left.")])["verdict"]
    assert (honest["missed"], honest["false_claim"]) == (["not: turned -90"], False)


def test_stop_means_no_action_more(household: Household) -> None:
    talk = ["Turn left.", {"say": "Stop!", "when": {"after": 2}}]
    told: JsonObject = {"talk": talk, "check": {"true": ["still"], "reply": {}}}
    turning = [Action("Turn Left")] * 9
    assert _played(household, told, turning, [Action.say("I have stopped.")])["verdict"]["missed"] == []
    late = _played(household, told, turning, [Action("Turn Left"), Action.say("I have stopped.")])["verdict"]
    assert (late["missed"], late["stop_actions"]) == (["not: still"], 1)
    mute = _played(household, told, turning, [])["verdict"]
    assert (mute["missed"], mute["unanswered"]) == (["no reply"], True)
    lazy = _played(household, told, [], [])["verdict"]
    assert lazy["missed"] == ["'Stop!' was never said: its time did not come"]


def test_an_answer_is_given_to_a_question_alone(household: Household) -> None:
    talk = [{"say": "Turn.", "reply": {"asks": ["left", "right"]}}, {"say": "Left.", "when": "asked"}]
    told: JsonObject = {"talk": talk, "check": {"true": ["turned -90"]}}
    asked = _played(household, told, [Action.say("To the left or to the right?")], _TURN)["verdict"]
    assert (asked["missed"], asked["asked"], asked["answered"], asked["right_then"]) == ([], True, True, True)
    wrong = _played(household, told, [Action.say("To the left or to the right?")], [Action("Turn Right")])["verdict"]
    assert (wrong["asked"], wrong["answered"], wrong["right_then"]) == (True, True, False)
    again = _played(household, told, [Action.say("Which way, left or right?")], [Action.say("Left?")])["verdict"]
    assert (again["answered"], again["right_then"]) == (True, False)
    guessed = _played(household, told, _TURN)["verdict"]
    assert (guessed["missed"], guessed["asked"]) == (["'Left.' was never said: its time did not come"], False)
    assert (guessed["answered"], guessed["right_then"], guessed["unanswered"]) == (False, False, False)
    silent = _played(household, told, [Action("Turn Left")])["verdict"]
    assert (silent["wanted"], silent["unanswered"]) == (True, True)


def test_what_held_when_it_was_asked_for_was_not_brought_about(household: Household) -> None:
    told: JsonObject = {"talk": ["Look down.", "Go back."], "check": {"true": ["back 0"]}}
    missed = _played(household, told, [Action("Look Down")], [Action.say("I am back.")])["verdict"]["missed"]
    assert missed == ["what was asked for held when it was asked for"]


def test_somebody_who_never_rests_is_judged_all_the_same(household: Household) -> None:
    told: JsonObject = {"talk": ["Turn left."], "check": {"true": ["turned -90"]}}
    restless = _played(household, told, [Action("Turn Left")] * 999)
    assert restless["status"] == "done"
    assert restless["turns"] < 400


def test_a_case_that_cannot_be_set_up_was_not_started(household: Household) -> None:
    told: JsonObject = {"talk": ["Go."], "setup": ["dirty Apple"], "check": {"reply": {}}}
    record = _played(household, told)
    assert record["status"] == "not_started"
    assert "dirty Apple" in record["reason"]


def test_a_follower_that_raises_has_crashed(household: Household) -> None:
    case = case_of(
        "here",
        {"id": "x", "kind": "plain", "pair": "p", "room": "FloorPlan1", "talk": ["Go."], "check": {"reply": {}}},
    )

    def broken(observation: Observation) -> Action:
        raise RuntimeError("out of order")

    record = play(case, household, broken, How())
    assert record["status"] == "crashed"
    assert "out of order" in record["reason"]


def test_things_are_put_into_the_part_of_a_sink_that_holds_them(household: Household) -> None:
    told: JsonObject = {"setup": ["put Mug in Sink"], "talk": ["Is the mug in the sink?"]}
    said = _played(household, {**told, "check": {"reply": {"says": [["<yes>"]]}}}, [Action.say("Yes.")])
    assert said["verdict"]["missed"] == []
