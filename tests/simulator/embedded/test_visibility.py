"""What the Follower sees, and what a point of a view shows."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from teach_agents.errors import ActionError
from teach_agents.observations import Pose, Vec3
from teach_agents.simulator.contract import Camera, Channel, ObjectState, StoredState, follower_camera
from teach_agents.simulator.embedded.loading import load_room, load_stored
from teach_agents.simulator.embedded.render import Renderer
from teach_agents.simulator.embedded.visibility import is_visible, raycast, visible_objects
from tests.simulator.embedded.showroom import exhibit, showroom

HERE = Pose(Vec3(0.0, 0.9, -1.2), 0.0, 30.0)


def test_what_stands_before_the_follower_is_visible() -> None:
    mug = exhibit("Mug", (0.1, 0.1, 0.1), Vec3(0.0, 0.9, -0.2))
    assert is_visible(showroom(mug, agent=HERE), mug.object_id)


def test_what_is_farther_than_a_metre_and_a_half_is_not() -> None:
    near, far = (exhibit("Mug", (0.1, 0.1, 0.1), Vec3(0.0, 0.9, z)) for z in (0.33, 0.37))
    assert is_visible(showroom(near, agent=HERE), near.object_id)
    assert not is_visible(showroom(far, agent=HERE), far.object_id)


def test_what_is_behind_or_out_of_view_is_not() -> None:
    behind = exhibit("Mug", (0.1, 0.1, 0.1), Vec3(0.0, 0.9, -1.9))
    above = exhibit("Mug", (0.1, 0.1, 0.1), Vec3(0.0, 2.4, -0.7))
    assert not is_visible(showroom(behind, agent=HERE), behind.object_id)
    assert not is_visible(showroom(above, agent=HERE), above.object_id)


def test_what_is_hidden_is_not_visible_until_the_way_is_free() -> None:
    mug = exhibit("Mug", (0.1, 0.1, 0.1), Vec3(0.0, 0.8, 0.1))
    wall = exhibit("Wall", (1.5, 1.6, 0.1), Vec3(0.0, 0.8, -0.2))
    world = showroom(mug, wall, agent=HERE)
    assert not is_visible(world, mug.object_id)
    assert visible_objects(world) >= {wall.object_id}
    world.discard(wall.object_id)
    assert is_visible(world, mug.object_id)


def test_contents_are_seen_only_while_their_cupboard_is_open() -> None:
    fridge = exhibit("Fridge", (0.8, 1.7, 0.7), Vec3(0.0, 0.85, 0.6))
    egg = exhibit("Egg", (0.05, 0.07, 0.05), Vec3(0.0, 1.0, 0.5))
    world = showroom(_facing_back(fridge), egg, agent=Pose(Vec3(0.0, 0.9, -0.8), 0.0, 0.0))
    assert not is_visible(world, egg.object_id)
    world.update(fridge.object_id, openness=1.0)
    assert is_visible(world, egg.object_id)


def _facing_back(obj: ObjectState) -> ObjectState:
    """The same object turned to face -z."""
    low, high = obj.box.low, obj.box.high
    around = ((low.x, low.z), (high.x, low.z), (high.x, high.z), (low.x, high.z))
    corners = tuple(Vec3(x, y, z) for y in (low.y, high.y) for x, z in around)
    return replace(obj, rotation=Vec3(0, 180, 0), corners=corners)


def test_the_floor_is_visible_while_the_follower_looks_at_it() -> None:
    floor = "Floor|+00.00|+00.00|+00.00"
    assert is_visible(showroom(agent=replace(HERE, horizon=60.0)), floor)
    assert not is_visible(showroom(agent=replace(HERE, horizon=-30.0)), floor)


def test_a_sink_is_seen_with_its_basin() -> None:
    world = load_room("FloorPlan1")
    sink, basin = world.of_type("Sink")[0], world.of_type("SinkBasin")[0]
    x, _, z = world.objects[basin].box.center
    world.move_agent(Pose(Vec3(x + 0.7, 0.9, z), 270.0, 45.0))
    assert is_visible(world, basin)
    assert is_visible(world, sink)


def test_what_is_held_is_visible_and_hides_nothing() -> None:
    box = exhibit("Box", (0.4, 0.4, 0.4))
    mug = exhibit("Mug", (0.1, 0.1, 0.1), Vec3(0.0, 0.9, -0.2))
    world = showroom(box, mug, agent=HERE)
    world.take(box.object_id)
    assert visible_objects(world) >= {box.object_id, mug.object_id}


def test_what_lies_in_the_held_thing_is_visible_and_hides_nothing() -> None:
    pot = replace(exhibit("Pot", (0.4, 0.3, 0.4)), contents=("Egg|+00.00|+01.00|+00.00",))
    egg = replace(exhibit("Egg", (0.1, 0.1, 0.1), Vec3(0.0, 1.2, 0.0)), parents=(pot.object_id,))
    mug = exhibit("Mug", (0.1, 0.1, 0.1), Vec3(0.0, 0.9, -0.2))
    world = showroom(pot, egg, mug, agent=HERE)
    world.take(pot.object_id)
    assert visible_objects(world) >= {pot.object_id, egg.object_id, mug.object_id}


def test_shards_and_sliced_bases_are_not_visible() -> None:
    apple = replace(exhibit("Apple", (0.1, 0.1, 0.1), Vec3(0.0, 0.9, -0.4)), exists=False)
    assert not is_visible(showroom(apple, agent=HERE), apple.object_id)


def test_an_unknown_object_is_an_error() -> None:
    with pytest.raises(KeyError):
        is_visible(showroom(), "Mug|nowhere")


@pytest.mark.parametrize("room", ["FloorPlan4", "FloorPlan203", "FloorPlan310", "FloorPlan405"])
def test_a_ray_meets_what_the_pixel_shows(room: str) -> None:
    world = load_room(room)
    dice = random.Random(room)
    for _ in range(6):
        camera = replace(follower_camera(world.agent), yaw=dice.uniform(0, 360), pitch=dice.uniform(-20, 50))
        frame = Renderer().view(world, camera, frozenset((Channel.IDS, Channel.DEPTH)), 100)
        assert frame.ids is not None
        agree = 0
        for _ in range(50):
            px, py = dice.randrange(100), dice.randrange(100)
            hit = raycast(world, camera, (px + 0.5) / 100, (py + 0.5) / 100)
            seen = int(frame.ids[py, px])
            agree += (hit.object_id if hit else None) == (frame.object_ids[seen] if seen >= 0 else None)
        assert agree >= 48  # the tessellation of round parts differs at their outlines


def test_a_ray_gives_the_world_point() -> None:
    wall = exhibit("Wall", (1.0, 1.0, 0.2), Vec3(0.0, 1.575, 0.3))
    world = showroom(wall, agent=replace(HERE, horizon=0.0))
    hit = raycast(world, follower_camera(world.agent), 0.5, 0.5)
    assert hit is not None
    assert hit.object_id == wall.object_id
    assert hit.distance == pytest.approx(1.4, abs=1e-4)
    assert tuple(hit.point) == pytest.approx((0.0, 1.575, 0.2), abs=1e-4)


def test_a_ray_meets_the_rooms_walls_as_nobodys() -> None:
    world = showroom(agent=replace(HERE, horizon=0.0))
    hit = raycast(world, follower_camera(world.agent), 0.5, 0.5)
    assert hit is not None
    assert hit.object_id is None
    assert hit.point.z == pytest.approx(2.0, abs=1e-3)


@pytest.mark.parametrize(("x", "y"), [(-0.1, 0.5), (0.5, 1.01), (float("nan"), 0.5)])
def test_a_point_outside_the_view_is_refused(x: float, y: float) -> None:
    world = showroom()
    with pytest.raises(ActionError):
        raycast(world, follower_camera(world.agent), x, y)


def recorded_visibility(path: Path) -> Iterator[tuple[bool, bool]]:
    """AI2-THOR's `visible` and ours, for every object of a game's final state."""
    episode = json.loads(path.read_text())["tasks"][0]["episodes"][0]
    final = episode["final_state"]
    body = final["agents"][1]
    position = Vec3(*(body["position"][axis] for axis in "xyz"))
    agent = Pose(position, body["rotation"]["y"], body["cameraHorizon"])
    world = load_stored(StoredState(episode["world"], final["objects"], agent))
    seen = visible_objects(world)
    for raw in final["objects"]:
        if raw["objectId"] in world.objects:
            yield raw["visible"], raw["objectId"] in seen


@pytest.mark.data
def test_visibility_agrees_with_recorded_states(teach_data: Path) -> None:
    games = sorted((teach_data / "games" / "train").glob("*.game.json"))[3::40]
    pairs = [pair for game in games for pair in recorded_visibility(game)]
    both = sum(theirs and ours for theirs, ours in pairs)
    assert both > 300
    assert both / sum(theirs for theirs, _ in pairs) >= 0.88
    assert both / sum(ours for _, ours in pairs) >= 0.88


def test_what_is_visible_does_not_depend_on_which_camera_looked_last() -> None:
    mug = exhibit("Mug", (0.1, 0.1, 0.1), Vec3(0.0, 0.9, -0.2))
    fresh, watched = showroom(mug, agent=HERE), showroom(mug, agent=HERE)
    behind = Camera(Vec3(0.0, 1.5, -1.9), yaw=0.0, pitch=10.0)
    Renderer().view(watched, behind, frozenset({Channel.IDS}), 100)
    assert is_visible(fresh, mug.object_id)
    assert is_visible(watched, mug.object_id)
