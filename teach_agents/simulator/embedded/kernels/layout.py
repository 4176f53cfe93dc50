"""How parts, faces and slots are packed into arrays; shared by the kernels and by the code that fills the arrays.

A part row (float32) holds world centre, the three unit axes, half sizes, taper, two colours, pattern frequencies,
gloss, glow, and the affine map from world position to the (unnormalised) normal of a curved surface. A part's info
row (int32) holds shape, side, face mask, segments, pattern and slot.
"""

from __future__ import annotations

from typing import Final

__all__ = [
    "CAMERA_WIDTH",
    "FACE_WIDTH",
    "FAR",
    "FAR_DEPTH",
    "INFO_WIDTH",
    "LIGHT_WIDTH",
    "NEAR",
    "PLANE_WIDTH",
    "ROW_WIDTH",
    "SLOT_WIDTH",
]

CENTER: Final = 0
AXES: Final = 3
HALF: Final = 12
TAPER: Final = 15
COLOUR: Final = 16
SECOND: Final = 19
FREQUENCY: Final = 22
GLOSS: Final = 24
GLOW: Final = 25
NORMAL_MAP: Final = 26
ROW_WIDTH: Final = 38

SHAPE: Final = 0
SIDE: Final = 1
MASK: Final = 2
SEGMENTS: Final = 3
PATTERN: Final = 4
SLOT: Final = 5
INFO_WIDTH: Final = 6

BOX: Final = 0
TUBE: Final = 1
BALL: Final = 2

OUTSIDE: Final = 0
INSIDE: Final = 1
BOTH: Final = 2

FACE_FIRST: Final = 0
FACE_SIZE: Final = 1
FACE_PART: Final = 2
FACE_SMOOTH: Final = 3
FACE_PATTERN: Final = 4
FACE_WIDTH: Final = 5

PLANE_NORMAL: Final = 0
PLANE_U: Final = 3
PLANE_V: Final = 7
PLANE_OFFSET: Final = 11
"""The product of the normal and any of the face's points."""
PLANE_WIDTH: Final = 12

SLOT_VERTEX: Final = 0
SLOT_VERTICES: Final = 1
SLOT_FACE: Final = 2
SLOT_FACES: Final = 3
SLOT_PART: Final = 4
SLOT_PARTS: Final = 5
SLOT_ID: Final = 6
SLOT_SHOWN: Final = 7
SLOT_WIDTH: Final = 8

HIDDEN: Final = 0
SHOWN: Final = 1
IN_HAND: Final = 2
"""Drawn, but rays pass through: what the Follower holds hides nothing from it."""

EYE: Final = 0
RIGHT: Final = 3
UP: Final = 6
FORWARD: Final = 9
FOCAL: Final = 12
HALF_HEIGHT: Final = 13
"""Zero for a perspective camera; otherwise half the height in metres of a parallel projection."""
CAMERA_WIDTH: Final = 14

LAMP: Final = 0
FALLOFF: Final = 3
STRENGTH: Final = 4
AMBIENT: Final = 5
DAY: Final = 6
"""Where the light from the windows comes from, a vector as long as it is strong."""
LIGHT_WIDTH: Final = 9

NEAR: Final = 0.01
"""Nearest drawn distance in metres."""
FAR: Final = 100.0
"""A parallel camera stores `FAR - depth`, so that nearer is larger, as with 1 / depth."""
FAR_DEPTH: Final = 20.0
"""What the depth channel holds where nothing is hit, metres (AI2-THOR's far plane)."""
