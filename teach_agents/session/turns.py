"""One executed turn of a household session, as the record keeps it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from teach_agents.actions import ActionResult
from teach_agents.core.session.turns import Done as CoreDone
from teach_agents.core.session.turns import TurnRecord as CoreTurnRecord
from teach_agents.core.values import Event
from teach_agents.observations import Pose, Vec3
from teach_agents.tasks import Progress

GOALS = "goals"
"""The kind of event that says that the task's goal conditions have changed."""


@dataclass(frozen=True, slots=True)
class Done(CoreDone):
    """What one role did in a turn; its trace holds the role's pose right after it."""

    @property
    def pose(self) -> Pose:
        """The role's own pose when it had acted: nobody else moves it."""
        return pose_from_json(self.trace["pose"])

    def to_json(self) -> dict[str, Any]:
        """As a turn's line has it, without the thought."""
        from teach_agents.session.format import TEACH_FORMAT

        return TEACH_FORMAT.done_to_json(self)

    @property
    def told(self) -> ActionResult:
        """The result as the role is told: with the hint."""
        result: ActionResult = self.result
        if not self.hint:
            return result
        return replace(result, help=" ".join(filter(None, (result.help, self.hint))))


@dataclass(frozen=True, slots=True)
class Goals:
    """Goal conditions at one moment."""

    success: bool
    total: int
    satisfied: int

    def to_json(self) -> dict[str, Any]:
        """The JSON form, by the names that results use."""
        return {
            "success": self.success,
            "goal_conditions_total": self.total,
            "goal_conditions_satisfied": self.satisfied,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Goals:
        """Read `to_json`'s form."""
        return cls(data["success"], data["goal_conditions_total"], data["goal_conditions_satisfied"])


def goals_of(progress: Progress) -> Goals:
    """The counts of a progress check."""
    return Goals(progress.success, progress.goal_conditions_total, progress.goal_conditions_satisfied)


@dataclass(frozen=True, slots=True)
class TurnRecord(CoreTurnRecord):
    """A turn that both roles have carried out."""

    def to_json(self) -> dict[str, Any]:
        """The record's line."""
        from teach_agents.session.format import TEACH_FORMAT

        return TEACH_FORMAT.turn_to_json(self)

    @property
    def goals(self) -> Goals | None:
        """The goal conditions, where they changed."""
        return next((Goals.from_json(one.data) for one in self.events if one.kind == GOALS), None)


def goals_event(goals: Goals) -> Event:
    """The event that says what the goal conditions are now."""
    return Event(GOALS, goals.to_json())


def traced(pose: Pose) -> dict[str, Any]:
    """The trace of what a role did that stands at a pose now."""
    return {"pose": pose_to_json(pose)}


def pose_to_json(pose: Pose) -> list[Any]:
    """`[x, y, z, yaw, horizon, standing]`."""
    return [*pose.position, pose.yaw, pose.horizon, pose.standing]


def pose_from_json(values: list[Any]) -> Pose:
    """Read `pose_to_json`'s form."""
    x, y, z, yaw, horizon, standing = values
    return Pose(Vec3(x, y, z), yaw, horizon, standing)
