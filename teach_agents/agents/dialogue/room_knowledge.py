"""What a Follower knows and what it does not: what it has not seen, where it has not looked, which room it is in."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from teach_agents.agents.acting.body import Body
from teach_agents.agents.acting.grounding import gap
from teach_agents.agents.acting.receptacles import likelihood
from teach_agents.agents.acting.things import Thing, having
from teach_agents.agents.dialogue.conditions import is_so, liquid_in
from teach_agents.agents.dialogue.dialogue_state import DialogueState
from teach_agents.agents.dialogue.excepted_kinds import BUT, without_excepted
from teach_agents.agents.dialogue.noun_text import (
    MASS,
    Name,
    article,
    called,
    is_several,
    listed,
    many_of,
    name_of,
    names_several,
    sentence,
    words_of,
)
from teach_agents.agents.dialogue.noun_types import ANYTHING, DOORS, PRONOUNS, WITH_DOORS, is_word, kinds_of
from teach_agents.agents.dialogue.order_text import read_act
from teach_agents.agents.dialogue.reference_resolution import LIQUIDS, Found, Resolver
from teach_agents.agents.dialogue.referring_expressions import (
    FURNITURE,
    PARTS,
    STRUCTURE,
    all_of,
    describe_thing,
    distinct,
    where_phrase,
    whereabouts,
)
from teach_agents.agents.dialogue.rooms import ANY_ROOM, ROOMS, room_of
from teach_agents.agents.dialogue.statements import AT_HOME
from teach_agents.agents.dialogue.states import LOOKS, state_called
from teach_agents.agents.dialogue.told_states import is_owner
from teach_agents.core.dialogue import Phrase
from teach_agents.understanding.english.lexicon import number_word, preposition

_OTHER_ROOMS = frozenset(
    "hall hallway garden garage cellar attic corridor balcony study upstairs downstairs outside outdoors".split()
)
PARTS_OF = ("Sliced", "Cracked")
"""How the types of parts end."""
_MOST_KINDS = 3
"""Of more kinds of shut things only the likeliest are told."""
_UPRIGHT: Mapping[str, Callable[[Thing, Thing], bool]] = {
    "above": lambda thing, mark: gap(thing, mark) <= 0.0 and thing.low.y >= mark.center.y and thing is not mark,
    "below": lambda thing, mark: (
        gap(thing, mark) <= 0.0
        and thing.high.y <= mark.center.y
        and not any(holder.startswith(mark.object_id) for holder in (thing.object_id, *thing.parents))
    ),
}
"""Right above and below."""


@dataclass(frozen=True)
class RoomKnowledge:
    """What answers are made from: the body, the talk, what descriptions stand for, and chance for the wording."""

    body: Body
    state: DialogueState
    resolver: Resolver
    rng: random.Random

    def pick(self, *wordings: str) -> str:
        """One of several ways to say the same."""
        return self.rng.choice(wordings)

    @property
    def looks_for_itself(self) -> bool:
        """Whether it knows only what it saw."""
        return self.body.knowledge is not None

    @property
    def room(self) -> str:
        """The kind of room, "room" where that does not show."""
        return room_of(self.body.things)

    def is_this_room(self, word: str) -> bool:
        """Whether a noun speaks of the room that the Follower is in."""
        return word in ANY_ROOM or word.replace("_", " ") == self.room

    @staticmethod
    def is_room(word: str) -> bool:
        """Whether a noun is that of a room, of this one or another."""
        return word in ANY_ROOM | _OTHER_ROOMS or word.replace("_", " ") in ROOMS

    def find(self, phrase: Phrase) -> Found:
        """What a description stands for, as for orders; of what was cut up its parts, of what is full of a liquid
        what is full of it."""
        if phrase.noun == "there":
            return Found(distinct(self.resolver.salience.there()), None)
        if phrase.noun in DOORS:
            return self._doors(phrase)
        found = self.resolver.find(self.here(phrase))
        if phrase.noun in ANYTHING and (phrase.looks or (phrase.place and phrase.place[0] in _UPRIGHT)):
            found = self._anything(phrase, found)
        if phrase.noun in LIQUIDS:
            vessels = self.vessels(phrase)
            among = vessels or self.body.things
            full = [thing for thing in among if liquid_in(thing) == phrase.noun]
            return Found(full, None, ("Drinkware",), vessels, (), len(full) == 1)
        if phrase.place is not None and phrase.place[0] == "of" and phrase.place[1].noun in LIQUIDS:
            full = [thing for thing in found.things if liquid_in(thing) == phrase.place[1].noun]
            full = full or [thing for thing in self.body.things if liquid_in(thing) == phrase.place[1].noun]
            found = found._replace(things=full, alike=())
        if not found.things and not found.alike and phrase.noun not in PRONOUNS | ANYTHING:
            found = self._parts(phrase, found)
        if {"empty", "full"} & {*phrase.looks}:
            found = found._replace(things=[thing for thing in found.things if self.was_looked_into(thing)])
        return self._spoken_of(phrase, found._replace(things=distinct(found.things), alike=distinct(found.alike)))

    def vessels(self, phrase: Phrase) -> Sequence[Thing]:
        """What a liquid is said to be in: "the mug" in "water in the mug"; none where no vessel is named."""
        if phrase.noun not in LIQUIDS or phrase.place is None or phrase.place[0] not in ("in", "of"):
            return ()
        found = self.resolver.find(phrase.place[1], having("canFillWithLiquid"))
        return distinct(found.chosen if found.many == 1 and found.salient else found.things)

    def _doors(self, phrase: Phrase) -> Found:
        """The doors of things: of what is named, else of all that have one."""
        plain = self.here(phrase)
        if plain.place is not None and plain.place[0] == "of":
            return self.resolver.find(plain.place[1])
        doors = [thing for thing in self.body.things if thing.object_type in WITH_DOORS and thing.has("openable")]
        found = self.resolver.find(replace(plain, noun="something"), lambda thing: thing in doors)
        return found._replace(kinds=tuple(dict.fromkeys(one.object_type for one in doors)), many=None, alike=doors)

    def _spoken_of(self, phrase: Phrase, found: Found) -> Found:
        """All that were spoken of just now, where these were several and none of them is told apart."""
        if found.many != 1 or not found.salient or phrase.looks or phrase.noun in PRONOUNS:
            return found
        for mention in self.state.mentions[:2]:
            several = [thing for thing in found.things if thing.object_id in mention.ids]
            if several:
                return found if len(several) == 1 else found._replace(things=several, many=None)
        return found

    def _anything(self, phrase: Phrase, found: Found) -> Found:
        """Things of any kind, furniture too, that look as is said."""
        things = self.body.things
        looks = [state_called(look) for look in phrase.looks if not look.startswith(BUT)]
        known = [thing for thing in things if thing.object_type not in STRUCTURE | PARTS]
        known = without_excepted(phrase, known)
        wanted = [thing for thing in known if all(is_so(thing, look, things) for look in looks)]
        plain = self.here(replace(phrase, looks=()))
        if plain.place is not None:
            relation, mark = plain.place
            marks = self.resolver.find(mark).things
            test = _UPRIGHT.get(relation)
            wanted = [
                thing
                for thing in wanted
                if (any(test(thing, one) for one in marks) if test else self.resolver.placed(relation, thing, marks))
            ]
        if "clean" in looks or "off" in looks or "closed" in looks:
            wanted = [thing for thing in wanted if thing.has("pickupable") or thing.has("openable")]
        return found._replace(things=wanted, many=None)

    def _parts(self, phrase: Phrase, found: Found) -> Found:
        """Slices, where nothing whole is known."""
        wanted = [f"{kind}{part}" for kind in found.kinds for part in PARTS_OF]
        parts = [thing for thing in self.body.things if thing.object_type in wanted]
        for look in map(state_called, phrase.looks):
            parts = [thing for thing in parts if look in LOOKS and LOOKS[look](thing, self.body.things)]
        return found._replace(things=parts) if parts and not phrase.place else found

    def here(self, phrase: Phrase) -> Phrase:
        """A description without "in this room"."""
        place = phrase.place
        return replace(phrase, place=None) if place is not None and self.is_this_room(place[1].noun) else phrase

    def was_looked_into(self, holder: Thing) -> bool:
        """Whether what is in something is known: it is no thing that shuts, or is open, or was looked into."""
        if not self.looks_for_itself or not holder.is_shut:
            return True
        if self.body.memory.looked_into[holder.object_id] or self.body.things.contents(holder):
            return True
        opened = (deed for deed in self.state.deeds if deed.done and holder.object_id in deed.ids)
        return any(act.about in ("open", "look_in") for deed in opened if (act := read_act(deed.act)))

    def unlooked(self, kind: str = "") -> list[Thing]:
        """What is shut and was never looked into, that which most likely holds a kind of thing first."""
        shut = [thing for thing in self.body.things if thing.has("receptacle") and not thing.has("pickupable")]
        hidden = [thing for thing in shut if not self.was_looked_into(thing)]
        return sorted(hidden, key=lambda thing: -likelihood(kind, thing.object_type)) if kind else hidden

    def not_looked_in(self, kind: str = "") -> str:
        """ "I have not looked in the fridge or the cabinets."; "" where nothing is shut and unknown."""
        hidden = self.unlooked(kind)
        names = list(dict.fromkeys(called(thing) for thing in hidden))[:_MOST_KINDS]
        numbers = [sum(called(thing) == name for thing in hidden) for name in names]
        alike = [sum(called(thing) == name for thing in self.body.things) for name in names]
        words = [_of_those(name, n, of) for name, n, of in zip(names, numbers, alike, strict=True)]
        return f"I have not looked in {listed(words, last='or')}." if words else ""

    def not_looked_into(self, *holders: Thing) -> str:
        """That what is in these is unknown."""
        where = all_of(holders, self.body)
        if len(holders) > 1:
            return f"I have not looked in any of {where}."
        return self.pick(
            "I have not looked in there.",
            f"I have not looked in {where}.",
            f"{sentence(where, '')} is closed, and I have not looked in there.",
        )

    def the(self, thing: Thing) -> str:
        """A thing as it is told from others."""
        return describe_thing(thing, self.body)

    def no_such(self, phrase: Phrase, found: Found) -> str:
        """Why nothing can be said of a thing: no household has one, none is here, none was seen, or only others."""
        owner = next((look for look in phrase.looks if is_owner(look)), "")
        if owner and (whose := self._told_whose(phrase, owner)):
            return whose
        if {"second", "third"} & {*phrase.looks} and len(found.alike) == 1:
            return f"I know of only one {called(found.alike[0]).one}."
        phrase = replace(self.here(phrase), looks=tuple(look for look in phrase.looks if _is_told(look, found)))
        if phrase.noun in PRONOUNS and phrase.looks and (pointed := self.find(replace(phrase, looks=())).things):
            return self._none_so(phrase, pointed)
        strange = self._strange(phrase, found)
        if strange:
            return self._told_of(phrase) or strange
        unlooked = [thing for thing in found.alike if not self.was_looked_into(thing)]
        if unlooked and {"empty", "full"} & {*phrase.looks}:
            return self.not_looked_into(*unlooked)
        told = self._told_of(phrase)
        if found.alike:
            if phrase.looks and phrase.place is None:
                return self._none_so(phrase, found.alike)
            return f"{self._not_so(phrase)} {self.known(found.alike)}"
        if self.here(phrase).place is not None and not told:
            return self._not_so(phrase)
        missing = self.here(phrase)
        if self.looks_for_itself:
            kind = next(iter(found.kinds), "")
            hidden = "" if kind in FURNITURE else self.not_looked_in(kind)
            return f"I have not seen {words_of(replace(missing, count=''), 'a')} yet. {told or hidden}".strip()
        missing = replace(missing, count="")
        there = f"in this {self.room}" if missing.place is None else ""
        return " ".join(f"{self._no(missing)} {there}".split()) + "."

    def _strange(self, phrase: Phrase, found: Found) -> str:
        """What is said of a noun that points at nothing, or that is no thing's; "" for any other."""
        noun = " ".join(phrase.noun.split("_"))
        if phrase.noun in ("there", "here"):
            return self.pick("I am not sure which place you mean.", "I do not know which place you mean.")
        if phrase.noun in PRONOUNS:
            return self.pick("I am not sure what you mean.", "I do not know which thing you mean.")
        if phrase.noun in ANYTHING:
            return f"I know of {words_of(replace(self.here(phrase), noun='something')).replace('some', 'no', 1)}."
        if phrase.noun in LIQUIDS:
            return self.pick(f"There is no {noun} yet.", f"I see no {noun} yet.")
        if found.kinds or is_word(phrase.noun):
            return ""
        if (is_several(phrase) or names_several(phrase)) and phrase.noun not in MASS:
            return f"I do not know what {noun if names_several(phrase) else many_of(noun)} are."
        return f"I do not know what {noun if phrase.noun in MASS else words_of(Phrase(phrase.noun), 'a')} is."

    def _no(self, missing: Phrase) -> str:
        """That there is nothing of a kind."""
        verb = "are" if names_several(missing) else "is"
        return self.pick(f"There {verb} no {words_of(missing, '')}", f"I know of no {words_of(missing, '')}")

    def _none_so(self, phrase: Phrase, alike: Sequence[Thing]) -> str:
        """That no known thing of a kind looks as is said."""
        looks = " and ".join(dict.fromkeys(phrase.looks))
        if len(alike) == 2 and called(alike[0]) != called(alike[1]):
            return f"Neither {self.the(alike[0])} nor {self.the(alike[1])} is {looks}."
        if len(alike) > 1:
            known = " that I know" if self.looks_for_itself else ""
            return f"None of {all_of(alike, self.body)}{known} is {looks}."
        one = alike[0]
        where = where_phrase(one, self.body)
        return f"{self._no(replace(phrase, count=''))}. The only {called(one).one} that I know is {where}."

    def known(self, things: Sequence[Thing]) -> str:
        """ "I know one on the counter." """
        if len({called(thing) for thing in things}) == 1:
            return f"I know {self.places(things)}."
        told = [f"{article(called(one).one)} {where_phrase(one, self.body)}" for one in things[:_MOST_KINDS]]
        return f"I know {listed(told)}."

    def places(self, things: Sequence[Thing]) -> str:
        """Where things of one kind are: "one on the bed", "two: one on the bed and one in the box"."""
        told = whereabouts(things, self.body)
        return told[0] if len(told) == 1 else f"{number_word(len(things))}: {listed(told)}"

    def _not_so(self, phrase: Phrase) -> str:
        """That none is as it was said to be, or where."""
        place = phrase.place
        if place is not None and self.is_room(place[1].noun) and not self.is_this_room(place[1].noun):
            return f"I know only this {self.room}, not {words_of(place[1])}."
        if place is not None and place[0] in ("in", "on"):
            holders = distinct(self.find(place[1]).things)
            where = words_of(place[1])
            if not holders:
                return self.no_such(place[1], self.find(place[1]))
            unlooked = sum(not self.was_looked_into(holder) for holder in holders)
            if unlooked == len(holders):
                return f"I have not looked in {where}."
            if unlooked:
                words = words_of(replace(phrase, count=""), "")
                return f"I know of no {words}, but have not looked in {number_word(unlooked)} of these."
        missing = replace(phrase, count="")
        return f"I know of no {words_of(missing, '')}." if self.looks_for_itself else f"{self._no(missing)}."

    def _told_whose(self, phrase: Phrase, owner: str) -> str:
        """Why a thing is not taken for somebody's: what was told of theirs, or of others' that are here."""
        kinds = {*kinds_of(phrase.noun)}
        about = [fact for fact in reversed(self.state.facts) if kinds & {*kinds_of(fact.noun)} and is_owner(fact.state)]
        fact = next((fact for fact in about if fact.state == owner), next(iter(about), None))
        if fact is None:
            return ""
        wanted = words_of(Phrase(phrase.noun, looks=(owner,)))
        return f'I do not see {wanted} here: you told me "{fact.said.strip().rstrip(".!")}".'

    def _told_of(self, phrase: Phrase) -> str:
        """Where people said that such a thing is."""
        for fact in reversed(self.state.facts):
            if fact.place and {fact.noun, *kinds_of(fact.noun)} & {phrase.noun, *kinds_of(phrase.noun)}:
                holder = name_of(next(iter(kinds_of(fact.place)), fact.place.capitalize())).one
                prefix = preposition(next(iter(kinds_of(fact.place)), ""))
                verb = "belongs" if fact.state == AT_HOME else "is"
                return f"You told me that it {verb} {prefix} the {holder}."
        return ""


def _of_those(name: Name, number: int, known: int) -> str:
    """So many of the things of a name that are known: "the fridge", "the cabinets", "two of the drawers"."""
    if number < known:
        return f"{number_word(number)} of the {name.many}"
    return f"the {name.alone if number == 1 else name.many}"


def _is_told(look: str, found: Found) -> bool:
    """Whether a look is a state, or one that nobody can tell."""
    return state_called(look) in LOOKS or look in found.unseen


def meant(found: Found) -> list[Thing]:
    """The things that a question is about: those that were meant, or all that may be."""
    return [*found.chosen] if found.many is not None and found.salient else [*found.things]


def doubt(phrase: Phrase, found: Found) -> str:
    """That what was said of things cannot be told, colours for instance; "" where it can."""
    noun = "one" if phrase.noun in PRONOUNS | ANYTHING else phrase.noun.replace("_", " ")
    return f"I cannot tell which {noun} is {' or '.join(found.unseen)}. " if found.unseen else ""
