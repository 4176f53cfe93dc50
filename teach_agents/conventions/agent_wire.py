"""What a server of agents and its clients send each other, as typed JSON (see docs/serving.md).

A client opens a session at `POST /v1/sessions`, has the agent act at `POST /v1/sessions/{id}/act`, and closes it. An
agent that recalls may be told first, at `POST /v1/sessions/{id}/recall`, what somebody observed before it. Every
request may carry a key in the header `Idempotency-Key`: the same key again gets the same answer and is never acted on a
second time.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    PlainSerializer,
    PlainValidator,
    ValidationInfo,
    WithJsonSchema,
)
from pydantic_core import PydanticCustomError

from teach_agents.actions import ACTION_TYPES, Action, ActionResult, Role
from teach_agents.core.json_types import JsonObject
from teach_agents.session.codec import TEACH

KEY_HEADER = "Idempotency-Key"
PICTURES = ("view", "follower_view", "target_view", "target_lit", "overhead")
"""The pictures of an observation."""

_Dimension = Annotated[int, Field(ge=0, le=1 << 16)]
_Picture = Annotated[str | None, Field(description="A JPEG or PNG file in base64.")]
_Short = Annotated[str, Field(max_length=256)]
_SMALL = 1 << 53
_ACTION = {
    "type": "object",
    "required": ["name"],
    "additionalProperties": False,
    "properties": {
        "name": {"type": "string", "enum": list(ACTION_TYPES)},
        "x": {"type": "number"},
        "y": {"type": "number"},
        "utterance": {"type": "string"},
        "query": {"type": "string"},
    },
}
_ROLE = {"type": "string", "enum": [*map(str, Role)]}
_RESULT = {
    "type": "object",
    "required": ["success"],
    "additionalProperties": False,
    "properties": {
        "success": {"type": "boolean"},
        "message": {"type": "string"},
        "help": {"type": "string"},
        "object_id": {"type": "string"},
        "reply": {"type": "object"},
    },
}


def _action(value: object) -> Action:
    return value if isinstance(value, Action) else Action.from_json(value)


def _result(value: object) -> ActionResult:
    return value if isinstance(value, ActionResult) else TEACH.result_from_json(value)


WireAction = Annotated[Action, PlainValidator(_action), PlainSerializer(Action.to_json)]
WireResult = Annotated[ActionResult, PlainValidator(_result), PlainSerializer(ActionResult.to_json)]
StatedAction = Annotated[WireAction, WithJsonSchema(_ACTION)]
"""`Action`, with the names there are."""


class _Wire(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class WirePose(_Wire):
    """`Pose`: metres, degrees."""

    position: tuple[float, float, float]
    yaw: float
    horizon: float
    standing: bool = True


class WireUtterance(_Wire):
    """`Utterance`."""

    speaker: Role
    text: str
    time_ms: int = 0


class WireArray(_Wire):
    """Numbers of pixels, H x W, little-endian, row by row, packed by zlib, in base64."""

    dtype: Literal["int32", "float32"]
    shape: tuple[_Dimension, _Dimension]
    zlib: str


class WireSegmentation(_Wire):
    """`Segmentation`: `ids` index `object_ids`, -1 is no object."""

    ids: WireArray
    object_ids: list[str]


class WireObjects(_Wire):
    """The objects of the room; only what has changed since the last observation of the session needs to be sent.

    `rows` are new or changed objects, as AI2-THOR's metadata with an `objectId`. `order` lists the ids of all there
    are now, in their order; without it they are those of the last observation, or in the first of `rows`. `now` holds,
    by id, what is otherwise at the moment than the row says: `visible`, `distance` and the like.
    """

    rows: list[JsonObject] = []
    order: list[str] | None = None
    now: dict[str, JsonObject] = {}


class WireObservation(_Wire):
    """`Observation`, as the role of the session has it.

    `dialogue` are the utterances from number `dialogue_from` on: all of them with 0, else those that the session has
    not been sent yet. In a multipart request this is the part `observation`, and pictures are parts of their own names.
    """

    turn: Annotated[int, Field(ge=0, lt=_SMALL)]
    pose: WirePose
    view: _Picture = None
    follower_view: _Picture = None
    target_view: _Picture = None
    target_lit: _Picture = None
    overhead: _Picture = None
    dialogue: list[WireUtterance] = []
    dialogue_from: Annotated[int, Field(ge=0, lt=_SMALL)] = 0
    last_action: StatedAction | None = None
    last_result: Annotated[WireResult, WithJsonSchema(_RESULT)] | None = None
    segmentation: WireSegmentation | None = None
    depth: WireArray | None = None
    objects: WireObjects | None = None
    reachable: list[tuple[float, float]] | None = None


def _known_seat(seat: str, info: ValidationInfo) -> str:
    if info.data.get("world") is None and seat not in list(Role):
        raise PydanticCustomError("enum", "Input should be 'commander' or 'follower'")
    return seat


class OpenRequest(_Wire):
    """Begin a session: what the agent is told in its `Briefing`, `role` being its seat.

    `world` and `world_version` say whose values will be sent; without a world it is TEACh's, with its two roles.
    """

    world: _Short | None = None
    world_version: int | None = None
    role: Annotated[_Short, WithJsonSchema(_ROLE), AfterValidator(_known_seat)]
    session_id: _Short = ""
    seed: Annotated[int, Field(ge=0, lt=1 << 64)] = 0
    resumed: bool = False
    state: JsonObject | None = None
    person: bool | None = None


class AgentDescription(_Wire):
    """An agent that is served: what observations have to hold for it beyond pose, dialogue and results, whether it
    recalls what others observed before it, and whether, to take up a session, it has to act on all turns so far."""

    spec: str
    privileges: list[str]
    views: list[str]
    recalls: bool = False
    relives: bool = False
    distributes: bool = False


class Description(_Wire):
    """What a server offers: agents by seat of one world, TEACh's where none is named. `version` is the package's."""

    version: str
    world: str | None = None
    world_version: int | None = None
    agents: dict[str, AgentDescription]


class OpenReply(_Wire):
    """A session is open, and its agent ready."""

    id: str
    role: str
    privileges: list[str]
    views: list[str]
    provenance: dict[str, str] = {}


class RecallReply(_Wire):
    """The agent has taken in what somebody observed before it.

    `failed` says that the agent raised, or (`timed_out`) gave no answer in time, which ends the session.
    """

    failed: str = ""
    timed_out: bool = False


class ActReply(RecallReply):
    """What the agent answered: an action, or a `problem`, where what it answered was no action.

    `thought`, `provenance` and `usage` are what it says of its answer and itself, where it says anything.
    """

    action: Annotated[JsonObject, WithJsonSchema(_ACTION)] | None = None
    problem: str = ""
    thought: JsonObject | None = None
    provenance: dict[str, str] | None = None
    usage: JsonObject | None = None


class ReadReply(RecallReply):
    """Actions, each with how probable the agent is to do it."""

    chances: list[tuple[JsonObject, float]] = []


class CloseReply(_Wire):
    """Whether there was a session to close; closing what is closed is no error."""

    closed: bool


class Problem(_Wire):
    """Why a request was refused: `error` names the kind, `message` is for people."""

    error: str
    message: str
