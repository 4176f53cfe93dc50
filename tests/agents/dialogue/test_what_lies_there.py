"""What lies at a place, what an answer named, groups with exceptions, deeds of any kind."""

from __future__ import annotations

import pytest

from tests.agents.dialogue.talking import Room


@pytest.mark.parametrize("words", ["whatever is lying on", "everything that is still on", "whatever's been left on"])
def test_where_things_lie_is_no_look_of_theirs(words: str) -> None:
    text = f"move {words} the armchair over to the couch"
    room = Room("FloorPlan202", meanings={text: "put(all thing @on armchair, to couch)"})
    room.say(text)
    assert room.is_in("Laptop", "Sofa")


@pytest.mark.parametrize("noun", ["something", "anything"])
def test_what_is_to_be_taken_if_anything_is_there_is_that_and_not_the_place(noun: str) -> None:
    room = Room(setup=("put Mug in Microwave",), meanings={"check": f"if({noun} @in microwave) get(it)"})
    room.say("check")
    assert room.holding() == "Mug"


def test_what_is_to_be_closed_if_anything_is_in_it_is_the_place() -> None:
    room = Room("FloorPlan1", setup=("open Fridge",), meanings={"shut": "if(anything @in fridge) close(it)"})
    room.say("shut")
    assert not room.one("Fridge")["isOpen"]


def test_it_that_is_taken_is_what_the_answer_named_and_it_that_is_opened_the_place() -> None:
    room = Room("FloorPlan1", meanings={"in?": "?in(fridge)", "take": "pick_up(it)", "open": "open(it)"})
    room.say("in?")
    room.say("take")
    assert room.holding() == "Egg"
    room.say("in?")
    room.say("open")
    assert room.one("Fridge")["isOpen"]


def test_it_is_asked_which_where_the_answer_named_several() -> None:
    setup = ("put Apple in Fridge",)
    room = Room("FloorPlan1", setup=setup, meanings={"in?": "?in(fridge)", "take": "pick_up(it)"})
    room.say("in?")
    assert room.say("take").text.endswith("?") and not room.holding()


def test_the_other_one_of_two_bottles_is_the_one_of_another_kind() -> None:
    meanings = {"bin it": "throw_away(spray_bottle)", "wrong": "wrong; throw_away(other one)"}
    room = Room("FloorPlan410", meanings=meanings)
    room.say("bin it")
    room.say("wrong")
    assert room.is_in("SoapBottle", "GarbageCan")


def test_a_rejection_with_orders_behind_it_is_no_order_of_its_own() -> None:
    meanings = {"cd": "get(cd @near phone)", "no": "not(this one); put_back(it); get(other one)"}
    room = Room("FloorPlan303", meanings=meanings)
    room.say("cd")
    first = next(one["objectId"] for one in room.household.objects if one["isPickedUp"])
    room.say("no")
    assert room.holding() == "CD"
    assert not next(one for one in room.household.objects if one["objectId"] == first)["isPickedUp"]


@pytest.mark.parametrize(
    ("state", "begins"), [("off", "No, one of "), ("on", "Yes, one of ")], ids=["all at rest?", "any at work?"]
)
def test_a_group_with_an_exception_is_answered_yes_or_no(state: str, begins: str) -> None:
    room = Room("FloorPlan4", setup=("on StoveKnob#3",), meanings={"cooker?": f"?state(cooker: {state})"})
    assert room.say("cooker?").text.startswith(begins)


@pytest.mark.parametrize("asked", ["do(anything to the telly)", "touch(telly)"])
def test_anything_done_to_a_thing_is_told(asked: str) -> None:
    meanings = {"off": "turn_off(telly)", "did you?": f"?did({asked})"}
    room = Room("FloorPlan205", setup=("on Television",), meanings=meanings)
    assert room.say("did you?").text.startswith("No")
    room.say("off")
    assert room.say("did you?").text == "Yes, I turned off the telly."


def test_a_tool_is_put_away_also_where_something_else_was_held_before() -> None:
    room = Room("FloorPlan6", setup=("hold Apple",), meanings={"cut": "slice(bread)"})
    room.say("cut")
    assert "Knife" not in room.holding()


@pytest.mark.parametrize("meaning", ["close(open door @in kitchen)", "close(door @in here)", "close(open door)"])
def test_a_nameless_door_that_stands_open_is_closed(meaning: str) -> None:
    room = Room("FloorPlan10", setup=("open Fridge",), meanings={"door!": meaning})
    room.say("door!")
    assert not room.one("Fridge")["isOpen"]


def test_a_door_that_nothing_tells_from_others_is_not_opened() -> None:
    room = Room("FloorPlan10", meanings={"door!": "open(door)"})
    assert not room.say("door!").touched


@pytest.mark.parametrize(
    "found",
    [
        "fact(dirty thing @on worktop); find(dirty one)",
        "fact(thing: dirty); find(dirty one)",
        "find(dirty one)",
        "find(dirty one @on worktop)",
    ],
)
def test_the_dirty_one_is_what_lies_where_the_words_say(found: str) -> None:
    text = "There's one thing on the worktop that never got washed up. Find the dirty one and rinse it."
    meanings = {text: f"{found}; wash(it, in sink)"}
    room = Room("FloorPlan8", setup=("dirty Bowl",), meanings=meanings)
    room.say(text)
    assert not room.one("Bowl")["isDirty"]


def test_a_dirty_mug_is_washed_before_it_is_filled_with_coffee_and_that_is_said() -> None:
    room = Room(setup=("dirty Mug",), meanings={"fill": "fill(mug, with coffee)"})
    said = room.say("fill")
    mug = room.one("Mug")
    assert not mug["isDirty"] and mug["simbotIsFilledWithCoffee"] and "I washed the mug first." in said.text


@pytest.mark.parametrize("first", ["look_in(fridge)", "?there(anything @in fridge)", "?in(fridge)"])
def test_what_was_found_in_there_is_what_is_taken(first: str) -> None:
    room = Room("FloorPlan1", meanings={"look": first, "take": "pick_up(it)"})
    room.say("look")
    room.say("take")
    assert room.holding() == "Egg"


@pytest.mark.parametrize("asked", ["?state(door: open)", "?there(open door)", "?which(open door @in kitchen)"])
def test_an_open_door_is_that_of_the_thing_that_is_open(asked: str) -> None:
    room = Room("FloorPlan10", setup=("open Fridge",), meanings={"door?": asked})
    assert "fridge" in room.say("door?").text


def test_whether_anything_was_touched_is_told() -> None:
    room = Room("FloorPlan1", meanings={"did?": "?did(touch(anything))", "open": "open(fridge)"})
    assert room.say("did?").text == "No, I touched nothing."
    room.say("open")
    assert room.say("did?").text == "Yes, I opened the fridge."


def test_a_rejection_that_names_a_thing_tells_what_the_other_one_is() -> None:
    meanings = {"roll": "not(roll @in bin); get(other one)"}
    room = Room("FloorPlan409", meanings=meanings)
    assert "What do you mean" not in room.say("roll").text and room.holding() == "ToiletPaper"


def test_what_is_behind_a_door_is_in_what_it_shuts() -> None:
    words = "hand me the thing that hides behind the microwave door"
    room = Room(setup=["put Mug in Microwave"], meanings={words: "get(thing @behind microwave)"})
    room.say(words)
    assert room.holding() == "Mug"
