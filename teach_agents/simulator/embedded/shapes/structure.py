"""What belongs to the house: windows, curtains, pictures, doors."""

from __future__ import annotations

from dataclasses import replace

from teach_agents.simulator.embedded.shapes.look import Look, cracks
from teach_agents.simulator.embedded.shapes.palette import BRASS, DARK, PAPER, TRIM, WHITE, WOODS, fabric
from teach_agents.simulator.embedded.shapes.parts import Colour, Faces, Material, Parts, Pattern, ball, box, tube

_SKY = Material((146, 192, 236), (236, 242, 248), Pattern.BLOTCHES, 1.1, glow=0.5)
_HAZE = Material((206, 224, 238), glow=0.5)
_HILLS = Material((120, 158, 150), (104, 146, 128), Pattern.BLOTCHES, 3.0, glow=0.4)
_LAWN = Material((120, 168, 84), (94, 144, 66), Pattern.SPECKLES, 30.0, glow=0.35)
_TREES = Material((62, 112, 62), (40, 84, 46), Pattern.BLOTCHES, 9.0, glow=0.3)


def _outdoors(w: float, h: float, z: float) -> Parts:
    """Sky over far hills, a lawn and trees: flat, just before `z`."""
    yield box((0, h / 2, z), (w, h, 0.004), _SKY)
    yield box((0, h * 0.4, z + 0.001), (w, h * 0.12, 0.004), _HAZE)
    for x, wide, tall in ((-0.24, 0.5, 0.13), (0.2, 0.58, 0.18)):
        hill = tube((x * w, h * (0.32 + tall / 2), z + 0.003), (w * wide, 0.002, h * tall), _HILLS, segments=14)
        yield hill.turned(pitch=90)
    yield box((0, h * 0.17, z + 0.004), (w, h * 0.34, 0.004), _LAWN)
    for x, y, wide, tall in ((-0.38, 0.36, 0.22, 0.3), (-0.27, 0.32, 0.16, 0.2), (0.36, 0.34, 0.24, 0.24)):
        tree = tube((x * w, y * h, z + 0.007), (w * wide, 0.002, h * tall), _TREES, segments=12)
        yield tree.turned(pitch=90)


_GILT = Material((186, 142, 66), (150, 108, 44), Pattern.BRUSHED, 2.0, gloss=0.25)
_LANDSCAPES: tuple[tuple[Colour, Colour, Colour, Colour], ...] = (
    ((238, 176, 120), (120, 104, 140), (64, 74, 92), (92, 124, 156)),
    ((150, 196, 226), (126, 142, 170), (70, 104, 80), (84, 136, 160)),
    ((232, 196, 168), (156, 126, 120), (92, 84, 68), (120, 148, 150)),
)
"""Sky, far and near mountains, water."""


def floor(look: Look) -> Parts:
    """Nothing of its own: the room's floor stands for it."""
    return iter(())


def window(look: Look) -> Parts:
    """Sky behind a white frame with a cross bar."""
    w, h, d = look.size
    deep = min(d, 0.05)
    back = -d / 2 + deep / 2
    yield box((0, h / 2, back), (w, h, deep * 0.4), WHITE.shade(0.8))
    yield from _outdoors(w - 0.02, h - 0.02, back + deep * 0.2)
    for sign in (-1, 1):
        yield box((sign * (w / 2 - 0.02), h / 2, back), (0.04, h, deep), WHITE)
        yield box((0, h / 2 + sign * (h / 2 - 0.02), back), (w, 0.04, deep), WHITE)
    yield box((0, h / 2, back), (0.03, h, deep), WHITE)
    yield box((0, h / 2, back), (w, 0.03, deep), WHITE)
    if look.broken:
        yield from cracks((0, h / 2, back + deep / 2), (w, h, 0.01))


def curtains(look: Look) -> Parts:
    """Folds at both sides of a rod, with a hem, gathered by a band."""
    w, h, d = look.size
    cloth = fabric(look.pick(((176, 84, 72), (196, 164, 116), (120, 136, 160))))
    yield tube((0, h - 0.02, 0), (0.03, w, 0.03), DARK).turned(roll=90)
    for sign in (-1, 1):
        yield ball((sign * w * 0.49, h - 0.02, 0), (0.05, 0.05, 0.05), BRASS, segments=8)
        for i in range(5):
            x = sign * (w / 2 - w * 0.04 * (i + 0.5))
            fold = tube((x, h * 0.48, 0), (w * 0.046, h * 0.95, d * (0.6 if i % 2 else 0.85)), cloth, segments=8)
            yield replace(fold, material=cloth.shade(0.84 if i % 2 else 1.0))
        yield look.box((sign * 0.4, 0.38, 0), (0.204, 0.025, 0.9), BRASS.shade(0.9))


