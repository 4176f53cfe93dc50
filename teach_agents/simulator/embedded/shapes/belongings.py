"""What people own: books, boxes, toys, keys, plants, ornaments, waste."""

from __future__ import annotations

import math

from teach_agents.observations import Vec3
from teach_agents.simulator.embedded.shapes.look import Look, bowl_shell, lengthwise, liquid_surface, mirrored, rim
from teach_agents.simulator.embedded.shapes.palette import BLACK, BRASS, CHROME, CLOTHS, DARK, PAPER, WHITE, WOODS
from teach_agents.simulator.embedded.shapes.parts import Faces, Material, Parts, Pattern, ball, box, tube

_BODY = 0.66
"""Share of a box's width and depth that is not its flaps: things stand that close to boxes, and lie that far out in
them."""
_COVERS = (0x963038, 0x30588C, 0x467850, 0xC8963C, 0x6E4682, 0x3C3C46)
_CARDBOARD = Material(0xBA9262, 0xA88256, Pattern.BRUSHED, 1.0)
_LEAF = Material(0x42843A, 0x2A6028, Pattern.BLOTCHES, 8.0)


def book(look: Look) -> Parts:
    """Covers round a block of pages; opened, two leaves are seen."""
    w, h, d = look.size
    cover = Material(look.pick(_COVERS), gloss=0.15)
    if look.openness:
        yield look.box(0.2, (1, 0.4), cover)
        yield from mirrored(look.box((0.25, 0.65, 0), (0.46, 0.5, 0.94), PAPER).turned(roll=4.0))
        return
    yield look.whole(cover)
    yield look.box((0.02, 0.5, 0), (1, 0.7, 0.96), PAPER)
    yield box((-w * 0.47, h / 2, 0), (w * 0.08, h + 0.002, d + 0.002), cover.shade(0.7))
    yield look.on_top((0.04, -0.3), (0.66, 0.12), PAPER)
    yield look.on_top((0.04, -0.14), (0.5, 0.05), BRASS)
    yield look.on_top((0.04, 0.18), (0.66, 0.4), cover.shade(1.35))
    yield tube((w * 0.04, h + 0.001, d * 0.18), (w * 0.3, 0.003), PAPER)


def cardboard_box(look: Look) -> Parts:
    """Walls without a top; its flaps hang out when open and meet when closed."""
    w, h, d = look.size
    tall, wide, deep = h * (0.8 if look.openness else 1.0), w * _BODY, d * _BODY
    yield box(tall / 2 + 0.005, (wide, tall - 0.01, deep), _CARDBOARD).hollow()
    length = math.hypot((w - wide) / 2, h - tall) if look.openness else wide / 2
    angle = 180.0 - math.degrees(math.atan2(h - tall, (w - wide) / 2))
    for sign in (-1, 1):
        flap = box((sign * (wide - length) / 2, tall, 0), (length, 0.006, deep), _CARDBOARD.shade(1.08))
        yield flap.swung(Vec3(sign * wide / 2, tall, 0), roll=-sign * angle * min(1.0, look.openness))
    yield box((0, tall * 0.5, deep / 2), (w * 0.12, tall, 0.004), Material(0xD6BA82))


def newspaper(look: Look) -> Parts:
    """A folded grey sheet with headlines."""
    yield look.whole(Material(0xBEBEB8, 0xA4A4A0, Pattern.STRIPES, 30.0))
    yield look.on_top((0, -0.3), (0.8, 0.16), Material(0x323234), up=0.001)
    yield look.on_top((0.2, 0.12), (0.36, 0.4), Material(0x78787C), up=0.001)


@lengthwise
def pen(look: Look) -> Parts:
    """A blue barrel with a metal tip."""
    return _stick(look, Material(0x2846A0, gloss=0.5), CHROME)


@lengthwise
def pencil(look: Look) -> Parts:
    """Yellow wood, a pink rubber, a dark point."""
    yield from _stick(look, Material(0xECBA32), Material(0x423428))
    w, h, d = look.size
    rubber = (max(w * 0.06, 0.008), max(h, 0.008), max(d * 0.06, 0.008))
    yield box((-w * 0.48, h / 2, 0), rubber, Material(0xE6828C))


