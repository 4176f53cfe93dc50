"""TEACh's custom properties and their rules (specification 4.3)."""

from __future__ import annotations

import gc

import pytest

from teach_agents.household.custom_properties import CustomProperties, ancestors
from teach_agents.simulator.contract import Outcome, SimulatorAction
from tests.household.fake import COUNTER, FLOOR, SINK, BoxRoom, FakeSimulator, box, kitchen
from tests.household.helpers import custom, the

BASIN = f"{SINK}|SinkBasin"


def interact(fake: FakeSimulator, properties: CustomProperties, name: str = "ToggleObjectOn", target: str = "") -> None:
    """One interaction and the rules after it; without a target nothing but time passes."""
    before = properties.before()
    outcome = fake.step(SimulatorAction(name, object_id=target)) if target else Outcome(True)
    assert outcome.success, outcome.error
    properties.after(before)


def without_faucet() -> BoxRoom:
    room = kitchen()
    del room.objects[next(i for i, obj in room.objects.items() if obj.object_type == "Faucet")]
    return room


def two_faucets() -> BoxRoom:
    room = kitchen()
    far = box("Faucet", (1.3, 1.05, 0.9), (0.1, 0.1, 0.1), toggleable=True, object_id="Faucet|far")
    room.objects = {far.object_id: far, **room.objects}
    return room


def test_every_object_starts_with_its_classes_and_nothing_else() -> None:
    fake = FakeSimulator()
    records = custom(fake).records
    assert list(records) == list(fake.world.objects)
    assert records[the(fake, "Mug")] == {"simbotObjectClass": ["Mug", "Tableware", "Drinkware"]}
    assert records[BASIN] == {"simbotObjectClass": ["SinkBasin", "Sink"]}
    assert records[SINK] == {"simbotObjectClass": ["Sink", "SinkBasin"]}


def test_a_running_faucet_cleans_and_fills_what_lies_in_its_sink() -> None:
    fake = FakeSimulator()
    properties = custom(fake)
    fake.change(the(fake, "Mug"), parents=(BASIN,))
    interact(fake, properties, "ToggleObjectOn", the(fake, "Faucet"))
    mug = fake.world.objects[the(fake, "Mug")]
    assert (mug.is_dirty, mug.is_filled, mug.liquid) == (False, True, "water")
    assert properties.records[mug.object_id]["simbotIsFilledWithWater"] == 1
    forced = {step.name for step in fake.steps if step.force}
    assert forced == {"CleanObject", "FillObjectWithLiquid"}


def test_a_dry_sink_does_nothing() -> None:
    fake = FakeSimulator()
    properties = custom(fake)
    fake.change(the(fake, "Mug"), parents=(BASIN,))
    interact(fake, properties)
    assert fake.world.objects[the(fake, "Mug")].is_dirty
    assert "simbotIsFilledWithWater" not in properties.records[the(fake, "Mug")]


def test_what_is_full_already_is_marked_as_water_without_being_filled_again() -> None:
    fake = FakeSimulator()
    properties = custom(fake)
    fake.change(the(fake, "Mug"), parents=(BASIN,), is_filled=True, liquid="coffee", is_dirty=False)
    interact(fake, properties, "ToggleObjectOn", the(fake, "Faucet"))
    assert [step.name for step in fake.steps] == ["ToggleObjectOn"]
    assert properties.records[the(fake, "Mug")]["simbotIsFilledWithWater"] == 1


def test_only_the_nearest_faucet_feeds_a_sink() -> None:
    fake = FakeSimulator(two_faucets)
    properties = custom(fake)
    fake.change(the(fake, "Mug"), parents=(BASIN,))
    interact(fake, properties, "ToggleObjectOn", "Faucet|far")
    assert fake.world.objects[the(fake, "Mug")].is_dirty


def test_a_sink_in_a_room_without_faucet_is_harmless() -> None:
    fake = FakeSimulator(without_faucet)
    properties = custom(fake)
    fake.change(the(fake, "Mug"), parents=(BASIN,))
    interact(fake, properties)
    assert fake.world.objects[the(fake, "Mug")].is_dirty


