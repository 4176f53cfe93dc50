"""The arrays that the kernels read and write."""

from __future__ import annotations

from typing import NamedTuple

from teach_agents.arrays import ByteArray, Float32Array, Int32Array
from teach_agents.simulator.embedded.kernels.mesh import Mesh


class Pool(NamedTuple):
    """Part rows and infos, their mesh, slots (int32, SLOT_WIDTH) and the slots' bounding spheres (float32, 4)."""

    rows: Float32Array
    infos: Int32Array
    mesh: Mesh
    slots: Int32Array
    spheres: Float32Array


class Buffers(NamedTuple):
    """Scratch: per vertex camera and screen coordinates (float32, 6); per pixel nearness and face; slot order.

    `coarse`, `rough` and `open` are nearness and, twice, the share of light that reaches each place, on the grid of
    `occlusion`.
    """

    points: Float32Array
    near: Float32Array
    face: Int32Array
    keys: Float32Array
    order: Int32Array
    coarse: Float32Array
    rough: Float32Array
    open: Float32Array


class Pixels(NamedTuple):
    """The wanted channels; a channel that is not wanted has no rows."""

    rgb: ByteArray
    ids: Int32Array
    depth: Float32Array
