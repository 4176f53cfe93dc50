"""Actions and their refusals, in AI2-THOR's words, with geometry out of the way."""

from __future__ import annotations

import math

import pytest

from teach_agents.errors import ActionError
from teach_agents.observations import Pose, Vec3
from teach_agents.simulator.contract import SimulatorAction
from teach_agents.simulator.embedded.handlers import carry_out
from tests.simulator.embedded.worlds import FreeSenses, Kitchen


def test_a_move_follows_the_heading_and_snaps_to_the_grid() -> None:
    kitchen = Kitchen()
    x, y, z = kitchen.world.agent.position
    assert kitchen.world.agent.yaw == 180.0
    assert kitchen.do("MoveAhead").success
    assert kitchen.world.agent.position == (x, y, z - 0.25)
    assert kitchen.do("MoveRight", magnitude=0.5).success
    assert kitchen.world.agent.position == (x - 0.5, y, z - 0.25)


def test_a_blocked_move_names_the_blocker_and_the_way() -> None:
    kitchen = Kitchen(senses=FreeSenses(blocked_by="Cabinet_e8c521bb"))
    before = kitchen.world.agent
    outcome = kitchen.do("MoveAhead")
    assert outcome.error == ("Cabinet_e8c521bb is blocking Agent 0 from moving by (0.0000, 0.0000, -0.2500).")
    assert kitchen.world.agent == before


@pytest.mark.parametrize("name, degrees, text", [("RotateLeft", 0.0, "by 0 degrees"), ("LookUp", -30.0, "positive")])
def test_senseless_turns_are_refused(name: str, degrees: float, text: str) -> None:
    outcome = Kitchen().do(name, magnitude=degrees)
    assert not outcome.success
    assert text in outcome.error


@pytest.mark.parametrize("name", ["MoveAhead", "RotateLeft", "LookDown", "OpenObject"])
@pytest.mark.parametrize("magnitude", [math.nan, math.inf, "0.25"])
def test_a_magnitude_that_is_no_finite_number_is_a_mistake(name: str, magnitude: float) -> None:
    kitchen = Kitchen()
    before = kitchen.world.agent
    with pytest.raises(ActionError, match="magnitude must be a finite number"):
        kitchen.do(name, magnitude=magnitude)
    assert kitchen.world.agent == before


def test_a_step_far_beyond_the_walls_is_refused_at_the_first_of_them() -> None:
    kitchen = Kitchen(senses=FreeSenses(blocked_by="Wall"))
    assert not kitchen.do("MoveAhead", magnitude=1e12).success


def test_looking_beyond_the_limits_is_refused() -> None:
    kitchen = Kitchen()
    assert kitchen.world.agent.horizon == 30.0
    assert kitchen.do("LookDown").success
    assert kitchen.do("LookDown").error == "can't look down beyond 60 degrees below the forward horizon"


def test_teleports_are_checked_unless_forced() -> None:
    kitchen = Kitchen()
    x, y, z = kitchen.world.agent.position
    off = Pose(Vec3(x + 0.1, y, z), 0.0, 0.0)
    assert "is not on the grid of size 0.25" in kitchen.do("TeleportFull", pose=off).error
    assert "out of scene bounds" in kitchen.do("TeleportFull", pose=Pose(Vec3(x + 5, y, z), 0.0, 0.0)).error
    assert "Each horizon must be in" in kitchen.do("TeleportFull", pose=Pose(Vec3(x, y, z), 0.0, 75.0)).error
    assert kitchen.do("TeleportFull", pose=Pose(Vec3(x + 0.25, y, z), -90.0, 0.0)).success
    assert kitchen.world.agent.yaw == 270.0
    assert kitchen.do("TeleportFull", pose=off, force=True).success
    with pytest.raises(ActionError, match="needs a pose"):
        kitchen.do("Teleport")


def test_standing_and_crouching_alternate() -> None:
    kitchen = Kitchen()
    assert kitchen.do("Stand").error == "Already standing."
    assert kitchen.do("Crouch").success
    assert kitchen.do("Crouch").error == "Already crouching."


def test_targets_are_found_by_id_if_they_are_seen() -> None:
    mug = Kitchen().id("Mug")
    hidden = Kitchen(senses=FreeSenses(unseen=frozenset({mug})))
    outcome = hidden.do("PickupObject", mug)
    assert outcome.error == "NullReferenceException: Target object not found within the specified visibility."
    assert hidden.do("PickupObject", mug, force=True).success


def test_an_unknown_id_is_refused() -> None:
    outcome = carry_out(Kitchen().setting, SimulatorAction("OpenObject", "Fridge|1|2|3"))
    assert outcome.error == (
        "ArgumentException: objectId: Fridge|1|2|3 is not the objectId on any object in the scene!"
    )


def test_an_action_without_a_target_is_a_mistake() -> None:
    with pytest.raises(ActionError, match="needs object_id, or both x and y"):
        Kitchen().do("PickupObject")


