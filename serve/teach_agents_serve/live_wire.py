"""What live sessions and their clients send each other, as typed JSON (see docs/serving.md)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, TypeAdapter, WithJsonSchema, field_validator

from teach_agents.actions import ACTION_TYPES, Action, Role
from teach_agents.core.json_types import JsonObject
from teach_agents.live import HUMAN, PACE_S, REPLY_S

_Words = Annotated[str, Field(max_length=2000)]
SMALLEST, LARGEST = 64, 1024
"""Pixels a side of a picture that may be asked for."""
ViewName = Literal["view", "follower_view", "target_view", "target_lit", "overhead", "map"]
"""Pictures; "overhead" is the room from above, "map" the same with everybody's marks on it."""
Place = Literal["commander", "follower", "watch"]
_Name = Annotated[str, Field(max_length=256)]
_Seconds = Annotated[float, Field(ge=0, le=60)]


class _Asked(BaseModel):
    """What clients send: nothing unknown, and nothing that only looks like the right type."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)


class _Told(BaseModel):
    model_config = ConfigDict(frozen=True)


def _whole(value: object) -> object:
    """JSON knows 300.0 for a whole number too."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


class NewSession(_Asked):
    """A session to be: a `task` in a `room` that `seed` furnishes, a `room` to explore, or a `game`'s beginning.

    Without a room it is in the first there is, without a simulator on the server's first.
    `commander` and `follower` are "human", an agent's name of `/v1/live/options`, or the address of an agent's server
    on a host that the operator allowed. An agent waits `pace_s` seconds at least between two actions, leaves a person
    `reply_s` seconds to react to its words before it says more, and sees pictures of `view_size` pixels a side.
    """

    task: _Name | None = None
    params: Annotated[list[_Name], Field(max_length=16)] = []
    room: _Name | None = None
    game: _Name | None = None
    seed: Annotated[int, Field(ge=0, lt=1 << 31), BeforeValidator(_whole)] = 0
    commander: _Name = HUMAN
    follower: _Name = HUMAN
    pace_s: _Seconds = PACE_S
    reply_s: _Seconds = REPLY_S
    view_size: Annotated[int, Field(ge=SMALLEST, le=900), BeforeValidator(_whole)] = 300
    simulator: _Name | None = None


class LiveKeys(_Told):
    """The secrets of a session, one for each place; told once."""

    commander: str
    follower: str
    watch: str


class Created(_Told):
    """A session is there. `links` lead each place's holder to its page."""

    id: str
    keys: LiveKeys
    links: dict[Place, str]


class SessionReply(_Told):
    """A session as the holder of one of its keys may know it; `you` is the chair of the key, `None` for who looks on.

    `title` (the task in words, or that there is none), `task`, `task_name`, `params`, `game` and `seed` are empty for
    the Follower while the session goes on, `success` for everybody. `present` are the chairs with somebody connected,
    `watching` is how many others are. `sends_to` names who is sent what is said, where an agent does not run on the
    server's machine; `recorded` is whether the session is kept on the disk. Times are seconds since 1970. `last` is the
    number of the last event so far, `None` where the session is not in memory.
    """

    id: str
    you: Role | None
    status: Literal["running", "paused", "ended", "asleep"]
    title: str | None
    task: str | None
    task_name: str | None
    params: list[str]
    game: str | None
    seed: int | None
    room: str
    chairs: dict[Role, str]
    simulator: str
    view_size: int
    pace_s: float
    present: list[Role]
    watching: int
    turns: int
    utterances: int
    created: float
    ended: float | None
    reason: str
    success: bool | None
    last: int | None
    sends_to: str
    recorded: bool


class Listed(_Told):
    """The sessions of this server, newest first."""

    sessions: list[SessionReply]


class LiveAction(_Asked):
    """What a person does: clicks are fractions of the Follower's picture, from its upper left corner."""

    name: Annotated[str, WithJsonSchema({"type": "string", "enum": list(ACTION_TYPES)})]
    x: float | None = None
    y: float | None = None
    utterance: _Words = ""
    query: _Words = ""

    def action(self) -> Action:
        """The action. Raises `ActionError` where it is none: a click outside the picture, words for a motion."""
        return Action.from_json(self.model_dump(exclude_defaults=True))


