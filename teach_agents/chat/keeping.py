"""The record of a session at a terminal: on the disk action by action, so that it can be gone on with.

It is a session record as `teach-agents replay` reads it; what a record does not hold of a live session (all that was
told, and when) stands with each turn under `live`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, TextIO

from teach_agents.actions import Role
from teach_agents.core.json_types import JsonMapping
from teach_agents.core.session.record import SessionRecord
from teach_agents.errors import RecordError
from teach_agents.live import HUMAN, LiveSession, LiveSetting
from teach_agents.session.record import read_record

_EXTRA = "live"


@dataclass(frozen=True, slots=True)
class Kept:
    """An unfinished session: its record, what it is made of, and the lines of its journal."""

    record: SessionRecord
    setting: LiveSetting
    lines: tuple[JsonMapping, ...]

    @property
    def chair(self) -> Role:
        """The person's chair."""
        return next(role for role, sitter in self.setting.chairs.items() if sitter == HUMAN)


class RecordFile:
    """A session's journal in a file. A new one never takes the place of a file that is there."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._live: LiveSession | None = None
        self._file: TextIO | None = None
        self._before: list[JsonMapping] = []

    def begin(self, live: LiveSession) -> None:
        """Open a new file for a session. Raises `RecordError` where none can be made."""
        self._open(live, "x")

    def go_on(self, live: LiveSession, kept: Kept) -> None:
        """Go on with the file behind what was read of it."""
        file = self._open(live, "r+")
        file.truncate(kept.record.sound_bytes)
        file.seek(0, 2)

    def _open(self, live: LiveSession, mode: Literal["x", "r+"]) -> TextIO:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            file = open(self.path, mode, encoding="utf8", newline="\n")  # closed by `close`
        except FileExistsError:
            problem = "is there already: go on with it by --resume, or choose another file"
            raise RecordError(str(self.path), problem) from None
        except OSError as error:
            raise RecordError(str(self.path), f"cannot be written: {error.strerror or error}") from error
        self._live, self._file = live, file
        return file

    async def append(self, line: JsonMapping) -> None:
        """Keep what happened: a turn at once, with all that was told before it; the first brings the header."""
        if "turn" not in line:
            self._before.append(line)
            return
        assert self._file and self._live, "begin or go_on comes first"
        header = "" if self._file.tell() else json.dumps(self._live.record().header.to_json()) + "\n"
        told = {key: value for key, value in line.items() if key != "turn"}
        whole = {**line["turn"], _EXTRA: {"before": self._before, "told": told}}
        self._file.write(f"{header}{json.dumps(whole)}\n")
        self._file.flush()
        self._before = []

    def close(self) -> bool:
        """Close the file; whether there is one. Of a session that is over it is written anew, with its result."""
        if self._file is None or self._live is None:
            return False
        begun = self._file.tell() > 0
        self._file.close()
        self._file = None
        if self._live.status == "ended":
            self._live.write_record(self.path)
        elif not begun:
            self.path.unlink()
        return begun or self._live.status == "ended"


def take_up(path: Path) -> Kept:
    """An unfinished session that was kept here.

    Raises `RecordError` for a file that holds none, and for a session that is over.
    """
    record = read_record(path)
    if record.result:
        raise RecordError(str(path), "the session is over: it can be replayed, not gone on with")
    header = record.header
    if HUMAN not in header.agents.values():
        raise RecordError(str(path), "was not kept by `teach-agents chat`: nobody sat in it")
    lines: list[JsonMapping] = []
    raw = path.read_bytes()[: record.sound_bytes].splitlines()
    for number, text in enumerate(raw[1:], 2):
        turn = json.loads(text)
        extra = turn.pop(_EXTRA, None)
        if extra is None:
            raise RecordError(f"{path}, line {number}", "was not kept by `teach-agents chat`")
        lines += [*extra["before"], {**extra["told"], "turn": turn}]
    setting = LiveSetting(header.session_id, header.scenario, header.agents, header.simulator, header.view_size)
    setting = replace(setting, hooks=tuple(header.hooks))
    return Kept(record, setting, tuple(lines))
