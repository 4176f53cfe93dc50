"""How steps are done, in a sentence or two for somebody who never did one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from teach_agents.agents.acting.things import Thing, Things
from teach_agents.agents.dialogue.noun_text import listed
from teach_agents.agents.guiding.descriptions import named
from teach_agents.agents.instructing.goals import Problem
from teach_agents.agents.instructing.tools import TOOLS
from teach_agents.understanding.english.values import Instruction, Verb

_HOW: Mapping[Verb, str] = {
    Verb.PUT: "Pick it up, go to the place and put it down there. If the place is closed, open it first.",
    Verb.PICK_UP: "Go up to it and pick it up. Your hand has to be empty.",
    Verb.CLEAN: "Put it in the sink, turn on the faucet, and turn it off again.",
    Verb.SLICE: "Pick up a knife and slice it where it lies.",
    Verb.COOK: "Put it in the microwave, close that and turn it on, or put it in a pan on the stove and turn on the "
    "burner.",
    Verb.TOAST: "Put a slice of it in the toaster and turn that on.",
    Verb.BOIL: "Put it in a pot of water on the stove and turn on the burner, or in a bowl of water in the microwave.",
    Verb.COFFEE: "Put the empty mug in the coffee machine and turn that on.",
    Verb.FILL: "Put it in the sink and turn on the faucet.",
    Verb.EMPTY: "Pick it up and pour it out over the sink.",
    Verb.WATER: "Fill something with water at the sink and pour it over the plant.",
    Verb.CLEAR: "Take out one thing after another and put each down somewhere else.",
    Verb.TURN_ON: "Go up to it and turn it on.",
    Verb.TURN_OFF: "Go up to it and turn it off.",
    Verb.OPEN: "Go up to it and open it.",
    Verb.CLOSE: "Go up to it and close it.",
}
_ORDERS: Mapping[str, Verb] = {
    **dict.fromkeys(("slice", "crack"), Verb.SLICE),
    **dict.fromkeys(("put", "drop", "move"), Verb.PUT),
    **dict.fromkeys(("pick_up", "get", "find"), Verb.PICK_UP),
    **dict.fromkeys(("empty", "pour"), Verb.EMPTY),
    "wash": Verb.CLEAN,
    "cook": Verb.COOK,
    "toast": Verb.TOAST,
    "boil": Verb.BOIL,
    "fill": Verb.FILL,
    "water": Verb.WATER,
    "clear": Verb.CLEAR,
    "turn_on": Verb.TURN_ON,
    "turn_off": Verb.TURN_OFF,
    "open": Verb.OPEN,
    "close": Verb.CLOSE,
}
_MADE: Mapping[str, Verb] = {"coffee": Verb.COFFEE, "toast": Verb.TOAST}
_BESIDES: Mapping[Verb, tuple[str, ...]] = {
    Verb.CLEAN: ("Faucet",),
    Verb.FILL: ("Faucet",),
    Verb.WATER: ("Sink", "Faucet"),
    Verb.EMPTY: ("Sink",),
    Verb.COOK: ("StoveKnob", "Pan"),
    Verb.BOIL: ("StoveBurner", "StoveKnob", "Microwave", "Sink", "Faucet"),
}
"""What a step may take besides its tools."""


def verb_asked(order: str, noun: str) -> Verb | None:
    """The verb of a step that a reading's order stands for; `None` for no step of the household."""
    return _MADE.get(noun) if order == "make" else _ORDERS.get(order)


def how_to(verb: Verb) -> str:
    """How a step with this verb is done."""
    return _HOW.get(verb, "Do as I say, one step at a time.")


def tool_of(verb: Verb, things: Things) -> Thing | None:
    """What a step with this verb is done with or in, if there is one."""
    return next(iter(things.of(*TOOLS.get(verb, ()))), None)


def is_needed(kinds: Sequence[str], step: Instruction, things: Things) -> bool:
    """Whether things of these kinds take part in a step."""
    wanted = [phrase.noun for phrase in step.phrases] + [*TOOLS.get(step.verb, ()), *_BESIDES.get(step.verb, ())]
    return _share(kinds, wanted, things)


def is_needed_later(kinds: Sequence[str], problems: Sequence[Problem], things: Things) -> bool:
    """Whether things of these kinds take part in what is left of the task."""
    wanted: list[str] = []
    for one in problems:
        wanted += [one.object_type, *TOOLS.get(one.need, ()), *_BESIDES.get(one.need, ())]
        wanted += [one.wanted] if one.need is Verb.PUT else []
    return _share(kinds, wanted, things)


def _share(kinds: Sequence[str], wanted: Sequence[str], things: Things) -> bool:
    if set(kinds) & set(wanted):
        return True
    return any(thing.is_a(noun) for thing in things.of(*kinds) for noun in wanted)


def what_it_takes(step: Instruction, things: Things) -> str:
    """What a step is done to and with, in words: "the mug and the sink"."""
    nouns = dict.fromkeys(phrase.noun for phrase in step.phrases)
    found = [f"the {named(one[0])}" for noun in nouns if (one := things.of(noun))]
    tools = dict.fromkeys(f"the {named(one)}" for kind in TOOLS.get(step.verb, ()) for one in things.of(kind))
    return listed(list(dict.fromkeys([*found, *([listed(list(tools), last="or")] if tools else [])])))
