"""Crockery, cutlery, pots and pans."""

from __future__ import annotations

from teach_agents.observations import Vec3
from teach_agents.simulator.embedded.shapes.look import Look, bowl_shell, clear_liquid, liquid_surface, soiled, surface
from teach_agents.simulator.embedded.shapes.palette import BLACK, CHROME, CROCKERY, DARK, GLASS, LIQUIDS, STEEL, WOODS
from teach_agents.simulator.embedded.shapes.parts import Faces, Material, Part, Parts, ball, box, tube


def _glaze(look: Look, salt: int = 0) -> Material:
    return soiled(look, Material(look.pick(CROCKERY, salt), gloss=0.3))


def mug(look: Look) -> Parts:
    """A straight cup with a handle at the side where its box is longer."""
    w, h, d = look.size
    glaze = _glaze(look)
    round_ = min(w, d)
    along_x = w >= d
    shift = (max(w, d) - round_) / 2
    x, z = (-shift, 0.0) if along_x else (0.0, -shift)
    yield bowl_shell((x, h / 2, z), (round_, h, round_), glaze)
    yield from (part.shifted(dx=x, dz=z) for part in liquid_surface(look, h * 0.85, round_ * 0.46, round_ * 0.46))
    grip = max(2 * shift, 0.02)
    gx, gz = (x + round_ / 2 + grip / 2, 0.0) if along_x else (0.0, z + round_ / 2 + grip / 2)
    thin = 0.012
    for level in (0.25, 0.75):
        yield box((gx, h * level, gz), (grip if along_x else thin, thin, thin if along_x else grip), glaze)
    far = grip / 2 - thin / 2
    yield box((gx + far * along_x, h / 2, gz + far * (not along_x)), (thin, h * 0.5, thin), glaze)


def cup(look: Look) -> Parts:
    """A tumbler, wider at the top."""
    w, h, d = look.size
    glass = soiled(look, look.pick((GLASS, Material((200, 120, 90), gloss=0.4), Material((120, 170, 150), gloss=0.4))))
    yield bowl_shell((0, h / 2, 0), (w, h, d), glass, taper=1.25)
    yield look.tube((0, 0.94, 0), (1, 0.03, 1), glass.shade(1.15)).hollow(Faces.WALL)
    yield from liquid_surface(look, h * 0.88, w * 0.46, d * 0.46)
    if look.filled:  # glass shows how full it is
        liquid = LIQUIDS.get(look.liquid or "water", LIQUIDS["water"])
        seen = glass.tinted(liquid.shade(0.6).colour, 0.8)
        yield look.tube((0, 0.435, 0), (0.97, 0.73, 0.97), seen, taper=1.18)


def bowl(look: Look) -> Parts:
    """A wide vessel, open at the top."""
    w, h, d = look.size
    glaze = _glaze(look, 1)
    yield bowl_shell((0, h / 2 + 0.004, 0), (w, h - 0.008, d), glaze, taper=1.7, segments=16)
    yield look.tube((0, 0.06, 0), (0.5, 0.12, 0.5), glaze.shade(0.85))
    yield from clear_liquid(look, 0.012, h * 0.75, w * 0.86, d * 0.86, taper=1.5)


def plate(look: Look) -> Parts:
    """A flat disc with a raised rim of at most 3 cm; what lies on it stands on its bottom."""
    w, h, d = look.size
    thick = min(h, 0.03)
    base = min(surface(look), thick / 2)
    glaze = Material(look.pick(((240, 240, 244), (226, 220, 206), (170, 196, 214))), gloss=0.3)
    yield bowl_shell((0, thick / 2, 0), (w, thick, d), glaze.shade(0.94), taper=1.4, segments=18)
    yield tube((0, base / 2 + 0.002, 0), (w * 0.72, base, d * 0.72), soiled(look, glaze.shade(0.82)), segments=16)


def pot(look: Look) -> Parts:
    """A deep vessel with two handles; lid off, so that one sees what is in it."""
    w, h, d = look.size
    metal = soiled(look, STEEL)
    body = min(w, d)
    yield bowl_shell((0, h / 2 + 0.005, 0), (body, h - 0.01, body), metal, segments=16)
    yield tube((0, 0.012, 0), (body * 0.94, 0.012, body * 0.94), metal.shade(0.8), segments=16)
    yield from clear_liquid(look, 0.02, h * 0.75, body * 0.96, body * 0.96)
    for sign in (-1, 1):
        if w >= d:
            yield box((sign * (w / 2 - 0.012), h * 0.8, 0), (max(0.03, (w - body) / 2 + 0.02), 0.014, 0.07), BLACK)
        else:
            yield box((0, h * 0.8, sign * (d / 2 - 0.012)), (0.07, 0.014, max(0.03, (d - body) / 2 + 0.02)), BLACK)


