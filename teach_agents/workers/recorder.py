"""The recorder: keeps the record's lines in a file, each once, and tells them to whoever goes on from there."""

from __future__ import annotations

import os
from pathlib import Path

from teach_agents.core.bus import MessageBus
from teach_agents.core.bus.answering import answer_all
from teach_agents.core.messages import (
    RECORDER,
    LineAsked,
    LineKept,
    Message,
    Payload,
    RecordAsked,
    RecordFailed,
    RecordTold,
)
from teach_agents.core.session.format import RecordFormat
from teach_agents.core.session.record import FORMAT, read_record
from teach_agents.errors import RecordError
from teach_agents.session.format import TEACH_FORMAT

_BEGINNING = f'{{"format":"{FORMAT}"'.encode()
"""What a record begins with, so that no other file is taken for one that was cut short."""


class Recorder:
    """Keeps one session's record in `path`; a file that exists must hold the same session, and is gone on with.

    `form` is that of its world.

    A line is handed to the system before it is acknowledged; the file is synced to the disk when the result is in it.
    Raises `RecordError` for a file that holds anything else, or cannot be written.
    """

    def __init__(self, path: Path, bus: MessageBus, session_id: str, form: RecordFormat = TEACH_FORMAT) -> None:
        self._path = path
        self._lines = _lines_of(path, session_id, form)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("ab")
        except OSError as error:
            raise RecordError(path, f"cannot be written: {error.strerror or error}") from error
        self._bus = bus
        self._inbox = bus.subscribe(RECORDER, session=session_id)

    def close(self) -> None:
        """Listen no more: the session is over."""
        self._inbox.close()

    def leave(self) -> None:
        """Sync to the disk and close the file."""
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()

    async def serve(self) -> None:
        """Keep what comes, until dismissed. Raises `BusReplacedError` when another process keeps it, and `BusError`."""
        await answer_all(self._bus, self._inbox, self._answer)

    async def _answer(self, request: Message) -> Payload | None:
        payload = request.payload
        if isinstance(payload, RecordAsked):
            return RecordTold(lines=tuple(self._lines))
        if not isinstance(payload, LineAsked):
            return None
        number, there = payload.number, len(self._lines)
        if number < there and self._lines[number] == payload.line:
            return LineKept(number=number)
        if number != there:
            return RecordFailed(problem=f"line {number} does not go with the {there} lines in {self._path}")
        try:
            self._file.write(payload.line.encode() + b"\n")
            self._file.flush()
        except OSError as error:
            return RecordFailed(problem=f"{self._path} cannot be written: {error.strerror or error}")
        self._lines.append(payload.line)
        return LineKept(number=number)


def _lines_of(path: Path, session_id: str, form: RecordFormat) -> list[str]:
    """The lines of the record in a file, whose damaged last one is cut off; none where there is no file."""
    if not path.exists() or not (raw := path.read_bytes()):
        return []
    whole = raw[: raw.rfind(b"\n") + 1]
    if whole or not _BEGINNING.startswith(raw[: len(_BEGINNING)]):
        found = read_record(path, form).header.session_id
        if found != session_id:
            raise RecordError(path, "holds the record of another session", value=found, valid=(session_id,))
    if len(whole) < len(raw):
        os.truncate(path, len(whole))
    return whole.decode().split("\n")[:-1]
