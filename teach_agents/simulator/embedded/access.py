"""Whether somebody could act on an object of a state at all, from anywhere in its room.

Physics alone: where the body can stand, how far it reaches, what hides a thing, whether a door would swing into the
body, whether the hand has room. What it takes to get there in practice is not asked.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import product

from teach_agents.observations import Pose, Vec3
from teach_agents.simulator.contract import ObjectState, eyes_of, follower_camera
from teach_agents.simulator.embedded.facts import GAZE, is_shut
from teach_agents.simulator.embedded.handlers.drawers import clips, stopped_by_body
from teach_agents.simulator.embedded.senses import GeometricSenses
from teach_agents.simulator.embedded.world import World

_PITCHES = (30.0, 0.0, 60.0, -30.0)
_SHARES = (0.5, 0.15, 0.85)
"""Where in a box, as shares of its sides, points are looked for."""


class Access:
    """What can be acted upon in one state, which must not change meanwhile."""

    def __init__(self, world: World, senses: GeometricSenses) -> None:
        self._world = world
        self._senses = senses
        self._near: dict[str, bool] = {}

    @cached_property
    def _cells(self) -> tuple[tuple[float, float], ...]:
        return tuple(sorted(self._senses.reachable(self._world)))

    def near(self, obj: ObjectState) -> bool:
        """Whether some cell has the object, and some cell every shut thing around it, within 1.5 m of the body.

        What is shut around a portable thing must open there, and the thing must then show, so that it can be clicked
        on and taken.
        """
        known = self._near.get(obj.object_id)
        if known is None:
            around = [holder for p in obj.parents if is_shut(holder := self._world.objects[p])]
            known = all(map(self._is_within, (obj, *around))) and self._is_had(obj, around)
            self._near[obj.object_id] = known
        return known

    def _is_within(self, obj: ObjectState) -> bool:
        return obj.exists and next(self._cells_near(obj), None) is not None

    def _cells_near(self, obj: ObjectState) -> Iterator[tuple[float, float]]:
        y = self._world.agent.position.y
        low, high = obj.box.low, obj.box.high
        dy = max(low.y - y, 0.0, y - high.y)
        for x, z in self._cells:
            dx, dz = max(low.x - x, 0.0, x - high.x), max(low.z - z, 0.0, z - high.z)
            if dx * dx + dy * dy + dz * dz <= GAZE.reach * GAZE.reach:
                yield x, z

    def _is_had(self, obj: ObjectState, around: list[ObjectState]) -> bool:
        """Whether a thing can be taken, once what is shut around it is open; what is in a drawer comes out with it."""
        world, body = self._world, self._world.agent
        if not obj.kind.pickupable or obj.object_id == world.held:
            return True
        try:
            if not all(map(self._opens, around)):
                return False
            if any(holder.object_type == "Drawer" for holder in around):
                return True
            for holder in around:
                world.update(holder.object_id, openness=1.0)
            opened = world.objects[obj.object_id]
            return any(not clips(world, opened) for _ in self._clicks(opened))
        finally:
            world.move_agent(body)
            for holder in around:
                world.update(holder.object_id, openness=holder.openness)

    def _opens(self, holder: ObjectState) -> bool:
        """Whether a shut thing can be opened from some cell, so that its door does not swing into the body."""
        return any(not stopped_by_body(self._world, holder, 1.0) for _ in self._clicks(holder))

    def _clicks(self, obj: ObjectState) -> Iterator[Pose]:
        """The looks from which the object can be clicked on, within reach. Moves the body.

        What lies outside of the view is told without a ray.
        """
        for pose in self._glances(obj):
            aims = list(_aims(obj, pose))
            if aims:
                self._world.move_agent(pose)
                if self._senses.visible(self._world, obj.object_id) and self._is_clicked(obj, aims):
                    yield pose

    def _glances(self, obj: ObjectState) -> Iterator[Pose]:
        """Looks at an object from all cells near it, in the two of the four directions that come closest to it."""
        y, middle = self._world.agent.position.y, obj.box.center
        for x, z in self._cells_near(obj):
            sideways = 90.0 if middle.x > x else 270.0
            along = 0.0 if middle.z > z else 180.0
            yaws = (sideways, along) if abs(middle.x - x) > abs(middle.z - z) else (along, sideways)
            for yaw, pitch in product(yaws, _PITCHES):
                yield Pose(Vec3(x, y, z), yaw, pitch)

    def _is_clicked(self, obj: ObjectState, aims: Iterable[tuple[float, float]]) -> bool:
        """Whether a click from where the body is now can meet the object within reach (TEACh specification 5.2)."""
        world = self._world
        camera, position = follower_camera(world.agent), world.agent.position
        return any(
            seen is not None and seen.object_id == obj.object_id and math.dist(seen.point, position) <= GAZE.reach
            for seen in (self._senses.ray(world, camera, x, y) for x, y in aims)
        )


def _aims(obj: ObjectState, body: Pose) -> Iterator[tuple[float, float]]:
    """Where points of an object's box lie in the Follower's own view (x, y in [0, 1], origin top left)."""
    (x, y, z), (w, h, d), (ex, ey, ez) = obj.box.low, obj.box.size, eyes_of(body)
    yaw, pitch = math.radians(body.yaw), math.radians(body.horizon)
    sin_yaw, cos_yaw, sin_pitch, cos_pitch = math.sin(yaw), math.cos(yaw), math.sin(pitch), math.cos(pitch)
    for a, b, c in product(_SHARES, repeat=3):
        dx, dy, dz = x + a * w - ex, y + b * h - ey, z + c * d - ez
        ahead, side = dx * sin_yaw + dz * cos_yaw, dx * cos_yaw - dz * sin_yaw
        depth, up = ahead * cos_pitch - dy * sin_pitch, ahead * sin_pitch + dy * cos_pitch
        if depth > max(abs(side), abs(up), 0.01):
            yield (1 + side / depth) / 2, (1 - up / depth) / 2
