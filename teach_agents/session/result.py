"""What was done in a turn of a household session, as the record keeps it; how a session ended."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from teach_agents.actions import ActionResult, Role
from teach_agents.core.session.result import Done as CoreDone
from teach_agents.core.session.result import TurnRecord as CoreTurnRecord
from teach_agents.core.values import Event
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


@dataclass(frozen=True, slots=True)
class SessionResult:
    """The outcome of a session.

    `success` is the final state's, and false for a session that crashed or timed out. `progress` is the check of the
    final state, `initial_progress` of the first. `actions` counts what each role did apart from NoOp, Finish and Stop
    included; `failures` the failed actions, answers that were no action included. `agents` are SPECs, or class names of
    agents made in Python, `provenance` what else their answers depend on. `hooks` are the dialogue hooks by SPEC or
    class with what each notes at the end, `dialogue_acts` counts those that hooks named. `strangers` are the names of
    those who spoke into it from neither chair: such a session enters no comparison. `details` holds the traceback
    of a crash. `wall_s` is the real time the session took and the only part that differs between two runs of the same
    session; the record leaves it out.
    """

    session_id: str
    scenario_id: str
    task: str
    task_params: tuple[str, ...]
    seed: int
    simulator: str
    agents: Mapping[Role, str]
    privileges: Mapping[Role, frozenset[Privilege]]
    success: bool
    end_reason: EndReason
    reason: str
    initial_progress: Progress
    progress: Progress
    turns: int
    actions: Mapping[Role, int]
    utterances: Mapping[Role, int]
    failures: Mapping[Role, int]
    provenance: Mapping[Role, Mapping[str, str]] = field(default_factory=lambda: dict.fromkeys(Role, {}))
    hooks: tuple[tuple[str, Mapping[str, Any]], ...] = ()
    dialogue_acts: Mapping[Role, Mapping[str, int]] = field(default_factory=lambda: {role: {} for role in Role})
    strangers: tuple[str, ...] = ()
    details: str = ""
    wall_s: float = 0.0

    def to_json(self, *, timed: bool = True) -> dict[str, Any]:
        """The result as JSON; progress as goal-condition counts, privileges sorted, without `wall_s` unless `timed`."""
        full = {
            "session_id": self.session_id,
            "scenario_id": self.scenario_id,
            "task": self.task,
            "task_params": list(self.task_params),
            "seed": self.seed,
            "simulator": self.simulator,
            "agents": _by_role(self.agents),
            "privileges": {role.value: sorted(found) for role, found in self.privileges.items()},
            "success": self.success,
            "end_reason": self.end_reason.value,
            "reason": self.reason,
            "initial_progress": counts_of(self.initial_progress),
            "progress": counts_of(self.progress),
            "turns": self.turns,
            "actions": _by_role(self.actions),
            "utterances": _by_role(self.utterances),
            "failures": _by_role(self.failures),
            "provenance": {role.value: dict(found) for role, found in self.provenance.items()},
            "hooks": [{"name": name, "notes": dict(notes)} for name, notes in self.hooks],
            "dialogue_acts": {role.value: dict(found) for role, found in self.dialogue_acts.items()},
            "details": self.details,
        }
        if self.strangers:
            full["strangers"] = list(self.strangers)
        return {**full, "wall_s": round(self.wall_s, 3)} if timed else full


def _by_role(values: Mapping[Role, Any]) -> dict[str, Any]:
    return {role.value: value for role, value in values.items()}


def counts_of(progress: Progress) -> dict[str, Any]:
    """Goal conditions by the names that results use."""
    return {
        "success": progress.success,
        "goal_conditions_total": progress.goal_conditions_total,
        "goal_conditions_satisfied": progress.goal_conditions_satisfied,
    }
