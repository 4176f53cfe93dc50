"""Reading: what a person said, as dialogue acts with slots. The contract."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from teach_agents.core.dialogue import Reading


class Reader(Protocol):
    """Reads people's words. It knows nothing of the room: no ids stand in what it gives."""

    def read(self, text: str, recent: Sequence[str] = ()) -> Reading:
        """The acts of an utterance, given the last lines of the talk ("person: ...", "robot: ...", "did: ...").

        Never raises for what people say; what is not understood has no acts, or is unclear.
        """


def reader_of(understanding: str | Reader) -> Reader:
    from teach_agents.understanding.rules_reader import RulesReader

    return RulesReader() if isinstance(understanding, str) else understanding
