"""Where the Follower was, where whoever speaks is, and turns on the spot."""

from __future__ import annotations

import pytest

from teach_agents.agents.acting.body import Body
from teach_agents.agents.acting.navigation import stand_of
from teach_agents.agents.dialogue.standpoints import BACK, Standpoints
from teach_agents.understanding.notation import read_meaning
from tests.agents.dialogue.asking import Asked
from tests.agents.dialogue.ordering import Servant
from tests.agents.dialogue.talking import Room


def _place(room: Room) -> tuple[float, float]:
    position = room.household.simulator.state.agent.position
    return position.x, position.z


def test_it_goes_back_to_where_it_was_before_the_last_order() -> None:
    room = Room(meanings={"now back to where you were": "go_to(where_you_were)"})
    begun = _place(room)
    room.say("go to the fridge")
    fridge = _place(room)
    room.say("go to the sink")
    assert len({begun, fridge, _place(room)}) == 3
    said = room.say("now back to where you were")
    assert _place(room) == pytest.approx(fridge) and "back where I was" in said.text


def test_it_goes_there_first_where_both_are_said_in_one_breath() -> None:
    text = "go to the sink, then go back to where you were"
    room = Room(meanings={text: "go_to(sink); go_to(where_you_were)"})
    room.say("go to the fridge")
    fridge = _place(room)
    said = room.say(text)
    assert "sink" in said.text and "back where I was" in said.text
    assert _place(room) == pytest.approx(fridge)


def test_to_undo_a_walk_is_to_go_back() -> None:
    room = Room(meanings={"no, undo that": "undo"})
    begun = _place(room)
    room.say("go to the fridge")
    room.say("no, undo that")
    assert _place(room) == pytest.approx(begun)


def test_where_it_was_is_not_made_up() -> None:
    said = Room(meanings={"back to where you were": "go_to(where_you_were)"}).say("back to where you were")
    assert "I do not know where I was before." in said.text and not said.done


def test_where_it_is_now_is_where_it_was_spoken_to() -> None:
    body: Body = Asked("FloorPlan7").body
    places = Standpoints(body)
    places.spoken_to()
    here = body.stand
    go, come = read_meaning("go_to(sink); come")
    text = "go to the sink and come back to where you are now"
    assert places.meant(go, text, None) is None
    assert places.meant(come, text, None) == here
    assert places.leaving() is None and places.leaving() == here
    assert places.meant(BACK, "undo that", here) == here
    assert places.meant(read_meaning("open(fridge)")[0], "open it where you were", here) is None


HERE = "I'm over by the fridge"


def test_who_said_where_they_are_is_come_to_there_and_brought_things_there() -> None:
    room = Room(meanings={HERE: "fact(me @near fridge)"})
    room.say("go to the sink")
    room.say(HERE)
    said = room.say("come here")
    assert said.done and "fridge" in said.text
    there = _place(room)
    assert "here" in room.say("come here").text
    room.say("bring me the spoon")
    assert room.holding() == "Spoon" and _place(room) == pytest.approx(there, abs=1.0)


@pytest.mark.parametrize(
    ("text", "turns"),
    [
        ("do a full spin", 4),
        ("turn around completely, the whole way round", 4),
        ("spin all the way around", 4),
        ("do a full 360", 4),
        ("turn around", 2),
        ("turn around and look at the whole kitchen", 2),
    ],
)
def test_a_full_spin_is_four_turns_and_no_other_is(text: str, turns: int) -> None:
    room = Room(meanings={text: "turn_around"})
    said = room.say(text)
    assert said.done["Turn Left"] == turns
    assert ("all the way round" in said.text) is (turns == 4)


def test_a_number_of_degrees_is_turned() -> None:
    servant = Servant("FloorPlan7")
    begun = stand_of(servant.explorer.body.pose)
    assert servant.told("turn_around(360)").done and servant.acted == 4
    assert stand_of(servant.explorer.body.pose) == begun
    assert servant.told("turn_around").done and servant.acted == 2
