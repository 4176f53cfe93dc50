"""Commands in the few words that a model chooses among: one text for each, the same every time."""

from __future__ import annotations

from collections.abc import Callable

from teach_agents.understanding.english.lexicon import preposition
from teach_agents.understanding.english.phrasebook import phrasebook
from teach_agents.understanding.english.speaking import say_reference
from teach_agents.understanding.english.values import Instruction, Reference, Verb

_WITH_TOOL = (Verb.COOK,)
"""Verbs that may name what they are done with, or where; the others' tools follow from the room."""


def command(instruction: Instruction) -> str:
    """An instruction that can be carried out, in words."""
    pattern = phrasebook().commands[instruction.verb]
    if instruction.where and instruction.verb in _WITH_TOOL:
        pattern += " {prep} {where}"
    return filled(pattern, instruction, phrase)


def filled(pattern: str, instruction: Instruction, say: Callable[[Reference], str]) -> str:
    """A pattern with the things of an instruction, as `say` puts them."""
    where = instruction.where
    return pattern.format(
        what=say(instruction.what) if instruction.what else "it",
        where=say(where) if where else "there",
        prep=preposition(where.noun) if where else "in",
    )


def phrase(reference: Reference) -> str:
    """A noun phrase in words, with the landmark if it has one."""
    if reference.noun == "It":
        return "it"
    said = say_reference(reference)
    if not reference.landmark:
        return said
    return f"{said} {phrasebook().relations[reference.landmark.relation]} {phrase(reference.landmark.thing)}"
