"""How the episodes of a world are written into a record, and read back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from teach_agents.core.agents.contract import Agent, provenance_of
from teach_agents.core.codec import Codec
from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.core.messages import EventHappened, Payload, SessionBegan
from teach_agents.core.session.result import Done, End, SessionResult, Tally, TurnRecord
from teach_agents.core.values import NOTHING, Event, Utterance


@dataclass(frozen=True, slots=True)
class RecordHeader:
    """How a session began: `about` is what the world says of itself, what decides how actions are carried out."""

    session_id: str
    instance: Any
    seed: int
    about: JsonMapping
    agents: Mapping[Any, str]
    privileges: Mapping[Any, tuple[str, ...]]
    hooks: tuple[str, ...] = ()


class RecordFormat:
    """Writes and reads what a record holds of the world of `codec`. A world with a form of its own overrides methods.

    Whatever is read raises `KeyError`, `TypeError` or `ValueError` (`InputError` is one) where it is damaged.
    """

    decisive: tuple[str, ...] = ()
    """What `about` says that decides what the same actions come to."""
    done: type[Done] = Done
    turn: type[TurnRecord] = TurnRecord
    """What a seat did, and a turn: the world's own classes, if it has some."""

    def __init__(self, codec: Codec[Any, Any, Any]) -> None:
        self.codec = codec

    def seat(self, name: str) -> Any:
        """A seat as the world knows it, by its name."""
        return name

    def header_to_json(self, header: RecordHeader) -> JsonObject:
        """A record's first line, but for what says which format it is of."""
        return {
            "world": self.codec.world,
            "world_version": self.codec.version,
            "session_id": header.session_id,
            "about": dict(header.about),
            "agents": dict(header.agents),
            "privileges": {seat: list(found) for seat, found in header.privileges.items()},
            "hooks": list(header.hooks),
            "seed": header.seed,
            "instance": self.codec.instance_to_json(header.instance),
        }

    def header_from_json(self, data: JsonMapping) -> RecordHeader:
        """Read `header_to_json`'s form; refuses another world, and a version that the codec does not read."""
        self.codec.check("record", data.get("world"), data.get("world_version"))
        return RecordHeader(
            data["session_id"],
            self.codec.instance_from_json(data["instance"]),
            int(data["seed"]),
            data["about"],
            {self.seat(name): str(spec) for name, spec in data["agents"].items()},
            {self.seat(name): tuple(map(str, found)) for name, found in data["privileges"].items()},
            tuple(data["hooks"]),
        )

    def done_to_json(self, done: Done) -> JsonObject:
        """What a seat did, without the thought."""
        codec = self.codec
        line: JsonObject = {
            "action": None if done.action is None else codec.action_to_json(done.action),
            "result": codec.result_to_json(done.result),
            "time_ms": done.time_ms,
            **self.trace_to_json(done.trace),
        }
        if done.chosen is not None:
            line["chosen"] = codec.action_to_json(done.chosen)
        if done.hint:
            line["hint"] = done.hint
        if done.dialogue_acts:
            line["dialogue_acts"] = list(done.dialogue_acts)
        if done.forced:
            line["forced"] = True
        return line

    def done_from_json(self, data: JsonMapping, thought: JsonMapping | None = None) -> Any:
        """Read `done_to_json`'s form."""
        codec = self.codec
        return self.done(
            action=None if data["action"] is None else codec.action_from_json(data["action"]),
            result=codec.result_from_json(data["result"]),
            time_ms=int(data["time_ms"]),
            trace=self.trace_from_json(data),
            thought=thought,
            chosen=codec.action_from_json(data["chosen"]) if "chosen" in data else None,
            hint=str(data.get("hint", "")),
            dialogue_acts=tuple(map(str, data.get("dialogue_acts", ()))),
            forced=bool(data.get("forced", False)),
        )

    def trace_to_json(self, trace: JsonMapping) -> JsonObject:
        """A trace as members of what a seat did."""
        return {"trace": dict(trace)} if trace else {}

    def trace_from_json(self, data: JsonMapping) -> JsonMapping:
        """Read `trace_to_json`'s form."""
        found: JsonMapping = data.get("trace", NOTHING)
        return found

    def events_to_json(self, events: Sequence[Event]) -> JsonObject:
        """A turn's events as members of its line."""
        return {"events": [{"kind": one.kind, "data": dict(one.data)} for one in events]} if events else {}

    def events_from_json(self, data: JsonMapping) -> tuple[Event, ...]:
        """Read `events_to_json`'s form."""
        return tuple(Event(str(one["kind"]), one["data"]) for one in data.get("events", ()))

    def turn_to_json(self, turn: TurnRecord) -> JsonObject:
        """A turn's line."""
        line: JsonObject = {"turn": turn.turn, "state": turn.state}
        if turn.before:
            line["before"] = [[one.speaker, one.text, one.time_ms] for one in turn.before]
        line |= self.all_done_to_json({str(seat): self.done_to_json(done) for seat, done in turn.done.items()})
        line |= self.events_to_json(turn.events)
        if turn.passed_s:
            line["passed_s"] = turn.passed_s
        if thoughts := turn.thoughts:
            line["thoughts"] = {str(seat): dict(found) for seat, found in thoughts.items()}
        return line

    def turn_from_json(self, data: JsonMapping) -> Any:
        """Read `turn_to_json`'s form."""
        thoughts, found = data.get("thoughts", NOTHING), self.all_done_from_json(data)
        return self.turn(
            turn=int(data["turn"]),
            done={self.seat(name): self.done_from_json(one, thoughts.get(name)) for name, one in found.items()},
            state=str(data["state"]),
            events=self.events_from_json(data),
            before=tuple(Utterance(str(who), str(text), int(at)) for who, text, at in data.get("before", ())),
            passed_s=float(data.get("passed_s", 0.0)),
        )

    def all_done_to_json(self, done: JsonObject) -> JsonObject:
        """What was done in a turn, by seat, as members of its line."""
        return {"done": done}

    def all_done_from_json(self, data: JsonMapping) -> JsonMapping:
        """Read `all_done_to_json`'s form."""
        return dict(data["done"])

    def is_of(self, perceived: Any, observation: Any) -> bool:
        """Whether an agent's perception made this of that observation."""
        return True

    def failed(self, seat: Any, done: Any) -> bool:
        """Whether what a seat did counts as a failed action."""
        return not done.result.success

    def began(self, header: RecordHeader, *, resumed: bool) -> Payload:
        """What is told of a session's beginning."""
        name = str(getattr(header.instance, "instance_id", header.session_id))
        return SessionBegan(scenario_id=name, task="", seed=header.seed, resumed=resumed)

    def happened(self, event: Event, turn: int) -> Payload:
        """What is told of an event of the world's own."""
        return EventHappened(turn=turn, event=event.kind, data=dict(event.data))

    def result(
        self, header: RecordHeader, agents: Mapping[Any, Agent], tally: Tally, end: End, verdicts: tuple[Any, Any]
    ) -> Any:
        """How a session that began like `header` ended, judged by its first and its last verdict (`None`: by none)."""
        initial, final = verdicts
        return SessionResult(
            instance_id=str(getattr(header.instance, "instance_id", header.session_id)),
            world=self.codec.world,
            about=header.about,
            initial={} if initial is None else initial.to_json(),
            final={} if final is None else final.to_json(),
            costs=dict(tally.costs),
            **self.counted(header, agents, tally, end, final),
        )

    def counted(
        self, header: RecordHeader, agents: Mapping[Any, Agent], tally: Tally, end: End, final: Any
    ) -> JsonObject:
        """The parts of an `Outcome`."""
        return {
            "session_id": header.session_id,
            "seed": header.seed,
            "agents": header.agents,
            "privileges": header.privileges,
            "success": not end.broken and (None if final is None else bool(final.success)),
            "end_reason": end.reason,
            "reason": end.text,
            "turns": tally.turns,
            "actions": dict(tally.actions),
            "utterances": dict(tally.utterances),
            "failures": dict(tally.failures),
            "provenance": {seat: provenance_of(agents[seat]) if seat in agents else {} for seat in tally.seats},
            "dialogue_acts": {seat: dict(sorted(found.items())) for seat, found in tally.dialogue_acts.items()},
            "clarifications": dict(tally.clarifications),
            "repairs": dict(tally.repairs),
            "strangers": tuple(tally.strangers),
            "details": end.details,
        }

    def claims(self, turns: int, initial: Any, final: Any, *, broken: bool) -> JsonObject:
        """What a result's JSON must say of so many turns between these verdicts; of the last where nothing broke."""
        found: JsonObject = {"turns": turns}
        if initial is not None:
            found["initial"] = dict(initial.to_json())
            found["success"] = bool(final.success) and not broken
            if not broken:
                found["final"] = dict(final.to_json())
        return found
