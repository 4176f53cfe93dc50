"""NumPy arrays by what is in them; a docstring or a name says the shape."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

BoolArray = NDArray[np.bool_]
ByteArray = NDArray[np.uint8]
Image = ByteArray
"""A picture: RGB, H x W x 3."""
Int32Array = NDArray[np.int32]
IntArray = NDArray[np.int64]
Float32Array = NDArray[np.float32]
FloatArray = NDArray[np.float64]
