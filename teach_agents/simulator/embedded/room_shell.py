"""What a room has besides its objects: floor, walls, ceiling, fittings, light, and the Follower's own body."""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterable, Iterator
from itertools import chain
from weakref import WeakKeyDictionary

import numpy as np

from teach_agents.arrays import Float32Array, FloatArray
from teach_agents.observations import Pose, Vec3
from teach_agents.simulator.contract import Camera, ObjectState, SimulatorState, eyes_of
from teach_agents.simulator.embedded.dressing import hangers, outer_corners, rug, splashbacks, tiled_walls
from teach_agents.simulator.embedded.facts import of_type
from teach_agents.simulator.embedded.geometry import Rectangle, around, rectangle_of, rotation_rows
from teach_agents.simulator.embedded.kernels import layout as at
from teach_agents.simulator.embedded.shapes.assembly import Assembly
from teach_agents.simulator.embedded.shapes.look import mirrored
from teach_agents.simulator.embedded.shapes.palette import TRIM, WOODS
from teach_agents.simulator.embedded.shapes.parts import Faces, Material, Part, Pattern, ball, block, box, tube
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
        Material(0xCEC4B2, 0xB8AC98, Pattern.TILES, 2.5, gloss=0.05),
        Material(0xBEC4C8, 0xA0A8AE, Pattern.TILES, 3.0, gloss=0.05),
        Material(0xDED8CE, 0xC4BAAC, Pattern.TILES, 2.0, gloss=0.05),
    ),
    "carpet": (
        Material(0xB2A89A, 0xA3998C, Pattern.SPECKLES, 70.0),
        Material(0x969CA4, 0x888E97, Pattern.SPECKLES, 70.0),
    ),
}
_PAINTS = tuple(map(Material, (0xE4DAC4, 0xCED8DC, 0xDED0BE, 0xD6DCCC, 0xE8E4DE)))


class RoomShell:
    """The structure of one world's room, kept beside the assembly that it is part of.

    It is handed the assembly and never keeps it: a shell that held its assembly would keep every world alive.
    """

    def __init__(self, assembly: Assembly, state: SimulatorState) -> None:
        floor = next(iter(of_type(state.objects.values(), "Floor")), None)
        plan, self._top = _extent(state, floor)
        seed = zlib.crc32(state.room.encode())
        materials = floor.kind.materials or () if floor else ()
        ground = [block(plan, -_THICKNESS, _THICKNESS, _ground(materials, seed)), *rug(state, plan, seed)]
        assembly.structure(_FLOOR, ground, stands_for=floor.object_id if floor else None)
        corners = outer_corners(state.room, plan)
        walls = (
            _walls(plan, corners, self._top, _PAINTS[seed % len(_PAINTS)]),
            tiled_walls(state, plan, corners, seed),
            splashbacks(state, assembly.surroundings, plan, seed),
        )
        assembly.structure(_WALLS, chain(*walls))
        assembly.structure(_CEILING, _ceiling(plan, self._top))
        assembly.structure(_FITTINGS, chain(fittings(state, assembly.surroundings), hangers(state, self._top)))
        assembly.structure(_BODY, _body())
        self._switches = [obj.object_id for obj in of_type(state.objects.values(), "LightSwitch")]
        self._light = _lamp(plan, self._top)
        self._light[at.DAY : at.DAY + 3] = _daylight(state, floor)
        self._small: tuple[str, ...] = ()
        self._prepared: tuple[int, Camera] | None = None

    @classmethod
    def of(cls, assembly: Assembly, state: SimulatorState) -> RoomShell:
        """The shell of an assembly's world."""
        known = _KNOWN.get(assembly)
        if known is None:
            known = _KNOWN[assembly] = cls(assembly, state)
        return known

    def prepare(self, assembly: Assembly, state: SimulatorState, camera: Camera) -> None:
        """Hide the ceiling from cameras above it and the body from its own eyes; put the held object in the hand."""
        now = state.version, camera
        if now == self._prepared:
            return
        self._prepared = now
        above = camera.orthographic is not None or camera.position.y > self._top
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
    lower, further = _HELD_SHIFT
    _, up, ahead = np.array(rotation_rows((own.pitch, own.yaw, 0.0))).T
    return np.asarray(lower * up + further * ahead)


_KNOWN: WeakKeyDictionary[Assembly, RoomShell] = WeakKeyDictionary()


