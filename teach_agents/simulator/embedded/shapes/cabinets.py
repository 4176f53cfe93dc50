"""What is built into rooms: counters, cabinets, drawers, sinks, and the stove's parts."""

from __future__ import annotations

from teach_agents.observations import Vec3
from teach_agents.simulator.embedded.shapes.look import Look, door, handle, surface
from teach_agents.simulator.embedded.shapes.palette import (
    BLACK,
    CERAMIC,
    CHROME,
    DARK,
    EMBER,
    GRANITES,
    LIQUIDS,
    STEEL,
    TRIM,
    WHITE,
    WOODS,
)
from teach_agents.simulator.embedded.shapes.parts import Faces, Material, Part, Parts, ball, box, tube

_FRONTS = (*WOODS[:2], TRIM, WOODS[4], WHITE.shade(0.92))
_DOOR = 0.02
_SHALLOW = 0.08
_BOWL = 0.2
_TALL = 0.5
"""A sink whose box is higher than this reaches down to the floor; its bowl does not."""
_WATER = 0.008
"""How deep running water stands in a sink, metres: plates and spoons still lie above it."""
_SWING = 90.0
_DRAWER_TRAVEL = 0.8


def front_of(style: int) -> Material:
    """What the fronts of all cabinets and drawers of a room are made of."""
    return _FRONTS[style % len(_FRONTS)]


def counter_top(look: Look) -> Parts:
    """Slabs at the height things stand at, to the millimetre, or knives drown; the basins are cut out of them."""
    top = max(look.setting.support, 0.0)
    stone = GRANITES[look.setting.style % len(GRANITES)]
    for x0, z0, x1, z1 in look.setting.outline:
        yield box(((x0 + x1) / 2, top - 0.02, (z0 + z1) / 2), (x1 - x0, 0.04, z1 - z0), stone)


def cabinet(look: Look) -> Parts:
    """A body with one or two doors; opened, a hollow with its doors swung out."""
    w, h, d = look.size
    front = front_of(look.setting.style)
    deep = min(d, _SHALLOW) if look.setting.shallow and not look.openness else d
    body = box((0, h / 2, (d - deep - _DOOR) / 2), (w, h, deep - _DOOR), front.shade(0.8))
    yield body if not look.openness else body.hollow(Faces.OPEN_FRONT)
    hinges = (look.setting.hinge,) if look.setting.hinge else (-1, 1)
    wide = w / len(hinges)
    for hinge in hinges:
        x = 0.0 if len(hinges) == 1 else hinge * wide / 2
        panel = (max(wide - 0.008, 0.02), max(h - 0.008, 0.02), _DOOR)
        yield from door((x, h / 2, d / 2 - _DOOR / 2), panel, front, hinge=hinge, angle=_SWING * look.openness)


def drawer(look: Look) -> Parts:
    """A front with a handle; opened, an open box slid out."""
    w, h, d = look.size
    front = front_of(look.setting.style)
    out = _DRAWER_TRAVEL * d * look.openness
    body = box((0, h / 2, -_DOOR / 2), (w - 0.01, h - 0.01, d - _DOOR), front.shade(0.75))
    if look.openness:
        yield look.box((0, 0.5, 0), (1, 1, 1), front.shade(0.5)).inward(Faces.OPEN_FRONT)
        yield box((0, h * 0.4, 0), (w - 0.02, h * 0.7, d - _DOOR), front.shade(0.85)).hollow().shifted(dz=out)
    else:
        yield body
    yield box((0, h / 2, d / 2 - _DOOR / 2 + out), (w - 0.006, h - 0.006, _DOOR), front)
    for y in (0.06, 0.94):  # a bead along its edges
        yield box((0, h * y, d / 2 + out), (w - 0.02, 0.008, 0.006), front.shade(0.6))
    yield handle((0, h * 0.62, d / 2 + 0.018 + out), min(0.16, w * 0.4), upright=False)


def safe(look: Look) -> Parts:
    """A heavy box with a dial on its door."""
    w, h, d = look.size
    body = box((0, h / 2, -0.02), (w, h, d - 0.04), DARK)
    yield body if not look.openness else body.hollow(Faces.OPEN_FRONT)
    pivot = Vec3(-w / 2, 0, d / 2 - 0.04)
    panel = box((0, h / 2, d / 2 - 0.02), (w - 0.02, h - 0.02, 0.04), DARK.shade(1.5))
    dial = tube((0, h * 0.55, d / 2 + 0.005), (h * 0.25, 0.02, h * 0.25), CHROME).turned(pitch=90)
    lever = box((w * 0.28, h * 0.55, d / 2 + 0.01), (0.02, h * 0.25, 0.02), CHROME)
    for part in (panel, dial, lever):
        yield part.swung(pivot, yaw=-_SWING * look.openness)


