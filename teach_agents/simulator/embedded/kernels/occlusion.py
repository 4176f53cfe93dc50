"""Shade in corners and under things: how much of the light from all around what is near a pixel keeps away from it.

Worked out for every second place of a grid, as on a chequered board, from the visibility buffer alone, so that it costs
little and needs no memory of the world; places lie two pixels apart, in large pictures more. Nearness is linear over
the picture of a plane, so one multiplication and one addition say what another place would show if the surface went
on; a nearer one shows what stands out of it. Four places within half a metre are looked up so, in sixteen patterns that
take turns over four by four places; a mean over four by four that stops at edges evens the patterns out. Between places
the light is what lies between them, edges apart.
"""

from __future__ import annotations

import numpy as np

from teach_agents.simulator.embedded.kernels import layout as at
from teach_agents.simulator.embedded.kernels.compiling import (
    F32,
    ONE,
    TINY,
    TWO,
    ZERO,
    along,
    in_axes,
    inlined,
    kernel,
    vector,
)

_REACH = np.float32(0.55)
"""From how far something takes light away, metres."""
_WIDEST = np.float32(0.14)
"""The largest distance in the picture at which is looked, as a share of its width."""
_LARGE = 600
"""From this size on, pixels, places of the grid lie further apart."""
_LEAST = np.float32(0.012)
"""What rises less than this takes nothing away, metres: it is the surface itself."""
_DEPTH = np.float32(1.8)
_DARKEST = np.float32(0.4)
_EDGE = np.float32(0.08)
"""Neighbours whose nearness differs by more than this share lie on something else."""
_LEAST_RADIUS = np.float32(0.75)
"""Where less would be looked at, in places of the grid, nothing takes light away."""
_UNKNOWN = np.float32(-1.0)
_FOREIGN = np.float32(1e-3)
"""The weight of a place that lies on something else: it counts where all do."""
_SAMPLES = 4
_TURNS = np.array(
    [
        (sign * sine, sign * cosine)
        for sine, cosine in (
            *((0.0, 1.0), (0.707, 0.707), (-1.0, 0.0), (-0.707, 0.707)),
            *((0.924, 0.383), (0.383, 0.924), (-0.383, 0.924), (-0.924, 0.383)),
        )
        for sign in (1, -1)
    ],
    np.float32,
)
"""The sine and cosine by which each of the sixteen patterns is turned."""
_SPIRAL = np.array(((0.22, 0.0), (-0.348, 0.301), (0.052, -0.698), (0.575, 0.75)), np.float32)
_FARNESS = np.array((0.22, 0.46, 0.7, 0.945), np.float32)
"""Across and down, and how far that is, as shares of the radius."""


def _spacing(size: int) -> int:
    """Pixels from one place of the grid to the next."""
    return 2 if size < _LARGE else 4


_apart = kernel(_spacing)


def places(size: int) -> int:
    """How many places across and down the grid of a picture of `size` pixels has: the last ones lie beside it."""
    return size // _spacing(size) + 2


@inlined
def _tilt(camera, mesh, face):  # type: ignore[no-untyped-def]  # numba infers the types
    """How nearness changes over the picture of a face, across and down, per half the picture's width; and the product
    of the face's normal with the way to it (to a parallel camera: with the axis).
    """
    x, y, z = vector(mesh.planes, face, 0)
    nx, ny, nz = in_axes(camera, at.RIGHT, x, y, z)
    if camera[at.HALF_HEIGHT] > ZERO:
        return nx / nz * camera[at.HALF_HEIGHT], -ny / nz * camera[at.HALF_HEIGHT], nz
    away = mesh.planes[face, at.PLANE_OFFSET] - along(camera, 0, x, y, z)
    spread = ONE / (camera[at.FOCAL] * away)
    return nx * spread, -ny * spread, away


@inlined
def _light_at(camera, tilt, coarse, i, j, unit):  # type: ignore[no-untyped-def]
    """The share of light that reaches what a place shows; `unit` is from place to place, in halves of the picture."""
    parallel = camera[at.HALF_HEIGHT] > ZERO
    q = coarse[i, j]
    scale, facing = ONE, abs(tilt[2])
    if parallel:
        scale = ONE / camera[at.HALF_HEIGHT]
    else:
        sx = (F32(j) * unit - ONE) / camera[at.FOCAL]
        sy = (F32(i) * unit - ONE) / camera[at.FOCAL]
        scale = camera[at.FOCAL] * q
        facing *= q / np.sqrt(ONE + sx * sx + sy * sy)
    widest = TWO / unit
    radius = min(_REACH * scale * F32(0.5), _WIDEST) * widest
    if radius < _LEAST_RADIUS or facing < F32(0.03):
        return ONE
    across, down = tilt[0] * unit, tilt[1] * unit
    reach = radius * unit / scale
    turn = 4 * (i & 3) + (j & 3)
    sine, cosine = _TURNS[turn, 0] * radius, _TURNS[turn, 1] * radius
    taken = ZERO
    for k in range(_SAMPLES):
        a, b = _SPIRAL[k, 0], _SPIRAL[k, 1]
        to_right, to_below = np.int32(a * cosine - b * sine), np.int32(a * sine + b * cosine)
        there, beside = i + to_below, j + to_right
        if there < 0 or beside < 0 or there >= coarse.shape[0] or beside >= coarse.shape[1]:
            continue
        flat = max(q + across * F32(to_right) + down * F32(to_below), TINY)
        found = max(coarse[there, beside], TINY)
        rise = (found - flat) * facing
        rise = (rise if parallel else rise / (flat * found)) - _LEAST
        if rise > ZERO:
            taken += rise / (rise + reach * _FARNESS[k]) * max(ONE - rise / _REACH, ZERO)
    return max(ONE - _DEPTH * taken / F32(_SAMPLES), _DARKEST)


