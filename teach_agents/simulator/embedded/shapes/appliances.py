"""Machines of kitchens and laundries; lamps, screens, phones, clocks."""

from __future__ import annotations

from teach_agents.observations import Vec3
from teach_agents.simulator.embedded.shapes.look import (
    Look,
    cracks,
    glowing_screen,
    handle,
    leaves,
    lengthwise,
    mirrored,
    opened,
    surface,
    swung,
)
from teach_agents.simulator.embedded.shapes.palette import BLACK, BRASS, CHROME, DARK, EMBER, GLASS, PAPER, STEEL, WHITE
from teach_agents.simulator.embedded.shapes.parts import Faces, Material, Parts, ball, box, tube

_SWING = 100.0
"""How far doors swing, degrees: so far do the boxes of opened fridges reach to their sides."""
_LIT = Material(0x78F096, glow=0.7)
_NICHE = Material(0xCEB282, glow=0.4)
_DISPLAY = Material(0x6EBEDC, glow=0.6)
_WARM = Material(0xFFE096, glow=0.5)
_PLATES = (
    (0.68, 0.0, 0.36, 0.15, 0.008, BLACK),
    (0.665, 0.003, 0.26, 0.08, 0.008, DARK.shade(1.3)),
    (0.735, 0.003, 0.2, 0.015, 0.008, _DISPLAY),
    (0.95, 0.0, 0.2, 0.014, 0.006, CHROME),
)
_LIGHT = Material(0xFFF4C8, glow=0.75)
_SHADE = Material(0xD6C4A0)


def fridge(look: Look) -> Parts:
    """A tall body with a door over a freezer drawer; opened, shelves are seen inside."""
    w, h, d = look.size
    door = 0.06
    if look.openness:
        yield box((0, h / 2, -door / 2), (w - 0.02, h - 0.02, d - door), WHITE.shade(0.9)).inward(Faces.OPEN_FRONT)
        for level in (0.36, 0.55, 0.75):
            yield box((0, h * level, -door / 2 - d * 0.33), (w - 0.03, 0.01, d * 0.2), GLASS)
    else:
        yield box((0, h / 2, -door / 2), (w, h, d - door), STEEL.shade(0.9))
    yield box((0, h * 0.16, d / 2 - door / 2), (w - 0.01, h * 0.3, door), STEEL)
    yield box((0, h * 0.318, d / 2 - door / 2), (w - 0.006, 0.014, door * 0.9), BLACK)
    yield handle((0, h * 0.27, d / 2 + 0.015), w * 0.6, upright=False, material=DARK)
    for number, (x, wide, hinge) in enumerate(leaves(look)):
        panel = box((x, h * 0.66, d / 2 - door / 2), (wide - 0.01, h * 0.67, door), STEEL)
        grip = handle((x - hinge * wide * 0.4, h * 0.6, d / 2 + 0.015), h * 0.3, upright=True, material=DARK)
        plates = (  # the water dispenser, and the maker's plate above it
            box((x, h * y, d / 2 + out), (wide * across, h * tall, thick), material)
            for y, out, across, tall, thick, material in _PLATES
            if number == 0
        )
        yield from swung(
            (panel, grip, *plates), Vec3(hinge * w / 2, 0, d / 2 - door), yaw=hinge * _SWING * look.openness
        )


