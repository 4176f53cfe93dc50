"""What a Follower sees and knows, in words: what is in view, what is in its hand, what it remembers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from teach_agents.agents.acting.body import Body
from teach_agents.agents.acting.things import Thing
from teach_agents.agents.english.lexicon import preposition
from teach_agents.chat.naming import Names

_FEWEST = 12
"""Pixels of a thing below which it is not told of."""
_STRUCTURE = frozenset({"Floor", "Wall", "Ceiling", "Window", "Curtains", "Blinds"})
"""What is everywhere and is told of only as a place for other things."""
_STATES: Mapping[str, tuple[str, str]] = {"isOpen": ("openable", "closed"), "isToggled": ("toggleable", "off")}
_ADJECTIVES: Mapping[str, str] = {
    "isOpen": "open",
    "isToggled": "on",
    "isDirty": "dirty",
    "isBroken": "broken",
    "isCooked": "cooked",
    "simbotIsBoiled": "boiled",
}


def in_view(body: Body) -> list[Thing]:
    """What is seen now, the nearest first."""
    segmentation = body.observation.privileged.segmentation
    counts = np.bincount(segmentation.ids.ravel() + 1, minlength=len(segmentation.object_ids) + 1)[1:]
    ids = [name for name, count in zip(segmentation.object_ids, counts.tolist(), strict=True) if count >= _FEWEST]
    seen = [thing for name in ids if (thing := body.things.get(name)) is not None]
    return sorted(seen, key=lambda thing: body.distance(thing.center))


def describe_view(body: Body, names: Names) -> str:
    """Where the Follower looks, what it holds and what is in view, a line for each thing."""
    pose, held = body.pose, body.held
    pitch = f"{abs(pose.horizon):.0f} degrees {'down' if pose.horizon > 0 else 'up'}"
    looking = "straight ahead" if abs(pose.horizon) < 1 else pitch
    hand = f"In your hand: {describe_thing(held, body, names)}." if held is not None else "Your hand is empty."
    shown = [thing for thing in in_view(body) if thing.object_type not in _STRUCTURE and thing is not held]
    lines = [f"- {describe_thing(thing, body, names)}" for thing in shown]
    return "\n".join([f"You look {looking}. {hand}", "In view, the nearest first:", *(lines or ["- nothing"])])


def describe_thing(thing: Thing, body: Body, names: Names) -> str:
    """A thing's name, its state, what it is in or on, and how far away."""
    told = [*_states(thing)]
    holder = _holder(thing, body)
    if holder is not None:
        told.append(f"{preposition(holder.object_type)} {names.of(holder)}")
    if not thing.has("isPickedUp"):
        near = len(body.pixels(frozenset({thing.object_id}))) > 0
        told.append("within reach" if near else f"{body.distance(thing.center):.1f} m away")
    return f"{names.of(thing)} ({', '.join(told)})" if told else names.of(thing)


def describe_memory(body: Body, names: Names) -> str:
    """Everything that is known of, by what it is in or on."""
    places: dict[str, list[str]] = {}
    for thing in body.things:
        if thing.object_type in _STRUCTURE:
            continue
        holder = _holder(thing, body)
        place = "" if holder is None else f"{preposition(holder.object_type)} {names.of(holder)}"
        told = ", ".join(_states(thing))
        places.setdefault(place, []).append(f"{names.of(thing)} ({told})" if told else names.of(thing))
    loose = places.pop("", [])
    lines = [f"{place}: {', '.join(found)}" for place, found in sorted(places.items())]
    return "\n".join([*lines, *([f"elsewhere: {', '.join(loose)}"] if loose else [])]) or "Nothing is known yet."


def _holder(thing: Thing, body: Body) -> Thing | None:
    """What a loose thing is in or on, unless that is the floor."""
    found = next(iter(body.things.holders(thing)), None) if thing.has("pickupable") else None
    return None if found is None or found.object_type == "Floor" else found


def _states(thing: Thing) -> Iterable[str]:
    for flag, adjective in _ADJECTIVES.items():
        able, otherwise = _STATES.get(flag, ("", ""))
        if thing.has(flag):
            yield adjective
        elif able and thing.has(able):
            yield otherwise
    if thing.has("simbotIsFilledWithCoffee"):
        yield "full of coffee"
    elif thing.has("isFilledWithLiquid"):
        yield "full of water"
