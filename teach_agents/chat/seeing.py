"""What a Follower sees and knows, in words: what is in view, what is in its hand, what it remembers.

Things have names that stay theirs in a session ("mug 2"); what somebody calls a thing leads back to things.
"""

from __future__ import annotations

import re
from collections import Counter

from teach_agents.agents.acting.body import Body
from teach_agents.agents.acting.grounding import matching
from teach_agents.agents.acting.skills.hands import easiest
from teach_agents.agents.acting.things import Thing
from teach_agents.agents.dialogue.conditions import remarkable
from teach_agents.agents.dialogue.referring_expressions import STRUCTURE, holder_of, in_view
from teach_agents.errors import InputError
from teach_agents.tasks.classes import OBJECT_TYPES
from teach_agents.understanding.english.lexicon import noun, preposition
from teach_agents.understanding.english.understanding import understand_reference
from teach_agents.understanding.english.values import Reference


def describe_view(body: Body, names: Names) -> str:
    """Where the Follower looks, what it holds and what is in view, a line for each thing."""
    pose, held = body.pose, body.held
    pitch = f"{abs(pose.horizon):.0f} degrees {'down' if pose.horizon > 0 else 'up'}"
    looking = "straight ahead" if abs(pose.horizon) < 1 else pitch
    hand = f"In your hand: {describe_thing(held, body, names)}." if held else "Your hand is empty."
    shown = [thing for thing in in_view(body) if thing.object_type not in STRUCTURE and thing is not held]
    lines = [f"- {describe_thing(thing, body, names)}" for thing in shown]
    return "\n".join([f"You look {looking}. {hand}", "In view, the nearest first:", *(lines or ["- nothing"])])


def describe_thing(thing: Thing, body: Body, names: Names) -> str:
    """A thing's name, its state, what it is in or on, and how far away."""
    told = [*remarkable(thing)]
    holder = holder_of(thing, body)
    if holder:
        told.append(f"{preposition(holder.object_type)} {names.of(holder)}")
    if not thing.has("isPickedUp"):
        near = len(body.pixels(frozenset({thing.object_id}))) > 0
        told.append("within reach" if near else f"{body.distance(thing.center):.1f} m away")
    return f"{names.of(thing)} ({', '.join(told)})" if told else names.of(thing)


def describe_memory(body: Body, names: Names) -> str:
    """Everything that is known of, by what it is in or on."""
    places: dict[str, list[str]] = {}
    for thing in body.things:
        if thing.object_type in STRUCTURE:
            continue
        holder = holder_of(thing, body)
        place = f"{preposition(holder.object_type)} {names.of(holder)}" if holder else ""
        told = ", ".join(remarkable(thing))
        places.setdefault(place, []).append(f"{names.of(thing)} ({told})" if told else names.of(thing))
    loose = places.pop("", [])
    lines = [f"{place}: {', '.join(found)}" for place, found in sorted(places.items())]
    return "\n".join([*lines, *([f"elsewhere: {', '.join(loose)}"] if loose else [])]) or "Nothing is known yet."


_NUMBERED = re.compile(r"(?:the\s+)?(.+?)\s+#?(\d+)", re.IGNORECASE)
_TYPES = {name.lower(): name for name in OBJECT_TYPES}
_USEFUL = ("pickupable", "openable", "toggleable", "receptacle")
_MOST = 12
"""How many names an error offers."""


class Names:
    """The names of one session's things: a kind in words and a number, in the order in which they were first named."""

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._ids: dict[str, str] = {}
        self._counts = Counter[str]()

    def of(self, thing: Thing) -> str:
        """A thing's name."""
        name = self._names.get(thing.object_id)
        if name is None:
            kind = noun(thing.object_type).one.lower()
            self._counts[kind] += 1
            name = self._names[thing.object_id] = f"{kind} {self._counts[kind]}"
            self._ids[name] = thing.object_id
        return name

    def find(self, called: str, body: Body) -> list[Thing]:
        """The known things that may be meant, the handiest first: by name, by id, or by a noun phrase.

        Raises `InputError` where none is known by it.
        """
        exact = self._numbered(called.strip(), body)
        if exact:
            return [exact]
        reference = _reference(called)
        found = matching(reference, body.things) if reference else []
        if not found:
            raise InputError("thing", "nothing known is called so", value=called, valid=self._offered(body))
        return easiest(body, found)

    def _numbered(self, called: str, body: Body) -> Thing | None:
        match = _NUMBERED.fullmatch(called)
        name = f"{match[1]} {match[2]}".lower() if match else ""
        if match and name not in self._ids:
            kind = kind_called(match[1])
            name = f"{noun(kind).one.lower()} {match[2]}" if kind else name
        return body.things.get(self._ids.get(name, called))

    def _offered(self, body: Body) -> list[str]:
        """Names that would have been understood: of what was handled or seen, first what is in view."""
        visible = body.observation.privileged.visible
        useful = [thing for thing in body.things if any(map(thing.has, _USEFUL)) and thing.object_type != "Floor"]
        ranked = sorted(useful, key=lambda thing: thing.object_id not in visible)
        return [self.of(thing) for thing in ranked][:_MOST]


def kind_called(called: str) -> str | None:
    """The type or class that words speak of ("coffee machine", "CoffeeMachine"), or `None` where they are no noun."""
    reference = _reference(called)
    return reference.noun if reference else None


def _reference(called: str) -> Reference | None:
    kind = _TYPES.get(re.sub(r"\s", "", called).lower())
    return Reference(kind) if kind else understand_reference(called)
