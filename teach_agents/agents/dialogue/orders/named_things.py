"""What an order names: descriptions resolved to known things, without those that it may not use."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace

from teach_agents.agents.acting.body import Body, SkillError
from teach_agents.agents.acting.things import Test, Thing
from teach_agents.agents.dialogue.dialogue_state import DialogueState, Rule
from teach_agents.agents.dialogue.noun_text import sentence
from teach_agents.agents.dialogue.noun_types import ANYTHING, DOORS, PRONOUNS, kinds_of
from teach_agents.agents.dialogue.order_text import act_words
from teach_agents.agents.dialogue.orders.order_reports import hindrance, the_things
from teach_agents.agents.dialogue.orders.traces import Traces
from teach_agents.agents.dialogue.prohibitions import forbidden, places_left, rule_against, spots_of, told_not_to
from teach_agents.agents.dialogue.reference_resolution import Found, Resolver
from teach_agents.agents.dialogue.referring_expressions import distinct
from teach_agents.agents.dialogue.room_knowledge import RoomKnowledge
from teach_agents.core.dialogue import DialogueAct, Phrase
from teach_agents.understanding.english.lexicon import preposition

PERSONS = frozenset({"me", "us", "you", "here"})
"""Whoever speaks, and the place where they are."""
_DOOR = "_door"


def plain(phrase: Phrase) -> Phrase:
    """A description as rooms know things: keys are one thing, what is behind a door is inside, a hand is a place of
    what has no name alone."""
    place = phrase.place
    if place is not None and place[1].noun == "hand" and phrase.noun not in ANYTHING:
        place = None
    elif place is not None and place[0] in ("behind", "in") and place[1].noun.endswith(_DOOR):
        place = ("in", replace(place[1], noun=place[1].noun.removesuffix(_DOOR)))
    return replace(phrase, noun="key" if phrase.noun == "keys" else phrase.noun, place=place)


class NamedThings(Traces):
    """What one order names, by body and talk, as far as it is known, but for what may not be used so."""

    def __init__(
        self, body: Body, state: DialogueState, resolver: Resolver, rng: random.Random, order: DialogueAct
    ) -> None:
        super().__init__(body)
        self.state = state
        self.order = order
        self.knowing = RoomKnowledge(body, state, resolver, rng)
        self.resolver = resolver
        self._rng = rng
        self.spared = ""
        """Why something that was asked for as well is left as it is."""

    # What the order names

    @property
    def phrases(self) -> list[Phrase]:
        """What is acted upon."""
        return [self._from(plain(slot.phrase)) for slot in self.order.slots if not slot.role]

    @property
    def phrase(self) -> Phrase:
        """What is acted upon, "it" where nothing is named."""
        return next(iter(self.phrases), Phrase("it"))

    def role(self, *names: str) -> Phrase | None:
        """The description in the first of these parts of the order that it has."""
        slots = (slot for name in names for slot in self.order.slots if slot.role == name)
        return next((slot.phrase for slot in slots), None)

    def _from(self, phrase: Phrase) -> Phrase:
        """A thing with the place that it is taken from."""
        place = self.role("from")
        if place is None or phrase.place is not None or self.order.about == "pour" or phrase.noun in PRONOUNS:
            return phrase
        kinds = kinds_of(place.noun)
        return replace(phrase, place=(preposition(kinds[0]) if kinds else "in", place))

    def the(self, things: Sequence[Thing]) -> str:
        """Things by their names, as they were called."""
        return the_things(things, self.phrase.noun)

    def unable(self, error: SkillError | None) -> str:
        """That the order could not be carried out, and why."""
        why = hindrance(error, self.body) if error is not None else ""
        if why.startswith("I "):
            return sentence(why)
        return sentence(f"I could not {act_words(self.order)}{': ' if why else ''}{why}")

    def pick(self, *wordings: str) -> str:
        """One of several ways to say the same, not what was said last."""
        fresh = [words for words in wordings if words not in self.state.last_said] or wordings
        words: str = self._rng.choice([*fresh])
        return words

    # What is there

    def known(self, phrase: Phrase, suits: Test | None = None) -> Found:
        """What a description stands for: of what was cut up its parts, of a liquid what holds it."""
        phrase = self.knowing.here(phrase)
        if phrase.noun == "there":
            return self._there(phrase)
        found = self.resolver.find(phrase, suits)
        if not found.things and phrase.noun not in PRONOUNS | DOORS:
            more = self.knowing.find(phrase)
            found = more._replace(things=[one for one in more.things if suits is None or suits(one)])
        return self.without_barred(found._replace(things=distinct(found.things)))

    def without_barred(self, found: Found) -> Found:
        """Without what may not be used so, where some of it may; that is told in the end."""
        if len(found.things) < 2 or not self.state.in_force:
            return found
        left = [one for one in found.things if not self._against(one)]
        if not left or len(left) == len(found.things):
            return found
        if found.many is None or found.many > len(left):
            self.leave([one for one in found.things if one not in left], self._against)
            found = found._replace(many=found.many and len(left))
        return found._replace(things=left)

    def unbarred(self, things: Sequence[Thing]) -> list[Thing]:
        """Of all such things those that may be used so, if any; that others may not is told in the end."""
        left = [one for one in things if not self._against(one)]
        self.leave([one for one in things if one not in left], self._against)
        return left

    def _against(self, thing: Thing) -> Rule | None:
        spots = spots_of(self.order, thing, self.resolver)
        return rule_against(self.order.about, thing, self.state.in_force, spots)

    def of_speaker(self, things: Sequence[Thing], usual: Sequence[Thing]) -> list[Thing]:
        """Of several things the `usual` ones, or those that are said to be the speaker's."""
        own = self.resolver.of_speaker(things)
        return [one for one in usual if one in own] or own

    def places_left(self, things: Sequence[Thing], places: Sequence[Thing]) -> Sequence[Thing]:
        """Of places that will do for things those where nothing forbids to put them."""
        rules = self.state.in_force
        return places_left(things[0], places, rules) if things and rules and len(places) > 1 else places

    def leave(self, things: Sequence[Thing], against: Callable[[Thing], Rule | None]) -> None:
        """These are left as they are, for there is a rule against them; that is told in the end."""
        rule = next(filter(None, map(against, things)), None)
        if rule is not None and not rule.passing:
            self.spared = told_not_to(rule.said, lower=True)

    def barred(self, click: str, thing: Thing) -> Rule | None:
        """The rule that an interaction with a thing would break, if any."""
        return forbidden(click, thing, self.state.in_force, self.body.things)

    def _there(self, phrase: Phrase) -> Found:
        """The place that was spoken of last, or the one that is named along with "there"."""
        if phrase.place is not None:
            return self.known(phrase.place[1])
        return Found(self.resolver.salience.there()[:1], 1, salient=True)
