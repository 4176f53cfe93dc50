"""Whether anything of an object can be seen: rays from the eye to points of its parts.

All rays start at the eye and stay inside the picture, so what they could meet is found once for all of them: the parts
of whose bounding sphere something lies in the picture. A ray then asks such a sphere before the part itself.
"""

from __future__ import annotations

import numpy as np

from teach_agents.simulator.embedded.kernels import layout as at
from teach_agents.simulator.embedded.kernels.compiling import along, entry, in_axes, inlined, kernel, seen_from
from teach_agents.simulator.embedded.kernels.rays import NOTHING, part_distance

_MOST_RAYS = 48
_INSET = 0.9
_MARGIN = 1e-3
"""By how much bounding spheres are taken too large, metres: far more than rounding errors amount to."""
_BALL = 6
"""Width of a ball: from the eye to its middle (3), that distance squared, radius, radius squared."""


@inlined
def _ball(camera, x, y, z, radius, ball):  # type: ignore[no-untyped-def]
    """Fill a ball; false for one that lies wholly outside the picture's pyramid, or behind the eye."""
    dx, dy, dz = x - camera[0], y - camera[1], z - camera[2]
    ball[0], ball[1], ball[2] = dx, dy, dz
    ball[3] = dx * dx + dy * dy + dz * dz
    ball[4] = radius
    ball[5] = radius * radius
    aside, above, ahead = in_axes(camera, at.RIGHT, dx, dy, dz)
    focal = np.float64(camera[at.FOCAL])
    slack = (radius + _MARGIN) * np.sqrt(1.0 + focal * focal)
    return focal * abs(aside) - ahead <= slack and focal * abs(above) - ahead <= slack


@inlined
def _missed(ball, ray, limit):  # type: ignore[no-untyped-def]
    """Whether a ray passes a ball by, or meets nothing of it before `limit`."""
    ahead = along(ray, 3, ball[0], ball[1], ball[2])
    return ball[3] - ahead * ahead > ball[5] or ahead + ball[4] < 0.0 or ahead - ball[4] > limit


@kernel
def _in_the_picture(rows, slots, spheres, camera, found):  # type: ignore[no-untyped-def]
    """Find the shown slots, and of them the parts, of which something may lie in the picture.

    Fills the slots' balls, the parts' numbers and balls, and from where to where in `parts` those of a slot stand.
    """
    balls, parts, part_balls, spans = found
    count = 0
    for s in range(slots.shape[0]):
        spans[s, 0] = count
        spans[s, 1] = count
        if slots[s, at.SLOT_SHOWN] != at.SHOWN or slots[s, at.SLOT_PARTS] == 0:
            continue
        sphere = spheres[s]
        if not _ball(camera, sphere[0], sphere[1], sphere[2], np.float64(sphere[3]), balls[s]):
            continue
        first = slots[s, at.SLOT_PART]
        for p in range(first, first + slots[s, at.SLOT_PARTS]):
            row = rows[p]
            wide = max(np.float64(row[at.TAPER]), 1.0)
            w, h, d = row[at.HALF] * wide, np.float64(row[at.HALF + 1]), row[at.HALF + 2] * wide
            radius = np.sqrt(w * w + h * h + d * d) + _MARGIN
            if _ball(camera, row[0], row[1], row[2], radius, part_balls[count]):
                parts[count] = p
                count += 1
        spans[s, 1] = count


@kernel
def _distance(rows, infos, found, ray, s, limit):  # type: ignore[no-untyped-def]
    """Distance along a ray to slot `s`; `limit` where it is not nearer."""
    balls, parts, part_balls, spans = found
    first, end = spans[s, 0], spans[s, 1]
    if first == end or _missed(balls[s], ray, limit):
        return limit
    for k in range(first, end):
        if _missed(part_balls[k], ray, limit):
            continue
        t = part_distance(rows[parts[k]], infos[parts[k]], ray)
        if t < limit:
            limit = t
    return limit


