"""Commands in the few words that a model chooses among: one text for each, the same every time."""

from __future__ import annotations

from collections.abc import Mapping

from teach_agents.agents.english.lexicon import preposition
from teach_agents.agents.english.speaking import say_reference
from teach_agents.agents.english.values import Instruction, Reference, Relation, Verb

_RELATIONS: Mapping[Relation, str] = {
    Relation.NEAR: "near",
    Relation.LEFT: "left of",
    Relation.RIGHT: "right of",
    Relation.ABOVE: "above",
    Relation.BELOW: "below",
    Relation.BEHIND: "behind",
    Relation.BEFORE: "in front of",
}

_COMMANDS: Mapping[Verb, str] = {
    Verb.PUT: "put {what} {prep} {where}",
    Verb.PICK_UP: "pick up {what}",
    Verb.CLEAN: "clean {what}",
    Verb.SLICE: "slice {what}",
    Verb.COOK: "cook {what}",
    Verb.TOAST: "toast {what}",
    Verb.BOIL: "boil {what}",
    Verb.COFFEE: "make coffee in {what}",
    Verb.FILL: "fill {what} with water",
    Verb.EMPTY: "empty {what}",
    Verb.WATER: "water {what}",
    Verb.CLEAR: "clear {what}",
    Verb.TURN_ON: "turn on {what}",
    Verb.TURN_OFF: "turn off {what}",
    Verb.OPEN: "open {what}",
    Verb.CLOSE: "close {what}",
    Verb.LOOK: "look {prep} {where}",
}
_WITH_TOOL = frozenset({Verb.COOK})
"""Verbs that may name what they are done with, or where; the others' tools follow from the room."""


def command(instruction: Instruction) -> str:
    """An instruction that can be carried out, in words."""
    where = instruction.where
    pattern = _COMMANDS[instruction.verb]
    if where is not None and instruction.verb in _WITH_TOOL:
        pattern += " {prep} {where}"
    return pattern.format(
        what=phrase(instruction.what) if instruction.what is not None else "it",
        where=phrase(where) if where is not None else "there",
        prep=preposition(where.noun) if where is not None else "in",
    )


def phrase(reference: Reference) -> str:
    """A noun phrase in words, with the landmark if it has one."""
    if reference.noun == "It":
        return "it"
    said = say_reference(reference)
    if reference.landmark is None:
        return said
    return f"{said} {_RELATIONS[reference.landmark.relation]} {phrase(reference.landmark.thing)}"
