"""What is plain to anybody in a household: what is in use, what laundry is, where things belong."""

from __future__ import annotations

import pytest

from teach_agents.agents.dialogue.noun_types import kinds_of
from tests.agents.dialogue.talking import Room


def test_a_fresh_roll_is_one_that_does_not_hang_there_yet() -> None:
    room = Room("FloorPlan409", meanings={"a new roll please": "get(new loo_roll)"})
    hung = [one["objectId"] for one in room.household.objects if "PaperHanger" in str(one["parentReceptacles"])]
    said = room.say("a new roll please")
    (held,) = [one["objectId"] for one in room.household.objects if one["isPickedUp"]]
    assert str(held).startswith("ToiletPaper|") and held not in hung
    assert "cannot tell" not in said.text


@pytest.mark.parametrize("count", [1, 2])
def test_laundry_is_all_the_cloth_that_is_dirty(count: int) -> None:
    setup = [f"dirty Cloth#{number}" for number in range(1, count + 1)]
    room = Room("FloorPlan307", setup=setup, meanings={"dirty laundry": "put(dirty laundry, in hamper)"})
    room.say("dirty laundry")
    there = [one for one in room.household.objects if "LaundryHamper" in str(one["parentReceptacles"])]
    assert [one["isDirty"] for one in there if one["objectType"] == "Cloth"] == [True] * count


def test_the_free_armchair_is_the_one_with_nothing_on_it() -> None:
    text = "the remote goes on the free armchair"
    room = Room("FloorPlan207", setup=["put Pillow on ArmChair#1"], meanings={text: "put(remote, on free armchair)"})
    room.say(text)
    place = {one["objectType"]: one["parentReceptacles"] for one in room.household.objects}
    assert not {*place["RemoteControl"]} & {*place["Pillow"]} and "ArmChair" in str(place["RemoteControl"])


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("turn the heat on", "turn_on(heat)"),
        ("light the gas under the pot", "put(pot, on stove); turn_on(gas @below pot)"),
        ("pot on the stove, and turn it on", "put(pot, on stove); turn_on(it)"),
    ],
)
def test_heat_is_that_of_the_stove(text: str, read: str) -> None:
    room = Room(meanings={text: read})
    room.say(text)
    assert any(one["isToggled"] for one in room.household.objects if one["objectType"] == "StoveKnob")


@pytest.mark.parametrize("burner", ["StoveBurner#1", "StoveBurner#3"])
def test_the_burner_that_is_lit_is_the_one_with_the_pot(burner: str) -> None:
    text = "pot on the stove and heat on"
    room = Room("FloorPlan5", setup=(f"put Pot in {burner}",), meanings={text: "put(pot, on stove); turn_on(heat)"})
    room.say(text)
    under = str(room.one("Pot")["parentReceptacles"])
    (knob,) = [one for one in room.household.objects if one["objectType"] == "StoveKnob" and one["isToggled"]]
    assert str(knob["controlledObjects"]) in under or under.strip("[]'") in str(knob["controlledObjects"])


@pytest.mark.parametrize("kind", ["Pen", "Pencil"])
def test_what_is_long_stands_in_a_mug(kind: str) -> None:
    text = f"the {kind.lower()} goes in the mug"
    room = Room("FloorPlan329", meanings={text: f"put({kind.lower()}, in mug)"})
    room.say(text)
    assert room.is_in(kind, "Mug")


def test_a_door_of_something_is_that() -> None:
    assert kinds_of("door_of_shower") == kinds_of("shower_door")
    assert kinds_of("door_of_fridge") == kinds_of("fridge") and "CoffeeMachine" in kinds_of("machine")


def test_one_of_what_comes_in_twos_is_called_by_its_name() -> None:
    assert kinds_of("boot") == kinds_of("boots") == ("Boots",)
    assert kinds_of("night_stand") == kinds_of("nightstand")


def test_what_was_cut_up_is_thrown_away_piece_by_piece() -> None:
    room = Room("FloorPlan10", setup=["slice Apple"], meanings={})
    room.say("throw the apple away")
    slices = [one for one in room.household.objects if one["objectType"] == "AppleSliced"]
    assert len(slices) > 1 and all("GarbageCan" in str(one["parentReceptacles"]) for one in slices)


def test_of_slices_that_are_named_one_is_thrown_away() -> None:
    room = Room("FloorPlan10", setup=["slice Apple"], meanings={"one": "throw_away(slice_of_apple)"})
    room.say("one")
    thrown = [one for one in room.household.objects if "GarbageCan" in str(one["parentReceptacles"])]
    assert [one["objectType"] for one in thrown].count("AppleSliced") == 1


