"""What belongs to the house: counters, cabinets, drawers, sinks, the stove's parts, windows, pictures, doors."""

from __future__ import annotations

from dataclasses import replace

from teach_agents.observations import Vec3
from teach_agents.simulator.embedded.shapes.look import (
    Look,
    cracks,
    door,
    handle,
    leaves,
    mirrored,
    opened,
    surface,
    swung,
)
from teach_agents.simulator.embedded.shapes.palette import (
    BLACK,
    BRASS,
    CERAMIC,
    CHROME,
    DARK,
    EMBER,
    PAPER,
    STEEL,
    TRIM,
    WATER,
    WHITE,
    WOODS,
    fabric,
)
from teach_agents.simulator.embedded.shapes.parts import (
    Colour,
    Faces,
    Material,
    Part,
    Parts,
    Pattern,
    ball,
    block,
    box,
    tube,
)

_FRONTS = (*WOODS[:2], TRIM, WOODS[4], WHITE.shade(0.92))
_GRANITES = (
    Material(0x686462, 0x2C2A2E, Pattern.SPECKLES, 170.0, gloss=0.25),
    Material(0xCEC8BE, 0x92887E, Pattern.SPECKLES, 170.0, gloss=0.25),
    Material(0xAA927A, 0x604E42, Pattern.SPECKLES, 170.0, gloss=0.25),
)
_DOOR = 0.02
_SHALLOW = 0.08
_BOWL = 0.2
_TALL = 0.5
"""A sink whose box is higher than this reaches down to the floor; its bowl does not."""
_WATER = 0.008
"""How deep running water stands in a sink, metres: plates and spoons still lie above it."""
_SWING = 90.0
_DRAWER_TRAVEL = 0.8
_SKY = Material(0x92C0EC, 0xECF2F8, Pattern.BLOTCHES, 1.1, glow=0.5)
_HAZE = Material(0xCEE0EE, glow=0.5)
_HILLS = Material(0x789E96, 0x689280, Pattern.BLOTCHES, 3.0, glow=0.4)
_LAWN = Material(0x78A854, 0x5E9042, Pattern.SPECKLES, 30.0, glow=0.35)
_TREES = Material(0x3E703E, 0x28542E, Pattern.BLOTCHES, 9.0, glow=0.3)
_GROWTH = (
    (-0.24, 0.32 + 0.065, 0.5, 0.13, 0.003, _HILLS, 14),
    (0.2, 0.32 + 0.09, 0.58, 0.18, 0.003, _HILLS, 14),
    (-0.38, 0.36, 0.22, 0.3, 0.007, _TREES, 12),
    (-0.27, 0.32, 0.16, 0.2, 0.007, _TREES, 12),
    (0.36, 0.34, 0.24, 0.24, 0.007, _TREES, 12),
)
_GILT = Material(0xBA8E42, 0x966C2C, Pattern.BRUSHED, 2.0, gloss=0.25)
_LANDSCAPES: tuple[tuple[Colour, Colour, Colour, Colour], ...] = (
    (0xEEB078, 0x78688C, 0x404A5C, 0x5C7C9C),
    (0x96C4E2, 0x7E8EAA, 0x466850, 0x5488A0),
    (0xE8C4A8, 0x9C7E78, 0x5C5444, 0x789496),
)
"""Sky, far and near mountains, water."""


def front_of(style: int) -> Material:
    """What the fronts of all cabinets and drawers of a room are made of."""
    return _FRONTS[style % len(_FRONTS)]


def counter_top(look: Look) -> Parts:
    """Slabs at the height things stand at, to the millimetre, or knives drown; the basins are cut out of them."""
    top = max(look.setting.support, 0.0)
    stone = _GRANITES[look.setting.style % len(_GRANITES)]
    return (block(piece, top - 0.04, 0.04, stone) for piece in look.setting.outline)


def cabinet(look: Look) -> Parts:
    """A body with one or two doors; opened, a hollow with its doors swung out."""
    w, h, d = look.size
    front = front_of(look.setting.style)
    deep = min(d, _SHALLOW) if look.setting.shallow and not look.openness else d
    body = box((0, h / 2, (d - deep - _DOOR) / 2), (w, h, deep - _DOOR), front.shade(0.8))
    yield opened(look, body)
    for x, wide, hinge in leaves(look):
        panel = (max(wide - 0.008, 0.02), max(h - 0.008, 0.02), _DOOR)
        yield from door((x, h / 2, d / 2 - _DOOR / 2), panel, front, hinge=hinge, angle=_SWING * look.openness)


