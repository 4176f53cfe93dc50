"""What stands, hangs and lies in bathrooms."""

from __future__ import annotations

from teach_agents.observations import Vec3
from teach_agents.simulator.embedded.shapes.look import Look, cracks, level, mirrored, rim, soiled, swung
from teach_agents.simulator.embedded.shapes.palette import (
    CERAMIC,
    CHROME,
    CLOTHS,
    DARK,
    GLASS,
    PAPER,
    WATER,
    WHITE,
    WOODS,
    fabric,
)
from teach_agents.simulator.embedded.shapes.parts import Colour, Faces, Material, Parts, Pattern, ball, box, tube


def bathtub(look: Look) -> Parts:
    """White walls round a hollow."""
    h = look.size.y
    yield look.board(h / 2 + 0.005, h - 0.01, CERAMIC).hollow()
    yield from rim(look, 0.06, 0.03, CERAMIC.shade(1.02))


def bathtub_basin(look: Look) -> Parts:
    """The hollow of a tub."""
    _, h, d = look.size
    yield look.board(h / 2 + 0.005, h - 0.01, CERAMIC.shade(0.93)).inward(Faces.OPEN_TOP)
    yield tube((0, 0.02, d * 0.35), (0.06, 0.01), CHROME)
    if look.filled:
        yield look.board(h * 0.5, 0.005, WATER, inset=0.02)


def toilet(look: Look) -> Parts:
    """A cistern behind a bowl; its lid stands up when open."""
    w, h, d = look.size
    seat, top = h * 0.44, level(look, 0.6, 1.0, 0.93)
    yield box((0, (top + h * 0.41) / 2, -d * 0.38), (w * 0.9, top - h * 0.41 - 0.02, d * 0.22), CERAMIC)
    yield box((0, top - 0.015, -d * 0.38), (w * 0.96, 0.03, d * 0.24), CERAMIC)
    yield box((w * 0.25, h * 0.82, -d * 0.26), (0.06, 0.02, 0.02), CHROME)
    yield tube((0, seat * 0.35, d * 0.06), (w * 0.55, seat * 0.7, d * 0.55), CERAMIC, taper=1.2)
    edge = tube((0, seat * 0.85, d * 0.12), (w * 0.85, seat * 0.3, d * 0.7), CERAMIC, taper=1.1, segments=16)
    yield edge.hollow(Faces.WALL)
    yield tube((0, seat * 0.78, d * 0.12), (w * 0.7, 0.01, d * 0.56), WATER.shade(1.2))
    lid = tube((0, seat + 0.015, d * 0.12), (w * 0.84, 0.03, d * 0.7), WHITE, segments=16)
    yield lid.swung(Vec3(0, seat, -d * 0.24), pitch=-95.0 * min(look.openness, 1.0))


def shower_head(look: Look) -> Parts:
    """A pipe down the wall with a rose at the top; running, threads of water."""
    _, h, d = look.size
    top = h - 0.04
    yield tube((0, h / 2, -d * 0.42), (0.025, h), CHROME)
    yield tube((0, top, -d * 0.1), (0.025, d * 0.7), CHROME).along(2)
    yield tube((0, top - 0.03, d * 0.25), (0.13, 0.03), CHROME, taper=0.5)
    if look.toggled:
        for x in (-0.035, 0.0, 0.035):
            yield tube((x, top - 0.05 - 0.45, d * 0.25), (0.008, 0.9), WATER, segments=6)


def shower_door(look: Look) -> Parts:
    """A frame round glass that one sees through; it swings open."""
    w, h, d = look.size
    parts = [*_frame(w, h, min(d, 0.04)), box((w * 0.4, h * 0.5, 0), (0.02, 0.25, 0.05), CHROME)]
    if look.broken:
        parts.extend(cracks((0, h / 2, 0), (w, h * 0.5, 0.01)))
    return swung(parts, Vec3(-w / 2, 0, 0), yaw=-80.0 * look.openness)


def shower_glass(look: Look) -> Parts:
    """A frame and two glints; the pane itself is seen through."""
    w, h, d = look.size
    yield from _frame(w, h, min(d, 0.03))
    for x in (-0.1, 0.1):
        yield box((x * w, h * 0.6, 0), (0.012, h * 0.5, 0.004), GLASS).turned(roll=-12)
    if look.broken:
        yield from cracks((0, h / 2, 0), (w, h * 0.5, 0.01))


