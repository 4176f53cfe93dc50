"""The baked 256 x 256 patterns, one per `Pattern`: how much of a material's second colour each texel takes."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from teach_agents.arrays import ByteArray, FloatArray

SIZE = 256
_BOARDS = 8


@lru_cache(maxsize=1)
def textures() -> ByteArray:
    """All patterns in the order of `shapes.parts.Pattern`, uint8 (n, 256, 256); the same bits in every process."""
    random = np.random.RandomState(0)  # frozen by numpy: the same numbers in every release
    step = np.arange(SIZE) / SIZE
    baked = [
        np.zeros((SIZE, SIZE)),
        0.6 * _noise(random, 2, 24) + 0.4 * _noise(random, 4, 96),
        np.where((step < 0.03)[:, None] | (step < 0.03)[None], 1.0, 0.2 * _noise(random, 16, 16)),
        ((step[:, None] < 0.5) ^ (step[None] < 0.5)).astype(float),
        np.repeat((step < 0.5).astype(float)[:, None], SIZE, axis=1),
        _noise(random, 64, 64),
        0.35 * _noise(random, 4, 128),
        _bricks(step),
        _weave(step) * 0.75 + 0.25 * _noise(random, 64, 64),
        np.clip(2.6 * _noise(random, 8, 8) - 0.9, 0.0, 1.0),
        _planks(random),
    ]
    return np.ascontiguousarray((np.clip(np.stack(baked), 0.0, 1.0) * 255).astype(np.uint8))


def _noise(random: np.random.RandomState, cells_u: int, cells_v: int) -> FloatArray:
    """Smooth noise that repeats at the borders."""
    grid = random.rand(cells_u, cells_v)
    u, v = np.arange(SIZE) / SIZE * cells_u, np.arange(SIZE) / SIZE * cells_v
    i, j = u.astype(int), v.astype(int)
    a, b = (u - i)[:, None], (v - j)[None]
    a, b = a * a * (3 - 2 * a), b * b * (3 - 2 * b)
    i1, j1 = (i + 1) % cells_u, (j + 1) % cells_v
    low = grid[i][:, j] * (1 - a) + grid[i1][:, j] * a
    high = grid[i][:, j1] * (1 - a) + grid[i1][:, j1] * a
    return np.asarray(low * (1 - b) + high * b)


def _planks(random: np.random.RandomState) -> FloatArray:
    """Eight boards side by side along u, each of its own tone and cut at its own place."""
    wide = SIZE // _BOARDS
    board = np.arange(SIZE) // wide
    cut = random.randint(0, SIZE, _BOARDS)[board]
    tone = 0.45 * random.rand(_BOARDS)[board]
    gap = (np.arange(SIZE) % wide == 0)[None] | ((np.arange(SIZE)[:, None] - cut[None]) % SIZE < 1)
    return np.where(gap, 1.0, tone[None] + 0.3 * _noise(random, 4, 96))


def _bricks(step: FloatArray) -> FloatArray:
    row = (np.arange(SIZE) // (SIZE // 2))[:, None]
    along = (step[None] + 0.5 * row) % 1
    return ((along < 0.03) | (((step * 2) % 1) < 0.06)[:, None]).astype(float)


def _weave(step: FloatArray) -> FloatArray:
    over = np.abs(np.sin(step * np.pi * 16))
    return np.where(((step[:, None] * 16).astype(int) + (step[None] * 16).astype(int)) % 2, over[:, None], over[None])
