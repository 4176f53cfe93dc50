"""The colours of what is visible.

A row is worked on in stretches, whose values lie in lanes of one scratch array, a constant apart; a stretch's runs of
pixels that show one face are shaded in blocks of constant length, in loops without branches and calls. From that the
compiler makes wide vector operations. The last block of a run reaches beyond it: runs are shaded from left to right, so
that the next one writes over what is too much, and lanes are longer than a stretch by a block.

Vectors enter the light only through their scalar products, since those of flat faces are cheap: `facing` is the
surface's unit normal, turned to the eye; `toward` its product with the way to the lamp, `distance2` that way's square;
`view` the way from the eye, of any length.
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
    away,
    dot,
    inlined,
    kernel,
    moved,
    scaled,
    vector,
)

_Index = np.uint64
"""Unsigned, or numba asks of every index whether it counts from the end, which keeps loops from becoming vectors."""
_POLISHED = np.float32(0.3)
"""From this gloss on a surface mirrors the room."""
_SHIFT = np.float32(65536.0)
"""Texture coordinates are made positive by a multiple of the texture's size."""
_SHARE = np.float32(1.0 / 255.0)
_BLOCK = 16
STRETCH = 256
"""The most pixels in a stretch."""
_LANE = STRETCH + _BLOCK
DEPTH = _Index(0)
LEFT = _Index(_LANE)
"""Where the lanes of depth and of the light that corners leave start; the next ones are for this module."""
_MIX = _Index(2 * _LANE)
_RED = _Index(3 * _LANE)
_GREEN = _Index(4 * _LANE)
_BLUE = _Index(5 * _LANE)
LANES = 6 * _LANE
_SHOULDER = np.float32(178.0)
"""Brighter values are pressed together, so that nothing turns to plain white before it is much too bright."""
_ROOM = np.float32(77.0)


@inlined
def ambient(light, facing):  # type: ignore[no-untyped-def]
    """Light from all around, most of it from above, and a weak light from the windows."""
    day = max(along(light, at.DAY, facing[0], facing[1], facing[2]), ZERO)
    return light[at.AMBIENT] + F32(0.1) * facing[1] + F32(0.05) * facing[0] + day


@inlined
def lamp(light, toward, distance2):  # type: ignore[no-untyped-def]
    """The lamp's light."""
    falloff = np.sqrt(distance2) * (ONE + light[at.FALLOFF] * distance2)
    return light[at.STRENGTH] * max(toward, ZERO) / falloff


@inlined
def gleam(toward, distance2, view2, view_facing, view_lamp):  # type: ignore[no-untyped-def]
    """The lamp's mirror image on a glossy surface (Blinn), 0 to 1.

    `view2`, `view_facing` and `view_lamp` are the products of `view` with itself, `facing` and the way to the lamp.
    """
    to_lamp, to_eye = ONE / np.sqrt(distance2), ONE / np.sqrt(view2)
    along = max(toward * to_lamp - view_facing * to_eye, ZERO)
    half2 = max(TWO - TWO * view_lamp * to_lamp * to_eye, TINY)
    bright = min(along * along / half2, ONE)
    bright *= bright
    bright *= bright
    bright *= bright
    return bright * bright


@inlined
def mirrored(facing_up, view_up, view2, view_facing):  # type: ignore[no-untyped-def]
    """How bright the room is where a polished surface mirrors it, 0.68 to 1.4: the ceiling is brightest, walls and
    furniture are darkest at the level of the eyes, the floor is dark.

    `facing_up` and `view_up` are the upward shares of `facing` and `view`.
    """
    up = (view_up - TWO * view_facing * facing_up) / np.sqrt(view2)
    walls = F32(0.85) + F32(1.2) * max(up, ZERO)
    ceiling = min(F32(1.09) + F32(0.8) * (up - F32(0.2)), F32(1.4))
    floor = F32(0.88) + F32(0.2) * up
    return floor if up < F32(-0.15) else walls if up < F32(0.2) else ceiling


@inlined
def toned(value):  # type: ignore[no-untyped-def]
    """A grey level of any brightness as one of 0 to 255."""
    more = max(value - _SHOULDER, ZERO)
    return np.uint8(min(value, _SHOULDER) + _ROOM * more / (more + _ROOM))


