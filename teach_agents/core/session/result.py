"""What was done in a turn, as the record keeps it; how a session ended."""

from __future__ import annotations

import traceback
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Generic, TypeVar

from teach_agents.core.codec import plain
from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.core.values import Event, Utterance, nothing

SeatT = TypeVar("SeatT")


@dataclass(frozen=True, slots=True)
class Done:
    """What one seat did in a turn.

    `action` is `None` when the agent's answer was no action: the result then says what it was. `trace` is what scoring
    needs, as JSON. `thought` is what the agent says of the thinking behind its answer, as `agents.thoughts.kept` leaves
    it; it takes no part in comparisons and stands apart in JSON. `forced` is what was done whatever the seat's agent
    would do: of a stated prefix.

    What dialogue hooks added: `chosen` is the agent's own choice where a hook made another `action` of it, `hint` is
    what the seat is told besides the result, `dialogue_acts` label an utterance.
    """

    action: Any
    result: Any
    time_ms: int
    trace: JsonMapping = field(default_factory=nothing)
    thought: JsonMapping | None = field(default=None, compare=False)
    chosen: Any = None
    hint: str = ""
    dialogue_acts: tuple[str, ...] = ()
    forced: bool = False

    @property
    def told(self) -> Any:
        """The result as the seat is told: with the hint, where the world's results have a place for it."""
        return self.result


@dataclass(frozen=True, slots=True)
class TurnRecord:
    """A turn that all who could act have carried out.

    `state` is the digest of the world's state after it; empty for a world that has none, and where nobody keeps it.
    `events` are the world's own. `before` is what strangers said right before the turn. `passed_s` are the seconds that
    passed in the world behind what was done, in one that has a clock.
    """

    turn: int
    done: Mapping[Any, Any]
    state: str = ""
    events: tuple[Event, ...] = ()
    before: tuple[Utterance, ...] = ()
    passed_s: float = 0.0

    @property
    def thoughts(self) -> dict[Any, JsonMapping]:
        """What agents say of the thinking behind this turn's answers, of those who say anything."""
        return {seat: done.thought for seat, done in self.done.items() if done.thought is not None}


CRASHED = "crashed"
"""An agent, a dialogue hook or the world raised."""
TIMED_OUT = "timed_out"
"""An agent gave no answer in time."""
ENDED = "ended"
"""Whoever keeps the session ended it."""


@dataclass(frozen=True, slots=True)
class End:
    """Why a session is over: the kind of end, one word; in words; and a traceback where something raised."""

    reason: str
    text: str
    details: str = ""

    @property
    def broken(self) -> bool:
        """Whether the session fails whatever state it left."""
        return self.reason in (CRASHED, TIMED_OUT)


def crash(error: BaseException) -> End:
    """The end that an unforeseen exception makes."""
    return End(CRASHED, f"{type(error).__name__}: {error}", "".join(traceback.format_exception(error)))


class Tally:
    """What a session counts, by seat: actions apart from waiting, utterances, failed actions, costs, dialogue acts, and
    what agents tell of their talk: questions about what was left open (`clarifications`), and what corrected them.

    `strangers` are the names of those who spoke into the session from no seat of it.
    """

    def __init__(self, seats: tuple[Any, ...]) -> None:
        self.seats = seats
        self.turns = 0
        self.strangers: list[str] = []
        self.actions, self.utterances, self.failures = (dict.fromkeys(seats, 0) for _ in range(3))
        self.costs = dict.fromkeys(seats, 0.0)
        self.dialogue_acts = {seat: Counter[str]() for seat in seats}
        self.clarifications, self.repairs = (dict.fromkeys(seats, 0) for _ in range(2))

    def spoken(self, name: str) -> None:
        """A stranger has spoken."""
        if name not in self.strangers:
            self.strangers.append(name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome(Generic[SeatT]):
    """What the results of all worlds say.

    `success` is the final verdict's, and false for a session that crashed or timed out, else `None` where there is no
    verdict. `actions` counts what each seat did apart from waiting, `failures` the failed actions, answers that were
    none included. `agents` are SPECs, or class names of agents made in Python, `provenance` what else their answers
    depend on. `hooks` are the dialogue hooks by SPEC or class with what each notes at the end, `dialogue_acts` counts
    those that hooks named. `clarifications` are questions that an agent asked because what it was told left something
    open, `repairs` how often it was corrected, as thoughts tell. `strangers` are the names of those who spoke into it
    from no seat: such a session enters no comparison. `details` holds the traceback of a crash. `wall_s` is the real
    time the session took and the only part that differs between two runs of the same session; the record leaves it out.
    """

    session_id: str
    seed: int
    agents: Mapping[SeatT, str]
    privileges: Mapping[SeatT, Collection[str]]
    success: bool | None
    end_reason: str
    reason: str
    turns: int
    actions: Mapping[SeatT, int]
    utterances: Mapping[SeatT, int]
    failures: Mapping[SeatT, int]
    provenance: Mapping[SeatT, Mapping[str, str]]
    hooks: tuple[tuple[str, JsonMapping], ...] = ()
    dialogue_acts: Mapping[SeatT, Mapping[str, int]]
    clarifications: Mapping[SeatT, int]
    repairs: Mapping[SeatT, int]
    strangers: tuple[str, ...] = ()
    details: str = ""
    wall_s: float = 0.0

    @property
    def broken(self) -> bool:
        """Whether it crashed or timed out."""
        return End(self.end_reason, self.reason).broken

    def to_json(self, *, timed: bool = True) -> JsonObject:
        """The result as JSON, without `wall_s` unless `timed`."""
        return {name: self.part_to_json(name) for name in self.keys() if name != "wall_s"} | (
            {"wall_s": round(self.wall_s, 3)} if timed else {}
        )

    def keys(self) -> Iterable[str]:
        """The keys of `to_json`, in order."""
        return (one.name for one in fields(self))

    def part_to_json(self, name: str) -> Any:
        """What stands under a key."""
        if name == "hooks":
            return [{"name": hook, "notes": dict(notes)} for hook, notes in self.hooks]
        return plain(getattr(self, name))


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionResult(Outcome[str]):
    """The outcome of a session in any world.

    `initial` and `final` are the verdicts as JSON, empty in a world that is not judged; `costs` is what it charged.
    """

    instance_id: str
    world: str
    about: JsonMapping
    initial: JsonMapping
    final: JsonMapping
    costs: Mapping[str, float]
