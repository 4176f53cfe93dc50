"""Object states as AI2-THOR's dictionaries."""

from __future__ import annotations

import json
from dataclasses import replace

from teach_agents.simulator.embedded.rooms import ROOM_NAMES, room
from teach_agents.simulator.metadata import object_metadata

_KEYS = (
    "name position rotation visible isInteractable receptacle toggleable isToggled breakable isBroken "
    "canFillWithLiquid isFilledWithLiquid fillLiquid dirtyable isDirty canBeUsedUp isUsedUp cookable isCooked "
    "temperature isHeatSource isColdSource sliceable isSliced openable isOpen openness pickupable isPickedUp moveable "
    "mass salientMaterials receptacleObjectIds distance objectType objectId assetId parentReceptacles "
    "controlledObjects isMoving axisAlignedBoundingBox objectOrientedBoundingBox"
).split()


def test_the_keys_are_those_of_ai2thor_in_its_order() -> None:
    mug = next(iter(room("FloorPlan1").objects.values()))
    assert list(object_metadata(mug)) == _KEYS
    assert len(_KEYS) == 42


def test_old_files_call_the_temperature_by_another_name() -> None:
    mug = next(iter(room("FloorPlan1").objects.values()))
    old = object_metadata(mug, old_names=True)
    assert old["ObjectTemperature"] == "RoomTemp"
    assert "temperature" not in old


def test_lists_are_null_where_ai2thor_has_null() -> None:
    for name in ROOM_NAMES[::17]:
        for obj in room(name).objects.values():
            row = object_metadata(obj)
            assert (row["receptacleObjectIds"] is not None) is obj.kind.receptacle
            assert (row["controlledObjects"] is not None) is obj.kind.toggleable
            assert row["parentReceptacles"] is None or row["parentReceptacles"]
            assert (row["objectOrientedBoundingBox"] is None) is not (obj.kind.pickupable or obj.kind.moveable)
            json.dumps(row, allow_nan=False)


def test_corners_of_the_box_run_from_large_to_small() -> None:
    obj = next(iter(room("FloorPlan1").objects.values()))
    corners = object_metadata(obj)["axisAlignedBoundingBox"]["cornerPoints"]
    assert corners[0] == list(obj.box.high)
    assert corners[7] == list(obj.box.low)
    assert corners[1] == [obj.box.high.x, obj.box.high.y, obj.box.low.z]


def test_a_sliced_base_has_an_empty_box() -> None:
    apple = next(o for o in room("FloorPlan1").objects.values() if o.object_type == "Apple")
    row = object_metadata(replace(apple, exists=False, is_sliced=True))
    assert row["axisAlignedBoundingBox"]["cornerPoints"] is None
    assert row["objectOrientedBoundingBox"] is None