def blinds(look: Look) -> Parts:
    """Slats: a short stack when up (closed in AI2-THOR's sense), down to the sill when open."""
    w, h, d = look.size
    yield box((0, h - 0.02, 0), (w, 0.04, d), WHITE.shade(0.9))
    slats = max(3, min(14, int(h / 0.06)))
    for i in range(slats):
        y = (h - 0.05) * (i + 0.5) / slats
        slat = box((0, y, 0), (w * 0.98, 0.008, max(d, 0.025)), WHITE)
        yield slat.turned(pitch=50 if look.openness else 20)


def painting(look: Look) -> Parts:
    """A landscape in a gilt frame: an evening sky, the sun, mountains, a lake."""
    w, h, d = look.size
    edge = min(0.08, 0.14 * min(w, h))
    yield look.box((0, 0.5, 0), (1, 1, 1), look.pick((_GILT, _GILT.shade(0.8))))
    yield box((0, h / 2, d / 2), (w - edge, h - edge, 0.006), _GILT.shade(0.6))
    yield box((0, h / 2, d / 2 + 0.001), (w - 1.5 * edge, h - 1.5 * edge, 0.006), PAPER)
    wide, tall, z = w - 2.2 * edge, h - 2.2 * edge, d / 2 + 0.002
    sky, far, near, lake = look.pick(_LANDSCAPES, 1)
    yield box((0, h / 2, z), (wide, tall, 0.006), Material(sky, (250, 226, 190), Pattern.BLOTCHES, 2.0 / max(h, 0.1)))
    sun = tube((wide * 0.2, h / 2 + tall * 0.22, z), (0.14 * tall, 0.008, 0.14 * tall), Material((255, 244, 214)))
    yield sun.turned(pitch=90)
    for x, y, size, colour in ((-0.16, 0.02, 0.34, far), (0.22, -0.02, 0.28, far), (0.0, -0.1, 0.24, near)):
        peak = min(wide, tall) * size
        yield box((x * wide, h / 2 + y * tall, z + 0.001), (peak, peak, 0.007), Material(colour)).turned(roll=45)
    yield box((0, h / 2 - tall * 0.34, z + 0.002), (wide, tall * 0.32, 0.007), Material(lake))
    yield box((wide * 0.1, h / 2 - tall * 0.26, z + 0.003), (wide * 0.5, tall * 0.03, 0.007), Material(sky))


def poster(look: Look) -> Parts:
    """A printed sheet without a frame: a bold disc over lines of text on a dark ground."""
    w, h, d = look.size
    ground, disc = look.pick((((34, 44, 70), (240, 196, 60)), ((150, 36, 44), (244, 236, 220))), 2)
    z = d / 2
    yield look.box((0, 0.5, 0), (1, 1, 1), PAPER)
    yield box((0, h / 2, z), (w * 0.94, h * 0.94, 0.003), Material(ground))
    wide = 0.56 * min(w, h)
    yield tube((0, h * 0.6, z), (wide, 0.006, wide), Material(disc), segments=18).turned(pitch=90)
    for i, share in enumerate((0.7, 0.52, 0.6)):
        yield box((0, h * (0.24 - 0.07 * i), z + 0.001), (w * share, h * 0.035, 0.004), PAPER)


def wall(look: Look) -> Parts:
    """A plain wall."""
    yield look.box((0, 0.5, 0), (1, 1, 1), Material((226, 216, 192)))


def doorway(look: Look) -> Parts:
    """A frame round an opening, with a door leaf for a doorway."""
    w, h, d = look.size
    for sign in (-1, 1):
        yield box((sign * (w / 2 - 0.04), h / 2, 0), (0.08, h, d), TRIM)
    yield box((0, h - 0.04, 0), (w, 0.08, d), TRIM)
    if look.object_type == "Doorway":
        yield box((0, h / 2 - 0.04, 0), (w - 0.16, h - 0.08, 0.04), WOODS[1])
        yield box((w * 0.34, h * 0.46, 0.04), (0.1, 0.03, 0.04), DARK)


def screen_frame(look: Look) -> Parts:
    """A free-standing screen: a sheet in a frame."""
    w, h, d = look.size
    yield box((0, h / 2, 0), (w, h, min(d, 0.03)), PAPER)
    yield look.box((0, 0.5, 0), (1, 1, 1), DARK).hollow(Faces.LEFT | Faces.RIGHT | Faces.TOP | Faces.BOTTOM)
