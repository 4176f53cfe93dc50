"""What an object looks like, apart from where it is: all that a builder may read, and nothing that moves.

Below it the pieces that many objects share: legs, handles, doors, liquids, dirt.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import wraps
from itertools import product
from typing import NamedTuple, TypeVar

from teach_agents.observations import Vec3
from teach_agents.simulator.contract import ObjectState
from teach_agents.simulator.embedded.geometry import Rectangle, Triple, minus
from teach_agents.simulator.embedded.shapes.palette import CHROME, LIQUIDS, WATER
from teach_agents.simulator.embedded.shapes.parts import (
    Faces,
    Material,
    Middle,
    Part,
    Parts,
    Pattern,
    Size,
    along_axes,
    ball,
    box,
    channels,
    tube,
)

_T = TypeVar("_T")
Pair = tuple[float, float]

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

    def box(self, center: Middle, size: Size, material: Material) -> Part:
        """A box whose middle and size are shares of the object's size; so are those of a tube and a ball."""
        return box(*self._of(center, size), material)

    def tube(self, center: Middle, size: Size, material: Material, *, taper: float = 1.0, segments: int = 12) -> Part:
        """An upright cylinder, as `parts.tube` makes it."""
        return tube(*self._of(center, size), material, taper=taper, segments=segments)

    def ball(self, center: Middle, size: Size, material: Material, *, segments: int = 10) -> Part:
        """An ellipsoid."""
        return ball(*self._of(center, size), material, segments=segments)

    def whole(self, material: Material) -> Part:
        """A box as large as the object."""
        return self.box(0.5, (1, 1), material)

    def board(self, middle: float, thick: float, material: Material, *, inset: float = 0.0) -> Part:
        """A level box as wide and deep as the object, less `inset`, its middle that many metres up."""
        w, _, d = self.size
        return box(middle, (w - inset, thick, d - inset), material)

    def on_top(self, at: Pair, size: Pair, material: Material, *, thick: float = 0.003, up: float = 0.0) -> Part:
        """A thin plate on the object's upper side, or that far above: middle and size along x and z, as shares."""
        (x, z), (a, b), (w, h, d) = at, size, self.size
        return box((x * w, h + up, z * d), (a * w, thick, b * d), material)

    def on_front(self, at: Pair, size: Pair, material: Material, *, thick: float = 0.006, out: float = 0.0) -> Part:
        """A thin plate on the object's front, or that far before it: middle and size along x and y, as shares."""
        (x, y), (a, b), (w, h, d) = at, size, self.size
        return box((x * w, y * h, d / 2 + out), (a * w, b * h, thick), material)

    @property
    def drink(self) -> Material:
        """What the object's liquid is made of."""
        return LIQUIDS.get(self.liquid or "", WATER)

    def _of(self, center: Middle, size: Size) -> tuple[Vec3, Vec3]:
        w, h, d = self.size
        middle, full = (Vec3(x * w, y * h, z * d) for x, y, z in along_axes(center, size))
        return middle, full


class Frame3(NamedTuple):
    """An object's own frame in the world: origin at the middle of the bottom of its box, unit axes."""

    origin: Vec3
    axes: tuple[Vec3, Vec3, Vec3]


def _length(edge: Vec3) -> float:
    x, y, z = edge
    return math.sqrt(x * x + y * y + z * z)


def frame_of(obj: ObjectState, turns: int = 0) -> tuple[Frame3, Vec3]:
    """The object's frame and its size in that frame.

    From the oriented corners where there are usable ones, otherwise from the axis-aligned box, its front turned
    `turns` quarters from +z. Boxes that are broken in AI2-THOR's metadata shrink to 12 cm around the position.
    """
    corners = obj.corners
    if corners is not None:
        x, y, z = minus(corners[0], corners[1]), minus(corners[4], corners[0]), minus(corners[0], corners[3])
        lengths = Vec3(_length(x), _length(y), _length(z))
        if min(lengths) > _SMALLEST_EDGE and max(lengths) < _BROKEN_EXTENT:
            low = tuple(sum(corner[i] for corner in corners[:4]) / 4 for i in range(3))
            axes = tuple(Vec3(*(value / size for value in edge)) for edge, size in zip((x, y, z), lengths, strict=True))
            return Frame3(Vec3(*low), axes), lengths  # type: ignore[arg-type]  # three axes
    return _straight_frame(obj, turns)


