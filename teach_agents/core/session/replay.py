"""A record carried out again, to check that it leads to the identical state."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from teach_agents.core.codec import Codec, plain
from teach_agents.core.environment import Clocked, Environment, Forced, Prefixed
from teach_agents.core.session.format import RecordFormat
from teach_agents.core.session.record import SessionRecord
from teach_agents.core.session.result import End
from teach_agents.core.values import Event, NoAction, Utterance

_SHOWN = 5


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


def reenact(environment: Environment[Any, Any, Any], record: SessionRecord) -> tuple[str, ...]:
    """Carry out a record's turns in a world that stands at their beginning; name the first differences."""
    then, now = record.header.about, environment.about()
    differences = [
        f"the world's {name} is {now.get(name)}, recorded {then.get(name)}"
        for name in environment.form.decisive
        if now.get(name) != then.get(name)
    ]
    for turn in record.turns:
        _hear(environment, turn)
        differences += _again(environment, turn)
        if turn.state and (state := environment.digest()) != turn.state:
            differences.append(f"turn {turn.turn}: the state is {state}, recorded {turn.state}")
    return tuple(differences[:_SHOWN])


def _hear(environment: Environment[Any, Any, Any], turn: Any) -> None:
    """Have the world hear what strangers said before a turn."""
    for said in turn.before:
        environment.overhear(said)


def _again(environment: Environment[Any, Any, Any], turn: Any) -> Sequence[str]:
    """Carry out what was done in a turn, and let the time pass; where it comes to something else, that."""
    codec, differences = environment.codec, []
    for seat, done in turn.done.items():
        environment.stamp(done.time_ms)
        result = environment.act(seat, NoAction(done.result.message) if done.action is None else done.action)
        if done.hint:
            environment.hint(seat, done.hint)
        if plain(codec.result_to_json(result)) != plain(codec.result_to_json(done.result)):
            name = getattr(done.action, "name", type(done.action).__name__)
            found, recorded = _short(result), _short(done.result)
            differences.append(f"turn {turn.turn}: the {seat}'s {name} gave {found}, recorded {recorded}")
    if turn.passed_s and isinstance(environment, Clocked):
        environment.advance(turn.passed_s)
    return differences


def begun_again(
    environment: Environment[Any, Any, Any], instance: Any, seed: int
) -> tuple[Sequence[Event], tuple[Forced, ...]]:
    """Begin an episode: what happens at once, and what the world's prefix forces."""
    events = environment.reset(instance, seed)
    return events, tuple(environment.prefix()) if isinstance(environment, Prefixed) else ()


def past_observations(
    environment: Environment[Any, Any, Any], turns: Sequence[Any], seat: Any, privileges: Collection[Any]
) -> Iterator[tuple[Any, Any]]:
    """Each turn with what a seat saw in it, in a world that stands at the beginning.

    The turns are carried out there: an observation is to be read before the next is asked for.
    """
    for turn in turns:
        _hear(environment, turn)
        yield turn, environment.observe(seat, privileges)
        _again(environment, turn)


def chosen_in(done: Any) -> object:
    """What the agent itself chose: before dialogue hooks made something else of it."""
    return done.action if done.chosen is None else done.chosen


def said_in(codec: Codec[Any, Any, Any], turn: Any) -> Iterator[Utterance]:
    """What was said in a turn, from its seats."""
    for seat, done in turn.done.items():
        said = None if done.action is None or not done.result.success else codec.said(done.action)
        if said is not None:
            yield Utterance(seat, said, done.time_ms)


def replay(record: SessionRecord, environment: Environment[Any, Any, Any]) -> ReplayReport:
    """Carry out a record from its beginning on, and compare every result and state, and how it says it ended.

    Raises what `reset` raises where it cannot be played here.
    """
    begun_again(environment, record.header.instance, record.header.seed)
    initial = environment.judge()
    differences = reenact(environment, record)
    final = environment.judge()
    differences += _untrue(record, environment.form, initial, final)
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


def _short(result: Any) -> str:
    return f"{'success' if result.success else 'failure'} ({result.message})"