def drawer(look: Look) -> Parts:
    """A front with a handle; opened, an open box slid out."""
    w, h, d = look.size
    front = front_of(look.setting.style)
    out = _DRAWER_TRAVEL * d * look.openness
    if look.openness:
        yield look.whole(front.shade(0.5)).inward(Faces.OPEN_FRONT)
        yield box(h * 0.4, (w - 0.02, h * 0.7, d - _DOOR), front.shade(0.85)).hollow().shifted(dz=out)
    else:
        yield box((0, h / 2, -_DOOR / 2), (w - 0.01, h - 0.01, d - _DOOR), front.shade(0.75))
    yield box((0, h / 2, d / 2 - _DOOR / 2 + out), (w - 0.006, h - 0.006, _DOOR), front)
    for y in (0.06, 0.94):  # a bead along its edges
        yield box((0, h * y, d / 2 + out), (w - 0.02, 0.008, 0.006), front.shade(0.6))
    yield handle((0, h * 0.62, d / 2 + 0.018 + out), min(0.16, w * 0.4), upright=False)


def safe(look: Look) -> Parts:
    """A heavy box with a dial on its door."""
    w, h, d = look.size
    body = box((0, h / 2, -0.02), (w, h, d - 0.04), DARK)
    yield opened(look, body)
    panel = box((0, h / 2, d / 2 - 0.02), (w - 0.02, h - 0.02, 0.04), DARK.shade(1.5))
    dial = tube((0, h * 0.55, d / 2 + 0.005), (h * 0.25, 0.02), CHROME).along(2)
    lever = box((w * 0.28, h * 0.55, d / 2 + 0.01), (0.02, h * 0.25), CHROME)
    yield from swung((panel, dial, lever), Vec3(-w / 2, 0, d / 2 - 0.04), yaw=-_SWING * look.openness)


def sink(look: Look) -> Parts:
    """A hollow seen into from above: of steel in a counter, a ceramic bowl where it stands alone."""
    w, h, d = look.size
    if look.setting.cap:
        yield from sink_basin(look)
        return
    low, _ = _hollow(look)
    yield look.board((low + h) / 2, h - low, CERAMIC).hollow()
    yield tube(low + 0.012, (0.05, 0.008), DARK)
    if low > 0:
        yield tube((0, low / 2, -d * 0.1), (w * 0.4, low, d * 0.4), CERAMIC, taper=0.8)


def _hollow(look: Look) -> tuple[float, float]:
    """Heights of the bottom and the top of a sink's hollow above the bottom of its box, metres."""
    h, cap = look.size.y, look.setting.cap
    if look.object_type == "Sink" and not cap:
        return max(h - _BOWL, 0.0), h
    tall = min(h, cap) if cap else h
    return tall - _BOWL if tall > _TALL else 0.0, tall


def sink_basin(look: Look) -> Parts:
    """The hollow that water runs into."""
    low, tall = _hollow(look)
    material = STEEL if look.setting.cap else CERAMIC
    yield look.board((low + tall) / 2 + 0.005, max(tall - low - 0.01, 0.01), material).inward(Faces.OPEN_TOP)
    yield tube(low + 0.018, (0.05, 0.008), DARK)
    if look.filled:
        yield look.board(tall * 0.4, 0.005, WATER, inset=0.01)


def faucet(look: Look) -> Parts:
    """A swan neck with two taps over the basin in front of it; running, a stream of water."""
    w, h, d = (look.size.x * 0.55, look.size.y, look.size.z * 0.55)
    back, thick = -d * 0.3, max(0.045, 0.3 * min(w, d))
    yield tube((0, h * 0.1, back), (thick * 1.9, h * 0.2), CHROME, taper=0.7)
    yield tube((0, h * 0.5, back), (thick, h * 0.9), CHROME)
    yield tube((0, h - thick / 2, d * 0.05), (thick, d * 0.8), CHROME).along(2)
    yield tube((0, h * 0.84, d * 0.4), (thick * 0.9, h * 0.26), CHROME)
    yield from mirrored(
        box((w * 0.34, h * 0.22, back), (w * 0.6, thick * 0.8, thick * 0.8), CHROME),
        box((w * 0.6, h * 0.3, back), (thick * 0.8, h * 0.26), CHROME),
    )
    # People clicked beside the neck's upper half, on one side more than the other: levers must be there.
    yield box((-w * 0.34, h * 0.62, back), (w * 0.72, max(thick * 1.5, h * 0.26), thick * 0.8), CHROME).turned(roll=-12)
    yield box((w * 0.32, h * 0.64, back), (w * 0.66, max(thick, h * 0.2), thick * 0.8), CHROME).turned(roll=12)
    if look.toggled:
        yield tube((0, h * 0.3, d * 0.4), (thick * 0.7, h * 0.95), WATER)


