"""Which of two is meant, told by a clause behind both."""

from __future__ import annotations

import pytest

from tests.agents.dialogue.talking import Room


@pytest.mark.parametrize("setup", [("put Pillow on ArmChair",), ()])
@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("Put the remote on the sofa or the armchair, whichever one's free", "put(remote, on free one)"),
        (
            "The remote goes on the armchair or the sofa, whichever hasn't got a pillow on it",
            "put(remote, on armchair)",
        ),
        ("put the remote on the sofa or the armchair, the one without the pillow", "put(remote, on sofa)"),
        ("Lay the remote on the armchair or on the sofa, whichever has nothing on it.", "put(remote, on armchair)"),
    ],
)
def test_of_two_places_the_one_of_which_the_clause_is_true(setup: tuple[str, ...], text: str, read: str) -> None:
    room = Room("FloorPlan211", setup=setup, meanings={text: read})
    room.say(text)
    assert room.is_in("RemoteControl", "Sofa" if setup else "ArmChair")


@pytest.mark.parametrize("dirty", ["Mug", "Cup"])
@pytest.mark.parametrize(
    ("text", "read", "wants_dirty"),
    [
        ("give me the mug or the cup, whichever isn't dirty", "get(mug)", False),
        ("hand me the mug or the cup, whichever of the two is dirty", "get(mug)", True),
        ("the mug or the cup, whichever is not dirty, bring it here", "get(it)", False),
    ],
)
def test_of_two_things_the_one_that_looks_so(dirty: str, text: str, read: str, wants_dirty: bool) -> None:
    room = Room(setup=(f"dirty {dirty}",), meanings={text: read})
    room.say(text)
    other = {"Mug": "Cup", "Cup": "Mug"}[dirty]
    assert room.holding() == (dirty if wants_dirty else other)


def test_whichever_alone_leaves_the_choice() -> None:
    text = "put the remote on the sofa or the armchair, whichever"
    room = Room("FloorPlan211", meanings={text: "put(remote, on sofa)"})
    room.say(text)
    assert room.is_in("RemoteControl", "Sofa") or room.is_in("RemoteControl", "ArmChair")


@pytest.mark.parametrize("cut", ["Apple", "Tomato"])
def test_what_is_not_cut_yet_is_whole(cut: str) -> None:
    text = "give me the apple or the tomato, the one that isn't cut yet"
    room = Room("FloorPlan20", setup=(f"slice {cut}",), meanings={text: "get(apple)"})
    room.say(text)
    assert room.holding() == {"Apple": "Tomato", "Tomato": "Apple"}[cut]


@pytest.mark.parametrize("cut", ["Apple", "Tomato"])
@pytest.mark.parametrize(
    ("text", "read"),
    [
        (
            "we have an apple and a tomato there, one is already cut. Cut the one that's still whole",
            "slice(whole apple)",
        ),
        ("The apple or the tomato is cut already. Cut the other one.", "slice(other one)"),
        ("One of the two is sliced, the tomato or the apple. Slice the other too.", "slice(other)"),
    ],
)
def test_the_other_of_two_is_the_one_that_is_not_so(cut: str, text: str, read: str) -> None:
    room = Room("FloorPlan13", setup=(f"slice {cut}",), meanings={text: read})
    room.say(text)
    pieces = {str(one["objectType"]) for one in room.household.objects}
    assert {"AppleSliced", "TomatoSliced"} <= pieces


@pytest.mark.parametrize("dirty", ["Mug", "Cup"])
def test_the_dirty_one_is_of_the_two_that_the_words_name(dirty: str) -> None:
    text = "take the dirty one, cup or mug, and put it in the sink"
    room = Room("FloorPlan27", setup=(f"dirty {dirty}",), meanings={text: "put(dirty one, in sink)"})
    room.say(text)
    assert room.is_in(dirty, "Sink")


def test_neither_of_two_is_so() -> None:
    text = "The cup and the mug are over there. Wash the dirty one."
    said = Room("FloorPlan27", meanings={text: "wash(dirty one)"}).say(text).text
    assert "Neither the cup nor the mug is dirty" in said


@pytest.mark.parametrize("full", ["Mug", "Cup"])
def test_which_one_has_water_in_it_tells_what_is_poured_out(full: str) -> None:
    text = "Which one has water in it, the mug or the cup? Pour that out."
    room = Room("FloorPlan27", setup=(f"fill {full} water",), meanings={text: "empty(it)"})
    room.say(text)
    assert not room.one(full)["isFilledWithLiquid"]
