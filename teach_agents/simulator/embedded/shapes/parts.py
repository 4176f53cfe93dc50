"""Parts: what every object is made of, in the object's own frame.

The frame's origin is the middle of the bottom of the object's box; x runs to its right, y up, z to its front. Lengths
are metres, angles degrees, colours 0xRRGGBB.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import IntEnum, IntFlag
from operator import mul

from teach_agents.observations import Vec3
from teach_agents.simulator.embedded.geometry import Rectangle, Rows, Triple, minus, plus, rotation_rows, turned

Colour = int
Axes = tuple[Vec3, Vec3, Vec3]
Middle = Triple | float
"""A middle, or the height of one that lies on the object's axis."""
Size = Triple | tuple[float, float]
"""A full size; or width and height of what is as deep as it is wide."""

_STRAIGHT: Axes = (Vec3(1.0, 0.0, 0.0), Vec3(0.0, 1.0, 0.0), Vec3(0.0, 0.0, 1.0))
_SMALLEST = 1e-4


class Shape(IntEnum):
    """The three solids."""

    BOX = 0
    TUBE = 1
    BALL = 2


class Side(IntEnum):
    """From which side a surface is seen: a hollow's `INSIDE` is what makes basins and opened doors see-through."""

    OUTSIDE = 0
    INSIDE = 1
    BOTH = 2


class Faces(IntFlag):
    """The faces of a box; a tube uses `WALL`, `BOTTOM` and `TOP`."""

    LEFT = 1
    RIGHT = 2
    BOTTOM = 4
    TOP = 8
    BACK = 16
    FRONT = 32
    ALL = 63
    WALL = 1
    SIDES = 63 - 12
    OPEN_TOP = 63 - 8
    OPEN_FRONT = 63 - 32


class Pattern(IntEnum):
    """The baked patterns; a pattern mixes a material's two colours."""

    PLAIN = 0
    WOOD = 1
    TILES = 2
    CHECKS = 3
    STRIPES = 4
    SPECKLES = 5
    BRUSHED = 6
    BRICKS = 7
    WEAVE = 8
    BLOTCHES = 9
    PLANKS = 10


@dataclass(frozen=True, slots=True)
class Material:
    """A surface: `frequency` is pattern repeats per metre; `gloss` and `glow` run from 0 to 1."""

    colour: Colour
    second: Colour | None = None
    pattern: Pattern = Pattern.PLAIN
    frequency: float = 1.0
    gloss: float = 0.0
    glow: float = 0.0

    def shade(self, factor: float) -> Material:
        """The same surface darker (below 1) or lighter."""
        second = None if self.second is None else _scaled(self.second, factor)
        return replace(self, colour=_scaled(self.colour, factor), second=second)

    def tinted(self, colour: Colour, amount: float) -> Material:
        """The same surface mixed with another colour; 0 leaves it as it is."""
        second = None if self.second is None else _mixed(self.second, colour, amount)
        return replace(self, colour=_mixed(self.colour, colour, amount), second=second)

    def painted(self, colour: Colour) -> Material:
        """The same surface in another colour."""
        return replace(self, colour=colour, second=None)


def channels(colour: Colour) -> bytes:
    """Red, green and blue, 0..255."""
    return colour.to_bytes(3)


def _scaled(colour: Colour, factor: float) -> Colour:
    return int.from_bytes(min(255, max(0, int(value * factor))) for value in channels(colour))


def _mixed(colour: Colour, other: Colour, amount: float) -> Colour:
    pairs = zip(channels(colour), channels(other), strict=True)
    return int.from_bytes(int(a + (b - a) * amount) for a, b in pairs)