@inlined
def _add(total, count, values, others, near):  # type: ignore[no-untyped-def]
    """Add what is known of other places to the mean of these, unless they lie on something else."""
    for k in range(len(total)):
        counts = values[k] >= ZERO and abs(others[k] - near[k]) <= _EDGE * near[k]
        total[k] += values[k] if counts else ZERO
        count[k] += ONE if counts else ZERO


@kernel
def _even_out(coarse, source, target, across):  # type: ignore[no-untyped-def]
    """The mean over what is known of four places in one direction, without those that lie on something else."""
    height, width = source.shape
    total, count = np.empty(width, np.float32), np.empty(width, np.float32)
    for i in range(height):
        total[:] = ZERO
        count[:] = TINY
        for step in (-1, 0, 1, 2):
            if across:
                a, b = max(0, -step), min(width, width - step)
                there, near = coarse[i, a + step : b + step], coarse[i, a:b]
                _add(total[a:b], count[a:b], source[i, a + step : b + step], there, near)
            elif 0 <= i + step < height:
                _add(total, count, source[i + step], coarse[i + step], coarse[i])
        line = target[i]
        for j in range(width):
            line[j] = total[j] / count[j] if count[j] > F32(0.5) else _UNKNOWN


@kernel
def occlude(camera, mesh, buffers):  # type: ignore[no-untyped-def]
    """Fill `buffers.open` with the share of light that reaches each place of the grid."""
    size = buffers.near.shape[0]
    apart = _apart(size)
    coarse, light, rough, near, shown = buffers.coarse, buffers.open, buffers.rough, buffers.near, buffers.face
    for i in range(light.shape[0]):
        for j in range(light.shape[1]):
            coarse[i, j] = near[min(apart * i, size - 1), min(apart * j, size - 1)]
    unit = TWO * F32(apart) / F32(size)
    last, tilt = np.int32(-1), (ZERO, ZERO, ZERO)
    for i in range(light.shape[0]):
        row = min(apart * i, size - 1)
        for j in range(light.shape[1]):
            light[i, j] = _UNKNOWN
            face = shown[row, min(apart * j, size - 1)]
            if (i + j) & 1 or face < 0:
                continue
            if face != last:
                last, tilt = face, _tilt(camera, mesh, face)
            light[i, j] = _light_at(camera, tilt, coarse, i, j, unit)
    _even_out(coarse, light, rough, True)
    _even_out(coarse, rough, light, False)
    for i in range(light.shape[0]):
        for j in range(light.shape[1]):
            if light[i, j] < ZERO:
                light[i, j] = ONE


@inlined
def _spread(columns, found, near, apart, left):  # type: ignore[no-untyped-def]
    """Fill a row's light from that at the grid's columns; `found` is the nearness there."""
    for j in range(len(left) // apart):
        for k in range(apart):
            px = apart * j + k
            q, share = near[px], F32(k) / F32(apart)
            edge = _EDGE * q
            one = (ONE - share) * (ONE if abs(found[j] - q) <= edge else _FOREIGN)
            other = share * (ONE if abs(found[j + 1] - q) <= edge else _FOREIGN)
            left[px] = (one * columns[j] + other * columns[j + 1]) / (one + other)


@kernel
def light_left(buffers, row, lines, left):  # type: ignore[no-untyped-def]
    """Fill the share of light that reaches each pixel of a row; `lines` (2, grid's width) is scratch."""
    light, coarse, size = buffers.open, buffers.coarse, buffers.near.shape[0]
    near, columns, found = buffers.near[row], lines[0], lines[1]
    apart = _apart(size)
    above = row // apart
    share = F32(row - apart * above) / F32(apart)
    for j in range(light.shape[1]):
        q = near[min(apart * j, size - 1)]
        one = (ONE - share) * (ONE if abs(coarse[above, j] - q) <= _EDGE * q else _FOREIGN)
        other = share * (ONE if abs(coarse[above + 1, j] - q) <= _EDGE * q else _FOREIGN)
        columns[j] = (one * light[above, j] + other * light[above + 1, j]) / (one + other)
        found[j] = q
    if apart == 2:
        _spread(columns, found, near, 2, left)
    else:
        _spread(columns, found, near, 4, left)
    for px in range(size - size % apart, size):
        left[px] = columns[px // apart]
