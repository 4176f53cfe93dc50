"""Where things belong that somebody wants to have put away, hung up or put back, and says no place for."""

from __future__ import annotations

from collections.abc import Mapping

from teach_agents.agents.acting.things import Thing
from teach_agents.agents.dialogue.noun_types import calls
from teach_agents.agents.dialogue.reference_resolution import Resolver
from teach_agents.agents.dialogue.statements import AT_HOME
from teach_agents.agents.dialogue.states import LOOKS, state_called
from teach_agents.core.dialogue import Phrase
from teach_agents.understanding.notation import read_phrase

ONE_EACH: Mapping[str, frozenset[str]] = {
    "ToiletPaperHanger": frozenset({"ToiletPaper"}),
    "TowelHolder": frozenset({"Towel"}),
    "HandTowelHolder": frozenset({"HandTowel"}),
}
"""What takes one thing, of these types only."""
_HOMES: Mapping[str, tuple[str, ...]] = {
    **{kind: (holder,) for holder, kinds in ONE_EACH.items() for kind in kinds},
    **dict.fromkeys(("Egg", "Lettuce", "LettuceSliced", "Tomato", "TomatoSliced"), ("Fridge",)),
    "Pillow": ("Bed", "Sofa"),
    "TeddyBear": ("Bed",),
}
"""The places of things that have one: where nearly all of them are in rooms as they ship, or what is made for them."""


_DONE_WITH = frozenset("old used empty read broken finished spent worn torn stale rotten mouldy expired".split())
"""What things are that somebody has done with."""


def homes(thing: Thing, resolver: Resolver) -> list[Thing]:
    """The places where a thing belongs and that have room for it: as was told, else as everybody knows; none where
    that is not clear."""
    told, things = told_homes(thing, resolver), resolver.body.things
    if told:
        return told
    for kind in _HOMES.get(thing.object_type, ()):
        places = [one for one in things.of(kind) if one.has("receptacle")]
        if places:
            return [one for one in places if kind not in ONE_EACH or things.contents(one) in ([], [thing])]
    return []


def told_homes(thing: Thing, resolver: Resolver) -> list[Thing]:
    """The places where somebody said, last of all, that a thing belongs."""
    where = told_home(thing, resolver)
    return [] if where is None else [one for one in resolver.find(where).things if one.has("receptacle")]


def told_home(thing: Thing, resolver: Resolver, *, done_with: bool = False) -> Phrase | None:
    """The place where somebody said, last of all, that a thing belongs, or goes when it is `done_with`: "old papers go
    in the box"."""
    for fact in reversed(resolver.facts):
        what = read_phrase(fact.what) if fact.state == AT_HOME and calls(fact.noun, thing) else None
        if done_with and what is not None and not _DONE_WITH & {*what.looks}:
            continue
        if what is not None and what.place is not None and _is_such(thing, what, resolver):
            return what.place[1]
    return None


def has_home(thing: Thing, resolver: Resolver) -> bool:
    """Whether it is known where a thing belongs, seen or not."""
    return bool(homes(thing, resolver)) or told_home(thing, resolver) is not None


def _is_such(thing: Thing, what: Phrase, resolver: Resolver) -> bool:
    """Whether a thing is as those are that belong somewhere: "dirty plates go into the sink"."""
    looks = (state_called(look) for look in what.looks)
    return all(LOOKS[look](thing, resolver.body.things) for look in looks if look in LOOKS)


def is_at_home(thing: Thing, resolver: Resolver) -> bool:
    """Whether a thing is where it belongs."""
    told, holders = told_homes(thing, resolver), resolver.body.things.holders(thing)
    if told:
        return any(one in told for one in holders)
    return any(one.object_type in _HOMES.get(thing.object_type, ()) for one in holders)