def _frame(w: float, h: float, d: float) -> Parts:
    thick = 0.03
    yield from mirrored(box(((w - thick) / 2, h / 2, 0), (thick, h, d), CHROME))
    for y in (thick / 2, h - thick / 2):
        yield box(y, (w, thick, d), CHROME)


def shower_curtain(look: Look) -> Parts:
    """Folds hanging from a rod; drawn aside when open."""
    w, h, d = look.size
    yield tube(h - 0.02, (0.025, w), CHROME).along(0)
    cloth = Material(0xE8ECEE, look.pick((0x6096B0, 0x6EA08C)), Pattern.STRIPES, 9.0)
    wide, folds = w * (1.0 - 0.7 * look.openness), 6
    for i in range(folds):
        depth, light = (0.6, 0.9) if i % 2 else (1.0, 1.0)
        x = -w / 2 + wide * (i + 0.5) / folds
        yield box((x, h * 0.48, 0), (wide / folds * 0.96, h * 0.94, min(d, 0.1) * depth), cloth.shade(light))


def mirror(look: Look) -> Parts:
    """A bright pane in a frame, flat on the wall; dirt dulls it."""
    w, h, d = look.size
    back = -d / 2
    yield box((0, h / 2, back + 0.006), (w, h, 0.012), look.pick((WOODS[1], CHROME, WHITE)))
    pane = soiled(look, Material(0xBACED8, 0xCEDEE6, Pattern.BRUSHED, 0.4, gloss=0.8))
    yield box((0, h / 2, back + 0.011), (w * 0.94, h * 0.94, 0.01), pane)
    for x in (-0.12, 0.06):
        glint = box((x * w, h * 0.55, back + 0.017), (w * 0.03, h * 0.4, 0.001), Material(0xECF2F6))
        yield glint.turned(roll=-25)
    if look.broken:
        yield from cracks((0, h / 2, back + 0.016), (w, h, 0.002))


def towel_holder(look: Look) -> Parts:
    """A rail between two brackets."""
    w, h, d = look.size
    yield from mirrored(box((w * 0.47, h / 2, -d * 0.1), (0.03, h, d * 0.8), CHROME))
    yield tube((0, h / 2, d * 0.25), (0.016, w * 0.94), CHROME).along(0)


def hand_towel_holder(look: Look) -> Parts:
    """A ring."""
    w, h, d = look.size
    yield box((0, h * 0.9, -d * 0.35), (0.04, 0.04, d * 0.3), CHROME)
    yield from mirrored(box((w * 0.45, h * 0.5, 0), (0.01, h * 0.8), CHROME))
    for y in (0.1, 0.9):
        yield box(h * y, (w * 0.9, 0.01, 0.01), CHROME)


def toilet_paper_hanger(look: Look) -> Parts:
    """A spindle between arms."""
    w, h, d = look.size
    yield from mirrored(box((w * 0.46, h / 2, 0), (0.015, h, d), CHROME))
    yield tube((0, h / 2, d * 0.2), (0.02, w * 0.9), CHROME).along(0)
    yield look.box((0, 0.5, -0.42), (1, 0.5, 0.15), CHROME.shade(0.85))


def toilet_paper(look: Look) -> Parts:
    """A white roll; used up, only the cardboard core is left."""
    w, h, d = look.size
    odd = (abs(w - (h + d) / 2), abs(h - (w + d) / 2), abs(d - (w + h) / 2))
    axis = max(range(3), key=odd.__getitem__)  # the one whose size differs most from the others
    length, wide = look.size[axis], min(v for i, v in enumerate(look.size) if i != axis)
    if not look.used_up:
        yield tube(h / 2, (wide, length * 0.98), PAPER, segments=14).along(axis)
    yield tube(h / 2, (wide * 0.4, length), Material(0xB08C62)).along(axis)


def _draped(look: Look, colour: Colour, stripe: Colour) -> Parts:
    w, h, d = look.size
    yield look.whole(fabric(colour))
    for y in (0.16, 0.24):
        yield box(h * y, (w + 0.004, h * 0.03, d + 0.004), Material(stripe))