def running_water(look: Look) -> Part:
    """What stands in a sink while its tap runs, in the sink's own frame."""
    return look.board(_hollow(look)[0] + _WATER / 2 + 0.005, _WATER, WATER, inset=0.02)


def stove_burner(look: Look) -> Parts:
    """Two rings on a plate, no higher than pans stand on it; hot, they glow."""
    w, h, d = look.size
    thick = min(0.025, h, surface(look))
    yield tube(thick * 0.35, (w, thick * 0.7, d), DARK, segments=16)
    ring = EMBER if look.hot else BLACK
    for up, share, material, segments in ((0.75, 0.82, ring, 16), (0.8, 0.5, DARK, 14), (0.85, 0.3, ring, 12)):
        yield tube(thick * up, (w * share, thick * 0.5, d * share), material, segments=segments)


def stove_knob(look: Look) -> Parts:
    """A knob with a pointer: upright when off, turned and red-lit when on."""
    w, h, d = look.size
    wide = min(w, h)
    yield tube(h / 2, (wide, d), DARK).along(2)
    pointer = box((0, h / 2 + wide * 0.22, d / 2), (wide * 0.14, wide * 0.5, 0.006), Material(0xF5F5F5))
    yield pointer.swung(Vec3(0, h / 2, d / 2), roll=-100.0 if look.toggled else 0.0)
    if look.toggled:
        yield ball((0, h / 2, d / 2), (wide * 0.3, wide * 0.3, 0.02), EMBER)


def _outdoors(w: float, h: float, z: float) -> Parts:
    """Sky over far hills, a lawn and trees: flat, just before `z`."""
    yield box((0, h / 2, z), (w, h, 0.004), _SKY)
    yield box((0, h * 0.4, z + 0.001), (w, h * 0.12, 0.004), _HAZE)
    for number, (x, y, wide, tall, out, material, segments) in enumerate(_GROWTH):
        if number == 2:  # the trees stand on a lawn
            yield box((0, h * 0.17, z + 0.004), (w, h * 0.34, 0.004), _LAWN)
        size = (w * wide, 0.002, h * tall)
        yield tube((x * w, y * h, z + out), size, material, segments=segments).along(2)


def floor(look: Look) -> Parts:
    """Nothing of its own: the room's floor stands for it."""
    return iter(())


def window(look: Look) -> Parts:
    """Sky behind a white frame with a cross bar."""
    w, h, d = look.size
    deep = min(d, 0.05)
    back = -d / 2 + deep / 2
    yield box((0, h / 2, back), (w, h, deep * 0.4), WHITE.shade(0.8))
    yield from _outdoors(w - 0.02, h - 0.02, back + deep * 0.2)
    for sign in (-1, 1):
        yield box((sign * (w / 2 - 0.02), h / 2, back), (0.04, h, deep), WHITE)
        yield box((0, h / 2 + sign * (h / 2 - 0.02), back), (w, 0.04, deep), WHITE)
    yield box((0, h / 2, back), (0.03, h, deep), WHITE)
    yield box((0, h / 2, back), (w, 0.03, deep), WHITE)
    if look.broken:
        yield from cracks((0, h / 2, back + deep / 2), (w, h, 0.01))


def curtains(look: Look) -> Parts:
    """Folds at both sides of a rod, with a hem, gathered by a band."""
    w, h, d = look.size
    cloth = fabric(look.pick((0xB05448, 0xC4A474, 0x7888A0)))
    yield tube(h - 0.02, (0.03, w), DARK).along(0)
    side = [ball((w * 0.49, h - 0.02, 0), (0.05, 0.05), BRASS, segments=8)]
    for i in range(5):
        size = (w * 0.046, h * 0.95, d * (0.6 if i % 2 else 0.85))
        fold = tube((w / 2 - w * 0.04 * (i + 0.5), h * 0.48, 0), size, cloth, segments=8)
        side.append(replace(fold, material=cloth.shade(0.84 if i % 2 else 1.0)))
    yield from mirrored(*side, look.box((0.4, 0.38, 0), (0.204, 0.025, 0.9), BRASS.shade(0.9)))


