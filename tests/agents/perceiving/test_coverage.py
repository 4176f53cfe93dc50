"""Which columns of a room were looked at."""

from __future__ import annotations

import numpy as np

from teach_agents.agents.perceiving.coverage import Seen, points_of
from teach_agents.observations import Pose, Vec3

_POSE = Pose(Vec3(0.0, 0.9, 0.0), 0.0, 0.0)
_CELLS = np.array([(x, z) for x in range(-4, 5) for z in range(-4, 5)])


def test_what_was_seen_is_nothing_to_be_gained() -> None:
    seen = Seen()
    before = seen.gains(_CELLS).max()
    everywhere = np.array([(x * 0.25, 0.0, z * 0.25) for x in range(-12, 13) for z in range(-12, 13)])
    seen.look(everywhere, _POSE)
    assert before > 10.0 and seen.gains(_CELLS).max() == 0.0


def test_one_looks_over_what_is_low_and_not_through_a_wall() -> None:
    middle = np.array([(0, 0)])
    low, wall = Seen(), Seen()
    across = [(x * 0.05, z) for x in range(-60, 61) for z in (0.5,)]
    low.look(np.array([(x, 0.5, z) for x, z in across]), _POSE)
    wall.look(np.array([(x, 1.9, z) for x, z in across]), _POSE)
    assert wall.gains(middle)[0, 0] < 0.5 * low.gains(middle)[0, 0]
    assert wall.gains(middle)[0, 2] == low.gains(middle)[0, 2]


def test_nowhere_to_stand_is_no_error() -> None:
    assert Seen().gains(np.zeros((0, 2), np.int64)).shape == (0, 4)


def test_points_leave_out_what_is_too_far_to_say() -> None:
    depth = np.full((30, 30), np.inf, np.float32)
    depth[:, :15] = 2.0
    points = points_of(depth, _POSE)
    assert len(points) == 50 and np.allclose(points[:, 2], 2.0) and (points[:, 0] < 0.0).all()
