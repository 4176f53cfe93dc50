"""What was done in a turn of a household session, as the record keeps it; how a session ended."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from teach_agents.actions import ActionResult, Role
from teach_agents.core.session.result import Done as CoreDone
from teach_agents.core.session.result import Outcome
from teach_agents.core.session.result import TurnRecord as CoreTurnRecord
from teach_agents.observations import Pose, Privilege, Vec3
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


class EndReason(StrEnum):
    """Why a session ended."""

    FINISHED = "finished"
    """The Commander chose Finish."""
    STOPPED = "stopped"
    """The Follower chose Stop."""
    ENDED = "ended"
    """Whoever keeps a live session ended it."""
    TURN_LIMIT = "turn_limit"
    FAILURE_LIMIT = "failure_limit"
    TIMED_OUT = "timed_out"
    """An agent gave no answer in time."""
    CRASHED = "crashed"
    """An agent, a dialogue hook or the simulator raised."""

    @property
    def broken(self) -> bool:
        """Whether the session fails whatever state it left."""
        return self in (EndReason.TIMED_OUT, EndReason.CRASHED)


_KEYS = (
    *("session_id", "scenario_id", "task", "task_params", "seed", "simulator", "agents", "privileges", "success"),
    *("end_reason", "reason", "initial_progress", "progress", "turns", "actions", "utterances", "failures"),
    *("provenance", "hooks", "dialogue_acts", "details"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionResult(Outcome[Role]):
    """The outcome of a session: `progress` is the check of the final state, `initial_progress` of the first."""

    privileges: Mapping[Role, frozenset[Privilege]]
    end_reason: EndReason
    scenario_id: str
    task: str
    task_params: tuple[str, ...]
    simulator: str
    initial_progress: Progress
    progress: Progress

    def keys(self) -> Iterable[str]:
        """As records have them from the first; strangers only where somebody spoke."""
        return (*_KEYS, *(("strangers",) if self.strangers else ()))

    def part_to_json(self, name: str) -> Any:
        """The same; progress as goal-condition counts."""
        value = getattr(self, name)
        return counts_of(value) if isinstance(value, Progress) else super(SessionResult, self).part_to_json(name)


def counts_of(progress: Progress) -> dict[str, Any]:
    """Goal conditions by the names that results use."""
    return Goals(progress.success, progress.goal_conditions_total, progress.goal_conditions_satisfied).to_json()
