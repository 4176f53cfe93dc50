"""What happens in a live session, in words for whoever does not see it.

A walk of many steps is told in one line as soon as something else happens; what failed is told with the hint that
people are given.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby

from teach_agents.actions import MOTIONS, STEPS, Action, ActionResult, Role
from teach_agents.live import EventKind, LiveEvent
from teach_agents.session.codec import TEACH
from teach_agents.tasks.classes import type_from_id
from teach_agents.understanding.english.lexicon import noun, preposition

_ID = re.compile(r"\b[A-Z][A-Za-z]+(?:\|[-+][\d.]+){3}(?:\|\w+)?")
"""An object's id in one of AI2-THOR's messages."""
_SHOWN_TURNS = 4
"""Of a walk with more legs only the number of steps is told."""


class Kind(StrEnum):
    """What a line is about."""

    SAID = "said"
    DID = "did"
    FAILED = "failed"
    NOTE = "note"
    """What neither of the two did: the session paused, the task is complete."""


@dataclass(frozen=True, slots=True)
class Line:
    """One thing to be told; `role` is whose it is, `None` for the session's own."""

    kind: Kind
    role: Role | None
    text: str


def named(object_id: str) -> str:
    """What an object is called: "the slice of bread" for a slice's id."""
    return f"the {noun(type_from_id(object_id)).one}"


_DONE: Mapping[str, str] = {
    "Pickup": "picked up {what}",
    "Place": "put {held} {where}",
    "Open": "opened {what}",
    "Close": "closed {what}",
    "ToggleOn": "turned on {what}",
    "ToggleOff": "turned off {what}",
    "Slice": "sliced {what}",
    "Pour": "poured {held} {into} {what}",
    "OpenProgressCheck": "checked the progress",
    "SelectOid": "looked at a step of the task",
    "Stop": "would stop here",
}
_TRIED: Mapping[str, str] = {
    "Pickup": "could not pick that up",
    "Place": "could not put {held} there",
    "Open": "could not open that",
    "Close": "could not close that",
    "ToggleOn": "could not turn that on",
    "ToggleOff": "could not turn that off",
    "Slice": "could not slice that",
    "Pour": "could not pour there",
}
_BASINS = frozenset({"Sink", "SinkBasin", "Bathtub", "BathtubBasin"})


def deed(action: Action, result: ActionResult, held: str = "") -> str:
    """An action that is neither a motion nor talk, and what became of it; `held` is what was held, type or id."""
    what = result.object_id or ""
    slots = {
        "what": named(what) if what else "it",
        "where": f"{preposition(type_from_id(what))} {named(what)}" if what else "there",
        "held": named(held) if held else "what was held",
        "into": "out into" if type_from_id(what) in _BASINS else "over",
    }
    if result.success:
        if action.name == "SearchObject":
            return f"searched for {action.query!r}"
        return _DONE.get(action.name, action.name.lower()).format(**slots)
    return f"{_TRIED.get(action.name, f'could not do {action.name}').format(**slots)}: {why(result)}"


def why(result: ActionResult) -> str:
    """Why an action failed: the hint that people are given, or else the message with names in place of ids."""
    if result.help:
        return result.help
    plain = _ID.sub(lambda found: named(found[0]), result.message).strip()
    return plain if plain.endswith((".", "!", "?")) or not plain else f"{plain}."


_STEPS: Mapping[str, tuple[str, str]] = {
    "Forward": ("walked {n} step", "walked {n} steps"),
    "Backward": ("stepped back", "walked {n} steps back"),
    "Pan Left": ("stepped to the left", "walked {n} steps to the left"),
    "Pan Right": ("stepped to the right", "walked {n} steps to the right"),
    "Turn Left": ("turned left", "turned around"),
    "Turn Right": ("turned right", "turned around"),
    "Look Up": ("looked up", "looked up"),
    "Look Down": ("looked down", "looked down"),
}


def walk(motions: Sequence[str]) -> str:
    """Motions in a row, in a few words; nothing where there are none."""
    legs = [(name, len([*same])) for name, same in groupby(motions)]
    steps = sum(name in STEPS for name in motions)
    if len(legs) > _SHOWN_TURNS and steps:
        return _STEPS["Forward"][steps > 1].format(n=steps)
    return ", ".join(_STEPS[name][count > 1].format(n=count) for name, count in legs)


class Teller:
    """Tells one session's events as lines, in order; `about` are the roles whose actions are told."""

    def __init__(self, about: Sequence[Role] = tuple(Role)) -> None:
        self._about = frozenset(about)
        self._walks: dict[Role, list[str]] = {role: [] for role in Role}
        self._held = ""

    def event(self, event: LiveEvent) -> Iterator[Line]:
        """Lines about an event, after what was kept back before it."""
        role, data = event.role, event.data
        if event.kind is EventKind.UTTERANCE and role:
            yield from self.rest(role)
            yield Line(Kind.SAID, role, data["text"])
        elif event.kind is EventKind.ACTION and role and data.get("action") is not None:
            result = TEACH.result_from_json(data["result"])
            yield from self._action(role, Action.from_json(data["action"]), result, data.get("held"))
        elif event.kind in _NOTES and "agent" not in data:
            yield from self.rest()
            yield Line(Kind.NOTE, role, _note(event))

    def _action(self, role: Role, action: Action, result: ActionResult, held: str | None) -> Iterator[Line]:
        """Lines about an action; `held` is what is in the Follower's hand after it."""
        before, self._held = self._held, held or "" if role is Role.FOLLOWER else self._held
        if role not in self._about or action.name in _SILENT:
            return
        if action.name in MOTIONS and result.success:
            self._walks[role].append(action.name)
            return
        yield from self.rest(role)
        if action.name in MOTIONS:
            yield Line(Kind.FAILED, role, f"could not move: {why(result)}")
        else:
            yield Line(Kind.DID if result.success else Kind.FAILED, role, deed(action, result, before))

    def rest(self, *roles: Role) -> Iterator[Line]:
        """What was kept back so far: walks that may have gone on."""
        for role in roles or tuple(Role):
            way, self._walks[role] = self._walks[role], []
            if way:
                yield Line(Kind.DID, role, walk(way))


_SILENT = frozenset({"NoOp", "Finish"})
_HAPPENED = {
    EventKind.JOINED: "is there",
    EventKind.LEFT: "has left",
    EventKind.PAUSED: "rests",
    EventKind.RESUMED: "goes on",
}
_NOTES = frozenset({*_HAPPENED, EventKind.FAILED, EventKind.ENDED})


def _note(event: LiveEvent) -> str:
    who = f"the {event.role.value.capitalize()}" if event.role else "the session"
    if event.kind is EventKind.FAILED:
        return f"{who} failed: {event.data.get('problem', 'no reason was given')}"
    if event.kind is EventKind.ENDED:
        asked = (event.data.get("progress") or {}).get("goal_conditions_total") != 0
        verdict = f": the task is {'complete' if event.data.get('success') else 'not complete'}" if asked else ""
        return f"the session has ended ({event.data.get('text') or event.data.get('reason')}){verdict}"
    return f"{who} {_HAPPENED[event.kind]}"
