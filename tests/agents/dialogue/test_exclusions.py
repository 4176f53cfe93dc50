"""What words except from what an order or a question is about."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.agents.dialogue.talking import Room


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("Not the vase on the shelf, hand me the other one", "not(vase @on shelf); get(other one)"),
        ("Get me a vase, but not the one on the shelf.", "get(vase); not(one @on shelf)"),
        ("I don't want the vase on the shelf, bring me the other one", "get(other one)"),
        ("fetch the other vase, not the one that's on the shelf", "get(other vase); not(one @on shelf)"),
    ],
)
def test_another_is_meant_than_the_one_that_is_excepted(text: str, read: str) -> None:
    room = Room("FloorPlan211", meanings={text: read})
    shelved = next(one["objectId"] for one in room.household.objects if _is_shelved_vase(one))
    room.say(text)
    held = next(one["objectId"] for one in room.household.objects if one["isPickedUp"])
    assert room.holding() == "Vase" and held != shelved


def _is_shelved_vase(one: Mapping[str, object]) -> bool:
    return one["objectType"] == "Vase" and "Shelf" in str(one["parentReceptacles"])


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("what's on the bed apart from the pillows?", "?on(bed)"),
        ("is there anything on the bed other than the pillows?", "?there(anything @on bed)"),
        ("there's a thing on the bed next to the pillows, what is it?", "?what(thing @on bed @near all pillow)"),
    ],
)
def test_a_question_leaves_out_what_it_excepts(text: str, read: str) -> None:
    said = Room("FloorPlan324", meanings={text: read}).say(text).text
    assert "book" in said and "pillow" not in said


@pytest.mark.parametrize(
    ("text", "read"),
    [
        (
            "put everything on the bed on a shelf, except the pillows",
            "put(everything @on bed, on shelf); not(all pillow)",
        ),
        (
            "whatever is on the bed that isn't a pillow, put it on a shelf",
            "put(whatever @on bed, on shelf); not(pillow)",
        ),
        ("Clear the bed except for the pillows, put it on a shelf", "clear(bed); not(all pillow); put(it, on shelf)"),
        (
            "something's on the bed beside the pillows, put it on a shelf",
            "fact(something @on bed @near pillow); put(it, on shelf)",
        ),
    ],
)
def test_all_but_what_is_excepted_is_moved(text: str, read: str) -> None:
    room = Room("FloorPlan324", meanings={text: read})
    room.say(text)
    assert room.is_in("Book", "Shelf")
    assert (
        sum("Bed" in str(one["parentReceptacles"]) for one in room.household.objects if one["objectType"] == "Pillow")
        == 2
    )


@pytest.mark.parametrize(("text", "read"), [("Give me the spoon, not the fork.", "get(spoon); not(fork)")])
def test_what_is_rejected_beside_what_is_named_is_no_order_of_its_own(text: str, read: str) -> None:
    room = Room(meanings={text: read})
    said = room.say(text)
    assert room.holding() == "Spoon" and "no spoon" not in said.text


def test_the_one_that_is_not_meant_is_no_prohibition() -> None:
    said = "I want the cup from the sink, not the one on the counter"
    answer = Room("FloorPlan10", meanings={said: "get(cup, from sink); not(one @on counter)"}).say(said)
    assert "no cup" in answer.text and "all the same" not in answer.text


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("get me the ladle that is not in the sink", "get(ladle)"),
        ("bring the ladle which isn't lying in the sink", "get(ladle @in sink)"),
        ("take the ladle that isn't in the sink", "pick_up(ladle, from sink)"),
    ],
)
@pytest.mark.parametrize("number", [0, 1])
def test_what_is_not_there_is_another_than_what_is(number: int, text: str, read: str) -> None:
    room = Room("FloorPlan27", setup=[f"put Ladle#{number + 1} in Sink"], meanings={text: read})
    ladles = [one["objectId"] for one in room.household.objects if one["objectType"] == "Ladle"]
    room.say(text)
    assert [one["objectId"] for one in room.household.objects if one["isPickedUp"]] == [ladles[1 - number]]


@pytest.mark.parametrize("book", [True, False])
def test_where_there_is_nothing_else_that_is_said(book: bool) -> None:
    text = "The thing on the bed that isn't a pillow - bring it here"
    setup = ["put Book in Bed"] if book else []
    room = Room("FloorPlan303", setup=setup, meanings={text: "get(thing @on bed)"})
    said = room.say(text).text
    assert room.holding() == ("Book" if book else "")
    assert book or "nothing else on the bed" in said


def test_what_else_is_in_there_is_what_is_brought() -> None:
    text = "What's in the fridge apart from the egg? Bring me that."
    read = "?in(fridge); not(egg); get(that)"
    room = Room("FloorPlan1", setup=["put Apple in Fridge"], meanings={text: read})
    room.say(text)
    assert room.holding() == "Apple"


def test_the_other_thing_is_another_than_the_same_words_name() -> None:
    text = "there's a mug in the sink, but I want the other thing that's in there"
    room = Room("FloorPlan1", setup=["put Mug in Sink"], meanings={text: "get(other thing @in sink)"})
    room.say(text)
    assert room.holding() == "DishSponge"


def test_the_one_that_is_not_something_is_of_any_other_kind() -> None:
    text = "there's two things on the sofa, aren't there? give me the one that's not the pillow"
    room = Room("FloorPlan201", setup=["put Book in Sofa"], meanings={text: "get(one @on sofa)"})
    room.say(text)
    assert room.holding() == "Book"
