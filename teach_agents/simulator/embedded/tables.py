"""Facts learnt from AI2-THOR's tables and TEACh's train sessions, by room where they differ, by type otherwise.

The data files are built by `scripts/build_tables.py`; NOTICE names the sources. A room or type that the recordings
never showed falls back to the type's median or to a geometric rule, so every function answers for every room.

Files in the folder that the environment variable TEACH_AGENTS_TABLES names take the place of those that the package
ships; files that are missing there are the package's. It is read once, when a process first asks for a fact, and
inherited by worker processes: `benchmarks/five_fold.py` measures rooms with tables that never saw them this way.
"""

from __future__ import annotations

import base64
import json
import math
import os
import statistics
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path

from teach_agents.core.json_types import JsonObject
from teach_agents.observations import Vec3
from teach_agents.simulator.contract import Box, ObjectState
from teach_agents.simulator.embedded.facts import ONE_PLACE, PIECES, is_shut
from teach_agents.simulator.embedded.geometry import Rectangle, box_around

_ELSEWHERE = "TEACH_AGENTS_TABLES"
_DEFAULT_SLICES = 5
_AT_PIVOT = (0.0, 0.0, 0.0)
_TOASTER_DEPTH = 0.15
"""How far a slice's pivot is above the pivot of a toaster at least, metres."""
_SLOT = 0.038
"""How far a toaster's slots are from its middle, metres."""
_SLICE_IN_TOASTER = 0.065
"""How far a slice's pivot is below the top of a toaster's box, metres."""


@dataclass(frozen=True, slots=True)
class _Cells:
    """Facts about the cells of a room's grid, 0.25 m wide, packed x-major."""

    x0: int
    z0: int
    width: int
    depth: int
    cells: bytes


class Footpaths(_Cells):
    """Steps that people made, or were refused, in one room: whole grid steps of 0.25 m.

    `cells` holds one byte per cell: bit d says that the step in direction d was made, bit d + 4 that it was refused, in
    most of the train sessions that tried it. Directions: 0 +x, 1 +z, 2 -x, 3 -z.
    """

    def step(self, x: int, z: int, direction: int) -> bool | None:
        """Whether the step from cell (x, z), in grid units, was made (true), refused (false), or never decided."""
        i, j = x - self.x0, z - self.z0
        if not (0 <= i < self.width and 0 <= j < self.depth):
            return None
        bits = self.cells[i * self.depth + j] >> direction
        return True if bits & 1 else False if bits & 16 else None


class Interior(_Cells):
    """The grid cells inside a room's walls, which AI2-THOR's metadata does not describe. One bit a cell."""

    def holds(self, x: int, z: int) -> bool:
        """Whether cell (x, z), in grid units of 0.25 m, lies inside."""
        i, j = x - self.x0, z - self.z0
        index = i * self.depth + j
        inside = 0 <= i < self.width and 0 <= j < self.depth
        return inside and bool(self.cells[index >> 3] >> (7 - (index & 7)) & 1)


def support_height(room: str, obj: ObjectState) -> float:
    """Height in metres of the receptacle's surface above the bottom of its box, between 0 and the box's height.

    Learnt from where things rested in this room, else the type's median: a share of the box's height for what stays in
    place, a height for what is carried; else the top of the box. The Floor's surface is at height 0 of the room. For a
    fridge this is its commonest shelf; `support_levels` knows them all.
    """
    table = _general()
    if obj.object_type == "Floor":
        return max(0.0, -obj.box.low.y)
    height: float | None = table["support_heights"].get(room, {}).get(obj.object_id)
    if height is None:
        height = table["support_heights_by_type"].get(obj.object_type)
    if height is None:
        height = table["support_shares_by_type"].get(obj.object_type, 1.0) * obj.box.size.y
    return max(0.0, min(height, obj.box.size.y))


def support_levels(room: str, obj: ObjectState) -> tuple[float, ...]:
    """Heights in metres above the box's bottom of the levels that things stand on, lowest first."""
    if obj.object_type != "Fridge":
        return (support_height(room, obj),)
    learnt = _learnt(room, "shelves").get(obj.object_id)
    return tuple(learnt) if learnt else tuple(share * obj.box.size.y for share in _general()["fridge_shelves"])


def attach_point(receptacle: ObjectState) -> Vec3:
    """Where the pivot of what a one-place receptacle holds goes, relative to the receptacle's pivot, metres.

    Known per model for coffee machines and toasters, per type for burners and holders.
    """
    table, prefab = _general(), receptacle.kind.name.partition("(")[0]
    right, up, forward = table["attached"].get(receptacle.object_type, _AT_PIVOT)
    if receptacle.object_type == "CoffeeMachine":
        right, up, forward = table["mug_places"].get(prefab, (right, up, forward))
    if receptacle.object_type == "Toaster":
        right = _SLOT if prefab in table["right_slots"] else -_SLOT
        # In the recordings a slice's upper edge is 1 to 4 cm below the top of the toaster's box, whatever its height.
        up = max(_TOASTER_DEPTH, receptacle.box.high.y - receptacle.position.y - _SLICE_IN_TOASTER)
    yaw = math.radians(receptacle.rotation.y)
    sine, cosine = math.sin(yaw), math.cos(yaw)
    return Vec3(right * cosine + forward * sine, up, forward * cosine - right * sine)