def blinds(look: Look) -> Parts:
    """Slats: a short stack when up (closed in AI2-THOR's sense), down to the sill when open."""
    w, h, d = look.size
    yield look.board(h - 0.02, 0.04, WHITE.shade(0.9))
    slats = max(3, min(14, int(h / 0.06)))
    for i in range(slats):
        slat = box((h - 0.05) * (i + 0.5) / slats, (w * 0.98, 0.008, max(d, 0.025)), WHITE)
        yield slat.turned(pitch=50 if look.openness else 20)


def painting(look: Look) -> Parts:
    """A landscape in a gilt frame: an evening sky, the sun, mountains, a lake."""
    w, h, d = look.size
    edge = min(0.08, 0.14 * min(w, h))
    yield look.whole(look.pick((_GILT, _GILT.shade(0.8))))
    yield box((0, h / 2, d / 2), (w - edge, h - edge, 0.006), _GILT.shade(0.6))
    yield box((0, h / 2, d / 2 + 0.001), (w - 1.5 * edge, h - 1.5 * edge, 0.006), PAPER)
    wide, tall, z = w - 2.2 * edge, h - 2.2 * edge, d / 2 + 0.002
    sky, far, near, lake = look.pick(_LANDSCAPES, 1)
    yield box((0, h / 2, z), (wide, tall, 0.006), Material(sky, 0xFAE2BE, Pattern.BLOTCHES, 2.0 / max(h, 0.1)))
    sun = tube((wide * 0.2, h / 2 + tall * 0.22, z), (0.14 * tall, 0.008), Material(0xFFF4D6))
    yield sun.along(2)
    for x, y, size, colour in ((-0.16, 0.02, 0.34, far), (0.22, -0.02, 0.28, far), (0.0, -0.1, 0.24, near)):
        peak = min(wide, tall) * size
        yield box((x * wide, h / 2 + y * tall, z + 0.001), (peak, peak, 0.007), Material(colour)).turned(roll=45)
    yield box((0, h / 2 - tall * 0.34, z + 0.002), (wide, tall * 0.32, 0.007), Material(lake))
    yield box((wide * 0.1, h / 2 - tall * 0.26, z + 0.003), (wide * 0.5, tall * 0.03, 0.007), Material(sky))


def poster(look: Look) -> Parts:
    """A printed sheet without a frame: a bold disc over lines of text on a dark ground."""
    w, h, d = look.size
    ground, disc = look.pick(((0x222C46, 0xF0C43C), (0x96242C, 0xF4ECDC)), 2)
    yield look.whole(PAPER)
    yield look.on_front((0, 0.5), (0.94, 0.94), Material(ground), thick=0.003)
    wide = 0.56 * min(w, h)
    yield tube((0, h * 0.6, d / 2), (wide, 0.006), Material(disc), segments=18).along(2)
    for i, share in enumerate((0.7, 0.52, 0.6)):
        yield look.on_front((0, 0.24 - 0.07 * i), (share, 0.035), PAPER, thick=0.004, out=0.001)


screen_sheet = poster


def wall(look: Look) -> Parts:
    """A plain wall."""
    yield look.whole(Material(0xE2D8C0))


def doorway(look: Look) -> Parts:
    """A frame round an opening, with a door leaf for a doorway."""
    w, h, d = look.size
    yield from mirrored(box((w / 2 - 0.04, h / 2, 0), (0.08, h, d), TRIM))
    yield look.board(h - 0.04, 0.08, TRIM)
    if look.object_type == "Doorway":
        yield box(h / 2 - 0.04, (w - 0.16, h - 0.08, 0.04), WOODS[1])
        yield box((w * 0.34, h * 0.46, 0.04), (0.1, 0.03, 0.04), DARK)


doorframe = doorway


def screen_frame(look: Look) -> Parts:
    """A free-standing screen: a sheet in a frame."""
    w, h, d = look.size
    yield box(h / 2, (w, h, min(d, 0.03)), PAPER)
    yield look.whole(DARK).hollow(Faces.LEFT | Faces.RIGHT | Faces.TOP | Faces.BOTTOM)
