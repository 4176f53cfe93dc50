""" "Just leave the cloth in the sink", "leave it where Grandpa sits", "keys go in the open drawer" is to put them
there, where they are not there yet."""

from __future__ import annotations

import re
from collections.abc import Sequence

from teach_agents.agents.acting.things import having
from teach_agents.agents.dialogue.reference_resolution import Resolver
from teach_agents.core.dialogue import Act, DialogueAct, Phrase, Slot
from teach_agents.understanding.noun_phrases import noun_phrase
from teach_agents.understanding.plain_text import plain_text

_LEADS = (
    r"(?:^|[.,;!?:] |\b(?:and|then|so|now|just|please|kindly|you can|you may|you could|could you|can you|would you"
    r"|will you|i'd like you to|i want you to) )"
)
_ENDS = (
    r"(?=\s*(?:[.,;!?]|$)"
    r"| (?:for|please|and|so|when|until|till|then|too|as well|also|now|instead|would you|will you)\b)"
)
_ROLES = {
    "in": "in",
    "inside": "in",
    "on": "on",
    "on top of": "on",
    **dict.fromkeys(("near", "next to", "beside", "by", "close to"), "near"),
}
_LEFT = re.compile(
    rf"{_LEADS}leave (?P<what>[a-z' ]+?)(?: lying| standing| sitting)?"
    rf" (?:right )?(?:(?P<role>{'|'.join(sorted(_ROLES, key=len, reverse=True))})"
    rf" (?P<place>(?:the|my|our|that|his|her) [a-z]+(?: [a-z]+)?){_ENDS}"
    rf"|where(?:ver)? (?P<where>[a-z' ]+)|(?P<there>(?:over |in |on )?there){_ENDS})"
)
_ITSELF = re.compile(
    r"(?:it|they|that|those|you|i|we)(?:'s|'re|'ve)?\b|(?:the|my|our|all) [a-z ]*\b(?:was|were|goes?|belongs?)\b"
)
"""What begins the words for where a thing is, was, or belongs."""
_ALSO = re.compile(r"\b(?:too|as well|also)\b")
_GOES = re.compile(
    rf"(?:(?:ok|okay|right|so|now|good|great|well|and|please|hi|hello|hey|robot)\W+)*"
    r"(?P<what>(?!(?:it|that|this|he|she|they|you|we|i|what|where|which|who|if|when|once|never|only|nothing)\b)"
    r"(?:[a-z'-]+ ){1,4}?)(?:needs? to go|(?:should|can|must|may) go|goes|go)(?: back)?(?: right)?"
    rf" (?:(?P<role>{'|'.join([*sorted(_ROLES, key=len, reverse=True), 'into', 'onto'])})"
    r" (?P<place>(?:the|my|our|that|this) [a-z' -]+?))(?:,? (?:please|thanks|thank you|now|too|as well|then|robot))*\W*"
)
"""What has no more than where a thing goes: an order where it is there to be taken, and not there yet."""
_HABITS = re.compile(
    r"\b(?:always|usually|normally|generally|never|often|only|every|each|from now on|remember|note|house|home|at night"
    r"|where|when|after|before|if|and|or|but)\b"
)
"""Words of what holds for ever, not now."""


def with_left_there(acts: Sequence[DialogueAct], text: str, resolver: Resolver) -> list[DialogueAct]:
    """Acts with an order in place of the prohibition to move what is elsewhere than it is to be left; one behind the
    fact of where a thing at hand goes, where no more than that is said."""
    found = [_put_there(act, text, resolver) or act for act in acts]
    goes = _goes_there(text, resolver) if {act.act for act in found} == {Act.FACT} else None
    return [*found, goes] if goes is not None else found


def _goes_there(text: str, resolver: Resolver) -> DialogueAct | None:
    plain = plain_text(text)
    found = _GOES.fullmatch(plain) if not _HABITS.search(plain) and "?" not in plain else None
    what, place = (
        (noun_phrase(found["what"].strip()), noun_phrase(found["place"])) if found is not None else (None, None)
    )
    if found is None or what is None or place is None:
        return None
    things = resolver.find(what, having("pickupable")).chosen
    there = resolver.find(place).things
    if not things or not there or all(resolver.placed("in", thing, there) for thing in things):
        return None
    role = _ROLES.get(found["role"], found["role"].removesuffix("to"))
    return DialogueAct(Act.ORDER, "put", (Slot("", what), Slot(role, place)))


def _put_there(act: DialogueAct, text: str, resolver: Resolver) -> DialogueAct | None:
    if act.act is not Act.NEVER or [one.about for one in act.of] not in (["move"], ["touch"], ["get"], ["pick_up"]):
        return None
    found = _LEFT.search(plain_text(text))
    what = noun_phrase(found["what"]) if found is not None else None
    if found is None or what is None or what.place is not None:
        return None
    things, held = resolver.find(what, having("pickupable")).things, resolver.body.held
    where = _place(found, what)
    if not things or where is None:
        return None
    if found["there"]:  # what is in the hand is put there; anything else is there already
        elsewhere = _ALSO.search(text.lower()) and not all(
            resolver.placed("in", one, resolver.salience.there()) for one in things
        )
        in_hand = elsewhere or held is not None and (held in things or what in (Phrase("it"), Phrase("that")))
        return DialogueAct(Act.ORDER, "put", (Slot("", what), where), condition=act.condition) if in_hand else None
    there = {one.object_id for one in resolver.find(where.phrase).things} if where.role != "at" else set()
    holders = (resolver.body.things.holders(thing) for thing in things)
    if any(there & {one.object_id for one in held_by} for held_by in holders):
        return None
    return DialogueAct(Act.ORDER, "put", (Slot("", what), where), condition=act.condition)


def _place(found: re.Match[str], what: Phrase) -> Slot | None:
    """Where something is to be left: at a place that is named, or told by who or what is there; `None` for where it
    is."""
    if found["role"]:
        place = noun_phrase(found["place"])
        return Slot(_ROLES[found["role"]], place) if place is not None else None
    if found["where"]:
        of_itself = _ITSELF.match(found["where"]) or what.noun in found["where"].split()
        return None if of_itself else Slot("at", Phrase("there"))
    return Slot("at", Phrase("there"))
