"""Who keeps a session's record while it is held."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any


class Keeper(ABC):
    """A session goes on when what happened is kept. Its first line is there already. Used in the session's thread."""

    @abstractmethod
    def resume(self, record: Any) -> None:
        """The session goes on behind the turns of a record."""

    @abstractmethod
    def turn(self, record: Any) -> None:
        """Add a turn."""

    @abstractmethod
    def end(self, result: Mapping[str, Any]) -> None:
        """Add the result; the record is complete. Raises `OSError` where that cannot be."""

    @abstractmethod
    def close(self) -> None:
        """The session is over, or left as it is."""
