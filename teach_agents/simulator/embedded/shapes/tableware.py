"""Crockery, cutlery, pots and pans; and food, whole, sliced, cooked."""

from __future__ import annotations

from teach_agents.observations import Vec3
from teach_agents.simulator.embedded.shapes.look import (
    Look,
    bowl_shell,
    clear_liquid,
    lengthwise,
    liquid_surface,
    mirrored,
    soiled,
    surface,
    swung,
)
from teach_agents.simulator.embedded.shapes.palette import BLACK, CHROME, DARK, GLASS, STEEL, WOODS
from teach_agents.simulator.embedded.shapes.parts import Colour, Faces, Material, Part, Parts, Pattern, ball, box, tube

_CROCKERY = (
    (236, 236, 240),
    (92, 132, 176),
    (206, 92, 72),
    (222, 178, 84),
    (118, 162, 126),
    (150, 120, 168),
    (226, 214, 190),
)
_ROASTED: Colour = (96, 54, 22)
_CHAR: Colour = (62, 34, 14)


def _glaze(look: Look, salt: int = 0) -> Material:
    return soiled(look, Material(look.pick(_CROCKERY, salt), gloss=0.3))


@lengthwise
def mug(look: Look) -> Parts:
    """A straight cup with a handle at the side where its box is longer."""
    w, h, d = look.size
    glaze = _glaze(look)
    shift = (w - d) / 2
    yield bowl_shell((-shift, h / 2, 0), (d, h, d), glaze)
    yield from (part.shifted(dx=-shift) for part in liquid_surface(look, h * 0.85, d * 0.46, d * 0.46))
    grip, thin = max(2 * shift, 0.02), 0.012
    x = -shift + d / 2 + grip / 2
    for level in (0.25, 0.75):
        yield box((x, h * level, 0), (grip, thin, thin), glaze)
    yield box((x + (grip / 2 - thin / 2), h / 2, 0), (thin, h * 0.5, thin), glaze)


def cup(look: Look) -> Parts:
    """A tumbler, wider at the top."""
    w, h, d = look.size
    glass = soiled(look, look.pick((GLASS, Material((200, 120, 90), gloss=0.4), Material((120, 170, 150), gloss=0.4))))
    yield bowl_shell((0, h / 2, 0), (w, h, d), glass, taper=1.25)
    yield look.tube((0, 0.94, 0), (1, 0.03, 1), glass.shade(1.15)).hollow(Faces.WALL)
    yield from liquid_surface(look, h * 0.88, w * 0.46, d * 0.46)
    if look.filled:  # glass shows how full it is
        seen = glass.tinted(look.drink.shade(0.6).colour, 0.8)
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


@lengthwise
def pot(look: Look) -> Parts:
    """A deep vessel with two handles; lid off, so that one sees what is in it."""
    w, h, d = look.size
    metal = soiled(look, STEEL)
    yield bowl_shell((0, h / 2 + 0.005, 0), (d, h - 0.01, d), metal, segments=16)
    yield tube((0, 0.012, 0), (d * 0.94, 0.012, d * 0.94), metal.shade(0.8), segments=16)
    yield from clear_liquid(look, 0.02, h * 0.75, d * 0.96, d * 0.96)
    yield from mirrored(box((w / 2 - 0.012, h * 0.8, 0), (max(0.03, (w - d) / 2 + 0.02), 0.014, 0.07), BLACK))


def pan(look: Look) -> Parts:
    """A shallow dish of at most 5 cm with a long handle."""
    w, h, d = look.size
    metal = soiled(look, Material((52, 52, 56), gloss=0.3))
    body, rim = min(w, d), min(h, 0.05)
    shift = (max(w, d) - body) / 2
    # Where people clicked pans longer in depth, the dish is at +z; wider ones have their handle at +x.
    x, z = (-shift, 0.0) if w > d else (0.0, shift)
    yield bowl_shell((x, rim / 2 + 0.004, z), (body, rim - 0.008, body), metal, taper=1.15, segments=16)
    yield tube((x, 0.008, z), (body * 0.86, 0.008, body * 0.86), metal.shade(1.35), segments=16)
    length = max(2 * shift, 0.06)
    gx, gz = (x + body / 2 + length / 2, 0.0) if w > d else (0.0, z - body / 2 - length / 2)
    yield box((gx, rim * 0.85, gz), (length, 0.014, 0.026) if w > d else (0.026, 0.014, length), BLACK)


