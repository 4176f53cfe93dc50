"""Tables, desks, stands, chests, shelves."""

from __future__ import annotations

from teach_agents.simulator.embedded.shapes.look import Look, four_legs, handle, slab, surface
from teach_agents.simulator.embedded.shapes.palette import BRASS, DARK, GLASS, STEEL, WHITE, WOODS
from teach_agents.simulator.embedded.shapes.palette import wood as wood_of
from teach_agents.simulator.embedded.shapes.parts import Faces, Material, Parts, box, tube

_PANE = Material((104, 132, 134), gloss=0.5)
_LACQUER = Material((236, 234, 228), gloss=0.15)


def dining_table(look: Look) -> Parts:
    """A top at the surface's height on four strong legs."""
    w, _, d = look.size
    top = surface(look)
    wood = look.pick((WOODS[2], WOODS[4]))
    yield slab(look, wood, top)
    yield from four_legs(look, wood.shade(0.8), top - 0.04, 0.07, inset=0.04)
    for sign in (-1, 1):
        yield box((0, top - 0.08, sign * (d / 2 - 0.08)), (max(w - 0.2, 0.05), 0.08, 0.02), wood.shade(0.75))


def coffee_table(look: Look) -> Parts:
    """A low top with a second board below it."""
    w, _, d = look.size
    top = surface(look)
    wood = WOODS[0]
    yield slab(look, wood, top)
    yield box((0, top + 0.0005, 0), (w - 0.16, 0.003, d - 0.16), _PANE)
    yield from four_legs(look, wood.shade(0.75), top - 0.04, 0.05)
    if not look.setting.hosting:
        yield box((0, top * 0.35, 0), (w - 0.08, 0.02, d - 0.08), wood.shade(0.85))


def side_table(look: Look) -> Parts:
    """A small table with a shallow apron."""
    w, _, d = look.size
    top = surface(look)
    wood = WOODS[3]
    yield slab(look, wood, top)
    yield from four_legs(look, wood.shade(0.75), top - 0.04, 0.04)
    if not look.setting.hosting:
        yield box((0, top * 0.22, 0), (w - 0.06, 0.02, d - 0.06), wood.shade(0.85))
        yield box((0, top - 0.07, -d / 2 + 0.02), (w - 0.06, 0.06, 0.015), wood.shade(0.7))


def desk(look: Look) -> Parts:
    """A top between two side panels, with a modesty panel at the back."""
    w, _, d = look.size
    top = surface(look)
    wood = WOODS[1]
    yield slab(look, wood, top)
    yield box((0, top + 0.0005, d * 0.08), (w * 0.5, 0.003, d * 0.55), DARK.shade(0.8))
    if look.setting.hosting:
        yield from four_legs(look, wood.shade(0.82), top - 0.04)
        return
    for sign in (-1, 1):
        yield box((sign * (w / 2 - 0.02), (top - 0.04) / 2, 0), (0.03, top - 0.04, d - 0.04), wood.shade(0.82))
    yield box((0, top * 0.7, -d / 2 + 0.03), (w - 0.06, top * 0.4, 0.02), wood.shade(0.7))


def tv_stand(look: Look) -> Parts:
    """A low board: top, bottom, sides and a back, open at the front."""
    w, _, d = look.size
    top = surface(look)
    wood = wood_of((74, 58, 50), (52, 40, 34))
    yield slab(look, wood, top)
    if look.setting.hosting:
        yield from four_legs(look, wood, top - 0.04)
        return
    yield box((0, 0.05, 0), (w - 0.02, 0.03, d - 0.02), wood)
    yield box((0, top / 2, -d / 2 + 0.02), (w - 0.04, top - 0.06, 0.02), wood.shade(0.6))
    for x in (-w / 2 + 0.02, 0.0, w / 2 - 0.02):
        yield box((x, top / 2, 0), (0.03, top - 0.06, d - 0.04), wood.shade(0.85))
    yield box((0, 0.02, 0), (w - 0.1, 0.04, d - 0.1), DARK)


def dresser(look: Look) -> Parts:
    """A chest, solid up to its surface; its drawers are objects of their own. Around cabinets it is a mere frame."""
    w, h, d = look.size
    top = surface(look) if surface(look) > 0.3 * h else h
    wood = look.pick((WOODS[1], WOODS[3], WOODS[0]), 1)
    if look.setting.hosting:
        yield slab(look, wood, top)
        yield box((0, top / 2, -d / 2 + 0.015), (w - 0.03, top - 0.04, 0.01), wood.shade(0.6))
        for sign in (-1, 1):
            yield box((sign * (w / 2 - 0.015), top / 2, -0.01), (0.02, top - 0.04, d - 0.04), wood.shade(0.85))
        return
    yield box((0, top / 2 + 0.02, -0.01), (w - 0.03, top - 0.04, d - 0.04), wood.shade(0.85))
    yield box((0, top - 0.015, 0), (w, 0.03, d), wood)
    yield from four_legs(look, wood.shade(0.6), 0.06, 0.05)
    for level in (0.2, 0.46, 0.72):
        for side in (-1, 1):
            yield box((side * w * 0.23, top * level, d / 2 - 0.03), (w * 0.42, top * 0.22, 0.01), wood.shade(1.08))
            yield handle((side * w * 0.23, top * level, d / 2 - 0.015), w * 0.12, upright=False, material=BRASS)


def shelf(look: Look) -> Parts:
    """One board, its upper side just where things lie, or cards drown; the space above belongs to it but is air."""
    w, _, d = look.size
    top = max(look.setting.support, 0.0)
    thickness = min(0.04, top) if top > 0.02 else 0.02
    yield box((0, top - thickness / 2, 0), (w, thickness, d), _LACQUER)
    yield box((0, top - thickness / 2, d / 2), (w, thickness * 0.3, 0.003), _LACQUER.shade(0.7))


def shelving_unit(look: Look) -> Parts:
    """A tall frame with a back, seen into from the front; its shelves are objects of their own where it has any."""
    w, h, d = look.size
    wood = WOODS[1]
    yield look.box((0, 0.5, 0), (1, 1, 1), wood.shade(0.7)).inward(Faces.BACK | Faces.LEFT | Faces.RIGHT | Faces.BOTTOM)
    for x in (-w / 2 + 0.015, w / 2 - 0.015):
        for z in (-d / 2 + 0.015, d / 2 - 0.015):
            yield box((x, h / 2, z), (0.03, h, 0.03), wood)
    yield box((0, h - 0.01, 0), (w, 0.02, d), wood)
    if look.setting.support > 0.0:  # things stand on the unit itself, so it has no Shelf objects
        for level in (0.05, 0.36, 0.68):
            yield box((0, h * level, 0), (w - 0.03, 0.015, d - 0.02), wood.shade(0.9))


def cart(look: Look) -> Parts:
    """A trolley: trays between posts, on wheels."""
    w, h, d = look.size
    yield from four_legs(look, STEEL, h, 0.025)
    for level in (0.12, 0.5, 0.88):
        yield box((0, h * level, 0), (w - 0.04, 0.02, d - 0.04), WHITE if level < 0.5 else GLASS)
    for sign in (-1, 1):
        yield tube((sign * (w / 2 - 0.04), 0.03, 0), (0.06, 0.05, 0.06), DARK).turned(roll=90)
