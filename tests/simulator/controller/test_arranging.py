"""Arranging scenes, and asking where things can be seen from."""

from __future__ import annotations

from typing import Any

import pytest

from teach_agents.simulator.controller import Controller


@pytest.fixture
def kitchen() -> Controller:
    """FloorPlan1 without pictures."""
    return Controller(scene="FloorPlan1", headless=True)


def one(controller: Controller, object_type: str) -> dict[str, Any]:
    """The first object of a type."""
    return controller.last_event.objects_by_type(object_type)[0]


def test_poses_of_a_scene_put_it_back(kitchen: Controller) -> None:
    before = kitchen.last_event.metadata["objects"]
    loose = [obj for obj in before if obj["pickupable"] or obj["moveable"]]
    poses = [{"objectName": o["name"], "position": o["position"], "rotation": o["rotation"]} for o in loose]
    event = kitchen.step("SetObjectPoses", objectPoses=poses, placeStationary=True)
    assert event
    after = {obj["objectId"]: obj for obj in event.metadata["objects"]}
    assert after.keys() == {obj["objectId"] for obj in before}
    agreeing = 0
    for obj in loose:
        assert after[obj["objectId"]]["position"] == pytest.approx(obj["position"])
        agreeing += bool(set(after[obj["objectId"]]["parentReceptacles"] or ()) & set(obj["parentReceptacles"] or ()))
    assert agreeing >= 0.9 * sum(bool(obj["parentReceptacles"]) for obj in loose)


def test_what_is_not_listed_is_taken_away_and_repeats_are_copies(kitchen: Controller) -> None:
    mug, apple = one(kitchen, "Mug"), one(kitchen, "Apple")
    other = {**mug["position"], "x": mug["position"]["x"] + 0.3}
    poses = [
        {"objectName": mug["name"], "position": mug["position"], "rotation": mug["rotation"]},
        {"objectName": mug["name"], "position": other, "rotation": mug["rotation"]},
    ]
    event = kitchen.step("SetObjectPoses", objectPoses=poses)
    assert [obj["objectId"] for obj in event.objects_by_type("Mug")] == [mug["objectId"], f"{mug['objectId']}_copy_0"]
    assert event.get_object(apple["objectId"]) is None
    assert event.objects_by_type("Fridge")
    assert all("Apple" not in i for obj in event.metadata["objects"] for i in obj["receptacleObjectIds"] or ())


def test_states_are_set_by_type(kitchen: Controller) -> None:
    wanted = {"objectType": "Cabinet", "stateChange": "openable", "isOpen": True}
    event = kitchen.step("SetObjectStates", SetObjectStates=wanted)
    assert all(obj["isOpen"] for obj in event.objects_by_type("Cabinet"))
    assert not one(kitchen, "Fridge")["isOpen"]


def test_an_object_is_stood_on_what_lies_below_a_point(kitchen: Controller) -> None:
    apple = one(kitchen, "Apple")["objectId"]
    table = one(kitchen, "Fridge")["axisAlignedBoundingBox"]
    above = {**table["center"], "y": 2.3}
    event = kitchen.step("PlaceObjectAtPoint", objectId=apple, position=above)
    assert event, event.metadata["errorMessage"]
    corners = event.get_object(apple)["axisAlignedBoundingBox"]["cornerPoints"]  # type: ignore[index]  # it is there
    top = table["center"]["y"] + table["size"]["y"] / 2
    assert min(corner[1] for corner in corners) == pytest.approx(top, abs=1e-3)


def test_points_above_a_receptacle_are_places_for_things(kitchen: Controller) -> None:
    counter = one(kitchen, "CounterTop")
    points = kitchen.step("GetSpawnCoordinatesAboveReceptacle", objectId=counter["objectId"], anywhere=True).metadata[
        "actionReturn"
    ]
    assert len(points) > 10
    mug = one(kitchen, "Mug")["objectId"]
    placed = [bool(kitchen.step("PlaceObjectAtPoint", objectId=mug, position={**p, "y": 2.0})) for p in points[:20]]
    assert any(placed)