def _is_own(camera: Camera, agent: Pose) -> bool:
    """Whether a camera sits in the Follower's head."""
    return camera.orthographic is None and math.dist(camera.position, eyes_of(agent)) < _OWN_EYES


def _standing(agent: Pose) -> Float32Array:
    x, y, z = agent.position
    sine, cosine = math.sin(math.radians(agent.yaw)), math.cos(math.radians(agent.yaw))
    return np.array([x, y - _BODY_HEIGHT, z, cosine, 0, -sine, 0, 1, 0, sine, 0, cosine, 1], np.float32)


def _extent(state: SimulatorState, floor: ObjectState | None) -> tuple[Rectangle, float]:
    """What the inner faces of the walls enclose of the floor plan, and how high the ceiling is."""
    boxes = [obj.box for obj in state.objects.values() if obj.exists and not obj.kind.pickupable]
    ground = floor.box if floor else None
    boxes = [one for one in boxes if max(one.size) < _WIDEST or one is ground] or boxes
    top = max(_LOWEST_CEILING, *(one.high.y + 0.02 for one in boxes if one is not ground), 0.0)
    return around(map(rectangle_of, boxes)), top


_WIDEST = 8.0
"""Objects wider than this are broken in AI2-THOR's metadata."""


def _lamp(plan: Rectangle, top: float) -> Float32Array:
    (x, z), reach = plan.middle, max(plan.size)
    light = np.zeros(at.LIGHT_WIDTH, np.float32)
    light[:3] = (x, top - _LAMP_DROP, z)
    light[at.FALLOFF] = 1.6 / (reach * reach + 1.0)
    return light


def _daylight(state: SimulatorState, floor: ObjectState | None) -> tuple[float, float, float]:
    """From where the windows' light comes, on the whole; its length is its strength."""
    middle = floor.box.center if floor else Vec3(0, 0, 0)
    x = z = 0.0
    for window in of_type(state.objects.values(), "Window"):
        x, z = x + window.box.center.x - middle.x, z + window.box.center.z - middle.z
    level = math.hypot(x, z)
    if level < _NO_SIDE:
        return _NO_WINDOW
    return _DAYLIGHT * 0.8 * x / level, _DAYLIGHT * 0.6, _DAYLIGHT * 0.8 * z / level


def _ground(materials: tuple[str, ...], seed: int) -> Material:
    """Boards, tiles or carpet, as AI2-THOR names the floor's material; tiles where it says nothing."""
    choices = _FLOORS["wood" if "Wood" in materials else "carpet" if {"Fabric", "Carpet"} & {*materials} else "tiles"]
    return choices[seed % len(choices)]


def _walls(plan: Rectangle, corners: Iterable[Rectangle], top: float, paint: Material) -> Iterator[Part]:
    """The outer walls, and those of an L-shaped room's missing corners."""
    yield block(plan, 0.0, top, paint).inward(Faces.SIDES)
    yield block(plan, 0.0, _SKIRTING, TRIM, wider=-0.02).inward(Faces.SIDES)
    for one in corners:
        yield block(one, 0.0, top, paint)
        yield block(one, 0.0, _SKIRTING, TRIM, wider=0.02)


def _ceiling(plan: Rectangle, top: float) -> list[Part]:
    x, z = plan.middle
    lamp = tube((x, top - 0.03, z), (0.4, 0.06), Material(0xFFFAE8, glow=0.5), segments=16)
    return [block(plan, top, _THICKNESS, Material(0xF6F6F4, glow=0.28)), lamp]


def _body() -> list[Part]:
    """A small household robot, its feet at the origin, facing +z."""
    shell, dark = Material(0xE2E6EA, gloss=0.3), Material(0x343840)
    light = Material(0x5ABEFA, glow=0.5)
    return [
        tube(0.08, (0.4, 0.16), dark, segments=16),
        tube(0.6, (0.32, 0.9), shell, taper=0.75, segments=16),
        tube(1.15, (0.09, 0.3), dark),
        ball(1.44, (0.25, 0.3), shell, segments=14),
        box((0, 1.48, 0.1), (0.17, 0.09, 0.06), dark),
        *mirrored(ball((0.045, 1.48, 0.13), (0.045, 0.045, 0.03), light, segments=8)),
        *mirrored(tube((0.2, 0.86, 0.1), (0.07, 0.4), dark).turned(pitch=-50)),
    ]
