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
    0xECECF0,
    0x5C84B0,
    0xCE5C48,
    0xDEB254,
    0x76A27E,
    0x9678A8,
    0xE2D6BE,
)
_ROASTED: Colour = 0x603616
_CHAR: Colour = 0x3E220E


def _glaze(look: Look, salt: int = 0) -> Material:
    return soiled(look, Material(look.pick(_CROCKERY, salt), gloss=0.3))


@lengthwise
def mug(look: Look) -> Parts:
    """A straight cup with a handle at the side where its box is longer."""
    w, h, d = look.size
    glaze = _glaze(look)
    shift = (w - d) / 2
    yield bowl_shell((-shift, h / 2, 0), (d, h), glaze)
    yield from (part.shifted(dx=-shift) for part in liquid_surface(look, h * 0.85, d * 0.46, d * 0.46))
    grip, thin = max(2 * shift, 0.02), 0.012
    x = -shift + d / 2 + grip / 2
    for level in (0.25, 0.75):
        yield box((x, h * level, 0), (grip, thin, thin), glaze)
    yield box((x + (grip / 2 - thin / 2), h / 2, 0), (thin, h * 0.5), glaze)


def cup(look: Look) -> Parts:
    """A tumbler, wider at the top."""
    w, h, d = look.size
    glass = soiled(look, look.pick((GLASS, Material(0xC8785A, gloss=0.4), Material(0x78AA96, gloss=0.4))))
    yield bowl_shell(h / 2, (w, h, d), glass, taper=1.25)
    yield look.tube(0.94, (1, 0.03), glass.shade(1.15)).hollow(Faces.WALL)
    yield from liquid_surface(look, h * 0.88, w * 0.46, d * 0.46)
    if look.filled:  # glass shows how full it is
        seen = glass.tinted(look.drink.shade(0.6).colour, 0.8)
        yield look.tube(0.435, (0.97, 0.73), seen, taper=1.18)


def bowl(look: Look) -> Parts:
    """A wide vessel, open at the top."""
    w, h, d = look.size
    glaze = _glaze(look, 1)
    yield bowl_shell(h / 2 + 0.004, (w, h - 0.008, d), glaze, taper=1.7, segments=16)
    yield look.tube(0.06, (0.5, 0.12), glaze.shade(0.85))
    yield from clear_liquid(look, 0.012, h * 0.75, w * 0.86, d * 0.86, taper=1.5)


def plate(look: Look) -> Parts:
    """A flat disc with a raised rim of at most 3 cm; what lies on it stands on its bottom."""
    w, h, d = look.size
    thick = min(h, 0.03)
    base = min(surface(look), thick / 2)
    glaze = Material(look.pick((0xF0F0F4, 0xE2DCCE, 0xAAC4D6)), gloss=0.3)
    yield bowl_shell(thick / 2, (w, thick, d), glaze.shade(0.94), taper=1.4, segments=18)
    yield tube(base / 2 + 0.002, (w * 0.72, base, d * 0.72), soiled(look, glaze.shade(0.82)), segments=16)


@lengthwise
def pot(look: Look) -> Parts:
    """A deep vessel with two handles; lid off, so that one sees what is in it."""
    w, h, d = look.size
    metal = soiled(look, STEEL)
    yield bowl_shell(h / 2 + 0.005, (d, h - 0.01), metal, segments=16)
    yield tube(0.012, (d * 0.94, 0.012), metal.shade(0.8), segments=16)
    yield from clear_liquid(look, 0.02, h * 0.75, d * 0.96, d * 0.96)
    yield from mirrored(box((w / 2 - 0.012, h * 0.8, 0), (max(0.03, (w - d) / 2 + 0.02), 0.014, 0.07), BLACK))


def pan(look: Look) -> Parts:
    """A shallow dish of at most 5 cm with a long handle."""
    w, h, d = look.size
    metal = soiled(look, Material(0x343438, gloss=0.3))
    body, rim = min(w, d), min(h, 0.05)
    shift = (max(w, d) - body) / 2
    # Where people clicked pans longer in depth, the dish is at +z; wider ones have their handle at +x.
    x, z = (-shift, 0.0) if w > d else (0.0, shift)
    yield bowl_shell((x, rim / 2 + 0.004, z), (body, rim - 0.008), metal, taper=1.15, segments=16)
    yield tube((x, 0.008, z), (body * 0.86, 0.008), metal.shade(1.35), segments=16)
    length = max(2 * shift, 0.06)
    gx, gz = (x + body / 2 + length / 2, 0.0) if w > d else (0.0, z - body / 2 - length / 2)
    yield box((gx, rim * 0.85, gz), (length, 0.014, 0.026) if w > d else (0.026, 0.014, length), BLACK)


