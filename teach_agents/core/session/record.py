"""A session's record: JSON lines that are on the disk turn by turn, read, and carried out again.

| line | holds |
|---|---|
| first | `format`, `version`, the world and its version, what was played, seed, agents, privileges, dialogue hooks |
| one per turn | each seat's action, result, time, trace; the state's digest; the world's events; what strangers said before it; seconds that passed; `thoughts`, by seat, of agents that tell what they think |
| last | `result`: the session's result without the wall time; absent while the session is unfinished |

Nothing in it but the times in thoughts depends on when or where the session ran, so the record of a seeded session
repeats byte for byte where there are none. What the lines of a world look like is its `RecordFormat`.
"""  # noqa: E501  # a table's row is one line

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from teach_agents.core.codec import Codec, plain
from teach_agents.core.environment import Clocked, Environment, Forced, Prefixed
from teach_agents.core.errors import InputError, RecordError
from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.core.session.format import RecordFormat, RecordHeader
from teach_agents.core.session.result import End
from teach_agents.core.values import Event, NoAction, Utterance

_SHOWN = 5

FORMAT = "teach_agents.session"
VERSION = 1

_ENCODER = json.JSONEncoder(separators=(",", ":"))
_DAMAGED = (KeyError, TypeError, ValueError, AttributeError)


@dataclass(frozen=True, slots=True)
class SessionRecord:
    """A record that was read. `result` is `None` while the session is unfinished.

    `sound_bytes` is where a last line cut short by a crash begins, or the file's size: resuming goes on from there.
    """

    path: Path
    header: Any
    turns: tuple[Any, ...]
    result: JsonMapping | None
    sound_bytes: int


class Keeper:
    """A session goes on when what happened is kept. Its first line is there already. Used in the session's thread.

    This one keeps nothing: a keeper overrides what it needs.
    """

    def resume(self, record: Any) -> None:
        """The session goes on behind the turns of a record."""

    def turn(self, record: Any) -> None:
        """Add a turn."""

    def end(self, result: JsonMapping) -> None:
        """Add the result; the record is complete. Raises `OSError` where that cannot be."""

    def close(self) -> None:
        """The session is over, or left as it is."""


class RecordWriter(Keeper):
    """Writes a record into a file; every line is handed to the system at once, and synced to the disk at the end.

    A file that exists already is replaced by `begin` and carried on by `resume`.
    """

    def __init__(self, path: Path, form: RecordFormat) -> None:
        self.path = path
        self._form = form
        self._file: TextIO | None = None

    def begin(self, header: RecordHeader) -> None:
        """Start a new record. Raises `RecordError` where no file can be written."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._file = self.path.open("w", encoding="utf8", newline="\n")
            self._write(first_line(self._form, header))
        except OSError as error:
            raise RecordError(self.path, f"cannot be written: {error.strerror or error}") from error

    def resume(self, record: SessionRecord) -> None:
        """Go on with an unfinished record, without its damaged last line."""
        os.truncate(self.path, record.sound_bytes)
        self._file = self.path.open("a", encoding="utf8", newline="\n")

    def turn(self, record: Any) -> None:
        """Add a turn."""
        self._write(self._form.turn_to_json(record))

    def end(self, result: JsonMapping) -> None:
        """Add the result; the record is complete."""
        self._write({"result": result})

    def close(self) -> None:
        """Sync to the disk and close; the record stays resumable unless `end` was called."""
        if self._file is not None:
            self._file.flush()
            os.fsync(self._file.fileno())
            self._file.close()
            self._file = None

    def _write(self, line: JsonMapping) -> None:
        assert self._file is not None, "begin or resume comes first"
        self._file.write(line_of(line) + "\n")
        self._file.flush()


def first_line(form: RecordFormat, header: RecordHeader) -> JsonObject:
    """A record's first line."""
    return {"format": FORMAT, "version": VERSION, **form.header_to_json(header)}


def line_of(line: JsonMapping) -> str:
    """A line as records hold it, without its end."""
    return _ENCODER.encode(line)


