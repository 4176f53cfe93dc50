"""What a person states, as facts that are kept: of which things, whose and what they are said to be, and where."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from teach_agents.agents.acting.things import Thing
from teach_agents.agents.dialogue.dialogue_state import DialogueState, Told
from teach_agents.agents.dialogue.facts import tells_a_number
from teach_agents.agents.dialogue.liked_things import tells_a_preference
from teach_agents.agents.dialogue.noun_mentions import mentions_in
from teach_agents.agents.dialogue.noun_types import PRONOUNS, kinds_of, noun_of
from teach_agents.agents.dialogue.orders.named_things import PERSONS
from teach_agents.agents.dialogue.reference_resolution import Resolver
from teach_agents.agents.dialogue.statements import statements_in
from teach_agents.agents.dialogue.states import LOOKS
from teach_agents.agents.dialogue.told_descriptions import tells_a_habit
from teach_agents.agents.dialogue.told_states import OTHERS, is_owner, owner_called
from teach_agents.core.dialogue import DialogueAct, Phrase
from teach_agents.understanding.notation import write_phrase

_OWNER = re.compile(r"\b(?!(?:it|that|there|he|she|what|let|here|who|this|one)'s)((?:my |our )?[a-z]+'s)\b")
_AT_HAND = frozenset({"this", "that"})
_MOST = 6
"""A fact of more things is one of their kind."""


def is_worth_keeping(text: str) -> bool:
    """Whether what was said in passing may be asked for, or gone by, later."""
    return tells_a_number(text) or tells_a_preference(text) or tells_a_habit(text)


class FactExtractor:
    """Makes facts of what is told, by what is known here and was spoken of."""

    def __init__(self, state: DialogueState, resolver: Resolver) -> None:
        self._state, self._resolver = state, resolver

    def read(self, act: DialogueAct, text: str) -> Told:
        """A fact as its reading has it."""
        if not act.slots:
            return Told(text.strip(), self._turn)
        phrase = act.slots[0].phrase
        pointed = self._resolver.find(phrase).chosen if phrase in (Phrase("it"), Phrase("them")) else ()
        if phrase.noun in ("it", "them") and self._state.single:
            phrase = replace(phrase, noun=self._state.single[0].noun)
        return self._told(phrase, act.slots[0].role.removeprefix(":"), text, pointed)

    def stated(self, text: str) -> Iterator[Told]:
        """The facts that the words themselves state, whatever they were read as; each by what was spoken of before."""
        for one in statements_in(text):
            if one.state in OTHERS and (named := _OWNER.findall(text.lower())):  # "Emma's book, and the pen is hers"
                one = one._replace(state=owner_called(named[-1]))
            if one.thing != Phrase("it"):
                yield self._told(one.thing, one.state, text)
            elif self._state.single:
                pointed = self._resolver.find(one.thing).chosen
                yield self._told(Phrase(self._state.single[0].noun), one.state, text, pointed)

    @property
    def _turn(self) -> int:
        return self._resolver.body.observation.turn

    def _told(self, phrase: Phrase, state: str, text: str, pointed: Sequence[Thing] = ()) -> Told:
        if phrase.noun == "one" and _AT_HAND & {*phrase.looks} and phrase.place is None:  # "this one is too soft"
            pointed = self._resolver.find(Phrase("it")).chosen
            phrase = replace(phrase, noun=noun_of(pointed[0].object_type)) if pointed else phrase
        if is_owner(phrase.noun):  # "mine is in the car": of what was spoken of
            phrase, state = replace(phrase, noun="one"), state or phrase.noun
        if phrase.noun == "one":
            phrase = self._of_kind(phrase, text)
        place = phrase.place
        ids = tuple(thing.object_id for thing in pointed) or self._ids(phrase)
        is_told = place is not None and (phrase.noun in PERSONS or place[0] in ("in", "on"))
        where = place[1].noun if place is not None and is_told else ""
        return Told(text.strip(), self._turn, phrase.noun, where, state, write_phrase(phrase), ids)

    def _of_kind(self, phrase: Phrase, text: str) -> Phrase:
        """ "The one on the shelf", by the name of what was spoken of that is there, or may be."""
        spoken = (one.noun for one in self._state.single if kinds_of(one.noun))
        names = [*dict.fromkeys([*mentions_in(text), *spoken])]
        seen = replace(phrase, looks=tuple(look for look in phrase.looks if look in LOOKS))
        there = (name for name in names if self._resolver.find(replace(seen, noun=name)).things)
        return replace(phrase, noun=next(there, next(iter(names), "one")))

    def _ids(self, phrase: Phrase) -> tuple[str, ...]:
        """The things that a fact is about, where these are known and are not many."""
        if phrase.noun in PRONOUNS or not kinds_of(phrase.noun):
            return ()
        things = self._resolver.find(phrase).things
        return tuple(thing.object_id for thing in things) if len(things) <= _MOST else ()