def test_disabled_objects_come_back_removed_ones_do_not(kitchen: Controller) -> None:
    apple = one(kitchen, "Apple")
    event = kitchen.step("DisableObject", objectId=apple["objectId"])
    assert event.get_object(apple["objectId"]) is None
    event = kitchen.step("EnableObject", objectId=apple["objectId"])
    assert event.get_object(apple["objectId"])["position"] == apple["position"]  # type: ignore[index]  # it is there


def test_a_spawn_is_the_same_for_the_same_seed_and_brings_copies(kitchen: Controller) -> None:
    wanted = [{"objectType": "Mug", "count": 3}]
    seen = []
    for seed in (1, 1, 2):
        kitchen.reset()
        event = kitchen.step("InitialRandomSpawn", randomSeed=seed, numDuplicatesOfType=wanted)
        assert 1 <= len(event.objects_by_type("Mug")) <= 3
        seen.append({obj["objectId"]: obj["position"] for obj in event.metadata["objects"]})
    assert seen[0] == seen[1] != seen[2]


def test_excluded_objects_stay(kitchen: Controller) -> None:
    mug, apple = one(kitchen, "Mug"), one(kitchen, "Apple")
    event = kitchen.step("InitialRandomSpawn", randomSeed=5, objectIds=[apple["objectId"]])
    assert event.get_object(mug["objectId"])["position"] == mug["position"]  # type: ignore[index]  # it is there


def test_interactable_poses_lead_to_where_the_object_is_visible(kitchen: Controller) -> None:
    apple = one(kitchen, "Apple")["objectId"]
    before = kitchen.last_event.metadata["agent"]
    poses = kitchen.step("GetInteractablePoses", objectId=apple, maxPoses=40).metadata["actionReturn"]
    assert len(poses) == 40
    assert kitchen.last_event.metadata["agent"] == before
    for pose in poses[::9]:
        place = {axis: pose[axis] for axis in "xyz"}
        rest = {key: pose[key] for key in ("rotation", "horizon", "standing")}
        event = kitchen.step("TeleportFull", position=place, **rest)
        assert event and event.get_object(apple)["visible"]  # type: ignore[index]  # it is there


def test_a_finer_grid_reaches_more_points(kitchen: Controller) -> None:
    coarse = kitchen.step("GetReachablePositions").metadata["actionReturn"]
    wide = kitchen.step("GetReachablePositions", gridSize=0.5).metadata["actionReturn"]
    assert len(coarse) > 3 * len(wide) > 9
    assert coarse[0] == pytest.approx(wide[0])


def test_the_expert_leads_to_the_fridge(kitchen: Controller) -> None:
    fridge = one(kitchen, "Fridge")["objectId"]
    path = kitchen.step("GetShortestPath", objectId=fridge).metadata["actionReturn"]
    assert path["status"] == "PathComplete"
    for _ in range(80):
        action = kitchen.step("ObjectNavExpertAction", objectId=fridge).metadata["actionReturn"]
        if action is None:
            break
        assert kitchen.step(action)
    at = kitchen.last_event.metadata["agent"]["position"]
    assert (at["x"], at["z"]) == pytest.approx((path["corners"][-1]["x"], path["corners"][-1]["z"]), abs=1e-3)


def test_a_ray_between_two_points_meets_the_floor(kitchen: Controller) -> None:
    at = kitchen.step("GetReachablePositions").metadata["actionReturn"][-1]
    event = kitchen.step("PerformRaycast", origin={**at, "y": 2.0}, destination={**at, "y": 0.0})
    assert event.metadata["actionReturn"]["objectId"].startswith("Floor|")
    assert event.metadata["actionReturn"]["hitDistance"] == pytest.approx(2.0, abs=0.05)
