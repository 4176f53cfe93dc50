"""Every error text of the AI2-THOR specification, section 2, that can be provoked here."""

from __future__ import annotations

import re
from typing import Any

import pytest

from teach_agents.simulator.controller import Controller


@pytest.fixture(scope="module")
def shared() -> Controller:
    """One kitchen for all."""
    return Controller(scene="FloorPlan1", headless=True)


@pytest.fixture
def kitchen(shared: Controller) -> Controller:
    """The kitchen as it ships, the body 1 m from nothing in particular."""
    shared.reset()
    return shared


def ids(controller: Controller, object_type: str) -> str:
    """The id of the first object of a type."""
    return str(controller.last_event.objects_by_type(object_type)[0]["objectId"])


def name(controller: Controller, object_type: str) -> str:
    """The GameObject name of the first object of a type."""
    return str(controller.last_event.objects_by_type(object_type)[0]["name"])


def error(controller: Controller, action: str, **parameters: Any) -> str:
    """The message of an action that must fail."""
    event = controller.step(action, **parameters)
    assert not event
    return str(event.metadata["errorMessage"])


def hold(controller: Controller, object_type: str) -> None:
    """Take the first object of a type."""
    assert controller.step("PickupObject", objectId=ids(controller, object_type), forceAction=True)


@pytest.mark.parametrize(
    ("action", "parameters", "message"),
    [
        ("Levitate", {}, "Invalid action: Levitate"),
        ("PickupObject", {}, "action: PickupObject is missing the following arguments: objectId"),
        (
            "TeleportFull",
            {"x": 1.0, "y": 1.0, "z": 1.0, "rotation": 0},
            "missing the following arguments: horizon,standing",
        ),
        ("MoveAhead", {"moveMagnitude": "far"}, "has an invalid argument: moveMagnitude (==far). Cannot convert to: "),
        (
            "MoveAhead",
            {"speed": 1},
            "\n\tAction: \"MoveAhead\" called with invalid argument: 'speed'\n\tExpected arguments: ",
        ),
        ("Crouch", {"a": 1, "b": 2}, "called with invalid arguments: 'a', 'b'\n"),
    ],
)
def test_callers_are_corrected(kitchen: Controller, action: str, parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=re.escape(message)):
        kitchen.step(action, **parameters)
    assert kitchen.last_event.metadata["errorCode"] in ("InvalidAction", "InvalidArgument", "MissingArguments")


def test_old_actions_ignore_what_they_do_not_know(kitchen: Controller) -> None:
    misspelt = error(kitchen, "SliceObject", object_id=ids(kitchen, "Apple"))
    assert misspelt == "InvalidOperationException: No SimObject found at (x: 0.0, y: 1.0)"


def test_other_failures_raise_only_when_asked_to(kitchen: Controller) -> None:
    assert not kitchen.step("Stand")
    with pytest.raises(RuntimeError, match="Already standing."):
        kitchen.step("Stand", raise_for_failure=True)


def test_moving(kitchen: Controller) -> None:
    assert error(kitchen, "MoveAhead", moveMagnitude=-1.0) == "InvalidOperationException: moveMagnitude must be > 0"
    assert "Cannot rotate by 0 degrees as this previously" in error(kitchen, "RotateLeft", degrees=0)
    assert (
        error(kitchen, "LookUp", degrees=-5) == "LookUp action requires positive degree value. Invalid value used: -5"
    )
    assert "requires degree value to be a multiple of 0.1f" in error(kitchen, "LookUp", degrees=0.15)
    assert error(kitchen, "LookDown", degrees=40) == "can't look down beyond 60 degrees below the forward horizon"
    assert kitchen.last_event.metadata["errorCode"] == "LookDownCantExceedMin"
    assert error(kitchen, "LookUp", degrees=70) == "can't look up beyond 30 degrees above the forward horizon"
    assert kitchen.step("Crouch")
    assert error(kitchen, "Crouch") == "Already crouching."


def test_walking_into_things(kitchen: Controller) -> None:
    for _ in range(20):
        if not kitchen.step("MoveAhead"):
            break
    message = kitchen.last_event.metadata["errorMessage"]
    assert re.fullmatch(r".+ is blocking Agent 0 from moving by \(-?\d\.\d{4}, 0\.0000, -?\d\.\d{4}\)\.", message)


def test_teleporting(kitchen: Controller) -> None:
    here = kitchen.last_event.metadata["agent"]["position"]
    assert "Each horizon must be in [-30:60]. You gave 75" in error(kitchen, "Teleport", horizon=75)
    assert "out of scene bounds! Ignore this by" in error(kitchen, "Teleport", position={**here, "x": 50})
    assert "is not on the grid of size 0.25." in error(kitchen, "Teleport", position={**here, "x": here["x"] + 0.1})
    assert "can change in pitch or roll" in error(kitchen, "Teleport", rotation={"x": 10, "y": 0, "z": 0})
    assert "too large a change(2 > 0.05)" in error(kitchen, "Teleport", position={**here, "y": here["y"] + 2})
    assert kitchen.last_event.metadata["agent"]["position"] == here
    fridge = kitchen.last_event.objects_by_type("Fridge")[0]
    center = {axis: round(value * 4) / 4 for axis, value in fridge["axisAlignedBoundingBox"]["center"].items()}
    assert "InvalidOperationException: Collided with: " in error(
        kitchen, "Teleport", position={**center, "y": here["y"]}
    )


