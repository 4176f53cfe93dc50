"""What orders and corrections mean by their words, whatever they are read as."""

from __future__ import annotations

import pytest

from tests.agents.dialogue.talking import Room


def _pitch(room: Room) -> float:
    return room.household.simulator.state.agent.horizon


@pytest.mark.parametrize("read", ["turn_around", "repeat", "look_up", "look_down"])
def test_the_other_way_is_the_opposite_of_the_motion_before(read: str) -> None:
    room = Room(meanings={"And now the other way.": read})
    begun = _pitch(room)
    room.say("look up")
    assert _pitch(room) < begun
    room.say("And now the other way.")
    assert _pitch(room) == pytest.approx(begun)


def test_so_many_steps_the_other_way_are_steps_back() -> None:
    text = "Two steps the other way."
    room = Room(meanings={text: "instead_do(step_back(2))", "Again, the other way!": "step_back(1)"})
    room.say("take two steps back")
    assert room.say(text).done["Forward"] == 2
    assert room.say("Again, the other way!").done["Backward"] == 1


def test_back_to_where_it_was_looking_is_the_opposite_too() -> None:
    text = "Now look back the way you were looking before."
    room = Room(meanings={"Look at the floor.": "look_at(floor)", text: "step_back"})
    begun = _pitch(room)
    room.say("Look at the floor.")
    assert _pitch(room) > begun
    room.say(text)
    assert _pitch(room) == pytest.approx(begun)


def test_one_more_of_those_is_the_motion_once_more() -> None:
    text = "One more of those, if you don't mind."
    room = Room(meanings={text: "unclear"})
    room.say("turn left")
    assert room.say(text).done["Turn Left"] == 1


def test_make_that_another_thing_corrects_what_is_being_done() -> None:
    text = "Hang on - make that the potato!"
    room = Room("FloorPlan10", meanings={text: "slice(potato)"})
    room.say("slice the apple", then={3: text})
    kinds = {str(one["objectType"]) for one in room.household.objects}
    assert "PotatoSliced" in kinds and "AppleSliced" not in kinds


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("do that another two times", 2),
        ("twice more please", 2),
        ("one more time", 1),
        ("again, a couple of times", 2),
        ("once more", 1),
    ],
)
def test_a_motion_is_made_again_as_often_as_is_said(text: str, steps: int) -> None:
    room = Room(meanings={text: "repeat"})
    room.say("turn left")
    assert room.say(text).done["Turn Left"] == steps


@pytest.mark.parametrize("text", ["Turn round till the fridge is ahead of you.", "Turn so that you face the fridge."])
def test_to_turn_until_something_is_ahead_is_to_look_at_it(text: str) -> None:
    assert "fridge" in Room(meanings={text: "turn_around"}).say(text).text


def test_to_turn_and_then_go_somewhere_is_still_to_turn() -> None:
    text = "Turn left, then walk towards the fridge."
    said = Room(meanings={text: "turn_left; go_to(fridge)"}).say(text)
    assert "turned to the left" in said.text


def test_one_full_turn_is_four_turns_although_it_is_not_understood() -> None:
    text = "One full turn on the spot, please."
    assert Room(meanings={text: "do(one full turn)"}).say(text).done["Turn Left"] == 4


def test_what_is_not_to_begin_yet_waits_until_it_may() -> None:
    text = "I want you over at the fridge. Don't set off until I give the word."
    room = Room(meanings={text: "go_to(fridge); wait"})
    assert not room.say(text).done
    assert "fridge" in room.say("go on").text


def test_to_go_somewhere_and_not_move_until_told_is_to_go_there() -> None:
    text = "Go to the fridge and don't move until I say so."
    assert Room(meanings={text: "go_to(fridge); wait"}).say(text, then={60: "go on"}).done


def test_you_can_shut_it_is_an_order_where_it_is_open_and_nobody_forbade_that() -> None:
    text = "You can shut it again now."
    room = Room(meanings={text: "allow(close(it))", "never shut it": "never(close(fridge))"})
    room.say("open the fridge")
    assert "tomato" in room.say("Is there anything in there?").text
    room.say(text)
    assert not room.one("Fridge")["isOpen"]
    room.say("open the fridge")
    room.say("never shut it")
    room.say(text)
    assert room.one("Fridge")["isOpen"]


def test_the_same_with_another_thing_is_what_was_done_last() -> None:
    text = "Do the same with the egg please."
    room = Room(meanings={text: "put(egg, on egg)"})
    room.say("put the apple in the fridge")
    room.say(text)
    assert room.is_in("Egg", "Fridge")


@pytest.mark.parametrize(
    "read", ["put(cloth @in wrong sink, in other one)", "move(cloth)", "put(cloth, in other sink)"]
)
def test_the_other_one_is_another_place_than_it_is_in(read: str) -> None:
    text = "The cloth is in the wrong sink, it belongs in the other one. Move it."
    room = Room("FloorPlan408", setup=["put Cloth in Sink#2"], meanings={text: read})
    was = room.one("Cloth")["parentReceptacles"]
    room.say(text)
    assert room.is_in("Cloth", "Sink") and room.one("Cloth")["parentReceptacles"] != was