@kernel
def row_sight(camera, size, row):  # type: ignore[no-untyped-def]  # numba infers the types
    """What a row's pixels look at: vectors (a, b, c, d), such that column x shows a + x b + z (c + x d) at depth z.

    A parallel camera has no d, any other no b; `c + x d` is the way from the eye.
    """
    unit = F32(2.0) / F32(size)
    parallel = camera[at.HALF_HEIGHT] > ZERO
    spread = camera[at.HALF_HEIGHT] if parallel else ONE / camera[at.FOCAL]
    left = (F32(0.5) * unit - ONE) * spread
    up = (ONE - (F32(row) + F32(0.5)) * unit) * spread
    step = unit * spread
    eye, ahead = (camera[0], camera[1], camera[2]), (camera[9], camera[10], camera[11])
    right = (camera[3], camera[4], camera[5])
    start = moved(scaled(right, left), up, (camera[6], camera[7], camera[8]))
    across, nothing = scaled(right, step), (ZERO, ZERO, ZERO)
    if parallel:
        return moved(eye, ONE, start), across, ahead, nothing
    return eye, nothing, moved(ahead, ONE, start), across


@inlined
def _colour(lanes, i, colours, shade, bright):  # type: ignore[no-untyped-def]
    """Fill one pixel's red, green and blue."""
    mix = lanes[i + _MIX]
    lanes[i + _RED] = (colours[0] + colours[3] * mix) * shade + bright
    lanes[i + _GREEN] = (colours[1] + colours[4] * mix) * shade + bright
    lanes[i + _BLUE] = (colours[2] + colours[5] * mix) * shade + bright


@inlined
def _flat(sight, light, face, glossy, column, place, lanes):  # type: ignore[no-untyped-def]
    """Fill red, green and blue of a block of a flat face's pixels, whose first is `column`; perspective only."""
    eye, _, start, across = sight
    facing, toward, surface = face
    colours, gloss, polish, glow = surface
    to_lamp = away(light, eye)
    lamp2, lamp_start, lamp_across = dot(to_lamp, to_lamp) + TINY, dot(to_lamp, start), dot(to_lamp, across)
    start2, start_across, across2 = dot(start, start), TWO * dot(start, across), dot(across, across)
    facing_start, facing_across = dot(facing, start), dot(facing, across)
    base = ambient(light, facing)
    for k in range(_BLOCK):
        i = _Index(place + k)
        x, z = F32(column + k), lanes[i]
        view2 = start2 + x * (start_across + x * across2)
        view_lamp = lamp_start + x * lamp_across - z * view2
        distance2 = lamp2 - z * (lamp_start + x * lamp_across + view_lamp)
        shade = (base + lamp(light, toward, distance2)) * lanes[i + LEFT] + glow
        bright = ZERO
        if glossy:
            view_facing = facing_start + x * facing_across
            room = mirrored(facing[1], start[1] + x * across[1], view2, view_facing)
            shade *= ONE + polish * (room - ONE)
            bright = gloss * gleam(toward, distance2, view2, view_facing, view_lamp)
        _colour(lanes, i, colours, shade, bright)


@inlined
def _any(sight, light, curve, surface, column, place, lanes):  # type: ignore[no-untyped-def]
    """Fill red, green and blue of a block of any pixels, whose first is `column`.

    `curve` is the affine map from a point to the normal there, by rows.
    """
    eye, aside, start, across = sight
    colours, gloss, polish, glow = surface
    for k in range(_BLOCK):
        i = _Index(place + k)
        x, z = F32(column + k), lanes[i]
        view = moved(start, x, across)
        point = moved(moved(eye, x, aside), z, view)
        normal = (
            dot(curve[0], point) + curve[0][3],
            dot(curve[1], point) + curve[1][3],
            dot(curve[2], point) + curve[2][3],
        )
        turned = ONE / np.sqrt(dot(normal, normal) + TINY)
        facing = scaled(normal, turned if dot(normal, view) <= ZERO else -turned)
        to_lamp = away(light, point)
        toward, distance2 = dot(facing, to_lamp), dot(to_lamp, to_lamp) + TINY
        view2, view_facing = dot(view, view), dot(view, facing)
        shade = (ambient(light, facing) + lamp(light, toward, distance2)) * lanes[i + LEFT] + glow
        shade *= ONE + polish * (mirrored(facing[1], view[1], view2, view_facing) - ONE)
        bright = gloss * gleam(toward, distance2, view2, view_facing, dot(view, to_lamp))
        _colour(lanes, i, colours, shade, bright)


@inlined
def _grain(sight, planes, face, first):  # type: ignore[no-untyped-def]
    """A face's texture coordinate's share of each of the four vectors of a row's sight."""
    axis = vector(planes, face, first)
    a, b, c, d = sight
    return dot(axis, a) + planes[face, first + 3] + _SHIFT, dot(axis, b), dot(axis, c), dot(axis, d)


