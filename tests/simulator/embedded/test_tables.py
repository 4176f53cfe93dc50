"""Learnt facts: known rooms by table, everything else by a rule, for every room and type."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from teach_agents.simulator.embedded import tables
from teach_agents.simulator.embedded.loading import load_room
from teach_agents.simulator.embedded.rooms import ROOM_NAMES, room


@pytest.mark.parametrize(
    ("object_type", "name", "count"),
    [
        ("Tomato", "Tomato_ffffffff", 7),
        ("Apple", "Apple_0ab594f8(Clone)_copy_3", 3),
        ("Bread", "Bread_14bde010", 9),
        ("Bread", "Bread_fe3eb59e", 5),
        ("Egg", "Egg_00000000", 1),
    ],
)
def test_the_prefab_decides_how_many_slices_there_are(object_type: str, name: str, count: int) -> None:
    assert tables.slice_count(object_type, name) == count


def test_slices_are_thinner_than_the_end_of_the_bread() -> None:
    for base in ("Bread", "Tomato", "Potato", "Lettuce"):
        assert min(tables.slice_size(base)) < 0.05
    assert tables.slice_size("Bread") == tables.slice_size("BreadSliced")
    assert tables.slice_size("BreadEnd").z > tables.slice_size("Bread").z


def test_supports_lie_within_their_boxes_in_every_room() -> None:
    for name in ROOM_NAMES:
        for obj in room(name).objects.values():
            if obj.kind.receptacle and obj.object_type != "Floor":
                assert 0.0 <= tables.support_height(name, obj) <= obj.box.size.y + 1e-9
                levels = tables.support_levels(name, obj)
                assert list(levels) == sorted(levels)


@pytest.mark.parametrize("object_type", ["CounterTop", "DiningTable", "Shelf", "Cabinet", "StoveBurner"])
def test_things_rest_at_the_support_height(object_type: str) -> None:
    gaps = [
        abs(inner.box.low.y - obj.box.low.y - tables.support_height(name, obj))
        for name in ROOM_NAMES
        for obj in room(name).objects.values()
        if obj.object_type == object_type
        for inner in (room(name).objects[i] for i in obj.contents)
        if inner.kind.pickupable
    ]
    assert sum(gap < 0.02 for gap in gaps) >= 0.8 * len(gaps)


def test_the_floor_is_at_height_zero() -> None:
    floor = next(o for o in load_room("FloorPlan1").objects.values() if o.object_type == "Floor")
    assert floor.box.low.y + tables.support_height("FloorPlan1", floor) == pytest.approx(0.0, abs=0.02)


def test_types_are_compatible_as_ai2_thor_says() -> None:
    assert tables.compatible("Mug", "CoffeeMachine")
    assert not tables.compatible("Tomato", "Pan")
    assert not tables.compatible("Pillow", "CounterTop")
    assert tables.compatible("ScrubBrush", "Bed")


def test_steps_walked_in_a_recorded_room_are_known_and_others_are_not() -> None:
    paths = tables.footpaths("FloorPlan1")
    assert paths is not None
    cells = [(paths.x0 + i, paths.z0 + j) for i in range(paths.width) for j in range(paths.depth)]
    found = [paths.step(x, z, d) for x, z in cells for d in range(4)]
    assert found.count(True) > 100
    assert False in found
    assert paths.step(paths.x0 - 5, 0, 0) is None


def test_most_made_steps_can_be_made_back() -> None:
    paths = tables.footpaths("FloorPlan1")
    assert paths is not None
    ways = ((1, 0), (0, 1), (-1, 0), (0, -1))
    back = [
        paths.step(x + ways[d][0], z + ways[d][1], (d + 2) % 4)
        for x in range(paths.x0, paths.x0 + paths.width)
        for z in range(paths.z0, paths.z0 + paths.depth)
        for d in range(4)
        if paths.step(x, z, d)
    ]
    assert back.count(False) <= 0.02 * len(back)


def test_every_room_has_an_interior_that_holds_its_entrance() -> None:
    for name in ROOM_NAMES:
        inside = tables.interior(name)
        x, _, z = room(name).agent.position
        assert inside is not None
        assert inside.holds(round(x / 0.25), round(z / 0.25)), name
    assert tables.interior("FloorPlan0") is None


def test_standing_zones_lie_over_their_receptacles() -> None:
    known = over = 0
    for name in ROOM_NAMES[:30]:
        for obj in room(name).objects.values():
            for zone in tables.standing_zones(name, obj.object_id):
                low, high = obj.box.low, obj.box.high
                over += low.x - 0.05 < zone.x0 < zone.x1 < high.x + 0.05
                over += low.z - 0.05 < zone.z0 < zone.z1 < high.z + 0.05
                known += 2
    assert known > 500
    assert over / known > 0.9  # a few rooms ship with counters other than the recorded ones
    assert tables.standing_zones("FloorPlan0", "CounterTop|a") == ()


def test_toast_goes_into_one_of_the_toasters_slots() -> None:
    for name in ROOM_NAMES[:30]:
        for obj in room(name).objects.values():
            if obj.object_type == "Toaster":
                offset = tables.attach_point(obj)
                assert math.hypot(offset.x, offset.z) == pytest.approx(0.038)


def test_tables_of_another_folder_take_the_place_of_the_shipped_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shipped = {name: tables._read(name) for name in ("tables.json", "tables_rooms.json")}
    monkeypatch.setenv("TEACH_AGENTS_TABLES", str(tmp_path))
    (tmp_path / "tables.json").write_text('{"slices": {}}')
    assert tables._read("tables.json") == {"slices": {}}
    assert tables._read("tables_rooms.json") == shipped["tables_rooms.json"]