def test_targets_by_viewport_point_are_checked() -> None:
    kitchen = Kitchen()
    assert kitchen.do("OpenObject", x=1.5, y=0.5).error == "ArgumentOutOfRangeException: x/y must be in [0:1]"
    assert "No SimObject found at (x: 0.25, y: 0.75)" in kitchen.do("OpenObject", x=0.25, y=0.25).error
    assert "is beyond your visibilityDistance: 1.5!" in kitchen.do("OpenObject", x=0.75, y=0.5).error


def test_what_is_shut_in_cannot_be_taken() -> None:
    kitchen = Kitchen()
    kitchen.put("Apple", "Fridge")
    kitchen.do("CloseObject", "Fridge", force=True)
    assert "not found within the specified visibility" in kitchen.do("PickupObject", "Apple").error
    kitchen.do("OpenObject", "Fridge")
    assert kitchen.do("PickupObject", "Apple").success


def test_the_hand_takes_one_pickupable_thing() -> None:
    kitchen = Kitchen()
    fridge = kitchen.id("Fridge")
    assert kitchen.do("PickupObject", "Fridge").error == (
        f"InvalidOperationException: {fridge} must have the property CanPickup to be picked up."
    )
    assert kitchen.do("PickupObject", "Apple").success
    assert "Agent hand has something in it already!" in kitchen.do("PickupObject", "Mug").error


def test_putting_is_refused_for_the_first_reason_that_holds() -> None:
    kitchen = Kitchen()
    assert kitchen.do("PutObject", "CounterTop").error == "Can't place an object if Agent isn't holding anything"
    kitchen.do("PickupObject", "Apple")
    assert kitchen.do("PutObject", "Faucet").error == "This target object is NOT a receptacle!"
    assert "Receptacle is CLOSED" in kitchen.do("PutObject", "Fridge").error
    apple, machine = kitchen.get("Apple").kind.name, kitchen.get("CoffeeMachine").kind.name
    assert kitchen.do("PutObject", "CoffeeMachine", force=True).error == (
        f"{apple} is not a valid Object Type to be placed in {machine}"
    )
    mug = kitchen.get("Mug").kind.name
    assert kitchen.do("PutObject", "Mug").error == f"{apple} cannot be placed in {mug}"
    assert kitchen.do("PutObject", "CounterTop").success


def test_one_place_receptacles_fill_up() -> None:
    kitchen = Kitchen("FloorPlan5")
    burner = kitchen.id("StoveBurner")
    for standing in kitchen.world.objects[burner].contents:
        kitchen.put(standing, "CounterTop")
    kitchen.put("Pan", burner)
    kitchen.do("PickupObject", "Pot")
    assert "is full right now" in kitchen.do("PutObject", burner).error


def test_nothing_is_put_into_itself_or_what_it_carries() -> None:
    kitchen = Kitchen()
    kitchen.put("Bowl", "Plate")
    kitchen.do("PickupObject", "Plate", force=True)
    for target in ("Plate", "Bowl"):
        assert kitchen.do("PutObject", target, force=True).error == "No valid Receptacle found"


def test_a_dropped_thing_lies_on_the_floor() -> None:
    kitchen = Kitchen()
    assert "Nothing is in the agent's hand" in kitchen.do("DropHeldObject").error
    kitchen.do("PickupObject", "Apple")
    assert kitchen.do("DropHeldObject").success
    assert kitchen.get("Apple").parents == (kitchen.id("Floor"),)


def test_a_microwave_that_runs_stays_shut_and_an_open_one_stays_off() -> None:
    kitchen = Kitchen()
    kitchen.do("ToggleObjectOn", "Microwave")
    assert kitchen.do("OpenObject", "Microwave").error == "Target must be OFF to open!"
    kitchen.do("ToggleObjectOff", "Microwave")
    kitchen.do("OpenObject", "Microwave")
    assert kitchen.do("ToggleObjectOn", "Microwave").error == "Target must be closed to Toggle On!"


def test_opening_twice_succeeds_and_openness_is_kept() -> None:
    kitchen = Kitchen()
    assert kitchen.do("OpenObject", "Cabinet", magnitude=0.5).success
    assert kitchen.get("Cabinet").openness == 0.5
    assert kitchen.do("OpenObject", "Cabinet").success
    assert kitchen.do("OpenObject", "Cabinet").success
    assert kitchen.do("OpenObject", "Cabinet", magnitude=1.5).error == "openness must be in [0:1]"
    assert "is not an Openable object" in kitchen.do("OpenObject", "Apple").error


def test_switching_speaks_of_the_state_it_is_in() -> None:
    kitchen = Kitchen()
    assert kitchen.do("ToggleObjectOff", "Faucet").error == "can't toggle object off if it's already off!"
    assert kitchen.do("ToggleObjectOn", "Faucet").success
    assert kitchen.do("ToggleObjectOn", "Faucet").error == "can't toggle object on if it's already on!"
    assert kitchen.do("ToggleObjectOn", "Apple").error == "object is not toggleable."
    assert "controlled by another sim object" in kitchen.do("ToggleObjectOn", "StoveBurner").error


