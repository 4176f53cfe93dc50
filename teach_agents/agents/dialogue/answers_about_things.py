"""Answers about things: where they are, how many there are, which ones, what they are."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from teach_agents.agents.acting.things import Thing, are_twins
from teach_agents.agents.dialogue.answers_about_views import ALL_THERE, PEOPLE, AboutViews
from teach_agents.agents.dialogue.conditions import liquid_in
from teach_agents.agents.dialogue.noun_text import (
    article,
    be,
    called,
    clause,
    first_sentence,
    grouped,
    is_plural,
    listed,
    name_of,
    sentence,
    words_of,
)
from teach_agents.agents.dialogue.noun_types import ANYTHING, PRONOUNS, kinds_of
from teach_agents.agents.dialogue.purposes import purpose
from teach_agents.agents.dialogue.reference_resolution import LIQUIDS, Found
from teach_agents.agents.dialogue.referring_expressions import (
    PARTS,
    STRUCTURE,
    describe_thing,
    distinct,
    in_view,
    place_word,
    subject,
    the_one,
    where_phrase,
    whereabouts,
)
from teach_agents.agents.dialogue.room_knowledge import RoomKnowledge, doubt, meant
from teach_agents.agents.dialogue.spatial_order import RANKS
from teach_agents.core.dialogue import Phrase
from teach_agents.understanding.english.lexicon import number_word
from teach_agents.understanding.noun_phrases import noun_phrase
from teach_agents.understanding.plain_text import plain_text

_POINTING = frozenset({"that", "this", "it", "one", "something", "thing"})
_MOST_NAMED = 4
"""Of more things of several kinds only the number is told."""
_SAID_BEHIND = frozenset({"on", "off", "running", "lit", "left", "switched_on", "switched_off"})
"""States that are said behind a name, not before it."""


_COMPARED = re.compile(
    r"\b(?:there|we|you|i)(?: have| got| see)? (?P<how>more|fewer|less|as many) (?P<x>[a-z ]+?) (?:than|as) "
    r"(?:there (?:is|are) |we have )?(?P<y>[a-z ]+?)(?: now)?\W*$"
)
_WHICH_MORE = re.compile(
    r"\bwh(?:at|ich)\b.*\b(?P<how>more)(?: of)?\W+(?P<x>(?:the )?[a-z ]+?),? or (?P<y>(?:the )?[a-z ]+?)\W*$"
)
"""What asks of which of two kinds of things there are more."""


class AboutThings:
    """Answers the `topics` that a description of things belongs to."""

    def __init__(self, knowing: RoomKnowledge, views: AboutViews) -> None:
        self._knowing = knowing
        self._views = views
        self._body = knowing.body
        self._pick = knowing.pick
        self.topics: Mapping[str, Callable[[Phrase], str]] = {
            "where": self._where,
            "count": self._count,
            "there": self.there,
            "have": self.have,
            "which": self._which,
            "what": self._what,
        }

    def _where(self, phrase: Phrase) -> str:
        if phrase.noun in PEOPLE:
            return "I do not see you; I only hear what you say."
        if phrase.noun == "you":
            return self._views.where_are_you()
        if self._knowing.is_room(phrase.noun) or (phrase.noun == "everything" and phrase.place is None):
            return self._views.room("room" if phrase.noun == "everything" else phrase.noun)
        found = self._knowing.find(phrase)
        if phrase.noun in LIQUIDS and found.things:
            return f"There is {phrase.noun} in {describe_thing(found.things[0], self._body)}."
        if not found.things:
            return self._knowing.no_such(phrase, found)
        unsure, things = doubt(phrase, found), meant(found)
        if len(things) == 1:
            return unsure + self._place_of(things[0])
        return unsure + self._places_of(things)

    def _place_of(self, thing: Thing) -> str:
        name = subject(thing)
        if self._body.holds(thing):
            return self._pick(f"I am holding {name}.", f"I have {name} in my hand.")
        where, verb = where_phrase(thing, self._body), be(2 if is_plural(name) else 1)
        knowledge = self._body.knowledge
        if knowledge is not None and thing.has("pickupable") and thing.object_id not in knowledge.in_view:
            return self._pick(f"I last saw {name} {where}.", sentence(f"{name} {verb} {where}, as far as I know"))
        return sentence(f"{name} {verb} {where}")

    def _places_of(self, things: Sequence[Thing], opening: str = "") -> str:
        """Where several things are."""
        if len({called(thing) for thing in things}) > 1:
            return f"{opening.replace('there are', 'I know') or 'I know'} {self._each(things)}."
        words = opening or self._pick("I know", "There are")
        return f"{words} {self._knowing.places(things)}."

    def _each(self, things: Sequence[Thing]) -> str:
        """Things of several kinds, each with its place."""
        told = [f"{article(called(thing).one)} {where_phrase(thing, self._body)}" for thing in things[:_MOST_NAMED]]
        more = len(things) - len(told)
        return listed([*told, f"{number_word(more)} more"] if more else told)

    def _count(self, phrase: Phrase) -> str:
        found = self._knowing.find(phrase)
        if not found.things:
            return self._knowing.no_such(phrase, found)
        number, where = self._number(found.things, phrase), self._where_counted(found.things, phrase)
        unsure = doubt(phrase, found)
        if self._knowing.looks_for_itself:
            return f"{unsure}I have seen {number} so far{where}."
        where = where.replace(", ", " ", 1) if where.startswith(", ") else where
        return unsure + self._pick(f"There {be(len(found.things))} {number}{where}.", f"I know {number}{where}.")

    def _where_counted(self, things: Sequence[Thing], phrase: Phrase) -> str:
        """Where so many things are, or what they are that are only asked for by their place."""
        if len({called(thing) for thing in things}) > 1 and phrase.noun in ANYTHING and phrase.place is not None:
            return f" {phrase.place[0]} {words_of(phrase.place[1])}: {listed(grouped(things, ALL_THERE))}"
        if len({called(thing) for thing in things}) > 1:
            return f": {self._each(things)}"
        told = whereabouts(things, self._body)
        return f", {told[0].split(' ', 1)[1]}" if len(told) == 1 else f": {listed(told)}"

    def compared(self, text: str) -> str:
        """Whether there are more of one kind of things than of another; "" for what asks no such."""
        which = _WHICH_MORE.search(plain_text(text))
        found = which or _COMPARED.search(plain_text(text))
        one, other = (noun_phrase(found[part]) if found is not None else None for part in ("x", "y"))
        if found is None or one is None or other is None or not (kinds_of(one.noun) and kinds_of(other.noun)):
            return ""
        (many, told), (others, also) = self._many(replace(one, place=one.place or other.place)), self._many(other)
        words = f"{told} and {also}"
        if which is not None:
            most = "as many" if many == others else f"more {found['x' if many > others else 'y'].removeprefix('the ')}"
            return f"There are {most}: {words}."
        so = {"more": many > others, "as many": many == others}.get(found["how"], many < others)
        return f"{'Yes' if so else 'No'}, I know {words}."

    def _many(self, phrase: Phrase) -> tuple[int, str]:
        """How many there are of what is described, and that in words."""
        things = self._knowing.find(phrase).things
        return len(things), self._number(things, phrase) if things else words_of(replace(phrase, count=""), "no")

    def _number(self, things: Sequence[Thing], phrase: Phrase) -> str:
        """How many there are of what is described: "one mug", "two dirty plates", "three lamps that are on"."""
        name, nameless = called(things[0]), phrase.noun in ANYTHING | PRONOUNS
        words = name.one if len(things) == 1 else name.many
        if len({called(thing) for thing in things}) > 1:
            words = "things" if nameless else words_of(Phrase(phrase.noun, "all"), "")
        looks = " ".join(look for look in phrase.looks if look not in _SAID_BEHIND)
        behind = " and ".join(look for look in phrase.looks if look in _SAID_BEHIND)
        so = f"that {be(len(things))} {behind}" if behind else ""
        return " ".join(f"{number_word(len(things))} {looks} {words} {so}".replace("_", " ").split())

    def there(self, phrase: Phrase) -> str:
        """Whether there is such a thing, and where."""
        found = self._knowing.find(phrase)
        if phrase.noun in LIQUIDS and found.things:
            return f"Yes, there is {phrase.noun} in {describe_thing(found.things[0], self._body)}."
        if not found.things and (liquid := self._liquid_in(phrase, found)):
            return liquid
        if not found.things:
            place = phrase.place
            elsewhere = place is not None and not self._knowing.is_room(place[1].noun) and not phrase.looks
            if elsewhere and len(found.alike) == 1 and not self._knowing.looks_for_itself:
                return f"No, it is {where_phrase(found.alike[0], self._body)}."
            why = self._knowing.no_such(phrase, found)
            if why.startswith("I do not know what"):
                return f"No, I see {words_of(replace(phrase, count=''), 'no')}."
            if why.startswith(("I have not looked", "I know only")):
                return self._pick(f"I cannot say: {clause(why)}.", why)
            return why if why.startswith(("I do not know", "I am not sure")) else f"No, {clause(why)}."
        wanted = int(phrase.count) if phrase.count.isdecimal() else 1
        unsure, things = doubt(phrase, found), found.things
        if len(things) < wanted:
            return f"{unsure}No, not so many: I know only {self._knowing.places(things)}."
        unnamed = phrase.noun in ANYTHING | PRONOUNS
        if len(things) > 1 and unnamed and len({called(thing) for thing in things}) == 1:
            told = whereabouts(things, self._body)
            where = f" {told[0].split(' ', 1)[1]}" if len(told) == 1 else f": {listed(told)}"
            return f"{unsure}Yes, there are {self._number(things, Phrase(phrase.noun))}{where}."
        if len(things) > 1:
            return unsure + self._places_of(things, self._pick("Yes, I know", "Yes, there are"))
        where = self._where_asked(phrase) or where_phrase(things[0], self._body)
        name = article(called(things[0]).one)
        one = name if unnamed else self._pick("one", name)
        return f"{unsure}Yes, there is {one} {where}."

    def _where_asked(self, phrase: Phrase) -> str:
        """The place that is asked about, in its own words, where only one thing can be that; else ""."""
        relation, mark = phrase.place or ("", Phrase(""))
        if relation not in ("in", "on") or mark.noun in ANYTHING | PRONOUNS or self._knowing.is_room(mark.noun):
            return ""
        marks = distinct(self._knowing.find(mark).things)
        return (
            f"{place_word(marks[0])} {self._knowing.the(marks[0])}" if len(marks) == 1 and kinds_of(mark.noun) else ""
        )

    def _liquid_in(self, phrase: Phrase, found: Found) -> str:
        """What is said where anything at all is asked for in a vessel that is full of something, or a drink in one
        that has none; "" elsewhere."""
        if phrase.noun in LIQUIDS and len(found.alike) == 1:
            return f"No, {self._knowing.the(found.alike[0])} has {liquid_in(found.alike[0]) or 'nothing'} in it."
        if phrase.noun not in ANYTHING or phrase.place is None or phrase.place[0] not in ("in", "on"):
            return ""
        full = (one for one in self._knowing.find(phrase.place[1]).chosen if liquid_in(one))
        return next((f"Yes, there is {liquid_in(one)} in {self._knowing.the(one)}." for one in full), "")

    def have(self, phrase: Phrase) -> str:
        """Whether such a thing is in the hand."""
        held, found = self._body.held, self._knowing.find(phrase)
        if held is not None and any(are_twins(held, thing) for thing in found.things):
            name = self._knowing.the(held)
            if phrase.count.isdecimal() and int(phrase.count) > 1:
                return f"No, I can hold only one thing at a time: I have {article(called(held).one)}."
            return self._pick(f"Yes, I am holding {name}.", f"Yes, I have {name} in my hand.")
        hand = "my hand is empty" if held is None else f"I am holding {article(called(held).one)}"
        if not found.things:
            return f"No, {hand}. {first_sentence(self._knowing.no_such(phrase, found))}"
        return f"No, {hand}. {self._where(phrase)}"

    def _which(self, phrase: Phrase) -> str:
        question = self._knowing.state.question
        if phrase.noun in PRONOUNS and question is not None and question.options:
            options = self._body.things.known(question.options)
            if options:
                return f"{sentence(self._among(options), '')}."
        found = self._knowing.find(phrase)
        if not found.things:
            return self._knowing.no_such(phrase, found)
        unsure, things = doubt(phrase, found), found.things
        if not phrase.count and RANKS & {*phrase.looks}:  # "which one is closer?"
            things = found.chosen
        if len(things) == 1:
            return unsure + self._pick(
                f"Only one: {the_one(things[0], self._body)}.",
                sentence(the_one(things[0], self._body)),
                f"I know of one: {the_one(things[0], self._body)}.",
            )
        return unsure + self._places_of(things)

    def _among(self, things: Sequence[Thing]) -> str:
        told = whereabouts(things, self._body)
        name = called(things[0])
        if len(told) == 1:
            return f"I mean one of the {told[0].replace(' ', f' {name.many} ', 1)}"
        return f"I mean {listed([f'the {name.one} {place[4:]}' for place in told], last='or')}"

    def _what(self, phrase: Phrase) -> str:
        if phrase.noun in _POINTING | ANYTHING:
            return self._pointed(phrase)
        found = self._knowing.find(phrase)
        kind = found.things[0].object_type if found.things else (*found.kinds, "")[0]
        meaning = purpose(kind)
        if not meaning:
            if found.things:
                return f"It is {article(called(found.things[0]).one)}. {self._place_of(found.things[0])}"
            return self._knowing.no_such(phrase, found)
        words = sentence(f"{article(name_of(kind).one)} is {meaning}")
        if not found.things:
            return f"{words} {self._pick('I know of none here.', 'I have not seen one here.')}"
        return f"{words} {self._knowing.known(list(found.things))}"

    def _pointed(self, phrase: Phrase) -> str:
        """What something is that is not named."""
        found = self._knowing.find(phrase)
        if not found.things and phrase.place is not None:  # "what's that next to the sink?"
            found = self._knowing.find(replace(phrase, noun="thing"))
        if found.things:
            things = [thing for thing in meant(found) if thing.object_type != "Floor"] or [*found.things]
            things = things if phrase.place is None else [*found.things]
            if len(things) == 1 or not phrase.place:
                return f"It is {article(called(things[0]).one)}. {self._place_of(things[0])}"
            shown = [thing for thing in things if thing.object_type not in STRUCTURE | PARTS]
            return f"There I know of {listed(grouped(shown)) or 'nothing'}."
        if phrase.place is not None:
            return self._knowing.no_such(replace(phrase, noun="something"), found)
        held = self._body.held
        if held is not None:
            return f"If you mean what I am holding, it is {article(called(held).one)}."
        seen = [thing for thing in in_view(self._body) if thing.object_type not in STRUCTURE | PARTS]
        if not seen:
            return "I am not sure what you mean: I see nothing from here."
        return f"I am not sure what you mean. Nearest to me I see {article(called(seen[0]).one)}."
