"""One picture: a visibility buffer of convex faces, then shading of what is visible.

Coordinates are Unity's: x right, y up, z forward. The buffer keeps, per pixel, the face and how near it is: 1 / depth
for a perspective camera, `FAR - depth` for a parallel one; both are linear over the picture.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from teach_agents.simulator.embedded.kernels import layout as at

__all__ = ["Buffers", "Pixels", "draw"]

_F32 = np.float32
_NEAR = np.float32(at.NEAR)
_FAR = np.float32(at.FAR)
_ZERO = np.float32(0.0)
_ONE = np.float32(1.0)
_MOST_CORNERS = 40
_UNLIT_EPSILON = np.float32(1e-6)


class Buffers(NamedTuple):
    """Scratch: per vertex camera and screen coordinates (float32, 6); per pixel nearness and face; slot order."""

    points: NDArray[np.float32]
    near: NDArray[np.float32]
    face: NDArray[np.int32]
    keys: NDArray[np.float32]
    order: NDArray[np.int32]


class Pixels(NamedTuple):
    """The wanted channels; a channel that is not wanted has no rows."""

    rgb: NDArray[np.uint8]
    ids: NDArray[np.int32]
    depth: NDArray[np.float32]


@njit(cache=True, error_model="numpy")
def _fill(xs, ys, qs, n, face, near, faces):  # type: ignore[no-untyped-def]
    """Draw one convex polygon into the visibility buffer. Screen x right, y down, pixel centres at .5."""
    height, width = near.shape
    lowest, highest = ys[0], ys[0]
    nx, ny, nz = 0.0, 0.0, 0.0
    for i in range(n):
        j = i + 1 if i + 1 < n else 0
        lowest = min(lowest, ys[i])
        highest = max(highest, ys[i])
        nx += (ys[i] - ys[j]) * (qs[i] + qs[j])
        ny += (qs[i] - qs[j]) * (xs[i] + xs[j])
        nz += (xs[i] - xs[j]) * (ys[i] + ys[j])
    if abs(nz) < 1e-9:
        return
    top = max(0, int(math.ceil(max(lowest, -1.0) - 0.5)))
    bottom = min(height - 1, int(math.ceil(min(highest, height + 1.0) - 0.5)) - 1)
    if top > bottom:
        return
    step_x, step_y = -nx / nz, -ny / nz
    step = _F32(step_x)
    for row in range(top, bottom + 1):
        y = row + 0.5
        left, right = 1e30, -1e30
        for i in range(n):
            j = i + 1 if i + 1 < n else 0
            ya, yb = ys[i], ys[j]
            if (ya <= y) != (yb <= y):
                # Always from the upper end, so that two faces sharing an edge agree to the bit.
                x = (
                    xs[i] + (y - ya) * ((xs[j] - xs[i]) / (yb - ya))
                    if ya < yb
                    else xs[j] + (y - yb) * ((xs[i] - xs[j]) / (ya - yb))
                )
                left = min(left, x)
                right = max(right, x)
        first = int(math.ceil(max(left, 0.0) - 0.5))
        last = int(math.ceil(min(right, np.float64(width)) - 0.5))
        if first >= last:
            continue
        start = _F32(qs[0] + (first + 0.5 - xs[0]) * step_x + (y - ys[0]) * step_y)
        for k in range(last - first):
            q = start + step * _F32(k)
            if q > near[row, first + k]:
                near[row, first + k] = q
                faces[row, first + k] = face


@njit(cache=True, error_model="numpy", inline="always")
def _project(camera, x, y, z, width, height):  # type: ignore[no-untyped-def]
    """Screen position and nearness of a point in camera coordinates that is not too near."""
    half_w, half_h = 0.5 * width, 0.5 * height
    if camera[at.HALF_HEIGHT] > _ZERO:
        scale = half_h / np.float64(camera[at.HALF_HEIGHT])
        return half_w + x * scale, half_h - y * scale, np.float64(at.FAR) - z
    q = 1.0 / z
    scale = np.float64(camera[at.FOCAL]) * half_h * q
    return half_w + x * scale, half_h - y * scale, q


@njit(cache=True, error_model="numpy")
def _clip_and_fill(camera, mesh, face, points, buffers):  # type: ignore[no-untyped-def]
    """Draw a face some of whose corners lie behind the near plane."""
    xs = np.empty(_MOST_CORNERS)
    ys = np.empty(_MOST_CORNERS)
    qs = np.empty(_MOST_CORNERS)
    height, width = buffers.near.shape
    first, size = mesh.faces[face, at.FACE_FIRST], mesh.faces[face, at.FACE_SIZE]
    n = 0
    for k in range(size):
        a = points[mesh.corners[first + k]]
        b = points[mesh.corners[first + (k + 1) % size]]
        if a[2] > _NEAR:
            xs[n], ys[n], qs[n] = _project(camera, a[0], a[1], a[2], width, height)
            n += 1
        if (a[2] > _NEAR) != (b[2] > _NEAR):
            t = np.float64(_NEAR - a[2]) / np.float64(b[2] - a[2])
            x = a[0] + t * np.float64(b[0] - a[0])
            y = a[1] + t * np.float64(b[1] - a[1])
            xs[n], ys[n], qs[n] = _project(camera, x, y, np.float64(_NEAR), width, height)
            n += 1
    if n > 2:  # noqa: PLR2004  # a polygon
        _fill(xs, ys, qs, n, face, buffers.near, buffers.face)


@njit(cache=True, error_model="numpy", inline="always")
def _outside(camera, sphere):  # type: ignore[no-untyped-def]
    """Whether a bounding sphere lies wholly outside the picture, and its nearest distance along the axis."""
    dx, dy, dz = sphere[0] - camera[0], sphere[1] - camera[1], sphere[2] - camera[2]
    x = dx * camera[3] + dy * camera[4] + dz * camera[5]
    y = dx * camera[6] + dy * camera[7] + dz * camera[8]
    z = dx * camera[9] + dy * camera[10] + dz * camera[11]
    r = sphere[3]
    if camera[at.HALF_HEIGHT] > _ZERO:
        half = camera[at.HALF_HEIGHT]
        return abs(x) - r > half or abs(y) - r > half or z < -r, z - r
    focal = camera[at.FOCAL]
    margin = r * np.sqrt(_ONE + focal * focal)
    return z < -r or abs(x) * focal - z > margin or abs(y) * focal - z > margin, z - r


@njit(cache=True, error_model="numpy")
def _sorted_slots(camera, pool, buffers):  # type: ignore[no-untyped-def]
    """Indices of the slots that may be seen, nearest first (what is behind is then rejected cheaply)."""
    count = 0
    for s in range(pool.slots.shape[0]):
        if pool.slots[s, at.SLOT_SHOWN] == 0:
            continue
        hidden, key = _outside(camera, pool.spheres[s])
        if hidden:
            continue
        if pool.slots[s, at.SLOT_ID] < 0:
            key += _FAR
        k = count
        while k > 0 and buffers.keys[k - 1] > key:
            buffers.keys[k] = buffers.keys[k - 1]
            buffers.order[k] = buffers.order[k - 1]
            k -= 1
        buffers.keys[k] = key
        buffers.order[k] = s
        count += 1
    return count


@njit(cache=True, error_model="numpy")
def _draw_slot(camera, pool, slot, buffers):  # type: ignore[no-untyped-def]
    height, width = buffers.near.shape
    mesh, points = pool.mesh, buffers.points
    parallel = camera[at.HALF_HEIGHT] > _ZERO
    first = pool.slots[slot, at.SLOT_VERTEX]
    for i in range(first, first + pool.slots[slot, at.SLOT_VERTICES]):
        dx = mesh.vertices[i, 0] - camera[0]
        dy = mesh.vertices[i, 1] - camera[1]
        dz = mesh.vertices[i, 2] - camera[2]
        z = dx * camera[9] + dy * camera[10] + dz * camera[11]
        points[i, 0] = dx * camera[3] + dy * camera[4] + dz * camera[5]
        points[i, 1] = dx * camera[6] + dy * camera[7] + dz * camera[8]
        points[i, 2] = z
        if z > _NEAR:
            sx, sy, q = _project(camera, points[i, 0], points[i, 1], z, width, height)
            points[i, 3], points[i, 4], points[i, 5] = _F32(sx), _F32(sy), _F32(q)
    xs = np.empty(_MOST_CORNERS)
    ys = np.empty(_MOST_CORNERS)
    qs = np.empty(_MOST_CORNERS)
    start = pool.slots[slot, at.SLOT_FACE]
    for face in range(start, start + pool.slots[slot, at.SLOT_FACES]):
        side = pool.infos[mesh.faces[face, at.FACE_PART], at.SIDE]
        corner = mesh.faces[face, at.FACE_FIRST]
        size = mesh.faces[face, at.FACE_SIZE]
        if side != at.BOTH:
            plane = mesh.planes[face]
            if parallel:
                facing = plane[0] * camera[9] + plane[1] * camera[10] + plane[2] * camera[11]
            else:
                v = mesh.vertices[mesh.corners[corner]]
                facing = plane[0] * (v[0] - camera[0]) + plane[1] * (v[1] - camera[1]) + plane[2] * (v[2] - camera[2])
            if (facing < _ZERO) != (side == at.OUTSIDE):
                continue
        in_front = 0
        for k in range(size):
            if points[mesh.corners[corner + k], 2] > _NEAR:
                in_front += 1
        if in_front == size:
            for k in range(size):
                point = points[mesh.corners[corner + k]]
                xs[k], ys[k], qs[k] = point[3], point[4], point[5]
            _fill(xs, ys, qs, size, face, buffers.near, buffers.face)
        elif in_front > 0:
            _clip_and_fill(camera, mesh, face, points, buffers)


@njit(cache=True, error_model="numpy", inline="always")
def _clamped(value):  # type: ignore[no-untyped-def]
    return np.uint8(min(value, _F32(255.0)))


@njit(cache=True, error_model="numpy")
def _shade_run(camera, light, pool, textures, face, near, row, first, last, rgb):  # type: ignore[no-untyped-def]  # noqa: PLR0913
    """Colour the pixels [first, last) of a row, all of which show one face."""
    height, width = near.shape
    part = pool.mesh.faces[face, at.FACE_PART]
    smooth = pool.mesh.faces[face, at.FACE_SMOOTH] != 0
    plane, data = pool.mesh.planes[face], pool.rows[part]
    pattern = pool.infos[part, at.PATTERN]
    parallel = camera[at.HALF_HEIGHT] > _ZERO
    unit = _F32(2.0) / _F32(height)
    spread = camera[at.HALF_HEIGHT] if parallel else _ONE / camera[at.FOCAL]
    sy = (_ONE - (_F32(row) + _F32(0.5)) * unit) * spread
    gloss, glow = data[at.GLOSS], data[at.GLOW]
    nx, ny, nz = plane[0], plane[1], plane[2]
    for px in range(first, last):
        sx = ((_F32(px) + _F32(0.5)) - _F32(0.5) * _F32(width)) * unit * spread
        if parallel:
            z = _FAR - near[row, px]
            vx, vy, vz = camera[9], camera[10], camera[11]
            wx = camera[0] + sx * camera[3] + sy * camera[6] + z * vx
            wy = camera[1] + sx * camera[4] + sy * camera[7] + z * vy
            wz = camera[2] + sx * camera[5] + sy * camera[8] + z * vz
        else:
            z = _ONE / near[row, px]
            vx = camera[9] + sx * camera[3] + sy * camera[6]
            vy = camera[10] + sx * camera[4] + sy * camera[7]
            vz = camera[11] + sx * camera[5] + sy * camera[8]
            wx, wy, wz = camera[0] + z * vx, camera[1] + z * vy, camera[2] + z * vz
        if smooth:
            nx = data[26] * wx + data[27] * wy + data[28] * wz + data[35]
            ny = data[29] * wx + data[30] * wy + data[31] * wz + data[36]
            nz = data[32] * wx + data[33] * wy + data[34] * wz + data[37]
            inverse = _ONE / np.sqrt(nx * nx + ny * ny + nz * nz + _UNLIT_EPSILON)
            nx, ny, nz = nx * inverse, ny * inverse, nz * inverse
        turn = _ONE if nx * vx + ny * vy + nz * vz <= _ZERO else -_ONE
        ax, ay, az = nx * turn, ny * turn, nz * turn
        mix = _ZERO
        if pattern != 0:
            u = plane[3] * wx + plane[4] * wy + plane[5] * wz + plane[6]
            v = plane[7] * wx + plane[8] * wy + plane[9] * wz + plane[10]
            mix = textures[pattern, np.int32(u + _F32(65536.0)) & 255, np.int32(v + _F32(65536.0)) & 255] * _F32(
                1.0 / 255.0
            )
        lx, ly, lz = light[0] - wx, light[1] - wy, light[2] - wz
        d2 = lx * lx + ly * ly + lz * lz + _UNLIT_EPSILON
        distance = np.sqrt(d2)
        lamp = max(ax * lx + ay * ly + az * lz, _ZERO) / (distance * (_ONE + light[at.FALLOFF] * d2))
        key = max(ax * _F32(-0.35) + ay * _F32(0.55) + az * _F32(-0.75), _ZERO)
        shade = (
            light[at.AMBIENT] + _F32(0.1) * ay + _F32(0.05) * ax + light[at.STRENGTH] * lamp + _F32(0.15) * key + glow
        )
        shine = _ZERO
        if gloss > _ZERO:
            view = _ONE / np.sqrt(vx * vx + vy * vy + vz * vz)
            inverse = _ONE / distance
            hx, hy, hz = lx * inverse - vx * view, ly * inverse - vy * view, lz * inverse - vz * view
            shine = max(ax * hx + ay * hy + az * hz, _ZERO) / np.sqrt(hx * hx + hy * hy + hz * hz + _UNLIT_EPSILON)
            shine *= shine
            shine *= shine
            shine *= shine
            shine *= shine
            shine *= shine
            shine *= gloss * _F32(200.0)
        rgb[row, px, 0] = _clamped((data[16] + (data[19] - data[16]) * mix) * shade + shine)
        rgb[row, px, 1] = _clamped((data[17] + (data[20] - data[17]) * mix) * shade + shine)
        rgb[row, px, 2] = _clamped((data[18] + (data[21] - data[18]) * mix) * shade + shine)


@njit(cache=True, error_model="numpy")
def _resolve_row(camera, light, pool, textures, buffers, row, pixels):  # type: ignore[no-untyped-def]
    """Turn one row of the visibility buffer into the wanted channels, run by run of equal faces."""
    width = buffers.near.shape[1]
    first = 0
    while first < width:
        face = buffers.face[row, first]
        last = first + 1
        while last < width and buffers.face[row, last] == face:
            last += 1
        identity = -1
        if face >= 0:
            identity = pool.slots[pool.infos[pool.mesh.faces[face, at.FACE_PART], at.SLOT], at.SLOT_ID]
        if pixels.ids.shape[0]:
            pixels.ids[row, first:last] = identity
        if pixels.rgb.shape[0]:
            if face >= 0:
                _shade_run(camera, light, pool, textures, face, buffers.near, row, first, last, pixels.rgb)
            else:
                pixels.rgb[row, first:last] = 0
        first = last


@njit(cache=True, error_model="numpy")
def _depth(camera, near, depth):  # type: ignore[no-untyped-def]
    parallel = camera[at.HALF_HEIGHT] > _ZERO
    for row in range(near.shape[0]):
        for px in range(near.shape[1]):
            q = near[row, px]
            if q <= _ZERO:
                depth[row, px] = _F32(at.FAR_DEPTH)
            elif parallel:
                depth[row, px] = _FAR - q
            else:
                depth[row, px] = _ONE / q


@njit(cache=True, error_model="numpy")
def draw(camera, light, pool, textures, buffers, pixels):  # type: ignore[no-untyped-def]
    """Draw `pool` as `camera` sees it into the wanted channels of `pixels`.

    `camera` float32 (CAMERA_WIDTH), `light` float32 (LIGHT_WIDTH), `textures` uint8 (patterns, 256, 256).
    """
    buffers.near[:] = _ZERO
    buffers.face[:] = -1
    for k in range(_sorted_slots(camera, pool, buffers)):
        _draw_slot(camera, pool, buffers.order[k], buffers)
    if pixels.ids.shape[0] or pixels.rgb.shape[0]:
        for row in range(buffers.near.shape[0]):
            _resolve_row(camera, light, pool, textures, buffers, row, pixels)
    if pixels.depth.shape[0]:
        _depth(camera, buffers.near, pixels.depth)