def test_breaking_is_off_for_unbreakable_types() -> None:
    kitchen = Kitchen()
    mug = kitchen.get("Mug")
    outcome = carry_out(kitchen.setting, SimulatorAction("MakeObjectsOfTypeUnbreakable", "Mug"))
    assert outcome.success
    assert "made unbreakable" in kitchen.do("BreakObject", mug.object_id).error
    bowl = kitchen.id("Bowl")
    assert kitchen.do("BreakObject", bowl).success
    assert kitchen.world.objects[bowl].is_broken
    assert not kitchen.world.objects[bowl].exists
    assert "CanBreak" in kitchen.do("BreakObject", "Fork", force=True).error


def test_a_broken_egg_is_a_cracked_egg() -> None:
    kitchen = Kitchen()
    egg = kitchen.id("Egg")
    assert kitchen.do("BreakObject", egg, force=True).success
    assert kitchen.world.objects[f"{egg}|EggCracked_0"].kind.cookable


def test_a_broken_television_stays_and_cannot_be_switched_on() -> None:
    living_room = Kitchen("FloorPlan201")
    assert living_room.do("BreakObject", "Television").success
    assert living_room.get("Television").exists
    assert living_room.do("ToggleObjectOn", "Television").error == "Target is broken and cannot be Toggled On!"


@pytest.mark.parametrize(
    "name, target, text",
    [
        ("CookObject", "Mug", "target object is not cookable"),
        ("DirtyObject", "Apple", "does not have CanBeDirty property!"),
        ("CleanObject", "Mug", "is already Clean!"),
        ("CleanObject", "Apple", "does not have dirtyable property!"),
        ("EmptyLiquidFromObject", "Mug", "object already empty"),
        ("UseUpObject", "Mug", "does not have CanBeUsedUp property!"),
        ("SliceObject", "Mug", "Does not have the CanBeSliced property!"),
    ],
)
def test_what_a_thing_cannot_become_is_refused(name: str, target: str, text: str) -> None:
    outcome = Kitchen().do(name, target)
    assert not outcome.success
    assert text in outcome.error


def test_filling_names_its_liquid() -> None:
    kitchen = Kitchen()
    assert "Missing Liquid string" in kitchen.do("FillObjectWithLiquid", "Mug").error
    assert "tea is not a valid Liquid Type" in kitchen.do("FillObjectWithLiquid", "Mug", liquid="tea").error
    assert kitchen.do("FillObjectWithLiquid", "Mug", liquid="Coffee").success
    assert kitchen.get("Mug").liquid == "coffee"
    assert "is already Filled!" in kitchen.do("FillObjectWithLiquid", "Mug", liquid="water").error


def test_what_is_held_cannot_be_sliced() -> None:
    kitchen = Kitchen()
    kitchen.do("PickupObject", "Apple")
    assert kitchen.do("SliceObject", "Apple").error == "target object cannot be sliced if it is in the agent's hand"


def test_queries_answer_without_a_change() -> None:
    kitchen = Kitchen()
    version = kitchen.world.version
    assert kitchen.do("GetCoordinateFromRaycast", x=0.75, y=0.5).value is not None
    assert "hit no collider" in kitchen.do("GetCoordinateFromRaycast", x=0.25, y=0.5).error
    assert kitchen.do("GetObjectInFrame", x=0.75, y=0.5).value == next(iter(kitchen.world.objects))
    view = kitchen.do("GetMapViewCameraProperties").value
    assert isinstance(view, dict)
    assert view["orthographic"] is True
    assert 1.0 < view["orthographicSize"] < 10.0
    seen = kitchen.do("GetVisibleObjects").value
    assert isinstance(seen, tuple)
    assert kitchen.id("Fridge") in seen
    assert kitchen.world.version == version


def test_an_unknown_action_is_refused_with_a_suggestion() -> None:
    with pytest.raises(ActionError, match="did you mean 'PickupObject'"):
        Kitchen().do("PickUpObject")


def test_what_lies_in_a_drawer_comes_out_and_goes_back_with_it() -> None:
    kitchen = Kitchen()
    drawer = next(i for i in kitchen.world.of_type("Drawer") if kitchen.world.objects[i].contents)
    inside = kitchen.world.objects[drawer].contents[0]
    before = kitchen.world.objects[inside].position
    kitchen.do("OpenObject", drawer, force=True)
    out = kitchen.world.objects[inside].position
    assert 0.1 < math.dist(before, out) < 0.6
    assert out.y == before.y
    kitchen.do("CloseObject", drawer, force=True)
    assert kitchen.world.objects[inside].position == pytest.approx(before)
