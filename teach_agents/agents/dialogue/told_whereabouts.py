"""Where people say that they are, in words that were taken for small talk: "I'm home, I'm over by the dresser"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from teach_agents.agents.dialogue.noun_types import kinds_of
from teach_agents.core.dialogue import Act, DialogueAct, Phrase, Slot
from teach_agents.understanding.plain_text import plain_text

_I_AM = re.compile(r"\bi(?:'m| am)\b(?! not\b)[^.?!,;]*")
_AT = re.compile(r"\b(?:by|at|near|next to|beside|in front of|on|in) (?:the|my|our) (?=(?P<place>[a-z]+(?: [a-z]+)?))")
_AT_WORK = frozenset({"CellPhone", "Laptop"})
"""What people who say that they are on it are busy with, not beside."""


def with_whereabouts(acts: Sequence[DialogueAct], text: str) -> Sequence[DialogueAct]:
    """Acts with small talk that says where the speaker is as that fact."""
    places = list(_places(plain_text(text)))
    if not places or not any(act.act is Act.CHAT for act in acts):
        return acts
    fact = DialogueAct(Act.FACT, slots=(Slot("", Phrase("me", place=("near", Phrase(places[-1])))),))
    return [fact if act.act is Act.CHAT else act for act in acts]


def _places(words: str) -> Iterator[str]:
    """The things of a household at which somebody says they are."""
    for clause in _I_AM.findall(words):
        for found in _AT.finditer(clause):
            whole = found["place"].replace(" ", "_")
            named = whole if kinds_of(whole) else whole.partition("_")[0]
            if kinds_of(named) and not _AT_WORK & {*kinds_of(named)}:
                yield named