def kettle(look: Look) -> Parts:
    """A round belly with a spout and a bow handle; its lid lifts when open."""
    w, h, d = look.size
    enamel = look.pick((Material((196, 62, 58), gloss=0.5), STEEL, Material((70, 110, 150), gloss=0.5)))
    yield look.tube((0, 0.33, 0), (0.8, 0.62, 0.8), enamel, taper=0.65, segments=14)
    yield tube((0, h * 0.45, d * 0.4), (0.03, d * 0.3, 0.03), enamel, taper=0.7).turned(pitch=50)
    lid = look.tube((0, 0.67, 0), (0.45, 0.06, 0.45), enamel.shade(0.8))
    knob = ball((0, h * 0.72, 0), (0.03, 0.03, 0.03), BLACK, segments=8)
    yield from swung((lid, knob), Vec3(0, h * 0.66, -d * 0.22), pitch=-70.0 * look.openness)
    yield from mirrored(box((0, h * 0.8, d * 0.3), (0.014, h * 0.32, 0.014), BLACK), across="z")
    yield box((0, h * 0.97, 0), (0.02, h * 0.06, d * 0.62), BLACK)
    yield from liquid_surface(look, h * 0.648, w * 0.24, d * 0.24)
    if look.filled:  # a sight glass round the belly
        yield look.tube((0, 0.36, 0), (0.7, 0.2, 0.7), look.drink, taper=0.87, segments=14)


def _bar(look: Look, at: float, length: float, width: float, thick: float, material: Material) -> Part:
    """A bar of a tool that lies along x: `at` and `length` as shares of the tool's length."""
    w, h, _ = look.size
    return box((at * w, h / 2, 0), (length * w, thick, width), material)


@lengthwise
def knife(look: Look) -> Parts:
    """A broad blade and a black handle."""
    edge, flat = max(look.size.z, 0.006), max(look.size.y, 0.006)
    yield _bar(look, 0.16, 0.68, edge, flat, CHROME)
    yield _bar(look, -0.34, 0.32, max(edge, 0.02), max(flat * 0.8, 0.02), BLACK)


@lengthwise
def butter_knife(look: Look) -> Parts:
    """All of steel, with a narrow blade."""
    _, thick, width = look.size
    yield _bar(look, 0.22, 0.54, max(width, 0.008), max(thick, 0.008), CHROME)
    yield _bar(look, -0.26, 0.48, max(width * 0.8, 0.014), max(thick * 0.7, 0.012), STEEL)


@lengthwise
def fork(look: Look) -> Parts:
    """A stem and three prongs."""
    _, h, width = look.size
    yield _bar(look, -0.14, 0.72, max(width * 0.5, 0.01), max(h * 0.5, 0.008), STEEL)
    yield _bar(look, 0.26, 0.16, max(width, 0.022), max(h * 0.5, 0.008), STEEL)
    for side in (-1, 0, 1):
        prong = _bar(look, 0.4, 0.2, max(width * 0.2, 0.005), 0.006, CHROME)
        yield prong.shifted(dz=side * max(width, 0.022) * 0.4)


@lengthwise
def spoon(look: Look) -> Parts:
    """A stem and an oval bowl."""
    whole, h, width = look.size
    yield _bar(look, -0.12, 0.74, max(width * 0.35, 0.01), max(h * 0.4, 0.008), STEEL)
    yield ball((0.36 * whole, h / 2, 0), (0.28 * whole, max(h * 0.6, 0.008), max(width, 0.02)), CHROME)


@lengthwise
def ladle(look: Look) -> Parts:
    """A long stem with a deep round bowl."""
    whole, h, width = look.size
    yield _bar(look, -0.15, 0.7, 0.012, 0.01, DARK)
    scoop = min(width, 0.3 * whole)
    yield bowl_shell((0.35 * whole, h / 2, 0), (scoop, h, scoop), STEEL, taper=1.3)