def microwave(look: Look) -> Parts:
    """A window left of a keypad; lit when running, a hollow when opened."""
    w, h, d = look.size
    door = 0.02
    body = box((0, h / 2, -door / 2), (w, h, d - door), STEEL)
    yield opened(look, body)
    if look.openness:
        floor = min(surface(look, 0.1), h * 0.5)
        yield box((0, 0.01, -door / 2), (w - 0.01, 0.02, d - door), DARK.shade(1.2))
        plate = 0.5 * min(w * 0.72, d)
        yield tube((0, floor / 2, -door / 2), (plate, floor), DARK.shade(1.4))
    z = d / 2 - door / 2
    panel = box((w * 0.13, h / 2, z), (w * 0.72, h - 0.02, door), STEEL)
    window = box((w * 0.15, h / 2, z + 0.004), (w * 0.54, h * 0.6, door), _WARM if look.toggled else BLACK)
    grip = handle((-w * 0.19, h / 2, d / 2 + 0.015), h * 0.7, upright=True)
    yield from swung((panel, window, grip), Vec3(w / 2, 0, d / 2 - door), yaw=_SWING * look.openness)
    yield box((-w * 0.365, h / 2, z), (w * 0.25, h - 0.02, door), DARK.shade(1.3))
    yield look.on_front((-0.365, 0.8), (0.18, 0.12), _LIT if look.toggled else BLACK)
    for row in range(3):
        yield look.on_front((-0.365, 0.25 + 0.16 * row), (0.17, 0.08), WHITE.shade(0.8), thick=0.005)


@lengthwise
def toaster(look: Look) -> Parts:
    """A low body with two slots, in which slices stand out, and dark ends that stay cool; glowing when on."""
    w, h, d = look.size
    top = h * 0.75
    yield box(top / 2 + 0.01, (w * 0.86, top - 0.02, d), CHROME)
    end = box((w * 0.46, top / 2 + 0.01, 0), (w * 0.08, top - 0.02, d), BLACK)
    yield from mirrored(end, box((0, top * 0.3, d / 2), (w * 0.5, top * 0.16, 0.003), DARK), across="xz")
    yield box(0.012, (w * 0.96, 0.024, d * 0.96), BLACK)
    slot = box((0, top, d * 0.2), (w * 0.72, 0.006, d * 0.14), EMBER if look.toggled else BLACK)
    yield from mirrored(slot, across="z")
    yield box((w / 2, top * (0.35 if look.toggled else 0.7), 0), (0.035, 0.02), BLACK)


def coffee_machine(look: Look) -> Parts:
    """A tower with a head that stands out over a niche for the mug; a red light, green when on."""
    w, h, d = look.size
    yield look.whole(DARK.shade(0.6)).inward(Faces.LEFT | Faces.RIGHT | Faces.BACK)
    yield look.board(0.025, 0.05, DARK)
    yield look.box(0.775, (0.8, 0.45), DARK.shade(1.2))
    yield look.box((0, 0.5, -0.42), (0.8, 1, 0.16), _NICHE if look.toggled else DARK)
    yield tube((0, h * 0.52, d * 0.08), (0.05, 0.05), CHROME)
    light = _LIT if look.toggled else Material(0xC83228, glow=0.2)
    yield box((w * 0.2, h * 0.86, d * 0.4 + 0.003), (w * 0.14, h * 0.06, 0.008), light)
    yield box((-w * 0.1, h * 0.82, d * 0.4), (w * 0.4, h * 0.2, 0.008), _DISPLAY if look.toggled else BLACK)
    if look.toggled:
        yield tube((0, h * 0.32, d * 0.08), (0.012, h * 0.38), Material(0x482814, gloss=0.4))


def washing_machine(look: Look) -> Parts:
    """A white cube with a round window."""
    w, h, d = look.size
    yield look.whole(WHITE.shade(0.75) if look.object_type == "ClothesDryer" else WHITE)
    yield tube((0, h * 0.45, d / 2), (w * 0.62, 0.04), CHROME, segments=20).along(2)
    yield tube((0, h * 0.45, d / 2 + 0.012), (w * 0.48, 0.03), BLACK, segments=20).along(2)
    yield look.on_front((0, 0.9), (0.9, 0.12), DARK, thick=0.02)


clothes_dryer = washing_machine


def vacuum_cleaner(look: Look) -> Parts:
    """A foot, a body and a long handle."""
    w, h, d = look.size
    yield box((0, 0.06, d * 0.25), (w, 0.12, d * 0.5), Material(0xB42830, gloss=0.4))
    yield look.tube(0.4, (0.45, 0.5, 0.4), DARK, taper=0.8)
    yield look.tube((0, 0.5, 0.1), (0.3, 0.25), GLASS)
    yield tube((0, h * 0.8, -d * 0.25), (0.03, h * 0.4), Material(0x46464A)).turned(pitch=-12)


