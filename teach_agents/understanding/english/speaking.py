"""Speak the controlled English: instructions and reports to utterances, varied by a seeded generator."""

from __future__ import annotations

import random

from teach_agents.understanding.english.lexicon import noun, number_word, preposition
from teach_agents.understanding.english.phrasebook import phrasebook
from teach_agents.understanding.english.values import Instruction, Reference, Report, ReportKind, Verb

_SPOKEN = 3
"""How many of a verb's patterns are spoken, of those that fit; the others are paraphrases, understood as well."""
_QUESTIONS = frozenset({ReportKind.ASK_TASK, ReportKind.ASK_NEXT})
_STATEMENTS = frozenset({Verb.LOOK, Verb.FINISH, Verb.GIVE_UP})


def say_instruction(instruction: Instruction, rng: random.Random) -> str:
    """An instruction in words: no ids, no coordinates, no numbers except counts.

    A place can be given with the verbs that have a sentence for it.
    """
    placed = instruction.where is not None
    spoken = [pattern for pattern in phrasebook().sentences[instruction.verb] if ("{where}" in pattern) == placed][
        :_SPOKEN
    ]
    sentence = _fill(rng.choice(spoken), instruction.what, instruction.where)
    if instruction.verb in _STATEMENTS:
        return _capital(sentence) + "."
    prefix = rng.choice(phrasebook().prefixes)
    return _capital(prefix + sentence) + ("?" if prefix.startswith(("Could", "Can")) else ".")


def say_plainly(instruction: Instruction) -> str:
    """An instruction as it is said most plainly, without a full stop: "wash the mug"."""
    placed = instruction.where is not None
    spoken = [one for one in phrasebook().sentences[instruction.verb] if ("{where}" in one) == placed]
    return _fill(spoken[0], instruction.what, instruction.where)


def say_report(report: Report, rng: random.Random) -> str:
    """What the Follower says, in words."""
    sentence = _fill(rng.choice(phrasebook().reports[report.kind][:_SPOKEN]), report.what, report.what)
    question = report.kind in _QUESTIONS or sentence.startswith("where")
    return _capital(sentence.replace("i ", "I ") if sentence.startswith("i ") else sentence.replace(" i ", " I ")) + (
        "?" if question else "."
    )


def say_reference(reference: Reference) -> str:
    """A noun phrase in words, for example "the two clean plates that are in the sink"."""
    words = noun(reference.noun)
    plural = reference.count is None or reference.count > 1
    core = " ".join([*(state.value for state in reference.states), words.many if plural else words.one])
    phrase = f"{_determiner(reference, core)} {core}"
    if reference.place is not None:
        verb = "are" if plural else "is"
        phrase += f" that {verb} {preposition(reference.place.noun)} {say_reference(reference.place)}"
    if reference.content is not None:
        pronoun = "them" if plural else "it"
        phrase += f" with {say_reference(reference.content)} {preposition(reference.noun)} {pronoun}"
    return phrase


def _determiner(reference: Reference, core: str) -> str:
    if reference.count is None:
        return "all the"
    if reference.count != 1:
        number = number_word(reference.count)
        return f"the {number}" if reference.definite else number
    if reference.definite:
        return "the"
    return "an" if core[0] in "aeiou" else "a"


def _fill(pattern: str, what: Reference | None, where: Reference | None) -> str:
    slots = {
        "{what}": say_reference(what) if what else "it",
        "{where}": say_reference(where) if where else "there",
        "{prep}": preposition(where.noun) if where else "in",
    }
    return " ".join(slots.get(word, word) for word in pattern.split())


def _capital(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]