def _stick(look: Look, barrel: Material, tip: Material) -> Parts:
    w, h, d = look.size
    yield box((-w * 0.05, h / 2, 0), (w * 0.9, max(h, 0.006), max(d, 0.006)), barrel)
    yield box((w * 0.45, h / 2, 0), (w * 0.1, max(h * 0.6, 0.004), max(d * 0.6, 0.004)), tip)


def credit_card(look: Look) -> Parts:
    """A thin card with a chip and a stripe."""
    w, h, d = look.size
    thick = max(h, 0.004)
    plastic = Material(look.pick((0x2C5496, 0xA0323C, 0x3C785A)), gloss=0.4)
    yield look.board(thick / 2, thick, plastic)
    yield box((0, thick, d * 0.3), (w, 0.002, d * 0.18), BLACK)
    yield box((-w * 0.3, thick, -d * 0.1), (w * 0.16, 0.003, d * 0.24), BRASS)


def key_chain(look: Look) -> Parts:
    """A ring with two keys and a tag."""
    w, h, d = look.size
    thick = max(h * 0.5, 0.005)
    ring = min(w, d) * 0.45
    yield tube((w * 0.25, thick / 2, 0), (ring, thick), BRASS).hollow(Faces.WALL)
    key = box((-w * 0.1, thick / 2, d * 0.18), (w * 0.6, thick, d * 0.12), CHROME).turned(yaw=14)
    yield from mirrored(key, tube((w * 0.1, thick / 2, d * 0.1), (d * 0.3, thick), BRASS), across="z")
    yield box((w * 0.36, thick / 2, 0), (w * 0.24, thick, d * 0.3), Material(0xC83232))


def candle(look: Look) -> Parts:
    """Wax with a wick; lit, a flame stands on it."""
    h = look.size.y
    wax = Material(look.pick((0xEEE2C4, 0xC8504C, 0x96B4A0)), gloss=0.2)
    yield look.tube(0.45, (1, 0.9), wax)
    if look.toggled:  # the flame shines through the upper wax
        yield look.tube(0.68, (1.01, 0.46), Material(0xFFCE78, glow=0.7))
    yield tube(h * 0.94, (0.006, h * 0.1), BLACK, segments=6)
    if look.toggled:
        size = max(0.05, h * 0.3)
        light = Material(0xFFC440, glow=0.9)
        yield ball(h * 0.92 + size / 2, (size * 0.5, size), light, segments=8)


def vase(look: Look) -> Parts:
    """A belly, a narrow neck, a wide lip."""
    w, h, d = look.size
    glaze = Material(look.pick((0x466E96, 0xBE6E46, 0xDCD6C8, 0x6E8C6E)), gloss=0.5)
    yield look.ball(0.38, (1, 0.72), glaze, segments=12)
    yield look.tube(0.78, (0.45, 0.3), glaze)
    yield bowl_shell(h * 0.94, (w * 0.7, h * 0.12, d * 0.7), glaze.shade(1.1), taper=1.5)
    yield look.tube(0.02, (0.5, 0.04), glaze.shade(0.8))


def statue(look: Look) -> Parts:
    """A figure on a plinth."""
    bronze = look.pick((BRASS, DARK.shade(1.3), Material(0xCECAC0)))
    yield look.box(0.06, (0.9, 0.12), BLACK)
    yield look.tube(0.38, (0.6, 0.54), bronze, taper=0.55)
    yield look.ball(0.62, (0.8, 0.26, 0.55), bronze)
    yield look.ball(0.87, (0.4, 0.26), bronze)


def house_plant(look: Look) -> Parts:
    """Leaves over a pot; watered, the soil shines dark and the leaves are fresh."""
    w, h, d = (look.size.x * 0.7, look.size.y, look.size.z * 0.7)
    pot = h * 0.35
    clay = Material(look.pick((0xB4603C, 0xDCD8CE, 0x5A646E)), gloss=0.1)
    yield tube(pot / 2, (w * 0.75, pot, d * 0.75), clay, taper=1.3)
    soil = Material(0x261E3C if look.filled else 0x5C422C, gloss=0.6 if look.filled else 0.0)
    yield tube(pot + 0.002, (w * 0.66, 0.006, d * 0.66), soil)
    leaf = Material(0x80C460, 0x549C46, Pattern.BLOTCHES, 8.0, gloss=0.3) if look.filled else _LEAF
    for i in range(6):
        angle = i * 2.4
        x, z = 0.26 * w * math.cos(angle), 0.26 * d * math.sin(angle)
        y = pot + (h - pot) * (0.3 + 0.11 * i)
        yield ball((x, y, z), (w * 0.5, (h - pot) * 0.34, d * 0.5), leaf.shade(0.85 + 0.07 * (i % 4)), segments=8)


