"""From part rows to vertices and convex faces."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from teach_agents.arrays import Float32Array, Int32Array
from teach_agents.simulator.embedded.kernels import layout as at
from teach_agents.simulator.embedded.kernels.compiling import F32, dot, entry, inlined, kernel

_VERTEX = 0
_FACE = 1
_CORNER = 2
_PART = 3
_PATTERN = 4


class Mesh(NamedTuple):
    """The arrays a mesh is written to: float32 (V, 3), int32 (F, FACE_WIDTH), int32 (C,), float32 (F, PLANE_WIDTH)."""

    vertices: Float32Array
    faces: Int32Array
    corners: Int32Array
    planes: Float32Array


@inlined
def _turned(frame, c, row, first):  # type: ignore[no-untyped-def]  # numba infers the types
    """Component `c` in the world of the vector that starts in a row at `first`."""
    return frame[3 + c] * row[first] + frame[6 + c] * row[first + 1] + frame[9 + c] * row[first + 2]


@inlined
def _half(row):  # type: ignore[no-untyped-def]
    """A part's half sizes."""
    return row[at.HALF], row[at.HALF + 1], row[at.HALF + 2]


@entry
def place(local, frame, out, sphere, world_sphere):  # type: ignore[no-untyped-def]
    """Write the part rows `local` (n, ROW_WIDTH) into `out`, and `sphere` into `world_sphere`, moved by `frame`.

    `frame` (float32, 13): translation, the world directions of the local x, y and z axes, and a scale.
    """
    scale = frame[12]
    world_sphere[3] = sphere[3] * scale
    for c in range(3):
        world_sphere[c] = frame[c] + scale * _turned(frame, c, sphere, 0)
    for i in range(local.shape[0]):
        for k in range(at.ROW_WIDTH):
            out[i, k] = local[i, k]
        for c in range(3):
            out[i, at.CENTER + c] = frame[c] + scale * _turned(frame, c, local[i], at.CENTER)
            out[i, at.HALF + c] = local[i, at.HALF + c] * scale
            for axis in range(3):
                a = at.AXES + 3 * axis
                out[i, a + c] = _turned(frame, c, local[i], a)


@inlined
def _to_world(row, x, y, z, vertices, v):  # type: ignore[no-untyped-def]
    """Write the part-local point (x, y, z) as vertex `v` in world coordinates."""
    for c in range(3):
        vertices[v, c] = row[c] + row[at.AXES + c] * x + row[at.AXES + 3 + c] * y + row[at.AXES + 6 + c] * z


@inlined
def _texture_planes(row, plane, first, second):  # type: ignore[no-untyped-def]
    """Make the texture coordinates of a face run along the part's axes `first` and `second`."""
    for which in range(2):
        axis = first if which == 0 else second
        start = at.PLANE_U if which == 0 else at.PLANE_V
        frequency = row[at.FREQUENCY + which]
        offset = F32(0.0)
        for c in range(3):
            value = row[at.AXES + 3 * axis + c] * frequency
            plane[start + c] = value
            offset -= value * row[c]
        plane[start + 3] = offset


@inlined
def _normal_map(row, shape):  # type: ignore[no-untyped-def]
    """Fill the affine map from a world point on a curved surface to its outward normal.

    For an ellipsoid the local gradient is (x/a^2, y/b^2, z/c^2); for a tapered cylinder of radius a + b*y the y
    component is -(a + b*y)*b. Both are linear in position.
    """
    hx, hy, hz = _half(row)
    kx = F32(1.0) / max(hx * hx, F32(1e-10))
    kz = F32(1.0) / max(hz * hz, F32(1e-10))
    ky = F32(1.0) / max(hy * hy, F32(1e-10))
    shift = F32(0.0)
    if shape == at.TUBE:
        slope = (row[at.TAPER] - F32(1.0)) / (F32(2.0) * hy)
        ky = -slope * slope
        shift = -slope * (row[at.TAPER] + F32(1.0)) * F32(0.5)
    for i in range(3):
        for j in range(3):
            row[at.NORMAL_MAP + 3 * i + j] = (
                kx * row[at.AXES + i] * row[at.AXES + j]
                + ky * row[at.AXES + 3 + i] * row[at.AXES + 3 + j]
                + kz * row[at.AXES + 6 + i] * row[at.AXES + 6 + j]
            )
    for i in range(3):
        value = shift * row[at.AXES + 3 + i]
        for j in range(3):
            value -= row[at.NORMAL_MAP + 3 * i + j] * row[j]
        row[at.NORMAL_MAP + 9 + i] = value


