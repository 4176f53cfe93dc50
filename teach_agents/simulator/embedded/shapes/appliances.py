"""Kitchen and laundry machines."""

from __future__ import annotations

from teach_agents.observations import Vec3
from teach_agents.simulator.embedded.shapes.look import Look, handle, surface
from teach_agents.simulator.embedded.shapes.palette import (
    BLACK,
    CHROME,
    DARK,
    EMBER,
    GLASS,
    STEEL,
    WHITE,
)
from teach_agents.simulator.embedded.shapes.parts import Faces, Material, Parts, Pattern, box, tube

_SWING = 100.0
"""How far doors swing, degrees: so far do the boxes of opened fridges reach to their sides."""
_LIT = Material((120, 240, 150), glow=0.7)
_NICHE = Material((206, 178, 130), glow=0.4)
_DISPLAY = Material((110, 190, 220), glow=0.6)
_WARM = Material((255, 224, 150), glow=0.5)


def fridge(look: Look) -> Parts:
    """A tall body with a door over a freezer drawer; opened, shelves are seen inside."""
    w, h, d = look.size
    steel = STEEL
    door = 0.06
    body = box((0, h / 2, -door / 2), (w, h, d - door), steel.shade(0.9))
    if look.openness:
        yield box((0, h / 2, -door / 2), (w - 0.02, h - 0.02, d - door), WHITE.shade(0.9)).inward(Faces.OPEN_FRONT)
        for level in (0.36, 0.55, 0.75):
            yield box((0, h * level, -door / 2 - d * 0.33), (w - 0.03, 0.01, d * 0.2), GLASS)
    else:
        yield body
    low = box((0, h * 0.16, d / 2 - door / 2), (w - 0.01, h * 0.3, door), steel)
    yield low
    yield box((0, h * 0.318, d / 2 - door / 2), (w - 0.006, 0.014, door * 0.9), BLACK)
    yield handle((0, h * 0.27, d / 2 + 0.015), w * 0.6, upright=False, material=DARK)
    hinges = (look.setting.hinge,) if look.setting.hinge else (-1, 1)
    wide = w / len(hinges)
    for hinge in hinges:
        x = 0.0 if len(hinges) == 1 else hinge * wide / 2
        panel = box((x, h * 0.66, d / 2 - door / 2), (wide - 0.01, h * 0.67, door), steel)
        grip = handle((x - hinge * wide * 0.4, h * 0.6, d / 2 + 0.015), h * 0.3, upright=True, material=DARK)
        pivot = Vec3(hinge * w / 2, 0, d / 2 - door)
        front = [panel, grip]
        if hinge == hinges[0]:  # the water dispenser, and the maker's plate above it
            front.append(box((x, h * 0.68, d / 2), (wide * 0.36, h * 0.15, 0.008), BLACK))
            front.append(box((x, h * 0.665, d / 2 + 0.003), (wide * 0.26, h * 0.08, 0.008), DARK.shade(1.3)))
            front.append(box((x, h * 0.735, d / 2 + 0.003), (wide * 0.2, h * 0.015, 0.008), _DISPLAY))
            front.append(box((x, h * 0.95, d / 2), (wide * 0.2, h * 0.014, 0.006), CHROME))
        for part in front:
            yield part.swung(pivot, yaw=hinge * _SWING * look.openness)


def microwave(look: Look) -> Parts:
    """A window left of a keypad; lit when running, a hollow when opened."""
    w, h, d = look.size
    door = 0.02
    body = box((0, h / 2, -door / 2), (w, h, d - door), STEEL)
    yield body if not look.openness else body.hollow(Faces.OPEN_FRONT)
    if look.openness:
        floor = min(surface(look, 0.1), h * 0.5)
        yield box((0, 0.01, -door / 2), (w - 0.01, 0.02, d - door), DARK.shade(1.2))
        plate = 0.5 * min(w * 0.72, d)
        yield tube((0, floor / 2, -door / 2), (plate, floor, plate), DARK.shade(1.4), segments=12)
    z = d / 2 - door / 2
    panel = box((w * 0.13, h / 2, z), (w * 0.72, h - 0.02, door), STEEL)
    window = box((w * 0.15, h / 2, z + 0.004), (w * 0.54, h * 0.6, door), _WARM if look.toggled else BLACK)
    grip = handle((-w * 0.19, h / 2, d / 2 + 0.015), h * 0.7, upright=True)
    pivot = Vec3(w / 2, 0, d / 2 - door)
    for part in (panel, window, grip):
        yield part.swung(pivot, yaw=_SWING * look.openness)
    yield box((-w * 0.365, h / 2, z), (w * 0.25, h - 0.02, door), DARK.shade(1.3))
    yield box((-w * 0.365, h * 0.8, d / 2), (w * 0.18, h * 0.12, 0.006), _LIT if look.toggled else BLACK)
    for row in range(3):
        yield box((-w * 0.365, h * (0.25 + 0.16 * row), d / 2), (w * 0.17, h * 0.08, 0.005), WHITE.shade(0.8))


