"""What is done in a live session, in plain words: "picked up the mug", "walked 3 steps", and why something failed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

from teach_agents.actions import MOTIONS, STEPS, Action, ActionResult
from teach_agents.core.control import NOT_DONE
from teach_agents.tasks.classes import type_from_id
from teach_agents.understanding.english.lexicon import noun, preposition

_SHOWN_TURNS = 4
"""Of a walk with more legs only the number of steps is told."""


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


def deed_or_motion(action: Action, result: ActionResult, held: str = "") -> str:
    """The same of any action but talk: "turned left", "could not move: Something is in the way."."""
    if action.name not in MOTIONS:
        return deed(action, result, held)
    return walk((action.name,)) if result.success else f"could not move: {why(result)}"


def why(result: ActionResult) -> str:
    """Why an action failed: the hint that people are given, else in plain words, never the simulator's message."""
    if result.help:
        return result.help
    found = (words for fragment, words in _REASONS.items() if fragment.lower() in result.message.lower())
    return next(found, "That did not work.")


_REASONS: Mapping[str, str] = {
    NOT_DONE: "It was told to stop.",
    "has something in it already": "The hand is full.",
    "must be closed": "It has to be closed first.",
    "must be OFF": "It has to be off first.",
    "collided": "Something is in the way.",
    "is blocking": "Something is in the way.",
    "not in the agent's hand": "The hand is empty.",
    "in the agent's hand to": "The hand is empty.",
    "look down beyond": "It cannot look further down.",
    "look up beyond": "It cannot look further up.",
    "specified visibility": "It is not in view, or out of reach.",
    "valid receptacle": "Nothing can be put there.",
    "is broken": "It is broken.",
    "already": "It is so already.",
    "outside the frame": "That is outside the picture.",
    "no valid action": "That is no action.",
}
"""Fragments of messages that have no hint, in any case of letters, and what people are told."""

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
