"""Pictures: channels, exactness, what is seen and what is not."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from teach_agents.observations import Pose, Vec3
from teach_agents.simulator.contract import Camera, Channel, Frame, SimulatorState, follower_camera
from teach_agents.simulator.embedded.loading import load_room
from teach_agents.simulator.embedded.render import Renderer
from teach_agents.simulator.embedded.world import World
from tests.simulator.embedded.showroom import CAMERA, exhibit, showroom

ALL = frozenset(Channel)
FLOOR = "Floor|+00.00|+00.00|+00.00"


def look(state: SimulatorState, camera: Camera, size: int = 64) -> tuple[Frame, NDArray[np.uint8], NDArray[np.int32]]:
    """A frame with all channels, and two of them without `None`."""
    frame = Renderer().view(state, camera, ALL, size)
    assert frame.rgb is not None
    assert frame.ids is not None
    assert frame.depth is not None
    return frame, frame.rgb, frame.ids


def share(state: SimulatorState, camera: Camera, object_id: str, size: int = 96) -> float:
    """The share of pixels that show an object."""
    frame, _, ids = look(state, camera, size)
    return float((ids == list(frame.object_ids).index(object_id)).mean())


@pytest.mark.parametrize("size", [32, 224, 300])
def test_channels_have_the_promised_shapes_and_types(size: int) -> None:
    world = load_room("FloorPlan1")
    frame = Renderer().view(world, follower_camera(world.agent), ALL, size)
    assert frame.rgb is not None and frame.rgb.shape == (size, size, 3) and frame.rgb.dtype == np.uint8
    assert frame.ids is not None and frame.ids.shape == (size, size) and frame.ids.dtype == np.int32
    assert frame.depth is not None and frame.depth.shape == (size, size) and frame.depth.dtype == np.float32
    assert tuple(frame.object_ids) == tuple(world.objects)


@pytest.mark.parametrize("channel", list(Channel))
def test_only_what_was_asked_for_is_made(channel: Channel) -> None:
    world = load_room("FloorPlan1")
    frame = Renderer().view(world, follower_camera(world.agent), frozenset((channel,)), 32)
    made = {Channel.RGB: frame.rgb, Channel.IDS: frame.ids, Channel.DEPTH: frame.depth}
    assert [name for name, array in made.items() if array is not None] == [channel]
    whole = Renderer().view(world, follower_camera(world.agent), ALL, 32)
    same = {Channel.RGB: whole.rgb, Channel.IDS: whole.ids, Channel.DEPTH: whole.depth}[channel]
    array = made[channel]
    assert array is not None and same is not None and np.array_equal(array, same)


def test_pictures_that_are_drawn_at_the_same_time_do_not_get_into_each_other() -> None:
    rooms = ("FloorPlan3", "FloorPlan203", "FloorPlan303", "FloorPlan403")
    alone = [look(world, follower_camera(world.agent), 200)[1] for world in map(load_room, rooms)]
    with ThreadPoolExecutor(len(rooms)) as pool:
        together = [pool.submit(_drawn_often, load_room(room)) for room in rooms]
        for one, others in zip(alone, together, strict=True):
            assert all(np.array_equal(one, other) for other in others.result(timeout=60))


def _drawn_often(world: World) -> list[NDArray[np.uint8]]:
    return [look(world, follower_camera(world.agent), 200)[1] for _ in range(20)]


@pytest.mark.parametrize("room", ["FloorPlan7", "FloorPlan212", "FloorPlan318", "FloorPlan422"])
def test_the_same_state_draws_the_same_bytes(room: str) -> None:
    one, other = load_room(room), load_room(room)
    for yaw in (0.0, 90.0, 135.0):
        camera = replace(follower_camera(one.agent), yaw=yaw)
        first, second = (Renderer().view(world, camera, ALL, 80) for world in (one, other))
        for a, b in ((first.rgb, second.rgb), (first.ids, second.ids), (first.depth, second.depth)):
            assert a is not None and b is not None and a.tobytes() == b.tobytes()


def test_a_change_and_its_reversal_leave_the_same_picture() -> None:
    world = load_room("FloorPlan1")
    fridge = world.of_type("Fridge")[0]
    x, _, z = world.objects[fridge].box.center
    camera = Camera(Vec3(x + 1.6, 1.5, z + 0.4), yaw=256.0, pitch=20.0)
    _, before, _ = look(world, camera)
    world.update(fridge, openness=1.0)
    _, opened, _ = look(world, camera)
    world.update(fridge, openness=0.0)
    _, after, _ = look(world, camera)
    assert not np.array_equal(before, opened)
    assert np.array_equal(before, after)


def test_frames_are_the_callers_own() -> None:
    world = load_room("FloorPlan401")
    _, first, _ = look(world, follower_camera(world.agent))
    kept = first.copy()
    look(world, replace(follower_camera(world.agent), yaw=77.0))
    assert np.array_equal(first, kept)


def test_depth_is_metres_along_the_axis() -> None:
    world = showroom(exhibit("Wall", (0.6, 0.6, 0.2), Vec3(0.0, 1.0, 0.0)))
    frame = Renderer().view(world, Camera(Vec3(0.0, 1.0, 1.6), yaw=180.0), ALL, 65)
    assert frame.depth is not None
    assert frame.depth[32, 32] == pytest.approx(1.5, abs=1e-4)
    assert frame.depth[32, 34] == pytest.approx(1.5, abs=1e-4)


def test_nothing_is_far_black_and_nobodys() -> None:
    world = showroom()
    away = Camera(Vec3(9.0, 1.0, 9.0), yaw=45.0)
    frame, rgb, ids = look(world, away, 16)
    assert frame.depth is not None
    assert (frame.depth == 20.0).all()
    assert not rgb.any()
    assert (ids == -1).all()


def test_the_floor_is_an_object_and_walls_are_not() -> None:
    world = showroom()
    down = Camera(Vec3(0.0, 1.5, 0.0), pitch=90.0, field_of_view=60.0)
    assert share(world, down, FLOOR) == 1.0
    ahead = Camera(Vec3(0.0, 1.5, 0.0), yaw=0.0, field_of_view=40.0)
    _, _, ids = look(world, ahead)
    assert (ids == -1).all()


def test_from_above_there_is_no_ceiling() -> None:
    world = load_room("FloorPlan1")
    floor = world.of_type("Floor")[0]
    box = world.objects[floor].box
    above = Camera(Vec3(box.center.x, 5.0, box.center.z), pitch=90.0, orthographic=2.0)
    assert share(world, above, floor) > 0.2
    beside = Camera(Vec3(box.center.x, 1.5, box.center.z), pitch=-80.0)
    assert share(world, beside, floor) == 0.0


def test_a_parallel_camera_measures_depth_too() -> None:
    world = showroom(exhibit("Wall", (0.6, 0.5, 0.6), Vec3(0.0, 0.75, 0.0)))
    frame = Renderer().view(world, Camera(Vec3(0.0, 3.0, 0.0), pitch=90.0, orthographic=1.0), ALL, 41)
    assert frame.depth is not None and frame.ids is not None
    assert frame.depth[20, 20] == pytest.approx(2.0, abs=1e-3)
    assert (frame.ids == 1).mean() == pytest.approx(0.09, abs=0.02)


def test_yaw_turns_clockwise_and_pitch_looks_down() -> None:
    mug = exhibit("Wall", (0.3, 0.3, 0.3), Vec3(1.0, 1.0, 0.0))
    world = showroom(mug)
    eye = Vec3(0.0, 1.0, 0.0)
    assert share(world, Camera(eye, yaw=90.0), mug.object_id) > 0.01
    assert share(world, Camera(eye, yaw=270.0), mug.object_id) == 0.0
    _, _, ids = look(world, Camera(eye, yaw=70.0))
    assert np.argwhere(ids == 1)[:, 1].mean() > 32
    _, _, ids = look(world, Camera(eye, yaw=90.0, pitch=20.0))
    assert np.argwhere(ids == 1)[:, 0].mean() < 32


def test_the_near_plane_cuts_without_gaps() -> None:
    slab = exhibit("Wall", (3.0, 0.2, 3.0), Vec3(0.0, 0.9, 0.0))
    world = showroom(slab)
    _, _, ids = look(world, Camera(Vec3(0.0, 1.05, 0.0), yaw=33.0, pitch=60.0, field_of_view=60.0), 80)
    assert (ids == 1).all()


def test_the_follower_is_seen_by_others_and_not_by_itself() -> None:
    agent = Pose(Vec3(0.0, 0.9, 0.0), 0.0, 0.0)
    here, away = showroom(agent=agent), showroom(agent=Pose(Vec3(9.0, 0.9, 9.0), 0.0, 0.0))
    outside = Camera(Vec3(0.0, 1.2, 1.8), yaw=180.0)
    assert not np.array_equal(look(here, outside)[1], look(away, outside)[1])
    assert np.array_equal(look(here, follower_camera(agent))[1], look(away, follower_camera(agent))[1])


def holding(object_type: str, horizon: float = 0.0) -> tuple[World, str]:
    thing = exhibit(object_type)
    world = showroom(thing, agent=Pose(Vec3(0.0, 0.9, -1.0), 0.0, horizon))
    world.take(thing.object_id)
    return world, thing.object_id


@pytest.mark.parametrize("horizon", [-30.0, 0.0, 30.0, 60.0])
def test_what_is_held_is_seen_low_in_view_and_hides_little(horizon: float) -> None:
    world, held = holding("Pot", horizon)
    camera = follower_camera(world.agent)
    assert 0.005 < share(world, camera, held) < 0.15
    _, _, ids = look(world, camera, 96)
    rows = np.argwhere(ids == 1)[:, 0]
    assert rows.mean() > 96 * 0.55


def test_what_lies_in_the_held_thing_is_drawn_with_it() -> None:
    plate = replace(exhibit("Plate", (0.3, 0.03, 0.3)), contents=("Apple|+00.00|+01.00|+00.00",))
    apple = replace(exhibit("Apple", (0.1, 0.1, 0.1), Vec3(0.0, 1.08, 0.0)), parents=(plate.object_id,))
    world = showroom(plate, apple, agent=Pose(Vec3(0.0, 0.9, -1.0), 0.0, 0.0))
    world.take(plate.object_id)
    camera = follower_camera(world.agent)
    assert 0.0005 < share(world, camera, apple.object_id) < 0.01
    assert share(world, camera, plate.object_id) < 0.1


def test_what_is_held_goes_with_the_body() -> None:
    world, held = holding("Apple")
    first = share(world, follower_camera(world.agent), held)
    world.move_agent(Pose(Vec3(0.5, 0.9, 0.5), 90.0, 30.0))
    assert share(world, follower_camera(world.agent), held) == pytest.approx(first, abs=0.01)


def test_others_see_what_is_held_at_its_true_size() -> None:
    world, held = holding("Box")
    outside = Camera(Vec3(1.4, 1.4, -0.6), yaw=270.0)
    before = share(world, outside, held)
    share(world, follower_camera(world.agent), held)
    assert share(world, outside, held) == before > 0.005


def test_slices_added_later_are_drawn_with_ids_of_their_own() -> None:
    world = showroom(exhibit("Apple"))
    slice_ = exhibit("AppleSliced", (0.3, 0.1, 0.3))
    look(world, CAMERA)
    world.discard("Apple|+00.00|+01.00|+00.00")
    world.add(slice_)
    frame, _, ids = look(world, CAMERA)
    assert frame.object_ids[-1] == slice_.object_id
    assert (ids == 2).any()
    assert not (ids == 1).any()


def test_many_changes_keep_the_picture_right() -> None:
    """Slots that outgrow their place move; what is drawn must not depend on that history."""
    world = load_room("FloorPlan5")
    camera = replace(follower_camera(world.agent), yaw=200.0)
    openable = [i for i, obj in world.objects.items() if obj.kind.openable]
    for turn in range(3):
        for object_id in openable:
            world.update(object_id, openness=float(turn % 2 == 0))
        look(world, camera, 32)
    fresh = load_room("FloorPlan5")
    for object_id in openable:
        fresh.update(object_id, openness=1.0)
    assert np.array_equal(look(world, camera)[1], look(fresh, camera)[1])


def test_the_room_is_darker_with_its_light_switched_off() -> None:
    world = load_room("FloorPlan301")
    switch = world.of_type("LightSwitch")[0]
    camera = follower_camera(world.agent)
    lit = look(world, camera)[1].mean()
    world.update(switch, is_toggled=False)
    assert look(world, camera)[1].mean() < 0.9 * lit
