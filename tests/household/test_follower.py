"""The Follower's sixteen actions (specification 2.3, 5.3, 5.4)."""

from __future__ import annotations

import pytest

from teach_agents.actions import MOTIONS, Action, Role
from teach_agents.errors import InputError
from teach_agents.household import Household, point_on
from teach_agents.household.follower import MOTION_STEPS
from teach_agents.observations import Privilege
from teach_agents.simulator.contract import Outcome, SimulatorAction
from tests.household.fake import SINK, FakeSimulator
from tests.household.helpers import LIBRARY, do, ready, scenario, the, walk

BASIN = f"{SINK}|SinkBasin"


@pytest.mark.parametrize(
    ("name", "step", "size"),
    [
        ("Forward", "MoveAhead", 0.25),
        ("Backward", "MoveBack", 0.25),
        ("Turn Left", "RotateLeft", 90.0),
        ("Turn Right", "RotateRight", 90.0),
        ("Look Up", "LookUp", 30.0),
        ("Look Down", "LookDown", 30.0),
        ("Pan Left", "MoveLeft", 0.25),
        ("Pan Right", "MoveRight", 0.25),
    ],
)
def test_a_motion_is_one_simulator_action(name: str, step: str, size: float) -> None:
    household, fake = ready()
    fake.steps.clear()
    result = household.act(Role.FOLLOWER, Action(name))
    assert result.success
    assert [(done.name, done.magnitude, done.force) for done in fake.steps] == [(step, size, True)]


def test_every_motion_has_its_step() -> None:
    assert set(MOTION_STEPS) == set(MOTIONS)


def test_a_blocked_motion_fails_with_the_simulators_words_and_a_hint() -> None:
    household, _ = ready()
    *moved, blocked = walk(household, "Forward", "Forward", "Forward")
    assert all(result.success for result in moved)
    assert not blocked.success
    assert "is blocking Agent 0" in blocked.message
    assert blocked.help == "Something is in the way. Try another direction or another spot."


def test_motions_touch_no_custom_property_and_draw_nothing() -> None:
    household, fake = ready()
    before = {key: dict(record) for key, record in household.custom_properties.items()}
    fake.drawn.clear()
    walk(household, *MOTIONS)
    assert household.custom_properties == before
    assert fake.drawn == []


def test_pickup_takes_the_clicked_object_and_says_what_it_is() -> None:
    household, fake = ready()
    result = do(household, fake, "Pickup", "Mug")
    assert (result.success, result.message, result.object_id) == (True, "Picked up Mug", the(fake, "Mug"))
    assert fake.world.held == the(fake, "Mug")
    assert household.custom_properties[the(fake, "Mug")]["simbotPickedUp"] == 1


def test_a_second_pickup_is_refused_by_the_simulator() -> None:
    household, fake = ready()
    do(household, fake, "Pickup", "Mug")
    result = do(household, fake, "Pickup", "Tomato")
    assert not result.success
    assert result.message.startswith("Agent hand has something in it already")
    assert result.object_id is None
    assert "simbotPickedUp" not in household.custom_properties[the(fake, "Tomato")]


def test_place_puts_the_held_object_near_the_clicked_point() -> None:
    household, fake = ready()
    do(household, fake, "Pickup", "Mug")
    result = do(household, fake, "Place", "Plate")
    plate = the(fake, "Plate")
    assert (result.success, result.message, result.object_id) == (True, f"Placed in {plate}", plate)
    put = next(step for step in fake.steps if step.name == "PutObject")
    assert (put.object_id, put.force) == (plate, True)
    assert put.near == pytest.approx(fake.world.objects[plate].box.center, abs=0.05)
    assert household.custom_properties[the(fake, "Mug")]["simbotLastParentReceptacle"] == plate
    assert household.custom_properties[plate]["simbotIsReceptacleOf"] == [the(fake, "Mug")]