def slice_count(object_type: str, name: str) -> int:
    """How many objects slicing makes of a thing with GameObject `name` (a bread's end piece included).

    A function of the prefab, the part of the name before `(`; the type's median for an unknown prefab.
    """
    known: Mapping[str, int] = _general()["slices"]
    return known.get(name.split("(")[0]) or _typical_slices(object_type)


@cache
def _typical_slices(object_type: str) -> int:
    counts = [n for name, n in _general()["slices"].items() if name.split("_")[0] == object_type]
    return int(statistics.median_low(counts)) if counts else _DEFAULT_SLICES


def slice_size(object_type: str) -> Vec3:
    """Size in metres of one slice; takes the base's type or the slice's own. `Bread` means a slice of bread.

    The end piece of a bread is `slice_size("BreadEnd")`.
    """
    sizes = _general()["slice_sizes"]
    if object_type == "BreadEnd":
        return Vec3(*sizes["Bread"])
    return Vec3(*sizes.get(PIECES.get(object_type, object_type), (0.07, 0.07, 0.03)))


def compatible(held_type: str, receptacle_type: str) -> bool:
    """AI2-THOR's placement restriction by type (specification 1.3). Types without a row may go anywhere."""
    allowed = _general()["compatible"].get(held_type)
    return allowed is None or receptacle_type in allowed


def refusal(held: ObjectState, receptacle: ObjectState, force: bool) -> str:
    """Why AI2-THOR puts nothing like what is held into a receptacle, in its words; empty where it may.

    `force` skips the restriction by type, except of receptacles with one fixed place.
    """
    if not receptacle.kind.receptacle:
        return "This target object is NOT a receptacle!"
    if is_shut(receptacle):
        return "Target openable Receptacle is CLOSED, can't place if target is not open!"
    fitting = ONE_PLACE.get(receptacle.object_type)
    if fitting is not None and held.object_type not in fitting:
        return f"{held.kind.name} is not a valid Object Type to be placed in {receptacle.kind.name}"
    if fitting is None and not force and not compatible(held.object_type, receptacle.object_type):
        return f"{held.kind.name} cannot be placed in {receptacle.kind.name}"
    return ""


def counter_outline(room: str, counter_id: str) -> tuple[Rectangle, ...]:
    """The counter's learnt outline as disjoint rectangles; empty if the recordings say nothing."""
    return _rectangles(room, "counters", counter_id)


@cache
def _rectangles(room: str, fact: str, receptacle_id: str) -> tuple[Rectangle, ...]:
    return tuple(Rectangle(*one) for one in _learnt(room, fact).get(receptacle_id, ()))


def open_box(room: str, object_id: str) -> Box | None:
    """The axis-aligned box of a fully opened door or drawer as recorded (body and panel together), if it ever was."""
    return _open_boxes(room).get(object_id)


def standing_zones(room: str, receptacle_id: str) -> tuple[Rectangle, ...]:
    """AI2-THOR's trigger boxes over a receptacle, seen from above; empty where the recordings do not show them."""
    return _rectangles(room, "zones", receptacle_id)


@cache
def _open_boxes(room: str) -> dict[str, Box]:
    learnt = _learnt(room, "opened")
    return {name: box_around((Vec3(*span[:3]), Vec3(*span[3:]))) for name, span in learnt.items()}


@cache
def footpaths(room: str) -> Footpaths | None:
    """The steps recorded in a room, `None` where no session was recorded."""
    paths = _learnt(room, "paths")
    return Footpaths(*_grid(paths)) if paths else None


@cache
def interior(room: str) -> Interior | None:
    """The cells inside the room's walls, by where people walked and where furniture stands; `None` if unknown."""
    inside = _learnt(room, "interior")
    return Interior(*_grid(inside)) if inside else None


def _grid(stored: JsonObject) -> tuple[int, int, int, int, bytes]:
    (x0, z0), (width, depth) = stored["origin"], stored["shape"]
    return x0, z0, width, depth, zlib.decompress(base64.b64decode(stored["cells"]))


def elbow_room(object_type: str) -> tuple[float, float] | None:
    """What a click on this type of receptacle needs: by how much a box that still fits may be wider and deeper than
    what is held, and how far from the click it may be, metres. `None` for types that showed no such need.
    """
    limits = _table("crowding.json").get(object_type)
    return limits and (limits[0], limits[1])


def _general() -> JsonObject:
    return _table("tables.json")


def _learnt(room: str, fact: str) -> JsonObject:
    """What is learnt of one kind in a room, by object id or as a whole; empty where nothing is."""
    found: JsonObject = _table("tables_rooms.json").get(room, {}).get(fact, {})
    return found


def _read(name: str) -> JsonObject:
    shipped, other = resources.files(__package__) / "data" / name, os.environ.get(_ELSEWHERE)
    elsewhere = Path(other or "", name)
    table: JsonObject = json.loads((elsewhere if other and elsewhere.exists() else shipped).read_text(encoding="utf-8"))
    return table


_table = cache(_read)
