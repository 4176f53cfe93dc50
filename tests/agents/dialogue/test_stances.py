"""Which way the Follower faces and what it is at: asked, as a condition, and gone back to."""

from __future__ import annotations

import pytest

from tests.agents.dialogue.talking import Room


@pytest.mark.parametrize(
    ("text", "meaning", "starts"),
    [
        ("Are you facing the sink just now?", "?other(are you facing the sink)", "Yes"),
        ("Are you standing next to the sink?", "?there(you @near sink)", "Yes"),
        ("are you looking at the fridge right now", "?doing", "No"),
        ("are you in front of the fridge?", "?where_are_you", "No"),
    ],
)
def test_it_tells_whether_it_stands_so(text: str, meaning: str, starts: str) -> None:
    assert Room(setup=["stand near Sink"], meanings={text: meaning}).say(text).text.startswith(starts)


@pytest.mark.parametrize("meaning", ["unless(you: facing sink) look_at(sink)", "unless(you @front sink) go_to(sink)"])
def test_a_condition_may_be_of_how_it_stands(meaning: str) -> None:
    said = Room(setup=["stand near Sink"], meanings={"unless": meaning}).say("unless")
    assert not said.done and "already" in said.text


def _yaw(room: Room) -> float:
    return float(room.household.simulator.state.agent.yaw)


@pytest.mark.parametrize(
    ("text", "meaning", "turns"),
    [
        ("go back to facing the way you were before", "undo", 1),
        ("point your nose where it pointed before all that", "show(it)", 2),
        ("face the direction you were looking in at the very start", "turn_around", 2),
        ("same way as before", "look_at(same way)", 1),
    ],
)
def test_it_faces_the_way_it_did_before(text: str, meaning: str, turns: int) -> None:
    room = Room(meanings={text: meaning})
    begun = _yaw(room)
    room.say("turn right")
    room.say("turn right")
    assert "the way I did before" in room.say(text).text
    assert (_yaw(room) - begun) % 360 == pytest.approx(90.0 * (2 - turns))


@pytest.mark.parametrize(
    ("text", "meaning"),
    [("eyes front", "do(eyes front)"), ("keep your head level now", "look_up"), ("look", "look_at(straight_ahead)")],
)
def test_it_looks_neither_up_nor_down(text: str, meaning: str) -> None:
    room = Room(meanings={text: meaning, "the ceiling": "look_at(ceiling)"})
    room.say("the ceiling")
    assert room.household.simulator.state.agent.horizon == pytest.approx(-30.0)
    assert "straight ahead" in room.say(text).text
    assert room.household.simulator.state.agent.horizon == pytest.approx(0.0)


def test_all_the_way_round_to_face_backwards_is_half_a_turn() -> None:
    text = "all the way around to face the other way"
    room = Room(meanings={text: "turn_around"})
    begun = _yaw(room)
    room.say(text)
    assert (_yaw(room) - begun) % 360 == pytest.approx(180.0)


def test_the_other_one_is_another_than_it_is_at() -> None:
    text = "the other armchair, please"
    for here, there in (("1", "2"), ("2", "1")):
        room = Room("FloorPlan205", setup=[f"stand near ArmChair#{here}"], meanings={text: "go_to(other armchair)"})
        begun = room.household.simulator.state.agent
        assert "armchair" in room.say(text).text
        assert room.household.simulator.state.agent != begun, there


def test_whatever_holds_a_thing_is_found_by_that() -> None:
    room = Room(setup=["put Potato in Microwave"], meanings={"open what it is in": "open(something +potato)"})
    room.say("open what it is in")
    assert room.one("Microwave")["isOpen"]