def pan(look: Look) -> Parts:
    """A shallow dish of at most 5 cm with a long handle."""
    w, h, d = look.size
    metal = soiled(look, Material((52, 52, 56), gloss=0.3))
    body, rim = min(w, d), min(h, 0.05)
    shift = (max(w, d) - body) / 2
    # Where people clicked pans longer in depth, the dish is at +z; wider ones have their handle at +x.
    x, z = (-shift, 0.0) if w > d else (0.0, shift)
    dish = bowl_shell((x, rim / 2 + 0.004, z), (body, rim - 0.008, body), metal, taper=1.15, segments=16)
    yield dish
    yield tube((x, 0.008, z), (body * 0.86, 0.008, body * 0.86), metal.shade(1.35), segments=16)
    length = max(2 * shift, 0.06)
    gx, gz = (x + body / 2 + length / 2, 0.0) if w > d else (0.0, z - body / 2 - length / 2)
    size = (length, 0.014, 0.026) if w > d else (0.026, 0.014, length)
    yield box((gx, rim * 0.85, gz), size, BLACK)


def kettle(look: Look) -> Parts:
    """A round belly with a spout and a bow handle; its lid lifts when open."""
    w, h, d = look.size
    enamel = look.pick((Material((196, 62, 58), gloss=0.5), STEEL, Material((70, 110, 150), gloss=0.5)))
    yield look.tube((0, 0.33, 0), (0.8, 0.62, 0.8), enamel, taper=0.65, segments=14)
    yield tube((0, h * 0.45, d * 0.4), (0.03, d * 0.3, 0.03), enamel, taper=0.7).turned(pitch=50)
    lid = look.tube((0, 0.67, 0), (0.45, 0.06, 0.45), enamel.shade(0.8))
    knob = ball((0, h * 0.72, 0), (0.03, 0.03, 0.03), BLACK, segments=8)
    pivot = Vec3(0, h * 0.66, -d * 0.22)
    for part in (lid, knob):
        yield part.swung(pivot, pitch=-70.0 * look.openness)
    for sign in (-1, 1):
        yield box((0, h * 0.8, sign * d * 0.3), (0.014, h * 0.32, 0.014), BLACK)
    yield box((0, h * 0.97, 0), (0.02, h * 0.06, d * 0.62), BLACK)
    yield from liquid_surface(look, h * 0.648, w * 0.24, d * 0.24)
    if look.filled:  # a sight glass round the belly
        liquid = LIQUIDS.get(look.liquid or "water", LIQUIDS["water"])
        yield look.tube((0, 0.36, 0), (0.7, 0.2, 0.7), liquid, taper=0.87, segments=14)


def _long_axis(look: Look) -> tuple[bool, float, float, float]:
    """Whether a flat tool lies along x; its length, width and thickness."""
    w, h, d = look.size
    return w > d, max(w, d), min(w, d), h


def _along(look: Look, at: float, length: float, width: float, thick: float, material: Material) -> Part:
    """A bar of a tool's own axis: `at` and `length` as shares of the tool's length."""
    x_axis, whole, _, h = _long_axis(look)
    center = (at * whole, h / 2, 0.0) if x_axis else (0.0, h / 2, at * whole)
    size = (length * whole, thick, width) if x_axis else (width, thick, length * whole)
    return box(center, size, material)


def knife(look: Look) -> Parts:
    """A broad blade and a black handle."""
    _, _, width, thick = _long_axis(look)
    edge, flat = max(width, 0.006), max(thick, 0.006)
    yield _along(look, 0.16, 0.68, edge, flat, CHROME)
    yield _along(look, -0.34, 0.32, max(edge, 0.02), max(flat * 0.8, 0.02), BLACK)


def butter_knife(look: Look) -> Parts:
    """All of steel, with a narrow blade."""
    _, _, width, thick = _long_axis(look)
    yield _along(look, 0.22, 0.54, max(width, 0.008), max(thick, 0.008), CHROME)
    yield _along(look, -0.26, 0.48, max(width * 0.8, 0.014), max(thick * 0.7, 0.012), STEEL)


