"""What belongs to the house: windows, curtains, pictures, doors."""

from __future__ import annotations

from collections.abc import Iterator

from teach_agents.simulator.embedded.shapes.kit import cracks
from teach_agents.simulator.embedded.shapes.look import Look
from teach_agents.simulator.embedded.shapes.palette import CLOTHS, DARK, PAPER, TRIM, WHITE, WOODS, fabric
from teach_agents.simulator.embedded.shapes.parts import Faces, Material, Part, Pattern, box, tube

__all__ = ["blinds", "curtains", "doorway", "floor", "painting", "poster", "screen_frame", "wall", "window"]

_SKY = Material((170, 210, 240), (206, 230, 246), Pattern.BLOTCHES, 0.6, gloss=0.2, glow=0.3)


def floor(look: Look) -> Iterator[Part]:
    """Nothing of its own: the room's floor stands for it."""
    return iter(())


def window(look: Look) -> Iterator[Part]:
    """Sky behind a white frame with a cross bar."""
    w, h, d = look.size
    deep = min(d, 0.05)
    back = -d / 2 + deep / 2
    yield box((0, h / 2, back), (w, h, deep * 0.6), _SKY)
    for sign in (-1, 1):
        yield box((sign * (w / 2 - 0.02), h / 2, back), (0.04, h, deep), WHITE)
        yield box((0, h / 2 + sign * (h / 2 - 0.02), back), (w, 0.04, deep), WHITE)
    yield box((0, h / 2, back), (0.03, h, deep), WHITE)
    yield box((0, h / 2, back), (w, 0.03, deep), WHITE)
    if look.broken:
        yield from cracks((0, h / 2, back + deep / 2), (w, h, 0.01))


def curtains(look: Look) -> Iterator[Part]:
    """Folds at both sides of a rod."""
    w, h, d = look.size
    cloth = fabric(look.pick(CLOTHS))
    yield tube((0, h - 0.02, 0), (0.03, w, 0.03), DARK).turned(roll=90)
    for i in range(4):
        for sign in (-1, 1):
            x = sign * (w / 2 - w * 0.05 * (i + 0.5))
            yield box((x, h * 0.48, 0), (w * 0.05, h * 0.95, d * (0.5 if i % 2 else 0.8)), cloth.shade(1.0 - 0.06 * i))


def blinds(look: Look) -> Iterator[Part]:
    """Slats: a short stack when up (closed in AI2-THOR's sense), down to the sill when open."""
    w, h, d = look.size
    yield box((0, h - 0.02, 0), (w, 0.04, d), WHITE.shade(0.9))
    slats = max(3, min(14, int(h / 0.06)))
    for i in range(slats):
        y = (h - 0.05) * (i + 0.5) / slats
        slat = box((0, y, 0), (w * 0.98, 0.008, max(d, 0.025)), WHITE)
        yield slat.turned(pitch=50 if look.openness else 20)


def _picture(look: Look, frame: Material, salt: int) -> Iterator[Part]:
    w, h, d = look.size
    one, two = look.pick(CLOTHS, salt), look.pick(CLOTHS[::-1], salt + 1)
    yield box((0, h / 2, 0), (w, h, d), frame)
    yield box((0, h / 2, d / 2), (w * 0.9, h * 0.88, 0.006), Material(one, two, Pattern.BLOTCHES, 2.0))
    yield box((w * 0.1, h * 0.4, d / 2 + 0.002), (w * 0.4, h * 0.4, 0.006), Material(two))
    yield box((-w * 0.2, h * 0.66, d / 2 + 0.003), (w * 0.2, h * 0.2, 0.006), Material(one).shade(0.6))


def painting(look: Look) -> Iterator[Part]:
    """A framed picture."""
    return _picture(look, look.pick((WOODS[0], WOODS[2], DARK)), 1)


def poster(look: Look) -> Iterator[Part]:
    """A sheet without a frame."""
    return _picture(look, PAPER, 2)


def wall(look: Look) -> Iterator[Part]:
    """A plain wall."""
    w, h, d = look.size
    yield box((0, h / 2, 0), (w, h, d), Material((226, 216, 192)))


def doorway(look: Look) -> Iterator[Part]:
    """A frame round an opening, with a door leaf for a doorway."""
    w, h, d = look.size
    for sign in (-1, 1):
        yield box((sign * (w / 2 - 0.04), h / 2, 0), (0.08, h, d), TRIM)
    yield box((0, h - 0.04, 0), (w, 0.08, d), TRIM)
    if look.object_type == "Doorway":
        yield box((0, h / 2 - 0.04, 0), (w - 0.16, h - 0.08, 0.04), WOODS[1])
        yield box((w * 0.34, h * 0.46, 0.04), (0.1, 0.03, 0.04), DARK)


def screen_frame(look: Look) -> Iterator[Part]:
    """A free-standing screen: a sheet in a frame."""
    w, h, d = look.size
    yield box((0, h / 2, 0), (w, h, min(d, 0.03)), PAPER)
    yield box((0, h / 2, 0), (w, h, d), DARK).hollow(Faces.LEFT | Faces.RIGHT | Faces.TOP | Faces.BOTTOM)
