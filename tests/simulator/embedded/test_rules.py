"""Context rules: water, heat, cold, coffee, toast, and the time they take."""

from __future__ import annotations

import pytest

from teach_agents.observations import Vec3
from teach_agents.simulator.embedded.rules import DECAY_ACTIONS
from tests.simulator.embedded.worlds import Kitchen


def _dirty(kitchen: Kitchen, object_type: str) -> None:
    if not kitchen.get(object_type).is_dirty:
        assert kitchen.do("DirtyObject", object_type, force=True).success


def test_running_water_cleans_and_fills_what_is_in_the_sink() -> None:
    kitchen = Kitchen()
    _dirty(kitchen, "Mug")
    kitchen.put("Mug", "SinkBasin")
    assert kitchen.get("Mug").is_dirty
    kitchen.do("ToggleObjectOn", "Faucet", force=True)
    mug = kitchen.get("Mug")
    assert (mug.is_dirty, mug.is_filled, mug.liquid) == (False, True, "water")


def test_water_reaches_what_is_put_under_it_later_and_what_lies_on_a_plate() -> None:
    kitchen = Kitchen()
    _dirty(kitchen, "Plate")
    kitchen.put("Fork", "Plate")
    kitchen.do("ToggleObjectOn", "Faucet", force=True)
    kitchen.put("Plate", "SinkBasin")
    assert not kitchen.get("Plate").is_dirty


def test_what_is_emptied_under_running_water_fills_again() -> None:
    kitchen = Kitchen()
    kitchen.do("ToggleObjectOn", "Faucet", force=True)
    kitchen.put("Cup", "SinkBasin")
    assert kitchen.get("Cup").is_filled
    assert kitchen.do("EmptyLiquidFromObject", "Cup", force=True).success
    assert kitchen.get("Cup").is_filled


def test_water_does_not_wash_the_counter_that_the_sink_seems_to_hold() -> None:
    kitchen = Kitchen("FloorPlan26")
    for mug in kitchen.world.of_type("Mug"):
        kitchen.put(mug, "CounterTop")
    _dirty(kitchen, "Mug")
    for faucet in kitchen.world.of_type("Faucet"):
        kitchen.do("ToggleObjectOn", faucet, force=True)
    assert kitchen.get("Mug").is_dirty


def test_a_knob_heats_its_burner_and_cooks_what_is_in_the_pan_on_it() -> None:
    kitchen = Kitchen()
    kitchen.put("Potato", "Pan")
    knob = kitchen.get("StoveKnob")
    burner = knob.kind.controls[0]
    for standing in kitchen.world.objects[burner].contents:
        kitchen.put(standing, "CounterTop")
    kitchen.put("Pan", burner)
    assert not kitchen.get("Potato").is_cooked
    assert kitchen.do("ToggleObjectOn", knob.object_id, force=True).success
    potato = kitchen.get("Potato")
    assert potato.is_cooked
    assert potato.temperature == kitchen.world.objects[burner].temperature == "Hot"
    assert not kitchen.world.objects[burner].is_toggled


def test_the_microwave_cooks_potatoes_but_no_bread() -> None:
    kitchen = Kitchen()
    kitchen.do("SliceObject", "Bread", force=True)
    kitchen.put("Potato", "Microwave")
    kitchen.put("BreadSliced", "Microwave")
    slice_id = next(i for i in kitchen.get("Microwave").contents if "BreadSliced" in i)
    assert not kitchen.do("ToggleObjectOn", "Microwave", force=True).success
    kitchen.do("CloseObject", "Microwave", force=True)
    assert kitchen.do("ToggleObjectOn", "Microwave", force=True).success
    assert kitchen.get("Potato").is_cooked
    assert not kitchen.world.objects[slice_id].is_cooked
    assert kitchen.world.objects[slice_id].temperature == "Hot"