@inlined
def _flat_normal(row, mesh, face):  # type: ignore[no-untyped-def]
    """Newell's normal of a face, turned away from the part's centre."""
    first, size = mesh.faces[face, at.FACE_FIRST], mesh.faces[face, at.FACE_SIZE]
    nx, ny, nz = 0.0, 0.0, 0.0
    mx, my, mz = 0.0, 0.0, 0.0
    for k in range(size):
        a = mesh.vertices[mesh.corners[first + k]]
        b = mesh.vertices[mesh.corners[first + (k + 1) % size]]
        ax, ay, az = np.float64(a[0]), np.float64(a[1]), np.float64(a[2])
        bx, by, bz = np.float64(b[0]), np.float64(b[1]), np.float64(b[2])
        nx += (ay - by) * (az + bz)
        ny += (az - bz) * (ax + bx)
        nz += (ax - bx) * (ay + by)
        mx += ax
        my += ay
        mz += az
    normal = (nx, ny, nz)
    length = math.sqrt(dot(normal, normal)) + 1e-20
    if dot(normal, (mx / size - row[0], my / size - row[1], mz / size - row[2])) < 0.0:
        length = -length
    for c in range(3):
        mesh.planes[face, c] = F32(normal[c] / length)
    mesh.planes[face, at.PLANE_OFFSET] = F32(dot(normal, (mx, my, mz)) / (size * length))


@inlined
def _close_face(row, mesh, cursor, size, smooth):  # type: ignore[no-untyped-def]
    """Make a face of the next `size` corners, which are written already, and step over it."""
    face = cursor[_FACE]
    mesh.faces[face, at.FACE_FIRST] = cursor[_CORNER]
    mesh.faces[face, at.FACE_SIZE] = size
    mesh.faces[face, at.FACE_PART] = cursor[_PART]
    mesh.faces[face, at.FACE_SMOOTH] = smooth
    mesh.faces[face, at.FACE_PATTERN] = cursor[_PATTERN]
    plane = mesh.planes[face]
    _flat_normal(row, mesh, face)
    if smooth:
        _texture_planes(row, plane, 1, 0)
        for k in range(3):  # around a curve, move along both horizontal axes
            extra = row[at.AXES + 6 + k] * row[at.FREQUENCY + 1]
            plane[at.PLANE_V + k] += extra
            plane[at.PLANE_V + 3] -= extra * row[k]
    else:
        _texture_planes(row, plane, 0, 2)
    cursor[_CORNER] += size
    cursor[_FACE] += 1


@inlined
def _quad(mesh, cursor, a, b, c, d):  # type: ignore[no-untyped-def]
    at_corner = cursor[_CORNER]
    mesh.corners[at_corner] = a
    mesh.corners[at_corner + 1] = b
    mesh.corners[at_corner + 2] = c
    mesh.corners[at_corner + 3] = d


