"""Where a Follower stood: before its last orders, and when it was spoken to; "go back to where you were"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import takewhile
from typing import NamedTuple

from teach_agents.agents.acting.body import Body
from teach_agents.agents.acting.navigation import Stand
from teach_agents.agents.dialogue.noun_types import kinds_of
from teach_agents.core.dialogue import Act, DialogueAct, Phrase, Slot
from teach_agents.understanding.plain_text import plain_text

WALKS = frozenset({"go_to", "come"})
"""Orders that lead somewhere."""
_FACING = frozenset({"look_at", "show", "turn_left", "turn_right", "turn_around", "look_up", "look_down", "do", "move"})
"""Orders that turn the body on the spot, or may be read of words that have it turn."""
_KEPT = 20
_SPOT = frozenset("place spot position location point".split())
_EARLIER = frozenset("last old previous earlier former original initial starting start home base".split())
_BEFORE = re.compile(
    rf"\b(?:(?:where|(?:{'|'.join(sorted(_SPOT))})(?: where| that)?) you(?: have|'ve|'d| had)?(?: just| only)? "
    r"(?:were|been|came|come|stood|started|began|set (?:off|out))"
    rf"|(?:back|return|returning) to your (?:own |usual |regular )?(?:{'|'.join(sorted(_SPOT))}|post|corner|station)"
    rf"|(?:your|the) (?:{'|'.join(sorted(_EARLIER))}) (?:{'|'.join(sorted(_SPOT))}))\b"
)
_NOW = re.compile(r"\bwhere you (?:are|stand)(?: standing)?(?: right)?(?: now)?\b")
_BASE = frozenset({"base", "home_base", "start", "beginning", "charger", "charging_station", "dock", "starting_point"})
"""Where a robot is at home: where it stood at first."""
PLACES = _BASE | frozenset({"last_place", "old_place", "previous_place", "where_you_were", "where_you_are_now", "back"})
"""Nouns of readings that name such a place."""
BACK = DialogueAct(Act.ORDER, "go_to", (Slot("", Phrase("where_you_were")),))
"""To go back to where one stood before the last order."""
_UNMADE = frozenset({Act.UNDO, Act.RESUME, Act.REPEAT, Act.UNCLEAR})
_GOES_ON = re.compile(r"\b(?:carry|continue|resume|proceed|pick up|keep|go on)\b")
_HALTED = re.compile(r"\b(?:stop|halt|wait|hold (?:on|it)|no|forget)\b")

_WAY = frozenset("way direction heading orientation".split())
_TURNED = re.compile(
    r"\b(?:fac(?:e|es|ed|ing)|point(?:ed|ing|s)?|look(?:ed|ing|s)?|turn(?:ed)?|heading|headed|nose|oriented|angled)\b"
)
_SAME_WAY = re.compile(
    r"\b(?:(?:the )?(?:same|original|old|first|previous|earlier|former|initial|other) (?:way|direction|heading)"
    r"|(?:the |which(?:ever)? |what(?:ever)? )?(?:way|direction|where|how|as)(?: that)?"
    r" (?:it|you|your \w+|that)(?:'d| had| did| have)?(?: been)?(?: just| only| first)?"
    r" (?:were|was|fac|look|point|turned|started|began|stood)\w*)\b"
)
_AGO = re.compile(
    r"\b(?:before|earlier|original(?:ly)?|initial(?:ly)?|first|start(?:ed)?|beg[ai]nn?(?:ing)?|previous(?:ly)?|again|back"
    r"|(?:it|you|nose) (?:was|were|had|pointed|faced|looked))\b"
)
_AT_FIRST = re.compile(
    r"\b(?:original(?:ly)?|initial(?:ly)?|starting|start|home|base|began|(?:at|to|in|from) (?:the )?(?:very )?"
    r"(?:first|start|begin(?:ning)?|outset)|started|beginning)\b"
)
_WALK = re.compile(r"\b(?:step|walk|go|move|come|pace)s?\b")
_ALL = re.compile(r"\ball (?:this|that|the|of|those|these)\b|\bwhole\b")
FACED = DialogueAct(Act.ORDER, "look_at", (Slot("", Phrase("way", "", ("same",))),))
"""To face the way that one faced before."""


def faces_back(text: str) -> bool:
    """Whether words speak of the way that the body faced before: "turn back to how you were facing"."""
    words = plain_text(text)
    return all(one.search(words) for one in (_TURNED, _SAME_WAY, _AGO)) and "around" not in words


def is_earlier(phrase: Phrase) -> bool:
    """Whether a description is of where one stood before: "where you were", "the previous place"."""
    return phrase.noun in PLACES or (phrase.noun in _SPOT and bool(_EARLIER & {*phrase.looks}))


def leads_back(text: str) -> bool:
    """Whether words speak of a place where the body stood before."""
    return _BEFORE.search(text.lower()) is not None


def led_back(acts: Sequence[DialogueAct], text: str) -> Sequence[DialogueAct]:
    """Acts of words that lead back to where the body stood, however read: "stop, go back to where you were"."""
    if not leads_back(text) or _GOES_ON.search(text.lower()):
        return acts
    if any(act.about in WALKS for act in acts):  # "go back to your post"
        return [
            BACK if act.about == "go_to" and not any(_is_somewhere(slot.phrase) for slot in act.slots) else act
            for act in acts
        ]
    moves = () if _TURNED.search(text.lower()) else ("step_back", "turn_around")
    return [BACK if not act.slots and (act.act in _UNMADE or act.about in moves) else act for act in acts]


def _is_somewhere(phrase: Phrase) -> bool:
    return bool(kinds_of(phrase.noun)) or phrase.noun in ("me", "us", "where_you_are_now")


class Faced(NamedTuple):
    """Where a body stood, its pitch, and the verb of the order that began there."""

    stand: Stand
    horizon: float
    verb: str


class Standpoints:
    """Remembers where a body stood."""

    def __init__(self, body: Body) -> None:
        self._body = body
        self._trail = list[Faced]()
        self._spoken_to: Stand | None = None

    def spoken_to(self) -> None:
        """Somebody says something."""
        self._spoken_to = self._body.stand

    def leaving(self, order: DialogueAct) -> Stand | None:
        """An order begins: where the body stood before the one before."""
        was = self._trail[-1].stand if self._trail else None
        now = Faced(self._body.stand, self._body.pose.horizon, order.about)
        self._trail = [*self._trail[:1], *[*self._trail[1:], now][-_KEPT:]]
        return was

    def faced(self, order: DialogueAct, text: str) -> Faced | None:
        """How the body stood when it faced the way that an order has it face again: before the order before, before
        all turns in a row, or at first; `None` for any other order. To be asked before it is `leaving`."""
        looks = order.about == "step_back" and not _WALK.search(text.lower())  # "look back the way you faced"
        if not (looks or order.about in _FACING) or not self._trail or not (order == FACED or faces_back(text)):
            return None
        if any(kinds_of(slot.phrase.noun) for slot in order.slots):
            return None
        if _AT_FIRST.search(text.lower()):
            return self._trail[0]
        turns = [*takewhile(lambda one: one.verb in _FACING, reversed(self._trail))]
        return turns[-1] if turns and _ALL.search(text.lower()) else self._trail[-1]

    def meant(self, order: DialogueAct, text: str, before: Stand | None) -> Stand | None:
        """Where an order leads back to, before the last order or at first; `None` for any other."""
        if order.about not in WALKS:
            return None
        named = {slot.phrase.noun for slot in order.slots}
        if any(map(kinds_of, named)):  # the words may be about another order of the utterance
            return None
        earlier = any(is_earlier(slot.phrase) for slot in order.slots)
        if "where_you_are_now" in named or (order.about == "come" and _NOW.search(text.lower())):
            return self._spoken_to
        if not (earlier or leads_back(text)):
            return None
        at_first = (_AT_FIRST.search(text.lower()) or named & _BASE) and not _HALTED.search(text.lower())
        return self._trail[0].stand if before is not None and at_first else before
