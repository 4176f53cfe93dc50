"""Lamps, screens, phones, clocks."""

from __future__ import annotations

from teach_agents.observations import Vec3
from teach_agents.simulator.embedded.shapes.look import Look, cracks, glowing_screen
from teach_agents.simulator.embedded.shapes.palette import BLACK, BRASS, CHROME, DARK, PAPER, STEEL, WHITE
from teach_agents.simulator.embedded.shapes.parts import Material, Parts, ball, box, tube

_LIGHT = Material((255, 244, 200), glow=0.75)
_SHADE = Material((214, 196, 160))


def _lamp(look: Look, shade_share: float, stem: Material) -> Parts:
    w, h, d = look.size
    hood = h * shade_share
    yield tube((0, 0.012, 0), (w * 0.55, 0.024, d * 0.55), stem)
    yield tube((0, (h - hood) / 2, 0), (0.025, h - hood, 0.025), stem)
    material = _LIGHT if look.toggled else _SHADE
    yield tube((0, h - hood / 2, 0), (w, hood, d), material, taper=0.65, segments=16).hollow()
    yield ball((0, h - hood * 0.5, 0), (0.06, 0.08, 0.06), _LIGHT if look.toggled else WHITE.shade(0.7), segments=8)


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
    yield box((0, middle, 0), (w, h - foot, deep), BLACK)
    yield from glowing_screen(look, (0, middle, deep / 2), (w * 0.95, (h - foot) * 0.92, 0.006))
    if foot:
        yield box((0, 0.01, 0), (w * 0.4, 0.02, d * 0.9), DARK)
        yield box((0, foot / 2 + 0.01, 0), (w * 0.08, foot, 0.03), DARK)


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
    screen = list(glowing_screen(look, (0, thick + tall / 2, hinge.z + 0.007), (w * 0.92, tall * 0.86, 0.004)))
    angle = 90.0 - 105.0 * look.openness if look.openness else 88.0
    for part in (lid, *screen):
        yield part.swung(hinge, pitch=angle)


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
    yield look.box((0, 0.5, 0), (1, 1, 1), look.pick((BLACK, WHITE, Material((180, 60, 70), gloss=0.4))))
    face = Material((110, 190, 250), glow=0.7) if look.toggled else Material((34, 36, 44), gloss=0.5)
    yield box((0, h, 0), (w * 0.86, 0.003, d * 0.84), face)
    if look.broken:
        for part in cracks((0, 0, 0), (w, d, 0.002)):
            yield part.swung(Vec3(0, 0, 0), pitch=90).shifted(dy=h + 0.002)


def remote_control(look: Look) -> Parts:
    """A long dark bar with buttons."""
    w, h, d = look.size
    long_x = w > d
    yield look.box((0, 0.5, 0), (1, 1, 1), DARK.shade(0.6))
    for i, at in enumerate((-0.3, -0.1, 0.1, 0.32)):
        button = Material((200, 60, 60)) if i == 3 else Material((190, 190, 196))
        size = (w * 0.1, 0.006, d * 0.5) if long_x else (w * 0.5, 0.006, d * 0.1)
        yield box((at * w, h, 0) if long_x else (0, h, at * d), size, button)


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
_DIGITS = {
    "0": ("top", "bottom", "upper left", "upper right", "lower left", "lower right"),
    "1": ("upper right", "lower right"),
    "2": ("top", "middle", "bottom", "upper right", "lower left"),
    "5": ("top", "middle", "bottom", "upper left", "lower right"),
}


def alarm_clock(look: Look) -> Parts:
    """A box with a red digital face."""
    w, h, d = look.size
    yield look.box((0, 0.5, 0), (1, 1, 1), look.pick((BLACK, WHITE, Material((120, 160, 150)))))
    yield box((0, h * 0.52, d / 2), (w * 0.86, h * 0.62, 0.004), BLACK)
    for x, digit in ((0.3, "1"), (0.12, "0"), (-0.12, "2"), (-0.3, "5")):
        for segment in _DIGITS[digit]:
            dx, dy, wide, tall = _SEGMENTS[segment]
            at = ((x - dx) * w, h * (0.52 + dy), d / 2 + 0.002)
            yield box(at, (w * wide, h * tall, 0.004), Material((255, 60, 50), glow=0.6))
    yield box((0, h + 0.003, 0), (w * 0.3, 0.012, d * 0.4), CHROME)


def light_switch(look: Look) -> Parts:
    """A wall plate whose toggle points up when on."""
    w, h, d = look.size
    yield look.box((0, 0.5, -0.25), (1, 1, 0.5), WHITE)
    toggle = box((0, h / 2, d * 0.15), (w * 0.2, h * 0.24, max(d * 0.5, 0.01)), WHITE.shade(0.8))
    yield toggle.turned(pitch=-25 if look.toggled else 25).shifted(dy=h * (0.08 if look.toggled else -0.08))
    lamp = Material((90, 230, 110), glow=0.7) if look.toggled else Material((150, 60, 50))
    yield box((0, h * 0.2, 0.001), (w * 0.5, h * 0.14, d * 0.2), lamp)


def watch(look: Look) -> Parts:
    """A strap bent round, with a face."""
    w, h, d = look.size
    yield look.tube((0, 0.5, 0), (1, 0.8, 1), Material((92, 62, 40)), segments=14).hollow()
    yield tube((0, h * 0.5, d / 2), (h * 0.9, 0.012, h * 0.9), CHROME).turned(pitch=90)
    yield tube((0, h * 0.5, d / 2 + 0.004), (h * 0.7, 0.01, h * 0.7), PAPER).turned(pitch=90)


def cd(look: Look) -> Parts:
    """A thin shining disc with a hole."""
    w, h, d = look.size
    thick = max(h, 0.004)
    yield tube((0, thick / 2, 0), (w, thick, d), Material((200, 206, 226), gloss=0.9), segments=18)
    yield tube((0, thick / 2, 0), (w * 0.3, thick + 0.002, d * 0.3), Material((120, 170, 220), gloss=0.6))
    yield tube((0, thick / 2, 0), (w * 0.12, thick + 0.004, d * 0.12), BLACK)
