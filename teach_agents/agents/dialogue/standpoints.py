"""Where a Follower stood: before its last orders, and when it was spoken to; "go back to where you were"."""

from __future__ import annotations

import re

from teach_agents.agents.acting.body import Body
from teach_agents.agents.acting.navigation import Stand
from teach_agents.agents.dialogue.noun_types import kinds_of
from teach_agents.core.dialogue import Act, DialogueAct, Phrase, Slot

WALKS = frozenset({"go_to", "come"})
"""Orders that lead somewhere."""
_SPOT = frozenset("place spot position location point".split())
_EARLIER = frozenset("last old previous earlier former".split())
_BEFORE = re.compile(
    rf"\b(?:(?:where|(?:{'|'.join(sorted(_SPOT))})(?: where| that)?) you(?: have|'ve|'d| had)?(?: just| only)? "
    r"(?:were|been|came|come|stood|started)"
    rf"|(?:your|the) (?:{'|'.join(sorted(_EARLIER))}) (?:{'|'.join(sorted(_SPOT))}))\b"
)
_NOW = re.compile(r"\bwhere you (?:are|stand)(?: standing)?(?: right)?(?: now)?\b")
PLACES = frozenset({"last_place", "old_place", "previous_place", "where_you_were", "where_you_are_now", "back"})
"""Nouns of readings that name such a place."""
BACK = DialogueAct(Act.ORDER, "go_to", (Slot("", Phrase("where_you_were")),))
"""To go back to where one stood before the last order."""


def is_earlier(phrase: Phrase) -> bool:
    """Whether a description is of where one stood before: "where you were", "the previous place"."""
    return phrase.noun in PLACES or (phrase.noun in _SPOT and bool(_EARLIER & {*phrase.looks}))


def leads_back(text: str) -> bool:
    """Whether words speak of a place where the body stood before."""
    return _BEFORE.search(text.lower()) is not None


class Standpoints:
    """Remembers where a body stood."""

    def __init__(self, body: Body) -> None:
        self._body = body
        self._before: Stand | None = None
        self._spoken_to: Stand | None = None

    def spoken_to(self) -> None:
        """Somebody says something."""
        self._spoken_to = self._body.stand

    def leaving(self) -> Stand | None:
        """An order begins: where the body stood before the one before."""
        was, self._before = self._before, self._body.stand
        return was

    def meant(self, order: DialogueAct, text: str, before: Stand | None) -> Stand | None:
        """Where an order leads back to; `None` for any other."""
        if order.about not in WALKS:
            return None
        named = {slot.phrase.noun for slot in order.slots}
        if any(map(kinds_of, named)):  # the words may be about another order of the utterance
            return None
        earlier = any(is_earlier(slot.phrase) for slot in order.slots)
        if "where_you_are_now" in named or (order.about == "come" and _NOW.search(text.lower())):
            return self._spoken_to
        return before if earlier or leads_back(text) else None
