"""What things are like, in words: open, dirty, full of coffee; whether one is as somebody asks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from teach_agents.agents.acting.skills.hands import faucet_of
from teach_agents.agents.acting.things import HOLDS_COFFEE, Thing, Things
from teach_agents.agents.dialogue.states import LOOKS, is_cut

_TWO_WAYS: Mapping[str, tuple[str, str]] = {"isOpen": ("openable", "closed"), "isToggled": ("toggleable", "off")}
_ADJECTIVES: Mapping[str, str] = {
    "isOpen": "open",
    "isToggled": "on",
    "isDirty": "dirty",
    "isBroken": "broken",
    "isCooked": "cooked",
    "simbotIsBoiled": "boiled",
}
OPPOSITES: Mapping[str, str] = {
    one: other
    for pair in (
        *(("open", "closed"), ("on", "off"), ("dirty", "clean"), ("full", "empty"), ("cooked", "raw")),
        ("sliced", "whole"),
    )
    for one, other in (pair, pair[::-1])
}
"""What a thing is that is not so."""
_NEEDS: Mapping[str, tuple[str, str]] = {
    "open": ("openable", "does not open"),
    "closed": ("openable", "does not open"),
    "on": ("toggleable", "cannot be turned on or off"),
    "off": ("toggleable", "cannot be turned on or off"),
    "cooked": ("cookable", "cannot be cooked as it is"),
    "raw": ("cookable", "cannot be cooked as it is"),
    "sliced": ("sliceable", "cannot be sliced"),
    "whole": ("sliceable", "cannot be sliced"),
    "full": ("canFillWithLiquid", "cannot be filled"),
    "empty": ("canFillWithLiquid", "cannot be filled"),
    "dirty": ("dirtyable", "does not get dirty"),
}
"""What a state takes, and what is said of a thing without it."""
_UNTOLD: Mapping[str, str] = dict.fromkeys(("open", "closed"), "isOpen") | dict.fromkeys(("on", "off"), "isToggled")


def remarkable(thing: Thing) -> Iterator[str]:
    """What a thing is like beyond the ordinary, and whether it is open and on, where it can be."""
    for flag, adjective in _ADJECTIVES.items():
        able, otherwise = _TWO_WAYS.get(flag, ("", ""))
        if thing.has(flag):
            yield adjective
        elif able and thing.has(able) and flag not in thing.untold:
            yield otherwise
    content = liquid_in(thing)
    if content:
        yield f"full of {content}"


def liquid_in(thing: Thing) -> str:
    """What a vessel is full of, "" for nothing."""
    if thing.has("simbotIsFilledWithCoffee") or thing.has(HOLDS_COFFEE):
        return "coffee"
    if not thing.has("isFilledWithLiquid"):
        return ""
    return "wine" if thing.object_type == "WineBottle" else "water"


def condition(thing: Thing, things: Things) -> list[str]:
    """All that can be said of what a thing is like."""
    told = [*remarkable(thing)]
    if thing.has("dirtyable") and not thing.has("isDirty"):
        told.append("clean")
    if thing.has("cookable") and not thing.is_cooked:
        told.append("raw")
    elif thing.has("simbotIsCooked") and "cooked" not in told:
        told.append("cooked")
    if thing.has("sliceable"):
        told.append("whole")
    elif is_cut(thing):
        told.append("cracked" if thing.object_type.endswith("Cracked") else "sliced")
    if thing.has("canFillWithLiquid") and LOOKS["empty"](thing, things) and "isFilledWithLiquid" not in thing.untold:
        told.append("empty")
    if thing.object_type == "StoveBurner" or thing.is_basin:
        told.append("on" if _is_on(thing, things) else "off")
    elif thing.temperature in ("Hot", "Cold"):
        told.append(thing.temperature.lower())
    return told


def lacks(thing: Thing, state: str) -> str:
    """What is said of a thing that a state is nothing for: "does not open"; "" where it may be so."""
    flag, said = _NEEDS.get(state, ("", ""))
    if not flag or thing.has(flag) or (state != "empty" and is_so(thing, state, Things([]))):
        return ""
    if flag == "canFillWithLiquid" and thing.has("receptacle"):
        return ""
    if flag == "toggleable" and (thing.object_type == "StoveBurner" or thing.is_basin):
        return ""
    if flag == "sliceable" and is_cut(thing):
        return ""
    if flag == "cookable" and thing.has("sliceable"):
        return ""
    return said


def is_so(thing: Thing, state: str, things: Things) -> bool | None:
    """Whether a thing is in a state; `None` where that cannot be told."""
    if _UNTOLD.get(state) in thing.untold:
        return None
    if state in ("on", "off") and not thing.has("toggleable"):
        return _is_on(thing, things) is (state == "on")
    if state == "held":
        return thing.has("isPickedUp")
    test = LOOKS.get(state)
    return None if test is None else test(thing, things)


def _is_on(thing: Thing, things: Things) -> bool:
    """Whether a burner burns, or water runs into a sink."""
    tap = faucet_of(things, thing) if thing.is_basin else None
    return thing.has("isToggled") or (tap is not None and tap.has("isToggled")) or thing.temperature == "Hot"
