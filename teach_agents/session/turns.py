"""One executed turn, as the record keeps it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from teach_agents.actions import Action, ActionResult, Role
from teach_agents.observations import Pose, Vec3

__all__ = ["Done", "Goals", "TurnRecord"]


@dataclass(frozen=True, slots=True)
class Done:
    """What one role did in a turn.

    `action` is `None` when the agent's answer was no action: the result then says what it was. `pose` is the role's
    own when the turn was over. `thought` is what the agent says of the thinking behind its answer, as
    `agents.thoughts.kept` leaves it; it takes no part in comparisons and stands apart in JSON.

    What dialogue hooks added: `chosen` is the agent's own choice where a hook made another `action` of it, `hint` is
    what the role is told besides the result, `dialogue_acts` label an utterance.
    """

    action: Action | None
    result: ActionResult
    time_ms: int
    pose: Pose
    thought: Mapping[str, Any] | None = field(default=None, compare=False)
    chosen: Action | None = None
    hint: str = ""
    dialogue_acts: tuple[str, ...] = ()

    @property
    def told(self) -> ActionResult:
        """The result as the role is told: with the hint."""
        if not self.hint:
            return self.result
        return replace(self.result, help=" ".join(filter(None, (self.result.help, self.hint))))

    def to_json(self) -> dict[str, Any]:
        """The JSON form, without the thought."""
        line: dict[str, Any] = {
            "action": None if self.action is None else self.action.to_json(),
            "result": self.result.to_json(),
            "time_ms": self.time_ms,
            "pose": pose_to_json(self.pose),
        }
        if self.chosen is not None:
            line["chosen"] = self.chosen.to_json()
        if self.hint:
            line["hint"] = self.hint
        if self.dialogue_acts:
            line["dialogue_acts"] = list(self.dialogue_acts)
        return line

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Done:
        """Read `to_json`'s form."""
        action = None if data["action"] is None else Action.from_json(data["action"])
        return cls(
            action,
            ActionResult(**data["result"]),
            int(data["time_ms"]),
            pose_from_json(data["pose"]),
            chosen=Action.from_json(data["chosen"]) if "chosen" in data else None,
            hint=str(data.get("hint", "")),
            dialogue_acts=tuple(map(str, data.get("dialogue_acts", ()))),
        )


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
class TurnRecord:
    """A turn that both roles have carried out.

    `state` is the digest of the household's state after it. `goals` is given where they changed.
    """

    turn: int
    done: Mapping[Role, Done]
    state: str
    goals: Goals | None = None

    @property
    def thoughts(self) -> dict[Role, Mapping[str, Any]]:
        """What agents say of the thinking behind this turn's answers, of those who say anything."""
        return {role: done.thought for role, done in self.done.items() if done.thought is not None}

    def to_json(self) -> dict[str, Any]:
        """The record's line."""
        line: dict[str, Any] = {"turn": self.turn, "state": self.state}
        line |= {role.value: done.to_json() for role, done in self.done.items()}
        if self.goals is not None:
            line["goals"] = self.goals.to_json()
        if thoughts := self.thoughts:
            line["thoughts"] = {role.value: dict(found) for role, found in thoughts.items()}
        return line

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> TurnRecord:
        """Read `to_json`'s form; raises `KeyError`, `TypeError` or `ValueError` for anything else."""
        goals = Goals.from_json(data["goals"]) if "goals" in data else None
        thoughts = data.get("thoughts", {})
        done = {role: replace(Done.from_json(data[role.value]), thought=thoughts.get(role.value)) for role in Role}
        return cls(int(data["turn"]), done, str(data["state"]), goals)


def pose_to_json(pose: Pose) -> list[Any]:
    """`[x, y, z, yaw, horizon, standing]`."""
    return [*pose.position, pose.yaw, pose.horizon, pose.standing]


def pose_from_json(values: list[Any]) -> Pose:
    """Read `pose_to_json`'s form."""
    x, y, z, yaw, horizon, standing = values
    return Pose(Vec3(x, y, z), yaw, horizon, standing)