@dataclass(frozen=True, slots=True)
class Part:
    """One solid: its middle, unit axes and half sizes in the object's frame.

    A tube's axis is y; `taper` is its top radius relative to its bottom radius. `segments` is how many corners a
    round part has.
    """

    shape: Shape
    center: Vec3
    half: Vec3
    material: Material
    axes: Axes = _STRAIGHT
    taper: float = 1.0
    side: Side = Side.OUTSIDE
    faces: Faces = Faces.ALL
    segments: int = 12

    def turned(self, *, pitch: float = 0.0, yaw: float = 0.0, roll: float = 0.0) -> Part:
        """The part turned about its own middle: roll about z, then pitch about x, then yaw about y (Unity's order)."""
        return replace(self, axes=_turned(rotation_rows((pitch, yaw, roll)), self.axes))

    def swung(self, pivot: Vec3, *, pitch: float = 0.0, yaw: float = 0.0, roll: float = 0.0) -> Part:
        """The part turned about `pivot`: how doors and lids move."""
        rows = rotation_rows((pitch, yaw, roll))
        center = plus(pivot, turned(rows, minus(self.center, pivot)))
        return replace(self, axes=_turned(rows, self.axes), center=center)

    def shifted(self, dx: float = 0.0, dy: float = 0.0, dz: float = 0.0) -> Part:
        """The part elsewhere."""
        return replace(self, center=plus(self.center, Vec3(dx, dy, dz)))

    def along(self, axis: int) -> Part:
        """An upright part laid down with its upper end along x (0) or z (2), or left standing (1)."""
        return self.turned(pitch=90.0 * (axis == 2), roll=90.0 * (axis == 0))

    def flipped(self, across: str) -> Part:
        """The part on the other side of the object's middle, seen across the named axes."""
        signs = [-1.0 if axis in across else 1.0 for axis in "xyz"]
        center = Vec3(*map(mul, self.center, signs))
        if self.axes is _STRAIGHT:
            return replace(self, center=center)
        right, up, ahead = (
            Vec3(*(v * s * own for v, s in zip(a, signs, strict=True))) for a, own in zip(self.axes, signs, strict=True)
        )
        return replace(self, center=center, axes=(right, up, ahead))

    def crossed(self) -> Part:
        """A straight part with x and z exchanged."""
        (x, y, z), (w, h, d) = self.center, self.half
        return replace(self, center=Vec3(z, y, x), half=Vec3(d, h, w))

    def hollow(self, faces: Faces = Faces.OPEN_TOP) -> Part:
        """Walls without the named openings, seen from both sides."""
        return replace(self, side=Side.BOTH, faces=faces)

    def inward(self, faces: Faces = Faces.ALL) -> Part:
        """Only the faces that point away from the viewer: a see-through hollow."""
        return replace(self, side=Side.INSIDE, faces=faces)


Parts = Iterator[Part]
"""What builders yield."""


def _turned(rows: Rows, axes: Axes) -> Axes:
    right, up, ahead = axes
    return turned(rows, right), turned(rows, up), turned(rows, ahead)


def along_axes(center: Middle, size: Size) -> tuple[Vec3, Vec3]:
    """The same middle and full size along x, y and z."""
    x, y, z = center if isinstance(center, tuple) else (0.0, center, 0.0)
    w, h, d = size if len(size) == 3 else (*size, size[0])
    return Vec3(x, y, z), Vec3(w, h, d)


def _solid(
    shape: Shape, center: Middle, size: Size, material: Material, taper: float = 1.0, segments: int = 12
) -> Part:
    middle, full = along_axes(center, size)
    half = Vec3(*(max(value / 2, _SMALLEST) for value in full))
    return Part(shape, middle, half, material, taper=taper, segments=segments)


def box(center: Middle, size: Size, material: Material) -> Part:
    """A box of full size `size` around `center`."""
    return _solid(Shape.BOX, center, size, material)


def block(area: Rectangle, low: float, height: float, material: Material, *, wider: float = 0.0) -> Part:
    """A box over a rectangle of the floor plan, from `low` up, by `wider` metres wider and deeper."""
    (x, z), (w, d) = area.middle, area.size
    return box((x, low + height / 2, z), (w + wider, height, d + wider), material)


def tube(center: Middle, size: Size, material: Material, *, taper: float = 1.0, segments: int = 12) -> Part:
    """An upright cylinder that fits a box of full size `size`; `taper` scales the top radius."""
    middle, (w, h, d) = along_axes(center, size)
    wide = max(taper, 1.0)  # the widest ring must still fit: taper from the other end
    return _solid(Shape.TUBE, middle, (w / wide, h, d / wide), material, taper, segments)


def ball(center: Middle, size: Size, material: Material, *, segments: int = 10) -> Part:
    """An ellipsoid that fits a box of full size `size`."""
    return _solid(Shape.BALL, center, size, material, segments=segments)
