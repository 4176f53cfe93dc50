"""What rays may pass over changes nothing of what is seen: the kernel against the same rays cast one by one."""

from __future__ import annotations

import itertools
import math

import numpy as np
from numpy.typing import NDArray

from teach_agents.simulator.contract import Camera, Scene, follower_camera
from teach_agents.simulator.embedded.kernels import layout as at
from teach_agents.simulator.embedded.kernels.rays import first_hit
from teach_agents.simulator.embedded.kernels.sight import sees_each
from teach_agents.simulator.embedded.render import packed_camera
from teach_agents.simulator.embedded.room_shell import RoomShell
from teach_agents.simulator.embedded.shapes.assembly import assembly_of
from teach_agents.simulator.embedded.simulator import EmbeddedSimulator

_MOST_RAYS = 48
_FACES = [tuple(sign * (axis == a) for a in range(3)) for axis in range(3) for sign in (-1.0, 1.0)]
_POINTS = [(0.0, 0.0, 0.0), *_FACES, *(point[::-1] for point in itertools.product((-1.0, 1.0), repeat=3))]


def _sees(assembly_pool: tuple[NDArray[np.generic], ...], camera: NDArray[np.float64], slot: int) -> bool:
    """Whether one of a slot's points is what a ray through it meets first."""
    rows, infos, slots, spheres = assembly_pool
    first, count = slots[slot, at.SLOT_PART], slots[slot, at.SLOT_PARTS]
    rays = 0
    for offsets in _POINTS:
        for row in rows[first : first + count].astype(np.float64):
            shifts = (
                offsets[a] * 0.9 * row[at.HALF + a] * row[at.AXES + 3 * a : at.AXES + 3 * a + 3] for a in range(3)
            )
            way = row[:3] + sum(shifts) - camera[:3]
            across, up, ahead = (float(way @ camera[k : k + 3]) for k in (3, 6, 9))
            reach = ahead / camera[at.FOCAL]
            if not (ahead > at.NEAR and abs(across) < reach and abs(up) < reach):
                continue
            length = math.sqrt(way @ way)
            ray = np.array([*camera[:3], *(way / length), length + 0.5])
            if first_hit(rows, infos, slots, spheres, ray)[0] == slot:
                return True
            rays += 1
            if rays >= _MOST_RAYS:
                return False
    return False


def test_sight_agrees_with_rays_cast_one_by_one() -> None:
    simulator = EmbeddedSimulator()
    for room, turn in (("FloorPlan5", 0.0), ("FloorPlan210", 135.0), ("FloorPlan423", 250.0)):
        simulator.reset(Scene(room))
        state = simulator.state
        eyes = follower_camera(state.agent)
        camera = Camera(eyes.position, yaw=eyes.yaw + turn, pitch=20.0)
        assembly = assembly_of(state)
        RoomShell.of(assembly, state).prepare(assembly, state, camera)
        pool = assembly.arena.pool
        arrays = (pool.rows, pool.infos, pool.slots, pool.spheres)
        packed = packed_camera(camera)
        targets = np.array([assembly.slot(object_id) for object_id in state.objects])
        expected = [_sees(arrays, packed.astype(np.float64), slot) for slot in targets]
        assert sees_each(*arrays, packed, targets).tolist() == expected
        assert 3 < sum(expected) < len(targets)
