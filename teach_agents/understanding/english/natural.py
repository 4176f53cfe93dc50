"""Speak as people do: the same instructions in many wordings, with hints of place, greetings and thanks."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

from teach_agents.understanding.english.lexicon import Noun, nouns, number_word, preposition
from teach_agents.understanding.english.phrasebook import Phrases, phrasebook
from teach_agents.understanding.english.values import Instruction, Reference, State, Verb

_USUAL = 0.45
"""How often the usual word is chosen where there are others."""
_USUAL_NOUN = 0.2
_OPENED = 0.18
_TAILED = 0.05
_STATED = 0.2
_MOVING = 0.25
_CAREFUL = 0.3
"""The share of speakers who write capitals, and of those who end sentences with a full stop."""
_TERSE = (0.3, 0.7, 0.95)
"""How often an article is left out, by kind of speaker."""
_ALL = (("the", True), ("the", True), ("the", True), ("", True), ("all the", True), ("all", True), ("each", False))
_EGGS = ("crack {what}", "crack {what}", "crack {what} open")
"""Nobody slices an egg."""
_IMPLIED = {
    Verb.COOK: State.RAW,
    Verb.TOAST: State.RAW,
    Verb.CLEAN: State.DIRTY,
    Verb.FILL: State.EMPTY,
    Verb.EMPTY: State.FULL,
}
"""Adjectives that go without saying, as the verb leaves out what is otherwise."""


@dataclass(frozen=True, slots=True)
class _Phrase:
    words: str
    plural: bool = False


class NaturalSpeaker:
    """One person with habits of spelling, drawn with everything else from the generator given."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._capitals = rng.random() < _CAREFUL
        self._stops = rng.random() < _CAREFUL
        self._terse = rng.choice(_TERSE)
        self._said: set[str] = set()
        self._hinting = False

    def request(self, instruction: Instruction) -> str:
        """An instruction. What the verb implies is left out, as `without_implied` says."""
        meant = without_implied(instruction)
        if meant.verb is Verb.LOOK:
            return self.hint(meant)
        if meant.verb in (Verb.FINISH, Verb.GIVE_UP):
            _, ending = _patterns(Instruction(meant.verb))
            return self._spelled(self._filled(self._rng.choice(ending), meant))
        requested, stated = _patterns(meant)
        if stated and self._rng.random() < _STATED:
            lead = self._rng.choice(phrasebook().leads) if self._rng.random() < _OPENED else ""
            return self._spelled(self._filled(f"{lead} {self._rng.choice(stated)}", meant))
        pattern = self._rng.choice(requested) if requested else _only_plain(meant)
        opening = self._rng.choice(phrasebook().openings) if self._rng.random() < _OPENED else ""
        tail = self._rng.choice(phrasebook().tails) if self._rng.random() < _TAILED else ""
        return self._spelled(self._filled(f"{opening} {pattern} {tail}", meant), question="{can}" in opening)

    def hint(self, hint: Instruction, *, pronoun: bool = False) -> str:
        """Where something is: `what` is in or on `where`, or by its landmark; without `what`, what was spoken of.

        With `pronoun`, `what` is not named. Articles stand in it, as in every sentence that states something.
        """
        terse, self._terse, self._hinting = self._terse, 0.0, True
        try:
            return self._hinted(hint, pronoun=pronoun)
        finally:
            self._terse, self._hinting = terse, False

    def _hinted(self, hint: Instruction, *, pronoun: bool) -> str:
        what = hint.what if hint.what is not None and hint.what.noun != "It" and not pronoun else None
        if what is None:
            patterns: Phrases = phrasebook().hints
        else:
            patterns = [p for p in phrasebook().whereabouts if not (what.definite and "there {is}" in p)]
        place = self._place(hint)
        bare = replace(what, landmark=None) if what is not None else None
        pattern = self._rng.choice(patterns).replace("{place}", place)
        return self._spelled(self._filled(pattern, Instruction(Verb.LOOK, bare)))

    def aside(self, occasion: str, what: Reference | None = None, number: int = 0) -> str:
        """Something said in passing; the same only once in a session where there is anything else."""
        fresh = [phrase for phrase in phrasebook().asides[occasion] if phrase not in self._said]
        pattern = self._rng.choice(fresh or phrasebook().asides[occasion])
        self._said.add(pattern)
        meant = Instruction(Verb.ASIDE, what)
        return self._spelled(self._filled(pattern.replace("{number}", number_word(number)), meant))

    def _place(self, hint: Instruction) -> str:
        if hint.where is not None:
            return f"{self._way(preposition(hint.where.noun))} {self._reference(hint.where).words}"
        assert hint.what is not None and hint.what.landmark is not None, "a hint says where"
        return self._landmark(hint.what)

    def _landmark(self, reference: Reference) -> str:
        assert reference.landmark is not None, "asked of what has one"
        relations = phrasebook().relation_words
        plain = next(word for word, relation in relations.items() if relation is reference.landmark.relation)
        return f"{self._way(plain)} {self._reference(reference.landmark.thing).words}"

    def _way(self, plain: str) -> str:
        ways = phrasebook().paraphrases.get(plain, (plain,))
        return ways[0] if self._rng.random() < _USUAL else self._rng.choice(ways)

    def _filled(self, pattern: str, meant: Instruction) -> str:
        what = self._reference(meant.what) if meant.what else _Phrase("it")
        linked = "are" if what.plural else "is"
        slots = {slot: self._rng.choice(words) for slot, words in phrasebook().choices.items()} | {
            "{what}": what.words,
            "{is}": self._way(linked) if meant.verb is Verb.LOOK else linked,
            "{needs}": "need" if what.plural else "needs",
            "{it}": "them" if what.plural else "it",
        }
        if meant.where is not None:
            slots["{where}"] = self._reference(meant.where).words
            slots["{prep}"] = self._preposition(meant.where, moving="to be" not in pattern)
        return " ".join(slots.get(word, word) for word in pattern.split())

    def _preposition(self, where: Reference, *, moving: bool) -> str:
        plain = preposition(where.noun)
        return plain + "to" if moving and self._rng.random() < _MOVING else plain

    def _reference(self, reference: Reference) -> _Phrase:
        states, name = reference.states, reference.noun
        if name == "BreadSliced" and states[-1:] == (State.TOASTED,):
            states, name = states[:-1], "Toast"
        chosen = self._noun(name)
        determiner, plural = self._determiner(reference)
        core = " ".join([*(state.value for state in states), chosen.many if plural else chosen.one])
        if determiner == "a" and core[0] in "aeiou":
            determiner = "an"
        phrase = f"{determiner} {core}".strip()
        linked = "are" if plural else "is"
        if reference.place is not None:
            opening = self._rng.choice((f"that {linked}", f"which {linked}"))
            phrase += f" {opening} {preposition(reference.place.noun)} {self._reference(reference.place).words}"
        if reference.content is not None:
            opening = self._rng.choice(("with", "with", "that have" if plural else "that has"))
            holding = f"{preposition(reference.noun)} {'them' if plural else 'it'}"
            phrase += f" {opening} {self._reference(reference.content).words} {holding}"
        if reference.landmark is not None:
            phrase += f" {self._landmark(reference)}"
        return _Phrase(phrase, plural)

    def _noun(self, name: str) -> Noun:
        words = nouns(name)[1:] if name == "Toast" else nouns(name)
        return words[0] if self._rng.random() < _USUAL_NOUN else self._rng.choice(words)

    def _determiner(self, reference: Reference) -> tuple[str, bool]:
        """The determiner and whether the noun after it is plural."""
        count = reference.count
        if count is None:
            return self._rng.choice(_ALL)
        if count != 1:
            number = number_word(count)
            return (f"the {number}" if reference.definite else number), True
        if reference.definite:
            return self._rng.choices(("the", "your", "our"), (10, 1, 1))[0], False
        if self._rng.random() < self._terse:
            return "", False
        related = reference.landmark is not None or reference.place is not None
        choices = (("a", False), ("one", False), ("any", False), ("one of the", True))
        chosen = self._rng.choices(choices, (12, 3, 1, 0 if related else 1))[0]
        return ("a", False) if self._hinting and not chosen[1] else chosen

    def _spelled(self, sentence: str, *, question: bool = False) -> str:
        words = sentence
        if self._capitals:
            words = " ".join("I" if word == "i" else word for word in words.split())
            words = words[:1].upper() + words[1:]
        return words + ("?" if question else ".") if self._stops else words


def without_implied(instruction: Instruction) -> Instruction:
    """The same instruction without adjectives that the verb implies ("wash the dirty mug")."""
    implied, what = _IMPLIED.get(instruction.verb), instruction.what
    if what is None or implied not in what.states:
        return instruction
    return replace(instruction, what=replace(what, states=tuple(state for state in what.states if state != implied)))


def _patterns(meant: Instruction) -> tuple[Phrases, Phrases]:
    """Imperatives and wishes for an instruction."""
    if meant.verb is Verb.SLICE and meant.what is not None and meant.what.noun == "Egg":
        return _EGGS, ()
    placed = meant.where is not None
    both = (phrasebook().requests.get(meant.verb, ()), phrasebook().statements.get(meant.verb, ()))
    requested, stated = ([pattern for pattern in found if ("{where}" in pattern) == placed] for found in both)
    return requested, stated


def _only_plain(meant: Instruction) -> str:
    return f"{meant.verb.value} {{what}}" + (" {prep} {where}" if meant.where is not None else "")
