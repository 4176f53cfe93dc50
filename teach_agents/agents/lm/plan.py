"""What was said and done so far, in order: what the Follower was asked for, what it chose to do, how that went."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from itertools import takewhile

from teach_agents.actions import ActionResult, Role
from teach_agents.core.json_types import JsonMapping
from teach_agents.observations import Utterance

_LEFT_OUT = 4
"""How many entries leave the window at a time."""
_BOTH = 2
LONGEST = 160
"""Characters of one utterance or outcome that are shown."""


@dataclass(frozen=True, slots=True)
class Entry:
    """Something said, by `speaker`, or a step that is over (`speaker` is `None`) with its `outcome`."""

    text: str
    speaker: Role | None = None
    outcome: str = ""

    def __len__(self) -> int:
        """Characters that it takes to show."""
        return len(self.text) + len(self.outcome) + 14


class Plan:
    """The record that a Follower keeps of a session, for itself: only what it heard, said and did.

    `doing` is the step under way, "" for none.
    """

    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self.doing = ""
        self._noticed = 0

    def copy(self) -> Plan:
        """Another that says the same so far."""
        made = copy(self)
        made.entries = [*self.entries]
        return made

    def hear(self, said: Sequence[Utterance]) -> None:
        """Somebody said something, the Follower itself too; when both spoke in a turn, it had not heard the other."""
        if len(said) == _BOTH and said[0].time_ms == said[1].time_ms:
            said = sorted(said, key=lambda one: one.speaker is Role.COMMANDER)
        self.entries += [Entry(shortened(one.text), one.speaker) for one in said]

    def listen(self, dialogue: Sequence[Utterance]) -> Sequence[Utterance]:
        """Hear what was said since it last listened; that."""
        news = dialogue[self._noticed :]
        self._noticed += len(news)
        self.hear(news)
        return news

    def begin(self, step: str) -> None:
        """A step is begun."""
        self.doing = step

    def end(self, outcome: str) -> None:
        """The step under way is over."""
        self.entries.append(Entry(self.doing, None, shortened(outcome)))
        self.doing = ""

    @property
    def requests(self) -> list[str]:
        """What the Commander said, the latest first: since the Follower's last word at first, then what was before."""
        return [one.text for one in reversed(self.entries) if one.speaker is Role.COMMANDER]

    @property
    def current(self) -> list[Entry]:
        """What was said and done since the Commander was last spoken to."""
        return [*takewhile(lambda one: one.speaker is not Role.FOLLOWER, reversed(self.entries))][::-1]

    def window(self, most: int) -> list[Entry]:
        """The latest entries, of at most so many characters together; the last one in any case.

        When there is no room for another, more than one of the oldest is left out: so what a model reads begins alike
        for a while, and need not be read again each time.
        """
        first, room = 0, most
        for place, entry in enumerate(self.entries):
            room -= len(entry)
            while room < 0 and first < place:
                room += sum(map(len, self.entries[first : first + _LEFT_OUT]))
                first += _LEFT_OUT
        return self.entries[min(first, max(0, len(self.entries) - 1)) :]

    def to_json(self) -> JsonMapping:
        """What is asked for now, the steps of it with their outcomes, and the one under way."""
        current = self.current
        return {
            "request": [one.text for one in current if one.speaker is Role.COMMANDER],
            "steps": [{"step": one.text, "outcome": one.outcome} for one in current if one.speaker is None],
            "doing": self.doing,
        }


def shortened(text: str) -> str:
    """A text in one line, cut where it is too long to be shown."""
    text = " ".join(text.split())
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."


def outcome_of(result: ActionResult | None) -> str:
    """What became of an action, with what was said of why it failed."""
    if not result:
        return "failed"
    return "done" if result.success else f"{result.message} {result.help or ''}".strip() or "failed"