def check_resumable(record: SessionRecord, now: RecordHeader) -> None:
    """Raise `RecordError` where a session would go on with other agents or hooks, or in another world."""
    then = record.header
    for what, old, new in (
        *((name, str(then.about.get(name)), str(value)) for name, value in now.about.items()),
        *((f"{seat} agent", then.agents.get(seat, "nobody"), spec) for seat, spec in now.agents.items()),
        ("list of dialogue hooks", ", ".join(then.hooks) or "none", ", ".join(now.hooks) or "none"),
    ):
        if old != new:
            raise RecordError(record.path, f"cannot be resumed with another {what}", value=new, valid=(old,))


def read_record(path: str | Path, form: RecordFormat) -> SessionRecord:
    """Read a record, finished or not. A last line that a crash cut short is left out.

    Raises `RecordError` naming file and line for anything else that is wrong.
    """
    path = Path(path)
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise RecordError(path, f"cannot be read: {error.strerror or error}") from error
    return record_of(raw, path, form)


def record_of(raw: bytes, path: Path, form: RecordFormat) -> SessionRecord:
    """The same from what the file holds; errors name `path`."""
    whole, _, rest = raw.rpartition(b"\n")
    lines = whole.split(b"\n") if whole else []
    if not lines:
        raise RecordError(path, "is no session record: it has no complete line", value=rest[:40])
    items = [_line(path, number, line) for number, line in enumerate(lines, 1)]
    header = _header(path, items[0], form)
    result = items[-1].get("result") if len(items) > 1 else None
    if result is not None and not isinstance(result, dict):
        raise RecordError(f"{path}, line {len(items)}", "the result must be a JSON object", value=result)
    turns = tuple(_turn(path, number, items[number], form) for number in range(1, len(items) - (result is not None)))
    return SessionRecord(path, header, turns, result, len(raw) - len(rest))


def _line(path: Path, number: int, line: bytes) -> JsonMapping:
    try:
        item = json.loads(line)
    except ValueError as error:
        raise RecordError(f"{path}, line {number}", f"is no JSON: {error}", value=line[:40]) from error
    if not isinstance(item, dict):
        raise RecordError(f"{path}, line {number}", "must be a JSON object", value=line[:40])
    return item


def _header(path: Path, item: JsonMapping, form: RecordFormat) -> RecordHeader:
    where = f"{path}, line 1"
    if item.get("format") != FORMAT:
        raise RecordError(where, "is no session record", value=item.get("format"), valid=(FORMAT,))
    if item.get("version") != VERSION:
        raise RecordError(where, "has an unknown version", value=item.get("version"), valid=(VERSION,))
    try:
        return form.header_from_json(item)
    except InputError as error:
        raise RecordError(where, f"cannot be read here: {error}") from error
    except _DAMAGED as error:
        raise RecordError(where, f"the header is damaged: {type(error).__name__}: {error}") from error


def _turn(path: Path, number: int, item: JsonMapping, form: RecordFormat) -> Any:
    where = f"{path}, line {number + 1}"
    try:
        turn = form.turn_from_json(item)
    except _DAMAGED as error:
        raise RecordError(where, f"the turn is damaged: {type(error).__name__}: {error}") from error
    if turn.turn != number - 1:
        raise RecordError(where, f"expected turn {number - 1}", value=turn.turn)
    return turn


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
        for said in turn.before:
            environment.overhear(said)
        differences += _again(environment, turn)
        if turn.state and (state := environment.digest()) != turn.state:
            differences.append(f"turn {turn.turn}: the state is {state}, recorded {turn.state}")
    return tuple(differences[:_SHOWN])


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
    return environment.reset(instance, seed), tuple(environment.prefix()) if isinstance(environment, Prefixed) else ()


def past_observations(
    environment: Environment[Any, Any, Any], turns: Sequence[Any], seat: Any, privileges: Collection[Any]
) -> Iterator[tuple[Any, Any]]:
    """Each turn with what a seat saw in it, in a world that stands at the beginning.

    The turns are carried out there: an observation is to be read before the next is asked for.
    """
    for turn in turns:
        for said in turn.before:
            environment.overhear(said)
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
    found = form.claims(len(record.turns), initial, final, broken=End(str(record.result.get("end_reason")), "").broken)
    claimed = {key: record.result.get(key) for key in found}
    return tuple(
        f"the result: {key} is {now!r}, recorded {claimed[key]!r}" for key, now in found.items() if claimed[key] != now
    )


def _short(result: Any) -> str:
    return f"{'success' if result.success else 'failure'} ({result.message})"
