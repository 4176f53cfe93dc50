"""What was done in a recorded session: one typed value per kind of TEACh interaction (specification 1.6).

TEACh's "Driver" (agent_id 1) is `Role.FOLLOWER` here; the translation happens in this module and nowhere else.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, Self

from teach_agents.actions import ACTION_TYPES, ActionKind, ActionType, Role
from teach_agents.core.json_types import JsonMapping
from teach_agents.data.fields import Fields, FileValue, Key
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


def _role(fields: Fields, key: str) -> Role:
    agent = fields.integer(key)
    if agent not in _BY_AGENT:
        raise fields.refuse(key, "names no agent", agent, ("0 (Commander)", "1 (Driver)"))
    return _BY_AGENT[agent]


def _action(fields: Fields, key: str) -> str:
    action_id = fields.integer(key)
    if action_id not in _BY_ID:
        raise fields.refuse(key, "names no action", action_id, [*map(str, sorted(_BY_ID))])
    return _BY_ID[action_id].name


def _six_numbers(fields: Fields, key: str) -> tuple[float, ...]:
    values = fields.numbers(key)
    if len(values) != 6:
        raise fields.refuse(key, "must hold six numbers", list(values))
    return values


def _dialogue_acts(fields: Fields, key: str) -> JsonMapping:
    acts = fields.mapping(key)
    for name in ("text_segments", "das"):
        fields.object(key).optional(name, Fields.texts)
    return acts


class DialogueAct(NamedTuple):
    """A stretch of an utterance and what it does, as annotators labelled it, for example `Instruction`."""

    segment: str
    act: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Interaction(FileValue):
    """One recorded action. Kinds with data of their own are subclasses; this class itself stands for camera changes.

    `action` is a name of TEACh's action table. `time_start` is in seconds since the session began. `success` is
    `None` where the file says null; for OpenProgressCheck it says whether the task was complete at that moment.
    `extra` holds keys this reader does not know, as they were.
    """

    role: Role
    action: str
    time_start: float
    duration: float = 1
    success: bool | None
    extra: JsonMapping = field(default_factory=dict)
    keys = {
        "role": Key("agent_id", _role, lambda role: role.agent_id),
        "action": Key("action_id", _action, lambda name: ACTION_TYPES[name].action_id),
        "duration": Key(required=True),
    }

    @classmethod
    def from_fields(cls, fields: Fields) -> Self:
        """Read one record of `interactions`, of any kind. Raises `GameFileError` for an unknown agent or action too."""
        _role(fields, "agent_id")
        kind = _KINDS[ACTION_TYPES[_action(fields, "action_id")].kind]
        return kind.read(fields)  # type: ignore[return-value]  # of the kind that the action is of

    @property
    def type(self) -> ActionType:
        """The row of the action table."""
        return ACTION_TYPES[self.action]


@dataclass(frozen=True, slots=True, kw_only=True)
class Motion(Interaction):
    """A step, turn or look. `values` are the file's six pose numbers after it, all zero for the Commander."""

    pose_delta: tuple[float, ...]
    values: tuple[float, ...]
    keys = {"values": Key("pose", _six_numbers)}

    @property
    def pose(self) -> Pose | None:
        """Where the body stands after the motion; `None` where the file holds only zeros (Commander)."""
        return pose_from_values(self.values) if any(self.values) else None


@dataclass(frozen=True, slots=True, kw_only=True)
class ObjectInteraction(Interaction):
    """A click with an object action.

    `x`, `y` are fractions of the frame (x right, y down); clicks outside the frame occur. `object_id` is what was
    acted upon, `None` after a failure.
    """

    x: float
    y: float
    object_id: str | None
    keys = {"object_id": Key("oid")}


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgressCheck(Interaction):
    """The Commander's questions: `query` is empty, an objectId (SelectOid) or free words (SearchObject)."""

    query: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Keyboard(Interaction):
    """Something typed. The three annotations are `None` where the file lacks them."""

    utterance: str
    is_corrected: bool | None = None
    corrected_utterance: str | None = None
    da_metadata: JsonMapping | None = None
    keys = {"da_metadata": Key(read=_dialogue_acts)}

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


@dataclass(frozen=True, slots=True, kw_only=True)
class MapGoal(Interaction):
    """A walk asked for on the top-down map; coordinates are fractions of the map."""

    start_x: float
    start_y: float
    end_x: float
    end_y: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Audio(Interaction):
    """Speech or a beep; neither occurs in the released games."""

    utterance: str | None = None
    file_name: str | None = None


_KINDS: Mapping[ActionKind, type[Interaction]] = {
    ActionKind.MOTION: Motion,
    ActionKind.OBJECT: ObjectInteraction,
    ActionKind.PROGRESS: ProgressCheck,
    ActionKind.KEYBOARD: Keyboard,
    ActionKind.MAP_GOAL: MapGoal,
    ActionKind.AUDIO: Audio,
    ActionKind.CAMERA: Interaction,
}


interaction_from_json = Interaction.from_fields
