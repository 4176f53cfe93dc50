"""Object states as AI2-THOR's metadata dictionaries (AI2-THOR specification 4.2)."""

from __future__ import annotations

from collections.abc import Mapping

from teach_agents.core.json_types import JsonObject
from teach_agents.observations import Vec3
from teach_agents.simulator.contract import Box, ObjectState

AFFORDANCES: Mapping[str, str] = {
    "receptacle": "receptacle",
    "toggleable": "toggleable",
    "breakable": "breakable",
    "fillable": "canFillWithLiquid",
    "dirtyable": "dirtyable",
    "can_be_used_up": "canBeUsedUp",
    "cookable": "cookable",
    "sliceable": "sliceable",
    "openable": "openable",
    "pickupable": "pickupable",
    "moveable": "moveable",
    "heat_source": "isHeatSource",
    "cold_source": "isColdSource",
}
"""What an object's kind says it can be, and the key of it in AI2-THOR's metadata."""

FLAGS: Mapping[str, str] = {
    "is_toggled": "isToggled",
    "is_broken": "isBroken",
    "is_filled": "isFilledWithLiquid",
    "is_dirty": "isDirty",
    "is_used_up": "isUsedUp",
    "is_cooked": "isCooked",
    "is_sliced": "isSliced",
    "is_picked_up": "isPickedUp",
}
"""The same of what an object is now."""

_NO_BOX_CENTER = {"x": 0.0, "y": 0.0, "z": 0.0}


def object_metadata(
    obj: ObjectState, *, visible: bool = False, distance: float = 0.0, old_names: bool = False
) -> JsonObject:
    """One object's dictionary: the 42 keys of AI2-THOR 5.0.0 in its order.

    `visible` and `distance` (metres from the body to the object's position) depend on where the body is, so the
    caller gives them. With `old_names` the temperature is called `ObjectTemperature`, as in TEACh's released files.
    The dictionary is new at each call; callers may keep it for as long as the `ObjectState` is the same value.
    """
    kind = obj.kind
    return {
        "name": kind.name,
        "position": _point(obj.position),
        "rotation": _point(obj.rotation),
        "visible": visible,
        "isInteractable": visible,
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
        "ObjectTemperature" if old_names else "temperature": obj.temperature,
        "isHeatSource": kind.heat_source,
        "isColdSource": kind.cold_source,
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
        "distance": distance,
        "objectType": kind.object_type,
        "objectId": kind.object_id,
        "assetId": kind.asset_id,
        "parentReceptacles": list(obj.parents) or None,
        "controlledObjects": list(kind.controls) if kind.toggleable else None,
        "isMoving": False,
        "axisAlignedBoundingBox": box_metadata(obj.box, obj.exists),
        "objectOrientedBoundingBox": _oriented(obj),
    }


def _point(vector: Vec3) -> dict[str, float]:
    x, y, z = vector
    return {"x": x, "y": y, "z": z}


def box_metadata(box: Box, exists: bool = True) -> JsonObject:
    """A box. Corners: the larger x first, inside it the larger y, inside it the larger z; null without geometry."""
    if not exists:
        return {"cornerPoints": None, "center": dict(_NO_BOX_CENTER), "size": dict(_NO_BOX_CENTER)}
    (x, y, z), (w, h, d) = box.center, box.size
    x0, y0, z0, x1, y1, z1 = x - w / 2, y - h / 2, z - d / 2, x + w / 2, y + h / 2, z + d / 2
    corners = [
        [x1, y1, z1],
        [x1, y1, z0],
        [x1, y0, z1],
        [x1, y0, z0],
        [x0, y1, z1],
        [x0, y1, z0],
        [x0, y0, z1],
        [x0, y0, z0],
    ]
    return {"cornerPoints": corners, "center": {"x": x, "y": y, "z": z}, "size": {"x": w, "y": h, "z": d}}


def _oriented(obj: ObjectState) -> JsonObject | None:
    if obj.corners is None or not obj.exists:
        return None
    return {"cornerPoints": list(map(list, obj.corners))}
