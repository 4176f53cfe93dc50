"""Who keeps a session's record while it is held."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

from teach_agents.session.record import RecordWriter, SessionRecord
from teach_agents.session.turns import TurnRecord

__all__ = ["FileKeeper", "Keeper"]


class Keeper(ABC):
    """A session goes on when what happened is kept. Its first line is there already."""

    @abstractmethod
    def resume(self, record: SessionRecord) -> None:
        """The session goes on behind the turns of a record."""

    @abstractmethod
    async def turn(self, record: TurnRecord) -> None:
        """Add a turn."""

    @abstractmethod
    async def end(self, result: Mapping[str, Any]) -> None:
        """Add the result; the record is complete. Raises `OSError` where that cannot be."""

    @abstractmethod
    def close(self) -> None:
        """The session is over, or left as it is."""


class FileKeeper(Keeper):
    """Keeps the record in a file."""

    def __init__(self, writer: RecordWriter) -> None:
        self._writer = writer

    def resume(self, record: SessionRecord) -> None:
        """Go on with the file, without its damaged last line."""
        self._writer.resume(record)

    async def turn(self, record: TurnRecord) -> None:
        """Hand a line to the system."""
        self._writer.turn(record)

    async def end(self, result: Mapping[str, Any]) -> None:
        """The same."""
        self._writer.end(result)

    def close(self) -> None:
        """Sync to the disk."""
        self._writer.close()
