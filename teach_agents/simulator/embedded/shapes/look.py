"""What an object looks like, apart from where it is: all that a builder may read, and nothing that moves."""

from __future__ import annotations

import math
import zlib
from dataclasses import dataclass
from typing import TypeVar

from teach_agents.observations import Vec3
from teach_agents.simulator.contract import ObjectState
from teach_agents.simulator.embedded.geometry import Rectangle
from teach_agents.simulator.embedded.shapes.parts import Material, Part, Triple, ball, box, tube

_T = TypeVar("_T")

_GRAIN = 1e-3
_BROKEN_EXTENT = 5.0
_BROKEN_SIZE = 0.12
_SMALLEST_EDGE = 1e-3


@dataclass(frozen=True, slots=True)
class Setting:
    """What the room decides about an object: how it stands and what is cut out of it.

    `turns` is how many quarter turns (clockwise from above) its front is from +z, for objects without an oriented
    box. `support` is the height of a surface above the bottom, negative if there is none. `hinge` is -1 for a door
    hinged at local -x, 1 for +x, 0 for a pair. `outline` are the rectangles of a counter's top, in the counter's
    frame. `style` picks what is alike in the whole room. `drawn` is false for what another object stands for. `cap`
    bounds the height of a sink set into a counter (0: free-standing). `shallow` is true for a cabinet round a sink,
    `hosting` for furniture with shelves or things below its surface.
    """

    turns: int = 0
    support: float = -1.0
    hinge: int = 1
    outline: tuple[Rectangle, ...] = ()
    style: int = 0
    drawn: bool = True
    cap: float = 0.0
    shallow: bool = False
    hosting: bool = False


@dataclass(frozen=True, slots=True)
class Look:
    """Everything a builder may read. `size` is width, height and depth in the object's own frame, metres."""

    object_type: str
    size: Vec3
    seed: int = 0
    setting: Setting = Setting()
    materials: tuple[str, ...] = ()
    openness: float = 0.0
    toggled: bool = False
    broken: bool = False
    filled: bool = False
    liquid: str | None = None
    dirty: bool = False
    used_up: bool = False
    cooked: bool = False
    hot: bool = False

    def pick(self, options: tuple[_T, ...], salt: int = 0) -> _T:
        """One of `options`, always the same for the same model of object."""
        return options[(self.seed // (salt * 7 + 1)) % len(options)]

    def box(self, center: Triple, size: Triple, material: Material) -> Part:
        """A box whose middle and size are shares of the object's size; so are those of a tube and a ball."""
        return box(self._of(center), self._of(size), material)

    def tube(self, center: Triple, size: Triple, material: Material, *, taper: float = 1.0, segments: int = 12) -> Part:
        """An upright cylinder, as `parts.tube` makes it."""
        return tube(self._of(center), self._of(size), material, taper=taper, segments=segments)

    def ball(self, center: Triple, size: Triple, material: Material, *, segments: int = 10) -> Part:
        """An ellipsoid."""
        return ball(self._of(center), self._of(size), material, segments=segments)

    def _of(self, shares: Triple) -> Vec3:
        (x, y, z), (w, h, d) = shares, self.size
        return Vec3(x * w, y * h, z * d)


@dataclass(frozen=True, slots=True)
class Frame3:
    """An object's own frame in the world: origin at the middle of the bottom of its box, unit axes."""

    origin: Vec3
    axes: tuple[Vec3, Vec3, Vec3]


def _minus(a: Vec3, b: Vec3) -> Vec3:
    return Vec3(a.x - b.x, a.y - b.y, a.z - b.z)


def _length(a: Vec3) -> float:
    return math.sqrt(a.x * a.x + a.y * a.y + a.z * a.z)


def frame_of(obj: ObjectState, turns: int = 0) -> tuple[Frame3, Vec3]:
    """The object's frame and its size in that frame.

    From the oriented corners where there are usable ones, otherwise from the axis-aligned box, its front turned
    `turns` quarters from +z. Boxes that are broken in AI2-THOR's metadata shrink to 12 cm around the position.
    """
    corners = obj.corners
    if corners is not None:
        x, y, z = _minus(corners[0], corners[1]), _minus(corners[4], corners[0]), _minus(corners[0], corners[3])
        lengths = Vec3(_length(x), _length(y), _length(z))
        if min(lengths) > _SMALLEST_EDGE and max(lengths) < _BROKEN_EXTENT:
            low = tuple(sum(corner[i] for corner in corners[:4]) / 4 for i in range(3))
            axes = tuple(
                Vec3(edge.x / size, edge.y / size, edge.z / size) for edge, size in zip((x, y, z), lengths, strict=True)
            )
            return Frame3(Vec3(*low), axes), lengths  # type: ignore[arg-type]  # three axes
    return _straight_frame(obj, turns)


def _straight_frame(obj: ObjectState, turns: int) -> tuple[Frame3, Vec3]:
    (cx, cy, cz), (w, h, d) = obj.box.center, obj.box.size
    if obj.kind.pickupable and max(w, h, d) > _BROKEN_EXTENT:
        (cx, cy, cz), w, h, d = obj.position, _BROKEN_SIZE, _BROKEN_SIZE, _BROKEN_SIZE
    sine, cosine = ((0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0))[turns % 4]
    axes = (Vec3(cosine, 0.0, -sine), Vec3(0.0, 1.0, 0.0), Vec3(sine, 0.0, cosine))
    size = Vec3(d, h, w) if turns % 2 else Vec3(w, h, d)
    return Frame3(Vec3(cx, cy - h / 2, cz), axes), size


def _rounded(value: float) -> float:
    return max(_GRAIN, round(value / _GRAIN) * _GRAIN)


def look_of(obj: ObjectState, size: Vec3, setting: Setting) -> Look:
    """What `obj` looks like at its present state. Sizes are rounded to a millimetre, so that looks can be shared."""
    prefab = obj.kind.name.partition("(")[0] or obj.object_id
    return Look(
        object_type=obj.object_type,
        size=Vec3(*(_rounded(value) for value in size)),
        seed=zlib.crc32(prefab.encode()),
        setting=setting,
        materials=obj.kind.materials or (),
        openness=obj.openness,
        toggled=obj.is_toggled,
        broken=obj.is_broken,
        filled=obj.is_filled,
        liquid=obj.liquid,
        dirty=obj.is_dirty,
        used_up=obj.is_used_up,
        cooked=obj.is_cooked,
        hot=obj.temperature == "Hot",
    )