def watering_can(look: Look) -> Parts:
    """A can with a spout, a rose and a handle."""
    w, h, d = look.size
    tin = Material(look.pick((0x509678, 0x5A82BE, 0xC8BE5A)), gloss=0.4)
    yield bowl_shell((0, h * 0.38, -d * 0.12), (w, h * 0.76, d * 0.55), tin)
    yield from (p.shifted(dz=-d * 0.12) for p in liquid_surface(look, h * 0.7, w * 0.45, d * 0.25))
    if look.filled:  # a sight glass round the belly
        yield look.tube((0, 0.4, -0.12), (1.01, 0.22, 0.555), look.drink)
    yield tube((0, h * 0.5, d * 0.28), (0.025, d * 0.5), tin).turned(pitch=50)
    yield tube((0, h * 0.74, d * 0.44), (0.06, 0.03), tin.shade(0.8)).turned(pitch=50)
    yield box((0, h * 0.95, -d * 0.12), (0.015, 0.02, d * 0.5), tin.shade(0.7))
    yield box((0, h * 0.84, -d * 0.35), (0.015, h * 0.24), tin.shade(0.7))


def garbage_can(look: Look) -> Parts:
    """A bin without a lid, with a bag's edge at the top."""
    w, h, d = look.size
    plastic = look.pick((Material(0x60666E), Material(0x969A9E, gloss=0.3), Material(0x466E5A)))
    yield box(h / 2 + 0.005, (w * 0.94, h - 0.01, d * 0.94), plastic).hollow()
    yield from rim(look, 0.024, 0.04, BLACK)
    yield box(0.008, (w * 0.9, 0.006, d * 0.9), BLACK)


def garbage_bag(look: Look) -> Parts:
    """A tied black sack."""
    sack = Material(0x282A2E, gloss=0.5)
    yield look.ball(0.4, (1, 0.8), sack, segments=12)
    yield look.tube(0.85, (0.2, 0.3), sack.shade(1.3), taper=1.8)
    yield look.tube(0.8, (0.24, 0.04), Material(0xDC463C))


def laundry_hamper(look: Look) -> Parts:
    """A woven basket; its lid lifts when open."""
    w, h, d = look.size
    weave = Material(0xCEB892, 0xAA9068, Pattern.WEAVE, 30.0)
    yield look.box(0.47, (1, 0.94), weave).hollow()
    lid = look.box(0.97, (1, 0.05), weave.shade(0.9))
    yield lid.swung(Vec3(0, h * 0.95, -d / 2), pitch=-100.0 * look.openness)


def paper_towel_roll(look: Look) -> Parts:
    """A white roll on a stand, standing or lying; used up, a bare core."""
    h = look.size.y
    axis = max(range(3), key=look.size.__getitem__)
    length, wide = look.size[axis], sorted(look.size)[1]
    if not look.used_up:
        sheet = Material(0xF6F6F4, 0xD6E0E8, Pattern.STRIPES, 14.0)
        yield tube(h / 2, (wide, length * 0.9), sheet, segments=14).along(axis)
    yield tube(h / 2, (wide * 0.35, length), WOODS[1]).along(axis)


def aluminum_foil(look: Look) -> Parts:
    """A shining roll in its carton."""
    yield look.whole(Material(0x466EAA))
    yield look.box((0, 0.9, 0.3), (0.98, 0.3, 0.5), Material(0xD6DAE0, gloss=0.9))


def basket_ball(look: Look) -> Parts:
    """An orange ball with black seams."""
    leather = Material(0xD8702C, 0xBE5C22, Pattern.SPECKLES, 60.0)
    yield look.ball(0.5, (1, 1), leather, segments=16)
    for axis in (1, 0, 2):
        yield look.tube(0.5, (1.004, 0.02), BLACK, segments=18).along(axis)


def baseball_bat(look: Look) -> Parts:
    """A tapered club."""
    h = look.size.y
    axis = max(range(3), key=look.size.__getitem__)
    turn = ({"roll": -90.0}, {}, {"pitch": 90.0})[axis]
    length, wide = look.size[axis], sorted(look.size)[1]
    yield tube(h / 2, (wide, length), WOODS[3], taper=0.45).turned(**turn)


