"""AI2-THOR's metadata as object states, of old and new releases (AI2-THOR specification 4.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from operator import is_not
from typing import Any

from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.observations import Pose, Vec3
from teach_agents.simulator.contract import Box, ObjectKind, ObjectState
from teach_agents.simulator.embedded.world import nearest_first
from teach_agents.simulator.metadata import AFFORDANCES, FLAGS
from teach_agents.simulator.thor.requests import vector

Raw = JsonMapping
_FLEETING = frozenset({"distance", "isInteractable", "isMoving", "visible", "visibleBounds2D"})
_NOWHERE = Vec3(0.0, 0.0, 0.0)


class ObjectReader:
    """Reads the objects of one event after the other; what has not changed keeps its `ObjectState`.

    `names` gives the ids by which objects are known here, where they are not AI2-THOR's own.
    """

    def __init__(self) -> None:
        self.names: dict[str, str] = {}
        self._raw: dict[str, JsonObject] = {}
        self._states: dict[str, ObjectState] = {}

    def read(self, rows: Sequence[Raw]) -> tuple[dict[str, ObjectState], bool]:
        """The objects by id, in AI2-THOR's order, and whether any differs from the last reading."""
        by_id = {self.name(str(row["objectId"])): row for row in rows}
        bare = {object_id: self._state(object_id, row) for object_id, row in by_id.items()}
        parents = {object_id: self._parents(object_id, row, bare) for object_id, row in by_id.items()}
        contents: dict[str, list[str]] = {object_id: [] for object_id in by_id}
        for object_id, holders in parents.items():
            for holder in holders:
                contents[holder].append(object_id)
        states: dict[str, ObjectState] = {}
        for object_id, obj in bare.items():
            now = replace(obj, parents=parents[object_id], contents=tuple(contents[object_id]))
            before = self._states.get(object_id)
            states[object_id] = before if before is not None and before == now else now
        changed = [*states] != [*self._states] or any(map(is_not, states.values(), self._states.values()))
        self._states = states
        return states, changed

    def name(self, thor_id: str) -> str:
        """The id by which an object is known here. A piece of an object is known by its whole's name."""
        if thor_id in self.names:
            return self.names[thor_id]
        whole, bar, piece = thor_id.rpartition("|")
        return f"{self.names[whole]}{bar}{piece}" if whole in self.names else thor_id

    def thor_name(self, object_id: str) -> str:
        """AI2-THOR's id of an object known here."""
        thor_ids = {ours: theirs for theirs, ours in self.names.items()}
        if object_id in thor_ids:
            return thor_ids[object_id]
        whole, bar, piece = object_id.rpartition("|")
        return f"{thor_ids[whole]}{bar}{piece}" if whole in thor_ids else object_id

    def _state(self, object_id: str, row: Raw) -> ObjectState:
        lasting = {key: value for key, value in row.items() if key not in _FLEETING}
        before = self._states.get(object_id)
        if before is not None and self._raw.get(object_id) == lasting:
            return before
        self._raw[object_id] = lasting
        return _state(object_id, row, before)

    def _parents(self, object_id: str, row: Raw, known: Mapping[str, ObjectState]) -> tuple[str, ...]:
        if row.get("isPickedUp") or not known[object_id].exists:
            return ()
        holders = (self.name(str(parent)) for parent in row.get("parentReceptacles") or ())
        return nearest_first(
            known[i] for i in dict.fromkeys(holders) if i in known and i != object_id and known[i].exists
        )


def _flags(row: Raw, keys: Mapping[str, str]) -> dict[str, Any]:
    return {name: bool(row.get(key)) for name, key in keys.items()}


def _state(object_id: str, row: Raw, before: ObjectState | None) -> ObjectState:
    box = row.get("axisAlignedBoundingBox") or {}
    corners = (row.get("objectOrientedBoundingBox") or {}).get("cornerPoints")
    there = box.get("cornerPoints") is not None
    last = before.box if before is not None else Box(vector(row["position"]), _NOWHERE)
    flags = _flags(row, FLAGS)
    if row["objectType"] == "StoveBurner":
        flags["is_toggled"] = False  # the knob decides; AI2-THOR repeats it here
    return ObjectState(
        kind=_kind(object_id, row),
        position=vector(row["position"]),
        rotation=vector(row["rotation"]),
        box=Box(vector(box["center"]), vector(box["size"])) if there else last,
        corners=None if corners is None else tuple(Vec3(*map(float, corner)) for corner in corners),
        openness=float(row.get("openness", 1.0)) if row.get("isOpen") else 0.0,
        liquid=row.get("fillLiquid") or None,
        **flags,
        temperature=str(row.get("temperature", row.get("ObjectTemperature", "RoomTemp"))),
        exists=there and not row.get("isSliced"),
    )


def _kind(object_id: str, row: Raw) -> ObjectKind:
    materials = row.get("salientMaterials")
    return ObjectKind(
        object_id=object_id,
        object_type=str(row["objectType"]),
        name=str(row["name"]),
        asset_id=str(row.get("assetId") or ""),
        **_flags(row, AFFORDANCES),
        mass=float(row.get("mass") or 0.0),
        materials=None if materials is None else tuple(map(str, materials)),
        controls=tuple(map(str, row.get("controlledObjects") or ())),
    )


def agent_pose(metadata: Raw) -> Pose:
    """The body, of an event's metadata."""
    agent = metadata["agent"]
    yaw = float(agent["rotation"]["y"])
    return Pose(vector(agent["position"]), yaw, float(agent["cameraHorizon"]), bool(agent.get("isStanding", True)))
