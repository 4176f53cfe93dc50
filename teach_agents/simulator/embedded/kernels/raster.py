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
from teach_agents.simulator.embedded.kernels.lighting import dot, lit, mirrored, shine, toned
from teach_agents.simulator.embedded.kernels.occlusion import occlude

__all__ = ["Buffers", "Pixels", "draw"]

_F32 = np.float32
_NEAR = np.float32(at.NEAR)
_FAR = np.float32(at.FAR)
_ZERO = np.float32(0.0)
_ONE = np.float32(1.0)
_MOST_CORNERS = 40
_TRIANGLE = 3
_TINY = np.float32(1e-6)
_POLISHED = np.float32(0.3)
"""From this gloss on a surface mirrors the room."""
_SHIFT = np.float32(65536.0)
"""Texture coordinates are made positive by a multiple of the texture's size."""


class Buffers(NamedTuple):
    """Scratch: per vertex camera and screen coordinates (float32, 6); per pixel nearness and face; slot order.

    `rough` and `open` hold the share of light that reaches each place, at half the picture's size, rounded up.
    """

    points: NDArray[np.float32]
    near: NDArray[np.float32]
    face: NDArray[np.int32]
    keys: NDArray[np.float32]
    order: NDArray[np.int32]
    rough: NDArray[np.float32]
    open: NDArray[np.float32]


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
    if n >= _TRIANGLE:
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
        if pool.slots[s, at.SLOT_SHOWN] == at.HIDDEN:
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
def _transform(camera, mesh, first, count, buffers):  # type: ignore[no-untyped-def]
    """Fill camera coordinates, and screen coordinates where they exist, of the vertices of one slot."""
    height, width = buffers.near.shape
    points = buffers.points
    for i in range(first, first + count):
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


@njit(cache=True, error_model="numpy")
def _turned_away(camera, mesh, face, side):  # type: ignore[no-untyped-def]
    """Whether a face shows the camera the side from which it is not seen."""
    if side == at.BOTH:
        return False
    plane = mesh.planes[face]
    if camera[at.HALF_HEIGHT] > _ZERO:
        facing = plane[0] * camera[9] + plane[1] * camera[10] + plane[2] * camera[11]
    else:
        v = mesh.vertices[mesh.corners[mesh.faces[face, at.FACE_FIRST]]]
        facing = plane[0] * (v[0] - camera[0]) + plane[1] * (v[1] - camera[1]) + plane[2] * (v[2] - camera[2])
    return (facing < _ZERO) != (side == at.OUTSIDE)


@njit(cache=True, error_model="numpy")
def _draw_slot(camera, pool, slot, buffers):  # type: ignore[no-untyped-def]
    """Draw all faces of one slot into the visibility buffer."""
    mesh, points = pool.mesh, buffers.points
    _transform(camera, mesh, pool.slots[slot, at.SLOT_VERTEX], pool.slots[slot, at.SLOT_VERTICES], buffers)
    xs = np.empty(_MOST_CORNERS)
    ys = np.empty(_MOST_CORNERS)
    qs = np.empty(_MOST_CORNERS)
    start = pool.slots[slot, at.SLOT_FACE]
    for face in range(start, start + pool.slots[slot, at.SLOT_FACES]):
        if _turned_away(camera, mesh, face, pool.infos[mesh.faces[face, at.FACE_PART], at.SIDE]):
            continue
        corner, size = mesh.faces[face, at.FACE_FIRST], mesh.faces[face, at.FACE_SIZE]
        in_front = 0
        for k in range(size):
            point = points[mesh.corners[corner + k]]
            xs[k], ys[k], qs[k] = point[3], point[4], point[5]
            in_front += point[2] > _NEAR
        if in_front == size:
            _fill(xs, ys, qs, size, face, buffers.near, buffers.face)
        elif in_front > 0:
            _clip_and_fill(camera, mesh, face, points, buffers)


