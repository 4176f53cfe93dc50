"""What a step means where it is said: what "it" is, where things were said to be along with it, what is switched."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from teach_agents.agents.acting.body import Body
from teach_agents.agents.acting.grounding import matching
from teach_agents.agents.acting.performing import suited
from teach_agents.understanding.english.clauses import placed
from teach_agents.understanding.english.values import Instruction, Reference, Verb

_IT = "It"
_SLICED = {"Egg": "EggCracked"}
_SLICEABLE = frozenset({"Apple", "Bread", "Lettuce", "Potato", "Tomato", "Egg"})
_SWITCHES = {"StoveBurner": "StoveKnob", "Sink": "Faucet", "SinkBasin": "Faucet"}
"""What is turned where people speak of what it is for."""
_WITH_TOOLS = frozenset({Verb.CLEAN, Verb.COOK, Verb.TOAST, Verb.BOIL, Verb.EMPTY})
_TOOLS = frozenset(
    """Sink SinkBasin Bathtub BathtubBasin Faucet WaterSources Microwave StoveBurner Pan Pot Bowl Cookware Toaster
    Appliances""".split()
)
"""Where such a step is done; anything else said with it is where the thing is."""
_NEEDS: Mapping[Verb, str] = {
    Verb.TURN_ON: "toggleable",
    Verb.TURN_OFF: "toggleable",
    Verb.OPEN: "openable",
    Verb.CLOSE: "openable",
    Verb.PICK_UP: "pickupable",
    Verb.SLICE: "sliceable",
}


@dataclass
class Context:
    """What was spoken of last, which is what "it" may be, the likeliest first."""

    topics: list[Reference] = field(default_factory=list)

    def hear(self, steps: Iterable[Instruction]) -> None:
        """What is spoken of in steps that somebody else does, or that were done before."""
        for step in steps:
            self._speak(step)

    def meant(self, step: Instruction, steps: Sequence[Instruction], body: Body) -> Instruction:
        """One of the steps that were said together, as it is to be done; what it speaks of is spoken of from now on."""
        what = self._it(step, body) if step.what is not None and step.what.noun == _IT else step.what
        where = step.where
        if where is not None and where.noun == _IT:
            where = self._place(body) or where
        if step.verb in _WITH_TOOLS and what is not None and where is not None and where.noun not in _TOOLS:
            what, where = _where_it_is(what, where, body), None
        meant = _switching(replace(step, what=_as_hinted(what, step, steps, body), where=where))
        self._speak(meant)
        return meant

    def _it(self, step: Instruction, body: Body) -> Reference | None:
        """What "it" is in a step: what was spoken of and suits it, or what was handled last, where that is the same."""
        asked = [(one, _switching(replace(step, what=one))) for one in self.topics]
        possible = [(one, meant) for one, meant in asked if is_possible(meant, body)]
        fitting = [one for one, meant in possible if suited(body, meant) != []] or [one for one, _ in possible]
        fitting = fitting or self.topics
        handled = body.last_handled
        if not fitting or (handled is not None and handled.is_a(fitting[0].noun)):
            return step.what
        return replace(fitting[0], definite=True)

    def _place(self, body: Body) -> Reference | None:
        holders = (one for one in self.topics if any(t.has("receptacle") for t in matching(one, body.things)))
        return next(holders, None)

    def _speak(self, step: Instruction) -> None:
        named = [phrase for phrase in step.phrases if phrase.noun != _IT]
        if step.verb is Verb.SLICE and named and named[0].noun in _SLICEABLE:
            named[0] = Reference(_SLICED.get(named[0].noun, f"{named[0].noun}Sliced"), 1, True)
        if step.what is not None and step.what.noun == _IT:
            named = [*self.topics[:1], *named]
        if named:
            self.topics = named


def _switching(step: Instruction) -> Instruction:
    """A step that turns what it speaks of by what turns it."""
    if step.what is None or step.verb not in (Verb.TURN_ON, Verb.TURN_OFF) or step.what.noun not in _SWITCHES:
        return step
    return replace(step, what=replace(step.what, noun=_SWITCHES[step.what.noun]))


def _as_hinted(what: Reference | None, step: Instruction, steps: Sequence[Instruction], body: Body) -> Reference | None:
    """The thing where it was said to be in the same breath, if there is one."""
    if what is None or what.noun == _IT or what.place is not None or what.landmark is not None:
        return what
    last: Instruction | None = None
    for said in steps:
        if said.verb is not Verb.LOOK:
            last = said
            continue
        unnamed = said.what is None or said.what.noun == _IT
        if last is step if unnamed else said.what is not None and said.what.noun == what.noun:
            place = said.where or said.what
            assert place is not None, "a hint says where"
            return _where_it_is(what, place, body)
    return what


def _where_it_is(what: Reference, place: Reference, body: Body) -> Reference:
    """A thing in, on or by a place; the thing alone where none is there."""
    there = placed(what, place)
    return there if matching(there, body.things) else what


def is_possible(step: Instruction, body: Body) -> bool:
    """Whether a step could ever be done to some of what it speaks of; what is so already counts."""
    need = _NEEDS.get(step.verb)
    if need is None or step.what is None:
        return True
    found = matching(step.what, body.things)
    if step.what.noun == _IT and body.memory.handled:
        last = body.last_handled
        found = [last] if last is not None else []
    return not found or any(thing.has(need) for thing in found)