@lengthwise
def spatula(look: Look) -> Parts:
    """A slotted blade on a stem."""
    width = look.size.z
    yield _bar(look, -0.16, 0.68, max(width * 0.25, 0.008), 0.01, BLACK)
    yield _bar(look, 0.34, 0.32, max(width, 0.02), 0.006, Material((60, 62, 68), gloss=0.2))
    yield _bar(look, 0.34, 0.24, max(width * 0.2, 0.004), 0.008, STEEL)


def _flask(look: Look, glass: Material, label: Material, neck: float, shine: float = 1.0) -> Parts:
    """A bottle; a liquid in it is `shine` times as bright as elsewhere."""
    w, h, d = look.size
    belly = 1.0 - neck
    yield tube((0, h * belly * 0.42, 0), (w, h * belly * 0.84, d), glass)
    yield tube((0, h * belly * 0.92, 0), (w, h * belly * 0.16, d), glass, taper=0.4)
    yield look.tube((0, 1 - neck / 2, 0), (0.4, neck, 0.4), glass)
    yield tube((0, h * belly * 0.42, 0), (w * 1.02, h * belly * 0.4, d * 1.02), label)
    if look.filled:
        yield tube((0, h * belly * 0.74, 0), (w * 1.015, h * belly * 0.16, d * 1.015), look.drink.shade(shine))


def bottle(look: Look) -> Parts:
    """A green bottle with a label."""
    glass = look.pick((Material((70, 130, 90), gloss=0.6), Material((90, 120, 160), gloss=0.6)))
    return _flask(look, glass, Material((230, 224, 200)), 0.28, shine=1.0 if look.liquid == "coffee" else 1.6)


def wine_bottle(look: Look) -> Parts:
    """A tall dark bottle with a red label."""
    return _flask(look, Material((38, 58, 40), gloss=0.7), Material((176, 60, 60)), 0.34, shine=2.4)


def salt_shaker(look: Look) -> Parts:
    """A small caster: white for salt, dark for pepper, with a metal cap."""
    colour, cap = ((236, 236, 234), CHROME) if look.object_type == "SaltShaker" else ((74, 48, 36), WOODS[2])
    yield look.tube((0, 0.38, 0), (1, 0.76, 1), Material(colour, gloss=0.4), taper=0.8)
    yield look.tube((0, 0.84, 0), (0.82, 0.16, 0.82), CHROME)
    yield look.ball((0, 0.92, 0), (0.8, 0.16, 0.8), cap)


pepper_shaker = salt_shaker


def _cooked(look: Look, material: Material) -> Material:
    """Brown, with darker patches, if cooked."""
    if not look.cooked:
        return material
    return Material(material.tinted(_ROASTED, 0.6).colour, _CHAR, Pattern.BLOTCHES, 14.0, gloss=0.15)


def apple(look: Look) -> Parts:
    """A red or green ball with a stalk."""
    skin = look.pick((Material((190, 32, 30), gloss=0.5), Material((120, 176, 56), gloss=0.5)))
    yield look.ball((0, 0.46, 0), (1, 0.92, 1), _cooked(look, skin), segments=12)
    yield look.tube((0, 0.92, 0), (0.08, 0.16, 0.08), Material((80, 52, 22)), segments=6)
    yield look.ball((0.1, 0.93, 0), (0.22, 0.04, 0.1), Material((70, 130, 50)), segments=6)


def tomato(look: Look) -> Parts:
    """A flat orange-red ball with a green star."""
    yield look.ball((0, 0.48, 0), (1, 0.96, 1), _cooked(look, Material((218, 62, 34), gloss=0.5)), segments=12)
    star = Material((54, 120, 40))
    yield look.box((0, 0.95, 0), (0.45, 0.05, 0.1), star)
    yield look.box((0, 0.95, 0), (0.1, 0.05, 0.45), star)


def potato(look: Look) -> Parts:
    """A brown speckled lump."""
    skin = Material((182, 142, 88), (150, 112, 66), Pattern.SPECKLES, 60.0)
    yield look.ball((0, 0.5, 0), (1, 1, 1), _cooked(look, skin), segments=12)


