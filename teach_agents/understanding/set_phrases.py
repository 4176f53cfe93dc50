"""Set phrases: control, courtesies and short answers that stand in a table; acts about a thing known by name."""

from __future__ import annotations

import re

from teach_agents.core.dialogue import Act, DialogueAct, Phrase, Slot
from teach_agents.understanding.grammar import grammar
from teach_agents.understanding.noun_phrases import is_known
from teach_agents.understanding.order_rules import Acts, courtesies, without_courtesies

_BREATH = 7
"""Words of a set phrase with commas in it."""


def said(text: str) -> Acts | None:
    """What a clause says as a whole, courtesies around it or not."""
    asked = courtesies()[0].sub("", text)
    for form in dict.fromkeys((text, asked, asked.removesuffix(" please"), without_courtesies(text))):
        if form and not (form in ("what", "again") and form != text) and (acts := _listed("said", form)):
            return acts
    return None


def answered(text: str) -> Acts | None:
    """Yes, no, or any, as an answer to a question."""
    return _listed("answers", text)


def in_one_breath(text: str, *, answers: bool) -> Acts | None:
    """A short answer or set phrase without the commas in it, however those divide it."""
    if len(text.split()) > _BREATH:
        return None
    return (answered(text) if answers else None) or _listed("said", text)


def chat(text: str) -> Acts | None:
    """Small talk of a kind that is listed."""
    return [DialogueAct(Act.CHAT, text)] if any(re.fullmatch(one, text) for one in grammar()["chat"]) else None


def about(act: Act, thing: Phrase | None) -> Acts | None:
    """An act about a thing that is known by name."""
    return None if thing is None or not is_known(thing) else [DialogueAct(act, "", (Slot("", thing),))]


def _listed(table: str, text: str) -> Acts | None:
    return next(([DialogueAct(Act(name))] for name, one in grammar()[table].items() if re.fullmatch(one, text)), None)