def toaster(look: Look) -> Parts:
    """A low body with two slots, in which slices stand out; glowing when on."""
    w, h, d = look.size
    top = h * 0.75
    shell = CHROME
    long_x = w > d
    yield box((0, top / 2 + 0.01, 0), (w * 0.86, top - 0.02, d) if long_x else (w, top - 0.02, d * 0.86), shell)
    for sign in (-1, 1):  # dark ends that stay cool
        end = (w * 0.08, top - 0.02, d) if long_x else (w, top - 0.02, d * 0.08)
        at_end = (sign * w * 0.46, top / 2 + 0.01, 0) if long_x else (0, top / 2 + 0.01, sign * d * 0.46)
        yield box(at_end, end, BLACK)
        side = (w * 0.5, top * 0.16, 0.003) if long_x else (0.003, top * 0.16, d * 0.5)
        yield box((0, top * 0.3, sign * d / 2) if long_x else (sign * w / 2, top * 0.3, 0), side, DARK)
    yield box((0, 0.012, 0), (w * 0.96, 0.024, d * 0.96), BLACK)
    for sign in (-1, 1):
        size = (w * 0.72, 0.006, d * 0.14) if long_x else (w * 0.14, 0.006, d * 0.72)
        at = (0, top, sign * d * 0.2) if long_x else (sign * w * 0.2, top, 0)
        yield box(at, size, EMBER if look.toggled else BLACK)
    lever = (
        (w / 2, top * (0.35 if look.toggled else 0.7), 0)
        if long_x
        else (0, top * (0.35 if look.toggled else 0.7), d / 2)
    )
    yield box(lever, (0.035, 0.02, 0.035), BLACK)


def coffee_machine(look: Look) -> Parts:
    """A tower with a head that stands out over a niche for the mug; a red light, green when on."""
    w, h, d = look.size
    yield look.box((0, 0.5, 0), (1, 1, 1), DARK.shade(0.6)).inward(Faces.LEFT | Faces.RIGHT | Faces.BACK)
    yield box((0, 0.025, 0), (w, 0.05, d), DARK)
    yield look.box((0, 0.775, 0), (0.8, 0.45, 0.8), DARK.shade(1.2))
    yield look.box((0, 0.5, -0.42), (0.8, 1, 0.16), _NICHE if look.toggled else DARK)
    yield tube((0, h * 0.52, d * 0.08), (0.05, 0.05, 0.05), CHROME)
    light = _LIT if look.toggled else Material((200, 50, 40), glow=0.2)
    yield box((w * 0.2, h * 0.86, d * 0.4 + 0.003), (w * 0.14, h * 0.06, 0.008), light)
    yield box((-w * 0.1, h * 0.82, d * 0.4), (w * 0.4, h * 0.2, 0.008), _DISPLAY if look.toggled else BLACK)
    if look.toggled:
        yield tube((0, h * 0.32, d * 0.08), (0.012, h * 0.38, 0.012), Material((72, 40, 20), gloss=0.4))


def laundry_machine(look: Look) -> Parts:
    """A white cube with a round window."""
    w, h, d = look.size
    dryer = look.object_type == "ClothesDryer"
    yield look.box((0, 0.5, 0), (1, 1, 1), WHITE.shade(0.75) if dryer else WHITE)
    ring = tube((0, h * 0.45, d / 2), (w * 0.62, 0.04, w * 0.62), CHROME, segments=20).turned(pitch=90)
    yield ring
    yield tube((0, h * 0.45, d / 2 + 0.012), (w * 0.48, 0.03, w * 0.48), BLACK, segments=20).turned(pitch=90)
    yield box((0, h * 0.9, d / 2), (w * 0.9, h * 0.12, 0.02), DARK)


def vacuum_cleaner(look: Look) -> Parts:
    """A foot, a body and a long handle."""
    w, h, d = look.size
    red = Material((180, 40, 48), gloss=0.4)
    yield box((0, 0.06, d * 0.25), (w, 0.12, d * 0.5), red)
    yield look.tube((0, 0.4, 0), (0.45, 0.5, 0.4), DARK, taper=0.8)
    yield look.tube((0, 0.5, 0.1), (0.3, 0.25, 0.3), GLASS)
    yield tube((0, h * 0.8, -d * 0.25), (0.03, h * 0.4, 0.03), Material((70, 70, 74), pattern=Pattern.PLAIN)).turned(
        pitch=-12
    )
