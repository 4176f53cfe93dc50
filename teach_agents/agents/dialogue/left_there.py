""" "Just leave the cloth in the sink" is to put it there, where it is not there yet."""

from __future__ import annotations

import re
from collections.abc import Sequence

from teach_agents.agents.acting.things import having
from teach_agents.agents.dialogue.reference_resolution import Resolver
from teach_agents.core.dialogue import Act, DialogueAct, Slot
from teach_agents.understanding.noun_phrases import noun_phrase
from teach_agents.understanding.plain_text import plain_text

_LEFT = re.compile(
    r"(?:^|[.,;!?] )(?:(?:just|please|now|then|so|and|you can|you may|could you|can you) )*leave (?P<what>[a-z' ]+?)"
    r" (?P<role>in|on) (?P<place>(?:the|my|our) [a-z]+(?: [a-z]+)?)"
    r"(?=\s*(?:[.,;!?]|$)| (?:for|please|and|so|when|until|till|then)\b)"
)


def with_left_there(acts: Sequence[DialogueAct], text: str, resolver: Resolver) -> list[DialogueAct]:
    """Acts with an order in place of the prohibition to move what is elsewhere than it is to be left."""
    return [_put_there(act, text, resolver) or act for act in acts]


def _put_there(act: DialogueAct, text: str, resolver: Resolver) -> DialogueAct | None:
    if act.act is not Act.NEVER or [one.about for one in act.of] != ["move"]:
        return None
    found = _LEFT.search(plain_text(text))
    what = noun_phrase(found["what"]) if found is not None else None
    place = noun_phrase(found["place"]) if found is not None else None
    if found is None or what is None or place is None or what.place is not None:
        return None
    things = resolver.find(what, having("pickupable")).things
    there = {one.object_id for one in resolver.find(place).things}
    holders = (resolver.body.things.holders(thing) for thing in things)
    if not things or any(there & {one.object_id for one in held_by} for held_by in holders):
        return None
    return DialogueAct(Act.ORDER, "put", (Slot("", what), Slot(found["role"], place)), condition=act.condition)
