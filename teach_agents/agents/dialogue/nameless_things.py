""" "There's one thing on the worktop that never got washed: find the dirty one" is about what lies on the worktop."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from teach_agents.agents.acting.things import having
from teach_agents.agents.dialogue.noun_types import kinds_of
from teach_agents.agents.dialogue.reference_resolution import Resolver
from teach_agents.agents.dialogue.states import LOOKS, state_called
from teach_agents.core.dialogue import Phrase
from teach_agents.understanding.noun_phrases import singular

_NAMELESS = re.compile(
    r"\b(?:thing|things|something|item|items|stuff|piece)\b[^.?!]*?"
    r"\b(?P<relation>on|in|inside) (?:the |my |our |this |that )?(?P<place>[a-z]+(?: [a-z]+)?)"
)
_FOUND_ON = {"inside": "in"}


def lying_there(one: Phrase, text: str, resolver: Resolver) -> Phrase | None:
    """What "the dirty one" is where the words speak of nameless things at a place, one of which looks so; `None` where
    they do not."""
    if one.holds is not None or not any(state_called(look) in LOOKS for look in one.looks):
        return None
    if one.place is not None:
        there = replace(one, noun="thing")
        nameless = one.place[0] in ("in", "on") and _NAMELESS.search(text.lower()) is not None
        return there if nameless and resolver.find(there, having("pickupable")).things else None
    at_places = (replace(one, noun="thing", place=place) for place in _places(text))
    return next((lying for lying in at_places if resolver.find(lying, having("pickupable")).things), None)


def where_told(thing: Phrase, text: str, resolver: Resolver) -> Phrase:
    """A description of what has no name, at the place where the words say that it is: "something to write with must be
    on the floor"; without one where they say none, or where only others are known."""
    at_places = (replace(thing, place=place) for place in _places(text))
    known = resolver.find(thing).things
    looks = resolver.body.knowledge is not None
    return next((lying for lying in at_places if looks or not known or resolver.find(lying).things), thing)


def _places(text: str) -> Iterator[tuple[str, Phrase]]:
    """The places where words say that nameless things are."""
    for found in _NAMELESS.finditer(text.lower()):
        words = found["place"].split()
        nouns = ("_".join((*words[:-1], singular(words[-1]))), singular(words[0]))
        if noun := next((name for name in nouns if kinds_of(name)), ""):
            yield _FOUND_ON.get(found["relation"], found["relation"]), Phrase(noun)
