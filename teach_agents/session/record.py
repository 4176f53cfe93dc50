"""A session's record: JSON lines that are on the disk turn by turn.

| line | holds |
|---|---|
| first | `format`, `version`, the scenario (a stored state included), seed, agents, privileges, dialogue hooks, simulator, sizes |
| one per turn | both roles' actions, results, times, poses; the state's digest; goal conditions where they changed; `thoughts`, by role, of agents that tell what they think |
| last | `result`: `SessionResult.to_json` without the wall time; absent while the session is unfinished |

Nothing in it but the times in thoughts depends on when or where the session ran, so the record of a seeded session
repeats byte for byte where there are none.
"""  # noqa: E501  # a table's row is one line

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from teach_agents.actions import Role
from teach_agents.errors import InputError, RecordError
from teach_agents.household import Scenario
from teach_agents.session.turns import TurnRecord, pose_from_json, pose_to_json
from teach_agents.simulator.contract import Scene, StoredState

__all__ = [
    "FORMAT",
    "RecordHeader",
    "RecordWriter",
    "SessionRecord",
    "read_record",
    "scenario_from_json",
    "scenario_to_json",
]

FORMAT = "teach_agents.session"
VERSION = 1

_ENCODER = json.JSONEncoder(separators=(",", ":"))


@dataclass(frozen=True, slots=True)
class RecordHeader:
    """How a session began. The sizes of pictures and clicks decide what a click chooses and what a search shows."""

    session_id: str
    scenario: Scenario
    simulator: str
    view_size: int
    click_size: int
    agents: Mapping[Role, str]
    privileges: Mapping[Role, tuple[str, ...]]
    hooks: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The record's first line."""
        return {
            "format": FORMAT,
            "version": VERSION,
            "session_id": self.session_id,
            "simulator": self.simulator,
            "view_size": self.view_size,
            "click_size": self.click_size,
            "agents": {role.value: spec for role, spec in self.agents.items()},
            "privileges": {role.value: list(found) for role, found in self.privileges.items()},
            "hooks": list(self.hooks),
            "scenario": scenario_to_json(self.scenario),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> RecordHeader:
        """Read `to_json`'s form."""
        return cls(
            data["session_id"],
            scenario_from_json(data["scenario"]),
            data["simulator"],
            data["view_size"],
            data["click_size"],
            {role: data["agents"][role.value] for role in Role},
            {role: tuple(data["privileges"][role.value]) for role in Role},
            tuple(data.get("hooks", ())),
        )


@dataclass(frozen=True, slots=True)
class SessionRecord:
    """A record that was read. `result` is `None` while the session is unfinished.

    `sound_bytes` is where a last line cut short by a crash begins, or the file's size: resuming goes on from there.
    """

    path: Path
    header: RecordHeader
    turns: tuple[TurnRecord, ...]
    result: Mapping[str, Any] | None
    sound_bytes: int


class RecordWriter:
    """Writes a record; every line is handed to the system at once, and synced to the disk at the end.

    A file that exists already is replaced by `begin` and carried on by `resume`.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: TextIO | None = None

    def begin(self, header: RecordHeader) -> None:
        """Start a new record. Raises `RecordError` where no file can be written."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._file = self.path.open("w", encoding="utf8", newline="\n")
            self._write(header.to_json())
        except OSError as error:
            raise RecordError(str(self.path), f"cannot be written: {error.strerror or error}") from error

    def resume(self, record: SessionRecord) -> None:
        """Go on with an unfinished record, without its damaged last line."""
        os.truncate(self.path, record.sound_bytes)
        self._file = self.path.open("a", encoding="utf8", newline="\n")

    def turn(self, record: TurnRecord) -> None:
        """Add a turn."""
        self._write(record.to_json())

    def end(self, result: Mapping[str, Any]) -> None:
        """Add the result; the record is complete."""
        self._write({"result": result})

    def close(self) -> None:
        """Sync to the disk and close; the record stays resumable unless `end` was called."""
        if self._file is not None:
            self._file.flush()
            os.fsync(self._file.fileno())
            self._file.close()
            self._file = None

    def _write(self, line: Mapping[str, Any]) -> None:
        assert self._file is not None, "begin or resume comes first"
        self._file.write(line_of(line) + "\n")
        self._file.flush()


def line_of(line: Mapping[str, Any]) -> str:
    """A line as records hold it, without its end."""
    return _ENCODER.encode(line)


def check_resumable(record: SessionRecord, now: RecordHeader) -> None:
    """Raise `RecordError` where a session would go on with other agents, hooks or another simulator."""
    then = record.header
    for what, old, new in (
        ("simulator", then.simulator, now.simulator),
        ("view_size", str(then.view_size), str(now.view_size)),
        ("click_size", str(then.click_size), str(now.click_size)),
        *((f"{role} agent", then.agents[role], now.agents[role]) for role in Role),
        ("list of dialogue hooks", ", ".join(then.hooks) or "none", ", ".join(now.hooks) or "none"),
    ):
        if old != new:
            raise RecordError(str(record.path), f"cannot be resumed with another {what}", value=new, valid=(old,))


def read_record(path: str | Path) -> SessionRecord:
    """Read a record, finished or not. A last line that a crash cut short is left out.

    Raises `RecordError` naming file and line for anything else that is wrong.
    """
    path = Path(path)
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise RecordError(str(path), f"cannot be read: {error.strerror or error}") from error
    return record_of(raw, path)


def record_of(raw: bytes, path: Path) -> SessionRecord:
    """The same from what the file holds; errors name `path`."""
    whole, _, rest = raw.rpartition(b"\n")
    lines = whole.split(b"\n") if whole else []
    if not lines:
        raise RecordError(str(path), "is no session record: it has no complete line", value=rest[:40])
    items = [_line(path, number, line) for number, line in enumerate(lines, 1)]
    header = _header(path, items[0])
    result = items[-1].get("result") if len(items) > 1 else None
    if result is not None and not isinstance(result, dict):
        raise RecordError(f"{path}, line {len(items)}", "the result must be a JSON object", value=result)
    last = len(items) - (result is not None)
    turns = tuple(_turn(path, number, items[number]) for number in range(1, last))
    return SessionRecord(path, header, turns, result, len(raw) - len(rest))


def _line(path: Path, number: int, line: bytes) -> Mapping[str, Any]:
    try:
        item = json.loads(line)
    except ValueError as error:
        raise RecordError(f"{path}, line {number}", f"is no JSON: {error}", value=line[:40]) from error
    if not isinstance(item, dict):
        raise RecordError(f"{path}, line {number}", "must be a JSON object", value=line[:40])
    return item


def _header(path: Path, item: Mapping[str, Any]) -> RecordHeader:
    where = f"{path}, line 1"
    if item.get("format") != FORMAT:
        raise RecordError(where, "is no session record", value=item.get("format"), valid=(FORMAT,))
    if item.get("version") != VERSION:
        raise RecordError(where, "has an unknown version", value=item.get("version"), valid=(str(VERSION),))
    try:
        return RecordHeader.from_json(item)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise RecordError(where, f"the header is damaged: {type(error).__name__}: {error}") from error


def _turn(path: Path, number: int, item: Mapping[str, Any]) -> TurnRecord:
    where = f"{path}, line {number + 1}"
    try:
        turn = TurnRecord.from_json(item)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise RecordError(where, f"the turn is damaged: {type(error).__name__}: {error}") from error
    if turn.turn != number - 1:
        raise RecordError(where, f"expected turn {number - 1}", value=turn.turn)
    return turn


def scenario_to_json(scenario: Scenario) -> dict[str, Any]:
    """A scenario as JSON, its stored state included."""
    stored = scenario.scene.stored
    return {
        "scenario_id": scenario.scenario_id,
        "task_name": scenario.task_name,
        "task_params": list(scenario.task_params),
        "seed": scenario.seed,
        "room": scenario.scene.room,
        "randomize": scenario.scene.randomize,
        "stored": None if stored is None else _stored_to_json(stored),
    }


def _stored_to_json(stored: StoredState) -> dict[str, Any]:
    return {
        "room": stored.room,
        "agent": pose_to_json(stored.agent),
        "commander": None if stored.commander is None else pose_to_json(stored.commander),
        "objects": list(stored.objects),
    }


def scenario_from_json(data: Mapping[str, Any]) -> Scenario:
    """Read `scenario_to_json`'s form; raises `KeyError`, `TypeError` or `ValueError` for anything else."""
    stored = None
    if (found := data["stored"]) is not None:
        commander = None if found["commander"] is None else pose_from_json(found["commander"])
        stored = StoredState(found["room"], found["objects"], pose_from_json(found["agent"]), commander)
    scene = Scene(data["room"], stored, data["randomize"])
    try:
        return Scenario(data["scenario_id"], data["task_name"], tuple(data["task_params"]), scene, data["seed"])
    except InputError as error:
        raise ValueError(str(error)) from error
