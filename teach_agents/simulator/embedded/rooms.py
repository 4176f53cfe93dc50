"""The 120 iTHOR rooms, by name, from one data file.

Kitchens are FloorPlan1-30, living rooms 201-230, bedrooms 301-330, bathrooms 401-430. A room is decoded once per
process and shared: its values are immutable.
"""

from __future__ import annotations

import json
import zipfile
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from io import BytesIO
from types import MappingProxyType
from typing import Any

from teach_agents.core.json_types import JsonObject
from teach_agents.errors import SceneError
from teach_agents.observations import Pose, Vec3
from teach_agents.simulator.contract import Box, ObjectKind, ObjectState
from teach_agents.simulator.embedded.geometry import CORNERS, plus, rotation_rows, turned
from teach_agents.simulator.embedded.world import nearest_first
from teach_agents.simulator.metadata import AFFORDANCES
from teach_agents.simulator.metadata import FLAGS as STATES_OF

METRE = 10_000
"""Units of length of the data file in one metre."""
TURN = 100
"""Units of angle of the data file in one degree."""

CONDITIONS = {field: key for field, key in STATES_OF.items() if field not in ("is_sliced", "is_picked_up")}
"""What an object is as it ships, with AI2-THOR's keys; like `AFFORDANCES` in the order of the data file's bits."""
FLAGS, STATES = tuple(AFFORDANCES.values()), tuple(CONDITIONS.values())

_SHIPPED_LIQUID = "wine"
"""Only wine bottles ship filled; the source does not say with what (AI2-THOR specification 1.2)."""

ROOM_NAMES = tuple(f"FloorPlan{first + n}" for first in (1, 201, 301, 401) for n in range(30))
"""Every room, in floor-plan order."""

_START_HORIZON = 30.0
"""TEACh sessions start looking 30 degrees down (TEACh specification 5.1)."""


@dataclass(frozen=True, slots=True)
class Room:
    """One room as it ships: its objects in AI2-THOR's list order and the pose in which a body enters it."""

    name: str
    agent: Pose
    objects: MappingProxyType[str, ObjectState]
    by_prefab: MappingProxyType[str, ObjectKind]
    """One kind per prefab name, for facts that a stored state leaves out."""


def prefab_of(name: str) -> str:
    """The prefab of a GameObject name: what stands before `(` (TEACh specification 5.7)."""
    return name.partition("(")[0]


def type_of(object_id: str) -> str:
    """AI2-THOR's object type of an id: the first of four parts, else the last part up to `_` (specification 1.5)."""
    parts = object_id.split("|")
    return parts[0] if len(parts) <= 4 else parts[-1].partition("_")[0]


def kind_of(room: str) -> str:
    """`kitchen`, `living room`, `bedroom` or `bathroom`, by the number in a room's name."""
    number = int(room.removeprefix("FloorPlan"))
    return _KINDS[number // 100]


def room_name(scene: str) -> str:
    """The room's name without AI2-THOR's `_physics` suffix. Raises `SceneError` for an unknown room."""
    name = scene.removesuffix("_physics")
    if name not in _KNOWN:
        raise SceneError("room", "no such room", value=scene, valid=ROOM_NAMES)
    return name


@lru_cache(maxsize=len(ROOM_NAMES))
def room(name: str) -> Room:
    """The room called `name`. Raises `SceneError` for an unknown room."""
    if name not in _KNOWN:
        raise SceneError("room", "no such room", value=name, valid=ROOM_NAMES)
    with zipfile.ZipFile(BytesIO(_archive())) as archive:
        return decoded(name, archive.read(f"{name}.json"))


def decoded(name: str, member: bytes) -> Room:
    """A room from its member of the data file, as `scripts/build_rooms.py` writes it."""
    content = json.loads(member)
    records = content["objects"]
    ids = [record[0] for record in records]
    contents: list[list[str]] = [[] for _ in ids]
    for object_id, record in zip(ids, records, strict=True):
        for parent in record[11]:
            contents[parent].append(object_id)
    states = [_state(record, ids, inside) for record, inside in zip(records, contents, strict=True)]
    states = [s.changed(parents=nearest_first(states[n] for n in r[11])) for s, r in zip(states, records, strict=True)]
    *place, yaw = content["agent"]
    pose = Pose(_metres(place), yaw=float(yaw), horizon=_START_HORIZON)
    by_prefab = {prefab_of(state.kind.name): state.kind for state in states}
    return Room(name, pose, MappingProxyType(dict(zip(ids, states, strict=True))), MappingProxyType(by_prefab))


_KINDS = {0: "kitchen", 2: "living room", 3: "bedroom", 4: "bathroom"}
_KNOWN = frozenset(ROOM_NAMES)


@lru_cache(maxsize=1)
def _archive() -> bytes:
    return (files("teach_agents.simulator.embedded") / "data" / "rooms.zip").read_bytes()


def _metres(values: list[int]) -> Vec3:
    x, y, z = values
    return Vec3(x / METRE, y / METRE, z / METRE)


def _kind(record: list[Any], ids: list[str]) -> ObjectKind:
    object_id, name, asset_id, bits, mass, materials, controls = record[:7]
    return ObjectKind(
        object_id=object_id,
        object_type=type_of(object_id),
        name=name,
        asset_id=asset_id,
        mass=mass,
        materials=None if materials is None else tuple(materials),
        controls=tuple(ids[number] for number in controls),
        **{field: bool(bits >> bit & 1) for bit, field in enumerate(AFFORDANCES)},
    )


def _corners(numbers: list[int] | None, center: Vec3, rotation: Vec3) -> tuple[Vec3, ...] | None:
    if numbers is None:
        return None
    middle, half, rows = plus(center, _metres(numbers[:3])), _metres(numbers[3:]), rotation_rows(rotation)
    return tuple(plus(middle, turned(rows, Vec3(a * half.x, b * half.y, c * half.z))) for a, b, c in CORNERS)


def _state(record: list[Any], ids: list[str], contents: list[str]) -> ObjectState:
    place, turn, box, oriented, _, bits, openness, liquid, temperature = record[7:]
    position, rotation = _metres(place), Vec3(*(angle / TURN for angle in turn))
    center = plus(position, _metres(box[:3]))
    flags: JsonObject = {field: bool(bits >> bit & 1) for bit, field in enumerate(CONDITIONS)}
    if flags["is_filled"] and liquid is None:
        liquid = _SHIPPED_LIQUID
    return ObjectState(
        kind=_kind(record, ids),
        position=position,
        rotation=rotation,
        box=Box(center, _metres(box[3:])),
        corners=_corners(oriented, center, rotation),
        contents=tuple(contents),
        openness=openness,
        liquid=liquid,
        temperature=temperature,
        **flags,
    )
