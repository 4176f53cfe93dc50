"""The plane along a receptacle's own sides.

What is put down stands square to its receptacle (specification 2.6). Where that is turned out of square to the room,
the search for a place goes by the receptacle's axes: there the boxes of what is placed are no wider than the things.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from teach_agents.observations import Vec3
from teach_agents.simulator.contract import ObjectState
from teach_agents.simulator.embedded.fitting import Obstacle
from teach_agents.simulator.embedded.geometry import Outline, outline_of

_SQUARE = 1.0
"""Turned by less than this a receptacle counts as square to the room, degrees."""


class Axes(NamedTuple):
    """Axes turned clockwise, seen from above, about the world's origin by `angle` degrees."""

    angle: float

    def inward(self, point: Vec3) -> Vec3:
        """A world point in these axes."""
        return self._turned(point, -self.angle)

    def outward(self, point: Vec3) -> Vec3:
        """The world point that is `point` in these axes."""
        return self._turned(point, self.angle)

    def outline(self, outline: Outline) -> Outline:
        """A world outline in these axes."""
        if not self.angle:
            return outline
        corners = (self.inward(Vec3(x, 0.0, z)) for x, z in outline.footprint)
        return outline_of(tuple((x, z) for x, _, z in corners))

    def obstacle(self, obstacle: Obstacle) -> Obstacle:
        """An obstacle in these axes."""
        return obstacle._replace(outline=self.outline(obstacle.outline))

    def rotation(self, rotation: Vec3) -> Vec3:
        """The world's Euler angles of what is turned by `rotation` in these axes, degrees."""
        return Vec3(rotation.x, (rotation.y + self.angle) % 360.0, rotation.z) if self.angle else rotation

    def _turned(self, point: Vec3, angle: float) -> Vec3:
        if not angle:
            return point
        sine, cosine = math.sin(math.radians(angle)), math.cos(math.radians(angle))
        return Vec3(point.x * cosine + point.z * sine, point.y, point.z * cosine - point.x * sine)


def axes_of(receptacle: ObjectState) -> Axes:
    """The axes of a receptacle, at most an eighth of a turn away from the room's; the room's for one that is square."""
    angle = (receptacle.rotation.y + 45.0) % 90.0 - 45.0
    return Axes(angle if abs(angle) >= _SQUARE else 0.0)