def test_place_with_an_empty_hand_fails_without_looking() -> None:
    household, fake = ready()
    fake.drawn.clear()
    result = household.act(Role.FOLLOWER, Action.click("Place", 0.5, 0.6))
    assert not result.success
    assert "only supported when holding" in result.message
    assert result.help == "You are not holding anything."
    assert fake.drawn == []


def test_a_refused_place_leaves_the_books_alone() -> None:
    household, fake = ready()
    do(household, fake, "Pickup", "Mug")
    walk(household, "Turn Right")
    result = do(household, fake, "Place", "Microwave")
    assert not result.success
    assert "CLOSED" in result.message
    assert household.custom_properties[the(fake, "Mug")]["simbotLastParentReceptacle"] is None


def test_open_and_close_toggle_on_and_off() -> None:
    household, fake = ready()
    walk(household, "Turn Right")
    microwave = the(fake, "Microwave")
    for name, opened, running in (
        ("Open", True, False),
        ("Close", False, False),
        ("ToggleOn", False, True),
        ("ToggleOff", False, False),
    ):
        result = do(household, fake, name, "Microwave")
        assert result.success
        assert result.object_id == microwave
        assert result.message.startswith(f"{name} @ (0.")
        assert fake.world.objects[microwave].is_open is opened
        assert fake.world.objects[microwave].is_toggled is running


def test_slicing_needs_a_knife_of_either_kind_in_the_hand() -> None:
    household, fake = ready()
    click = household.click_for(the(fake, "Tomato"), "Slice")
    assert click is not None
    slice_it = Action.click("Slice", *click)
    assert "Slice: ObjectInteraction" in household.act(Role.FOLLOWER, slice_it).message
    do(household, fake, "Pickup", "Mug")
    assert household.act(Role.FOLLOWER, slice_it).help == "Hold a knife to slice."
    do(household, fake, "Place", "CounterTop")
    do(household, fake, "Pickup", "Knife")
    result = household.act(Role.FOLLOWER, slice_it)
    assert result.success
    assert result.object_id == the(fake, "Tomato")
    assert f"{result.object_id}|TomatoSliced_2" in household.custom_properties


def test_pouring_needs_something_filled_in_the_hand() -> None:
    household, fake = ready()
    click = household.click_for(the(fake, "HousePlant"), "Pour")
    assert click is not None
    pour = Action.click("Pour", *click)
    assert "Pour: ObjectInteraction" in household.act(Role.FOLLOWER, pour).message
    do(household, fake, "Pickup", "Mug")
    assert not household.act(Role.FOLLOWER, pour).success


def test_water_poured_on_a_plant_moves_from_the_mug_to_the_plant() -> None:
    household, fake = ready("Water Plant")
    do(household, fake, "Pickup", "Mug")
    fake.change(the(fake, "Mug"), is_filled=True, liquid="water")
    result = do(household, fake, "Pour", "HousePlant")
    plant = fake.world.objects[the(fake, "HousePlant")]
    assert (result.success, result.object_id) == (True, plant.object_id)
    assert (plant.is_filled, plant.liquid) == (True, "water")
    assert not fake.world.objects[the(fake, "Mug")].is_filled
    assert household.progress().success
    assert "simbotIsFilledWithWater" not in household.custom_properties[plant.object_id]


def test_coffee_stays_coffee_only_in_the_liquid_not_in_the_books() -> None:
    household, fake = ready()
    do(household, fake, "Pickup", "Mug")
    fake.change(the(fake, "Mug"), parents=(the(fake, "CoffeeMachine"),))
    do(household, fake, "ToggleOn", "CoffeeMachine")
    assert household.custom_properties[the(fake, "Mug")]["simbotIsFilledWithCoffee"] is True
    do(household, fake, "Pour", "Pot")
    pot = the(fake, "Pot")
    assert fake.world.objects[pot].liquid == "coffee"
    assert household.custom_properties[the(fake, "Mug")]["simbotIsFilledWithCoffee"] is False
    assert "simbotIsFilledWithCoffee" not in household.custom_properties[pot]


