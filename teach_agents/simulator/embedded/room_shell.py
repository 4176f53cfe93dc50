"""What a room has besides its objects: floor, walls, ceiling, fittings, light, and the Follower's own body."""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np

from teach_agents.arrays import Float32Array, FloatArray
from teach_agents.observations import Pose, Vec3
from teach_agents.simulator.contract import EYE_HEIGHT, Camera, SimulatorState
from teach_agents.simulator.embedded.dressing import hangers, outer_corners, rug, splashbacks, tiled_walls
from teach_agents.simulator.embedded.geometry import Rectangle
from teach_agents.simulator.embedded.kernels import layout as at
from teach_agents.simulator.embedded.shapes.assembly import Assembly
from teach_agents.simulator.embedded.shapes.palette import TRIM, WOODS
from teach_agents.simulator.embedded.shapes.parts import Faces, Material, Part, Pattern, ball, box, tube
from teach_agents.simulator.embedded.shapes.surroundings import fittings

_CEILING = "structure|Ceiling"
_WALLS = "structure|Walls"
_FLOOR = "structure|Floor"
_FITTINGS = "structure|Fittings"
_BODY = "structure|Follower"

_LOWEST_CEILING = 2.5
_THICKNESS = 0.1
_SKIRTING = 0.09
_BODY_HEIGHT = 0.9
"""The Follower's position is this far above its feet, metres."""
_OWN_EYES = 0.3
_HELD_SIZE = 0.16
_HELD_SHIFT = (-0.09, 0.02)
"""In the Follower's own view the held object is drawn no larger than this, this far lower and further ahead, metres,
so that it is seen without hiding what is before it."""
_LAMP_DROP = 0.3
_DAYLIGHT = 0.24
_NO_SIDE = 0.3
_NO_WINDOW = (-0.053, 0.083, -0.113)
"""The daylight of a room without windows, or with windows all around: weak, from behind the left shoulder."""

_FLOORS = {
    "wood": tuple(Material(one.colour, one.shade(0.62).colour, Pattern.PLANKS, gloss=0.12) for one in WOODS),
    "tiles": (
        Material((206, 196, 178), (184, 172, 152), Pattern.TILES, 2.5, gloss=0.05),
        Material((190, 196, 200), (160, 168, 174), Pattern.TILES, 3.0, gloss=0.05),
        Material((222, 216, 206), (196, 186, 172), Pattern.TILES, 2.0, gloss=0.05),
    ),
    "carpet": (
        Material((178, 168, 154), (163, 153, 140), Pattern.SPECKLES, 70.0),
        Material((150, 156, 164), (136, 142, 151), Pattern.SPECKLES, 70.0),
    ),
}
_PAINTS = (
    Material((228, 218, 196)),
    Material((206, 216, 220)),
    Material((222, 208, 190)),
    Material((214, 220, 204)),
    Material((232, 228, 222)),
)


@dataclass(frozen=True, slots=True)
class _Extent:
    """The inner faces of floor, walls and ceiling."""

    low: Vec3
    high: Vec3

    @property
    def plan(self) -> Rectangle:
        """What it covers of the floor plane."""
        return Rectangle(self.low.x, self.low.z, self.high.x, self.high.z)


