"""One thing said in many ways: as people type it, with the words, the short cuts and the slips that they have.

`agents.english.natural` says what the planner understands; here is also what it does not: two sentences for one step,
words around it, articles left out, misspelt words. In our own wording.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping
from dataclasses import replace

from teach_agents.agents.english.lexicon import preposition
from teach_agents.agents.english.natural import NaturalSpeaker
from teach_agents.agents.english.speaking import say_instruction, say_reference
from teach_agents.agents.english.understanding import understand_instructions, understand_reports
from teach_agents.agents.english.values import Instruction, Reference, Verb

LONGEST = 150
"""Characters of an utterance: prompts show a little more."""
_TRIES = 4

_CASUAL: Mapping[Verb, tuple[str, ...]] = {
    Verb.CLEAN: (
        "{what} is dirty, rinse it off in the sink",
        "wash {what} for me",
        "make sure {what} is clean",
        "i want {what} clean",
        "run some water over {what}",
        "{what} has to be washed",
    ),
    Verb.SLICE: (
        "find a knife. then cut {what}",
        "cut {what} up with a knife",
        "grab the knife, slice {what}",
        "{what} has to be sliced",
        "get slices from {what}",
    ),
    Verb.COOK: (
        "{what} has to be cooked, use the microwave or the stove",
        "heat {what} till it is done",
        "cook {what} on the stove or in the microwave",
        "microwave {what}",
        "{what} must not stay raw",
    ),
    Verb.TOAST: (
        "pop {what} in the toaster and turn it on",
        "we will have toast. toast {what}",
        "{what} has to be toasted",
    ),
    Verb.BOIL: ("{what} has to be boiled, fill a pot with water", "get {what} into a pot of water and boil it"),
    Verb.COFFEE: (
        "i'd like a coffee, use {what}",
        "get the coffee going, {what} will do",
        "put {what} under the coffee machine and turn it on",
        "we need a cup of coffee. take {what}",
    ),
    Verb.FILL: ("get some water, use {what}", "take {what} to the tap and fill it", "{what} has to be full of water"),
    Verb.WATER: ("{what} looks dry. water it", "pour water into {what}", "get some water for {what}"),
    Verb.PUT: (
        "take {what}. put it {prep} {where}",
        "{what} goes {prep} {where}",
        "pick up {what} and leave it {prep} {where}",
        "i'd like to see {what} {prep} {where}",
        "move {what} over {prep} {where}",
        "{prep} {where} please, {what}",
        "find {what}, then place it {prep} {where}",
    ),
    Verb.PICK_UP: ("go get {what}", "take hold of {what}", "you will need {what}"),
    Verb.CLEAR: ("there is no room at {what}, take things out", "empty out {what} first"),
    Verb.TURN_ON: ("start {what}", "{what} should be on"),
    Verb.TURN_OFF: ("{what} should be off", "stop {what}"),
    Verb.OPEN: ("open up {what} please",),
    Verb.CLOSE: ("do not leave {what} open",),
    Verb.FINISH: (
        "ok that is everything, thank you",
        "all done!",
        "we're finished, good job",
        "task completed, thanks",
        "perfect, nothing more to do",
        "great we are done",
        "that's it, thank you",
    ),
}
"""Further ways; a dot ends a sentence."""

_BEFORE = ("ok", "okay", "hi", "hello", "good", "great job", "thanks", "nice", "now", "alright", "perfect", "so", "yes")
_AFTER = ("thanks", "thank you", "let me know when done", "tell me when you're done", "please", "take your time")
_KNOWN_PLACE = (
    "{what} is {place}. {rest}",
    "there should be one {place}, {rest}",
    "look {place}. {rest}",
    "{rest}, check {place}",
)
_SHORT = {"please": "pls", "you": "u", "are": "r", "thanks": "thx", "and": "n", "okay": "k", "the": "teh"}
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
        placed = step.what is not None and step.what.place is not None and step.what.content is None
        if placed and self._rng.random() < 0.4:
            return self._with_place_apart(step)
        patterns = _CASUAL.get(step.verb, ())
        fitting = [one for one in patterns if ("{where}" in one) == (step.where is not None)]
        if fitting and self._rng.random() < self._casual:
            return _filled(self._rng.choice(fitting), step.what, step.where)
        return self._natural(step)

    def _natural(self, step: Instruction) -> str:
        is_landmark = step.verb is Verb.LOOK and step.where is None  # said as a hint alone
        if self._rng.random() < 0.25 and not is_landmark:
            return say_instruction(step, self._rng).rstrip(".?")
        return self._speaker.request(step).rstrip(".?")

    def _with_place_apart(self, step: Instruction) -> str:
        """The place of a thing in a sentence of its own."""
        assert step.what is not None and step.what.place is not None, "asked of what has a place"
        place = step.what.place
        bare = replace(step, what=replace(step.what, place=None))
        pattern = self._rng.choice(_KNOWN_PLACE)
        told = f"{preposition(place.noun)} {say_reference(place)}"
        what = say_reference(replace(step.what, place=None, definite=True))
        return pattern.format(what=what, place=told, rest=self._natural(bare))

    def _around(self, said: str) -> str:
        """Words before and after, which say nothing."""
        if self._rng.random() < self._chatty:
            said = f"{self._rng.choice(_BEFORE)}{self._rng.choice((', ', ' ', '. ', '! '))}{said}"
        if self._rng.random() < self._chatty / 2:
            said = f"{said}{self._rng.choice((', ', ' ', '. '))}{self._rng.choice(_AFTER)}"
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
        if word.lower() in _SHORT:
            return _SHORT[word.lower()]
        return self._rng.choice(_SLIPS)(word, self._rng) if len(word) > 3 and word.isalpha() else word


def _filled(pattern: str, what: Reference | None, where: Reference | None) -> str:
    return pattern.format(
        what=say_reference(what) if what is not None else "it",
        where=say_reference(where) if where is not None else "there",
        prep=preposition(where.noun) if where is not None else "in",
    )


def _swapped(word: str, rng: random.Random) -> str:
    at = rng.randrange(1, len(word) - 1)
    return word[:at] + word[at + 1] + word[at] + word[at + 2 :]


def _dropped(word: str, rng: random.Random) -> str:
    at = rng.randrange(1, len(word))
    return word[:at] + word[at + 1 :]


def _doubled(word: str, rng: random.Random) -> str:
    at = rng.randrange(1, len(word))
    return word[:at] + word[at] + word[at:]


_SLIPS: tuple[Callable[[str, random.Random], str], ...] = (_swapped, _dropped, _doubled)