def test_the_toaster_toasts_bread() -> None:
    kitchen = Kitchen()
    kitchen.do("SliceObject", "Bread", force=True)
    kitchen.put("BreadSliced", "Toaster")
    slice_id = kitchen.get("Toaster").contents[0]
    kitchen.do("ToggleObjectOn", "Toaster", force=True)
    assert kitchen.world.objects[slice_id].is_cooked


@pytest.mark.parametrize("filled, liquid", [(False, "coffee"), (True, "water")])
def test_a_mug_that_holds_water_never_becomes_coffee(filled: bool, liquid: str) -> None:
    kitchen = Kitchen()
    for mug in kitchen.get("CoffeeMachine").contents:
        kitchen.put(mug, "CounterTop")
    if filled:
        kitchen.do("FillObjectWithLiquid", "Mug", liquid="water", force=True)
    kitchen.put("Mug", "CoffeeMachine")
    kitchen.do("ToggleObjectOn", "CoffeeMachine", force=True)
    mug_state = kitchen.get("Mug")
    assert mug_state.liquid == liquid
    assert (mug_state.temperature == "Hot") is (not filled)


def test_the_fridge_cools_and_the_cold_leaves_after_ten_actions() -> None:
    kitchen = Kitchen()
    kitchen.put("Apple", "Fridge")
    assert kitchen.get("Apple").temperature == "Cold"
    kitchen.do("PickupObject", "Apple", force=True)
    for _ in range(DECAY_ACTIONS - 1):
        kitchen.do("Pass")
    assert kitchen.get("Apple").temperature == "Cold"
    kitchen.do("Pass")
    assert kitchen.get("Apple").temperature == "RoomTemp"


def test_what_stays_in_the_fridge_stays_cold() -> None:
    kitchen = Kitchen()
    kitchen.put("Apple", "Fridge")
    for _ in range(3 * DECAY_ACTIONS):
        kitchen.do("Pass")
    assert kitchen.get("Apple").temperature == "Cold"


def test_a_burner_is_hot_for_a_while_after_it_is_off() -> None:
    kitchen = Kitchen()
    knob = kitchen.get("StoveKnob")
    burner = knob.kind.controls[0]
    kitchen.do("ToggleObjectOn", knob.object_id, force=True)
    kitchen.do("ToggleObjectOff", knob.object_id, force=True)
    assert kitchen.world.objects[burner].temperature == "Hot"
    for _ in range(DECAY_ACTIONS):
        kitchen.do("Pass")
    assert kitchen.world.objects[burner].temperature == "RoomTemp"


def test_running_water_puts_a_candle_out() -> None:
    bathroom = Kitchen("FloorPlan402")
    bathroom.do("ToggleObjectOn", "Candle", force=True)
    bathroom.put("Candle", "SinkBasin")
    assert bathroom.get("Candle").is_toggled
    for faucet in bathroom.world.of_type("Faucet"):
        bathroom.do("ToggleObjectOn", faucet, force=True)
    assert not bathroom.get("Candle").is_toggled


def test_what_goes_back_into_the_fridge_in_time_stays_cold() -> None:
    kitchen = Kitchen()
    kitchen.put("Apple", "Fridge")
    kitchen.do("PickupObject", "Apple", force=True)
    for _ in range(DECAY_ACTIONS - 3):
        kitchen.do("Pass")
    assert kitchen.do("PutObject", "Fridge", force=True).success
    for _ in range(2 * DECAY_ACTIONS):
        kitchen.do("Pass")
        assert kitchen.get("Apple").temperature == "Cold"


@pytest.mark.parametrize(("aside", "clean"), [(0.0, True), (1.5, False)])
def test_a_shower_washes_what_is_below_it(aside: float, clean: bool) -> None:
    bathroom = Kitchen("FloorPlan402")
    head = bathroom.get("ShowerHead")
    _dirty(bathroom, "Cloth")
    x, y, z = head.box.center
    bathroom.world.update(bathroom.id("Cloth"), position=Vec3(x + aside, y - 1.0, z))
    bathroom.do("ToggleObjectOn", head.object_id, force=True)
    assert bathroom.get("Cloth").is_dirty is not clean
