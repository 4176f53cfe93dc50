"""What slicing and cracking make of an object.

Counts, names, places and masses as recorded in TEACh's final states: the first piece is half of the food and lies at
its +z side, the others lie beside it as slices that fall a little apart and taper; an apple falls into three wedges;
an egg becomes one cracked egg, turned upright. Positions are the pieces' centres. A bread's first piece is the end
piece `Bread_0`, which can be neither sliced nor toasted.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from teach_agents.observations import Vec3
from teach_agents.simulator.contract import ObjectKind, ObjectState
from teach_agents.simulator.embedded import tables
from teach_agents.simulator.embedded.facts import PIECES
from teach_agents.simulator.embedded.geometry import CORNERS, box_around, minus, plus, rotation_rows, turned
from teach_agents.simulator.embedded.world import World

COOKABLE_PIECES = frozenset({"BreadSliced", "EggCracked", "PotatoSliced"})
"""What can be cooked of what slicing makes."""
_WEDGES = ((0.0, 0.63, 0.0), (0.53, -0.31, 120.0), (-0.53, -0.31, 240.0))
"""An apple's wedges: x and z of the centre in half sizes, and yaw in degrees."""


class _Row(NamedTuple):
    """Medians of recorded final states, in half sizes of the food: z of the big piece, of the first and last slice.

    `width` and `height` are the last slice's, as shares of the food's.
    """

    end: float
    first: float
    last: float
    width: float
    height: float


_ROWS = {
    "Bread": _Row(0.49, -0.12, -1.1, 0.91, 0.86),
    "Lettuce": _Row(0.51, -0.08, -1.05, 0.78, 0.77),
    "Potato": _Row(0.55, -0.17, -1.25, 0.59, 0.53),
    "Tomato": _Row(0.49, -0.09, -1.07, 0.65, 0.71),
}


def slice_object(world: World, object_id: str) -> tuple[str, ...]:
    """Replace a sliceable object by its pieces and return their ids; the base stays in the list without geometry."""
    base = world.objects[object_id]
    pieces = pieces_of(base)
    world.update(object_id, is_sliced=True)
    world.discard(object_id)
    for piece in pieces:
        world.add(replace(piece, parents=base.parents))
    return tuple(piece.object_id for piece in pieces)


def pieces_of(base: ObjectState) -> tuple[ObjectState, ...]:
    """The pieces of `base`, last one first as AI2-THOR lists them; they have no parents yet."""
    count = tables.slice_count(base.object_type, base.kind.name)
    if base.object_type == "Egg":
        return (_piece(base, 0, 1, Vec3(0.0, 0.0, 0.0), Vec3(0.0, 0.0, 0.0)),)
    if base.object_type == "Apple" and count == len(_WEDGES):
        half, (pitch, own, roll) = _half_size(base), base.rotation
        pieces = [
            _piece(base, n, count, Vec3(x * half.x, 0.0, z * half.z), Vec3(pitch, (own + yaw) % 360.0, roll))
            for n, (x, z, yaw) in enumerate(_WEDGES)
        ]
    else:
        pieces = [_piece(base, n, count, _place_in_row(base, n, count), base.rotation) for n in range(count)]
    return tuple(reversed(pieces))


def _place_in_row(base: ObjectState, number: int, count: int) -> Vec3:
    """The piece's centre in the base's axes: in a row along z, all standing on the base's bottom."""
    half, row = _half_size(base), _row(base)
    z = row.end if number == 0 else row.first + (row.last - row.first) * _share(number, count)
    return Vec3(0.0, _piece_size(base, number, count).y / 2 - half.y, z * half.z)


def _row(base: ObjectState) -> _Row:
    return _ROWS.get(base.object_type, _ROWS["Bread"])


def _share(number: int, count: int) -> float:
    """How far along the row of slices a slice lies: 0 for the first, 1 for the last."""
    return (number - 1) / (count - 2) if count > 2 else 0.0


def _half_size(base: ObjectState) -> Vec3:
    """Half sizes in object axes."""
    if base.corners is None:
        return Vec3(*(side / 2 for side in base.box.size))
    a, b, c, e = (base.corners[n] for n in (0, 1, 3, 4))
    return Vec3(_apart(a, b) / 2, _apart(a, e) / 2, _apart(a, c) / 2)


def _apart(a: Vec3, b: Vec3) -> float:
    dx, dy, dz = minus(a, b)
    return float((dx**2 + dy**2 + dz**2) ** 0.5)


def _piece_size(base: ObjectState, number: int, count: int) -> Vec3:
    if base.object_type in ("Apple", "Egg"):
        return tables.slice_size(base.object_type)
    half = _half_size(base)
    if number == 0:
        return Vec3(2 * half.x, 2 * half.y, half.z)
    row, tapering = _row(base), _share(number, count) ** 2
    width, height = (1 - (1 - least) * tapering for least in (row.width, row.height))
    return Vec3(2 * half.x * width, 2 * half.y * height, half.z / (count - 1))


def _piece(base: ObjectState, number: int, count: int, offset: Vec3, rotation: Vec3) -> ObjectState:
    """One piece with its centre at `offset` from the base's centre, in the base's axes."""
    size = _piece_size(base, number, count)
    middle = base.box.center
    if base.object_type == "Egg":
        middle = Vec3(middle.x, base.box.low.y + size.y / 2, middle.z)
    center = plus(middle, turned(rotation_rows(base.rotation), offset))
    rows = rotation_rows(rotation)
    arms = (Vec3(a * size.x / 2, b * size.y / 2, c * size.z / 2) for a, b, c in CORNERS)
    corners = tuple(plus(center, turned(rows, arm)) for arm in arms)
    kind = _kind(base.kind, number, count)
    return ObjectState(
        kind=kind,
        position=center,
        rotation=rotation,
        box=box_around(corners),
        corners=corners,
        is_dirty=base.is_dirty and kind.dirtyable,
        is_cooked=base.is_cooked and kind.object_type != "Bread",
        temperature=base.temperature,
    )


def _kind(base: ObjectKind, number: int, count: int) -> ObjectKind:
    piece = "Bread" if base.object_type == "Bread" and number == 0 else PIECES[base.object_type]
    return ObjectKind(
        object_id=f"{base.object_id}|{piece}_{number}",
        object_type=piece,
        name=_name(base, number),
        pickupable=True,
        cookable=piece in COOKABLE_PIECES,
        mass=_mass(base, number, count),
        materials=("Food",),
    )


def _name(base: ObjectKind, number: int) -> str:
    """AI2-THOR's GameObject name of a piece, such as `Bread_7_Slice_5`, made from the base's asset."""
    asset = base.asset_id or base.name.partition("(")[0]
    if base.object_type == "Egg":
        return f"cracked_egg_{asset.rpartition('_')[2]}(Clone)"
    word = "Sliced" if base.object_type == "Apple" else "Slice"
    return f"{asset}_{word}_{number + 1}"


def _mass(base: ObjectKind, number: int, count: int) -> float:
    if base.object_type in ("Apple", "Egg") or count == 1:
        return base.mass / count
    return base.mass / 2 if number == 0 else base.mass / 2 / (count - 1)
