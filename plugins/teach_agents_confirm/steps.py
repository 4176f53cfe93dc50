"""Which interaction ends what was asked for, and how it is told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from teach_agents.agents.english.lexicon import noun, preposition
from teach_agents.agents.english.understanding import understand_instructions
from teach_agents.agents.english.values import Verb

_ENDS: Mapping[Verb, frozenset[str]] = {
    Verb.BOIL: frozenset({"ToggleOn", "Place"}),
    Verb.CLEAN: frozenset({"ToggleOn"}),
    Verb.CLEAR: frozenset({"Place"}),
    Verb.CLOSE: frozenset({"Close"}),
    Verb.COFFEE: frozenset({"ToggleOn"}),
    Verb.COOK: frozenset({"ToggleOn", "Place"}),
    Verb.EMPTY: frozenset({"Pour"}),
    Verb.FILL: frozenset({"ToggleOn", "Pour"}),
    Verb.OPEN: frozenset({"Open"}),
    Verb.PICK_UP: frozenset({"Pickup"}),
    Verb.PUT: frozenset({"Place"}),
    Verb.SLICE: frozenset({"Slice"}),
    Verb.TOAST: frozenset({"ToggleOn"}),
    Verb.TURN_OFF: frozenset({"ToggleOff"}),
    Verb.TURN_ON: frozenset({"ToggleOn"}),
    Verb.WATER: frozenset({"Pour"}),
}
"""The interactions that can be a step's last."""
_PASSING = frozenset({Verb.ASIDE, Verb.LOOK, Verb.FINISH, Verb.GIVE_UP})

_TOLD: Mapping[str, str] = {
    "Close": "I closed the {thing}",
    "Open": "I opened the {thing}",
    "Pickup": "I picked up the {thing}",
    "Place": "I put the {held} {in_} the {thing}",
    "Pour": "I poured it {in_} the {thing}",
    "Slice": "I sliced the {thing}",
    "ToggleOff": "I turned off the {thing}",
    "ToggleOn": "I turned on the {thing}",
}


@dataclass(frozen=True, slots=True)
class Step:
    """A successful interaction: the action, the object's id, and the id of what was last picked up, if anything."""

    action: str
    object_id: str
    held: str = ""


def ends(request: str, step: Step) -> bool:
    """Whether an interaction ends what was asked for last in `request`; what asks for nothing is ended by nothing."""
    asked = understand_instructions(request)
    wanted = [one.verb for one in asked if one.verb not in _PASSING]
    if asked and not wanted:
        return False
    return not wanted or step.action in _ENDS[wanted[-1]]


def told(step: Step) -> str:
    """The report, which begins with "Done."."""
    thing = _type(step.object_id)
    words = {"thing": noun(thing).one, "held": noun(_type(step.held)).one if step.held else "thing"}
    return f"Done. {_TOLD[step.action].format(**words, in_=preposition(thing))}."


def _type(object_id: str) -> str:
    """`Mug` of `Mug|+01.00|...`; the part's own where the id has one (`...|SinkBasin`, `...|BreadSliced_2`)."""
    parts = object_id.split("|")
    last = parts[-1].split("_")[0]
    return last if last.isalpha() else parts[0]
