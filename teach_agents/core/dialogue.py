"""Dialogue acts that any world knows: control, answers, repair, prohibitions, facts, courtesies.

What an order or a question is about is the world's: its verb or topic is a word of the world's own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple


class Act(StrEnum):
    """What an utterance, or a part of it, does. Values are the words of the notation and of records."""

    ORDER = "order"
    QUESTION = "question"

    STOP = "stop"
    WAIT = "wait"
    RESUME = "resume"
    CANCEL = "cancel"
    """Never mind, all of it or one thing of several."""
    SLOWER = "slower"
    FASTER = "faster"

    YES = "yes"
    NO = "no"
    CHOOSE = "choose"
    """Names one of what was offered."""
    ANY = "any"
    DONT_KNOW = "dont_know"

    NOT = "not"
    """Not that one."""
    INSTEAD = "instead"
    """Another thing was meant."""
    INSTEAD_DO = "instead_do"
    """Something else was to be done with it."""
    WRONG = "wrong"
    REPEAT = "repeat"
    SAY_AGAIN = "say_again"
    UNDO = "undo"

    NEVER = "never"
    ALLOW = "allow"
    NOT_UNTIL = "not_until"
    FACT = "fact"

    HELLO = "hello"
    BYE = "bye"
    THANKS = "thanks"
    PRAISE = "praise"
    SORRY = "sorry"
    OK = "ok"
    COMPLAIN = "complain"
    CHAT = "chat"

    UNCLEAR = "unclear"
    """What was understood of it, if anything, is a slot."""
    OTHER_LANGUAGE = "other_language"


CONTROL = frozenset({Act.STOP, Act.WAIT, Act.RESUME, Act.CANCEL, Act.SLOWER, Act.FASTER})
"""Carried out by whoever holds the session, before anybody else is asked."""
COURTESIES = frozenset({Act.HELLO, Act.BYE, Act.THANKS, Act.PRAISE, Act.SORRY, Act.OK, Act.CHAT})
"""Nothing is to be done about them."""
ABOUT_ACTS = frozenset({Act.NEVER, Act.ALLOW, Act.NOT_UNTIL, Act.CANCEL, Act.INSTEAD_DO})
"""Their slot is another act."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """A description: `Phrase("plate", "2", ("dirty",), ("on", Phrase("table")))` is two dirty plates on the table.

    `noun` is one word or several with `_` between, a pronoun as it was said; `count` a number, `all`, `some`,
    `another`, `other`, `rest`, `any`, "" for one thing; `looks` what it is told apart by, in the order said; `place` a
    relation and what it is to; `holds` what is on or in it.
    """

    noun: str
    count: str = ""
    looks: tuple[str, ...] = ()
    place: tuple[str, Phrase] | None = None
    holds: Phrase | None = None


class Slot(NamedTuple):
    """A description and its part in an act: "" for what is acted upon, else a preposition."""

    role: str
    phrase: Phrase


class Condition(NamedTuple):
    """What has to be so for an act: a thing in a state or at a place, or that there is one (neither)."""

    phrase: Phrase
    state: str = ""
    holds: bool = True
    """False for "unless"."""


class DialogueAct(NamedTuple):
    """One act. `about` is an order's verb, a question's topic, or words of what is no more than chat.

    `of` are the acts that it speaks of: what is forbidden, cancelled, asked after.
    """

    act: Act
    about: str = ""
    slots: tuple[Slot, ...] = ()
    of: tuple[DialogueAct, ...] = ()
    condition: Condition | None = None


class Reading(NamedTuple):
    """What an utterance was read as: its acts in order, how sure that is (0 to 1), which part of the reader said so;
    `others` are further ways to read it, less sure.
    """

    acts: Sequence[DialogueAct]
    confidence: float = 1.0
    by: str = ""
    others: Sequence[Reading] = ()