def kettle(look: Look) -> Parts:
    """A round belly with a spout and a bow handle; its lid lifts when open."""
    w, h, d = look.size
    enamel = look.pick((Material(0xC43E3A, gloss=0.5), STEEL, Material(0x466E96, gloss=0.5)))
    yield look.tube(0.33, (0.8, 0.62), enamel, taper=0.65, segments=14)
    yield tube((0, h * 0.45, d * 0.4), (0.03, d * 0.3), enamel, taper=0.7).turned(pitch=50)
    lid = look.tube(0.67, (0.45, 0.06), enamel.shade(0.8))
    knob = ball(h * 0.72, (0.03, 0.03), BLACK, segments=8)
    yield from swung((lid, knob), Vec3(0, h * 0.66, -d * 0.22), pitch=-70.0 * look.openness)
    yield from mirrored(box((0, h * 0.8, d * 0.3), (0.014, h * 0.32), BLACK), across="z")
    yield box(h * 0.97, (0.02, h * 0.06, d * 0.62), BLACK)
    yield from liquid_surface(look, h * 0.648, w * 0.24, d * 0.24)
    if look.filled:  # a sight glass round the belly
        yield look.tube(0.36, (0.7, 0.2), look.drink, taper=0.87, segments=14)


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
    yield bowl_shell((0.35 * whole, h / 2, 0), (scoop, h), STEEL, taper=1.3)


@lengthwise
def spatula(look: Look) -> Parts:
    """A slotted blade on a stem."""
    width = look.size.z
    yield _bar(look, -0.16, 0.68, max(width * 0.25, 0.008), 0.01, BLACK)
    yield _bar(look, 0.34, 0.32, max(width, 0.02), 0.006, Material(0x3C3E44, gloss=0.2))
    yield _bar(look, 0.34, 0.24, max(width * 0.2, 0.004), 0.008, STEEL)


def _flask(look: Look, glass: Material, label: Material, neck: float, shine: float = 1.0) -> Parts:
    """A bottle; a liquid in it is `shine` times as bright as elsewhere."""
    w, h, d = look.size
    belly = 1.0 - neck
    yield tube(h * belly * 0.42, (w, h * belly * 0.84, d), glass)
    yield tube(h * belly * 0.92, (w, h * belly * 0.16, d), glass, taper=0.4)
    yield look.tube(1 - neck / 2, (0.4, neck), glass)
    yield tube(h * belly * 0.42, (w * 1.02, h * belly * 0.4, d * 1.02), label)
    if look.filled:
        yield tube(h * belly * 0.74, (w * 1.015, h * belly * 0.16, d * 1.015), look.drink.shade(shine))


def bottle(look: Look) -> Parts:
    """A green bottle with a label."""
    glass = look.pick((Material(0x46825A, gloss=0.6), Material(0x5A78A0, gloss=0.6)))
    return _flask(look, glass, Material(0xE6E0C8), 0.28, shine=1.0 if look.liquid == "coffee" else 1.6)


def wine_bottle(look: Look) -> Parts:
    """A tall dark bottle with a red label."""
    return _flask(look, Material(0x263A28, gloss=0.7), Material(0xB03C3C), 0.34, shine=2.4)


def salt_shaker(look: Look) -> Parts:
    """A small caster: white for salt, dark for pepper, with a metal cap."""
    colour, cap = (0xECECEA, CHROME) if look.object_type == "SaltShaker" else (0x4A3024, WOODS[2])
    yield look.tube(0.38, (1, 0.76), Material(colour, gloss=0.4), taper=0.8)
    yield look.tube(0.84, (0.82, 0.16), CHROME)
    yield look.ball(0.92, (0.8, 0.16), cap)


pepper_shaker = salt_shaker


def _cooked(look: Look, material: Material) -> Material:
    """Brown, with darker patches, if cooked."""
    if not look.cooked:
        return material
    return Material(material.tinted(_ROASTED, 0.6).colour, _CHAR, Pattern.BLOTCHES, 14.0, gloss=0.15)


def apple(look: Look) -> Parts:
    """A red or green ball with a stalk."""
    skin = look.pick((Material(0xBE201E, gloss=0.5), Material(0x78B038, gloss=0.5)))
    yield look.ball(0.46, (1, 0.92), _cooked(look, skin), segments=12)
    yield look.tube(0.92, (0.08, 0.16), Material(0x503416), segments=6)
    yield look.ball((0.1, 0.93, 0), (0.22, 0.04, 0.1), Material(0x468232), segments=6)


