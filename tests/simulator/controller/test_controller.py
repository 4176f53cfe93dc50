"""`Controller` answers as AI2-THOR's Controller does."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from teach_agents.errors import SimulatorError
from teach_agents.simulator.controller import Controller, Event

_AGENT_KEYS = (
    "objects isSceneAtRest agent heldObjectPose arm fov cameraPosition cameraOrthSize thirdPartyCameras collided "
    "collidedObjects inventoryObjects sceneName lastAction errorMessage errorCode lastActionSuccess screenWidth "
    "screenHeight agentId depthFormat colors flatSurfacesOnGrid distances normals isOpenableGrid segmentedObjectIds "
    "objectIdsInBox actionIntReturn actionFloatReturn actionStringsReturn actionFloatsReturn actionVector3sReturn "
    "visibleRange currentTime sceneBounds actionReturn"
).split()


@pytest.fixture
def kitchen() -> Iterator[Controller]:
    """FloorPlan1 with every picture, small."""
    with Controller(
        scene="FloorPlan1",
        width=64,
        height=64,
        renderDepthImage=True,
        renderInstanceSegmentation=True,
        renderSemanticSegmentation=True,
    ) as controller:
        yield controller


def first(event: Event, object_type: str) -> str:
    """The id of the first object of a type."""
    return str(event.objects_by_type(object_type)[0]["objectId"])


def test_metadata_have_the_keys_of_ai2thor_in_its_order(kitchen: Controller) -> None:
    metadata = kitchen.last_event.metadata
    assert list(metadata) == _AGENT_KEYS
    assert len(metadata["objects"][0]) == 42
    assert list(metadata["agent"]) == "name position rotation cameraHorizon isStanding inHighFrictionArea".split()
    assert metadata["sceneName"] == "FloorPlan1_physics"
    assert metadata["lastAction"] == "Initialize"
    assert metadata["actionReturn"] == {"cameraNearPlane": 0.01, "cameraFarPlane": 20.0}


def test_pictures_have_the_shapes_of_ai2thor(kitchen: Controller) -> None:
    event = kitchen.reset(width=96, height=48)
    assert event.frame is not None and event.frame.shape == (48, 96, 3) and event.frame.dtype == np.uint8
    assert event.depth_frame is not None and event.depth_frame.shape == (48, 96)
    assert event.depth_frame.dtype == np.float32
    assert event.instance_segmentation_frame is not None
    assert event.instance_segmentation_frame.shape == event.frame.shape
    assert (event.cv2img[..., 0] == event.frame[..., 2]).all()
    assert (event.screen_width, event.screen_height) == (96, 48)


def test_a_wide_picture_shows_the_middle_of_the_square_one() -> None:
    with Controller(scene="FloorPlan1", width=64, height=32, fieldOfView=53.13010235415598) as wide:
        with Controller(scene="FloorPlan1", width=64, height=64) as square:
            assert wide.last_event.frame is not None and square.last_event.frame is not None
            assert np.array_equal(wide.last_event.frame, square.last_event.frame[16:48])


def test_masks_agree_with_colours_and_boxes(kitchen: Controller) -> None:
    event = kitchen.last_event
    assert event.instance_segmentation_frame is not None
    assert len(event.instance_masks) > 5
    for object_id, mask in event.instance_masks.items():
        colour = event.object_id_to_color[object_id]
        assert np.array_equal((event.instance_segmentation_frame == colour).all(axis=-1), mask)
        assert event.color_to_object_id[colour] == object_id
        left, top, right, bottom = event.instance_detections2D[object_id]
        assert mask[top : bottom + 1, left : right + 1].sum() == mask.sum()
    assert "Nothing|1" not in event.instance_masks
    counters = [mask for name, mask in event.instance_masks.items() if name.startswith("CounterTop|")]
    assert np.array_equal(event.class_masks["CounterTop"], np.logical_or.reduce(counters))
    assert len(event.class_detections2D["CounterTop"]) == len(counters)
    assert "background" in event.class_masks


def test_semantic_frames_colour_by_type(kitchen: Controller) -> None:
    event = kitchen.last_event
    assert event.semantic_segmentation_frame is not None
    colour = event.object_id_to_color["CounterTop"]
    assert np.array_equal((event.semantic_segmentation_frame == colour).all(axis=-1), event.class_masks["CounterTop"])


def test_an_event_keeps_what_it_showed(kitchen: Controller) -> None:
    before = kitchen.last_event
    assert before.frame is not None
    picture, place = before.frame.copy(), dict(before.metadata["agent"]["position"])
    visible = [obj["visible"] for obj in before.metadata["objects"]]
    after = kitchen.step(action="RotateRight")
    assert np.array_equal(before.frame, picture)
    assert before.metadata["agent"]["position"] == place
    assert [obj["visible"] for obj in before.metadata["objects"]] == visible
    assert after.metadata["agent"]["rotation"]["y"] == (before.metadata["agent"]["rotation"]["y"] + 90) % 360
    assert kitchen.last_event is after


def test_a_mapping_is_an_action_too(kitchen: Controller) -> None:
    event = kitchen.step({"action": "LookDown", "degrees": np.float32(15)})
    assert event
    assert event.metadata["agent"]["cameraHorizon"] == 45.0


def test_third_party_cameras_see_what_the_agent_does_not(kitchen: Controller) -> None:
    event = kitchen.step("AddThirdPartyCamera", position={"x": 0, "y": 2.4, "z": 0}, rotation={"x": 90, "y": 0, "z": 0})
    assert [frame.shape for frame in event.third_party_camera_frames] == [(64, 64, 3)]
    assert event.metadata["thirdPartyCameras"][0]["rotation"]["x"] == 90.0
    assert len(event.third_party_instance_masks[0]) > 3
    moved = kitchen.step("UpdateThirdPartyCamera", thirdPartyCameraId=0, position={"x": 1})
    assert moved.metadata["thirdPartyCameras"][0]["position"] == {"x": 1.0, "y": 2.4, "z": 0.0}
    assert not np.array_equal(moved.third_party_camera_frames[0], event.third_party_camera_frames[0])
    assert not kitchen.reset().third_party_camera_frames


def test_the_map_is_toggled_on_and_off(kitchen: Controller) -> None:
    eye = kitchen.last_event.metadata["cameraPosition"]
    seen = kitchen.step("ToggleMapView")
    properties = kitchen.step("GetMapViewCameraProperties").metadata["actionReturn"]
    assert seen.metadata["cameraOrthSize"] == properties["orthographicSize"] > 1.0
    assert seen.metadata["cameraPosition"] == properties["position"]
    assert kitchen.step("ToggleMapView").metadata["cameraPosition"] == eye


def test_filters_shorten_the_list_of_objects(kitchen: Controller) -> None:
    mug = first(kitchen.last_event, "Mug")
    assert len(kitchen.step("SetObjectFilter", objectIds=[mug]).metadata["objects"]) > 50  # shows nothing anew
    assert [obj["objectId"] for obj in kitchen.step("Pass").metadata["objects"]] == [mug]
    assert len(kitchen.step("ResetObjectFilter").metadata["objects"]) > 50


def test_headless_controllers_draw_nothing() -> None:
    with Controller(scene="FloorPlan1", headless=True) as controller:
        event = controller.step("MoveAhead")
        assert event.frame is None
        assert event.metadata["objects"]


def test_the_grid_the_reach_and_the_turn_are_what_was_asked_for() -> None:
    options = {"gridSize": 0.1, "snapToGrid": False, "rotateStepDegrees": 30, "visibilityDistance": 0.3}
    with Controller(scene="FloorPlan1", headless=True, **options) as controller:
        start = controller.last_event
        turned = controller.step("RotateRight")
        assert turned.metadata["agent"]["rotation"]["y"] == start.metadata["agent"]["rotation"]["y"] + 30.0
        moved = controller.step("MoveBack")
        dx, dz = (moved.metadata["agent"]["position"][a] - start.metadata["agent"]["position"][a] for a in "xz")
        assert moved and np.hypot(dx, dz) == pytest.approx(0.1)
        near = {obj["objectId"] for obj in controller.last_event.metadata["objects"] if obj["visible"]}
        far = {
            obj["objectId"] for obj in controller.reset(visibilityDistance=4.0).metadata["objects"] if obj["visible"]
        }
        assert len(far) > len(near)


def test_scenes_it_has_not_are_refused() -> None:
    with Controller(scene="FloorPlan1", headless=True) as controller:
        with pytest.raises(ValueError, match=r"Scene 'FloorPlan99_physics' not contained in build"):
            controller.reset("FloorPlan99")
        with pytest.raises(RuntimeError, match="Procedural houses"):
            controller.reset({"rooms": []})
        assert controller.reset("FloorPlan2").metadata["sceneName"] == "FloorPlan2_physics"


def test_scenes_are_listed_by_kind(kitchen: Controller) -> None:
    assert len(kitchen.scene_names()) == 120
    assert set(kitchen.scene_names()) == kitchen.scenes_in_build
    kitchens = kitchen.ithor_scenes(include_living_rooms=False, include_bedrooms=False, include_bathrooms=False)
    assert kitchens == [f"FloorPlan{number}_physics" for number in range(1, 31)]


def test_a_stopped_controller_says_so() -> None:
    controller = Controller(scene="FloorPlan1", headless=True)
    controller.stop()
    with pytest.raises(SimulatorError, match="was stopped"):
        controller.step("Pass")


def test_names_of_older_releases_lead_to_the_present_ones(kitchen: Controller) -> None:
    with pytest.warns(DeprecationWarning, match="heldObjectPose"):
        assert kitchen.last_event.metadata["hand"] == kitchen.last_event.metadata["heldObjectPose"]
    event = kitchen.step("GetReachablePositions")
    with pytest.warns(DeprecationWarning, match="actionReturn"):
        assert event.metadata["reachablePositions"] == event.metadata["actionReturn"]


def test_an_event_prints_its_action(kitchen: Controller) -> None:
    assert '.metadata["lastAction"] = MoveAhead' in repr(kitchen.step("MoveAhead"))


def test_requests_leave_their_arguments_alone(kitchen: Controller) -> None:
    request = {"action": "Teleport", "rotation": 90.0}
    kitchen.step(request)
    assert request == {"action": "Teleport", "rotation": 90.0}
    assert kitchen.last_event.metadata["agent"]["rotation"]["y"] == 90.0