class RoomShell:
    """The structure of one world's room, kept beside the assembly that it is part of.

    It is handed the assembly and never keeps it: a shell that held its assembly would keep every world alive.
    """

    def __init__(self, assembly: Assembly, state: SimulatorState) -> None:
        self._extent = _extent(state)
        self._seed = zlib.crc32(state.room.encode())
        floor = next((obj for obj in state.objects.values() if obj.object_type == "Floor"), None)
        materials = floor.kind.materials or () if floor else ()
        plan, paint = self._extent.plan, _PAINTS[self._seed % len(_PAINTS)]
        ground = [*_floor(self._extent, materials, self._seed), *rug(state, plan, self._seed)]
        assembly.structure(_FLOOR, ground, stands_for=floor.object_id if floor else None)
        corners = outer_corners(state.room, plan)
        walls = [*_walls(self._extent, paint), *_corners(corners, self._extent.high.y, paint)]
        walls.extend(tiled_walls(state, plan, corners, self._seed))
        walls.extend(splashbacks(state, assembly.surroundings, plan, self._seed))
        assembly.structure(_WALLS, walls)
        assembly.structure(_CEILING, _ceiling(self._extent))
        fixed = [*fittings(state, assembly.surroundings), *hangers(state, self._extent.high.y)]
        assembly.structure(_FITTINGS, fixed)
        assembly.structure(_BODY, _body())
        self._switches = tuple(i for i, obj in state.objects.items() if obj.object_type == "LightSwitch")
        self._light = _lamp(self._extent)
        self._light[at.DAY : at.DAY + 3] = _daylight(state)
        self._small: tuple[str, ...] = ()
        self._prepared: tuple[int, Camera] | None = None

    @classmethod
    def of(cls, assembly: Assembly, state: SimulatorState) -> RoomShell:
        """The shell of an assembly's world."""
        known = _KNOWN.get(assembly)
        if known is None:
            known = cls(assembly, state)
            _KNOWN[assembly] = known
        return known

    def prepare(self, assembly: Assembly, state: SimulatorState, camera: Camera) -> None:
        """Hide the ceiling from cameras above it and the body from its own eyes; put the held object in the hand."""
        now = state.version, camera
        if now == self._prepared:
            return
        self._prepared = now
        above = camera.orthographic is not None or camera.position.y > self._extent.high.y
        assembly.arena.show(assembly.slot(_CEILING), at.HIDDEN if above else at.SHOWN)
        own = _is_own(camera, state.agent)
        assembly.arena.show(assembly.slot(_BODY), at.HIDDEN if own else at.SHOWN)
        if not own:
            assembly.move(_BODY, _standing(state.agent))
        self._hold(assembly, state, camera if own else None)

    def light(self, state: SimulatorState) -> Float32Array:
        """The lamp as the kernels read it; dimmer while the room's light switch is off."""
        on = all(state.objects[switch].is_toggled for switch in self._switches if switch in state.objects)
        self._light[at.STRENGTH] = 0.52 if on else 0.3
        self._light[at.AMBIENT] = 0.52 if on else 0.4
        return self._light

    def _hold(self, assembly: Assembly, state: SimulatorState, own: Camera | None) -> None:
        """In the Follower's own view, shrink what is held and lower it; elsewhere show it as it is."""
        wanted = assembly.in_hand if own is not None else ()
        for name in self._small:
            if name not in wanted:
                assembly.restore(name)
        self._small = wanted
        if own is None or state.held is None:
            return
        held = state.objects[state.held]
        scale = min(1.0, _HELD_SIZE / max(held.box.size))
        hand = np.array(held.position)
        shift = _shift(own)
        for name in wanted:
            frame = assembly.placement(name)[1].copy()
            frame[:3] = hand + scale * (frame[:3] - hand) + shift
            frame[12] = scale
            assembly.move(name, frame)


def _shift(own: Camera) -> FloatArray:
    """From the hand's true place to where its content is drawn in the Follower's own view."""
    yaw, pitch = math.radians(own.yaw), math.radians(own.pitch)
    up = np.array((math.sin(yaw) * math.sin(pitch), math.cos(pitch), math.cos(yaw) * math.sin(pitch)))
    ahead = np.array((math.sin(yaw) * math.cos(pitch), -math.sin(pitch), math.cos(yaw) * math.cos(pitch)))
    lower, further = _HELD_SHIFT
    return lower * up + further * ahead


_KNOWN: WeakKeyDictionary[Assembly, RoomShell] = WeakKeyDictionary()


def _is_own(camera: Camera, agent: Pose) -> bool:
    """Whether a camera sits in the Follower's head."""
    x, y, z = agent.position
    eyes = y + (EYE_HEIGHT if agent.standing else 0.0)
    cx, cy, cz = camera.position
    return camera.orthographic is None and math.hypot(cx - x, cy - eyes, cz - z) < _OWN_EYES


def _standing(agent: Pose) -> Float32Array:
    x, y, z = agent.position
    sine, cosine = math.sin(math.radians(agent.yaw)), math.cos(math.radians(agent.yaw))
    return np.array([x, y - _BODY_HEIGHT, z, cosine, 0, -sine, 0, 1, 0, sine, 0, cosine, 1], np.float32)


def _extent(state: SimulatorState) -> _Extent:
    floor = next((obj.box for obj in state.objects.values() if obj.object_type == "Floor"), None)
    boxes = [obj.box for obj in state.objects.values() if obj.exists and not obj.kind.pickupable]
    boxes = [one for one in boxes if max(one.size) < _WIDEST or one is floor] or boxes
    low = Vec3(min(b.low.x for b in boxes), 0.0, min(b.low.z for b in boxes))
    top = max(_LOWEST_CEILING, *(b.high.y + 0.02 for b in boxes if b is not floor), 0.0)
    return _Extent(low, Vec3(max(b.high.x for b in boxes), top, max(b.high.z for b in boxes)))


_WIDEST = 8.0
"""Objects wider than this are broken in AI2-THOR's metadata."""