def lettuce(look: Look) -> Parts:
    """A leafy head."""
    w, h, d = look.size
    leaf = _cooked(look, Material((120, 186, 74), (74, 138, 44), Pattern.BLOTCHES, 16.0))
    yield look.ball((0, 0.5, 0), (0.86, 0.94, 0.86), leaf, segments=12)
    for x, z in ((-1, 0.3), (1, -0.3), (0.3, 1), (-0.3, -1)):
        yield ball((x * w * 0.24, h * 0.45, z * d * 0.24), (w * 0.52, h * 0.86, d * 0.52), leaf.shade(0.88), segments=8)


def egg(look: Look) -> Parts:
    """An ellipsoid."""
    yield look.ball((0, 0.5, 0), (1, 1, 1), _cooked(look, Material((242, 222, 194), gloss=0.2)), segments=12)


def egg_cracked(look: Look) -> Parts:
    """White with a yolk; cooked, the edge is brown and the white is dull."""
    w, h, d = look.size
    white, yolk = Material((252, 250, 240), gloss=0.4), Material((250, 190, 40), gloss=0.4)
    if look.cooked:
        yield look.tube((0, 0.25, 0), (1, 0.5, 1), Material((186, 128, 66)), segments=14)
        white, yolk = Material((250, 240, 214)), Material((232, 150, 30), gloss=0.4)
    yield look.tube((0, 0.35, 0), (0.88, 0.7, 0.88), white, segments=14)
    yield ball((w * 0.06, h * 0.62, 0), (w * 0.4, max(h * 0.75, 0.012), d * 0.4), yolk)


@lengthwise
def bread(look: Look) -> Parts:
    """A loaf with a domed crust and cuts."""
    w, h, d = look.size
    crust = _cooked(look, Material((196, 132, 66), (172, 108, 50), Pattern.BLOTCHES, 10.0))
    yield look.box((0, 0.32, 0), (0.96, 0.64, 0.96), crust)
    yield look.ball((0, 0.6, 0), (1, 0.8, 1), crust.shade(1.05), segments=12)
    for at in (-0.28, 0.0, 0.28):
        yield box((at * w, h * 0.97, 0), (0.012, 0.012, d * 0.5), Material((232, 200, 148)))


_FLESH = {
    "AppleSliced": (Material((246, 236, 196)), Material((190, 32, 30), gloss=0.4)),
    "TomatoSliced": (Material((232, 96, 64), (248, 170, 110), Pattern.BLOTCHES, 30.0), Material((206, 44, 30))),
    "PotatoSliced": (Material((240, 222, 150)), Material((182, 142, 88))),
    "LettuceSliced": (Material((170, 214, 110), (110, 176, 70), Pattern.BLOTCHES, 20.0), Material((84, 150, 52))),
    "BreadSliced": (Material((244, 224, 180), (232, 204, 152), Pattern.SPECKLES, 60.0), Material((180, 116, 56))),
}


def bread_sliced(look: Look) -> Parts:
    """One slice: flesh with a rim of skin, square for bread, round for the rest; brown when cooked."""
    w, h, d = look.size
    flesh, skin = (_cooked(look, material) for material in _FLESH[look.object_type])
    thin = min(range(3), key=look.size.__getitem__)
    if look.object_type == "BreadSliced":
        yield look.whole(skin)
        a, b, c = (size + 0.003 if axis == thin else size * 0.84 for axis, size in enumerate(look.size))
        yield box((0, h / 2, 0), (a, b, c), flesh)
        return
    wide, thick, deep = ((h, w, d), (w, h, d), (w, d, h))[thin]
    # The skin is narrower than the slice, so that slices that lie together are told apart.
    yield tube((0, h / 2, 0), (wide, thick * 0.78, deep), skin, segments=14).along(thin)
    yield tube((0, h / 2, 0), (wide * 0.93, thick, deep * 0.93), flesh, segments=14).along(thin)


apple_sliced = lettuce_sliced = potato_sliced = tomato_sliced = bread_sliced
