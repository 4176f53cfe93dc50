"""How parts, faces and slots are packed into arrays; shared by the kernels and by the code that fills the arrays.

A part row (float32) holds world centre, the three unit axes, half sizes, taper, two colours, pattern frequencies,
gloss, glow, and the affine map from world position to the (unnormalised) normal of a curved surface. A part's info
row (int32) holds shape, side, face mask, segments, pattern and slot.
"""

from __future__ import annotations

CENTER, AXES, HALF, TAPER, COLOUR, SECOND, FREQUENCY = 0, 3, 12, 15, 16, 19, 22
GLOSS, GLOW, NORMAL_MAP, ROW_WIDTH = 24, 25, 26, 38
SHAPE, SIDE, MASK, SEGMENTS, PATTERN, SLOT, INFO_WIDTH = range(7)
BOX, TUBE, BALL = range(3)
OUTSIDE, INSIDE, BOTH = range(3)
FACE_FIRST, FACE_SIZE, FACE_PART, FACE_SMOOTH, FACE_PATTERN, FACE_WIDTH = range(6)
PLANE_U, PLANE_V, PLANE_OFFSET, PLANE_WIDTH = 3, 7, 11, 12
"""A face's plane: its normal, where its texture runs along, and the product of the normal and any of its points."""
SLOT_VERTEX, SLOT_VERTICES, SLOT_FACE, SLOT_FACES, SLOT_PART, SLOT_PARTS, SLOT_ID, SLOT_SHOWN, SLOT_WIDTH = range(9)
HIDDEN, SHOWN, IN_HAND = range(3)
"""What is in the hand is drawn, but rays pass through: what the Follower holds hides nothing from it."""
RIGHT, UP, FORWARD, FOCAL, HALF_HEIGHT, CAMERA_WIDTH = 3, 6, 9, 12, 13, 14
"""A camera: its eye first. The half height is zero for a perspective camera; otherwise half the height in metres of a
parallel projection."""
LAMP, FALLOFF, STRENGTH, AMBIENT, DAY, LIGHT_WIDTH = 0, 3, 4, 5, 6, 9
"""A lamp. `DAY` is where the light from the windows comes from, a vector as long as it is strong."""
NEAR = 0.01
"""Nearest drawn distance in metres."""
FAR = 100.0
"""A parallel camera stores `FAR - depth`, so that nearer is larger, as with 1 / depth."""
FAR_DEPTH = 20.0
"""What the depth channel holds where nothing is hit, metres (AI2-THOR's far plane)."""
