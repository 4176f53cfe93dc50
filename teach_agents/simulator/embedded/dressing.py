"""What makes rooms look lived in and carries no object id of its own: rugs, tiles on walls, cords of hanging plants.

Rugs and tiles lie within 6 mm of the floor or a wall, and so hide nothing; cords are 8 mm wide.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from teach_agents.simulator.contract import ObjectState, SimulatorState
from teach_agents.simulator.embedded.geometry import Rectangle, rectangle_of
from teach_agents.simulator.embedded.rooms import ROOM_NAMES, kind_of
from teach_agents.simulator.embedded.shapes.parts import Faces, Material, Part, Pattern, box
from teach_agents.simulator.embedded.shapes.surroundings import Surroundings

_UNDER = {"living room": ("CoffeeTable", "Sofa"), "bedroom": ("Bed",)}
"""By kind of room, beneath what a rug lies; the first that is there."""
_BEYOND = 0.55
_EDGE = 0.08
_RUGS = (
    (Material((156, 60, 54), (126, 44, 44), Pattern.WEAVE, 14.0), Material((226, 208, 168))),
    (Material((64, 88, 124), (50, 70, 104), Pattern.WEAVE, 14.0), Material((222, 218, 206))),
    (Material((216, 206, 186), (190, 178, 156), Pattern.WEAVE, 14.0), Material((112, 96, 80))),
    (Material((96, 116, 92), (78, 98, 78), Pattern.WEAVE, 14.0), Material((230, 220, 190))),
)
"""Field and border."""
_TILES = (
    Material((238, 240, 240), (196, 202, 206), Pattern.TILES, 6.0, gloss=0.12),
    Material((214, 228, 232), (240, 242, 242), Pattern.TILES, 6.0, gloss=0.12),
    Material((232, 226, 212), (206, 196, 176), Pattern.TILES, 6.0, gloss=0.12),
)
_DADO = 1.3
_STRIPE = 0.05
_OFF = 0.004
_SPLASH = 0.48
_NEAR = 0.07
_LOWEST_COUNTER = 0.7
_HUNG = 1.2
"""Plants higher than this may hang, metres."""
_GAP = 0.08
_CORD = 0.008
_ROPE = Material((150, 126, 92))


def _kind(state: SimulatorState) -> str:
    return kind_of(state.room) if state.room in ROOM_NAMES else ""


def rug(state: SimulatorState, area: Rectangle, seed: int) -> Iterator[Part]:
    """A rug with a border under what living rooms and bedrooms gather around, within `area`, if it is there."""
    under = _largest(state, _UNDER.get(_kind(state), ()))
    if under is None:
        return
    one = rectangle_of(under.box)
    x0, z0 = max(one.x0 - _BEYOND, area.x0 + _EDGE), max(one.z0 - _BEYOND, area.z0 + _EDGE)
    x1, z1 = min(one.x1 + _BEYOND, area.x1 - _EDGE), min(one.z1 + _BEYOND, area.z1 - _EDGE)
    if x1 - x0 < 4 * _EDGE or z1 - z0 < 4 * _EDGE:
        return
    field, border = _RUGS[seed % len(_RUGS)]
    for inset, top, material in ((0.0, 0.003, field), (_EDGE, 0.004, border), (2 * _EDGE, 0.005, field)):
        size = (x1 - x0 - 2 * inset, top, z1 - z0 - 2 * inset)
        if min(size) > 0.0:
            yield box(((x0 + x1) / 2, top / 2, (z0 + z1) / 2), size, material)


def hangers(state: SimulatorState, ceiling: float) -> Iterator[Part]:
    """Cords from which plants hang that stand on nothing."""
    for obj in state.objects.values():
        if obj.object_type != "HousePlant" or obj.kind.pickupable or obj.box.low.y < _HUNG or _stands(obj, state):
            continue
        (x, _, z), (w, h, _) = obj.box.center, obj.box.size
        rim = obj.box.low.y + h * 0.35
        yield box((x, (rim + ceiling) / 2, z), (_CORD, ceiling - rim, _CORD), _ROPE)
        for side in (-1, 1):
            yield box((x + side * w * 0.16, rim + h * 0.2, z), (_CORD, h * 0.5, _CORD), _ROPE).turned(roll=side * 30)


def _stands(obj: ObjectState, state: SimulatorState) -> bool:
    """Whether anything lies right below the middle of an object."""
    x, z, low = obj.box.center.x, obj.box.center.z, obj.box.low.y
    for other in state.objects.values():
        one = rectangle_of(other.box)
        near = other.box.low.y < low < other.box.high.y + _GAP
        if other is not obj and near and one.x0 < x < one.x1 and one.z0 < z < one.z1:
            return True
    return False


def _largest(state: SimulatorState, types: tuple[str, ...]) -> ObjectState | None:
    """The largest object of the first of these types that is there: what never moves far."""
    for wanted in types:
        found = [obj for obj in state.objects.values() if obj.object_type == wanted]
        if found:
            return max(found, key=lambda obj: (obj.box.size.x * obj.box.size.z, obj.object_id))
    return None


def tiled_walls(state: SimulatorState, area: Rectangle, corners: Iterable[Rectangle], seed: int) -> Iterator[Part]:
    """The lower walls of a bathroom, those of its missing corners too."""
    if _kind(state) != "bathroom":
        return
    tiles = _TILES[seed % len(_TILES)]
    sides = Faces.LEFT | Faces.RIGHT | Faces.FRONT | Faces.BACK
    x, z = (area.x0 + area.x1) / 2, (area.z0 + area.z1) / 2
    wide, deep = area.x1 - area.x0 - 2 * _OFF, area.z1 - area.z0 - 2 * _OFF
    yield box((x, _DADO / 2, z), (wide, _DADO, deep), tiles).inward(sides)
    line = Material((92, 130, 146), gloss=0.12)
    yield box((x, _DADO + _STRIPE / 2, z), (wide, _STRIPE, deep), line).inward(sides)
    for one in corners:
        x, z = (one.x0 + one.x1) / 2, (one.z0 + one.z1) / 2
        wide, deep = one.x1 - one.x0 + 2 * _OFF, one.z1 - one.z0 + 2 * _OFF
        yield box((x, _DADO / 2, z), (wide, _DADO, deep), tiles)
        yield box((x, _DADO + _STRIPE / 2, z), (wide, _STRIPE, deep), line)


def splashbacks(state: SimulatorState, surroundings: Surroundings, area: Rectangle, seed: int) -> Iterator[Part]:
    """Tiles on the walls behind a kitchen's counters."""
    if _kind(state) != "kitchen":
        return
    tiles = _TILES[seed % len(_TILES)]
    for _, top, pieces in surroundings.worktops():
        if top < _LOWEST_COUNTER:
            continue
        for one in pieces:
            x, y, z = (one.x0 + one.x1) / 2, top + _SPLASH / 2, (one.z0 + one.z1) / 2
            for wall, side in ((area.x0, one.x0), (area.x1, one.x1)):
                if abs(wall - side) < _NEAR:
                    yield box((wall, y, z), (2 * _OFF, _SPLASH, one.z1 - one.z0), tiles)
            for wall, side in ((area.z0, one.z0), (area.z1, one.z1)):
                if abs(wall - side) < _NEAR:
                    yield box((x, y, wall), (one.x1 - one.x0, _SPLASH, 2 * _OFF), tiles)
