"""The arrays that all kernels read."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from teach_agents.simulator.embedded.kernels.mesh import Mesh

__all__ = ["Pool"]


class Pool(NamedTuple):
    """Part rows and infos, their mesh, slots (int32, SLOT_WIDTH) and the slots' bounding spheres (float32, 4)."""

    rows: NDArray[np.float32]
    infos: NDArray[np.int32]
    mesh: Mesh
    slots: NDArray[np.int32]
    spheres: NDArray[np.float32]