def tennis_racket(look: Look) -> Parts:
    """A strung oval above a grip; the racket's face looks along z."""
    w, h, d = look.size
    frame = Material(0x3C78C8, gloss=0.4)
    strings = Material(0xEEEEE6, 0x787878, Pattern.TILES, 40.0)
    tall = h * 0.5
    middle = (0.0, h - tall / 2, 0.0)
    yield tube(middle, (w, d, tall), frame, segments=18).along(2).hollow(Faces.WALL)
    yield tube(middle, (w * 0.95, d * 0.3, tall * 0.95), strings, segments=18).along(2)
    yield from mirrored(box((w * 0.1, h * 0.46, 0), (0.02, h * 0.14, d * 0.7), frame).turned(roll=-18))
    yield box(h * 0.21, (0.032, h * 0.42, d), BLACK)


def dumbbell(look: Look) -> Parts:
    """Two weights on a bar."""
    w, h, d = look.size
    axis, length = 0 if w > d else 2, max(w, d)
    yield tube(h / 2, (0.03, length), CHROME).along(axis)
    for out in (-length * 0.36, length * 0.36):
        at = (0.0 if axis else out, h / 2, out if axis else 0.0)
        yield tube(at, (h, length * 0.26), DARK).along(axis)


def teddy_bear(look: Look) -> Parts:
    """Body, head, ears, arms and legs."""
    w, h, d = look.size
    fur = Material(0xAA784A, 0x8C5E36, Pattern.SPECKLES, 50.0)
    yield look.ball(0.34, (0.6, 0.6, 0.8), fur)
    yield look.ball(0.76, (0.52, 0.42, 0.7), fur)
    yield look.ball((0, 0.7, 0.34), (0.2, 0.14, 0.24), fur.shade(1.3), segments=8)
    yield from mirrored(
        look.ball((0.22, 0.94, 0), (0.18, 0.16, 0.2), fur.shade(0.85), segments=8),
        look.ball((0.38, 0.44, 0.1), (0.24, 0.34, 0.3), fur, segments=8),
        look.ball((0.26, 0.12, 0.3), (0.28, 0.24, 0.5), fur, segments=8),
        ball((w * 0.1, h * 0.82, d * 0.33), (0.02, 0.02), BLACK, segments=6),
    )


def boots(look: Look) -> Parts:
    """A pair: shafts and feet."""
    rubber = Material(0x966034, 0x7C4C26, Pattern.BLOTCHES, 14.0, gloss=0.15)
    return mirrored(
        look.box((0.26, 0.86, -0.2), (0.41, 0.06, 0.4), rubber.shade(1.3)),
        look.tube((0.26, 0.55, -0.2), (0.4, 0.9, 0.5), rubber).hollow(Faces.WALL),
        look.box((0.26, 0.12, 0.05), (0.4, 0.2, 0.9), rubber.shade(0.9)),
        look.box((0.26, 0.02, 0.05), (0.42, 0.04, 0.92), BLACK),
    )


def room_decor(look: Look) -> Parts:
    """A tall vase with dry branches."""
    h = look.size.y
    yield look.tube(0.22, (0.7, 0.44), Material(0x786054, gloss=0.3), taper=0.7)
    for i in range(5):
        twig = tube(h * 0.7, (0.015, h * 0.6), WOODS[2], segments=6)
        yield twig.turned(roll=-16 + 8 * i, pitch=10 * (i % 3 - 1))
    yield look.ball(0.92, (0.8, 0.14), Material(0xCEAA78))


def table_top_decor(look: Look) -> Parts:
    """A tray with glass balls."""
    yield look.box(0.1, (1, 0.2), WOODS[2])
    for x, z, colour in ((-0.25, 0.1, 0), (0.05, -0.15, 1), (0.28, 0.14, 4)):
        yield look.ball((x, 0.55, z), (0.26, 0.8, 0.36), Material(CLOTHS[colour], gloss=0.7))


def target_circle(look: Look) -> Parts:
    """Rings on the floor."""
    w, h, d = look.size
    for i, share in enumerate((1.0, 0.66, 0.33)):
        colour = WHITE if i == 1 else Material(0xCE2C2C)
        yield tube(h * (0.4 + 0.2 * i), (w * share, max(h * 0.4, 0.004), d * share), colour, segments=20)
