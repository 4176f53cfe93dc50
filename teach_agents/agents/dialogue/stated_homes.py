"""Utterances that only say where things belong, or what one is called, and want nothing done."""

from __future__ import annotations

import re
from collections.abc import Sequence

from teach_agents.agents.dialogue.liked_things import disliked_in
from teach_agents.agents.dialogue.statements import AT_HOME, IN_THIS_HOUSE, statements_in
from teach_agents.agents.dialogue.told_descriptions import tells_own_place
from teach_agents.core.dialogue import Act, DialogueAct
from teach_agents.understanding.plain_text import plain_text
from teach_agents.understanding.reader import fitting

_TELLS_HOME = re.compile(
    r"(?:(?:(?:just )?(?:so|that) you know|by the way|btw|fyi|for the future|remember(?: that)?"
    r"|note(?: that)?|in this house"
    r"|at home|hello|hi|hey|listen|look|also|and|oh)[,:]* )*"
    r"(?!(?:this|that|these|those|it|they)\b)[a-z' ]+? (?:(?:should|must|has to|have to|ought to) )?"
    r"(?:(?:(?:always|usually|normally|generally|really) )*(?:belongs?|lives?|has its (?:place|home|spot)"
    r"|have their (?:place|home|spot))|(?:always|usually|normally|generally) (?:go(?:es)?|be(?: put| kept)?)"
    r"|go(?:es)? (?:always|usually|normally)|(?:is|are) (?:always |usually |normally )?kept)"
    r" (?:(?:always|usually|normally) )?(?:in|on|inside|by|next to|under)\b (?!(?:there|here)\b)[a-z' ]+[.! ]*"
)
"""An utterance that says where something belongs, and no more."""
_OF_THIS_HOUSE = re.compile(
    rf"(?:^|[.!,:;] ){IN_THIS_HOUSE}\b|\b{IN_THIS_HOUSE}(?=[.!,;]|$)|"
    r"^(?:just )?(?:so you know|fyi|for your information|remember|note|keep in mind|for the future|for next time"
    r"|from now on)\b|\b(?:always|usually|normally) (?:goes?|go|belongs?)\b"
)
"""What is said of every such thing, and is no order."""


def tells_home(text: str) -> bool:
    """Whether an utterance says where something belongs, wants nothing done by its words, and says no more."""
    plain = plain_text(text)
    return _TELLS_HOME.fullmatch(plain) is not None and re.search(r"\b(?:please|pls|thanks?|now)\b", plain) is None


def is_only_told(acts: Sequence[DialogueAct], text: str) -> bool:
    """Whether an utterance tells where things belong, what one is called, or what somebody cannot have, and wants
    nothing done: "here the keys live on the shelf", "let's call the teddy Bob", "I can't have lettuce"."""
    orders = [act for act in acts if act.act is Act.ORDER]
    if not orders:
        return False
    if all(act.about == "get" for act in orders) and "?" not in text:
        unfit, named = disliked_in(text), [slot.phrase.noun for act in orders for slot in act.slots[:1]]
        if named and {*named} <= {*unfit}:
            return True
    if all(act.about == "call" for act in orders):
        return any(one.state.startswith("called ") for one in statements_in(text))
    if tells_own_place(text) and len(orders) == len(acts) == 1 and orders[0].about in ("go_to", "come"):
        return True
    rule = _OF_THIS_HOUSE.search(fitting(text)[0].lower()) is not None
    return rule and any(one.state == AT_HOME for one in statements_in(text))
