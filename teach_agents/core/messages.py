"""What travels on the bus of a session: frozen, typed messages, one payload per kind.

A message says which session it belongs to, who sent it to whom, its number among the sender's messages, when (session
milliseconds) and, where it is a request or a reply, the correlation that joins the two. `Message.model_dump_json`
writes it for a wire and `Message.model_validate_json` reads it back. A world's actions and results are its own values;
a bus between processes gives both calls a `context` that writes and reads them (`core.bus.redis.MessageCodec`), without
one they are read as JSON. A kind that nobody here defines is read as `UnknownPayload`.

A seat is a text; its key in JSON is `role`.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, PlainValidator, SerializeAsAny

from teach_agents.core.payload import Name, Stating, WorldAction, WorldResult, payload_of
from teach_agents.core.payload import Payload as Payload
from teach_agents.core.payload import UnknownPayload as UnknownPayload

SESSION = "environment"
"""The address of the session itself; the agents' addresses are their seats."""

ENVIRONMENT = SESSION

RECORDER = "recorder"
"""The address of who keeps the record, where that is another process."""

EVERYONE = "*"
"""As a recipient: whoever listens. As an address to subscribe to: every message, whoever it is for."""


class SessionBegan(Payload):
    """The world stands ready and the agents are about to be asked for the first time."""

    kind: Literal["session_began"] = "session_began"
    scenario_id: str
    task: str
    seed: int = 0
    resumed: bool = False


class BeginAsked(Payload):
    """Request to an agent's host: a session begins, forget the last one."""

    kind: Literal["begin_asked"] = "begin_asked"
    role: Name
    seed: int = 0
    resumed: bool = False


class BeginDone(Payload):
    """Reply: the agent is ready."""

    kind: Literal["begin_done"] = "begin_done"
    role: Name


class BeginWanted(Payload):
    """Reply: the agent knows nothing of this session, or not of the turns so far; it stands in for one that died."""

    kind: Literal["begin_wanted"] = "begin_wanted"
    role: Name


class SeatAsked(Stating):
    """Request to an agent's host: who are you, and how far? With whose world you have to do."""

    kind: Literal["seat_asked"] = "seat_asked"
    role: Name


class SeatTold(Stating):
    """Reply: the agent by its SPEC or class, what it reads, the pictures it looks at, what its answers depend on.

    `begun` says whether it was told of the session's beginning, `turn` which observation it answered last (-1: none);
    `relives` that it has to be asked on all turns so far where it takes up a session.
    """

    kind: Literal["seat_told"] = "seat_told"
    role: Name
    spec: str
    privileges: tuple[Name, ...] = ()
    views: tuple[str, ...] = ()
    provenance: dict[str, str] = Field(default_factory=dict)
    begun: bool = False
    turn: int = -1
    relives: bool = False


class ObservationAsked(Payload):
    """Request to an agent's host: what do you do now? The observation is for the recipient only.

    `heard` is what was said since it was asked last (speaker, text, milliseconds) and `told` what came of its last
    action, of worlds whose observations do not hold that; `valid` is what can be done, of worlds that know it. With
    `recalled` it looks on while something else is done: the reply has no action. With `reading` it is asked how
    probable it is to do what, by so many `samples`.
    """

    kind: Literal["observation_asked"] = "observation_asked"
    turn: int
    role: Name
    heard: tuple[tuple[str, str, int], ...] = ()
    told: WorldResult = None
    valid: tuple[WorldAction, ...] = ()
    recalled: bool = False
    reading: bool = False
    samples: int | None = None
    observation: Any = Field(default=None, exclude=True)


