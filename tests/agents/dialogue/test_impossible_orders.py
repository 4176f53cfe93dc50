"""Orders that cannot be carried out as they were said, or leave open what is meant: what is said, and nothing done."""

from __future__ import annotations

import pytest

from tests.agents.dialogue.talking import Room

_FORK = "Take the fork, but keep hold of what you have in your hand"


@pytest.mark.parametrize("tool", ["spoon", "plate", "scissors", "hand"])
def test_what_is_no_knife_cuts_nothing(tool: str) -> None:
    said = f"Cut the apple with the {tool}"
    room = Room("FloorPlan10", meanings={said: f"slice(apple, with {tool})"})
    answer = room.say(said)
    assert "cannot cut with" in answer.text and tool in answer.text and "knife" in answer.text and not answer.touched


def test_what_is_to_be_cut_by_hand_is_not_where_the_hand_was_not_read() -> None:
    said = "Slice the bread with your bare hands"
    room = Room("FloorPlan10", meanings={said: "slice(bread)"})
    assert "cannot cut with" in room.say(said).text and not room.one("Bread")["isSliced"]


def test_a_knife_does() -> None:
    said = "Cut the apple with the knife"
    room = Room("FloorPlan10", meanings={said: "slice(apple, with knife)"})
    room.say(said)
    assert room.one("Apple")["isSliced"]


@pytest.mark.parametrize(
    "said",
    [
        _FORK,
        "Grab the fork without putting down what you're holding",
        "Take the fork and hang on to the mug",
        "Hang on to it and take the fork as well",
        "Pick up the fork, but don\u2019t let go of whatever you already have",
    ],
)
def test_one_hand_holds_one_thing(said: str) -> None:
    room = Room("FloorPlan13", setup=["hold Mug"], meanings={said: "pick_up(fork)"})
    answer = room.say(said)
    assert "only one thing at a time" in answer.text and "mug" in answer.text and not answer.touched


@pytest.mark.parametrize(
    "said",
    [
        "Take the fork and don\u2019t drop it",
        "Take the fork",
        "Take the fork, don't let go of it",
        "Take the fork and hang on to it",
    ],
)
def test_what_is_in_the_hand_makes_way_where_nobody_minds(said: str) -> None:
    room = Room("FloorPlan13", setup=["hold Mug"], meanings={said: "pick_up(fork)"})
    room.say(said)
    assert room.holding() == "Fork"


def test_an_empty_hand_keeps_nothing() -> None:
    room = Room("FloorPlan13", meanings={_FORK: "pick_up(fork)"})
    room.say(_FORK)
    assert room.holding() == "Fork"


def test_nobody_goes_to_another_room_and_what_is_here_is_told() -> None:
    room = Room("FloorPlan325", meanings={"a": "get(towel, from bathroom)", "b": "get(pillow, from living_room)"})
    assert "I cannot leave this bedroom; I know of no towel here." in room.say("a").text
    other = room.say("b")
    assert "I cannot leave this bedroom; here I know a pillow." in other.text and not other.touched


def test_one_nameless_thing_of_several_is_asked_about() -> None:
    said = "Get me the thing that is on the shelf"
    room = Room("FloorPlan304", meanings={said: "get(thing @on shelf)"})
    answer = room.say(said)
    assert "Which one" in answer.text and "bowl" in answer.text and not answer.touched
    alone = Room(
        "FloorPlan304",
        setup=["put KeyChain in Desk", "put Bowl in Bed", "put Statue in Desk"],
        meanings={said: "get(thing @on shelf)"},
    )
    alone.say(said)
    assert alone.holding() == "AlarmClock"


def test_a_nameless_thing_may_be_told_by_what_it_is_not() -> None:
    said = "Give me the thing on the bed that isn't a pillow"
    room = Room("FloorPlan309", meanings={said: "get(thing @on bed)"})
    room.say(said)
    assert room.holding() == "CellPhone"


@pytest.mark.parametrize(
    ("meaning", "question"),
    [
        ("turn_off(it)", "What should I turn off?"),
        ("get(them)", "What should I bring you?"),
        ("put(that, on bed)", "What should I put on the bed?"),
        ("throw_away(this)", "What should I throw away?"),
    ],
)
def test_what_points_at_nothing_is_asked_for_by_what_is_to_be_done(meaning: str, question: str) -> None:
    room = Room("FloorPlan307", setup=["on Television"], meanings={"a": meaning})
    assert room.say("a").text.endswith(question)


def test_keys_are_locked_in_a_safe_that_is_in_a_closet() -> None:
    said = "Lock my keys in the safe"
    room = Room("FloorPlan309", meanings={said: "put(key, in safe)"})
    room.say(said)
    assert room.is_in("KeyChain", "Safe") and not room.one("Safe")["isOpen"]
    assert not any(one["isOpen"] for one in room.household.objects if one["objectType"] == "Cabinet")


@pytest.mark.parametrize(
    ("said", "meaning"),
    [
        ("Put what you're holding in the sink", "put(something, in sink)"),
        ("wash whatever you have in your hand", "wash(thing @in hand)"),
        ("Give me the thing in your hand", "get(thing @in hand)"),
        ("could you put the item you are holding back", "put_back(item)"),
    ],
)
def test_an_empty_hand_holds_nothing_that_could_be_put_anywhere(said: str, meaning: str) -> None:
    answer = Room("FloorPlan13", meanings={said: meaning}).say(said)
    assert "my hand" in answer.text and not answer.touched


@pytest.mark.parametrize(
    ("said", "meaning"),
    [
        ("Put what you're holding in the fridge", "put(something, in fridge)"),
        ("What you have in your hand goes in the fridge", "put(thing @in hand, in fridge)"),
        ("stick that thing in your hand in the fridge", "put(thing, in fridge)"),
    ],
)
def test_what_is_in_the_hand_needs_no_name(said: str, meaning: str) -> None:
    room = Room("FloorPlan13", setup=["hold Apple"], meanings={said: meaning})
    room.say(said)
    assert room.is_in("Apple", "Fridge")


def test_what_is_thicker_than_a_drawer_stays_where_it_is() -> None:
    said = "Pop the ball in a drawer"
    answer = Room("FloorPlan319", meanings={said: "put(basketball, in drawer)"}).say(said)
    assert "does not fit in the drawer" in answer.text and not answer.touched


@pytest.mark.parametrize("place", ["upstairs", "outside"])
def test_what_is_not_this_room_cannot_be_gone_to(place: str) -> None:
    said = f"Go {place}"
    assert "cannot leave this kitchen" in Room("FloorPlan9", meanings={said: f"go_to({place})"}).say(said).text