def test_water_reaches_what_stands_in_a_plate_in_the_sink_but_not_the_counter_under_it() -> None:
    fake = FakeSimulator()
    properties = custom(fake)
    fake.change(the(fake, "Plate"), parents=(BASIN,))
    fake.change(the(fake, "Mug"), parents=(the(fake, "Plate"),))
    fake.change(the(fake, "Pot"), is_dirty=True)
    fake.change(COUNTER, parents=(BASIN,))
    interact(fake, properties, "ToggleObjectOn", the(fake, "Faucet"))
    assert not fake.world.objects[the(fake, "Mug")].is_dirty
    assert fake.world.objects[the(fake, "Pot")].is_dirty, "the counter lists the sink as its parent; it is no plate"


def test_the_water_flag_outlives_the_water() -> None:
    fake = FakeSimulator()
    properties = custom(fake)
    mug = the(fake, "Mug")
    fake.change(mug, parents=(BASIN,))
    interact(fake, properties, "ToggleObjectOn", the(fake, "Faucet"))
    interact(fake, properties, "ToggleObjectOff", the(fake, "Faucet"))
    interact(fake, properties, "EmptyLiquidFromObject", mug)
    properties.poured_out(mug)
    assert properties.records[mug]["simbotIsFilledWithWater"] == 1
    assert properties.records[mug]["simbotIsFilledWithCoffee"] is False


def test_a_mug_filled_in_a_running_machine_holds_coffee() -> None:
    fake = FakeSimulator()
    properties = custom(fake)
    fake.change(the(fake, "Mug"), parents=(the(fake, "CoffeeMachine"),))
    interact(fake, properties, "ToggleObjectOn", the(fake, "CoffeeMachine"))
    assert properties.records[the(fake, "Mug")]["simbotIsFilledWithCoffee"] is True


def test_a_mug_that_holds_water_never_becomes_coffee() -> None:
    fake = FakeSimulator()
    properties = custom(fake)
    fake.change(the(fake, "Mug"), parents=(the(fake, "CoffeeMachine"),), is_filled=True, liquid="water")
    interact(fake, properties, "ToggleObjectOn", the(fake, "CoffeeMachine"))
    assert "simbotIsFilledWithCoffee" not in properties.records[the(fake, "Mug")]


def test_a_mug_filled_in_a_machine_that_stands_still_holds_no_coffee() -> None:
    fake = FakeSimulator()
    properties = custom(fake)
    fake.change(the(fake, "Mug"), parents=(the(fake, "CoffeeMachine"),))
    interact(fake, properties, "FillObjectWithLiquid", the(fake, "Mug"))
    assert "simbotIsFilledWithCoffee" not in properties.records[the(fake, "Mug")]


def test_at_the_start_a_full_mug_in_a_running_machine_counts_as_coffee() -> None:
    fake = FakeSimulator()
    fake.change(the(fake, "CoffeeMachine"), is_toggled=True)
    fake.change(the(fake, "Mug"), parents=(the(fake, "CoffeeMachine"),), is_filled=True)
    assert custom(fake).records[the(fake, "Mug")]["simbotIsFilledWithCoffee"] is True


def test_what_the_simulator_cooked_is_cooked() -> None:
    fake = FakeSimulator()
    fake.change(the(fake, "Potato"), is_cooked=True)
    records = custom(fake).records
    assert records[the(fake, "Potato")]["simbotIsCooked"] is True
    assert "simbotIsBoiled" not in records[the(fake, "Potato")], "nothing is boiled at the start"


def test_a_running_microwave_cooks_even_through_a_plate_and_leaves_the_simulators_flag_alone() -> None:
    fake = FakeSimulator()
    properties = custom(fake)
    fake.change(the(fake, "Plate"), parents=(the(fake, "Microwave"),))
    fake.change(the(fake, "Potato"), parents=(the(fake, "Plate"),))
    fake.change(the(fake, "Tomato"), parents=(the(fake, "Plate"),))
    interact(fake, properties, "ToggleObjectOn", the(fake, "Microwave"))
    assert properties.records[the(fake, "Potato")]["simbotIsCooked"] is True
    assert "simbotIsCooked" not in properties.records[the(fake, "Tomato")], "not cookable"
    assert not fake.world.objects[the(fake, "Potato")].is_cooked
    assert "simbotIsBoiled" not in properties.records[the(fake, "Potato")]