class ActionAnswered(Payload):
    """Reply: the agent's action, or `None` and the problem when what it answered is no action.

    `thought` is what the agent says of the thinking behind it, as JSON values; `provenance`, from another process, what
    its answers depend on, where that has changed. `chances` and `how` are a reading, see `agents.distribution`.
    """

    kind: Literal["action_answered"] = "action_answered"
    turn: int
    role: Name
    action: WorldAction = None
    problem: str = ""
    thought: dict[str, Any] | None = None
    provenance: dict[str, str] | None = None
    chances: tuple[tuple[WorldAction, float], ...] = ()
    how: str = ""


class AgentFailed(Payload):
    """Reply: the agent raised, or gave no answer in time (`timed_out`)."""

    kind: Literal["agent_failed"] = "agent_failed"
    role: Name
    problem: str
    details: str = ""
    timed_out: bool = False


class ActionExecuted(Payload):
    """An action was carried out or refused."""

    kind: Literal["action_executed"] = "action_executed"
    turn: int
    role: Name
    action: WorldAction
    result: WorldResult


class UtteranceSaid(Payload):
    """Somebody spoke, from a seat or from outside; the text is what others hear."""

    kind: Literal["utterance_said"] = "utterance_said"
    turn: int
    speaker: Name
    text: str


class EventHappened(Payload):
    """Something happened in the world: `event` is its kind there, `data` is JSON."""

    kind: Literal["event_happened"] = "event_happened"
    turn: int
    event: str
    data: dict[str, Any] = Field(default_factory=dict)


class SpeakAsked(Payload):
    """To the session, from a third party: say this in my name when the turn is over. May be a request."""

    kind: Literal["speak_asked"] = "speak_asked"
    speaker: str
    text: str


class SpeakDone(Payload):
    """Reply: it is said before the next turn, or `problem` says why not."""

    kind: Literal["speak_done"] = "speak_done"
    problem: str = ""


class ProgressChanged(Payload):
    """What has been achieved of what is to be achieved is now otherwise than it was."""

    kind: Literal["progress_changed"] = "progress_changed"
    turn: int
    success: bool
    goal_conditions_total: int
    goal_conditions_satisfied: int


class SessionEnded(Payload):
    """The session is over; `end_reason` is one of `teach_agents.session.EndReason`."""

    kind: Literal["session_ended"] = "session_ended"
    turns: int
    success: bool
    end_reason: str
    reason: str = ""


class RecordAsked(Payload):
    """Request to the recorder: what is there of this session's record?"""

    kind: Literal["record_asked"] = "record_asked"


class RecordTold(Payload):
    """Reply: the record's lines."""

    kind: Literal["record_told"] = "record_told"
    lines: tuple[str, ...] = ()


class LineAsked(Payload):
    """Request to the recorder: keep this as the line of that number, counted from 0."""

    kind: Literal["line_asked"] = "line_asked"
    number: int
    line: str


class LineKept(Payload):
    """Reply: the line is in the file."""

    kind: Literal["line_kept"] = "line_kept"
    number: int


class RecordFailed(Payload):
    """Reply: the record could not be kept or read."""

    kind: Literal["record_failed"] = "record_failed"
    problem: str


class Dismissed(Payload):
    """To a worker of another process: the session is over, and its record complete."""

    kind: Literal["dismissed"] = "dismissed"


class Refused(Payload):
    """To a worker of another process: it cannot take part, and why."""

    kind: Literal["refused"] = "refused"
    problem: str


class Message(BaseModel):
    """One message.

    `sequence` counts the sender's messages within the session from 0. `time_ms` is the session's clock. `correlation`
    is empty unless the message is a request or the reply to one.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    session: str
    sequence: int
    sender: str
    recipient: str
    time_ms: int = 0
    correlation: str = ""
    payload: Annotated[SerializeAsAny[Payload], PlainValidator(payload_of)]

    @property
    def kind(self) -> str:
        """The payload's kind."""
        return self.payload.kind

    def overheard(self) -> Message:
        """The message as those get it whom it is not for: without what is for the recipient."""
        payload = self.payload.overheard()
        return self if payload is self.payload else self.model_copy(update={"payload": payload})

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
