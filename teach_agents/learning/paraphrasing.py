"""One thing said in many ways: as people type it, with the words, the short cuts and the slips that they have.

`agents.english.natural` says what the planner understands; here is also what it does not: two sentences for one step,
words around it, articles left out, misspelt words. In our own wording.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from teach_agents.agents.lm.phrases import filled
from teach_agents.understanding.english.lexicon import preposition
from teach_agents.understanding.english.natural import NaturalSpeaker
from teach_agents.understanding.english.speaking import say_instruction, say_reference
from teach_agents.understanding.english.understanding import understand_instructions, understand_reports
from teach_agents.understanding.english.values import Instruction, Reference, Verb

LONGEST = 150
"""Characters of an utterance: prompts show a little more."""
_TRIES = 4

_ARTICLE = re.compile(r"\b(?:the|a|an) (?=[a-z])")


class Paraphraser:
    """One person's way of putting things, drawn from the generator with everything else.

    Some speak like the planner, some as `NaturalSpeaker` does, some in whatever way comes to mind; some are careful
    with letters and stops, some are not.
    """

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._speaker = NaturalSpeaker(rng)
        self._casual = rng.choice((0.0, 0.3, 0.7))
        self._chatty = rng.choice((0.0, 0.1, 0.35))
        self._terse = rng.choice((0.0, 0.0, 0.4, 0.9))
        self._sloppy = rng.choice((0.0, 0.0, 0.02, 0.06))
        self._lower = rng.random() < 0.5
        self._stops = rng.random() < 0.5

    def command(self, plain: str) -> str:
        """What a Commander's utterance may sound like from this person, at most `LONGEST` characters.

        Of what is not understood only the spelling changes.
        """
        meant = [step for step in understand_instructions(plain) if step.verb is not Verb.ASIDE]
        for _ in range(_TRIES):
            said = ". ".join(self._step(step) for step in meant) if meant else plain
            said = self._typed(self._around(said))
            if len(said) <= LONGEST:
                return said
        return plain[:LONGEST]

    def report(self, plain: str) -> str:
        """What a Follower's utterance may sound like; it still says the same to who understands the plain one."""
        said = self._typed(plain)
        return said if understand_reports(said) == understand_reports(plain) and len(said) <= LONGEST else plain

    def _step(self, step: Instruction) -> str:
        what = step.what
        if what and what.place and not what.content and self._rng.random() < 0.4:
            return self._with_place_apart(step, what, what.place)
        patterns = _words().ways.get(step.verb, ())
        fitting = [one for one in patterns if ("{where}" in one) == (step.where is not None)]
        if fitting and self._rng.random() < self._casual:
            return filled(self._rng.choice(fitting), step, say_reference)
        return self._natural(step)

    def _natural(self, step: Instruction) -> str:
        is_landmark = step.verb is Verb.LOOK and step.where is None  # said as a hint alone
        if self._rng.random() < 0.25 and not is_landmark:
            return say_instruction(step, self._rng).rstrip(".?")
        return self._speaker.request(step).rstrip(".?")

    def _with_place_apart(self, step: Instruction, what: Reference, place: Reference) -> str:
        """The place of a thing in a sentence of its own."""
        bare = replace(what, place=None)
        pattern = self._rng.choice(_words().known_place)
        told = f"{preposition(place.noun)} {say_reference(place)}"
        rest = self._natural(replace(step, what=bare))
        return pattern.format(what=say_reference(replace(bare, definite=True)), place=told, rest=rest)

    def _around(self, said: str) -> str:
        """Words before and after, which say nothing."""
        if self._rng.random() < self._chatty:
            said = f"{self._rng.choice(_words().before)}{self._rng.choice((', ', ' ', '. ', '! '))}{said}"
        if self._rng.random() < self._chatty / 2:
            said = f"{said}{self._rng.choice((', ', ' ', '. '))}{self._rng.choice(_words().after)}"
        return said

    def _typed(self, said: str) -> str:
        """As the fingers have it."""
        if self._rng.random() < self._terse:
            said = _ARTICLE.sub("", said)
        said = " ".join(self._word(word) for word in said.split())
        said = said.lower() if self._lower else said[:1].upper() + said[1:]
        if not said.endswith(("?", "!", ".")) and self._stops:
            said += self._rng.choice((".", ".", "!", ".."))
        return said if self._stops else said.rstrip(".")

    def _word(self, word: str) -> str:
        if self._rng.random() >= self._sloppy:
            return word
        if word.lower() in _words().short:
            return _words().short[word.lower()]
        return _slip(word, self._rng) if len(word) > 3 and word.isalpha() else word


def _slip(word: str, rng: random.Random) -> str:
    """Two letters swapped, one dropped, or one doubled."""
    kind = rng.choice(("swapped", "dropped", "doubled"))
    at = rng.randrange(1, len(word) - (kind == "swapped"))
    if kind == "swapped":
        return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    return word[:at] + word[at + 1 :] if kind == "dropped" else word[:at] + word[at] + word[at:]


@dataclass(frozen=True, slots=True)
class _Words:
    """Further ways to ask for a step (a dot ends a sentence), words before and after, places told apart, short cuts."""

    ways: Mapping[str, Sequence[str]]
    before: Sequence[str]
    after: Sequence[str]
    known_place: Sequence[str]
    short: Mapping[str, str]


@cache
def _words() -> _Words:
    return _Words(**json.loads(Path(__file__).with_suffix(".json").read_bytes()))
