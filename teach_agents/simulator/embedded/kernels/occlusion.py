"""Shade in corners and under things: how much of the light from all around what is near a pixel keeps away from it.

Worked out for every other pixel of every second row, as on a chequered board, from the visibility buffer alone, so
that it costs little and needs no memory of the world. Nearness is linear over the picture of a plane, so one
multiplication and one addition say what another pixel would show if the surface went on; a nearer one shows what
stands out of it. Four pixels within half a metre are looked up so, in sixteen patterns that take turns over four by
four pixels; a mean over four by four that stops at edges evens the patterns out.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from teach_agents.simulator.embedded.kernels import layout as at

__all__ = ["occlude"]

_F32 = np.float32
_ZERO = np.float32(0.0)
_ONE = np.float32(1.0)
_TINY = np.float32(1e-6)
_REACH = np.float32(0.55)
"""From how far something takes light away, metres."""
_WIDEST = np.float32(0.14)
"""The largest distance in the picture at which is looked, as a share of its width."""
_LEAST = np.float32(0.012)
"""What rises less than this takes nothing away, metres: it is the surface itself."""
_DEPTH = np.float32(1.8)
_DARKEST = np.float32(0.4)
_EDGE = np.float32(0.08)
"""Neighbours whose nearness differs by more than this share lie on something else."""
_UNKNOWN = np.float32(-1.0)
_SAMPLES = 4
_TURNS = np.array(
    (
        (0.0, 1.0),
        (0.0, -1.0),
        (0.707, 0.707),
        (-0.707, -0.707),
        (-1.0, 0.0),
        (1.0, 0.0),
        (-0.707, 0.707),
        (0.707, -0.707),
        (0.924, 0.383),
        (-0.924, -0.383),
        (0.383, 0.924),
        (-0.383, -0.924),
        (-0.383, 0.924),
        (0.383, -0.924),
        (-0.924, 0.383),
        (0.924, -0.383),
    ),
    np.float32,
)
"""The sine and cosine by which each of the sixteen patterns is turned."""
_SPIRAL = np.array(((0.22, 0.0), (-0.348, 0.301), (0.052, -0.698), (0.575, 0.75)), np.float32)
_FARNESS = np.array((0.22, 0.46, 0.7, 0.945), np.float32)
"""Across and down, and how far that is, as shares of the radius."""


@njit(cache=True, error_model="numpy")
def _light_left(camera, plane, near, row, px, turn):  # type: ignore[no-untyped-def]  # numba infers the types
    """The share of light that reaches what a pixel shows."""
    size = near.shape[0]
    unit = _F32(2.0) / _F32(size)
    sx = (_F32(px) + _F32(0.5)) * unit - _ONE
    sy = _ONE - (_F32(row) + _F32(0.5)) * unit
    q = near[row, px]
    nx = plane[0] * camera[3] + plane[1] * camera[4] + plane[2] * camera[5]
    ny = plane[0] * camera[6] + plane[1] * camera[7] + plane[2] * camera[8]
    nz = plane[0] * camera[9] + plane[1] * camera[10] + plane[2] * camera[11]
    parallel = camera[at.HALF_HEIGHT] > _ZERO
    if parallel:
        scale = _ONE / camera[at.HALF_HEIGHT]
        facing = abs(nz)
        across, down = nx / (nz * scale), -ny / (nz * scale)
    else:
        scale = camera[at.FOCAL] * q
        spread = _ONE / camera[at.FOCAL]
        along = nx * sx * spread + ny * sy * spread + nz
        facing = abs(along) / np.sqrt(_ONE + (sx * sx + sy * sy) * spread * spread)
        # The plane's equation divided by its distance from the eye, which is along / q.
        across, down = q * nx * spread / along, -q * ny * spread / along
    across, down = across * unit, down * unit
    radius = min(_REACH * scale * _F32(0.5), _WIDEST) * _F32(size)
    if radius < _F32(1.5) or facing < _F32(0.03):
        return _ONE
    reach = radius * unit / scale
    sine, cosine = _TURNS[turn, 0] * radius, _TURNS[turn, 1] * radius
    taken = _ZERO
    for k in range(_SAMPLES):
        a, b = _SPIRAL[k, 0], _SPIRAL[k, 1]
        to_right, to_below = np.int32(a * cosine - b * sine), np.int32(a * sine + b * cosine)
        there, beside = row + to_below, px + to_right
        if there < 0 or beside < 0 or there >= size or beside >= size:
            continue
        flat = q + across * _F32(to_right) + down * _F32(to_below)
        ahead = near[there, beside] - flat
        if ahead <= _ZERO or flat <= _ZERO:
            continue
        rise = (ahead if parallel else ahead / (flat * near[there, beside])) * facing - _LEAST
        if _ZERO < rise < _REACH:
            taken += rise / (rise + reach * _FARNESS[k]) * (_ONE - rise / _REACH)
    return max(_ONE - _DEPTH * taken / _F32(_SAMPLES), _DARKEST)


@njit(cache=True, error_model="numpy")
def _even_out(near, source, target, across):  # type: ignore[no-untyped-def]
    """The mean over what is known of four places in one direction, without those that lie on something else."""
    size = near.shape[0]
    for i in range(source.shape[0]):
        for j in range(source.shape[1]):
            q = near[min(2 * i, size - 1), min(2 * j, size - 1)]
            total, count = _ZERO, _ZERO
            for step in (-1, 0, 1, 2):
                k, m = (i, j + step) if across else (i + step, j)
                if k < 0 or m < 0 or k >= source.shape[0] or m >= source.shape[1] or source[k, m] < _ZERO:
                    continue
                if abs(near[min(2 * k, size - 1), min(2 * m, size - 1)] - q) <= _EDGE * q:
                    total += source[k, m]
                    count += _ONE
            target[i, j] = total / count if count > _ZERO else _UNKNOWN


@njit(cache=True, error_model="numpy")
def occlude(camera, mesh, buffers):  # type: ignore[no-untyped-def]
    """Fill `buffers.open`, at half the picture's size, with the share of light that reaches each place."""
    near, light, other = buffers.near, buffers.open, buffers.rough
    size = near.shape[0]
    for i in range(light.shape[0]):
        row = min(2 * i, size - 1)
        for j in range(light.shape[1]):
            px = min(2 * j, size - 1)
            face = buffers.face[row, px]
            light[i, j] = _UNKNOWN
            if (i + j) & 1:
                continue
            if face >= 0:
                light[i, j] = _light_left(camera, mesh.planes[face], near, row, px, 4 * (i & 3) + (j & 3))
    _even_out(near, light, other, True)
    _even_out(near, other, light, False)
    for i in range(light.shape[0]):
        for j in range(light.shape[1]):
            if light[i, j] < _ZERO:
                light[i, j] = _ONE
