"""Tables, desks, stands, chests, shelves, and what one sits and lies on."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import product

from teach_agents.observations import Vec3
from teach_agents.simulator.embedded.shapes.look import Look, four_legs, handle, level, mirrored, slab, surface
from teach_agents.simulator.embedded.shapes.palette import (
    BRASS,
    CHROME,
    CLOTHS,
    DARK,
    GLASS,
    STEEL,
    WHITE,
    WOODS,
    fabric,
)
from teach_agents.simulator.embedded.shapes.palette import wood as wood_of
from teach_agents.simulator.embedded.shapes.parts import Faces, Material, Parts, Pattern, ball, box, tube

_LOFT = 0.3
"""How deep a loft bed is from its surface to the bottom of its frame, metres."""
_PANE = Material(0x688486, gloss=0.5)
_LACQUER = Material(0xECEAE4, gloss=0.15)
_CUSHION = fabric(0xB04038)
_VINYL = Material(0x962826, gloss=0.35)
_SHEET = Material(0xF0F0EE, 0xDEE2E8, Pattern.STRIPES, 9.0)
_LEATHER = Material(0x70442C, 0x5E3622, Pattern.BLOTCHES, 12.0, gloss=0.22)
_FABRICS = tuple(map(fabric, (0x607086, 0x967860, 0x707668, 0xA49888, 0x7E5450, 0x54605C)))


def dining_table(look: Look) -> Parts:
    """A top at the surface's height on four strong legs."""
    w, _, d = look.size
    top = surface(look)
    wood = look.pick((WOODS[2], WOODS[4]))
    yield slab(look, wood, top)
    yield from four_legs(look, wood.shade(0.8), top - 0.04, 0.07, inset=0.04)
    apron = box((0, top - 0.08, d / 2 - 0.08), (max(w - 0.2, 0.05), 0.08, 0.02), wood.shade(0.75))
    yield from mirrored(apron, across="z")


def coffee_table(look: Look) -> Parts:
    """A low top with a second board below it."""
    top, wood = surface(look), WOODS[0]
    yield slab(look, wood, top)
    yield look.board(top + 0.0005, 0.003, _PANE, inset=0.16)
    yield from four_legs(look, wood.shade(0.75), top - 0.04, 0.05)
    if not look.setting.hosting:
        yield look.board(top * 0.35, 0.02, wood.shade(0.85), inset=0.08)


def side_table(look: Look) -> Parts:
    """A small table with a shallow apron."""
    w, _, d = look.size
    top, wood = surface(look), WOODS[3]
    yield slab(look, wood, top)
    yield from four_legs(look, wood.shade(0.75), top - 0.04, 0.04)
    if not look.setting.hosting:
        yield look.board(top * 0.22, 0.02, wood.shade(0.85), inset=0.06)
        yield box((0, top - 0.07, -d / 2 + 0.02), (w - 0.06, 0.06, 0.015), wood.shade(0.7))


def desk(look: Look) -> Parts:
    """A top between two side panels, with a modesty panel at the back."""
    w, _, d = look.size
    top, wood = surface(look), WOODS[1]
    yield slab(look, wood, top)
    yield box((0, top + 0.0005, d * 0.08), (w * 0.5, 0.003, d * 0.55), DARK.shade(0.8))
    if look.setting.hosting:
        yield from four_legs(look, wood.shade(0.82), top - 0.04)
        return
    yield from mirrored(box((w / 2 - 0.02, (top - 0.04) / 2, 0), (0.03, top - 0.04, d - 0.04), wood.shade(0.82)))
    yield box((0, top * 0.7, -d / 2 + 0.03), (w - 0.06, top * 0.4, 0.02), wood.shade(0.7))


