"""What is asked for and is not there yet is made ready: sliced, washed; and what was moved finds its way back."""

from __future__ import annotations

import pytest

from teach_agents.agents.dialogue.deeds import record
from teach_agents.agents.dialogue.dialogue_state import DialogueState, Rule
from teach_agents.agents.dialogue.orders.order_context import Outcome
from teach_agents.understanding.notation import read_meaning
from tests.agents.dialogue.ordering import Servant
from tests.agents.dialogue.talking import Room


def test_where_all_mugs_are_dirty_a_clean_one_is_washed() -> None:
    room = Room(setup=("dirty Mug",), meanings={})
    said = room.say("bring me a clean mug")
    assert room.holding() == "Mug" and not room.one("Mug")["isDirty"]
    assert said.done["ToggleOn"] == said.done["ToggleOff"] == 1
    assert not room.say("bring me a clean mug").touched, "it is clean"


def test_a_drink_in_a_clean_mug_is_made_in_one_that_is_washed_for_it() -> None:
    room = Room(setup=("dirty Mug",), meanings={"a coffee in a clean mug": "make(coffee, in clean mug)"})
    room.say("a coffee in a clean mug")
    mug = room.one("Mug")
    assert mug["simbotIsFilledWithCoffee"] and not mug["isDirty"]


def test_nothing_is_washed_to_be_thrown_away() -> None:
    room = Room(setup=("dirty Mug",), meanings={})
    said = room.say("throw away the clean mug")
    assert not said.touched and room.one("Mug")["isDirty"]


@pytest.mark.parametrize("looks_for_itself", [False, True])
def test_where_there_is_a_loaf_a_slice_is_cut(*, looks_for_itself: bool) -> None:
    servant = Servant("FloorPlan7", looks_for_itself=looks_for_itself)
    outcome = servant.told("get(slice_of_bread)")
    assert outcome.done and "slice of bread" in outcome.said
    assert [row["isPickedUp"] for row in servant.all("BreadSliced")].count(True) == 1
    cut = servant.acted
    assert servant.told("put(slice_of_bread, in microwave)").done and servant.acted < cut


def test_a_holder_takes_one_roll_and_nothing_else() -> None:
    servant = Servant("FloorPlan403")
    outcome = servant.told("put(toilet_paper @in bin, on holder)")
    assert not outcome.done and "There is a roll of toilet paper" in outcome.said and not servant.acted
    assert servant.told("throw_away(toilet_paper @on holder)").done
    outcome = servant.told("put(toilet_paper @in bin, on holder)")
    assert outcome.done and servant.is_in("ToiletPaper", "ToiletPaperHanger"), "not on those for towels"


def test_what_was_thrown_away_is_put_back_where_it_was() -> None:
    room = Room(meanings={})
    room.say("throw the apple away")
    assert room.is_in("Apple", "GarbageCan")
    room.say("put it back")
    assert room.is_in("Apple", "CounterTop")
    room.say("throw the apple away")
    room.say("take it out of the bin and put it back")
    assert room.is_in("Apple", "CounterTop")


def test_what_was_taken_is_put_back_where_it_was_taken_from() -> None:
    room = Room(meanings={})
    room.say("put the apple on the table")
    room.say("get the apple")
    room.say("put it back")
    assert room.is_in("Apple", "DiningTable")


def test_where_things_were_is_kept_by_the_talk_and_forgotten_where_ids_do_not_last() -> None:
    servant = Servant("FloorPlan7")
    body, state = servant.explorer.body, DialogueState()
    (apple,) = body.things.of("Apple")
    counter = apple.parents[0]
    (order,) = read_meaning("put(apple, on table)")
    body.memory.taken_from[apple.object_id] = counter
    record(order, Outcome(True, "", (apple.object_id,)), body, state)
    assert state.origins == {apple.object_id: counter}
    assert DialogueState.from_json(state.to_json()).origins == state.origins
    record(read_meaning("get(apple)")[0], Outcome(True, "", (apple.object_id,)), body, state)
    assert state.origins == {}
    state.origins = {apple.object_id: counter}
    rule = Rule("put", ("mug",), (), "not there", ("Mug|1",), (), ("Fridge|1",))
    state.rules = [rule]
    assert DialogueState.from_json(state.to_json()).rules == [rule]
    state.forget_ids(lambda name: name.partition("|")[0].lower())
    assert state.origins == {} and state.rules == [Rule("put", ("mug",), (), "not there", (), ("fridge",), ())]


@pytest.mark.parametrize(
    ("order", "liquid"),
    [("make(coffee, in clean mug)", "simbotIsFilledWithCoffee"), ("fill(clean mug, with water)", "isFilledWithLiquid")],
)
def test_a_drink_in_a_clean_mug_has_a_dirty_one_washed(order: str, liquid: str) -> None:
    room = Room("FloorPlan16", setup=("dirty Mug",), meanings={"please": order})
    room.say("please")
    assert room.one("Mug")[liquid] and not room.one("Mug")["isDirty"]


def test_long_things_stand_in_a_mug() -> None:
    servant = Servant("FloorPlan329")
    assert servant.told("put(pen, in mug)").done and servant.told("put(pencil, in mug)").done
    assert "does not fit" in servant.told("put(book, in mug)").said


@pytest.mark.parametrize(
    ("room", "kind", "away"), [("FloorPlan324", "Pencil", "bed"), ("FloorPlan7", "Cup", "dining_table")]
)
def test_what_is_put_back_lies_about_where_it_lay(room: str, kind: str, away: str) -> None:
    servant = Servant(room)
    objects = servant.explorer.household.simulator.state.objects
    (name,) = (one["objectId"] for one in servant.all(kind))
    was = objects[str(name)].position
    assert servant.told(f"put({kind.lower()}, on {away})").done
    assert servant.told(f"put_back({kind.lower()})").done
    now = servant.explorer.household.simulator.state.objects[str(name)].position
    assert abs(was.x - now.x) < 0.3 and abs(was.z - now.z) < 0.3


def test_it_is_told_what_had_to_make_room_and_found_no_way_back() -> None:
    outcome = Servant("FloorPlan222").told("put(newspaper, on coffee_table)")
    assert outcome.done and "To make room I put the laptop on the" in outcome.said
