"""What travels on the bus of a session: frozen, typed messages, one payload per kind.

A message says which session it belongs to, who sent it to whom, its number among the sender's messages, when (session
milliseconds) and, where it is a request or a reply, the correlation that joins the two. `Message.model_dump_json`
writes it for a wire and `Message.model_validate_json` reads it back. A world's actions and results are its own values;
a bus between processes gives both calls a `context` that writes and reads them (`core.bus.redis.MessageCodec`), without
one they are read as JSON. A kind that nobody here defines is read as `UnknownPayload`.

A seat is a text; its key in JSON is `role`.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, PlainValidator, SerializeAsAny

from teach_agents.core.json_types import JsonObject
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


class SessionBegan(Payload, kind="session_began"):
    """The world stands ready and the agents are about to be asked for the first time."""

    scenario_id: str
    task: str
    seed: int = 0
    resumed: bool = False


class BeginAsked(Payload, kind="begin_asked"):
    """Request to an agent's host: a session begins, forget the last one. `state` is that of a `Briefing`."""

    role: Name
    seed: int = 0
    resumed: bool = False
    state: JsonObject | None = None


class BeginDone(Payload, kind="begin_done"):
    """Reply: the agent is ready."""

    role: Name


class BeginWanted(Payload, kind="begin_wanted"):
    """Reply: the agent knows nothing of this session, or not of the turns so far; it stands in for one that died."""

    role: Name


class SeatAsked(Stating, kind="seat_asked"):
    """Request to an agent's host: who are you, and how far? With whose world you have to do."""

    role: Name


class SeatTold(Stating, kind="seat_told"):
    """Reply: the agent by its SPEC or class, what it reads, the pictures it looks at, what its answers depend on.

    `begun` says whether it was told of the session's beginning, `turn` which observation it answered last (-1: none);
    `relives` that it has to be asked on all turns so far where it takes up a session.
    """

    role: Name
    spec: str
    privileges: tuple[Name, ...] = ()
    views: tuple[str, ...] = ()
    provenance: dict[str, str] = Field(default_factory=dict)
    begun: bool = False
    turn: int = -1
    relives: bool = False


class ObservationAsked(Payload, kind="observation_asked"):
    """Request to an agent's host: what do you do now? The observation is for the recipient only.

    `heard` is what was said since it was asked last (speaker, text, milliseconds) and `told` what came of its last
    action, of worlds whose observations do not hold that; `valid` is what can be done, of worlds that know it. With
    `recalled` it looks on while something else is done: the reply has no action. With `reading` it is asked how
    probable it is to do what, by so many `samples`.
    """

    turn: int
    role: Name
    heard: tuple[tuple[str, str, int], ...] = ()
    told: WorldResult = None
    valid: tuple[WorldAction, ...] = ()
    recalled: bool = False
    reading: bool = False
    samples: int | None = None
    observation: Any = Field(default=None, exclude=True)


class ActionAnswered(Payload, kind="action_answered"):
    """Reply: the agent's action, or `None` and the problem when what it answered is no action.

    `thought` is what the agent says of the thinking behind it, as JSON values; `provenance`, from another process, what
    its answers depend on, where that has changed. `chances` and `how` are a reading, see `agents.distribution`.
    """

    turn: int
    role: Name
    action: WorldAction = None
    problem: str = ""
    thought: JsonObject | None = None
    provenance: dict[str, str] | None = None
    chances: tuple[tuple[WorldAction, float], ...] = ()
    how: str = ""


class AgentFailed(Payload, kind="agent_failed"):
    """Reply: the agent raised, or gave no answer in time (`timed_out`)."""

    role: Name
    problem: str
    details: str = ""
    timed_out: bool = False


class ActionExecuted(Payload, kind="action_executed"):
    """An action was carried out or refused."""

    turn: int
    role: Name
    action: WorldAction
    result: WorldResult


class UtteranceSaid(Payload, kind="utterance_said"):
    """Somebody spoke, from a seat or from outside; the text is what others hear."""

    turn: int
    speaker: Name
    text: str


class EventHappened(Payload, kind="event_happened"):
    """Something happened in the world: `event` is its kind there, `data` is JSON."""

    turn: int
    event: str
    data: JsonObject = Field(default_factory=dict)


class SpeakAsked(Payload, kind="speak_asked"):
    """To the session, from a third party: say this in my name when the turn is over. May be a request."""

    speaker: str
    text: str


class SpeakDone(Payload, kind="speak_done"):
    """Reply: it is said before the next turn, or `problem` says why not."""

    problem: str = ""


class ProgressChanged(Payload, kind="progress_changed"):
    """What has been achieved of what is to be achieved is now otherwise than it was."""

    turn: int
    success: bool
    goal_conditions_total: int
    goal_conditions_satisfied: int


class SessionEnded(Payload, kind="session_ended"):
    """The session is over; `end_reason` is one of `teach_agents.session.EndReason`."""

    turns: int
    success: bool
    end_reason: str
    reason: str = ""


class RecordAsked(Payload, kind="record_asked"):
    """Request to the recorder: what is there of this session's record?"""


class RecordTold(Payload, kind="record_told"):
    """Reply: the record's lines."""

    lines: tuple[str, ...] = ()


class LineAsked(Payload, kind="line_asked"):
    """Request to the recorder: keep this as the line of that number, counted from 0."""

    number: int
    line: str


class LineKept(Payload, kind="line_kept"):
    """Reply: the line is in the file."""

    number: int


class RecordFailed(Payload, kind="record_failed"):
    """Reply: the record could not be kept or read."""

    problem: str


class Dismissed(Payload, kind="dismissed"):
    """To a worker of another process: the session is over, and its record complete."""


class Refused(Payload, kind="refused"):
    """To a worker of another process: it cannot take part, and why."""

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
