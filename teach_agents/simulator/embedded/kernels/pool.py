"""The arrays that the kernels read and write."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from teach_agents.simulator.embedded.kernels.mesh import Mesh

__all__ = ["Buffers", "Pixels", "Pool"]


class Pool(NamedTuple):
    """Part rows and infos, their mesh, slots (int32, SLOT_WIDTH) and the slots' bounding spheres (float32, 4)."""

    rows: NDArray[np.float32]
    infos: NDArray[np.int32]
    mesh: Mesh
    slots: NDArray[np.int32]
    spheres: NDArray[np.float32]


class Buffers(NamedTuple):
    """Scratch: per vertex camera and screen coordinates (float32, 6); per pixel nearness and face; slot order.

    `coarse`, `rough` and `open` are nearness and, twice, the share of light that reaches each place, on the grid of
    `occlusion`.
    """

    points: NDArray[np.float32]
    near: NDArray[np.float32]
    face: NDArray[np.int32]
    keys: NDArray[np.float32]
    order: NDArray[np.int32]
    coarse: NDArray[np.float32]
    rough: NDArray[np.float32]
    open: NDArray[np.float32]


class Pixels(NamedTuple):
    """The wanted channels; a channel that is not wanted has no rows."""

    rgb: NDArray[np.uint8]
    ids: NDArray[np.int32]
    depth: NDArray[np.float32]
