"""A record carried out again, to check that it leads to the identical state."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from teach_agents.core.environment.abilities import Digested, Hearing, Hinted, Judged, Stamped
from teach_agents.core.environment.contract import Environment
from teach_agents.core.session.format import RecordFormat
from teach_agents.core.session.record import SessionRecord
from teach_agents.core.session.result import End
from teach_agents.core.values import NoAction

__all__ = ["Before", "ReplayReport", "again", "hear", "reenact", "replay"]

_SHOWN = 5

Before = Callable[[Any], None]
"""Called with every turn right before it is carried out again."""


@dataclass(frozen=True, slots=True)
class ReplayReport:
    """What a replay found. `differences` names the first places, a few, where it went another way than the record.

    `progress` is the verdict on the final state, `None` in a world that is not judged.
    """

    turns: int
    differences: tuple[str, ...]
    progress: Any

    @property
    def identical(self) -> bool:
        """Whether every result, every state and the end were the recorded ones."""
        return not self.differences


def reenact(
    environment: Environment[Any, Any, Any], record: SessionRecord, form: RecordFormat, before: Before | None = None
) -> tuple[str, ...]:
    """Carry out a record's turns in a world that stands at their beginning; name the first differences."""
    then, now = record.header.about, environment.about()
    differences = [
        f"the world's {name} is {now.get(name)}, recorded {then.get(name)}"
        for name in form.decisive
        if now.get(name) != then.get(name)
    ]
    digested = environment if isinstance(environment, Digested) else None
    for turn in record.turns:
        if before is not None:
            before(turn)
        hear(environment, turn)
        for seat, done in turn.done.items():
            differences += again(environment, form, turn.turn, seat, done)
        if digested is not None and turn.state and (state := digested.digest()) != turn.state:
            differences.append(f"turn {turn.turn}: the state is {state}, recorded {turn.state}")
    return tuple(differences[:_SHOWN])


def hear(environment: Environment[Any, Any, Any], turn: Any) -> None:
    """Have the world hear what strangers said before a turn."""
    if isinstance(environment, Hearing):
        for said in turn.before:
            environment.heard(said)


def again(
    environment: Environment[Any, Any, Any], form: RecordFormat, turn: int, seat: Any, done: Any
) -> Sequence[str]:
    """Carry out what a seat did; where it comes to something else, that."""
    if isinstance(environment, Stamped):
        environment.at(done.time_ms)
    result = environment.act(seat, NoAction(done.result.message) if done.action is None else done.action)
    if done.hint and isinstance(environment, Hinted):
        environment.hint(seat, done.hint)
    codec = form.codec
    if plain(codec.result_to_json(result)) == plain(codec.result_to_json(done.result)):
        return ()
    name = getattr(done.action, "name", type(done.action).__name__)
    return (f"turn {turn}: the {seat}'s {name} gave {_short(result)}, recorded {_short(done.result)}",)


def replay(record: SessionRecord, environment: Environment[Any, Any, Any], form: RecordFormat) -> ReplayReport:
    """Carry out a record from its beginning on, and compare every result and state, and how it says it ended.

    Raises what `reset` raises where it cannot be played here.
    """
    environment.reset(record.header.instance, record.header.seed)
    initial = environment.judge() if isinstance(environment, Judged) else None
    differences = reenact(environment, record, form)
    final = environment.judge() if isinstance(environment, Judged) else None
    differences += _untrue(record, form, initial, final)
    return ReplayReport(len(record.turns), differences[:_SHOWN], final)


def _untrue(record: SessionRecord, form: RecordFormat, initial: Any, final: Any) -> tuple[str, ...]:
    """Where the recorded result contradicts what was replayed.

    An unfinished record claims nothing. One that broke off may have done part of a turn that it does not hold.
    """
    if record.result is None:
        return ()
    broken = End(str(record.result.get("end_reason")), "").broken
    found = form.claims(len(record.turns), initial, final, broken=broken)
    claimed = {key: record.result.get(key) for key in found}
    return tuple(
        f"the result: {key} is {now!r}, recorded {claimed[key]!r}" for key, now in found.items() if claimed[key] != now
    )


def plain(value: Any) -> Any:
    """A JSON value as it is read back: lists for tuples."""
    if isinstance(value, Mapping):
        return {key: plain(one) for key, one in value.items()}
    return [plain(one) for one in value] if isinstance(value, list | tuple) else value


def _short(result: Any) -> str:
    return f"{'success' if result.success else 'failure'} ({result.message})"