def sink(look: Look) -> Parts:
    """A hollow seen into from above: of steel in a counter, a ceramic bowl where it stands alone."""
    w, h, d = look.size
    if look.setting.cap:
        yield from _basin(look, STEEL)
        return
    low = basin_bottom(look)
    yield box((0, (low + h) / 2, 0), (w, h - low, d), CERAMIC).hollow()
    yield tube((0, low + 0.012, 0), (0.05, 0.008, 0.05), DARK)
    if low > 0:
        yield tube((0, low / 2, -d * 0.1), (w * 0.4, low, d * 0.4), CERAMIC, taper=0.8)


def basin_bottom(look: Look) -> float:
    """Height of the bottom of a sink's hollow above that of its box, metres."""
    h, cap = look.size.y, look.setting.cap
    if look.object_type == "Sink" and not cap:
        return max(h - _BOWL, 0.0)
    tall = min(h, cap) if cap else h
    return tall - _BOWL if tall > _TALL else 0.0


def _basin(look: Look, material: Material) -> Parts:
    w, h, d = look.size
    tall = min(h, look.setting.cap) if look.setting.cap else h
    low = basin_bottom(look)
    yield box((0, (low + tall) / 2 + 0.005, 0), (w, max(tall - low - 0.01, 0.01), d), material).inward(Faces.OPEN_TOP)
    yield tube((0, low + 0.018, 0), (0.05, 0.008, 0.05), DARK)
    if look.filled:
        yield box((0, tall * 0.4, 0), (w - 0.01, 0.005, d - 0.01), LIQUIDS["water"])


def sink_basin(look: Look) -> Parts:
    """The hollow that water runs into."""
    return _basin(look, STEEL if look.setting.cap else CERAMIC)


def faucet(look: Look) -> Parts:
    """A swan neck with two taps over the basin in front of it; running, a stream of water."""
    w, h, d = (look.size.x * 0.55, look.size.y, look.size.z * 0.55)
    back, thick = -d * 0.3, max(0.045, 0.3 * min(w, d))
    yield tube((0, h * 0.1, back), (thick * 1.9, h * 0.2, thick * 1.9), CHROME, taper=0.7)
    yield tube((0, h * 0.5, back), (thick, h * 0.9, thick), CHROME)
    yield tube((0, h - thick / 2, d * 0.05), (thick, d * 0.8, thick), CHROME).turned(pitch=90)
    yield tube((0, h * 0.84, d * 0.4), (thick * 0.9, h * 0.26, thick * 0.9), CHROME)
    for sign in (-1, 1):
        yield box((sign * w * 0.34, h * 0.22, back), (w * 0.6, thick * 0.8, thick * 0.8), CHROME)
        yield box((sign * w * 0.6, h * 0.3, back), (thick * 0.8, h * 0.26, thick * 0.8), CHROME)
    # People clicked beside the neck's upper half, on one side more than the other: levers must be there.
    yield box((-w * 0.34, h * 0.62, back), (w * 0.72, max(thick * 1.5, h * 0.26), thick * 0.8), CHROME).turned(roll=-12)
    yield box((w * 0.32, h * 0.64, back), (w * 0.66, max(thick, h * 0.2), thick * 0.8), CHROME).turned(roll=12)
    if look.toggled:
        yield tube((0, h * 0.3, d * 0.4), (thick * 0.7, h * 0.95, thick * 0.7), LIQUIDS["water"])


def running_water(look: Look) -> tuple[Part, ...]:
    """What stands in a sink while its tap runs, in the sink's own frame."""
    w, _, d = look.size
    return (box((0, basin_bottom(look) + _WATER / 2 + 0.005, 0), (w - 0.02, _WATER, d - 0.02), LIQUIDS["water"]),)


def stove_burner(look: Look) -> Parts:
    """Two rings on a plate, no higher than pans stand on it; hot, they glow."""
    w, h, d = look.size
    thick = min(0.025, h, surface(look))
    yield tube((0, thick * 0.35, 0), (w, thick * 0.7, d), DARK, segments=16)
    ring = EMBER if look.hot else BLACK
    yield tube((0, thick * 0.75, 0), (w * 0.82, thick * 0.5, d * 0.82), ring, segments=16)
    yield tube((0, thick * 0.8, 0), (w * 0.5, thick * 0.5, d * 0.5), DARK, segments=14)
    yield tube((0, thick * 0.85, 0), (w * 0.3, thick * 0.5, d * 0.3), ring)


def stove_knob(look: Look) -> Parts:
    """A knob with a pointer: upright when off, turned and red-lit when on."""
    w, h, d = look.size
    wide = min(w, h)
    yield tube((0, h / 2, 0), (wide, d, wide), DARK).turned(pitch=90)
    pointer = box((0, h / 2 + wide * 0.22, d / 2), (wide * 0.14, wide * 0.5, 0.006), Material((245, 245, 245)))
    yield pointer.swung(Vec3(0, h / 2, d / 2), roll=-100.0 if look.toggled else 0.0)
    if look.toggled:
        yield ball((0, h / 2, d / 2), (wide * 0.3, wide * 0.3, 0.02), EMBER)
