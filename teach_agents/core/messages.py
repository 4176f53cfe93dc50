"""What travels on the bus of a session: frozen, typed messages, one payload per kind.

A message says which session it belongs to, who sent it to whom, its number among the sender's messages, when (session
milliseconds) and, where it is a request or a reply, the correlation that joins the two. `Message.model_dump_json`
writes it for a wire and `Message.model_validate_json` reads it back; only an `Observation`, which holds pictures that
are drawn when looked at, stays in memory and is absent from the text.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, InstanceOf, PlainSerializer, PlainValidator

from teach_agents.actions import Action, ActionResult, Role
from teach_agents.observations import Observation, Privilege

__all__ = [
    "ENVIRONMENT",
    "EVERYONE",
    "RECORDER",
    "ActionAnswered",
    "ActionExecuted",
    "AgentFailed",
    "BeginAsked",
    "BeginDone",
    "BeginWanted",
    "Dismissed",
    "EventHappened",
    "LineAsked",
    "LineKept",
    "Message",
    "ObservationAsked",
    "Payload",
    "ProgressChanged",
    "RecordAsked",
    "RecordFailed",
    "RecordTold",
    "SeatAsked",
    "SeatTold",
    "SessionBegan",
    "SessionEnded",
    "UtteranceSaid",
]

ENVIRONMENT = "environment"
"""The address of the session itself; the agents' addresses are their roles."""

RECORDER = "recorder"
"""The address of who keeps the record, where that is another process."""

EVERYONE = "*"
"""As a recipient: whoever listens. As an address to subscribe to: every message, whoever it is for."""


def _action(value: object) -> Action:
    return value if isinstance(value, Action) else Action.from_json(value)


def _result(value: object) -> ActionResult:
    if isinstance(value, ActionResult):
        return value
    if not isinstance(value, Mapping) or not isinstance(value.get("success"), bool):
        raise ValueError(f"an action result is a JSON object with a boolean 'success', got {value!r}")
    return ActionResult(**value)


WireAction = Annotated[Action, PlainValidator(_action), PlainSerializer(Action.to_json)]
WireResult = Annotated[ActionResult, PlainValidator(_result), PlainSerializer(ActionResult.to_json)]


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class SessionBegan(_Frozen):
    """The scene is loaded and the agents are about to be asked for the first time."""

    kind: Literal["session_began"] = "session_began"
    scenario_id: str
    task: str
    seed: int = 0
    resumed: bool = False


class BeginAsked(_Frozen):
    """Request to an agent's host: a session begins, forget the last one."""

    kind: Literal["begin_asked"] = "begin_asked"
    role: Role
    seed: int = 0
    resumed: bool = False


class BeginDone(_Frozen):
    """Reply: the agent is ready."""

    kind: Literal["begin_done"] = "begin_done"
    role: Role


class BeginWanted(_Frozen):
    """Reply: the agent knows nothing of this session, or not of the turns so far; it stands in for one that died."""

    kind: Literal["begin_wanted"] = "begin_wanted"
    role: Role


class SeatAsked(_Frozen):
    """Request to an agent's host: who are you, and how far?"""

    kind: Literal["seat_asked"] = "seat_asked"
    role: Role


class SeatTold(_Frozen):
    """Reply: the agent by its SPEC or class, what it reads, the pictures it looks at, what its answers depend on.

    `begun` says whether it was told of the session's beginning, `turn` which observation it answered last (-1: none).
    """

    kind: Literal["seat_told"] = "seat_told"
    role: Role
    spec: str
    privileges: tuple[Privilege, ...] = ()
    views: tuple[str, ...] = ()
    provenance: dict[str, str] = Field(default_factory=dict)
    begun: bool = False
    turn: int = -1


class ObservationAsked(_Frozen):
    """Request to an agent's host: what do you do now? The observation itself stays in memory."""

    kind: Literal["observation_asked"] = "observation_asked"
    turn: int
    role: Role
    observation: InstanceOf[Observation] | None = Field(default=None, exclude=True)