def test_targets(kitchen: Controller) -> None:
    assert error(kitchen, "PickupObject", objectId="Cup|1") == (
        "ArgumentException: objectId: Cup|1 is not the objectId on any object in the scene!"
    )
    hidden = "NullReferenceException: Target object not found within the specified visibility."
    kitchen.step("LookUp")
    kitchen.step("LookUp")
    assert error(kitchen, "OpenObject", objectId=ids(kitchen, "Fridge")) == hidden
    assert "x/y must be in [0:1]" in error(kitchen, "OpenObject", x=1.5, y=0.5)


def test_a_click_beyond_reach_says_how_far_that_is(kitchen: Controller) -> None:
    for y in (0.3, 0.4, 0.5, 0.6):
        for x in (0.2, 0.5, 0.8):
            event = kitchen.step("ToggleObjectOn", x=x, y=y)
            if "is beyond your" in event.metadata["errorMessage"]:
                assert event.metadata["errorMessage"].endswith(
                    "controller.reset(visibilityDistance=<new visibility distance>)."
                )
                return
    pytest.fail("nothing was out of reach")


def test_taking_and_putting(kitchen: Controller) -> None:
    fridge = ids(kitchen, "Fridge")
    assert error(kitchen, "PutObject", objectId=fridge) == "Can't place an object if Agent isn't holding anything"
    assert error(kitchen, "DropHeldObject").endswith("Nothing is in the agent's hand to drop!")
    assert error(kitchen, "ThrowObject").endswith("Nothing in Hand to Throw!")
    not_loose = error(kitchen, "PickupObject", objectId=fridge, forceAction=True)
    assert not_loose == f"InvalidOperationException: {fridge} must have the property CanPickup to be picked up."
    hold(kitchen, "Apple")
    full = error(kitchen, "PickupObject", objectId=ids(kitchen, "Egg"), forceAction=True)
    assert full.endswith("Agent hand has something in it already! Can't pick up anything else")
    closed = error(kitchen, "PutObject", objectId=fridge, forceAction=True)
    assert closed == "Target openable Receptacle is CLOSED, can't place if target is not open!"
    knife = error(kitchen, "PutObject", objectId=ids(kitchen, "Knife"), forceAction=True)
    assert knife == "This target object is NOT a receptacle!"
    burner = error(kitchen, "PutObject", objectId=ids(kitchen, "StoveBurner"), forceAction=True)
    apple = name(kitchen, "Apple")
    assert burner == f"{apple} is not a valid Object Type to be placed in {name(kitchen, 'StoveBurner')}"


def test_opening_and_switching(kitchen: Controller) -> None:
    apple, microwave = ids(kitchen, "Apple"), ids(kitchen, "Microwave")
    assert error(kitchen, "OpenObject", objectId=apple, forceAction=True) == f"{apple} is not an Openable object"
    assert error(kitchen, "OpenObject", objectId=microwave, openness=2, forceAction=True) == "openness must be in [0:1]"
    assert error(kitchen, "ToggleObjectOn", objectId=apple, forceAction=True) == "object is not toggleable."
    assert "controlled by another sim object" in error(
        kitchen, "ToggleObjectOn", objectId=ids(kitchen, "StoveBurner"), forceAction=True
    )
    assert kitchen.step("ToggleObjectOn", objectId=microwave, forceAction=True)
    assert error(kitchen, "ToggleObjectOn", objectId=microwave, forceAction=True) == (
        "can't toggle object on if it's already on!"
    )
    assert error(kitchen, "OpenObject", objectId=microwave, forceAction=True) == "Target must be OFF to open!"
    assert kitchen.step("ToggleObjectOff", objectId=microwave, forceAction=True)
    assert kitchen.step("OpenObject", objectId=microwave, forceAction=True)
    assert (
        error(kitchen, "ToggleObjectOn", objectId=microwave, forceAction=True) == "Target must be closed to Toggle On!"
    )