def tomato(look: Look) -> Parts:
    """A flat orange-red ball with a green star."""
    yield look.ball(0.48, (1, 0.96), _cooked(look, Material(0xDA3E22, gloss=0.5)), segments=12)
    star = Material(0x367828)
    yield look.box(0.95, (0.45, 0.05, 0.1), star)
    yield look.box(0.95, (0.1, 0.05, 0.45), star)


def potato(look: Look) -> Parts:
    """A brown speckled lump."""
    skin = Material(0xB68E58, 0x967042, Pattern.SPECKLES, 60.0)
    yield look.ball(0.5, (1, 1), _cooked(look, skin), segments=12)


def lettuce(look: Look) -> Parts:
    """A leafy head."""
    w, h, d = look.size
    leaf = _cooked(look, Material(0x78BA4A, 0x4A8A2C, Pattern.BLOTCHES, 16.0))
    yield look.ball(0.5, (0.86, 0.94), leaf, segments=12)
    for x, z in ((-1, 0.3), (1, -0.3), (0.3, 1), (-0.3, -1)):
        yield ball((x * w * 0.24, h * 0.45, z * d * 0.24), (w * 0.52, h * 0.86, d * 0.52), leaf.shade(0.88), segments=8)


def egg(look: Look) -> Parts:
    """An ellipsoid."""
    yield look.ball(0.5, (1, 1), _cooked(look, Material(0xF2DEC2, gloss=0.2)), segments=12)


def egg_cracked(look: Look) -> Parts:
    """White with a yolk; cooked, the edge is brown and the white is dull."""
    w, h, d = look.size
    white, yolk = Material(0xFCFAF0, gloss=0.4), Material(0xFABE28, gloss=0.4)
    if look.cooked:
        yield look.tube(0.25, (1, 0.5), Material(0xBA8042), segments=14)
        white, yolk = Material(0xFAF0D6), Material(0xE8961E, gloss=0.4)
    yield look.tube(0.35, (0.88, 0.7), white, segments=14)
    yield ball((w * 0.06, h * 0.62, 0), (w * 0.4, max(h * 0.75, 0.012), d * 0.4), yolk)


@lengthwise
def bread(look: Look) -> Parts:
    """A loaf with a domed crust and cuts."""
    w, h, d = look.size
    crust = _cooked(look, Material(0xC48442, 0xAC6C32, Pattern.BLOTCHES, 10.0))
    yield look.box(0.32, (0.96, 0.64), crust)
    yield look.ball(0.6, (1, 0.8), crust.shade(1.05), segments=12)
    for at in (-0.28, 0.0, 0.28):
        yield box((at * w, h * 0.97, 0), (0.012, 0.012, d * 0.5), Material(0xE8C894))


_FLESH = {
    "AppleSliced": (Material(0xF6ECC4), Material(0xBE201E, gloss=0.4)),
    "TomatoSliced": (Material(0xE86040, 0xF8AA6E, Pattern.BLOTCHES, 30.0), Material(0xCE2C1E)),
    "PotatoSliced": (Material(0xF0DE96), Material(0xB68E58)),
    "LettuceSliced": (Material(0xAAD66E, 0x6EB046, Pattern.BLOTCHES, 20.0), Material(0x549634)),
    "BreadSliced": (Material(0xF4E0B4, 0xE8CC98, Pattern.SPECKLES, 60.0), Material(0xB47438)),
}


def bread_sliced(look: Look) -> Parts:
    """One slice: flesh with a rim of skin, square for bread, round for the rest; brown when cooked."""
    w, h, d = look.size
    flesh, skin = (_cooked(look, material) for material in _FLESH[look.object_type])
    thin = min(range(3), key=look.size.__getitem__)
    if look.object_type == "BreadSliced":
        yield look.whole(skin)
        a, b, c = (size + 0.003 if axis == thin else size * 0.84 for axis, size in enumerate(look.size))
        yield box(h / 2, (a, b, c), flesh)
        return
    wide, thick, deep = ((h, w, d), (w, h, d), (w, d, h))[thin]
    # The skin is narrower than the slice, so that slices that lie together are told apart.
    yield tube(h / 2, (wide, thick * 0.78, deep), skin, segments=14).along(thin)
    yield tube(h / 2, (wide * 0.93, thick, deep * 0.93), flesh, segments=14).along(thin)


apple_sliced = lettuce_sliced = potato_sliced = tomato_sliced = bread_sliced
