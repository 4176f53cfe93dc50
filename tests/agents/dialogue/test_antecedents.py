""" "It" of what the same words named in passing."""

from __future__ import annotations

import pytest

from tests.agents.dialogue.talking import Room


@pytest.mark.parametrize(
    ("text", "meaning", "done"),
    [
        ("I think I left the fridge open, can you have a go at opening it?", "open(it)", "Open"),
        ("I cannot find my fork anywhere. Could you bring it here?", "get(it)", "Pickup"),
        ("the tomato is for the salad so cut it up", "slice(it)", "Slice"),
    ],
)
def test_it_is_what_was_named_before_it(text: str, meaning: str, done: str) -> None:
    said = Room(meanings={text: meaning}).say(text)
    assert said.done[done] == 1, said.text


def test_it_is_what_was_spoken_of_where_the_words_name_nothing_that_suits() -> None:
    room = Room(meanings={"the drawer is stuck, bring it": "get(it)", "where is the mug": "?where(mug)"})
    assert room.say("the drawer is stuck, bring it").text == "What should I bring you?" and not room.holding()
    room.say("where is the mug")
    room.say("the drawer is stuck, bring it")
    assert room.holding() == "Mug"


def test_one_is_one_of_those_that_were_named_before_it() -> None:
    text = "see the drawers? the one under the microwave, open that one please"
    room = Room(meanings={text: "open(one @below microwave)"})
    said = room.say(text)
    assert said.done["Open"] == 1 and "drawer" in said.text


@pytest.mark.parametrize(
    ("meaning", "rule"),
    [
        ("fact(cooker: broken); never(touch(it))", "not to touch cookers"),
        ("fact(egg @in fridge); never(open(it))", "not to open the fridge"),
        ("fact(egg @in fridge); never(touch(it))", "not to touch the egg"),
    ],
)
def test_what_a_fact_is_of_is_what_is_forbidden_behind_it(meaning: str, rule: str) -> None:
    room = Room("FloorPlan1", meanings={"mind this": meaning, "any rules?": "?forbidden"})
    room.say("mind this")
    assert rule in room.say("any rules?").text


@pytest.mark.parametrize("dirty", ["Plate", "Bowl"])
@pytest.mark.parametrize("first", ["find(dirty one)", "?which(dirty one)"])
def test_the_dirty_one_of_two_that_were_named_is_that_which_is_dirty(dirty: str, first: str) -> None:
    text = "one of these two is filthy, the plate or the bowl. find out which and wash it"
    room = Room("FloorPlan9", setup=(f"dirty {dirty}",), meanings={text: f"{first}; wash(it)"})
    said = room.say(text)
    assert not room.one(dirty)["isDirty"] and said.done["Place"] and f"The {dirty.lower()} " in said.text


@pytest.mark.parametrize(
    "meaning",
    [
        "throw_away(something @in fridge); put(potato, in there)",
        "fact(something @in fridge); throw_away(it); put(potato, in there)",
    ],
)
def test_there_is_the_place_that_was_named_before_it(meaning: str) -> None:
    text = "something in the fridge has gone bad, throw it away and put the potato in there"
    room = Room("FloorPlan5", meanings={text: meaning})
    room.say(text)
    assert room.is_in("Potato", "Fridge") and room.is_in("Apple", "GarbageCan")


def test_where_a_thing_is_is_its_place() -> None:
    text = "where the tomato is, put the apple there too"
    room = Room(
        "FloorPlan7", setup=("put Tomato in Fridge",), meanings={text: "put(tomato, at there); put(apple, at there)"}
    )
    room.say(text)
    assert room.is_in("Apple", "Fridge") and room.is_in("Tomato", "Fridge")


def test_of_what_a_fact_tells_the_state_it_is_the_one_in_that_state() -> None:
    text = "one of the lamps went out, switch it on again"
    room = Room("FloorPlan205", setup=("off FloorLamp",), meanings={text: "fact(lamp: off); turn_on(it)"})
    room.say(text)
    assert room.one("FloorLamp")["isToggled"]


@pytest.mark.parametrize("opened", ["Fridge", "Microwave"])
@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("i forgot to shut something in here, go and close it", "close(it)"),
        ("i left somthing open in here, shut it", "close(it)"),
        ("i left a door open, either the fridge or the microwave, close it", "close(door)"),
    ],
)
def test_what_is_to_be_closed_is_what_stands_open(opened: str, text: str, meaning: str) -> None:
    room = Room(setup=(f"open {opened}",), meanings={text: meaning})
    assert room.say(text).done["Close"] == 1 and not room.one(opened)["isOpen"]


def test_which_things_are_somewhere_is_told() -> None:
    text = "what dishes are in the sink"
    room = Room("FloorPlan4", meanings={text: "?in(all dish, in sink)"})
    assert "plate" in room.say(text).text


@pytest.mark.parametrize(
    ("text", "read"),
    [
        (
            "The keys are in one of the drawers. Put the watch in there too.",
            "fact(all key @in drawer); put(watch, in there)",
        ),
        (
            "I left my keys in a drawer, put the watch in the same one",
            "fact(all key @in drawer); put(watch, in same drawer)",
        ),
    ],
)
@pytest.mark.parametrize("number", [2, 5])
def test_a_place_is_known_by_what_is_said_to_be_in_it(number: int, text: str, read: str) -> None:
    room = Room("FloorPlan222", setup=(f"put KeyChain in Drawer#{number}",), meanings={text: read})
    room.say(text)
    assert room.one("Watch")["parentReceptacles"] == room.one("KeyChain")["parentReceptacles"]


def test_that_one_is_the_drawer_with_what_was_told_of() -> None:
    text = "The keys are in one of the drawers. Open that one"
    room = Room(
        "FloorPlan222", setup=("put KeyChain in Drawer#5",), meanings={text: "fact(all key @in drawer); open(that)"}
    )
    room.say(text)
    opened = [one["objectId"] for one in room.household.objects if one["objectType"] == "Drawer" and one["isOpen"]]
    assert opened == room.one("KeyChain")["parentReceptacles"]


def test_the_clean_one_beside_the_dirty_plate_is_a_plate() -> None:
    text = "put the dirty plate in the sink and the clean one in the cupboard"
    room = Room(
        "FloorPlan10",
        setup=("dirty Plate",),
        meanings={text: "put(dirty plate, in sink); put(clean one, in cupboard)"},
    )
    assert "bottle" not in room.say(text).text


def test_there_may_be_what_was_asked_about_and_not_answered() -> None:
    text = "Good. And can you put the soap bottle in there?"
    room = Room("FloorPlan420", meanings={"Go to the sink.": "go_to(sink)", text: "yes; put(soap_bottle, in there)"})
    assert room.say("Go to the sink.").text.endswith("?")
    assert "waiting" not in room.say(text).text
    assert room.is_in("SoapBottle", "Sink")