def tv_stand(look: Look) -> Parts:
    """A low board: top, bottom, sides and a back, open at the front."""
    w, _, d = look.size
    top, wood = surface(look), wood_of(0x4A3A32, 0x342822)
    yield slab(look, wood, top)
    if look.setting.hosting:
        yield from four_legs(look, wood, top - 0.04)
        return
    yield look.board(0.05, 0.03, wood, inset=0.02)
    yield box((0, top / 2, -d / 2 + 0.02), (w - 0.04, top - 0.06, 0.02), wood.shade(0.6))
    for x in (-w / 2 + 0.02, 0.0, w / 2 - 0.02):
        yield box((x, top / 2, 0), (0.03, top - 0.06, d - 0.04), wood.shade(0.85))
    yield look.board(0.02, 0.04, DARK, inset=0.1)


def dresser(look: Look) -> Parts:
    """A chest, solid up to its surface; its drawers are objects of their own. Around cabinets it is a mere frame."""
    w, h, d = look.size
    top = level(look, 0.3, math.inf, 1.0)
    wood = look.pick((WOODS[1], WOODS[3], WOODS[0]), 1)
    if look.setting.hosting:
        yield slab(look, wood, top)
        yield box((0, top / 2, -d / 2 + 0.015), (w - 0.03, top - 0.04, 0.01), wood.shade(0.6))
        yield from mirrored(box((w / 2 - 0.015, top / 2, -0.01), (0.02, top - 0.04, d - 0.04), wood.shade(0.85)))
        return
    yield box((0, top / 2 + 0.02, -0.01), (w - 0.03, top - 0.04, d - 0.04), wood.shade(0.85))
    yield look.board(top - 0.015, 0.03, wood)
    yield from four_legs(look, wood.shade(0.6), 0.06, 0.05)
    for share in (0.2, 0.46, 0.72):
        panel = box((w * 0.23, top * share, d / 2 - 0.03), (w * 0.42, top * 0.22, 0.01), wood.shade(1.08))
        grip = handle((w * 0.23, top * share, d / 2 - 0.015), w * 0.12, upright=False, material=BRASS)
        yield from mirrored(panel, grip)


def shelf(look: Look) -> Parts:
    """One board, its upper side just where things lie, or cards drown; the space above belongs to it but is air."""
    w, _, d = look.size
    top = max(look.setting.support, 0.0)
    thickness = min(0.04, top) if top > 0.02 else 0.02
    yield look.board(top - thickness / 2, thickness, _LACQUER)
    yield box((0, top - thickness / 2, d / 2), (w, thickness * 0.3, 0.003), _LACQUER.shade(0.7))


def shelving_unit(look: Look) -> Parts:
    """A tall frame with a back, seen into from the front; its shelves are objects of their own where it has any."""
    w, h, d = look.size
    wood = WOODS[1]
    yield look.whole(wood.shade(0.7)).inward(Faces.BACK | Faces.LEFT | Faces.RIGHT | Faces.BOTTOM)
    for x in (-w / 2 + 0.015, w / 2 - 0.015):
        yield from mirrored(box((x, h / 2, d / 2 - 0.015), (0.03, h), wood), across="z")
    yield look.board(h - 0.01, 0.02, wood)
    if look.setting.support > 0.0:  # things stand on the unit itself, so it has no Shelf objects
        for share in (0.05, 0.36, 0.68):
            yield box(h * share, (w - 0.03, 0.015, d - 0.02), wood.shade(0.9))


def cart(look: Look) -> Parts:
    """A trolley: trays between posts, on wheels."""
    w, h, d = look.size
    yield from four_legs(look, STEEL, h, 0.025)
    for share, tray in ((0.12, WHITE), (0.5, GLASS), (0.88, GLASS)):
        yield look.board(h * share, 0.02, tray, inset=0.04)
    for sign in (-1, 1):
        yield tube((sign * (w / 2 - 0.04), 0.03, 0), (0.06, 0.05), DARK).along(0)


