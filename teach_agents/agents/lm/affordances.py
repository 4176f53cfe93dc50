"""What can be done with things of a kind, seen or only heard of.

Of what was seen, its properties tell; of what was only heard of, those of its type.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import lru_cache

from teach_agents.agents.acting.things import Test, Thing, having
from teach_agents.agents.perceiving.detector_kinds import KINDS
from teach_agents.tasks.classes import OBJECT_TYPES, object_classes
from teach_agents.understanding.english.values import Verb

_PORTABLE = KINDS["pickupable"] - {"PaperTowel"}
_VESSELS = KINDS["canFillWithLiquid"] - {"HousePlant", "WineBottle"}
_HOLDERS = KINDS["receptacle"] | {"BathtubBasin", "Bench", "Cart", "Floor", "ShelvingUnit", "SinkBasin"}

_IS_VESSEL: Test = lambda thing: thing.has("canFillWithLiquid") and thing.has("pickupable")  # noqa: E731  # used twice
_CUPS, _POTATOES = frozenset({"Mug", "Cup"}), frozenset({"Potato", "PotatoSliced"})
_SUITS: Mapping[Verb, tuple[frozenset[str], Test]] = {
    Verb.PICK_UP: (_PORTABLE, having("pickupable")),
    Verb.CLEAN: (KINDS["dirtyable"], having("dirtyable")),
    Verb.SLICE: (KINDS["sliceable"], having("sliceable")),
    Verb.COOK: (
        KINDS["cookable"] - {"BreadSliced"} | {"Egg"},
        lambda thing: thing.has("cookable") and not thing.is_a("BreadSliced"),
    ),
    Verb.TOAST: (frozenset({"BreadSliced"}), lambda thing: thing.is_a("BreadSliced")),
    Verb.BOIL: (_POTATOES, lambda thing: any(map(thing.is_a, _POTATOES))),
    Verb.COFFEE: (_CUPS, lambda thing: thing.object_type in _CUPS),
    Verb.FILL: (_VESSELS, _IS_VESSEL),
    Verb.EMPTY: (_VESSELS, _IS_VESSEL),
    Verb.WATER: (frozenset({"HousePlant"}), lambda thing: thing.is_a("HousePlant")),
    Verb.TURN_ON: (KINDS["toggleable"] - {"Desktop"} | {"StoveBurner"}, having("toggleable")),
    Verb.OPEN: (KINDS["openable"] - {"Kettle"}, having("openable")),
    Verb.CLEAR: (_HOLDERS, having("receptacle")),
}
"""The types that a verb suits, by what they can do and what people ask for; and whether it suits what was seen."""
_OPPOSITES: Mapping[Verb, Verb] = {Verb.TURN_ON: Verb.TURN_OFF, Verb.OPEN: Verb.CLOSE}


@lru_cache(maxsize=512)
def _kinds(noun: str) -> frozenset[str]:
    """The object types that a type or class name speaks of."""
    if noun == "Slice":
        return frozenset(name for name in _PORTABLE if name.endswith("Sliced"))
    return frozenset(name for name in OBJECT_TYPES | _PORTABLE if noun in object_classes(name)) | {noun}


def verbs_for(noun: str, seen: Collection[Thing] = ()) -> tuple[Verb, ...]:
    """What one may be asked to do to things of this type or class; `seen` are the ones that are known."""
    kinds = _kinds(noun)
    fitting = (verb for verb in _SUITS if _suits(verb, kinds, seen))
    return tuple(one for verb in fitting for one in (verb, _OPPOSITES.get(verb)) if one)


def is_portable(noun: str, seen: Collection[Thing] = ()) -> bool:
    """Whether things of this kind can be carried."""
    return _suits(Verb.PICK_UP, _kinds(noun), seen)


def holds(noun: str, seen: Collection[Thing] = ()) -> bool:
    """Whether something can be put in or on things of this kind."""
    return _suits(Verb.CLEAR, _kinds(noun), seen)


def _suits(verb: Verb, kinds: frozenset[str], seen: Collection[Thing]) -> bool:
    can, test = _SUITS[verb]
    return not can.isdisjoint(kinds) or any(map(test, seen))
