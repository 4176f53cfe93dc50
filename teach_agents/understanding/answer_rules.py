"""Answers to what a robot has asked: yes, no, which one, where."""

from __future__ import annotations

import re

from teach_agents.core.dialogue import Act, DialogueAct, Phrase, Slot
from teach_agents.understanding.noun_phrases import is_look, noun_phrase
from teach_agents.understanding.order_rules import Acts, order_in, without_courtesies
from teach_agents.understanding.set_phrases import about, answered, said

_NEAREST = (
    r"(?:whichever is |the one that is )?(?:the )?"
    r"(nearest|closest|cleanest|biggest|smallest|nearer|closer)(?: (?:to you|one))?"
)
_BETTER = r"(.+?) (?:is|are|will|would) (?:fine|better|nicer|ok|okay|good|great|enough|do|be (?:fine|good|better|nice))"
_BACK = r"(?:(?:right )?back )?where (?:it|they) (?:was|were|came from|belongs?|is supposed to be)(?: before)?"
_WHERE = r"(?:in|on|under|behind|next to|near|by|beside|above) .+"
_LEADS = r"^(?:it is|i mean|i meant|take|i think|definitely|probably|um|the) "


def answer_in(text: str, question: str) -> Acts | None:
    """What a clause answers to a question."""
    plain = without_courtesies(text)
    if re.fullmatch(_BACK, plain):
        return [DialogueAct(Act.ORDER, "put_back", (Slot("", Phrase("it")),))]
    if re.search(r"\bor\b", question) and (better := re.fullmatch(_BETTER, plain)):
        if chosen := about(Act.CHOOSE, noun_phrase(better[1])):
            return chosen
    return answered(text) or answered(plain)


def choice_in(text: str, question: str) -> Acts | None:
    """What a clause chooses of what a question offers."""
    if said(text) or order_in(text) or text.endswith((" too", " as well", " also")):
        return None
    plain = without_courtesies(text)
    if nearest := re.fullmatch(_NEAREST, plain):
        return about(Act.CHOOSE, Phrase("one", "", (nearest[1].replace("closest", "nearest"),)))
    if where := re.fullmatch(_WHERE, plain):
        named = "there" if re.search(r"\bwhere\b", question.lower()) else "one"
        return about(Act.CHOOSE, noun_phrase(f"{named} {where[0]}"))
    thing = noun_phrase(re.sub(_LEADS, "", plain))
    if thing is not None and is_look(thing.noun) and not thing.looks:
        thing = Phrase("one", "", (thing.noun,), thing.place)
    return about(Act.CHOOSE, Phrase("one", "2") if thing == Phrase("them", "2") else thing)