def chair(look: Look) -> Parts:
    """A seat on four legs with a slatted back."""
    w, h, d = look.size
    seat = level(look, 0.1, 0.85, 0.5)
    wood = look.pick(WOODS[:3])
    yield slab(look, wood, seat, inset=0.02)
    yield box((0, seat - 0.01, 0.01), (w - 0.07, 0.026, d - 0.08), _CUSHION)
    yield from four_legs(look, wood.shade(0.8), seat - 0.04, 0.035)
    rise = h - seat
    yield from mirrored(box((w / 2 - 0.03, seat + rise / 2, -d / 2 + 0.02), (0.035, rise, 0.03), wood.shade(0.8)))
    for share in (0.35, 0.62, 0.9):
        yield box((0, seat + rise * share, -d / 2 + 0.02), (w - 0.08, rise * 0.14, 0.02), wood)


def stool(look: Look) -> Parts:
    """A round seat on four splayed legs with a foot ring."""
    w, h, d = look.size
    seat = level(look, 0.3, math.inf, 1.0)
    yield tube(seat - 0.02, (w * 0.95, 0.04, d * 0.95), CHROME, segments=16)
    yield tube(seat - 0.012, (w * 0.9, 0.026, d * 0.9), _VINYL, segments=16)
    yield from four_legs(look, STEEL, seat - 0.04, 0.03, inset=0.05)
    for across in ((w * 0.75, 0.02, 0.02), (0.02, 0.02, d * 0.75)):
        yield box(seat * 0.3, across, STEEL)


def footstool(look: Look) -> Parts:
    """A cushion on short legs."""
    yield look.box(0.75, (1, 0.5), look.pick(_FABRICS, 1))
    yield from four_legs(look, look.pick(WOODS), look.size.y * 0.5, 0.04)


def ottoman(look: Look) -> Parts:
    """A padded block of leather on feet, with seams and buttons; a bench's is of cloth."""
    w, h, d = look.size
    top = min(surface(look), h)
    cover = _LEATHER if look.object_type == "Ottoman" else _FABRICS[0]
    yield look.board(top / 2 + 0.02, top - 0.04, cover)
    yield box(top * 0.72, (w + 0.006, 0.012, d + 0.006), cover.shade(0.6))
    for x, z in product((-0.25, 0.0, 0.25), repeat=2):
        yield tube((x * w, top + 0.001, z * d), (0.03, 0.004), cover.shade(0.6), segments=8)
    yield from four_legs(look, look.pick(WOODS), 0.05, 0.05)


bench = ottoman


def _upholstered(look: Look, cloth: Material, seats: int) -> Parts:
    w, h, d = look.size
    seat = level(look, 0.2, 0.8, 0.48)
    arm = min(0.2, 0.14 * w + 0.04)
    rest = min(0.28, 0.26 * d)
    yield look.board(seat * 0.45 + 0.03, seat * 0.9 - 0.06, cloth.shade(0.85))
    yield box((0, (h + seat * 0.5) / 2, -d / 2 + rest / 2), (w, h - seat * 0.5, rest), cloth)
    yield from mirrored(box(((w - arm) / 2, seat * 0.75, 0), (arm, seat * 0.7, d), cloth.shade(0.93)))
    room = (w - 2 * arm) / seats
    for i in range(seats):
        x = -w / 2 + arm + room * (i + 0.5)
        yield box((x, seat - 0.05, rest / 2), (room - 0.015, 0.1, d - rest - 0.01), cloth.shade(1.08))
        back = (x, seat + (h - seat) * 0.45, -d / 2 + rest + 0.04)
        yield box(back, (room - 0.03, (h - seat) * 0.7, 0.09), cloth.shade(1.04))
    yield from four_legs(look, look.pick(WOODS, 1), 0.06, 0.06)


def sofa(look: Look) -> Parts:
    """Seat cushions between arms, before a back."""
    return _upholstered(look, look.pick(_FABRICS), 3 if look.size.x > 1.7 else 2)