@pytest.mark.parametrize(("temperature", "cooks"), [("Hot", True), ("RoomTemp", False), ("Cold", False)])
def test_only_a_hot_burner_cooks(temperature: str, cooks: bool) -> None:
    fake = FakeSimulator()
    properties = custom(fake)
    fake.change(the(fake, "Pot"), parents=(the(fake, "StoveBurner"),))
    fake.change(the(fake, "Potato"), parents=(the(fake, "Pot"),))
    fake.change(the(fake, "StoveBurner"), temperature=temperature)
    interact(fake, properties)
    assert ("simbotIsCooked" in properties.records[the(fake, "Potato")]) is cooks


@pytest.mark.parametrize("wet", ["is_filled", "flag", "dry"])
def test_what_gets_cooked_in_something_wet_is_boiled(wet: str) -> None:
    fake = FakeSimulator()
    properties = custom(fake)
    fake.change(the(fake, "Potato"), parents=(the(fake, "Pot"),))
    if wet == "is_filled":
        fake.change(the(fake, "Pot"), is_filled=True)
    if wet == "flag":
        properties.records[the(fake, "Pot")]["simbotIsFilledWithWater"] = 1
    before = properties.before()
    fake.change(the(fake, "Potato"), is_cooked=True)
    properties.after(before)
    assert ("simbotIsBoiled" in properties.records[the(fake, "Potato")]) is (wet != "dry")


def test_what_was_cooked_before_is_not_boiled_by_lying_in_water() -> None:
    fake = FakeSimulator()
    properties = custom(fake)
    fake.change(the(fake, "Potato"), parents=(the(fake, "Pot"),), is_cooked=True)
    fake.change(the(fake, "Pot"), is_filled=True)
    interact(fake, properties)
    assert "simbotIsBoiled" not in properties.records[the(fake, "Potato")]


def test_slicing_a_cooked_potato_in_a_filled_pot_boils_the_slices() -> None:
    fake = FakeSimulator()
    potato = the(fake, "Potato")
    fake.change(potato, parents=(the(fake, "Pot"),), is_cooked=True)
    fake.change(the(fake, "Pot"), is_filled=True)
    properties = custom(fake)
    interact(fake, properties, "SliceObject", potato)
    assert properties.records[f"{potato}|PotatoSliced_0"]["simbotIsBoiled"] is True


def test_picking_up_and_placing_keep_book() -> None:
    fake = FakeSimulator()
    properties = custom(fake)
    mug, plate = the(fake, "Mug"), the(fake, "Plate")
    properties.picked_up(mug)
    properties.placed(mug, plate)
    assert properties.records[mug]["simbotPickedUp"] == 1
    assert properties.records[mug]["simbotLastParentReceptacle"] == plate
    assert properties.records[plate]["simbotIsReceptacleOf"] == [mug]
    properties.picked_up(mug)
    assert properties.records[mug]["simbotLastParentReceptacle"] is None
    assert properties.records[mug]["simbotPickedUp"] == 1
    assert properties.records[plate]["simbotIsReceptacleOf"] == []


def test_slices_inherit_a_record_of_their_own_and_the_base_loses_its() -> None:
    fake = FakeSimulator()
    properties = custom(fake)
    tomato, plate = the(fake, "Tomato"), the(fake, "Plate")
    properties.picked_up(tomato)
    properties.placed(tomato, plate)
    interact(fake, properties, "SliceObject", tomato)
    slices = [f"{tomato}|TomatoSliced_{number}" for number in range(3)]
    for piece in slices:
        assert properties.records[piece] == {
            "simbotObjectClass": ["Tomato", "Food", "Fruit"],
            "simbotPickedUp": 1,
            "simbotLastParentReceptacle": plate,
        }
    assert tomato not in properties.records
    assert properties.records[plate]["simbotIsReceptacleOf"] == slices
    properties.records[slices[0]]["simbotObjectClass"].append("Changed")
    assert properties.records[slices[1]]["simbotObjectClass"] == ["Tomato", "Food", "Fruit"]


