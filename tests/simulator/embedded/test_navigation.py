"""Where the body can go, against geometry, against AI2-THOR's words, and against what people could do."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from teach_agents.observations import Vec3
from teach_agents.simulator.embedded import tables
from teach_agents.simulator.embedded.geometry import distance_to_footprint, posed, rectangle_of
from teach_agents.simulator.embedded.loading import load_room
from teach_agents.simulator.embedded.navigation import GRID, NavigationMap
from teach_agents.simulator.embedded.rooms import ROOM_NAMES
from teach_agents.simulator.embedded.shapes.fronts import Fronts, open_panels
from teach_agents.simulator.embedded.world import World
from tests.simulator.embedded.recordings import sample, steps_of, world_of

_WAYS = ((GRID, 0.0), (0.0, GRID), (-GRID, 0.0), (0.0, -GRID))


def _point(x: float, z: float) -> Vec3:
    return Vec3(x, 0.9, z)


def test_the_body_reaches_a_good_part_of_every_room_and_starts_there() -> None:
    for name in ROOM_NAMES:
        world = load_room(name)
        cells = NavigationMap(world).reachable(world)
        assert (world.agent.position.x, world.agent.position.z) in cells
        assert 20 <= len(cells) <= 900, name


def test_every_reachable_cell_has_a_free_step_into_it() -> None:
    world = load_room("FloorPlan1")
    navigation = NavigationMap(world)
    cells = navigation.reachable(world)
    start = world.agent.position
    for x, z in cells - {(start.x, start.z)}:
        sources = [(x - dx, z - dz, dx, dz) for dx, dz in _WAYS if (x - dx, z - dz) in cells]
        assert any(navigation.blocker(world, _point(sx, sz), dx, dz) is None for sx, sz, dx, dz in sources)


def test_furniture_blocks_by_its_game_object_name() -> None:
    world = load_room("FloorPlan1")
    navigation = NavigationMap(world)
    names = {obj.kind.name for obj in world.objects.values()}
    found = {
        navigation.blocker(world, _point(x, z), dx, dz) for x, z in navigation.reachable(world) for dx, dz in _WAYS
    }
    assert found & names
    assert found <= names | {None, "wall"}


def test_nobody_leaves_the_room() -> None:
    world = load_room("FloorPlan1")
    floor = next(o for o in world.objects.values() if o.object_type == "Floor").box
    for x, z in NavigationMap(world).reachable(world):
        assert floor.low.x + 0.19 < x < floor.high.x - 0.19
        assert floor.low.z + 0.19 < z < floor.high.z - 0.19


def test_the_body_stays_clear_of_stoves_whose_front_has_no_box() -> None:
    unseen = [name for name in ROOM_NAMES[:30] if tables.footpaths(name) is None]
    measured = 0
    for name in unseen:
        world = load_room(name)
        burners = [rectangle_of(o.box).footprint for o in world.objects.values() if o.object_type == "StoveBurner"]
        cells = NavigationMap(world).reachable(world) - {(world.agent.position.x, world.agent.position.z)}
        assert all(distance_to_footprint(x, z, burner) > 0.3 for x, z in cells for burner in burners), name
        measured += len(burners)
    assert measured


def _free_step(world: World, navigation: NavigationMap) -> tuple[Vec3, float, float]:
    """A step with room on the far side, away from where the body stands."""
    cells = navigation.reachable(world)
    for x, z in sorted(cells):
        if all((x + i * GRID, z) in cells for i in range(-2, 5)):
            return _point(x, z), GRID, 0.0
    raise AssertionError("no straight way in this room")


def test_a_thing_put_on_the_floor_blocks_until_it_is_taken() -> None:
    world = load_room("FloorPlan1")
    navigation = NavigationMap(world)
    start, dx, dz = _free_step(world, navigation)
    pot = next(o for o in world.objects.values() if o.object_type == "Pot")
    assert navigation.blocker(world, start, dx, dz) is None
    there = posed(pot, Vec3(start.x + 0.35, 0.1, start.z), Vec3(0.0, 0.0, 0.0))
    world.pose(pot.object_id, there.position, there.rotation)
    assert navigation.blocker(world, start, dx, dz) == pot.kind.name
    world.take(pot.object_id)
    assert navigation.blocker(world, start, dx, dz) is None


def test_a_body_caught_in_a_box_may_leave_it_but_not_go_deeper() -> None:
    world = load_room("FloorPlan1")
    navigation = NavigationMap(world)
    start, dx, dz = _free_step(world, navigation)
    pot = next(o for o in world.objects.values() if o.object_type == "Pot")
    world.pose(pot.object_id, Vec3(start.x + 0.25, 0.1, start.z), Vec3(0.0, 0.0, 0.0))
    assert navigation.blocker(world, start, dx, dz) == pot.kind.name
    assert navigation.blocker(world, start, -dx, -dz) is None


def test_an_opened_fridge_door_stands_in_the_way() -> None:
    blocked = 0
    for name in ROOM_NAMES[:10]:
        world = load_room(name)
        navigation = NavigationMap(world)
        cells = navigation.reachable(world)
        fridge = next(o for o in world.objects.values() if o.object_type == "Fridge")
        before = {(x, z, d): navigation.blocker(world, _point(x, z), *d) for x, z in cells for d in _WAYS}
        opened = world.update(fridge.object_id, openness=1.0)
        after = {key: navigation.blocker(world, _point(key[0], key[1]), *key[2]) for key in before}
        assert all(after[key] is not None for key, name in before.items() if name is not None)
        blocked += any(after[key] == fridge.kind.name and before[key] is None for key in before)
        assert open_panels(Fronts(world), opened)
        world.update(fridge.object_id, openness=0.0)
        assert all(navigation.blocker(world, _point(x, z), *d) == was for (x, z, d), was in before.items())
    assert blocked >= 8


def test_a_move_of_two_steps_is_blocked_by_what_blocks_the_second() -> None:
    world = load_room("FloorPlan1")
    navigation = NavigationMap(world)
    cells = navigation.reachable(world)
    checked = 0
    for x, z in cells:
        for dx, dz in _WAYS:
            first = navigation.blocker(world, _point(x, z), dx, dz)
            second = navigation.blocker(world, _point(x + dx, z + dz), dx, dz)
            assert navigation.blocker(world, _point(x, z), 2 * dx, 2 * dz) == (first or second)
            checked += first is None and second is not None
    assert checked


def test_moves_off_the_grid_are_judged_by_geometry() -> None:
    world = load_room("FloorPlan1")
    navigation = NavigationMap(world)
    start, _, _ = _free_step(world, navigation)
    assert navigation.blocker(world, Vec3(start.x + 0.06, 0.9, start.z), 0.1, 0.0) is None
    assert navigation.blocker(world, start, 40.0, 0.03) == "wall"


def test_the_map_follows_whichever_state_it_is_asked_about() -> None:
    world = load_room("FloorPlan1")
    navigation = NavigationMap(world)
    start, dx, dz = _free_step(world, navigation)
    pot = next(o for o in world.objects.values() if o.object_type == "Pot")
    other = world.copy()
    other.pose(pot.object_id, Vec3(start.x + 0.35, 0.1, start.z), Vec3(0.0, 0.0, 0.0))
    assert navigation.blocker(other, start, dx, dz) == pot.kind.name
    assert navigation.blocker(world, start, dx, dz) is None


def test_reachable_cells_follow_the_body() -> None:
    world = load_room("FloorPlan1")
    navigation = NavigationMap(world)
    cells = navigation.reachable(world)
    x, z = max(cells)
    world.move_agent(replace(world.agent, position=_point(x, z)))
    assert (x, z) in navigation.reachable(world)


@pytest.mark.data
def test_people_could_walk_where_the_map_lets_them_and_not_elsewhere(teach_data: Path) -> None:
    """Initial-state obstacles, a fifth of valid_seen: nothing was learnt from these sessions."""
    allowed = [0, 0]
    refused = [0, 0]
    for game in sample(teach_data / "games" / "valid_seen", every=5):
        world = world_of(game)
        navigation = NavigationMap(world)
        for step in steps_of(game):
            free = navigation.blocker(world, step.start, step.dx, step.dz) is None
            tally = allowed if step.allowed else refused
            tally[0] += free is step.allowed
            tally[1] += 1
    assert allowed[1] > 2000
    assert refused[1] > 200
    assert allowed[0] / allowed[1] >= 0.99
    assert refused[0] / refused[1] >= 0.88


def test_a_map_that_has_answered_before_answers_from_elsewhere_as_a_new_one_does() -> None:
    world = load_room("FloorPlan28")
    navigation = NavigationMap(world)
    for x, z in sorted(navigation.reachable(world)):
        world.move_agent(replace(world.agent, position=_point(x, z)))
        assert navigation.reachable(world) == NavigationMap(world).reachable(world)
