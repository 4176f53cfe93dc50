"""Answers about what things are like: open, clean, cooked, full."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from teach_agents.agents.acting.things import Thing
from teach_agents.agents.dialogue.answers_about_things import AboutThings
from teach_agents.agents.dialogue.conditions import OPPOSITES, condition, is_so, lacks, liquid_in
from teach_agents.agents.dialogue.excepted_kinds import without_excepted
from teach_agents.agents.dialogue.noun_text import (
    all_number,
    be,
    called,
    grouped,
    is_plural,
    listed,
    name_of,
    sentence,
    words_of,
)
from teach_agents.agents.dialogue.noun_types import ANYTHING
from teach_agents.agents.dialogue.reference_resolution import LIQUIDS
from teach_agents.agents.dialogue.referring_expressions import (
    PARTS,
    all_of,
    contents_of,
    distinct,
    place_word,
    subject,
    the_one,
)
from teach_agents.agents.dialogue.room_knowledge import PARTS_OF, RoomKnowledge, doubt, meant
from teach_agents.agents.dialogue.states import named_state, state_called
from teach_agents.core.dialogue import Phrase
from teach_agents.understanding.english.lexicon import number_word

_RESTING: Mapping[str, str] = {"off": "on", "closed": "open", "clean": "dirty"}
"""How things are that want nothing done, and what one asks after otherwise."""
_NAMED = 3
"""Of so many things it is told which are not as is asked about."""
_MARKED: Mapping[str, str] = {
    **{"on": "toggleable", "off": "toggleable", "open": "openable", "closed": "openable"},
    **{"dirty": "dirtyable", "clean": "dirtyable", "full": "canFillWithLiquid"},
}
"""States that all things of a place may be asked to be in, and what a thing has to be for them."""


class AboutStates:
    """Answers `state` and the `topics` here."""

    def __init__(self, knowing: RoomKnowledge, things: AboutThings) -> None:
        self._knowing = knowing
        self._things = things
        self._body = knowing.body
        self._pick = knowing.pick
        self.topics: Mapping[str, Callable[[Phrase], str]] = {"what_state": self._what_state}

    def state(self, phrase: Phrase, asked: str) -> str:
        """Whether things are in a state: yes or no, with what is so."""
        state, word = state_called(asked), asked.replace("_", " ")
        if state == "held":
            return self._things.have(phrase)
        if phrase.noun in ANYTHING and state in _MARKED and (told := self._everything(phrase, state, word)):
            return told
        if phrase.noun in ("something", "anything"):
            return self._things.there(replace(phrase, looks=(state, *phrase.looks)))
        if phrase.noun in LIQUIDS and state in ("hot", "cold"):
            return self._liquid(phrase, state)
        found = self._knowing.find(phrase)
        if not found.things:
            return self._knowing.no_such(phrase, found)
        things, unsure = meant(found), doubt(phrase, found)
        if state in ("empty", "full") and not any(thing.has("canFillWithLiquid") for thing in things):
            if all(thing.has("receptacle") or thing.is_basin for thing in things):
                return unsure + self._emptiness(things, state)
        if state in ("sliced", "whole") and all(thing.object_type.endswith(PARTS_OF) for thing in things):
            return unsure + self._cut_up(things[0], state)
        if len(things) == 1:
            return unsure + self._one_state(things[0], state, word)
        return unsure + self._states(things, state, word, all_asked=phrase.count in ("2", "all", "both"))

    def _everything(self, phrase: Phrase, state: str, word: str) -> str:
        """Of all that can be so of what is in or on a place, or is that place; "" where no such place is known, or what
        is there is not."""
        plain = self._knowing.here(phrase)
        relation, mark = plain.place or ("", Phrase(""))
        able = [thing for thing in distinct(self._body.things) if self._may_be(thing, state)]
        able = without_excepted(phrase, [one for one in able if one.object_type not in PARTS])
        if plain.place is not None:
            places = self._knowing.find(mark).things
            if not places or not all(map(self._knowing.was_looked_into, places)):
                return ""
            there = [one for one in able if self._knowing.resolver.placed(relation, one, places)]
            able = [one for one in places if one in able] + there if relation in ("in", "on") else there
        elif phrase.noun not in ("everything", "anything"):
            return ""
        every = phrase.noun == "everything" or (phrase.count in ("all", "both"))
        where = f" {relation} {words_of(mark)}" if plain.place is not None else ""
        so = [one for one in able if is_so(one, state, self._body.things)]
        rest = [one for one in able if one not in so]
        if not able:
            return f"There is nothing{where} that could be {word}." if every else f"No, nothing{where} is {word}."
        if every:
            told = f"{listed(self._each(rest, able))} {be(len(rest))} {'still ' if state in _RESTING else ''}"
            return f"No, {told}{OPPOSITES[state]}." if rest else f"Yes, everything{where} is {word}."
        return f"Yes, {listed(self._each(so, able))} {be(len(so))} {word}." if so else f"No, nothing{where} is {word}."

    @staticmethod
    def _each(things: Sequence[Thing], among: Sequence[Thing]) -> list[str]:
        """The names of things, several of one kind together; "one burner" where there are more among others."""
        kinds, all_kinds = (Counter(map(called, some)) for some in (things, among))
        return [
            f"the {name.alone}"
            if n == all_kinds[name] == 1
            else f"{number_word(n)} {name.one if n == 1 else name.many}"
            for name, n in kinds.items()
        ]

    def _may_be(self, thing: Thing, state: str) -> bool:
        """Whether a thing can be in a state and in its opposite, and it can be told in which it is."""
        if is_so(thing, state, self._body.things) is None:
            return False
        return thing.has(_MARKED[state]) or (_MARKED[state] == "toggleable" and thing.object_type == "StoveBurner")

    def _one_state(self, thing: Thing, state: str, word: str) -> str:
        name = subject(thing)
        if word in ("made", "unmade", "made up") and named_state(thing, state) == state:
            return f"I cannot tell whether {name} is {word}."
        verb = be(2 if is_plural(name) else 1)
        unfit = lacks(thing, state)
        if unfit:
            return f"No, {name} {unfit}."
        so = is_so(thing, state, self._body.things)
        if so is None:
            return self._pick(
                f"I cannot tell whether {name} {verb} {word}.", f"I do not know whether {name} {verb} {word}."
            )
        if so:
            word = named_state(thing, word)
            return self._pick(f"Yes, {name} {verb} {word}.", f"Yes, {'they' if verb == 'are' else 'it'} {verb} {word}.")
        truth = self._otherwise(thing, state, word)
        return self._pick(f"No, {name} {verb} {truth}.", f"No, {'they' if verb == 'are' else 'it'} {verb} {truth}.")

    def _cut_up(self, part: Thing, state: str) -> str:
        """Of what there are only parts of: slices, a cracked egg."""
        whole, word = (part.object_type.removesuffix("Sliced"), "sliced")
        if part.object_type.endswith("Cracked"):
            whole, word = (part.object_type.removesuffix("Cracked"), "cracked")
        name = name_of(whole).alone
        if state == "sliced":
            return self._pick(f"Yes, the {name} is {word}.", f"Yes, it is {word}.")
        return self._pick(f"No, the {name} is {word}.", f"No, it is {word}.")

    def _otherwise(self, thing: Thing, state: str, word: str) -> str:
        """What is so of a thing that is not in a state."""
        other = OPPOSITES.get(state)
        if state == "sliced" and thing.has("sliceable"):
            return "still whole"
        if state == "empty" and liquid_in(thing):
            return f"full of {liquid_in(thing)}"
        if state == "empty":
            return f"not empty: it holds {listed(grouped(self._body.things.contents(thing)))}"
        if other is not None and is_so(thing, other, self._body.things):
            return named_state(thing, other)
        return f"not {word}"

    def _states(self, things: Sequence[Thing], state: str, word: str, *, all_asked: bool) -> str:
        """Of several things."""
        so = [thing for thing in things if is_so(thing, state, self._body.things)]
        unknown = [thing for thing in things if is_so(thing, state, self._body.things) is None]
        every = all_of(things, self._body)
        unfit = {lacks(thing, state) for thing in things}
        if "" not in unfit:
            return f"No, {every} {unfit.pop().replace('does not', 'do not')}."
        if len(unknown) == len(things):
            return f"I cannot tell whether {every} are {word}."
        if len(so) == len(things):
            return self._pick(f"Yes, {every} are {word}.", f"Yes, {all_number(len(things))} are {word}.")
        if not so:
            return self._pick(f"No, none of {every} is {word}.", f"No, none of them is {word}.")
        if all_asked:
            return self._not_all(things, so, state, word)
        return self._some(things, so, state, word)

    def _not_all(self, things: Sequence[Thing], so: Sequence[Thing], state: str, word: str) -> str:
        """Of several things that are not all in a state: which are not, or are, whichever is told in fewer words."""
        rest, other = [thing for thing in things if thing not in so], OPPOSITES.get(state, f"not {word}")
        names = [*dict.fromkeys(map(subject, rest))]
        if len(rest) == sum(subject(thing) in names for thing in things) <= _NAMED:
            return f"No, {listed(names)} {be(2 if is_plural(names[0]) else len(rest))} {other}."
        which = f": {the_one(so[0], self._body)}" if len(so) == 1 else ""
        if len(rest) == 1 < len(so):
            return f"No, one of {all_of(things, self._body)} is {other}: {the_one(rest[0], self._body)}."
        return f"No, only {number_word(len(so))} of {all_of(things, self._body)} {be(len(so))} {word}{which}."

    def _some(self, things: Sequence[Thing], so: Sequence[Thing], state: str, word: str) -> str:
        """Of several things, some in a state and others not. Whether a lamp is on is yes where one is, whether they are
        off is no as long as one is not."""
        every, other = all_of(things, self._body), OPPOSITES.get(state, "")
        rest = [thing for thing in things if other and thing not in so and is_so(thing, other, self._body.things)]
        if state in _RESTING and rest and len(rest) + len(so) == len(things):
            which = f": {the_one(rest[0], self._body)}" if len(rest) == 1 else ""
            return f"No, {number_word(len(rest))} of {every} {be(len(rest))} still {other}{which}."
        which = f": {the_one(so[0], self._body)}" if len(so) == 1 else ""
        yes = "Yes, " if state in _RESTING.values() else "Not all: "
        return f"{yes}{number_word(len(so))} of {every} {be(len(so))} {word}{which}."

    def _emptiness(self, things: Sequence[Thing], state: str) -> str:
        """Of what is no vessel: whether there is anything in or on it."""
        unknown = [thing for thing in things if not self._knowing.was_looked_into(thing)]
        if unknown:
            return self._knowing.not_looked_into(*unknown)
        contents, where = contents_of(things, self._body), all_of(things, self._body)
        if not contents:
            told = f"there is nothing {place_word(things[0])} {where}"
            return f"Yes, {told}." if state == "empty" else f"No, {told}."
        told = f"there {be(len(contents))} {listed(grouped(contents))} {place_word(things[0])} {where}"
        return f"No, {told}." if state == "empty" else f"Not quite: {told}."

    def _liquid(self, phrase: Phrase, state: str) -> str:
        found = self._knowing.find(phrase)
        if not found.things:
            return self._knowing.no_such(phrase, found)
        vessel = found.things[0]
        where = f"the {phrase.noun} in {self._knowing.the(vessel)}"
        if is_so(vessel, state, self._body.things):
            return f"Yes, {where} is {state}."
        return f"No, {where} is not {state}."

    def _what_state(self, phrase: Phrase) -> str:
        if phrase.noun == "you":
            return self._pick("I am well, and ready to help.", "I am fine.")
        found = self._knowing.find(phrase)
        if not found.things:
            return self._knowing.no_such(phrase, found)
        told = [self._condition(thing) for thing in meant(found)[:3]]
        if len(set(told)) == 1 and len(meant(found)) > 1:
            things = meant(found)
            words = condition(things[0], self._body.things)
            return sentence(f"{all_of(things, self._body)} are {listed(words) or 'as they should be'}")
        return " ".join(told[:2])

    def _condition(self, thing: Thing) -> str:
        words = [named_state(thing, one) for one in condition(thing, self._body.things)]
        name = subject(thing)
        verb = be(2 if is_plural(name) else 1)
        if thing.is_a("Sink"):
            name = "the water in the sink"
        if words:
            return sentence(f"{name} {verb} {listed(words)}")
        return self._pick(sentence(f"I would say that {name} {verb} as usual"), sentence(f"{name} {verb} as usual"))
