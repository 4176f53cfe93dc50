"""Where things are, which are meant and what is to be done, in sentences for a person."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from teach_agents.agents.acting.grounding import landmark_of
from teach_agents.agents.acting.things import Thing, Things
from teach_agents.agents.dialogue.noun_text import article, listed
from teach_agents.agents.dialogue.referring_expressions import distinct
from teach_agents.understanding.english.lexicon import is_known, noun, number_word, preposition
from teach_agents.understanding.english.speaking import say_plainly
from teach_agents.understanding.english.values import Instruction, Relation

_RELATIONS = {
    Relation.NEAR: "near",
    Relation.LEFT: "to the left of",
    Relation.RIGHT: "to the right of",
    Relation.ABOVE: "above",
    Relation.BELOW: "under",
    Relation.BEHIND: "behind",
    Relation.BEFORE: "in front of",
}
_PLACES, _MOST = 4, 8
"""So many places are told at most, and of more things than these none."""


def named(thing: Thing, *, many: bool = False) -> str:
    """What a thing is called, or several of them: "mug", "slices of bread", "sink" for its basin too."""
    words = noun(thing.object_type.removesuffix("Basin"))
    if words.name == "Bread":
        return "loaves of bread" if many else "loaf of bread"
    return words.many if many else words.one


def several(things: Sequence[Thing], many: bool | None = None) -> str:
    """What things are called together: "plates", "plates and bowls"."""
    plural = len(things) != 1 if many is None else many
    return listed(list(dict.fromkeys(named(one, many=plural) for one in things)))


def place_of(thing: Thing, things: Things, *, closely: bool = False) -> str:
    """Where a thing is: "in the sink", "to the left of the fridge", `closely` with what is beside it.

    "" where it is not known.
    """
    if thing.has("isPickedUp"):
        return "in your hand"
    holder = next((one for one in things.holders(thing) if _is_told(thing, one)), None)
    if holder is None:
        return _beside(thing, things)
    words = named(holder)
    said = preposition(holder.object_type.removesuffix("Basin"))
    if holder.has("pickupable"):
        return f"{said} the {words} {place_of(holder, things, closely=closely)}".rstrip()
    alone = len(distinct(things.of(holder.object_type))) == 1
    is_wide = holder.object_type in _WIDE
    around = _beside(thing if is_wide else holder, things) if closely or not alone else ""
    called = f"the {words}" if alone or (around and not is_wide) else article(words)
    return f"{said} {called} {around}".rstrip()


_WIDE = frozenset("Floor CounterTop DiningTable CoffeeTable SideTable Desk Dresser Bed Sofa Shelf TVStand".split())
"""A thing there is pointed out by what is beside it, and not by what is beside these."""
_FURNITURE = 1.2
"""What is longer and cannot be carried stands by itself, metres."""


def _is_told(thing: Thing, holder: Thing) -> bool:
    """Whether a thing is said to be in or on what holds it: furniture is beside other furniture."""
    if thing.has("pickupable"):
        return True
    is_small = thing.longest < _FURNITURE and not thing.has("receptacle") or thing.has("toggleable")
    return is_small and holder.object_type in _WIDE and holder.object_type != "Floor" and not thing.is_basin


def _beside(thing: Thing, things: Things) -> str:
    mark = landmark_of(thing, things)
    return f"{_RELATIONS[mark.relation]} the {noun(mark.thing.noun).one}" if mark is not None else ""


def numbered(found: Sequence[Thing]) -> str:
    """Things by number and name: "a mug and two plates"."""
    numbers = Counter(named(one) for one in found)
    one_of = {named(one): one for one in found}
    return listed(
        [
            article(name) if number == 1 else f"{number_word(number)} {named(one_of[name], many=True)}"
            for name, number in numbers.items()
        ]
    )


def where_are(found: Sequence[Thing], things: Things, *, closely: bool = False) -> str:
    """A sentence that says where things are, and what has to be opened; "" where that is not known."""
    placed = [(thing, place) for thing in found if (place := place_of(thing, things, closely=closely))]
    if not placed:
        return ""
    if len(found) == 1:
        thing, place = placed[0]
        sentence = f"The {named(thing)} is {place}."
        if thing.has("isPickedUp"):
            sentence = f"You have the {named(thing)} in your hand."
    elif len(found) > _MOST:
        return f"There are {number_word(len(found))} {several(found)}."
    elif len({named(thing) for thing in found}) > 1:
        told = list(dict.fromkeys(f"{article(named(thing))} {place}" for thing, place in placed))
        sentence = f"There is {listed(told[:_PLACES])}."
    else:
        counts = Counter(place for _, place in placed)
        told = [f"{number_word(number)} {place}" for place, number in list(counts.items())[:_PLACES]]
        left = len(found) - sum(list(counts.values())[:_PLACES])
        told += [f"{number_word(left)} elsewhere"] if left else []
        sentence = f"There are {number_word(len(found))} {several(found)}: {listed(told)}."
        if len(counts) == 1 and not left:
            sentence = f"The {number_word(len(found))} {several(found)} are {placed[0][1]}."
    shut = [holder for thing, _ in placed for holder in things.closed_around(thing)]
    if shut and len(found) == 1:
        sentence += f" You have to open the {named(shut[0])} first."
    elif shut:
        sentence += " Some of these places are closed: open them."
    return sentence


def request(step: Instruction) -> str:
    """What is to be done, in words that go behind others: "wash the mug"."""
    return say_plainly(step).replace(" a bread", " a loaf of bread").replace("breads", "loaves of bread")


def task_of(description: str) -> str:
    """A task's description as it goes behind a colon, without a full stop: "move every remote control onto a sofa"."""
    first, _, rest = description.strip().rstrip(".").partition(" ")
    words = re.sub(r"\b[A-Z][A-Za-z]+\b", lambda name: _usual(name[0]), rest)
    return f"{first[:1].lower()}{first[1:]} {words}".strip()


def _usual(name: str) -> str:
    return noun(name).one if is_known(name) else name
