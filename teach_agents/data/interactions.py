"""What was done in a recorded session: one typed value per kind of TEACh interaction (specification 1.6).

TEACh's "Driver" (agent_id 1) is `Role.FOLLOWER` here; the translation happens in this module and nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from teach_agents.actions import ACTION_TYPES, ActionKind, ActionType, Role
from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.data.fields import Fields
from teach_agents.observations import Pose, Vec3

_BY_ID: Mapping[int, ActionType] = {row.action_id: row for row in ACTION_TYPES.values() if row.index >= 0}
_BY_AGENT: Mapping[int, Role] = {role.agent_id: role for role in Role}


def pose_from_values(values: tuple[float, ...]) -> Pose:
    """The pose behind a motion's six numbers: [z, -x, y, 0, horizon, -yaw] in AI2-THOR's frame (specification 1.6)."""
    z, minus_x, y, _, horizon, minus_yaw = values
    return Pose(Vec3(0.0 - minus_x, y, z), yaw=(0.0 - minus_yaw) % 360.0, horizon=horizon)


def pose_to_values(pose: Pose) -> tuple[float, ...]:
    """The inverse of `pose_from_values`; yaw becomes one of 0 ... -360 (exclusive)."""
    x, y, z = pose.position
    return (z, 0.0 - x, y, 0, pose.horizon, 0.0 - pose.yaw % 360.0)


class DialogueAct(NamedTuple):
    """A stretch of an utterance and what it does, as annotators labelled it, for example `Instruction`."""

    segment: str
    act: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Interaction:
    """One recorded action. Kinds with data of their own are subclasses; this class itself stands for camera changes.

    `action` is a name of TEACh's action table. `time_start` is in seconds since the session began. `success` is
    `None` where the file says null; for OpenProgressCheck it says whether the task was complete at that moment.
    `extra` holds keys this reader does not know, as they were.
    """

    role: Role
    action: str
    time_start: float
    success: bool | None
    duration: float = 1
    extra: JsonMapping = field(default_factory=dict)

    @property
    def type(self) -> ActionType:
        """The row of the action table."""
        return ACTION_TYPES[self.action]

    def details(self) -> JsonObject:
        """The JSON keys of this kind, in TEACh's order."""
        return {}

    def to_json(self) -> JsonObject:
        """The record as in a game file, with its keys in TEACh's order; unknown keys last."""
        return {
            "agent_id": self.role.agent_id,
            "action_id": self.type.action_id,
            "time_start": self.time_start,
            "duration": self.duration,
            "success": None if self.success is None else int(self.success),
            **self.details(),
            **self.extra,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Motion(Interaction):
    """A step, turn or look. `values` are the file's six pose numbers after it, all zero for the Commander."""

    pose_delta: tuple[float, ...]
    values: tuple[float, ...]

    @property
    def pose(self) -> Pose | None:
        """Where the body stands after the motion; `None` where the file holds only zeros (Commander)."""
        return pose_from_values(self.values) if any(self.values) else None

    def details(self) -> JsonObject:
        """`pose_delta` and `pose`."""
        return {"pose_delta": list(self.pose_delta), "pose": list(self.values)}


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectInteraction(Interaction):
    """A click with an object action.

    `x`, `y` are fractions of the frame (x right, y down); clicks outside the frame occur. `object_id` is what was
    acted upon, `None` after a failure.
    """

    x: float
    y: float
    object_id: str | None

    def details(self) -> JsonObject:
        """`x`, `y` and `oid`."""
        return {"x": self.x, "y": self.y, "oid": self.object_id}


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgressCheck(Interaction):
    """The Commander's questions: `query` is empty, an objectId (SelectOid) or free words (SearchObject)."""

    query: str

    def details(self) -> JsonObject:
        """`query`."""
        return {"query": self.query}


@dataclass(frozen=True, slots=True, kw_only=True)
class Keyboard(Interaction):
    """Something typed. The three annotations are `None` where the file lacks them."""

    utterance: str
    is_corrected: bool | None = None
    corrected_utterance: str | None = None
    da_metadata: JsonMapping | None = None

    @property
    def corrected(self) -> str:
        """The utterance with its spelling put right where annotators did so, else as typed."""
        return self.utterance if self.corrected_utterance is None else self.corrected_utterance

    @property
    def dialogue_acts(self) -> tuple[DialogueAct, ...]:
        """The labelled stretches; labels begin with a capital whatever the file's case."""
        metadata = self.da_metadata or {}
        pairs = zip(metadata.get("text_segments") or (), metadata.get("das") or (), strict=False)
        return tuple(DialogueAct(segment, act[:1].upper() + act[1:]) for segment, act in pairs if act)

    def details(self) -> JsonObject:
        """`utterance` and those annotations that exist."""
        full = {
            "utterance": self.utterance,
            "is_corrected": None if self.is_corrected is None else int(self.is_corrected),
            "corrected_utterance": self.corrected_utterance,
            "da_metadata": self.da_metadata,
        }
        return {key: value for key, value in full.items() if value is not None}


@dataclass(frozen=True, slots=True, kw_only=True)
class MapGoal(Interaction):
    """A walk asked for on the top-down map; coordinates are fractions of the map."""

    start_x: float
    start_y: float
    end_x: float
    end_y: float

    def details(self) -> JsonObject:
        """The four coordinates."""
        return {"start_x": self.start_x, "start_y": self.start_y, "end_x": self.end_x, "end_y": self.end_y}


@dataclass(frozen=True, slots=True, kw_only=True)
class Audio(Interaction):
    """Speech or a beep; neither occurs in the released games."""

    utterance: str | None = None
    file_name: str | None = None

    def details(self) -> JsonObject:
        """`utterance` and `file_name`, where given."""
        full = {"utterance": self.utterance, "file_name": self.file_name}
        return {key: value for key, value in full.items() if value is not None}


def _read_motion(fields: Fields, common: JsonObject) -> Interaction:
    values = fields.numbers("pose")
    if len(values) != 6:
        raise fields.refuse("pose", "must hold six numbers", list(values))
    delta = fields.numbers("pose_delta")
    return Motion(**common, pose_delta=delta, values=values, extra=fields.rest())


def _read_object(fields: Fields, common: JsonObject) -> Interaction:
    x, y, oid = fields.number("x"), fields.number("y"), fields.text_or_none("oid")
    return ObjectInteraction(**common, x=x, y=y, object_id=oid, extra=fields.rest())


def _read_progress(fields: Fields, common: JsonObject) -> Interaction:
    return ProgressCheck(**common, query=fields.text("query"), extra=fields.rest())


def _read_keyboard(fields: Fields, common: JsonObject) -> Interaction:
    metadata = fields.mapping("da_metadata") if fields.has("da_metadata") else None
    if metadata is not None:
        inner = fields.object("da_metadata")
        for key in ("text_segments", "das"):
            if inner.has(key):
                inner.texts(key)
    return Keyboard(
        **common,
        utterance=fields.text("utterance"),
        is_corrected=fields.flag("is_corrected") if fields.has("is_corrected") else None,
        corrected_utterance=fields.text("corrected_utterance") if fields.has("corrected_utterance") else None,
        da_metadata=metadata,
        extra=fields.rest(),
    )


def _read_map_goal(fields: Fields, common: JsonObject) -> Interaction:
    common |= {key: fields.number(key) for key in ("start_x", "start_y", "end_x", "end_y")}
    return MapGoal(**common, extra=fields.rest())


def _read_audio(fields: Fields, common: JsonObject) -> Interaction:
    common |= {key: fields.text(key) for key in ("utterance", "file_name") if fields.has(key)}
    return Audio(**common, extra=fields.rest())


def _read_bare(fields: Fields, common: JsonObject) -> Interaction:
    return Interaction(**common, extra=fields.rest())


_READERS: Mapping[ActionKind, Callable[[Fields, JsonObject], Interaction]] = {
    ActionKind.MOTION: _read_motion,
    ActionKind.OBJECT: _read_object,
    ActionKind.PROGRESS: _read_progress,
    ActionKind.KEYBOARD: _read_keyboard,
    ActionKind.MAP_GOAL: _read_map_goal,
    ActionKind.AUDIO: _read_audio,
    ActionKind.CAMERA: _read_bare,
}


def interaction_from_json(fields: Fields) -> Interaction:
    """Read one record of `interactions`. Raises `GameFileError` for an unknown agent or action, or a bad value."""
    agent, action_id = fields.integer("agent_id"), fields.integer("action_id")
    if agent not in _BY_AGENT:
        raise fields.refuse("agent_id", "names no agent", agent, ("0 (Commander)", "1 (Driver)"))
    row = _BY_ID.get(action_id)
    if row is None:
        raise fields.refuse("action_id", "names no action", action_id, [str(known) for known in sorted(_BY_ID)])
    common: JsonObject = {
        "role": _BY_AGENT[agent],
        "action": row.name,
        "time_start": fields.number("time_start"),
        "success": fields.flag_or_none("success"),
        "duration": fields.number("duration"),
    }
    return _READERS[row.kind](fields, common)