def test_changing_states(kitchen: Controller) -> None:
    def refused(action: str, object_type: str, **parameters: Any) -> str:
        return error(kitchen, action, objectId=ids(kitchen, object_type), forceAction=True, **parameters)

    fridge = name(kitchen, "Fridge")
    assert refused("SliceObject", "Fridge") == f"{fridge} Does not have the CanBeSliced property!"
    assert refused("BreakObject", "Fridge") == f"{fridge} does not have the CanBreak property!!"
    assert refused("CookObject", "Fridge") == "target object is not cookable"
    assert refused("DirtyObject", "Fridge") == f"{fridge} does not have CanBeDirty property!"
    assert refused("CleanObject", "Fridge") == f"{fridge} does not have dirtyable property!"
    assert refused("CleanObject", "Plate") == f"{name(kitchen, 'Plate')} is already Clean!"
    assert refused("FillObjectWithLiquid", "Mug").endswith("Missing Liquid string for FillObject action")
    assert (
        refused("FillObjectWithLiquid", "Mug", fillLiquid="tea") == "ArgumentException: tea is not a valid Liquid Type"
    )
    assert refused("FillObjectWithLiquid", "Fridge", fillLiquid="water").endswith("does not have CanBeFilled property!")
    assert refused("EmptyLiquidFromObject", "Mug") == "object already empty"
    assert refused("UseUpObject", "Fridge") == f"{fridge} does not have CanBeUsedUp property!"
    potato = ids(kitchen, "Potato")
    assert kitchen.step("CookObject", objectId=potato, forceAction=True)
    assert refused("CookObject", "Potato") == f"{potato} is already Toasted!"
    hold(kitchen, "Bread")
    assert refused("SliceObject", "Bread") == "target object cannot be sliced if it is in the agent's hand"


def test_the_hand(kitchen: Controller) -> None:
    assert error(kitchen, "MoveHeldObjectUp", moveMagnitude=0.1) == (
        "Agent can only move hand if currently holding an item"
    )
    assert error(kitchen, "RotateHeldObject", pitch=10).endswith(
        "Can't rotate held object since no object is being held."
    )
    hold(kitchen, "Apple")
    assert "not available in the embedded simulator" in error(kitchen, "MoveHeldObjectUp", moveMagnitude=0.1)
    assert "no physics engine" in error(kitchen, "PushObject", objectId=ids(kitchen, "Fridge"))


def test_arranging(kitchen: Controller) -> None:
    apple = ids(kitchen, "Apple")
    assert error(kitchen, "SetObjectPoses", objectPoses=[{}]).startswith("objectPoses was not initialized correctly.")
    here = {"x": 0, "y": 1, "z": 0}
    unknown = [{"objectName": "Ghost", "position": here, "rotation": here}]
    assert error(kitchen, "SetObjectPoses", objectPoses=unknown) == (
        "No Pickupable or Moveable object of name Ghost found in scene."
    )
    assert "is not within scene bounds" in error(kitchen, "PlaceObjectAtPoint", objectId=apple, position={"x": 99})
    assert error(kitchen, "TeleportObject", objectId="Cup|1", position=here) == "Cannot find object with id Cup|1"
    egg = kitchen.last_event.objects_by_type("Egg")[0]
    assert error(kitchen, "TeleportObject", objectId=apple, position=egg["position"]) == (
        f"{apple} is colliding with {egg['objectId']} after teleport."
    )
    assert (
        error(kitchen, "InitialRandomSpawn", numPlacementAttempts=0)
        == "numPlacementAttempts must be a positive integer."
    )
    assert error(kitchen, "InitialRandomSpawn", excludedReceptacles=["Moon"]) == (
        "invalid Object Type used in excludedReceptacles array: Moon"
    )
    assert error(kitchen, "InitialRandomSpawn", objectIds=["Cup|1"]) == "Cannot find sim object with id 'Cup|1'"
    hold(kitchen, "Apple")
    assert error(kitchen, "TeleportObject", objectId=apple, position=here) == "Cannot teleport object in hand."


def test_paths_and_cameras(kitchen: Controller) -> None:
    assert error(kitchen, "GetShortestPath", objectType="Car") == "Object type Car was not found in the scene."
    assert error(kitchen, "GetShortestPath", objectType="Cabinet").startswith("Multiple objects of type Cabinet were")
    assert "Could not find path between" in error(kitchen, "GetShortestPathToPoint", target={"x": 50, "y": 0, "z": 0})
    assert "Too many steps taken in GetReachablePositions." in error(kitchen, "GetReachablePositions", maxStepCount=3)
    assert "must in 0 <= thirdPartyCameraId < len(thirdPartyCameras)=0." in error(
        kitchen, "UpdateThirdPartyCamera", thirdPartyCameraId=0
    )
    assert "(0, 180)" in error(kitchen, "AddThirdPartyCamera", position={"x": 0}, rotation={"x": 0}, fieldOfView=200)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"fieldOfView": 180}, "fov must be set to (0, 180) noninclusive."),
        ({"gridSize": 0}, "grid size must be in the range (0,5]"),
        ({"timeScale": 0}, "Time scale must be > 0"),
        ({"rotateStepDegrees": 0}, "rotateStepDegrees must be a non-zero, non-negative float"),
        ({"rotateStepDegrees": 30}, "rotateStepDegrees"),
        ({"agentMode": "drone"}, "agentMode 'drone' is not available"),
        ({"agentCount": 2}, "it has one agent"),
    ],
)
def test_options_that_initialize_refuses(options: dict[str, Any], message: str) -> None:
    with pytest.raises(RuntimeError, match=re.escape(message)):
        Controller(scene="FloorPlan1", headless=True, **options)