@pytest.mark.parametrize(
    ("setup", "order", "tool"),
    [
        ((), "slice(tomato)", "Knife"),
        (("fill Mug water",), "pour(water, from mug, in cup)", "Mug"),
        (("fill Mug coffee",), "empty(mug)", "Mug"),
    ],
)
def test_what_was_taken_up_as_a_tool_is_put_back(setup: tuple[str, ...], order: str, tool: str) -> None:
    room = Room(setup=setup, meanings={"do it": order})
    before = room.one(tool)["parentReceptacles"]
    said = room.say("do it")
    assert said.touched and room.holding() == "" and room.one(tool)["parentReceptacles"] == before


def test_what_was_held_before_stays_in_the_hand() -> None:
    room = Room(setup=("hold Knife",), meanings={})
    room.say("slice the tomato")
    assert room.holding() == "Knife"


@pytest.mark.parametrize("order", ["make(1 slice of toast)", "make(slice_of_toast)", "put(slice_of_toast, on plate)"])
def test_a_slice_of_toast_is_made_of_a_slice_of_bread(order: str) -> None:
    room = Room("FloorPlan5", meanings={"toast": order})
    room.say("toast")
    slices = [one for one in room.household.objects if one["objectType"] == "BreadSliced"]
    assert [one["isCooked"] for one in slices].count(True) == 1
    assert any("Plate" in str(one["parentReceptacles"]) for one in slices if one["isCooked"]) is ("put" in order)


def test_a_mug_with_coffee_in_it_is_made() -> None:
    room = Room(meanings={"coffee": "get(mug +coffee)"})
    room.say("coffee")
    assert room.holding() == "Mug" and room.one("Mug")["simbotIsFilledWithCoffee"]


@pytest.mark.parametrize("kind", ["Towel", "HandTowel"])
@pytest.mark.parametrize(
    "order", ["put_back(towel)", "put(towel)", "put(towel, on holder)", "put_back(towel, on floor)"]
)
def test_the_towel_that_is_to_be_hung_up_is_the_one_that_does_not_hang(kind: str, order: str) -> None:
    room = Room("FloorPlan402", setup=[f"put {kind} on Floor"], meanings={"hang it up": order})
    room.say("hang it up")
    assert room.is_in(kind, f"{kind}Holder") and room.holding() == ""


def test_what_belongs_nowhere_is_asked_about() -> None:
    room = Room(meanings={"put the mug away": "put(mug)"})
    said = room.say("put the mug away")
    assert said.text.endswith("Where should I put it?") and not said.touched


def test_the_holder_that_is_full_takes_no_other_towel() -> None:
    room = Room("FloorPlan402", meanings={"hang it up": "put_back(towel)"})
    assert not room.say("hang it up").touched


@pytest.mark.parametrize("potted", [False, True])
def test_of_two_burners_the_one_with_nothing_on_it_is_turned_off(*, potted: bool) -> None:
    lit = ("on StoveKnob#2", "on StoveKnob#4")
    setup = ("put Pot on StoveBurner#2", *lit) if potted else lit
    room = Room("FloorPlan9", setup=setup, meanings={"that one": "turn_off(burner +nothing)"})
    room.say("that one")
    knobs = [one for one in room.household.objects if one["objectType"] == "StoveKnob"]
    (on,) = [one for one in knobs if one["isToggled"]]
    pot = room.one("Pot")["parentReceptacles"]
    assert on["controlledObjects"] == pot


def test_to_drop_a_thing_somewhere_is_to_put_it_there() -> None:
    room = Room("FloorPlan203", meanings={"drop it": "drop(watch, on sofa)"})
    room.say("drop it")
    assert room.is_in("Watch", "Sofa")


@pytest.mark.parametrize(("setup", "place"), [(["dirty Bowl", "hold Bowl"], "sink"), (["hold Bowl"], "counter")])
def test_what_is_in_the_hand_goes_where_such_things_belong(setup: list[str], place: str) -> None:
    told, order = "House rule: dirty dishes go in the sink, clean ones on the counter.", "put it where it belongs"
    meanings = {told: "put(all dirty dish, in sink); put(all clean one, on counter)", order: "put_back(bowl)"}
    room = Room("FloorPlan14", setup=setup, meanings=meanings)
    room.say(told)
    assert f"The bowl is {'in' if place == 'sink' else 'on'} the {place}" in room.say(order).text


def test_a_place_that_was_told_and_not_seen_yet_is_looked_for() -> None:
    told, order = "The remote always goes on the coffee table.", "put the remote back where it belongs"
    meanings = {told: "fact(the remote always goes on the coffee table)", order: "put_back(remote)"}
    room = Room("FloorPlan201", meanings=meanings, looks_for_itself=True)
    room.say(told)
    assert "on the coffee table" in room.say(order).text