def test_the_bread_end_piece_inherits_nothing() -> None:
    fake = FakeSimulator()
    bread = box("Bread", (0, 1, 1), (0.1, 0.1, 0.1), sliceable=True)
    fake.world.objects[bread.object_id] = bread
    properties = custom(fake)
    before = properties.before()
    for name in ("Bread_0", "BreadSliced_1"):
        piece = box(name.partition("_")[0], (0, 1, 1), (0.1, 0.1, 0.1), object_id=f"{bread.object_id}|{name}")
        fake.world.objects[piece.object_id] = piece
    properties.after(before)
    assert f"{bread.object_id}|Bread_0" not in properties.records
    assert properties.records[f"{bread.object_id}|BreadSliced_1"]["simbotObjectClass"] == ["Bread", "Food"]


def test_what_was_placed_on_a_thing_that_is_then_cut_forgets_where_it_was() -> None:
    fake = FakeSimulator()
    properties = custom(fake)
    tomato, mug = the(fake, "Tomato"), the(fake, "Mug")
    properties.placed(mug, tomato)
    interact(fake, properties, "SliceObject", tomato)
    assert properties.records[mug]["simbotLastParentReceptacle"] is None


def test_a_new_episode_starts_from_nothing() -> None:
    fake = FakeSimulator()
    properties = custom(fake)
    properties.picked_up(the(fake, "Mug"))
    properties.changed.clear()
    properties.begin()
    assert "simbotPickedUp" not in properties.records[the(fake, "Mug")]
    assert the(fake, "Mug") in properties.changed


def test_only_records_that_changed_are_named() -> None:
    fake = FakeSimulator()
    properties = custom(fake)
    properties.changed.clear()
    interact(fake, properties)
    assert properties.changed == set()
    properties.placed(the(fake, "Mug"), the(fake, "Plate"))
    assert properties.changed == {the(fake, "Mug"), the(fake, "Plate")}
    properties.changed.clear()
    properties.placed(the(fake, "Mug"), the(fake, "Plate"))
    assert properties.changed == {the(fake, "Plate")}


def test_ancestors_are_the_direct_list_and_what_lies_under_pickupable_ones() -> None:
    fake = FakeSimulator()
    mug, plate, pot = the(fake, "Mug"), the(fake, "Plate"), the(fake, "Pot")
    fake.change(mug, parents=(plate, FLOOR))
    fake.change(plate, parents=(COUNTER,))
    fake.change(COUNTER, parents=(SINK,))
    assert ancestors(mug, fake.world.objects, {}) == [plate, COUNTER, FLOOR]
    fake.change(pot, parents=())
    assert ancestors(pot, fake.world.objects, {}) == []


def test_without_parents_the_last_receptacle_counts() -> None:
    fake = FakeSimulator()
    mug, plate = the(fake, "Mug"), the(fake, "Plate")
    fake.change(mug, parents=())
    last = "simbotLastParentReceptacle"
    assert ancestors(mug, fake.world.objects, {mug: {last: plate}}) == [plate, COUNTER]
    assert ancestors(mug, fake.world.objects, {mug: {last: mug}}) == []
    assert ancestors(mug, fake.world.objects, {mug: {last: None}}) == []
    fake.change(mug, parents=(COUNTER,))
    assert ancestors(mug, fake.world.objects, {mug: {last: plate}}) == [COUNTER]


def test_things_that_hold_each_other_do_not_hang_the_search() -> None:
    fake = FakeSimulator()
    mug, plate = the(fake, "Mug"), the(fake, "Plate")
    fake.change(mug, parents=(plate,))
    fake.change(plate, parents=(mug,))
    assert ancestors(mug, fake.world.objects, {}) == [plate]
    assert ancestors("Mug|gone", fake.world.objects, {}) == []


def test_asking_for_ancestors_leaves_nothing_for_the_collector() -> None:
    objects = FakeSimulator().world.objects
    gc.collect()
    gc.disable()
    try:
        gc.set_debug(gc.DEBUG_SAVEALL)
        for object_id in objects:
            ancestors(object_id, objects, {})
        gc.collect()
        left = [one for one in gc.garbage if getattr(one, "__module__", "") == ancestors.__module__]
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()
    assert left == []