class ActionAnswered(_Frozen):
    """Reply: the agent's action, or `None` and the problem when what it answered is no action.

    `thought` is what the agent says of the thinking behind it, as JSON values; `provenance`, from another process, what
    its answers depend on, where that has changed.
    """

    kind: Literal["action_answered"] = "action_answered"
    turn: int
    role: Role
    action: WireAction | None = None
    problem: str = ""
    thought: dict[str, Any] | None = None
    provenance: dict[str, str] | None = None


class AgentFailed(_Frozen):
    """Reply: the agent raised, or gave no answer in time (`timed_out`)."""

    kind: Literal["agent_failed"] = "agent_failed"
    role: Role
    problem: str
    details: str = ""
    timed_out: bool = False


class ActionExecuted(_Frozen):
    """An action was carried out or refused."""

    kind: Literal["action_executed"] = "action_executed"
    turn: int
    role: Role
    action: WireAction | None
    result: WireResult


class UtteranceSaid(_Frozen):
    """Somebody spoke; the text is what the partner hears."""

    kind: Literal["utterance_said"] = "utterance_said"
    turn: int
    speaker: Role | str
    text: str


class ProgressChanged(_Frozen):
    """The task's goal conditions now differ from what they were."""

    kind: Literal["progress_changed"] = "progress_changed"
    turn: int
    success: bool
    goal_conditions_total: int
    goal_conditions_satisfied: int


class EventHappened(_Frozen):
    """Something happened in the world, by the world's own name for it."""

    kind: Literal["event_happened"] = "event_happened"
    turn: int
    event: str
    data: dict[str, Any] = Field(default_factory=dict)


class SessionEnded(_Frozen):
    """The session is over; `end_reason` is one of `teach_agents.session.EndReason`."""

    kind: Literal["session_ended"] = "session_ended"
    turns: int
    success: bool
    end_reason: str
    reason: str = ""


class RecordAsked(_Frozen):
    """Request to the recorder: what is there of this session's record?"""

    kind: Literal["record_asked"] = "record_asked"


class RecordTold(_Frozen):
    """Reply: the record's lines."""

    kind: Literal["record_told"] = "record_told"
    lines: tuple[str, ...] = ()


class LineAsked(_Frozen):
    """Request to the recorder: keep this as the line of that number, counted from 0."""

    kind: Literal["line_asked"] = "line_asked"
    number: int
    line: str


class LineKept(_Frozen):
    """Reply: the line is in the file."""

    kind: Literal["line_kept"] = "line_kept"
    number: int


class RecordFailed(_Frozen):
    """Reply: the record could not be kept or read."""

    kind: Literal["record_failed"] = "record_failed"
    problem: str


class Dismissed(_Frozen):
    """To a worker of another process: the session is over, and its record complete."""

    kind: Literal["dismissed"] = "dismissed"


Payload = Annotated[
    SessionBegan
    | BeginAsked
    | BeginDone
    | BeginWanted
    | SeatAsked
    | SeatTold
    | ObservationAsked
    | ActionAnswered
    | AgentFailed
    | ActionExecuted
    | UtteranceSaid
    | ProgressChanged
    | EventHappened
    | SessionEnded
    | RecordAsked
    | RecordTold
    | LineAsked
    | LineKept
    | RecordFailed
    | Dismissed,
    Field(discriminator="kind"),
]
"""Every payload, told apart by its `kind`."""


class Message(_Frozen):
    """One message.

    `sequence` counts the sender's messages within the session from 0. `time_ms` is the session's clock. `correlation`
    is empty unless the message is a request or the reply to one.
    """

    session: str
    sequence: int
    sender: str
    recipient: str
    time_ms: int = 0
    correlation: str = ""
    payload: Payload

    @property
    def kind(self) -> str:
        """The payload's kind."""
        return self.payload.kind

    def reply(self, payload: Any, *, sequence: int, time_ms: int | None = None) -> Message:
        """The answer to this request: to its sender, under its correlation."""
        return Message(
            session=self.session,
            sequence=sequence,
            sender=self.recipient,
            recipient=self.sender,
            time_ms=self.time_ms if time_ms is None else time_ms,
            correlation=self.correlation,
            payload=payload,
        )