def _lamp(look: Look, shade_share: float, stem: Material) -> Parts:
    w, h, d = look.size
    hood = h * shade_share
    yield tube(0.012, (w * 0.55, 0.024, d * 0.55), stem)
    yield tube((h - hood) / 2, (0.025, h - hood), stem)
    shade, bulb = (_LIGHT, _LIGHT) if look.toggled else (_SHADE, WHITE.shade(0.7))
    yield tube(h - hood / 2, (w, hood, d), shade, taper=0.65, segments=16).hollow()
    yield ball(h - hood * 0.5, (0.06, 0.08), bulb, segments=8)


def floor_lamp(look: Look) -> Parts:
    """A tall pole with a shade; bright when on."""
    return _lamp(look, 0.18, DARK)


def desk_lamp(look: Look) -> Parts:
    """A short lamp with a shade; bright when on."""
    return _lamp(look, 0.38, look.pick((BRASS, STEEL, DARK)))


def television(look: Look) -> Parts:
    """A flat screen on a foot."""
    w, h, d = look.size
    deep = min(d, 0.06)
    foot = 0.08 if d > 0.12 else 0.0
    middle = (h + foot) / 2
    yield box(middle, (w, h - foot, deep), BLACK)
    yield from glowing_screen(look, (0, middle, deep / 2), (w * 0.95, (h - foot) * 0.92, 0.006))
    if foot:
        yield box(0.01, (w * 0.4, 0.02, d * 0.9), DARK)
        yield box(foot / 2 + 0.01, (w * 0.08, foot, 0.03), DARK)


def laptop(look: Look) -> Parts:
    """A base with keys and a lid that opens; the screen shines when on."""
    w, h, d = look.size
    thick = 0.018
    grey = look.pick((STEEL, DARK, WHITE))
    depth = d if not look.openness or h < 0.08 else min(d, 0.75 * w)
    front = d / 2 - depth / 2
    yield box((0, thick / 2, front), (w, thick, depth), grey)
    yield box((0, thick + 0.001, front), (w * 0.88, 0.003, depth * 0.5), BLACK).shifted(dz=-depth * 0.12)
    yield box((0, thick + 0.001, front + depth * 0.32), (w * 0.26, 0.003, depth * 0.2), grey.shade(0.8))
    tall = min(h, 0.75 * w) if look.openness else depth
    hinge = Vec3(0, thick, front - depth / 2)
    lid = box((0, thick + tall / 2, hinge.z), (w, tall, 0.012), grey.shade(0.9))
    screen = glowing_screen(look, (0, thick + tall / 2, hinge.z + 0.007), (w * 0.92, tall * 0.86, 0.004))
    yield from swung((lid, *screen), hinge, pitch=90.0 - 105.0 * look.openness if look.openness else 88.0)


def desktop(look: Look) -> Parts:
    """A monitor beside a tower, with a keyboard."""
    w, h, d = look.size
    yield box((-w * 0.12, h * 0.58, -d * 0.2), (w * 0.7, h * 0.8, 0.04), BLACK)
    yield from glowing_screen(look, (-w * 0.12, h * 0.58, -d * 0.2 + 0.022), (w * 0.66, h * 0.72, 0.006))
    yield box((-w * 0.12, h * 0.1, -d * 0.2), (w * 0.1, h * 0.2, 0.05), DARK)
    yield look.box((0.38, 0.4, 0), (0.2, 0.8, 0.9), DARK)
    yield box((-w * 0.12, 0.012, d * 0.3), (w * 0.6, 0.024, d * 0.3), WHITE.shade(0.8))


def cell_phone(look: Look) -> Parts:
    """A slim slab whose face lights up."""
    w, h, d = look.size
    yield look.whole(look.pick((BLACK, WHITE, Material(0xB43C46, gloss=0.4))))
    face = Material(0x6EBEFA, glow=0.7) if look.toggled else Material(0x22242C, gloss=0.5)
    yield look.on_top((0, 0), (0.86, 0.84), face)
    if look.broken:
        for part in swung(cracks((0, 0, 0), (w, d, 0.002)), Vec3(0, 0, 0), pitch=90):
            yield part.shifted(dy=h + 0.002)


