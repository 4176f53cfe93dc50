"""Candidates for a model that moves by itself: TEACh's sixteen actions, with clicks on what is in view."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

import numpy as np

from teach_agents.actions import MOTIONS, Action
from teach_agents.agents.acting.body import Body
from teach_agents.agents.acting.grounding import describe
from teach_agents.agents.acting.skills.hands import parts_of
from teach_agents.agents.acting.things import Thing
from teach_agents.agents.lm.candidates import Candidate, Kind, Situation, candidates, in_view
from teach_agents.agents.lm.phrases import phrase

_CLICKS = 30
"""How many clicks are offered at most, on the nearest things."""

_DEEDS: Mapping[str, tuple[str, Callable[[Thing, Thing | None], bool]]] = {
    "Pickup": ("pick up {0}", lambda thing, held: held is None and thing.has("pickupable")),
    "Place": ("put it down at {0}", lambda thing, held: held not in (None, thing) and thing.has("receptacle")),
    "Open": ("open {0}", lambda thing, held: thing.has("openable") and not thing.has("isOpen")),
    "Close": ("close {0}", lambda thing, held: thing.has("isOpen")),
    "ToggleOn": ("turn on {0}", lambda thing, held: thing.has("toggleable") and not thing.has("isToggled")),
    "ToggleOff": ("turn off {0}", lambda thing, held: thing.has("isToggled")),
    "Slice": ("slice {0}", lambda thing, held: thing.has("sliceable") and held is not None and _cuts(held)),
    "Pour": ("pour it into {0}", lambda thing, held: held is not None and held.has("isFilledWithLiquid")),
}
"""Each interaction in words, and with what it makes sense."""


def primitive_candidates(situation: Situation) -> list[Candidate]:
    """One action each: motions, clicks on things in view and within reach, talk, waiting, stopping."""
    moves = [Candidate(name.lower(), Kind.ACT, action=Action(name)) for name in MOTIONS]
    clicks = list(_clicks(situation.body))[:_CLICKS]
    rest = [one for one in candidates(situation) if one.kind not in (Kind.DO, Kind.LOOK_FOR)]
    return list({one.text: one for one in [*clicks, *moves, *rest]}.values())


def _clicks(body: Body) -> Iterator[Candidate]:
    held = body.held
    for thing in in_view(body):
        if thing is held:
            continue
        fitting = [(name, words) for name, (words, suits) in _DEEDS.items() if suits(thing, held)]
        pixels = body.pixels(parts_of(body.things, thing)) if fitting else None
        if pixels is None or not len(pixels):
            continue
        best = int(np.argmax(pixels.steadiness()))
        x, y = float(pixels.x[best]), float(pixels.y[best])
        told = phrase(describe(thing, body.things))
        for name, words in fitting:
            yield Candidate(words.format(told), Kind.ACT, action=Action.click(name, x, y))


def _cuts(held: Thing) -> bool:
    return "Knife" in held.object_type
