"""What is kept of a live session: its journal's lines, its record, a record's file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from teach_agents.actions import Role
from teach_agents.core.benchmark.folder import write_atomically
from teach_agents.core.session.record import SessionRecord, first_line, line_of
from teach_agents.core.specs import build
from teach_agents.errors import RecordError
from teach_agents.household import Household
from teach_agents.installed import installed_tasks
from teach_agents.kinds import SIMULATOR
from teach_agents.live.events import EventKind, LiveEvent
from teach_agents.live.setting import LiveSetting
from teach_agents.observations import Privilege
from teach_agents.session.format import TEACH_FORMAT, RecordHeader
from teach_agents.session.result import TurnRecord
from teach_agents.tasks import TaskLibrary


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a journal: events that are told together, and the turn that they tell of.

    `key` is the name that the person in `role` gave to what was done; `result` is how the session ended.
    """

    events: tuple[LiveEvent, ...]
    turn: TurnRecord | None = None
    key: str = ""
    role: Role | None = None
    result: Mapping[str, Any] | None = None

    def to_json(self) -> dict[str, Any]:
        """The JSON form, without absent parts."""
        line: dict[str, Any] = {"events": [event.to_json() for event in self.events]}
        if self.turn is not None:
            line["turn"] = TEACH_FORMAT.turn_to_json(self.turn)
        if self.key and self.role is not None:
            line |= {"key": self.key, "role": self.role.value}
        if self.result is not None:
            line["result"] = dict(self.result)
        return line

    @classmethod
    def from_json(cls, line: Mapping[str, Any]) -> Line:
        """Read `to_json`'s form. Raises `RecordError` for anything else."""
        try:
            events = tuple(map(LiveEvent.from_json, line["events"]))
            turn = TEACH_FORMAT.turn_from_json(line["turn"]) if "turn" in line else None
            role = Role(line["role"]) if "role" in line else None
            return cls(events, turn, str(line.get("key", "")), role, line.get("result"))
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise RecordError("journal", f"a line is damaged: {type(error).__name__}: {error}") from error


def household_for(setting: LiveSetting, library: TaskLibrary | None = None) -> Household:
    """The household that a session is held in, not furnished yet. Raises `SpecError` for an unknown simulator."""
    simulator = build(SIMULATOR, setting.simulator)
    return Household(simulator, library or installed_tasks(), view_size=setting.view_size)


def header_of(setting: LiveSetting, simulator: str, privileges: Mapping[Role, Iterable[str]]) -> RecordHeader:
    """A record's first line; the simulator by its own name."""
    found = {role: tuple(map(str, privileges.get(role, ()))) for role in Role}
    size = setting.view_size
    chairs = {role: setting.chairs[role] for role in Role}
    about = {"simulator": simulator, "view_size": size, "click_size": size}
    scenario = setting.scenario
    return RecordHeader(setting.session_id, scenario, scenario.seed, about, chairs, found, setting.hooks)


def record_of(setting: LiveSetting, lines: Iterable[Mapping[str, Any]]) -> SessionRecord:
    """The record of a session, from its journal's lines; with a result once it has ended.

    Raises `RecordError` for lines that are none.
    """
    read = [Line.from_json(line) for line in lines]
    events = [event for line in read for event in line.events]
    simulator = next((one.data["simulator"] for one in events if one.kind is EventKind.BEGAN), setting.simulator)
    privileges = {role: sorted(found) for role, found in granted_in(events).items()}
    turns = tuple(line.turn for line in read if line.turn is not None)
    result = next((line.result for line in read if line.result is not None), None)
    return SessionRecord(Path(), header_of(setting, simulator, privileges), turns, result, 0)


def granted_in(events: Iterable[LiveEvent]) -> dict[Role, frozenset[Privilege]]:
    """What each chair has read beyond TEACh's screens, by what was told of it. Raises `RecordError` for nonsense."""
    found: dict[Role, frozenset[Privilege]] = dict.fromkeys(Role, frozenset())
    for event in events:
        if event.kind is EventKind.JOINED and event.role is not None and "privileges" in event.data:
            try:
                found[event.role] |= frozenset(map(Privilege, event.data["privileges"]))
            except (TypeError, ValueError) as error:
                raise RecordError("journal", f"event {event.seq} is damaged: {error}") from error
    return found


def write_record(record: SessionRecord, path: Path) -> None:
    """Write a record: whoever looks sees the old file, or the whole new one. Raises `RecordError` where none can be."""
    lines = [first_line(TEACH_FORMAT, record.header), *map(TEACH_FORMAT.turn_to_json, record.turns)]
    lines += [] if record.result is None else [{"result": dict(record.result)}]
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, "".join(f"{line_of(one)}\n" for one in lines))
    except OSError as error:
        raise RecordError(str(path), f"cannot be written: {error.strerror or error}") from error
