"""Pictures of the embedded simulator: colours, object ids and depth of any camera's view."""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import numpy as np

from teach_agents.arrays import Float32Array
from teach_agents.simulator.contract import Camera, Channel, Frame, SimulatorState
from teach_agents.simulator.embedded.geometry import rotation_rows
from teach_agents.simulator.embedded.kernels import layout as at
from teach_agents.simulator.embedded.room_shell import RoomShell
from teach_agents.simulator.embedded.shapes.assembly import Arena, assembly_of

if TYPE_CHECKING:
    from teach_agents.simulator.embedded.kernels.pool import Buffers, Pixels


_NO_RGB = np.empty((0, 0, 3), np.uint8)
_NO_IDS = np.empty((0, 0), np.int32)
_NO_DEPTH = np.empty((0, 0), np.float32)
_SPARE = 1.3
_KEPT = 8


class Renderer:
    """Draws views of a world. Holds nothing per world itself: see `shapes.assembly`."""

    def view(self, state: SimulatorState, camera: Camera, channels: frozenset[Channel], size: int) -> Frame:
        """Draw `size` x `size` pixels of what `camera` sees of `state`; the arrays are the caller's own.

        Structure and nothing have id -1; the floor's pixels carry the id of the room's Floor object.
        """
        assembly = assembly_of(state)
        shell = RoomShell.of(assembly, state)
        shell.prepare(assembly, state, camera)
        pixels = paint(assembly.arena, camera, shell.light(state), channels, size)
        return Frame(
            assembly.object_ids,
            rgb=pixels.rgb if Channel.RGB in channels else None,
            ids=pixels.ids if Channel.IDS in channels else None,
            depth=pixels.depth if Channel.DEPTH in channels else None,
        )


def paint(arena: Arena, camera: Camera, light: Float32Array, channels: frozenset[Channel], size: int) -> Pixels:
    """Draw `size` x `size` pixels of what `camera` sees of an arena; channels not asked for have no rows.

    `light` is the lamp as `kernels.layout` packs it.
    """
    from teach_agents.simulator.embedded.kernels.drawing import draw
    from teach_agents.simulator.embedded.kernels.pool import Pixels
    from teach_agents.simulator.embedded.kernels.textures import textures

    pixels = Pixels(
        np.empty((size, size, 3), np.uint8) if Channel.RGB in channels else _NO_RGB,
        np.empty((size, size), np.int32) if Channel.IDS in channels else _NO_IDS,
        np.empty((size, size), np.float32) if Channel.DEPTH in channels else _NO_DEPTH,
    )
    pool = arena.meshed()
    with _SCRATCH.lent(size, len(pool.mesh.vertices), len(pool.slots)) as buffers:
        draw(packed_camera(camera), light, pool, textures(), buffers, pixels)
    return pixels


def packed_camera(camera: Camera) -> Float32Array:
    """A camera as the kernels read it: eye, right, up, forward, focal length, half height."""
    right, up, forward = zip(*rotation_rows((camera.pitch, camera.yaw, 0.0)), strict=True)
    roll = math.radians(camera.roll)
    sr, cr = math.sin(roll), math.cos(roll)
    rolled_right = tuple(cr * a + sr * b for a, b in zip(right, up, strict=True))
    rolled_up = tuple(cr * b - sr * a for a, b in zip(right, up, strict=True))
    focal = 1.0 / math.tan(math.radians(camera.field_of_view) / 2)
    packed = [*camera.position, *rolled_right, *rolled_up, *forward, focal, camera.orthographic or 0.0]
    assert len(packed) == at.CAMERA_WIDTH
    return np.array(packed, np.float32)


class _Scratch:
    """Arrays to draw with, each lent to one drawing at a time; the last few that were used are kept for the next."""

    def __init__(self) -> None:
        self._spare: list[Buffers] = []
        self._lock = threading.Lock()

    @contextmanager
    def lent(self, size: int, vertices: int, slots: int) -> Iterator[Buffers]:
        """Arrays for one picture of `size`."""
        buffers = self._take(size, vertices, slots) or _new_buffers(size, int(vertices * _SPARE), int(slots * _SPARE))
        try:
            yield buffers
        finally:
            with self._lock:
                self._spare.append(buffers)
                del self._spare[:-_KEPT]

    def _take(self, size: int, vertices: int, slots: int) -> Buffers | None:
        with self._lock:
            for index, one in enumerate(self._spare):
                if len(one.near) == size and len(one.points) >= vertices and len(one.keys) >= slots:
                    return self._spare.pop(index)
        return None


def _new_buffers(size: int, vertices: int, slots: int) -> Buffers:
    from teach_agents.simulator.embedded.kernels.occlusion import places
    from teach_agents.simulator.embedded.kernels.pool import Buffers

    square, grid = (size, size), (places(size), places(size))
    shapes = ((vertices, 6), square, square, (slots,), (slots,), grid, grid, grid)
    return Buffers(*(np.empty(shape, kind) for shape, kind in zip(shapes, "ffififff", strict=True)))


_SCRATCH: Final = _Scratch()
