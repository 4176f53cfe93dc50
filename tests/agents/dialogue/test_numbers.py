"""Orders about several things: how many are meant, what is said of those that are left, and of what takes long."""

from __future__ import annotations

import pytest

from teach_agents.agents.dialogue.liked_things import disliked_in
from teach_agents.agents.dialogue.remainders import with_rest_named
from teach_agents.understanding.notation import read_meaning, write_meaning
from tests.agents.dialogue.talking import Room


def _count(room: Room, kind: str, holder: str) -> int:
    found = [one for one in room.household.objects if one["objectType"] == kind]
    return sum(any(str(name).startswith(f"{holder}|") for name in one.get("parentReceptacles") or ()) for one in found)


def test_two_things_are_put_next_to_something() -> None:
    read = {"put two of the vases by the toaster": "put(2 vase, near toaster)"}
    room = Room("FloorPlan5", meanings=read, person=True)
    said = room.say("put two of the vases by the toaster")
    assert _count(room, "Vase", "CounterTop") == 2
    assert said.text.startswith("All right, I will put two vases next to the toaster. The two vases are on the counter")


def test_the_rest_is_that_of_what_was_asked_for() -> None:
    room = Room("FloorPlan5", meanings={"put two vases on the counter": "put(2 vase, on counter)", "the rest": "chat"})
    room.say("put two vases on the counter")
    assert _count(room, "Vase", "CounterTop") == 2
    room.say("and the rest?")
    assert _count(room, "Vase", "CounterTop") == 3


def test_the_rest_has_another_place_in_the_same_breath() -> None:
    words = "put one of the vases on the counter and the rest in the sink"
    room = Room("FloorPlan5", meanings={words: "put(1 vase, on counter); put(rest, in sink)"})
    assert "rest" not in room.say(words).text.rpartition("All right")[2].partition(".")[2]
    assert _count(room, "Vase", "CounterTop") == 1 and _count(room, "Vase", "Shelf") == 0


def test_without_an_order_before_nothing_is_done_to_the_rest() -> None:
    assert not Room("FloorPlan5", meanings={}).say("and the rest?").done


@pytest.mark.parametrize(
    "words", ["put all but one of the vases on the counter", "put all the vases except one on the counter"]
)
def test_all_but_one_leaves_one(words: str) -> None:
    room = Room("FloorPlan5", meanings={words: "put(all vase, on counter); not(vase)"})
    room.say(words)
    assert _count(room, "Vase", "CounterTop") == 2 and _count(room, "Vase", "Shelf") == 1


def test_a_few_are_more_than_one() -> None:
    words = "put a few vases on the counter"
    room = Room("FloorPlan5", meanings={words: "put(some vase, on counter)"})
    room.say(words)
    assert _count(room, "Vase", "CounterTop") == 3


def test_what_was_so_already_is_counted_and_said() -> None:
    room = Room("FloorPlan5", setup=["dirty Cup", "dirty Mug"], meanings={"wash three dishes": "wash(3 dish)"})
    assert "clean already" in room.say("wash three dishes").text


def test_two_things_are_not_held_at_once_and_it_is_said() -> None:
    words = "carry the mug and the plate together"
    room = Room("FloorPlan5", meanings={words: "pick_up(mug); pick_up(plate)"})
    assert "I can hold only one thing at a time, and I have the mug" in room.say(words).text
    assert room.holding() == "Mug"


def test_what_is_laid_aside_for_another_thing_is_said() -> None:
    room = Room("FloorPlan5", meanings={})
    room.say("pick up the mug")
    assert "one thing at a time, so the mug is on the counter" in room.say("pick up the plate").text


def test_it_cannot_hold_two_things() -> None:
    asked = "can you carry two mugs at once?"
    assert (
        Room("FloorPlan5", meanings={asked: "?can(pick_up(2 mug))"}).say(asked).text.startswith("No, I can hold only")
    )


def test_a_search_is_said_first() -> None:
    words = "bring me the apple"
    room = Room("FloorPlan5", meanings={words: "get(apple)"}, looks_for_itself=True, person=True)
    assert room.say(words).replies[0] == "All right, I will look for the apple."
    assert room.holding() == "Apple"
    room = Room("FloorPlan5", meanings={words: "get(apple)"}, person=True)
    assert "look for" not in room.say(words).text


def test_what_was_not_looked_into_is_counted() -> None:
    room = Room("FloorPlan5", meanings={"bring me the book": "get(book)"}, looks_for_itself=True)
    assert " of the cabinets" in room.say("bring me the book").text


def test_no_meal_is_cooked_but_what_can_be_made_is_told() -> None:
    said = Room("FloorPlan5", meanings={"cook dinner": "cook(dinner)"}).say("cook dinner")
    assert said.text.startswith("I cannot make dinner, but I can make") and not said.touched


def test_nothing_is_cooked_in_itself() -> None:
    room = Room("FloorPlan5", meanings={"fry an egg": "cook(egg @in egg)"})
    assert "in the egg" not in room.say("fry an egg").text
    assert room.one("EggCracked")["isCooked"]


def test_a_pan_is_looked_for_to_fry_in() -> None:
    room = Room("FloorPlan5", setup=["put Pan in Cabinet"], meanings={"fry an egg": "cook(egg)"}, looks_for_itself=True)
    said = room.say("fry an egg").text
    assert "in the pan" in said or "I found no pan to fry it in" in said


def test_one_loaf_is_enough_for_several_slices() -> None:
    room = Room("FloorPlan5", meanings={"make three toasts": "make(3 toast)"})
    assert "only one" not in room.say("make three toasts").text


def test_what_is_to_be_warmed_in_slices_is_sliced() -> None:
    words = "heat up two slices of bread"
    room = Room("FloorPlan5", meanings={words: "cook(2 slice_of_bread)"})
    assert "two slices of bread are" in room.say(words).text


def test_what_was_fried_before_makes_room_in_the_pan() -> None:
    room = Room("FloorPlan2", setup=["put Potato in Pan"], meanings={"fry an egg": "cook(egg)"})
    assert "in the pan" in room.say("fry an egg").text


def test_what_is_in_the_hand_is_told_before_the_hand_is_wanted_for_another_request() -> None:
    room = Room("FloorPlan1", meanings={"bring me the apple": "get(apple)", "wash the mug": "wash(mug)"})
    said = room.say("bring me the apple", then={1: "wash the mug"})
    told = next(reply for reply in said.replies if "apple" in reply)
    assert "mug is" not in told and "washed" not in told


def test_one_behind_several_that_something_else_was_done_to_is_one_of_them() -> None:
    read = read_meaning("wash(2 plate); get(1 one)")
    assert tuple(with_rest_named(read, None)) == tuple(read)
    named = with_rest_named(read_meaning("put(2 plate, in fridge); put(2 one, on table)"), None)
    assert write_meaning(named) == "put(2 plate, in fridge); put(2 other plate, on table)"


def test_a_number_in_digits_may_be_left() -> None:
    room = Room("FloorPlan5", meanings={"Throw away all but 2 of the vases": "throw_away(all vase)"})
    vases = sum(one["objectType"] == "Vase" for one in room.household.objects)
    room.say("Throw away all but 2 of the vases")
    assert _count(room, "Vase", "GarbageCan") == max(0, vases - 2)


def test_an_order_to_give_something_speaks_ill_of_nothing() -> None:
    assert disliked_in("Give her the apple") == []
    assert disliked_in("Eggs give him a rash") == ["egg"]