def _straight_frame(obj: ObjectState, turns: int) -> tuple[Frame3, Vec3]:
    (cx, cy, cz), (w, h, d) = obj.box.center, obj.box.size
    if obj.kind.pickupable and max(w, h, d) > _BROKEN_EXTENT:
        (cx, cy, cz), (w, h, d) = obj.position, (_BROKEN_SIZE,) * 3
    sine, cosine = ((0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0))[turns % 4]
    axes = (Vec3(cosine, 0.0, -sine), Vec3(0.0, 1.0, 0.0), Vec3(sine, 0.0, cosine))
    size = Vec3(d, h, w) if turns % 2 else Vec3(w, h, d)
    return Frame3(Vec3(cx, cy - h / 2, cz), axes), size


def look_of(obj: ObjectState, size: Vec3, setting: Setting) -> Look:
    """What `obj` looks like at its present state. Sizes are rounded to a millimetre, so that looks can be shared."""
    prefab = obj.kind.name.partition("(")[0] or obj.object_id
    return Look(
        object_type=obj.object_type,
        size=Vec3(*(max(_GRAIN, round(value / _GRAIN) * _GRAIN) for value in size)),
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


_FROTH = Material(0xC49462)
_DEEP = 0.55
"""A liquid that is looked into is darker than its surface."""
_DARK = 100
"""Dirt is lighter than what is darker than this."""
_DIRT, _DRIED = 0x54422C, 0xB09262
_SPOKES = tuple(
    zip(
        (8, 31, 58, 79, 103, 128, 151, 172, 201, 229, 250, 281, 304, 337), 2 * (94, 58, 80, 66, 92, 49, 75), strict=True
    )
)
"""The cracks from where a pane was hit: angles in degrees, and lengths in percent of the way to the pane's edge."""
_EDGE = Material(0xF4F6F8)
_GAP = Material(0x282A30)
_ON = Material(0x4682DC, 0x78BE78, Pattern.BLOTCHES, 3.0, glow=0.55)
_OFF = Material(0x101216, gloss=0.5)

_SLAB = 0.04
"""Receptacles with free space above their surface are drawn as slabs this thick (fidelity notes, shape rule 1)."""


def surface(look: Look, share: float = 1.0) -> float:
    """Height of a receptacle's surface above its bottom; `share` of the height for what is none."""
    support = look.setting.support
    return max(support, 0.01) if support >= 0.0 else look.size.y * share


def level(look: Look, low: float, high: float, otherwise: float) -> float:
    """The height of the surface, where it is between two shares of the object's height; else a third share."""
    h, top = look.size.y, surface(look)
    return top if low * h < top < high * h else otherwise * h


def slab(look: Look, material: Material, top: float, *, inset: float = 0.0) -> Part:
    """The 4 cm slab that things stand on, its upper side at `top`."""
    return look.board(top - _SLAB / 2, _SLAB, material, inset=inset)


def four_legs(look: Look, material: Material, top: float, thickness: float = 0.05, *, inset: float = 0.02) -> Parts:
    """Legs at the four corners, from the bottom up to `top`."""
    w, _, d = look.size
    x, z = max(w / 2 - thickness / 2 - inset, 0.0), max(d / 2 - thickness / 2 - inset, 0.0)
    for a, b in product((-x, x), (-z, z)):
        yield box((a, top / 2, b), (thickness, top), material)


def handle(center: Triple, length: float, *, upright: bool, material: Material = CHROME) -> Part:
    """A bar handle that stands out by 3 cm."""
    size = (0.012, length, 0.03) if upright else (length, 0.012, 0.03)
    return box(center, size, material)


def opened(look: Look, body: Part) -> Part:
    """The body, hollow toward its front while the object is open."""
    return body.hollow(Faces.OPEN_FRONT) if look.openness else body


def leaves(look: Look) -> tuple[tuple[float, float, int], ...]:
    """Middle along x, width and hinge (-1 left, 1 right) of a front's one door, or of each of two."""
    hinge, w = look.setting.hinge, look.size.x
    return ((0.0, w, hinge),) if hinge else tuple((side * (w / 2) / 2, w / 2, side) for side in (-1, 1))


def door(center: Triple, size: Triple, material: Material, *, hinge: int, angle: float) -> Parts:
    """A door panel with a handle, swung `angle` degrees out about its left (-1) or right (1) edge."""
    (x, y, z), (w, h, d) = center, size
    panel = box(center, size, material)
    inner = box((x, y, z + d / 2), (max(w - 0.09, 0.02), max(h - 0.09, 0.02), 0.006), material.shade(0.86))
    field = box((x, y, z + d / 2), (max(w - 0.15, 0.02), max(h - 0.15, 0.02), 0.014), material.shade(1.06))
    bar = handle((x - hinge * max(w / 2 - 0.035, 0.0), y, z + d / 2 + 0.02), min(0.16, h * 0.3), upright=True)
    return swung((panel, inner, field, bar), Vec3(x + hinge * w / 2, y, z - d / 2), yaw=hinge * angle)


def swung(parts: Iterable[Part], pivot: Vec3, *, pitch: float = 0.0, yaw: float = 0.0) -> Parts:
    """Parts that turn together about a pivot."""
    return (part.swung(pivot, pitch=pitch, yaw=yaw) for part in parts)


def mirrored(*parts: Part, across: str = "x") -> Parts:
    """What stands on both sides of the object's middle: the parts seen across the named axes, then the parts."""
    yield from (part.flipped(across) for part in parts)
    yield from parts


def rim(look: Look, thick: float, tall: float, material: Material) -> Parts:
    """Bars along the four upper edges."""
    w, h, d = look.size
    ahead = box((0, h - tall / 2, d / 2 - thick / 2), (w, tall, thick), material)
    return mirrored(ahead, box((w / 2 - thick / 2, h - tall / 2, 0), (thick, tall, d), material), across="xz")


def lengthwise(builder: Callable[[Look], Parts]) -> Callable[[Look], Parts]:
    """Builds along x; where an object is no longer in width than in depth, x and z are exchanged."""

    @wraps(builder)
    def build(look: Look) -> Parts:
        w, h, d = look.size
        if w > d:
            return builder(look)
        return (part.crossed() for part in builder(replace(look, size=Vec3(d, h, w))))

    return build


def liquid_surface(look: Look, height: float, radius_x: float, radius_z: float) -> Parts:
    """The surface of what a vessel holds, if anything."""
    if look.filled:
        if look.liquid == "coffee":  # its froth shows in dark vessels, itself in bright ones
            yield tube(height - 0.001, (2 * radius_x, 0.004, 2 * radius_z), _FROTH)
            radius_x, radius_z = 0.5 * radius_x, 0.5 * radius_z
        yield tube(height, (2 * radius_x, 0.004, 2 * radius_z), look.drink)


def clear_liquid(look: Look, bottom: float, top: float, width: float, depth: float, *, taper: float = 1.0) -> Parts:
    """What a wide vessel holds, if anything, as a coloured lining: what lies in it stays in view."""
    if look.filled:
        middle, size = (0, (bottom + top) / 2, 0), (width, top - bottom, depth)
        yield bowl_shell(middle, size, look.drink.shade(_DEEP), taper=taper, segments=16)


def soiled(look: Look, material: Material) -> Material:
    """A surface with dirt on it, if the object is dirty."""
    if not look.dirty:
        return material
    grime = _DIRT if max(channels(material.colour)) > _DARK else _DRIED
    return Material(material.tinted(grime, 0.55).colour, grime, Pattern.BLOTCHES, 36.0, gloss=0.0)


def bowl_shell(center: Middle, size: Size, material: Material, *, taper: float = 1.0, segments: int = 12) -> Part:
    """A round vessel's wall and bottom, open at the top."""
    return tube(center, size, material, taper=taper, segments=segments).hollow(Faces.WALL | Faces.BOTTOM)


def glowing_screen(look: Look, center: Triple, size: Triple) -> Parts:
    """A display: dark when off, a bright picture when on, cracked when broken."""
    yield box(center, size, _ON if look.toggled and not look.broken else _OFF)
    if look.broken:
        yield from cracks(center, size)


def cracks(center: Triple, size: Triple) -> Parts:
    """Cracks from one point over a flat pane that faces z, each a bright edge beside a dark gap."""
    x, y, z = center
    w, h, d = size
    wide = 0.043 * math.sqrt(w * h)
    for angle, share in _SPOKES:
        cosine, sine = math.cos(math.radians(angle)), math.sin(math.radians(angle))
        length = 0.005 * share * min(w / max(abs(cosine), 1e-6), h / max(abs(sine), 1e-6))
        for side, colour in ((-0.5, _GAP), (0.5, _EDGE)):
            off = side * wide
            at = (x + length / 2 * cosine - off * sine, y + length / 2 * sine + off * cosine, z)
            yield box(at, (length, wide, d + 0.006), colour).turned(roll=angle)