@inlined
def _pattern(u, v, textures, pattern, column, place, lanes):  # type: ignore[no-untyped-def]
    """Fill how much of its second colour a patterned face shows in a block, 0 to 1."""
    for k in range(_BLOCK):
        i = _Index(place + k)
        x, z = F32(column + k), lanes[i]
        across = np.int32(u[0] + x * u[1] + z * (u[2] + x * u[3])) & 255
        along = np.int32(v[0] + x * v[1] + z * (v[2] + x * v[3])) & 255
        lanes[i + _MIX] = F32(across << 8 | along)
    for k in range(_BLOCK):
        i = _Index(place + k)
        lanes[i + _MIX] = F32(textures[pattern, np.int32(lanes[i + _MIX]) & 65535]) * _SHARE


@inlined
def _surface(rows, part):  # type: ignore[no-untyped-def]
    """A part's colour and what it takes to reach its second one, gloss, polish, and glow."""
    colour = vector(rows, part, at.COLOUR)
    more = away(vector(rows, part, at.SECOND), colour)
    gloss = rows[part, at.GLOSS]
    polish = min(gloss, F32(0.8)) if gloss > _POLISHED else ZERO
    return colour + more, gloss * F32(200.0), polish, rows[part, at.GLOW]


@inlined
def _curve(rows, part):  # type: ignore[no-untyped-def]
    """The affine map from a point to the normal of a curved part there."""
    n = at.NORMAL_MAP
    return (
        (*vector(rows, part, n), rows[part, n + 9]),
        (*vector(rows, part, n + 3), rows[part, n + 10]),
        (*vector(rows, part, n + 6), rows[part, n + 11]),
    )


@inlined
def _shade_flat(scene, planes, face, surface, run, lanes):  # type: ignore[no-untyped-def]
    """Shade a run of a flat face, seen by a perspective camera."""
    sight, light = scene
    normal, offset = vector(planes, face, 0), planes[face, at.PLANE_OFFSET]
    turn = ONE if offset <= dot(normal, sight[0]) else -ONE
    facing = scaled(normal, turn)
    toward = (dot(normal, (light[0], light[1], light[2])) - offset) * turn
    if surface[1] > ZERO:
        for place in range(run[0], run[1], _BLOCK):
            _flat(sight, light, (facing, toward, surface), True, run[2] + place, place, lanes)
    else:
        for place in range(run[0], run[1], _BLOCK):
            _flat(sight, light, (facing, toward, surface), False, run[2] + place, place, lanes)


@kernel
def shade_run(scene, faces, planes, rows, textures, run, lanes):  # type: ignore[no-untyped-def]
    """Shade a run: its first and end place in the lanes, the column at place 0, and the face that it shows.

    `scene` is the row's sight and the lamp. Arrays are handed over one by one: numba counts references to those of a
    tuple whenever one is taken out.
    """
    sight, light = scene
    face = run[3]
    part, pattern = faces[face, at.FACE_PART], faces[face, at.FACE_PATTERN]
    if pattern != 0:
        u, v = _grain(sight, planes, face, at.PLANE_U), _grain(sight, planes, face, at.PLANE_V)
        for place in range(run[0], run[1], _BLOCK):
            _pattern(u, v, textures, pattern, run[2] + place, place, lanes)
    else:
        for place in range(run[0], run[1] + _BLOCK):
            lanes[_Index(place) + _MIX] = ZERO
    surface, across = _surface(rows, part), sight[3]
    if faces[face, at.FACE_SMOOTH]:
        curve = _curve(rows, part)
    else:
        x, y, z = vector(planes, face, 0)
        curve = ((ZERO, ZERO, ZERO, x), (ZERO, ZERO, ZERO, y), (ZERO, ZERO, ZERO, z))
    if faces[face, at.FACE_SMOOTH] or dot(across, across) == ZERO:
        for place in range(run[0], run[1], _BLOCK):
            _any(sight, light, curve, surface, run[2] + place, place, lanes)
    else:
        _shade_flat(scene, planes, face, surface, run, lanes)


@kernel
def blacken(run, lanes):  # type: ignore[no-untyped-def]
    """Colour a run that shows nothing."""
    for place in range(run[0], run[1]):
        lanes[_Index(place) + _RED] = lanes[_Index(place) + _GREEN] = lanes[_Index(place) + _BLUE] = ZERO


@kernel
def tone(lanes, out):  # type: ignore[no-untyped-def]
    """Write a stretch's bytes of colour."""
    for k in range(len(out) // 3):
        i = _Index(k)
        out[3 * k] = toned(lanes[i + _RED])
        out[3 * k + 1] = toned(lanes[i + _GREEN])
        out[3 * k + 2] = toned(lanes[i + _BLUE])