def arm_chair(look: Look) -> Parts:
    """A sofa for one, of leather, its back buttoned."""
    yield from _upholstered(look, _LEATHER, 1)
    w, h, d = look.size
    z = -d / 2 + min(0.28, 0.26 * d) + 0.087
    for y, x in product((0.66, 0.8), (-0.18, 0.0, 0.18)):
        yield box((x * w, h * y, z), (0.022, 0.022, 0.006), _LEATHER.shade(0.5))


def bed(look: Look) -> Parts:
    """Frame, mattress and headboard, the head at +z; dirty means unmade: the blanket lies rumpled and aside.

    A loft bed, below which furniture stands, is such a bed on high posts.
    """
    if look.setting.hosting:
        yield from _loft_bed(look)
        return
    w, h, d = look.size
    top = level(look, 0.2, 0.95, 0.55)
    wood, blanket = look.pick(WOODS), fabric(look.pick(CLOTHS, 1))
    yield look.board(top * 0.35, top * 0.5, wood)
    yield from four_legs(look, wood.shade(0.7), top * 0.12, 0.07)
    yield box((0, h / 2, d / 2 - 0.03), (w, h, 0.06), wood.shade(0.9))
    yield box((0, top * 0.8, -0.02), (w - 0.06, top * 0.38, d - 0.1), _SHEET.shade(0.78) if look.dirty else _SHEET)
    for x in (-0.3, 0.0, 0.3):
        yield box((x * w, top + (h - top) * 0.42, d / 2 - 0.064), (w * 0.26, (h - top) * 0.66, 0.008), wood.shade(1.12))
    if look.dirty:
        yield box((w * 0.12, top + 0.02, -d * 0.22), (w * 0.7, 0.09, d * 0.34), blanket).turned(yaw=24, roll=4)
        yield box((-w * 0.2, top + 0.03, -d * 0.34), (w * 0.4, 0.13, d * 0.2), blanket.shade(0.9)).turned(yaw=-35)
    else:
        yield box((0, top * 0.82, -d * 0.14), (w, top * 0.36, d * 0.7), blanket)
        for z in (-0.44, -0.3):
            yield box((0, top, d * z), (w + 0.003, 0.004, d * 0.05), blanket.shade(0.72))
        yield box((0, top - 0.004, d * 0.19), (w + 0.004, 0.012, 0.12), WHITE.shade(0.95))


def _loft_bed(look: Look) -> Parts:
    """A bed with nothing but its posts below the frame."""
    w, h, d = look.size
    top = level(look, 0.2, 0.95, 0.55)
    bottom = top - _LOFT
    low = replace(look.setting, hosting=False, support=_LOFT)
    for part in bed(replace(look, size=Vec3(w, h - bottom, d), setting=low)):
        yield part.shifted(dy=bottom)
    yield from four_legs(look, look.pick(WOODS).shade(0.7), bottom, 0.07)


def dog_bed(look: Look) -> Parts:
    """A soft ring with a cushion in it."""
    w, h, d = look.size
    cloth = look.pick(_FABRICS, 1)
    yield look.tube(0.3, (1, 0.6), cloth, segments=16).hollow()
    yield look.tube(0.2, (0.9, 0.3), cloth.shade(1.25), segments=16)
    for x, z, a, b in ((0, -1, 1, 0.2), (-1, 0, 0.2, 1), (1, 0, 0.2, 1)):
        yield ball((x * w * 0.4, h * 0.5, z * d * 0.4), (w * a * 0.9, h, d * b * 0.9), cloth)


def pillow(look: Look) -> Parts:
    """A plump cushion with a seam and a pattern."""
    colour = look.pick(CLOTHS, 1)
    yield look.ball(0.5, (1, 1), Material(colour, None, Pattern.STRIPES, 8.0), segments=12)
    yield look.box(0.5, (0.7, 0.55), Material(colour).shade(0.9))