@kernel
def _blocker(rows, infos, found, candidates, ray, target, suspect):  # type: ignore[no-untyped-def]
    """A slot that keeps a ray from meeting `target` first: `target` itself where the ray misses it, -1 for none.

    `suspect` is asked first, as what hides one point of a thing mostly hides the next. Of slots that are met at the
    same distance the lowest counts as first, as in `first_hit`.
    """
    distance = _distance(rows, infos, found, ray, target, ray[6])
    if distance >= ray[6]:
        return target
    beyond = np.nextafter(distance, NOTHING)
    for k in range(-1, len(candidates)):
        other = candidates[k] if k >= 0 else suspect
        if other < 0 or other == target:
            continue
        limit = beyond if other < target else distance
        if _distance(rows, infos, found, ray, other, limit) < limit:
            return other
    return -1


@kernel
def _in_view(camera, point):  # type: ignore[no-untyped-def]
    """Whether a point lies strictly inside the picture of a perspective camera."""
    x, y, z = seen_from(camera, point[0], point[1], point[2])
    reach = z / camera[at.FOCAL]
    return z > at.NEAR and abs(x) < reach and abs(y) < reach


@kernel
def _sample(row, which, point):  # type: ignore[no-untyped-def]
    """The middle of a part (0), its face middles (1-6) or its corners (7-14), drawn in by a tenth."""
    offsets = (0.0, 0.0, 0.0)
    if which > 6:
        k = which - 7
        offsets = (1.0 if k & 1 else -1.0, 1.0 if k & 2 else -1.0, 1.0 if k & 4 else -1.0)
    elif which > 0:
        k = which - 1
        sign = 1.0 if k & 1 else -1.0
        axis = k // 2
        offsets = (sign if axis == 0 else 0.0, sign if axis == 1 else 0.0, sign if axis == 2 else 0.0)
    for c in range(3):
        value = np.float64(row[c])
        for axis in range(3):
            value += offsets[axis] * _INSET * row[at.HALF + axis] * row[at.AXES + 3 * axis + c]
        point[c] = value


@kernel
def _sees(rows, infos, found, candidates, camera, target, ray):  # type: ignore[no-untyped-def]
    """Whether any sampled point of slot `target` lies in the picture with nothing else before it.

    Middles of all parts are tried first, then face middles, then corners: at most 48 rays.
    """
    _, parts, _, spans = found
    point = np.empty(3)
    suspect = -1
    rays = 0
    for which in range(15):
        for k in range(spans[target, 0], spans[target, 1]):
            _sample(rows[parts[k]], which, point)
            if not _in_view(camera, point):
                continue
            length = 0.0
            for c in range(3):
                ray[c] = camera[c]
                ray[3 + c] = point[c] - ray[c]
                length += ray[3 + c] * ray[3 + c]
            length = np.sqrt(length)
            for c in range(3):
                ray[3 + c] /= length
            ray[6] = length + 0.5
            blocker = _blocker(rows, infos, found, candidates, ray, target, suspect)
            if blocker < 0:
                return True
            if blocker != target:
                suspect = blocker
            rays += 1
            if rays >= _MOST_RAYS:
                return False
    return False


@entry
def sees_each(rows, infos, slots, spheres, camera, targets):  # type: ignore[no-untyped-def]
    """For each of several slots (int64, n) whether anything of it can be seen by a perspective camera: booleans."""
    count = slots.shape[0]
    balls, part_balls = np.empty((count, _BALL)), np.empty((rows.shape[0], _BALL))
    parts, spans = np.empty(rows.shape[0], np.int64), np.empty((count, 2), np.int64)
    found = (balls, parts, part_balls, spans)
    _in_the_picture(rows, slots, spheres, camera, found)
    candidates = np.flatnonzero(spans[:, 1] > spans[:, 0])
    ray = np.empty(7)
    seen = np.empty(len(targets), np.bool_)
    for k in range(len(targets)):
        seen[k] = _sees(rows, infos, found, candidates, camera, targets[k], ray)
    return seen