@kernel
def _box(row, mask, mesh, cursor):  # type: ignore[no-untyped-def]
    v = cursor[_VERTEX]
    hx, hy, hz = _half(row)
    for i in range(8):
        x = hx if i & 1 else -hx
        y = hy if i & 2 else -hy
        z = hz if i & 4 else -hz
        _to_world(row, x, y, z, mesh.vertices, v + i)
    for side in range(6):
        if not (mask >> side) & 1:
            continue
        axis = side // 2
        one, two = 1 << ((axis + 1) % 3), 1 << ((axis + 2) % 3)
        base = v + ((1 << axis) if side & 1 else 0)
        _quad(mesh, cursor, base, base + one, base + one + two, base + two)
        face = cursor[_FACE]
        _close_face(row, mesh, cursor, 4, 0)
        # Wood grain and stripes run along the upright axis, on horizontal faces along x.
        _texture_planes(row, mesh.planes[face], 1 if axis != 1 else 0, 2 if axis != 2 else 0)
    cursor[_VERTEX] += 8


@kernel
def _tube(row, mask, n, mesh, cursor):  # type: ignore[no-untyped-def]
    v = cursor[_VERTEX]
    (hx, hy, hz), taper = _half(row), row[at.TAPER]
    for i in range(n):
        angle = 2.0 * math.pi * (i + 0.5) / n
        x = hx * F32(math.cos(angle))
        z = hz * F32(math.sin(angle))
        _to_world(row, x, -hy, z, mesh.vertices, v + i)
        _to_world(row, x * taper, hy, z * taper, mesh.vertices, v + n + i)
    if mask & 1:
        for i in range(n):
            j = (i + 1) % n
            _quad(mesh, cursor, v + i, v + j, v + n + j, v + n + i)
            _close_face(row, mesh, cursor, 4, 1)
    for cap in range(2):
        if (mask >> (2 + cap)) & 1:
            for i in range(n):
                mesh.corners[cursor[_CORNER] + i] = v + cap * n + i
            _close_face(row, mesh, cursor, n, 0)
    cursor[_VERTEX] += 2 * n


@kernel
def _ball(row, n, mesh, cursor):  # type: ignore[no-untyped-def]
    v = cursor[_VERTEX]
    hx, hy, hz = _half(row)
    rings = n // 2 - 1
    _to_world(row, F32(0.0), -hy, F32(0.0), mesh.vertices, v)
    _to_world(row, F32(0.0), hy, F32(0.0), mesh.vertices, v + 1)
    for r in range(rings):
        polar = math.pi * (r + 1) / (rings + 1)
        for i in range(n):
            angle = 2.0 * math.pi * i / n
            x = hx * F32(math.sin(polar) * math.cos(angle))
            z = hz * F32(math.sin(polar) * math.sin(angle))
            _to_world(row, x, -hy * F32(math.cos(polar)), z, mesh.vertices, v + 2 + r * n + i)
    for i in range(n):
        j = (i + 1) % n
        for r in range(rings - 1):
            base = v + 2 + r * n
            _quad(mesh, cursor, base + i, base + j, base + n + j, base + n + i)
            _close_face(row, mesh, cursor, 4, 1)
        for pole in range(2):
            base = v + 2 + pole * (rings - 1) * n
            mesh.corners[cursor[_CORNER]] = v + pole
            mesh.corners[cursor[_CORNER] + 1] = base + i
            mesh.corners[cursor[_CORNER] + 2] = base + j
            _close_face(row, mesh, cursor, 3, 1)
    cursor[_VERTEX] += 2 + rings * n


@entry
def expand(rows, infos, mesh, cursor):  # type: ignore[no-untyped-def]
    """Write the mesh of parts into `mesh` from `cursor` on; also fills the rows' normal maps.

    `cursor` (int64, 5) holds the next vertex, face and corner and the index of the next part, and is moved on; what its
    last entry holds does not matter.
    """
    for i in range(rows.shape[0]):
        shape = infos[i, at.SHAPE]
        cursor[_PATTERN] = infos[i, at.PATTERN]
        _normal_map(rows[i], shape)
        if shape == at.BOX:
            _box(rows[i], infos[i, at.MASK], mesh, cursor)
        elif shape == at.TUBE:
            _tube(rows[i], infos[i, at.MASK], infos[i, at.SEGMENTS], mesh, cursor)
        else:
            _ball(rows[i], infos[i, at.SEGMENTS], mesh, cursor)
        cursor[_PART] += 1
