"""Ray casts against parts: what a ray meets first."""

from __future__ import annotations

import numpy as np

from teach_agents.simulator.embedded.kernels import layout as at
from teach_agents.simulator.embedded.kernels.compiling import along, dot, entry, in_axes, inlined, kernel

_EPSILON = at.NEAR
NOTHING = 1e30


@inlined
def _counts(side, outward):  # type: ignore[no-untyped-def]
    """Whether a surface of this side stops a ray that meets its outer (`outward` < 0) or inner face."""
    return side == at.BOTH or (side == at.OUTSIDE) == (outward < 0.0)


@kernel
def _box(o, d, half, side, mask):  # type: ignore[no-untyped-def]
    """Distance along the ray to a box, in the box's frame; entry and exit count by side and face mask."""
    enter, leave = -NOTHING, NOTHING
    enter_face, leave_face = -1, -1
    for axis in range(3):
        if abs(d[axis]) < 1e-12:
            if abs(o[axis]) > half[axis]:
                return NOTHING
            continue
        inverse = 1.0 / d[axis]
        near = (-half[axis] - o[axis]) * inverse
        far = (half[axis] - o[axis]) * inverse
        near_face, far_face = 2 * axis, 2 * axis + 1
        if near > far:
            near, far = far, near
            near_face, far_face = far_face, near_face
        if near > enter:
            enter, enter_face = near, near_face
        if far < leave:
            leave, leave_face = far, far_face
    if enter > leave or leave < _EPSILON:
        return NOTHING
    if enter > _EPSILON and (mask >> enter_face) & 1 and side != at.INSIDE:
        return enter
    if (mask >> leave_face) & 1 and side != at.OUTSIDE:
        return leave
    return NOTHING


@kernel
def _round_wall(o, d, half, taper, ball, side):  # type: ignore[no-untyped-def]
    """Distance to a ball, or to the wall of a tapered tube, in the part's frame."""
    kx, kz = 1.0 / (half[0] * half[0]), 1.0 / (half[2] * half[2])
    base, slope = 1.0, 0.0
    ky = 1.0 / (half[1] * half[1])
    if not ball:
        slope = (taper - 1.0) / (2.0 * half[1])
        base = 0.5 * (taper + 1.0)
        ky = -slope * slope
    to, ahead = (kx * o[0], ky * o[1], kz * o[2]), (kx * d[0], ky * d[1], kz * d[2])
    a, b = dot(ahead, d), dot(to, d) - base * slope * d[1]
    c = dot(to, o) - 2.0 * base * slope * o[1] - base * base
    found = b * b - a * c
    if found < 0.0 or abs(a) < 1e-12:
        return NOTHING
    root = np.sqrt(found)
    best = NOTHING
    for sign in (-1.0, 1.0):
        t = (-b + sign * root) / a
        if t <= _EPSILON or t >= best or (not ball and abs(o[1] + t * d[1]) > half[1]):
            continue
        outward = a * t + b
        if _counts(side, outward):
            best = t
    return best


@kernel
def _tube(o, d, half, taper, side, mask):  # type: ignore[no-untyped-def]
    best = _round_wall(o, d, half, taper, False, side) if mask & 1 else NOTHING
    if abs(d[1]) < 1e-12:
        return best
    for cap in range(2):
        if not (mask >> (2 + cap)) & 1:
            continue
        height = half[1] if cap else -half[1]
        t = (height - o[1]) / d[1]
        radius = taper if cap else 1.0
        x, z = (o[0] + t * d[0]) / half[0], (o[2] + t * d[2]) / half[2]
        if _EPSILON < t < best and x * x + z * z <= radius * radius and _counts(side, d[1] if cap else -d[1]):
            best = t
    return best


@kernel
def part_distance(row, info, ray):  # type: ignore[no-untyped-def]
    """Distance along a ray (origin and unit direction first) to a part."""
    o = in_axes(row, at.AXES, ray[0] - row[0], ray[1] - row[1], ray[2] - row[2])
    d = in_axes(row, at.AXES, ray[3], ray[4], ray[5])
    half = (np.float64(row[at.HALF]), np.float64(row[at.HALF + 1]), np.float64(row[at.HALF + 2]))
    if info[at.SHAPE] == at.BOX:
        return _box(o, d, half, info[at.SIDE], info[at.MASK])
    if info[at.SHAPE] == at.TUBE:
        return _tube(o, d, half, row[at.TAPER], info[at.SIDE], info[at.MASK])
    return _round_wall(o, d, half, 1.0, True, info[at.SIDE])


@kernel
def _slot(rows, infos, slots, spheres, ray, s, limit):  # type: ignore[no-untyped-def]
    """Distance along a ray to what is shown in slot `s`; `limit` where it is not nearer."""
    if slots[s, at.SLOT_SHOWN] != at.SHOWN or slots[s, at.SLOT_PARTS] == 0:
        return limit
    dx, dy, dz = spheres[s, 0] - ray[0], spheres[s, 1] - ray[1], spheres[s, 2] - ray[2]
    ahead = along(ray, 3, dx, dy, dz)
    radius = np.float64(spheres[s, 3])
    aside = dx * dx + dy * dy + dz * dz - ahead * ahead
    if aside > radius * radius or ahead + radius < 0.0 or ahead - radius > limit:
        return limit
    first = slots[s, at.SLOT_PART]
    for p in range(first, first + slots[s, at.SLOT_PARTS]):
        t = part_distance(rows[p], infos[p], ray)
        if t < limit:
            limit = t
    return limit


@entry
def first_hit(rows, infos, slots, spheres, ray):  # type: ignore[no-untyped-def]
    """The shown slot that a ray meets first and the distance; (-1, limit) for none.

    `ray` (float64, 7): origin, unit direction, longest distance.
    """
    best, limit = -1, ray[6]
    for s in range(slots.shape[0]):
        t = _slot(rows, infos, slots, spheres, ray, s, limit)
        if t < limit:
            best, limit = s, t
    return best, limit
