"""The rooms that ship: complete, consistent, quick to load, and what the builder writes is what the reader reads."""

from __future__ import annotations

import json
import runpy
from pathlib import Path

import pytest

from teach_agents.errors import SceneError
from teach_agents.simulator.embedded.rooms import ROOM_NAMES, decoded, prefab_of, room, room_name, type_of
from teach_agents.simulator.metadata import object_metadata

_SCRIPT = Path(__file__).parents[3] / "scripts" / "build_rooms.py"
_DATA = Path(__file__).parents[3] / "teach_agents" / "simulator" / "embedded" / "data" / "rooms.zip"


def test_there_are_thirty_rooms_of_each_kind() -> None:
    assert len(ROOM_NAMES) == len(set(ROOM_NAMES)) == 120
    assert ROOM_NAMES[0] == "FloorPlan1"
    assert ROOM_NAMES[-1] == "FloorPlan430"


def test_the_data_file_stays_small() -> None:
    assert _DATA.stat().st_size < 600_000


@pytest.mark.parametrize("first, needed", [(1, "StoveBurner"), (201, "Sofa"), (301, "Bed"), (401, "Toilet")])
def test_floor_plans_are_of_their_kind(first: int, needed: str) -> None:
    having = sum(
        any(obj.object_type == needed for obj in room(f"FloorPlan{first + n}").objects.values()) for n in range(30)
    )
    assert having == 30


def test_every_room_is_consistent() -> None:
    for name in ROOM_NAMES:
        objects = room(name).objects
        for object_id, obj in objects.items():
            assert obj.object_id == object_id
            assert obj.object_type == type_of(object_id)
            assert all(object_id in objects[parent].contents for parent in obj.parents)
            assert all(object_id in objects[inner].parents for inner in obj.contents)
            assert not (obj.kind.pickupable and obj.kind.moveable)
            assert (obj.corners is not None) == (obj.kind.pickupable or obj.kind.moveable)


def test_every_knob_controls_a_burner_of_its_room() -> None:
    knobs = 0
    for name in ROOM_NAMES[:30]:
        objects = room(name).objects
        controlled = [obj.kind.controls for obj in objects.values() if obj.object_type == "StoveKnob"]
        assert all(len(ids) == 1 and objects[ids[0]].object_type == "StoveBurner" for ids in controlled)
        assert len(set(controlled)) == len(controlled)
        knobs += len(controlled)
    assert knobs == 123


def test_the_body_enters_on_the_grid() -> None:
    for name in ROOM_NAMES:
        x, y, z = room(name).agent.position
        assert x % 0.25 == z % 0.25 == 0.0
        assert 0.8 < y < 1.2


def test_corners_are_those_of_the_box() -> None:
    mug = next(obj for obj in room("FloorPlan1").objects.values() if obj.object_type == "Mug")
    assert mug.corners is not None
    for axis in range(3):
        assert min(corner[axis] for corner in mug.corners) == pytest.approx(mug.box.low[axis], abs=0.002)
        assert max(corner[axis] for corner in mug.corners) == pytest.approx(mug.box.high[axis], abs=0.002)


def test_only_wine_bottles_ship_filled() -> None:
    filled = {(o.object_type, o.liquid) for name in ROOM_NAMES for o in room(name).objects.values() if o.is_filled}
    assert filled == {("WineBottle", "wine")}


def test_an_unknown_room_is_refused_with_a_suggestion() -> None:
    with pytest.raises(SceneError, match="did you mean 'FloorPlan30'"):
        room_name("FlorPlan30")
    with pytest.raises(SceneError, match="no such room"):
        room("Kitchen")
    assert room_name("FloorPlan7_physics") == "FloorPlan7"


def test_a_prefab_is_what_stands_before_the_bracket() -> None:
    assert prefab_of("Statue_f2838b6d(Clone)_copy_34") == "Statue_f2838b6d"
    assert prefab_of("Statue_f2838b6d") == "Statue_f2838b6d"


def test_types_follow_from_ids() -> None:
    assert type_of("Apple|-00.47|+01.15|+00.48") == "Apple"
    assert type_of("Sink|-01.90|+00.97|-01.50|SinkBasin") == "SinkBasin"
    assert type_of("Bread|+00.00|+01.00|-00.25|BreadSliced_4") == "BreadSliced"


def test_what_the_builder_writes_reads_back_the_same() -> None:
    build = runpy.run_path(str(_SCRIPT))["room"]
    for name in ("FloorPlan8", "FloorPlan330"):
        shipped = room(name)
        x, y, z = shipped.agent.position
        raw = []
        for obj in shipped.objects.values():
            px, py, pz = obj.position
            distance = ((px - x) ** 2 + (py - y) ** 2 + (pz - z) ** 2) ** 0.5
            raw.append(object_metadata(obj, distance=distance))
        again = decoded(name, build(raw))
        assert again.agent.position == shipped.agent.position
        assert dict(again.by_prefab) == dict(shipped.by_prefab)
        for object_id, obj in shipped.objects.items():
            other = again.objects[object_id]
            assert other.parents == obj.parents
            assert other.position == obj.position
            assert other.box.size == obj.box.size
        assert build(raw) == build(json.loads(json.dumps(raw)))
