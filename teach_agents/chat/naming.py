"""Names for things that stay theirs in a session: "mug 2"; and from what somebody calls a thing back to things."""

from __future__ import annotations

import re

from teach_agents.agents.acting.body import Body
from teach_agents.agents.acting.grounding import matching
from teach_agents.agents.acting.skills.hands import easiest
from teach_agents.agents.acting.things import Thing
from teach_agents.agents.english.lexicon import noun
from teach_agents.agents.english.understanding import understand_reference
from teach_agents.agents.english.values import Reference
from teach_agents.errors import InputError
from teach_agents.tasks.classes import OBJECT_TYPES

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
        self._counts: dict[str, int] = {}

    def of(self, thing: Thing) -> str:
        """A thing's name."""
        name = self._names.get(thing.object_id)
        if name is None:
            kind = noun(thing.object_type).one.lower()
            self._counts[kind] = self._counts.get(kind, 0) + 1
            name = self._names[thing.object_id] = f"{kind} {self._counts[kind]}"
            self._ids[name] = thing.object_id
        return name

    def find(self, called: str, body: Body) -> list[Thing]:
        """The known things that may be meant, the handiest first: by name, by id, or by a noun phrase.

        Raises `InputError` where none is known by it.
        """
        exact = self._numbered(called.strip(), body)
        if exact is not None:
            return [exact]
        reference = _reference(called)
        found = matching(reference, body.things) if reference is not None else []
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
    return reference.noun if reference is not None else None


def _reference(called: str) -> Reference | None:
    kind = _TYPES.get(re.sub(r"\s", "", called).lower())
    return Reference(kind) if kind is not None else understand_reference(called)
