"""Where the Follower was, where whoever speaks is, and turns on the spot."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from teach_agents.agents.acting.body import Body
from teach_agents.agents.acting.navigation import stand_of
from teach_agents.agents.dialogue.standpoints import BACK, Standpoints
from teach_agents.agents.planner.follower import PlannerFollower
from teach_agents.core.dialogue import Reading
from teach_agents.understanding.notation import read_meaning
from tests.agents.dialogue.asking import Asked
from tests.agents.dialogue.ordering import Servant
from tests.agents.dialogue.talking import ReadAs, Room


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


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("now back to the place you were at before this one", "go_to(previous place)"),
        ("now back to the place you were at before this one", "go_to(place)"),
        ("go back to where you just came from", "go_to(spot)"),
        ("return to your last position", "go_to(position)"),
    ],
)
def test_the_place_before_has_many_names(text: str, meaning: str) -> None:
    room = Room(meanings={text: meaning})
    room.say("go to the fridge")
    fridge = _place(room)
    room.say("go to the sink")
    room.say(text)
    assert _place(room) == pytest.approx(fridge)


def test_to_go_on_where_nothing_is_left_may_be_to_go_back() -> None:
    text = "Okay, and now back to where you were just before."
    room = Room(meanings={text: "resume"})
    begun = _place(room)
    room.say("go to the fridge")
    room.say(text)
    assert _place(room) == pytest.approx(begun)


def test_a_way_back_is_no_small_talk_whatever_stands_before_it() -> None:
    text = "Ok, that'll do. Now go back to where you just came from."
    room = Room("FloorPlan203", PlannerFollower(understanding=Guesses({text: "undo"})))
    begun = _place(room)
    room.say("go to the sofa")
    assert _place(room) != begun
    room.say(text)
    assert _place(room) == pytest.approx(begun)


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("stop! walk back to where you came from", "stop; undo"),
        ("halt, go back to your old spot", "stop; resume"),
        ("head back to where you were standing", "undo"),
    ],
)
def test_an_order_that_is_stopped_leads_back_to_where_it_began(text: str, meaning: str) -> None:
    room = Room(meanings={text: meaning})
    begun = _place(room)
    said = room.say("go to the fridge", {6: text})
    assert _place(room) == pytest.approx(begun) and "back where I was" in said.text


def test_where_it_started_is_where_it_stood_at_first() -> None:
    room = Room(meanings={"back to where you started": "resume", "return to base": "go_to(base)"})
    begun = _place(room)
    for back in ("back to where you started", "return to base"):
        room.say("go to the fridge")
        room.say("go to the sink")
        room.say(back)
        assert _place(room) == pytest.approx(begun)


@pytest.mark.parametrize(
    ("orders", "back", "undone"),
    [
        ("turn right", "and back again", {"Turn Left": 1}),
        ("look up", "back to normal", {"Look Down": 1}),
        ("take two steps back", "and back", {"Forward": 2}),
        ("turn right", "step back", {"Backward": 1}),
    ],
)
def test_back_again_is_back_from_wherever_the_motion_led(orders: str, back: str, undone: dict[str, int]) -> None:
    room = Room("FloorPlan205", meanings={back: "step_back"})
    room.say(orders)
    assert room.say(back).done == undone


def test_to_go_back_behind_a_walk_is_to_go_where_it_began() -> None:
    room = Room(meanings={"ok now walk back": "step_back"})
    begun = _place(room)
    room.say("go to the fridge")
    room.say("ok now walk back")
    assert _place(room) == pytest.approx(begun)


def test_what_was_moved_out_of_the_way_is_not_what_was_put() -> None:
    meanings = {"Where was it before?": "?where(it)", "Take it back to where it was.": "put_back(it)"}
    room = Room("FloorPlan301", setup=["put Book on Dresser"], meanings=meanings)
    assert "on the desk" in room.say("put the book on the desk").text
    assert "book was on the dresser" in room.say("Where was it before?").text
    room.say("Take it back to where it was.")
    assert room.is_in("Book", "Dresser")


def test_what_was_put_in_a_box_by_mistake_goes_back_to_where_it_was_before() -> None:
    text = "Take it out and put it back where it came from."
    room = Room("FloorPlan205", meanings={text: "get(it, from box); put_back(it)"})
    room.say("put the watch in the box")
    room.say(text)
    assert room.is_in("Watch", "SideTable") and not room.is_in("Watch", "Box")


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
    assert places.leaving(go) is None and places.leaving(come) == here
    assert places.meant(BACK, "undo that", here) == here
    assert places.meant(read_meaning("open(fridge)")[0], "open it where you were", here) is None


class Guesses(ReadAs):
    """Reads as it is told, without rules and without being sure."""

    def read(self, text: str, recent: Sequence[str] = ()) -> Reading:
        return super().read(text, recent)._replace(confidence=0.45, by="heads")


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


def test_who_never_said_where_they_are_is_asked_at_first() -> None:
    room = Room(meanings={"Join me over here": "come", "I'm by the fridge": "fact(me @near fridge)"})
    said = room.say("Join me over here")
    assert "Where" in said.text and not said.done
    assert "fridge" in room.say("I'm by the fridge").text


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("I put my spoon down in here, go over to wherever it is and wait there.", "go_to(here); wait"),
        ("stand next to wherever the spoon is lying", "go_to(there @near spoon)"),
        ("I left the spoon in here. Walk over to where I left it.", "fact(spoon @in here); go_to(place)"),
    ],
)
def test_wherever_a_thing_is_is_where_it_goes(text: str, read: str) -> None:
    room = Room(meanings={text: read})
    said = room.say(text)
    assert said.done and "spoon" in said.text and not said.touched


def test_where_nothing_of_the_kind_is_nobody_waits_and_it_says_so() -> None:
    text = "Go wait by the couch"
    said = Room(meanings={text: "go_to(couch); wait"}).say(text)
    assert "couch" in said.text and "waiting" not in said.text
