"""What happens in a live session, numbered, and who is told of it.

Nobody hears what TEACh's screens would not have shown: the Follower learns nothing of goals, progress checks,
searches or the Commander's camera and thoughts, the Commander nothing of the Follower's console.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum

from teach_agents.actions import Action, Role
from teach_agents.core.agents.thoughts import shown
from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.live.action_words import deed_or_motion
from teach_agents.observations import Pose
from teach_agents.session.format import Done, TurnRecord


class EventKind(StrEnum):
    """What an event tells of."""

    BEGAN = "began"
    UTTERANCE = "utterance"
    ACTION = "action"
    PROGRESS = "progress"
    """The goal conditions changed."""
    GETTING_READY = "getting_ready"
    """An agent is being made ready for its chair, and takes a while: a model is loaded."""
    CONTROL = "control"
    """By a person's words an agent may act no more (`act` is "stop" or "wait"), or again ("resume")."""
    THINKING = "thinking"
    """An agent was asked a while ago and has not answered yet; the `first` time its model may be loaded."""
    THOUGHT = "thought"
    """What an agent says of the thinking behind an answer; after `THINKING` always, even where it chose to wait."""
    JOINED = "joined"
    LEFT = "left"
    PAUSED = "paused"
    RESUMED = "resumed"
    FAILED = "failed"
    """An agent raised or was timed out: its chair stands still until it is tried again."""
    ENDED = "ended"


@dataclass(frozen=True, slots=True)
class LiveEvent:
    """One thing that happened: `time_ms` since the session began, whose doing (`None`: nobody's), and what.

    `seq` counts from 0 without a gap, over restarts of the server too.
    """

    seq: int
    time_ms: int
    kind: EventKind
    role: Role | None = None
    data: JsonMapping = field(default_factory=dict)

    def to_json(self, for_role: Role | None = None) -> JsonObject | None:
        """The event as a role is told of it, `None` for one it does not hear of; without a role, all there is."""
        data = _told(self, for_role) if for_role else self.data
        if data is None:
            return None
        return {
            "seq": self.seq,
            "time_ms": self.time_ms,
            "kind": self.kind.value,
            "role": self.role.value if self.role else None,
            "data": dict(data),
        }

    @classmethod
    def from_json(cls, data: JsonMapping) -> LiveEvent:
        """Read what `to_json()` gives; raises `KeyError`, `TypeError` or `ValueError` for anything else."""
        role = None if data["role"] is None else Role(data["role"])
        return cls(int(data["seq"]), int(data["time_ms"]), EventKind(data["kind"]), role, dict(data["data"]))


def _told(event: LiveEvent, to: Role) -> JsonMapping | None:
    """What of an event's data a role hears; `None` where it hears nothing."""
    if event.kind is EventKind.THOUGHT:
        event = replace(event, data={**event.data, "thought": shown(event.data["thought"]) or {}})
    own = event.role is to
    if event.kind is EventKind.ACTION:
        if own:
            return event.data
        return _seen_of(event.data) if to is Role.COMMANDER else None
    if to is Role.FOLLOWER:
        if event.kind is EventKind.PROGRESS or (event.kind is EventKind.THOUGHT and not own):
            return None
        return {key: value for key, value in event.data.items() if key not in _COMMANDERS}
    return event.data


_COMMANDERS = frozenset({"task", "scenario_id", "progress", "problem"})
"""What the data of any kind of event hold for the Commander alone."""


def _seen_of(data: JsonMapping) -> JsonObject:
    """What can be seen of a Follower's action, with its words: not where it clicked, nor what its console says."""
    action, result = data["action"], data["result"]
    return {
        **data,
        "action": {"name": action["name"]} if action else None,
        "result": {"success": result["success"]},
    }


@dataclass(frozen=True, slots=True)
class Told:
    """An event before it has a number."""

    kind: EventKind
    role: Role | None
    data: JsonMapping


def actor_of(turn: TurnRecord) -> Role:
    """Whose action a turn of a live session is; the other only waited."""
    acted = (role for role, done in turn.done.items() if done.action != Action.wait() or done.chosen is not None)
    return next(acted, Role.COMMANDER)


def events_of(
    turn: TurnRecord, held: str | None, seconds: float | None = None, *, before: str | None = None
) -> list[Told]:
    """What a turn makes known: first what was done, then what came of it.

    `held` is the type of the object in the hand afterwards, `before` of the one before, `seconds` how long an agent
    thought, where that is told.
    """
    role = actor_of(turn)
    done = turn.done[role]
    told = [_doing(turn.turn, role, done, held, before)]
    if turn.goals:
        told.append(Told(EventKind.PROGRESS, None, {"turn": turn.turn, **turn.goals.to_json()}))
    if done.thought is not None or seconds is not None:
        thought = {"turn": turn.turn, "seconds": seconds, "thought": dict(done.thought or {})}
        told.append(Told(EventKind.THOUGHT, role, thought))
    return told


def _doing(turn: int, role: Role, done: Done, held: str | None, before: str | None) -> Told:
    action = done.action
    if action and action.name == "Text" and done.result.success:
        return Told(EventKind.UTTERANCE, role, {"turn": turn, "text": action.utterance})
    data = {
        "turn": turn,
        "action": action.to_json() if action else None,
        "result": done.told.to_json(),
        "pose": pose_as_json(done.pose),
        "held": held,
        "words": deed_or_motion(action, done.result, before or "") if action else "did nothing that there is",
    }
    return Told(EventKind.ACTION, role, data)


def pose_as_json(pose: Pose) -> JsonObject:
    """A pose by names: metres and degrees."""
    x, y, z = pose.position
    return {"x": x, "y": y, "z": z, "yaw": pose.yaw, "horizon": pose.horizon, "standing": pose.standing}