def _lamp(extent: _Extent) -> Float32Array:
    low, high = extent.low, extent.high
    light = np.zeros(at.LIGHT_WIDTH, np.float32)
    light[:3] = ((low.x + high.x) / 2, high.y - _LAMP_DROP, (low.z + high.z) / 2)
    reach = max(high.x - low.x, high.z - low.z)
    light[at.FALLOFF] = 1.6 / (reach * reach + 1.0)
    return light


def _daylight(state: SimulatorState) -> tuple[float, float, float]:
    """From where the windows' light comes, on the whole; its length is its strength."""
    floor = next((obj.box.center for obj in state.objects.values() if obj.object_type == "Floor"), Vec3(0, 0, 0))
    x = z = 0.0
    for obj in state.objects.values():
        if obj.object_type == "Window":
            x, z = x + obj.box.center.x - floor.x, z + obj.box.center.z - floor.z
    level = math.hypot(x, z)
    if level < _NO_SIDE:
        return _NO_WINDOW
    return _DAYLIGHT * 0.8 * x / level, _DAYLIGHT * 0.6, _DAYLIGHT * 0.8 * z / level


def _floor(extent: _Extent, materials: tuple[str, ...], seed: int) -> list[Part]:
    """Boards, tiles or carpet, as AI2-THOR names the floor's material; tiles where it says nothing."""
    (x0, _, z0), (x1, _, z1) = extent.low, extent.high
    kind = "wood" if "Wood" in materials else "carpet" if {"Fabric", "Carpet"} & set(materials) else "tiles"
    choices = _FLOORS[kind]
    surface = choices[seed % len(choices)]
    return [box(((x0 + x1) / 2, -_THICKNESS / 2, (z0 + z1) / 2), (x1 - x0, _THICKNESS, z1 - z0), surface)]


def _walls(extent: _Extent, paint: Material) -> list[Part]:
    (x0, y0, z0), (x1, y1, z1) = extent.low, extent.high
    x, z, w, d = (x0 + x1) / 2, (z0 + z1) / 2, x1 - x0, z1 - z0
    sides = Faces.LEFT | Faces.RIGHT | Faces.FRONT | Faces.BACK
    whole = box((x, (y0 + y1) / 2, z), (w, y1 - y0, d), paint)
    skirting = box((x, _SKIRTING / 2, z), (w - 0.02, _SKIRTING, d - 0.02), TRIM)
    return [whole.inward(sides), skirting.inward(sides)]


def _corners(corners: Iterable[Rectangle], top: float, paint: Material) -> Iterator[Part]:
    """The walls of an L-shaped room's missing corners."""
    for one in corners:
        x, z, w, d = (one.x0 + one.x1) / 2, (one.z0 + one.z1) / 2, one.x1 - one.x0, one.z1 - one.z0
        yield box((x, top / 2, z), (w, top, d), paint)
        yield box((x, _SKIRTING / 2, z), (w + 0.02, _SKIRTING, d + 0.02), TRIM)


def _ceiling(extent: _Extent) -> list[Part]:
    (x0, _, z0), (x1, y1, z1) = extent.low, extent.high
    white = Material((246, 246, 244), glow=0.28)
    middle = ((x0 + x1) / 2, y1 + _THICKNESS / 2, (z0 + z1) / 2)
    lamp = tube((middle[0], y1 - 0.03, middle[2]), (0.4, 0.06, 0.4), Material((255, 250, 232), glow=0.5), segments=16)
    return [box(middle, (x1 - x0, _THICKNESS, z1 - z0), white), lamp]


def _body() -> list[Part]:
    """A small household robot, its feet at the origin, facing +z."""
    shell, dark, light = (
        Material((226, 230, 234), gloss=0.3),
        Material((52, 56, 64)),
        Material((90, 190, 250), glow=0.5),
    )
    return [
        tube((0, 0.08, 0), (0.4, 0.16, 0.4), dark, segments=16),
        tube((0, 0.6, 0), (0.32, 0.9, 0.32), shell, taper=0.75, segments=16),
        tube((0, 1.15, 0), (0.09, 0.3, 0.09), dark),
        ball((0, 1.44, 0), (0.25, 0.3, 0.25), shell, segments=14),
        box((0, 1.48, 0.1), (0.17, 0.09, 0.06), dark),
        *(ball((side * 0.045, 1.48, 0.13), (0.045, 0.045, 0.03), light, segments=8) for side in (-1, 1)),
        *(tube((side * 0.2, 0.86, 0.1), (0.07, 0.4, 0.07), dark).turned(pitch=-50) for side in (-1, 1)),
    ]
