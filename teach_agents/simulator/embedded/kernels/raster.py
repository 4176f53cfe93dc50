"""The visibility buffer: which convex face each pixel shows.

Coordinates are Unity's: x right, y up, z forward. The buffer keeps, per pixel, the face and how near it is: 1 / depth
for a perspective camera, `FAR - depth` for a parallel one; both are linear over the picture.
"""

from __future__ import annotations

import math

import numpy as np

from teach_agents.simulator.embedded.kernels import layout as at
from teach_agents.simulator.embedded.kernels.compiling import F32, ONE, ZERO, along, inlined, kernel, seen_from, vector

_NEAR = np.float32(at.NEAR)
_FAR = np.float32(at.FAR)
_MOST_CORNERS = 40
_TRIANGLE = 3


@inlined
def _span(near, shown, place, count, nearness):  # type: ignore[no-untyped-def]  # numba infers the types
    """Draw what a face covers of one row, where it is nearer than what is there: `count` pixels from `place` on.

    Without branches and signed indices, for wide vectors.
    """
    start, step, face = nearness
    for k in range(count):
        i = np.uint64(place + k)
        q, before = start + step * F32(k), near[i]
        shown[i] = face if q > before else shown[i]
        near[i] = max(before, q)


@kernel
def _fill(polygon, n, face, width, near, shown):  # type: ignore[no-untyped-def]
    """Draw one convex polygon into the visibility buffer. Screen x right, y down, pixel centres at .5."""
    xs, ys, qs = polygon
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
    bottom = min(width - 1, int(math.ceil(min(highest, width + 1.0) - 0.5)) - 1)
    if top > bottom:
        return
    step_x, step_y = -nx / nz, -ny / nz
    step = F32(step_x)
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
        start = F32(qs[0] + (first + 0.5 - xs[0]) * step_x + (y - ys[0]) * step_y)
        _span(near, shown, row * width + first, last - first, (start, step, np.int32(face)))


@inlined
def _project(camera, x, y, z, width):  # type: ignore[no-untyped-def]
    """Screen position and nearness of a point in camera coordinates that is not too near."""
    half = 0.5 * width
    if camera[at.HALF_HEIGHT] > ZERO:
        scale = half / np.float64(camera[at.HALF_HEIGHT])
        return half + x * scale, half - y * scale, np.float64(at.FAR) - z
    q = 1.0 / z
    scale = np.float64(camera[at.FOCAL]) * half * q
    return half + x * scale, half - y * scale, q


@kernel
def _clip(camera, corners, points, width, polygon):  # type: ignore[no-untyped-def]
    """Fill the screen positions of what of a face lies before the near plane; how many corners that has."""
    xs, ys, qs = polygon
    n = 0
    for k in range(len(corners)):
        a, b = corners[k], corners[(k + 1) % len(corners)]
        az, bz = points[a, 2], points[b, 2]
        if az > _NEAR:
            xs[n], ys[n], qs[n] = _project(camera, points[a, 0], points[a, 1], az, width)
            n += 1
        if (az > _NEAR) != (bz > _NEAR):
            t = np.float64(_NEAR - az) / np.float64(bz - az)
            x = points[a, 0] + t * np.float64(points[b, 0] - points[a, 0])
            y = points[a, 1] + t * np.float64(points[b, 1] - points[a, 1])
            xs[n], ys[n], qs[n] = _project(camera, x, y, np.float64(_NEAR), width)
            n += 1
    return n


@inlined
def _outside(camera, sphere):  # type: ignore[no-untyped-def]
    """Whether a bounding sphere lies wholly outside the picture, and its nearest distance along the axis."""
    x, y, z = seen_from(camera, sphere[0], sphere[1], sphere[2])
    r = sphere[3]
    if camera[at.HALF_HEIGHT] > ZERO:
        half = camera[at.HALF_HEIGHT]
        return abs(x) - r > half or abs(y) - r > half or z < -r, z - r
    focal = camera[at.FOCAL]
    margin = r * np.sqrt(ONE + focal * focal)
    return z < -r or abs(x) * focal - z > margin or abs(y) * focal - z > margin, z - r


@kernel
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


@kernel
def _transform(camera, mesh, first, count, buffers):  # type: ignore[no-untyped-def]
    """Fill camera coordinates, and screen coordinates where they exist, of the vertices of one slot."""
    width, points = buffers.near.shape[0], buffers.points
    for i in range(first, first + count):
        x, y, z = seen_from(camera, mesh.vertices[i, 0], mesh.vertices[i, 1], mesh.vertices[i, 2])
        points[i, 0], points[i, 1], points[i, 2] = x, y, z
        if z > _NEAR:
            sx, sy, q = _project(camera, x, y, z, width)
            points[i, 3], points[i, 4], points[i, 5] = F32(sx), F32(sy), F32(q)


@inlined
def _turned_away(camera, planes, face, corner, side):  # type: ignore[no-untyped-def]
    """Whether a face with this `corner` shows the camera the side from which it is not seen."""
    if side == at.BOTH:
        return False
    x, y, z = vector(planes, face, 0)
    if camera[at.HALF_HEIGHT] > ZERO:
        facing = along(camera, at.FORWARD, x, y, z)
    else:
        facing = x * (corner[0] - camera[0]) + y * (corner[1] - camera[1]) + z * (corner[2] - camera[2])
    return (facing < ZERO) != (side == at.OUTSIDE)


@kernel
def _draw_slot(camera, pool, slot, buffers, near, shown):  # type: ignore[no-untyped-def]
    """Draw all faces of one slot into the visibility buffer."""
    mesh, points, width = pool.mesh, buffers.points, buffers.near.shape[0]
    faces, corners, planes, vertices, infos = mesh.faces, mesh.corners, mesh.planes, mesh.vertices, pool.infos
    _transform(camera, mesh, pool.slots[slot, at.SLOT_VERTEX], pool.slots[slot, at.SLOT_VERTICES], buffers)
    xs = np.empty(_MOST_CORNERS)
    ys = np.empty(_MOST_CORNERS)
    qs = np.empty(_MOST_CORNERS)
    start = pool.slots[slot, at.SLOT_FACE]
    for face in range(start, start + pool.slots[slot, at.SLOT_FACES]):
        first, size = faces[face, at.FACE_FIRST], faces[face, at.FACE_SIZE]
        v = corners[first]
        if _turned_away(camera, planes, face, vector(vertices, v, 0), infos[faces[face, at.FACE_PART], at.SIDE]):
            continue
        in_front = 0
        for k in range(size):
            v = corners[first + k]
            xs[k], ys[k], qs[k] = points[v, 3], points[v, 4], points[v, 5]
            in_front += points[v, 2] > _NEAR
        if 0 < in_front < size:
            size = _clip(camera, corners[first : first + size], points, width, (xs, ys, qs))
        if in_front > 0 and size >= _TRIANGLE:
            _fill((xs, ys, qs), size, face, width, near, shown)


@kernel
def cover(camera, pool, buffers):  # type: ignore[no-untyped-def]
    """Fill `buffers.near` and `buffers.face`: per pixel the nearest face of `pool`, and how near it is."""
    buffers.near[:] = ZERO
    buffers.face[:] = -1
    near, shown = buffers.near.reshape(-1), buffers.face.reshape(-1)
    for k in range(_sorted_slots(camera, pool, buffers)):
        _draw_slot(camera, pool, buffers.order[k], buffers, near, shown)
