"""Where things belong that somebody wants to have put away, hung up or put back, and says no place for."""

from __future__ import annotations

from collections.abc import Mapping

from teach_agents.agents.acting.things import Thing, Things

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


def homes(thing: Thing, things: Things) -> list[Thing]:
    """The places where a thing belongs and that have room for it; none where that is not clear to everybody."""
    for kind in _HOMES.get(thing.object_type, ()):
        places = [one for one in things.of(kind) if one.has("receptacle")]
        if places:
            return [one for one in places if kind not in ONE_EACH or things.contents(one) in ([], [thing])]
    return []


def is_at_home(thing: Thing, things: Things) -> bool:
    """Whether a thing is where it belongs."""
    return any(one.object_type in _HOMES.get(thing.object_type, ()) for one in things.holders(thing))
