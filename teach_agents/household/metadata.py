"""Object states as the dictionaries of TEACh's files: AI2-THOR's keys in the order in which games hold them (1.5)."""

from __future__ import annotations

from typing import Any

from teach_agents.simulator.contract import Box, ObjectState

__all__ = ["object_metadata"]

_NO_BOX: dict[str, Any] = {
    "cornerPoints": None,
    "center": {"x": 0.0, "y": 0.0, "z": 0.0},
    "size": {"x": 0.0, "y": 0.0, "z": 0.0},
}


def object_metadata(obj: ObjectState) -> dict[str, Any]:
    """One object's metadata with the keys of TEACh's games and `fillLiquid`.

    `visible`, `obstructed` and `distance` depend on where the Follower stands: here they have the values of an object
    that is not seen, 0 m away. An object without geometry (a sliced base) has AI2-THOR's empty box.
    """
    kind = obj.kind
    return {
        "name": kind.name,
        "position": obj.position._asdict(),
        "rotation": obj.rotation._asdict(),
        "visible": False,
        "obstructed": True,
        "receptacle": kind.receptacle,
        "toggleable": kind.toggleable,
        "isToggled": obj.is_toggled,
        "breakable": kind.breakable,
        "isBroken": obj.is_broken,
        "canFillWithLiquid": kind.fillable,
        "isFilledWithLiquid": obj.is_filled,
        "fillLiquid": obj.liquid,
        "dirtyable": kind.dirtyable,
        "isDirty": obj.is_dirty,
        "canBeUsedUp": kind.can_be_used_up,
        "isUsedUp": obj.is_used_up,
        "cookable": kind.cookable,
        "isCooked": obj.is_cooked,
        "ObjectTemperature": obj.temperature,
        "canChangeTempToHot": kind.heat_source,
        "canChangeTempToCold": kind.cold_source,
        "sliceable": kind.sliceable,
        "isSliced": obj.is_sliced,
        "openable": kind.openable,
        "isOpen": obj.is_open,
        "openness": obj.openness,
        "pickupable": kind.pickupable,
        "isPickedUp": obj.is_picked_up,
        "moveable": kind.moveable,
        "mass": kind.mass,
        "salientMaterials": None if kind.materials is None else list(kind.materials),
        "receptacleObjectIds": list(obj.contents) if kind.receptacle else None,
        "distance": 0.0,
        "objectType": kind.object_type,
        "objectId": kind.object_id,
        "parentReceptacles": list(obj.parents) or None,
        "isMoving": False,
        "axisAlignedBoundingBox": _box(obj.box) if obj.exists else _NO_BOX,
        "objectOrientedBoundingBox": _oriented(obj),
    }


def _box(box: Box) -> dict[str, Any]:
    low, high = box.low, box.high
    corners = [[x, y, z] for x in (high.x, low.x) for y in (high.y, low.y) for z in (high.z, low.z)]
    return {"cornerPoints": corners, "center": box.center._asdict(), "size": box.size._asdict()}


def _oriented(obj: ObjectState) -> dict[str, Any] | None:
    if obj.corners is None or not obj.exists:
        return None
    return {"cornerPoints": [list(corner) for corner in obj.corners]}