def test_pouring_into_a_sink_only_empties() -> None:
    household, fake = ready()
    do(household, fake, "Pickup", "Mug")
    fake.change(the(fake, "Mug"), is_filled=True, liquid="water")
    walk(household, "Turn Left")
    result = do(household, fake, "Pour", "SinkBasin")
    assert (result.success, result.object_id) == (True, BASIN)
    assert not fake.world.objects[the(fake, "Mug")].is_filled
    assert "FillObjectWithLiquid" not in {step.name for step in fake.steps}


class Stubborn(FakeSimulator):
    """Refuses to fill anything, without giving a reason."""

    def step(self, action: SimulatorAction) -> Outcome:
        return Outcome(False) if action.name == "FillObjectWithLiquid" else super().step(action)


def test_a_vessel_keeps_its_contents_when_the_target_cannot_be_filled() -> None:
    fake = Stubborn()
    household = Household(fake, LIBRARY)
    household.reset(scenario())
    do(household, fake, "Pickup", "Mug")
    fake.change(the(fake, "Mug"), is_filled=True, liquid="water")
    result = do(household, fake, "Pour", "HousePlant")
    assert not result.success
    assert result.message == "the simulator refused the action and gave no reason"
    assert fake.world.objects[the(fake, "Mug")].is_filled


def test_the_rules_run_after_an_interaction_that_fails() -> None:
    household, fake = ready()
    fake.change(the(fake, "Mug"), parents=(BASIN,))
    fake.change(the(fake, "Faucet"), is_toggled=True)
    fake.world.held = the(fake, "Knife")
    result = do(household, fake, "Pickup", "Tomato")
    assert not result.success
    assert not fake.world.objects[the(fake, "Mug")].is_dirty


def test_clicks_that_choose_nothing_leave_the_simulator_alone() -> None:
    household, fake = ready()
    fake.steps.clear()
    for click in (Action.click("Pickup", 0.5, 0.01), Action.click("Pickup", -1.0, 0.5), Action.click("Open", 0.5, 0.6)):
        assert not household.act(Role.FOLLOWER, click).success
    assert fake.steps == []


def test_what_is_too_far_away_is_refused_with_its_id() -> None:
    household, fake = ready()
    walk(household, "Backward", "Backward", "Look Up")
    machine = the(fake, "CoffeeMachine")
    seen = household.observe(Role.FOLLOWER, {Privilege.SEGMENTATION}).privileged.segmentation
    point = point_on(seen, machine)
    assert point is not None
    result = household.act(Role.FOLLOWER, Action.click("ToggleOn", *point))
    assert result.message == f"{machine} is too far away to ToggleOn"
    assert result.help == "It is out of reach. Move closer."
    assert household.click_for(machine, "ToggleOn") is None


def test_a_forced_interaction_reaches_what_cannot_be_clicked() -> None:
    household, fake = ready()
    assert household.click_for(the(fake, "Faucet"), "ToggleOn") is None
    result = household.force("ToggleOn", the(fake, "Faucet"))
    assert (result.success, result.object_id) == (True, the(fake, "Faucet"))
    assert fake.steps[-1].force
    household.force("Pickup", the(fake, "Mug"))
    assert household.force("Place", BASIN).success
    assert not fake.world.objects[the(fake, "Mug")].is_dirty
    assert household.custom_properties[the(fake, "Mug")]["simbotLastParentReceptacle"] == BASIN


def test_a_forced_interaction_still_needs_its_object_and_a_full_hand() -> None:
    household, fake = ready()
    missing = household.force("Pickup", "Mug|nowhere")
    assert "no object has this id" in missing.message
    assert missing.help is not None
    assert "only supported when holding" in household.force("Place", BASIN).message
    with pytest.raises(InputError, match="takes an object interaction"):
        household.force("Forward", BASIN)
    assert household.failures[Role.FOLLOWER] == 0
