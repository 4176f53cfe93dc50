"""How light falls on surfaces, and how bright what results is shown."""

from __future__ import annotations

import numpy as np
from numba import njit

from teach_agents.simulator.embedded.kernels import layout as at

__all__ = ["dot", "lit", "mirrored", "shine", "toned"]

_F32 = np.float32
_ZERO = np.float32(0.0)
_ONE = np.float32(1.0)
_TINY = np.float32(1e-6)
_SHOULDER = np.float32(178.0)
"""Brighter values are pressed together, so that nothing turns to plain white before it is much too bright."""
_ROOM = np.float32(77.0)


@njit(cache=True, error_model="numpy")
def dot(a, b):  # type: ignore[no-untyped-def]  # numba infers the types
    """The scalar product of two vectors."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@njit(cache=True, error_model="numpy")
def lit(light, normal, world):  # type: ignore[no-untyped-def]
    """Ambient light from above, the lamp, and a weak light from the windows."""
    lx, ly, lz = light[0] - world[0], light[1] - world[1], light[2] - world[2]
    d2 = lx * lx + ly * ly + lz * lz + _TINY
    distance = np.sqrt(d2)
    toward = max(normal[0] * lx + normal[1] * ly + normal[2] * lz, _ZERO)
    lamp = light[at.STRENGTH] * toward / (distance * (_ONE + light[at.FALLOFF] * d2))
    day = max(normal[0] * light[at.DAY] + normal[1] * light[at.DAY + 1] + normal[2] * light[at.DAY + 2], _ZERO)
    return light[at.AMBIENT] + _F32(0.1) * normal[1] + _F32(0.05) * normal[0] + lamp + day


@njit(cache=True, error_model="numpy")
def shine(light, normal, world, view):  # type: ignore[no-untyped-def]
    """The lamp's mirror image on a glossy surface (Blinn), 0 to 1."""
    lx, ly, lz = light[0] - world[0], light[1] - world[1], light[2] - world[2]
    to_lamp = _ONE / np.sqrt(lx * lx + ly * ly + lz * lz + _TINY)
    to_eye = _ONE / np.sqrt(dot(view, view))
    half = (lx * to_lamp - view[0] * to_eye, ly * to_lamp - view[1] * to_eye, lz * to_lamp - view[2] * to_eye)
    bright = max(dot(normal, half), _ZERO) / np.sqrt(dot(half, half) + _TINY)
    for _ in range(5):
        bright *= bright
    return bright


@njit(cache=True, error_model="numpy")
def mirrored(normal, view):  # type: ignore[no-untyped-def]
    """How bright the room is where a polished surface mirrors it: the ceiling is, the floor is not, 0.68 to 1.4."""
    along = _F32(2.0) * dot(normal, view)
    up = (view[1] - along * normal[1]) / np.sqrt(dot(view, view) + _TINY)
    if up < _F32(-0.15):
        return _F32(0.88) + _F32(0.2) * up
    if up < _F32(0.2):  # walls and furniture, darkest at the level of the eyes
        return _F32(0.85) + _F32(1.2) * max(up, _ZERO)
    return min(_F32(1.09) + _F32(0.8) * (up - _F32(0.2)), _F32(1.4))


@njit(cache=True, error_model="numpy")
def toned(value):  # type: ignore[no-untyped-def]
    """A grey level of any brightness as one of 0 to 255."""
    if value > _SHOULDER:
        more = value - _SHOULDER
        value = _SHOULDER + _ROOM * more / (more + _ROOM)
    return np.uint8(value)
