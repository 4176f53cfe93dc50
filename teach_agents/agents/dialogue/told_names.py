"""What things and people are called among those who live here: by what they told, a description is another one."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from teach_agents.agents.dialogue.dialogue_state import Told
from teach_agents.agents.dialogue.noun_types import ANYTHING, PRONOUNS, kinds_of
from teach_agents.agents.dialogue.states import LOOKS, state_called
from teach_agents.core.dialogue import Phrase
from teach_agents.errors import InputError
from teach_agents.understanding.notation import read_phrase

_CALLED = re.compile(
    r"\b(?:calls?|called|named?) (?:the|our|my|that|this) (?P<thing>[a-z]+(?: (?!the |an? |our |my )[a-z]+)?),? "
    r"(?:the |a |an |our |my )?[\"']?(?P<name>[a-z]+)[\"']?[.!]?$"
)
"""We call the remote "the clicker"."""
_I_AM = re.compile(r"\b(?:[Ii]'?m|[Ii] am|[Mm]y name(?:'s| is)|[Cc]all me) (?P<name>[A-Z][a-z]+)\b")
NAME = "my_name"
"""The noun of what somebody told of their name."""


def names_told(text: str, turn: int) -> list[Told]:
    """What an utterance says of names: of a thing, of whoever speaks."""
    found = []
    if called := _CALLED.search(text.lower()):
        noun = called["thing"].replace(" ", "_")
        found.append(Told(text.strip(), turn, noun, "", f"called {called['name']}", noun))
    if name := _I_AM.search(text):
        found.append(Told(text.strip(), turn, NAME, "", name["name"], NAME))
    return found


def as_told(phrase: Phrase, facts: Sequence[Told]) -> Phrase:
    """What a description stands for by what was told: "the clicker", "mine", "the spare"; else the description."""
    if phrase.noun in PRONOUNS | ANYTHING:
        return phrase
    strange = [] if kinds_of(phrase.noun) else [phrase.noun]
    marks = strange or [look for look in phrase.looks if state_called(look) not in LOOKS]
    for mark in marks:
        for fact in reversed(facts):
            meant = _meant(mark, fact)
            if meant is not None and (strange or {*kinds_of(meant.noun)} & {*kinds_of(phrase.noun)}):
                return replace(meant, count=phrase.count or meant.count)
    return phrase


def _meant(mark: str, fact: Told) -> Phrase | None:
    """What a fact is about, if it gives that a mark: a name, an owner, a look."""
    try:
        what = read_phrase(fact.what)
    except InputError:
        return None
    if mark in what.looks:
        return replace(what, looks=tuple(look for look in what.looks if look != mark))
    return what if fact.state in (mark, f"called {mark}") else None