def towel(look: Look) -> Parts:
    """A large striped towel."""
    return _draped(look, look.pick(CLOTHS), 0xFAFAF6)


def hand_towel(look: Look) -> Parts:
    """A small striped towel."""
    return _draped(look, look.pick(CLOTHS, 1), 0x5A6E96)


def cloth(look: Look) -> Parts:
    """A crumpled rag."""
    rag = soiled(look, fabric(look.pick(CLOTHS, 2)))
    yield look.box(0.35, (1, 0.7), rag)
    yield look.box((0.05, 0.7, 0), (0.6, 0.6, 0.5), rag.shade(0.9)).turned(yaw=28)


def dish_sponge(look: Look) -> Parts:
    """Yellow foam under a green scourer."""
    yield look.box(0.35, (1, 0.7), Material(0xF0D650, 0xDCBE3C, Pattern.SPECKLES, 80.0))
    yield look.box(0.85, (1, 0.3), Material(0x408C4E))


def soap_bar(look: Look) -> Parts:
    """A rounded pastel block."""
    w, h, d = look.size
    soap = Material(look.pick((0xF0C4CE, 0xBEDEC8, 0xECE2B4)), gloss=0.4)
    yield look.box(0.5, (0.82, 0.8), soap)
    yield look.tube(0.5, (1, 1), soap, segments=18)
    yield tube(h, (w * 0.6, 0.002, d * 0.5), soap.shade(0.82), segments=14)


def soap_bottle(look: Look) -> Parts:
    """A pump bottle; what is left of the soap shows."""
    soap = Material(look.pick((0x78BE82, 0xE296AA, 0x82AADC)), gloss=0.5)
    fill = Material(0xE4E6E4, gloss=0.3) if look.used_up else soap
    yield look.tube(0.33, (0.8, 0.66), fill)
    yield look.tube(0.3, (0.82, 0.26), PAPER)
    yield look.tube(0.76, (0.16, 0.2), WHITE)
    yield look.box((0, 0.93, 0.14), (0.18, 0.06, 0.6), WHITE.shade(0.9))


def spray_bottle(look: Look) -> Parts:
    """A bottle with a trigger head."""
    w, h, d = look.size
    body = Material(look.pick((0x5A96DC, 0xE6A03C, 0x6EBEA0)), gloss=0.5)
    yield box(h * 0.32, (max(w, 0.04), h * 0.64, d * 0.75), body)
    yield tube(h * 0.72, (0.025, h * 0.16), WHITE)
    yield box((0, h * 0.9, d * 0.1), (max(w * 0.7, 0.02), h * 0.16, d * 0.8), Material(0xD63C3C))
    yield box((0, h * 0.78, d * 0.3), (0.012, h * 0.16, 0.014), DARK).turned(pitch=-15)


def tissue_box(look: Look) -> Parts:
    """A box with a tissue sticking out; used up, without."""
    w, h, d = look.size
    colour = look.pick((0x96B4D2, 0xDCB4BE, 0xB4C896))
    paper = Material(colour, 0xF0F0F0, Pattern.CHECKS, 10.0)
    yield look.box(0.36, (1, 0.72), paper)
    yield box(h * 0.725, (w * 0.5, 0.004, d * 0.3), DARK)
    if not look.used_up:
        yield box(h * 0.86, (w * 0.46, h * 0.28, 0.01), WHITE).turned(yaw=12)


def plunger(look: Look) -> Parts:
    """A rubber cup on a stick."""
    h = look.size.y
    yield look.tube(0.09, (1, 0.18), Material(0xAA3428, gloss=0.2), taper=0.5)
    yield tube(h * 0.58, (0.025, h * 0.84), WOODS[1])


def scrub_brush(look: Look) -> Parts:
    """A toilet brush in its pot."""
    h = look.size.y
    yield look.tube(0.17, (1, 0.34), WHITE, taper=0.85)
    yield tube(h * 0.62, (0.022, h * 0.64), Material(0x5A8CBE))
    yield ball(h * 0.96, (0.035, h * 0.08), Material(0x5A8CBE))
