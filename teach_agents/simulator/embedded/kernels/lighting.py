"""How light falls on surfaces, and how bright what results is shown.

Vectors enter only through their scalar products, since those of flat faces are cheap: `facing` is the surface's unit
normal, turned to the eye; `toward` its product with the way to the lamp, `distance2` that way's square; `view` the way
from the eye, of any length.
"""

from __future__ import annotations

import numpy as np

from teach_agents.simulator.embedded.kernels import layout as at
from teach_agents.simulator.embedded.kernels.compiling import inlined

_F32 = np.float32
_ZERO = np.float32(0.0)
_ONE = np.float32(1.0)
_TWO = np.float32(2.0)
_TINY = np.float32(1e-6)
_SHOULDER = np.float32(178.0)
"""Brighter values are pressed together, so that nothing turns to plain white before it is much too bright."""
_ROOM = np.float32(77.0)


@inlined
def dot(a, b):  # type: ignore[no-untyped-def]  # numba infers the types
    """The scalar product of two vectors."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@inlined
def ambient(light, facing):  # type: ignore[no-untyped-def]
    """Light from all around, most of it from above, and a weak light from the windows."""
    day = max(facing[0] * light[at.DAY] + facing[1] * light[at.DAY + 1] + facing[2] * light[at.DAY + 2], _ZERO)
    return light[at.AMBIENT] + _F32(0.1) * facing[1] + _F32(0.05) * facing[0] + day


@inlined
def lamp(light, toward, distance2):  # type: ignore[no-untyped-def]
    """The lamp's light."""
    falloff = np.sqrt(distance2) * (_ONE + light[at.FALLOFF] * distance2)
    return light[at.STRENGTH] * max(toward, _ZERO) / falloff


@inlined
def gleam(toward, distance2, view2, view_facing, view_lamp):  # type: ignore[no-untyped-def]
    """The lamp's mirror image on a glossy surface (Blinn), 0 to 1.

    `view2`, `view_facing` and `view_lamp` are the products of `view` with itself, `facing` and the way to the lamp.
    """
    to_lamp, to_eye = _ONE / np.sqrt(distance2), _ONE / np.sqrt(view2)
    along = max(toward * to_lamp - view_facing * to_eye, _ZERO)
    half2 = max(_TWO - _TWO * view_lamp * to_lamp * to_eye, _TINY)
    bright = min(along * along / half2, _ONE)
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
    up = (view_up - _TWO * view_facing * facing_up) / np.sqrt(view2)
    walls = _F32(0.85) + _F32(1.2) * max(up, _ZERO)
    ceiling = min(_F32(1.09) + _F32(0.8) * (up - _F32(0.2)), _F32(1.4))
    floor = _F32(0.88) + _F32(0.2) * up
    return floor if up < _F32(-0.15) else walls if up < _F32(0.2) else ceiling


@inlined
def toned(value):  # type: ignore[no-untyped-def]
    """A grey level of any brightness as one of 0 to 255."""
    more = max(value - _SHOULDER, _ZERO)
    return np.uint8(min(value, _SHOULDER) + _ROOM * more / (more + _ROOM))
