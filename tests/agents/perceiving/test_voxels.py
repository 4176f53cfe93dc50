"""Which small cubes were seen, and from how far."""

from __future__ import annotations

import numpy as np

from teach_agents.agents.perceiving.coverage import Seen
from teach_agents.agents.perceiving.voxels import Voxels
from teach_agents.observations import Pose, Vec3

_LOW, _HIGH = Vec3(-0.35, 0.7, 0.65), Vec3(0.35, 1.0, 1.35)
_TOP = np.array([(x * 0.1, 0.8, 1.0 + z * 0.1) for x in range(-3, 4) for z in range(-3, 4)])


def test_what_was_seen_from_near_lacks_nothing_and_from_afar_little() -> None:
    near, far, never = Voxels(), Voxels(), Voxels()
    near.look(_TOP, Vec3(0.0, 0.9, 0.0))
    far.look(_TOP, Vec3(0.0, 0.9, -3.0))
    lacks = [voxels.unseen(_LOW, _HIGH)[1] for voxels in (near, far, never)]
    assert lacks[0].max() == 0.0 and lacks[2].min() == 1.0
    assert 0.0 < lacks[1].max() < 0.2
    assert far.unseen(_LOW, _HIGH, 0.4)[1].max() == 0.4 and near.unseen(_LOW, _HIGH, 0.4)[1].max() == 0.0


def test_what_is_below_or_beside_a_box_tells_nothing_of_it() -> None:
    voxels = Voxels()
    voxels.look(_TOP - (0.0, 0.5, 0.0), Vec3(0.0, 0.9, 0.0))
    voxels.look(_TOP + (2.0, 0.0, 0.0), Vec3(0.0, 0.9, 0.0))
    middles, lacks = voxels.unseen(_LOW, _HIGH)
    assert (lacks == 1.0).all()
    assert np.abs(middles[:, 0]).max() <= 0.35 and np.abs(middles[:, 1] - 1.0).max() <= 0.35


def test_what_was_seen_hides_what_is_behind_it() -> None:
    seen = Seen()
    wall = np.array([(x * 0.05, y * 0.05, 0.5) for x in range(-20, 21) for y in range(40)])
    seen.look(wall, Pose(Vec3(0.0, 0.9, 0.0), 0.0, 0.0))
    eyes = np.array([(0.0, 1.5, 0.0), (0.0, 1.5, 2.0)])
    assert seen.voxels.hides(eyes, np.array([(0.0, 0.8, 1.0)])).tolist() == [[True], [False]]


def test_a_view_of_nothing_is_no_error() -> None:
    voxels = Voxels()
    voxels.look(np.zeros((0, 3)), Vec3(0.0, 0.9, 0.0))
    assert (voxels.unseen(_LOW, _HIGH)[1] == 1.0).all()


def test_what_is_outside_the_map_is_taken_to_its_edge() -> None:
    voxels = Voxels()
    voxels.look(np.array([(90.0, 0.8, 0.0)]), Vec3(19.0, 0.9, 0.0))
    assert voxels.unseen(Vec3(19.9, 0.7, -0.1), Vec3(20.2, 0.9, 0.1))[1].min() < 1.0