def test_where_there_is_no_other_it_says_so() -> None:
    room = Room("FloorPlan304", meanings={"now the other one": "put(other one, in box)"})
    room.say("put the cd in the box")
    said = room.say("now the other one")
    assert "no other" in said.text and not said.done


@pytest.mark.parametrize("turn", [3, 18, 26])
def test_a_correction_at_work_takes_the_thing_where_it_is_to_go_and_leaves_nothing_open(turn: int) -> None:
    text = "not in the fridge, in the microwave"
    room = Room("FloorPlan5", meanings={text: "not(in fridge); instead(in microwave)"})
    room.say("put the potato in the fridge", then={turn: text})
    assert room.is_in("Potato", "Microwave") and not room.one("Fridge")["isOpen"]


def test_a_place_that_is_refused_alone_is_asked_for() -> None:
    room = Room("FloorPlan5", meanings={"not in the fridge": "not(in fridge)"})
    said = room.say("put the potato in the fridge", then={3: "not in the fridge"})
    assert said.text.endswith("Where should I put it?")


def test_the_other_lamp_behind_stop_is_not_the_one_that_was_ordered() -> None:
    text = "Whoa, stop! I meant the other lamp."
    setup = ["off DeskLamp", "off FloorLamp"]
    for named, other in (("table", "FloorLamp"), ("standing", "DeskLamp")):
        order = f"put the {named} lamp on"
        meanings = {text: "stop; instead(other lamp)", order: f"turn_on({named} lamp)"}
        room = Room("FloorPlan205", setup=setup, meanings=meanings)
        room.say(order, then={2: text})
        assert room.one(other)["isToggled"]


def test_dirt_on_a_plate_is_no_thing_but_how_it_is() -> None:
    text = "That plate has dried sauce on it, wash it please."
    room = Room("FloorPlan8", setup=["dirty Plate"], meanings={text: "wash(plate +dried sauce)"})
    room.say(text)
    assert not room.one("Plate")["isDirty"]


def test_in_front_of_it_is_in_front_of_what_a_condition_speaks_of() -> None:
    text = "If the TV is on, park yourself in front of it."
    room = Room("FloorPlan210", setup=["on Television"], meanings={text: "if(tv: on) go_to(there @front it)"})
    assert room.say(text).done


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("Bring me the fork. No wait, the spoon.", "get(fork); instead(spoon)"),
        ("Bring me the fork. On second thought, bring the spoon instead.", "get(fork); instead_do(get(spoon))"),
        ("Bring me the fork? Hang on, I got that wrong, it's the spoon I need.", "get(fork)"),
        ("Pass me the fork, my mistake, I meant the spoon.", "get(fork)"),
        ("Bring the fork, er, the spoon I mean.", "get(fork)"),
    ],
)
def test_what_is_taken_back_in_the_same_breath_is_not_done(text: str, meaning: str) -> None:
    room = Room("FloorPlan18", meanings={text: meaning})
    said = room.say(text)
    assert said.done["Pickup"] == 1 and "spoon" in said.text and "fork" not in said.text


def test_what_is_said_of_a_thing_behind_an_order_is_no_correction() -> None:
    text = "Bring me the fork, I need it. It's the one I like."
    assert "fork" in Room("FloorPlan18", meanings={text: "get(fork)"}).say(text).text


@pytest.mark.parametrize(("text", "held"), [("Find me the remote.", True), ("Find the remote.", False)])
def test_who_has_a_thing_found_for_them_wants_it_brought(text: str, held: bool) -> None:
    assert (Room("FloorPlan203", meanings={text: "find(remote)"}).say(text).done["Pickup"] == 1) is held


def test_what_cannot_be_carried_is_found_where_it_is() -> None:
    text = "Find me the sofa."
    assert "sofa is" in Room("FloorPlan203", meanings={text: "find(sofa)"}).say(text).text.replace("sofa: it", "sofa")


def test_a_go_with_an_order_behind_it_goes_on_with_nothing() -> None:
    text = "Ready, steady... go to the sofa!"
    said = Room("FloorPlan203", meanings={text: "resume; go_to(sofa)"}).say(text).text
    assert "sofa" in said and "go on" not in said


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        (
            "Make me some toast: a slice of bread in the toaster, then put it on the plate.",
            "make(some slice of bread, in toaster); put(it, on plate)",
        ),
        (
            "I'd like toast: pop a slice of bread in the toaster, then put it on the plate.",
            "put(slice of bread, in toaster); put(it, on plate)",
        ),
    ],
)
def test_toast_is_bread_out_of_the_toaster(text: str, meaning: str) -> None:
    room = Room("FloorPlan30", setup=["slice Bread"], meanings={text: meaning})
    assert room.say(text).done["ToggleOn"] == 1
    assert room.is_in("BreadSliced", "Plate")


def test_a_thing_in_either_of_two_places_is_found_in_the_second() -> None:
    text = "There is a bowl in the fridge or in the microwave. Bring it to me."
    room = Room(
        "FloorPlan1",
        setup=["put Bowl in Microwave"],
        meanings={text: "get(bowl @in fridge)"},
        looks_for_itself=True,
    )
    room.say(text)
    assert room.holding() == "Bowl"