def fork(look: Look) -> Parts:
    """A stem and three prongs."""
    x_axis, whole, width, h = _long_axis(look)
    yield _along(look, -0.14, 0.72, max(width * 0.5, 0.01), max(h * 0.5, 0.008), STEEL)
    yield _along(look, 0.26, 0.16, max(width, 0.022), max(h * 0.5, 0.008), STEEL)
    for sign in (-1, 0, 1):
        prong = _along(look, 0.4, 0.2, max(width * 0.2, 0.005), 0.006, CHROME)
        side = sign * max(width, 0.022) * 0.4
        yield prong.shifted(dz=side) if x_axis else prong.shifted(dx=side)


def spoon(look: Look) -> Parts:
    """A stem and an oval bowl."""
    x_axis, whole, width, h = _long_axis(look)
    yield _along(look, -0.12, 0.74, max(width * 0.35, 0.01), max(h * 0.4, 0.008), STEEL)
    length, wide = 0.28 * whole, max(width, 0.02)
    center = (0.36 * whole, h / 2, 0.0) if x_axis else (0.0, h / 2, 0.36 * whole)
    yield ball(center, (length if x_axis else wide, max(h * 0.6, 0.008), wide if x_axis else length), CHROME)


def ladle(look: Look) -> Parts:
    """A long stem with a deep round bowl."""
    x_axis, whole, width, h = _long_axis(look)
    yield _along(look, -0.15, 0.7, 0.012, 0.01, DARK)
    center = (0.35 * whole, h / 2, 0.0) if x_axis else (0.0, h / 2, 0.35 * whole)
    scoop = min(width, 0.3 * whole)
    yield bowl_shell(center, (scoop, h, scoop), STEEL, taper=1.3)


def spatula(look: Look) -> Parts:
    """A slotted blade on a stem."""
    _, _, width, _ = _long_axis(look)
    yield _along(look, -0.16, 0.68, max(width * 0.25, 0.008), 0.01, BLACK)
    yield _along(look, 0.34, 0.32, max(width, 0.02), 0.006, Material((60, 62, 68), gloss=0.2))
    yield _along(look, 0.34, 0.24, max(width * 0.2, 0.004), 0.008, STEEL)


def _flask(look: Look, glass: Material, label: Material, neck: float, shine: float = 1.0) -> Parts:
    """A bottle; a liquid in it is `shine` times as bright as elsewhere."""
    w, h, d = look.size
    belly = 1.0 - neck
    yield tube((0, h * belly * 0.42, 0), (w, h * belly * 0.84, d), glass)
    yield tube((0, h * belly * 0.92, 0), (w, h * belly * 0.16, d), glass, taper=0.4)
    yield look.tube((0, 1 - neck / 2, 0), (0.4, neck, 0.4), glass)
    yield tube((0, h * belly * 0.42, 0), (w * 1.02, h * belly * 0.4, d * 1.02), label)
    if look.filled:
        band = LIQUIDS.get(look.liquid or "water", LIQUIDS["water"]).shade(shine)
        yield tube((0, h * belly * 0.74, 0), (w * 1.015, h * belly * 0.16, d * 1.015), band)


def bottle(look: Look) -> Parts:
    """A green bottle with a label."""
    glass = look.pick((Material((70, 130, 90), gloss=0.6), Material((90, 120, 160), gloss=0.6)))
    return _flask(look, glass, Material((230, 224, 200)), 0.28, shine=1.0 if look.liquid == "coffee" else 1.6)


def wine_bottle(look: Look) -> Parts:
    """A tall dark bottle with a red label."""
    return _flask(look, Material((38, 58, 40), gloss=0.7), Material((176, 60, 60)), 0.34, shine=2.4)


def shaker(look: Look) -> Parts:
    """A small caster: white for salt, dark for pepper, with a metal cap."""
    body = (
        Material((236, 236, 234), gloss=0.4) if look.object_type == "SaltShaker" else Material((74, 48, 36), gloss=0.4)
    )
    yield look.tube((0, 0.38, 0), (1, 0.76, 1), body, taper=0.8)
    yield look.tube((0, 0.84, 0), (0.82, 0.16, 0.82), CHROME)
    yield look.ball((0, 0.92, 0), (0.8, 0.16, 0.8), WOODS[2] if "Pepper" in look.object_type else CHROME)