@lengthwise
def remote_control(look: Look) -> Parts:
    """A long dark bar with buttons."""
    yield look.whole(DARK.shade(0.6))
    grey = Material(0xBEBEC4)
    for at, button in ((-0.3, grey), (-0.1, grey), (0.1, grey), (0.32, Material(0xC83C3C))):
        yield look.on_top((at, 0), (0.1, 0.5), button, thick=0.006)


_SEGMENTS = {
    "top": (0.0, 0.18, 0.12, 0.05),
    "middle": (0.0, 0.0, 0.12, 0.05),
    "bottom": (0.0, -0.18, 0.12, 0.05),
    "upper left": (-0.05, 0.09, 0.03, 0.18),
    "upper right": (0.05, 0.09, 0.03, 0.18),
    "lower left": (-0.05, -0.09, 0.03, 0.18),
    "lower right": (0.05, -0.09, 0.03, 0.18),
}
"""The bars of a digit as its reader sees them: middle, width and height as shares of the clock's face."""
_TIME = (
    (0.3, ("upper right", "lower right")),
    (0.12, ("top", "bottom", "upper left", "upper right", "lower left", "lower right")),
    (-0.12, ("top", "middle", "bottom", "upper right", "lower left")),
    (-0.3, ("top", "middle", "bottom", "upper left", "lower right")),
)
"""Where each digit of 10:25 stands, and its bars."""


def alarm_clock(look: Look) -> Parts:
    """A box with a red digital face."""
    yield look.whole(look.pick((BLACK, WHITE, Material(0x78A096))))
    yield look.on_front((0, 0.52), (0.86, 0.62), BLACK, thick=0.004)
    for x, segments in _TIME:
        for segment in segments:
            dx, dy, wide, tall = _SEGMENTS[segment]
            red = Material(0xFF3C32, glow=0.6)
            yield look.on_front((x - dx, 0.52 + dy), (wide, tall), red, thick=0.004, out=0.002)
    yield look.on_top((0, 0), (0.3, 0.4), CHROME, thick=0.012, up=0.003)


def light_switch(look: Look) -> Parts:
    """A wall plate whose toggle points up when on."""
    w, h, d = look.size
    yield look.box((0, 0.5, -0.25), (1, 1, 0.5), WHITE)
    toggle = box((0, h / 2, d * 0.15), (w * 0.2, h * 0.24, max(d * 0.5, 0.01)), WHITE.shade(0.8))
    yield toggle.turned(pitch=-25 if look.toggled else 25).shifted(dy=h * (0.08 if look.toggled else -0.08))
    lamp = Material(0x5AE66E, glow=0.7) if look.toggled else Material(0x963C32)
    yield box((0, h * 0.2, 0.001), (w * 0.5, h * 0.14, d * 0.2), lamp)


def watch(look: Look) -> Parts:
    """A strap bent round, with a face."""
    _, h, d = look.size
    yield look.tube(0.5, (1, 0.8), Material(0x5C3E28), segments=14).hollow()
    yield tube((0, h * 0.5, d / 2), (h * 0.9, 0.012), CHROME).along(2)
    yield tube((0, h * 0.5, d / 2 + 0.004), (h * 0.7, 0.01), PAPER).along(2)


def cd(look: Look) -> Parts:
    """A thin shining disc with a hole."""
    w, h, d = look.size
    thick = max(h, 0.004)
    yield tube(thick / 2, (w, thick, d), Material(0xC8CEE2, gloss=0.9), segments=18)
    yield tube(thick / 2, (w * 0.3, thick + 0.002, d * 0.3), Material(0x78AADC, gloss=0.6))
    yield tube(thick / 2, (w * 0.12, thick + 0.004, d * 0.12), BLACK)
