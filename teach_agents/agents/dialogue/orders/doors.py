"""Doors, which are no things of their own: the fridge's, a cupboard's, or any that stands open."""

from __future__ import annotations

from dataclasses import replace

from teach_agents.agents.acting.things import Test, Thing, Things
from teach_agents.agents.dialogue.noun_types import DOORS, WITH_DOORS
from teach_agents.agents.dialogue.room_knowledge import RoomKnowledge
from teach_agents.core.dialogue import Phrase

_SCREENS = {"ShowerDoor": "shower_door", "ShowerCurtain": "shower_curtain"}
"""What is opened and closed of a shower."""
_LIDS = frozenset({"lid"})
_OF_THE_WHOLE = frozenset({"of", "on", "in"})


def opening(phrase: Phrase, knowing: RoomKnowledge) -> Phrase:
    """ "The door of the fridge" is the fridge; "a door in this kitchen" some door; a shower is its door or curtain."""
    phrase = knowing.here(phrase)
    if phrase.noun == "shower":
        screen = next((one for one in _SCREENS if knowing.body.things.of(one)), "")
        return replace(phrase, noun=_SCREENS[screen]) if screen else phrase
    if phrase.noun not in DOORS | _LIDS or phrase.place is None:
        return phrase
    relation, whole = phrase.place
    elsewhere = relation not in _OF_THE_WHOLE or knowing.is_room(whole.noun)
    return phrase if elsewhere and phrase.noun in DOORS else replace(whole, count=phrase.count)


def some_door(phrase: Phrase, so: Test, things: Things) -> tuple[Phrase, Test]:
    """A description of what a nameless door may be of, and what suits it: of what has doors that which is not `so` yet.

    A door is found by how it is or where it is, or by being the only one; where nothing tells it from others, or all
    are so already, the description is left as it is.
    """

    def suits(thing: Thing) -> bool:
        return thing.object_type in WITH_DOORS and thing.has("openable") and not so(thing)

    left = [thing for thing in things if suits(thing)]
    if not left or (len(left) > 1 and not phrase.looks and phrase.place is None and phrase.count != "all"):
        return phrase, lambda thing: thing.has("openable")
    return replace(phrase, noun="something"), suits
