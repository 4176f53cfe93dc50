"""States of things by the words that people have for them: dirty, open, lit, sliced."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from teach_agents.agents.acting.things import Thing, Things
from teach_agents.core.dialogue import Phrase

_SAME: Mapping[str, str] = {
    "shut": "closed",
    "down": "closed",
    "lowered": "closed",
    "up": "open",
    "raised": "open",
    "lifted": "open",
    "ajar": "open",
    "filthy": "dirty",
    "grubby": "dirty",
    "spotless": "clean",
    "washed": "clean",
    **dict.fromkeys(("tidy", "neat", "made", "made_up"), "clean"),
    **dict.fromkeys(("unmade", "messy", "untidy", "rumpled", "messed_up"), "dirty"),
    "baked": "cooked",
    "fried": "cooked",
    "heated": "hot",
    "warm": "hot",
    "cool": "cold",
    "chilled": "cold",
    "uncooked": "raw",
    **dict.fromkeys(("running", "playing", "dripping"), "on"),
    "lit": "on",
    "burning": "on",
    "switched_on": "on",
    "switched_off": "off",
    "cut": "sliced",
    "chopped": "sliced",
    "cracked": "sliced",
    "uncut": "whole",
    "remaining": "other",
    "filled": "full",
    **dict.fromkeys(("free", "vacant", "unoccupied", "bare"), "empty"),
}
"""Words for one state, and the one that is used here."""


_CUT_UP = frozenset("Apple Bread Egg Lettuce Potato Tomato".split())


def is_cut(thing: Thing) -> bool:
    """Whether a thing is a piece: a slice, a cracked egg, the heel that is left of a loaf."""
    is_rest = thing.object_type in _CUT_UP and not thing.has("sliceable")
    return is_rest or thing.object_type.endswith(("Sliced", "Cracked"))


def _is_cooked(thing: Thing, _: Things) -> bool:
    return thing.is_cooked


def _burns(thing: Thing) -> bool:
    """Whether a burner is on, which knobs switch: it is hot then."""
    return thing.object_type == "StoveBurner" and thing.temperature == "Hot"


LOOKS: Mapping[str, Callable[[Thing, Things], bool]] = {
    "dirty": lambda thing, _: thing.has("isDirty"),
    "clean": lambda thing, _: not thing.has("isDirty"),
    "cooked": _is_cooked,
    "toasted": _is_cooked,
    "boiled": lambda thing, _: thing.has("simbotIsBoiled"),
    "raw": lambda thing, _: not thing.is_cooked,
    "open": lambda thing, _: thing.has("isOpen"),
    "closed": lambda thing, _: thing.has("openable") and not thing.has("isOpen"),
    "on": lambda thing, _: thing.has("isToggled") or _burns(thing),
    "off": lambda thing, _: not (thing.has("isToggled") or _burns(thing)),
    "empty": lambda thing, things: not thing.has("isFilledWithLiquid") and not things.contents(thing),
    "full": lambda thing, things: thing.has("isFilledWithLiquid") or bool(things.contents(thing)),
    "broken": lambda thing, _: thing.has("isBroken"),
    "sliced": lambda thing, _: is_cut(thing),
    "whole": lambda thing, _: not is_cut(thing),
    "hot": lambda thing, _: thing.temperature == "Hot",
    "cold": lambda thing, _: thing.temperature == "Cold",
}
"""What can be seen of a thing, by `state_called`."""


STATE_WORDS = frozenset({*LOOKS, *_SAME})
"""Words for what can be seen of a thing."""


def state_called(word: str) -> str:
    """The word that is used here for a state."""
    return _SAME.get(word, word)


def but_clean(phrase: Phrase) -> Phrase:
    """A description without its being clean, which one washing would make so."""
    return replace(phrase, looks=tuple(look for look in phrase.looks if state_called(look) != "clean"))


_OF_KIND: Mapping[str, Mapping[str, str]] = {
    "Bed": {"clean": "made", "dirty": "unmade"},
    "Candle": {"on": "lit", "off": "out"},
}


def named_state(thing: Thing, state: str) -> str:
    """The word that people have for a state of a thing: a bed is made rather than clean, a candle lit."""
    return _OF_KIND.get(thing.object_type, {}).get(state, state)


UNUSED = frozenset("fresh new unused spare".split())
"""Said of what nobody has used yet, as far as anybody can tell."""
_USED_IN = frozenset("GarbageCan ToiletPaperHanger TowelHolder HandTowelHolder".split())
"""What is in or on these is in use, or was."""


def is_unused(thing: Thing, things: Things) -> bool:
    """Whether a thing is clean and whole, and neither in use nor thrown away."""
    used = thing.has("isDirty") or thing.has("isBroken") or thing.has("isPickedUp")
    return not used and not any(one.object_type in _USED_IN for one in things.holders(thing))
