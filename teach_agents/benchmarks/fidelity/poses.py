"""When the body stands where it was recorded to stand."""

from __future__ import annotations

from teach_agents.observations import Pose

_METRES = 0.05
_DEGREES = 1.0


def same_pose(ours: Pose, recorded: Pose) -> bool:
    """Whether two poses are one: within 5 cm and one degree; steps are 25 cm, turns 90 and looks 30 degrees."""
    off = max(abs(a - b) for a, b in zip(ours.position, recorded.position, strict=True))
    turned = abs((ours.yaw - recorded.yaw + 180.0) % 360.0 - 180.0)
    return off <= _METRES and turned <= _DEGREES and abs(ours.horizon - recorded.horizon) <= _DEGREES
