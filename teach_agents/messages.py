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
from teach_agents.observations import Observation

__all__ = [
    "ENVIRONMENT",
    "EVERYONE",
    "ActionAnswered",
    "ActionExecuted",
    "AgentFailed",
    "BeginAsked",
    "BeginDone",
    "Message",
    "ObservationAsked",
    "Payload",
    "ProgressChanged",
    "SessionBegan",
    "SessionEnded",
    "UtteranceSaid",
]

ENVIRONMENT = "environment"
"""The address of the session itself; the agents' addresses are their roles."""

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


class ObservationAsked(_Frozen):
    """Request to an agent's host: what do you do now? The observation itself stays in memory."""

    kind: Literal["observation_asked"] = "observation_asked"
    turn: int
    role: Role
    observation: InstanceOf[Observation] | None = Field(default=None, exclude=True)


class ActionAnswered(_Frozen):
    """Reply: the agent's action, or `None` and the problem when what it answered is no action.

    `thought` is what the agent says of the thinking behind it, as JSON values.
    """

    kind: Literal["action_answered"] = "action_answered"
    turn: int
    role: Role
    action: WireAction | None = None
    problem: str = ""
    thought: dict[str, Any] | None = None


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
    speaker: Role
    text: str


class ProgressChanged(_Frozen):
    """The task's goal conditions now differ from what they were."""

    kind: Literal["progress_changed"] = "progress_changed"
    turn: int
    success: bool
    goal_conditions_total: int
    goal_conditions_satisfied: int


class SessionEnded(_Frozen):
    """The session is over; `end_reason` is one of `teach_agents.session.EndReason`."""

    kind: Literal["session_ended"] = "session_ended"
    turns: int
    success: bool
    end_reason: str
    reason: str = ""


Payload = Annotated[
    SessionBegan
    | BeginAsked
    | BeginDone
    | ObservationAsked
    | ActionAnswered
    | AgentFailed
    | ActionExecuted
    | UtteranceSaid
    | ProgressChanged
    | SessionEnded,
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