class ActRequest(_Asked):
    """What a person does: the chair is that of the key."""

    action: LiveAction


class LiveEventReply(_Told):
    """Something that happened, as the place of the key may know it."""

    seq: int
    time_ms: int
    kind: str
    role: Role | None
    data: JsonObject


class TargetReply(_Told):
    """An object that a click would act on, by which actions: where to click, the box around what is seen of it.

    Fractions of the Follower's picture, from its upper left corner.
    """

    object_id: str
    object_type: str
    x: float
    y: float
    box: list[float]
    actions: list[str]


class Targets(_Told):
    """The objects in view that an action would work on, as far as that can be seen."""

    targets: list[TargetReply]


class _Named(_Told):
    name: str


class TaskExample(_Told):
    """Parameters that go well together, the task in words with them, and the kinds of room for it."""

    params: list[str]
    words: str
    rooms: list[str]


class ParameterChoice(_Named):
    """A parameter of a task: its name in the task's description, and what may stand for it.

    `choices` are suggestions; of an "object" any of `object_types` and `object_classes` may do.
    """

    meaning: str
    kind: Literal["object", "count", "choice", "text"]
    default: str
    choices: list[str]


class TaskChoice(_Named):
    """A task: what is to be done, its parameters, and some that go well together."""

    description: str
    params: list[ParameterChoice]
    examples: list[TaskExample]


class AgentChoice(_Named):
    """An agent, as requests name it, or "human"."""

    description: str


class RoomChoice(_Named):
    """A room, its kind, and its number in iTHOR."""

    kind: str
    number: int


class GameChoice(_Named):
    """A recorded game, by its id."""


class Options(_Told):
    """What sessions can be made of."""

    version: str
    token_needed: bool
    agents: dict[Role, list[AgentChoice]]
    allowed_hosts: list[str]
    tasks: list[TaskChoice]
    object_types: list[str]
    object_classes: list[str]
    rooms: list[RoomChoice]
    games: list[GameChoice]
    simulators: list[str]
    limits: dict[str, float]


class Mark(_Told):
    """A place on the overhead picture, as fractions to the right and down; degrees clockwise from straight up."""

    who: Role
    x: float
    y: float
    yaw: float


class MapExtents(_Told):
    """What the overhead picture shows: so many metres to every side of a place."""

    x: float
    z: float
    half: float


class ReplayTurn(_Told):
    """One executed action of a session that is over, whose turns count from 0: when, whose, what came of it."""

    turn: int
    time_ms: int
    role: Role
    action: JsonObject | None
    success: bool
    message: str
    marks: list[Mark]


class Replay(_Told):
    """A session that is over, to be looked through. Picture n shows it after n turns, picture 0 as it began."""

    id: str
    task: str | None
    room: str
    success: bool | None
    reason: str
    duration_ms: int
    map: MapExtents
    views: list[ViewName]
    turns: list[ReplayTurn]
    events: list[LiveEventReply]


class ActMessage(_Asked):
    """Through a socket: act. `id` is the client's own, once for everything it does; the answer carries it too."""

    type: Literal["act"]
    id: Annotated[str, Field(min_length=1, max_length=128)]
    action: LiveAction


class ViewsMessage(_Asked):
    """Through a socket: the pictures that are wanted from now on, with their sizes; 0 is none."""

    type: Literal["views"]
    views: dict[ViewName, Annotated[int, Field(ge=0, le=LARGEST)]]

    @field_validator("views")
    @classmethod
    def _sized(cls, views: dict[ViewName, int]) -> dict[ViewName, int]:
        for size in views.values():
            if 0 < size < SMALLEST:
                raise ValueError(f"pictures have at least {SMALLEST} pixels a side")
        return views


class PingMessage(_Asked):
    """Through a socket: is anybody there?"""

    type: Literal["ping"]


from_socket: TypeAdapter[ActMessage | ViewsMessage | PingMessage] = TypeAdapter(
    Annotated[ActMessage | ViewsMessage | PingMessage, Field(discriminator="type")]
)
"""Reads a message of a client's socket."""