@njit(cache=True, error_model="numpy")
def _sight(camera, size, px, row, q):  # type: ignore[no-untyped-def]
    """The view vector through a pixel and the world point that it shows at nearness `q`."""
    unit = _F32(2.0) / _F32(size)
    parallel = camera[at.HALF_HEIGHT] > _ZERO
    spread = camera[at.HALF_HEIGHT] if parallel else _ONE / camera[at.FOCAL]
    sx = ((_F32(px) + _F32(0.5)) * unit - _ONE) * spread
    sy = (_ONE - (_F32(row) + _F32(0.5)) * unit) * spread
    ax = sx * camera[3] + sy * camera[6]
    ay = sx * camera[4] + sy * camera[7]
    az = sx * camera[5] + sy * camera[8]
    if parallel:
        z = _FAR - q
        view = (camera[9], camera[10], camera[11])
        return view, (camera[0] + ax + z * view[0], camera[1] + ay + z * view[1], camera[2] + az + z * view[2])
    z = _ONE / q
    view = (camera[9] + ax, camera[10] + ay, camera[11] + az)
    return view, (camera[0] + z * view[0], camera[1] + z * view[1], camera[2] + z * view[2])


@njit(cache=True, error_model="numpy")
def _curved_normal(data, world):  # type: ignore[no-untyped-def]
    """The unit normal of a curved part at a point of its surface."""
    nx = data[26] * world[0] + data[27] * world[1] + data[28] * world[2] + data[35]
    ny = data[29] * world[0] + data[30] * world[1] + data[31] * world[2] + data[36]
    nz = data[32] * world[0] + data[33] * world[1] + data[34] * world[2] + data[37]
    inverse = _ONE / np.sqrt(nx * nx + ny * ny + nz * nz + _TINY)
    return nx * inverse, ny * inverse, nz * inverse


@njit(cache=True, error_model="numpy")
def _pattern(texture, plane, world):  # type: ignore[no-untyped-def]
    """How much of its second colour a patterned face shows at a point, 0 to 1."""
    u = plane[3] * world[0] + plane[4] * world[1] + plane[5] * world[2] + plane[6]
    v = plane[7] * world[0] + plane[8] * world[1] + plane[9] * world[2] + plane[10]
    texel = texture[np.int32(u + _SHIFT) & 255, np.int32(v + _SHIFT) & 255]
    return texel * _F32(1.0 / 255.0)


@njit(cache=True, error_model="numpy")
def _shade_run(camera, light, pool, textures, buffers, run, rgb):  # type: ignore[no-untyped-def]
    """Colour a run (row, first and end pixel, face) of a row's pixels, all of which show one face."""
    row, first, end, face = run
    near = buffers.near
    part = pool.mesh.faces[face, at.FACE_PART]
    smooth = pool.mesh.faces[face, at.FACE_SMOOTH] != 0
    plane, data = pool.mesh.planes[face], pool.rows[part]
    pattern = pool.infos[part, at.PATTERN]
    gloss = data[at.GLOSS] * _F32(200.0)
    polish = min(data[at.GLOSS], _F32(0.8)) if data[at.GLOSS] > _POLISHED else _ZERO
    normal = (plane[0], plane[1], plane[2])
    red, green, blue = data[16], data[17], data[18]
    more_red, more_green, more_blue = data[19] - red, data[20] - green, data[21] - blue
    for px in range(first, end):
        view, world = _sight(camera, near.shape[0], px, row, near[row, px])
        if smooth:
            normal = _curved_normal(data, world)
        turn = _ONE if dot(normal, view) <= _ZERO else -_ONE
        facing = (normal[0] * turn, normal[1] * turn, normal[2] * turn)
        mix = _pattern(textures[pattern], plane, world) if pattern != 0 else _ZERO
        shade = lit(light, facing, world) * buffers.open[row >> 1, px >> 1] + data[at.GLOW]
        bright = _ZERO
        if gloss > _ZERO:
            bright = gloss * shine(light, facing, world, view)
            shade *= _ONE + polish * (mirrored(facing, view) - _ONE)
        rgb[row, px, 0] = toned((red + more_red * mix) * shade + bright)
        rgb[row, px, 1] = toned((green + more_green * mix) * shade + bright)
        rgb[row, px, 2] = toned((blue + more_blue * mix) * shade + bright)


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
                _shade_run(camera, light, pool, textures, buffers, (row, first, last, face), pixels.rgb)
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
    if pixels.rgb.shape[0]:
        occlude(camera, pool.mesh, buffers)
    if pixels.ids.shape[0] or pixels.rgb.shape[0]:
        for row in range(buffers.near.shape[0]):
            _resolve_row(camera, light, pool, textures, buffers, row, pixels)
    if pixels.depth.shape[0]:
        _depth(camera, buffers.near, pixels.depth)
