"""One order under way: what it names, found and where needed looked for, and what is put right again afterwards."""

from __future__ import annotations

import random
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from teach_agents.actions import Action
from teach_agents.agents.acting.body import Body, SkillError, Steps, attempted
from teach_agents.agents.acting.performing import perform, told_places
from teach_agents.agents.acting.skills.hands import easiest
from teach_agents.agents.acting.skills.searching import is_well_looked_into, look_about, look_for, look_into, one_more
from teach_agents.agents.acting.skills.surface_search import is_looked_over
from teach_agents.agents.acting.surfaces import is_surface
from teach_agents.agents.acting.things import Test, Thing
from teach_agents.agents.dialogue.dialogue_state import DialogueState, Rule
from teach_agents.agents.dialogue.noun_text import article, called, name_of, sentence, spot_of, words_of
from teach_agents.agents.dialogue.noun_types import ANYTHING, DOORS, PRONOUNS, kinds_of, named_by
from teach_agents.agents.dialogue.order_text import act_words
from teach_agents.agents.dialogue.orders.order_reports import UNSOUGHT, cannot_be, hindrance, missing, the_things
from teach_agents.agents.dialogue.orders.traces import Traces
from teach_agents.agents.dialogue.prohibitions import forbidden, places_left, rule_against, spots_of, told_not_to
from teach_agents.agents.dialogue.reference_resolution import Found, Resolver
from teach_agents.agents.dialogue.referring_expressions import FURNITURE, distinct
from teach_agents.agents.dialogue.room_knowledge import RoomKnowledge
from teach_agents.core.dialogue import DialogueAct, Phrase
from teach_agents.errors import TeachAgentsError
from teach_agents.understanding.english.lexicon import number_word, preposition
from teach_agents.understanding.english.values import Instruction, Reference, Verb

_SEARCH, _ONE_MORE, _ROUND = 220, 100, 60
"""Actions that a search takes at most: for the first thing, for one more, for all there are in the open."""
PERSONS = frozenset({"me", "us", "you", "here"})
"""Whoever speaks, and the place where they are."""
"""What is not looked for: it is no kind of things."""
_FUZZY = frozenset({"near", "left", "right", "above", "below", "behind", "front"})
"""What people say of places without measuring."""


class Outcome(NamedTuple):
    """What an order came to.

    `done` is whether all that was asked is so now, by what was seen; `said` one or two sentences about it; `ids` what
    was acted upon, `place` where it was put, if anywhere.
    """

    done: bool
    said: str
    ids: tuple[str, ...] = ()
    place: tuple[str, ...] = ()


def ids_of(things: Iterable[Thing]) -> tuple[str, ...]:
    """Their ids, in order."""
    return tuple(one.object_id for one in things)


Doing = Generator[Action, None, Outcome]
"""An order under way."""


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


class UnableError(TeachAgentsError):
    """An order cannot be carried out as it is; `words` is the sentence that says why, `ids` what it is about."""

    def __init__(self, words: str, ids: Iterable[str] = ()) -> None:
        super().__init__(words)
        self.words = words
        self.ids = tuple(ids)


class OrderContext(Traces):
    """What one order goes by: body, talk, descriptions resolved, and what was opened and switched on its way."""

    def __init__(
        self, body: Body, state: DialogueState, resolver: Resolver, rng: random.Random, order: DialogueAct
    ) -> None:
        super().__init__(body)
        self.state = state
        self.order = order
        self.knowing = RoomKnowledge(body, state, resolver, rng)
        self.resolver = resolver
        self._rng = rng
        self.lacking = ""
        """That there is less than was asked for."""
        self.spared = ""
        """Why something that was asked for as well is left as it is."""
        self.kept_shut = ""
        """Why a search left something shut."""

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

    def find(self, phrase: Phrase, suits: Test | None = None, cannot: str = "") -> Generator[Action, None, Found]:
        """What a description stands for, at least one thing; a body that knows only what it saw looks for it.

        Raises `UnableError` where there is none; what there is instead "cannot" be done something to.
        """
        if phrase.noun in PERSONS:
            raise UnableError(f"I cannot {self.order.about.split('_')[0]} people.")
        yield from self._look_for_the_very(phrase, suits)
        yield from self._look_for_all(phrase, suits)
        found = self.known(phrase, suits)
        many = found.many or 1
        if len(found.things) >= many or (found.things and self.body.knowledge is None):
            return self.counted(found)
        if not found.things and suits is not None and cannot:
            unsuited = self.known(phrase)
            if unsuited.things:
                raise UnableError(cannot_be(self.the(unsuited.chosen[:1]), cannot), ids_of(unsuited.chosen))
        if phrase.place is not None and self._is_elsewhere(phrase.place[1]):
            raise UnableError(self._confined(phrase))
        if not found.things and found.kinds and found.kinds[0].endswith("Sliced"):
            self._need_slices(found.kinds[0].removesuffix("Sliced"))
        if self.body.knowledge is not None and self._is_sought(phrase, found):
            yield from attempted(self._search(phrase, suits, found.kinds, many))
            found = self.known(phrase, suits)
        if not found.things and phrase.place is not None and phrase.place[0] in _FUZZY:
            alone = self.known(replace(phrase, place=None), suits)
            found = alone if len(alone.things) == 1 and self.known(phrase.place[1]).things else found
        if not found.things:
            raise UnableError(missing(phrase, found, self.knowing, self.pick))
        return self.counted(found)

    def _look_for_the_very(self, phrase: Phrase, suits: Test | None) -> Steps:
        """Look for a thing of the very kind that is named, where only others are known that may be called so, and none
        of these was spoken of or used."""
        named = named_by(phrase.noun)
        if self.body.knowledge is None or not named or phrase.place is not None:
            return
        things = self.known(phrase, suits).things
        spoken = {*self.body.memory.handled, *(name for one in self.state.mentions for name in one.ids)}
        if things and not any(one.is_a(named) or one.object_id in spoken for one in things):
            told = [place for name, place in self.body.memory.hints if name == named]
            more = one_more(self.body, named)
            yield from attempted(look_for(self.body, named, more, told_places(self.body, told), _ONE_MORE))

    def _look_for_all(self, phrase: Phrase, suits: Test | None) -> Steps:
        """Where all such things are meant, or whatever is at a place, look whether there are more than are known."""
        found = self.known(phrase, suits)
        whatever = phrase.noun in ANYTHING and bool(found.things) and spot_of(phrase) is not None
        if whatever or (found.many is None and self._is_sought(phrase, found)):
            kind = next(iter(found.kinds), "")
            yield from self.look_round_for(phrase, kind if kind in FURNITURE else "")

    @staticmethod
    def _is_sought(phrase: Phrase, found: Found) -> bool:
        """Whether looking may find it: some kind of things, or whatever is in or on something."""
        placed = phrase.place is not None and phrase.place[0] in ("in", "on")
        return bool(found.kinds) and phrase.noun not in UNSOUGHT or placed and phrase.noun in ANYTHING

    def _need_slices(self, kind: str) -> None:
        """Raises `UnableError` where nothing is sliced of what is known to be whole."""
        whole = self.body.things.of(kind)
        if whole and not self.body.things.of(f"{kind}Sliced"):
            raise UnableError(sentence(f"{the_things(whole[:1])} is not sliced yet"), ids_of(whole[:1]))

    def _confined(self, phrase: Phrase) -> str:
        """What is said of things in another room: that nobody goes there, and whether there are such things here."""
        anywhere = replace(phrase, place=None, count="")
        here = self.known(anywhere).chosen[:1]
        known = f"here I know {article(called(here[0]).one)}" if here else f"I know of {words_of(anywhere, 'no')} here"
        return f"I cannot leave this {self.knowing.room}; {known}."

    def _is_elsewhere(self, place: Phrase) -> bool:
        return self.knowing.is_room(place.noun) and not self.knowing.is_this_room(place.noun)

    def counted(self, found: Found) -> Found:
        """What was found; where it is fewer than was asked for, that is remembered."""
        if found.many is not None and len(found.things) < found.many:
            name = name_of(found.things[0].object_type)
            number = len(found.things)
            self.lacking = f"I know of only {number_word(number)} {name.one if number == 1 else name.many}."
        return found

    def seek(self, *kinds: str) -> Steps:
        """Look for one more of these kinds; a body that knows the whole room has nothing to look for."""
        if self.body.knowledge is not None and kinds:
            told = [place for name, place in self.body.memory.hints if name in kinds]
            more = one_more(self.body, *kinds)
            if kinds[0] in FURNITURE:
                yield from look_about(self.body, more, _SEARCH, kinds[0])
                return
            yield from attempted(look_for(self.body, kinds[0], more, told_places(self.body, told), _SEARCH))

    def with_more(
        self, phrase: Phrase, suits: Test | None, found: Found, settled: Test
    ) -> Generator[Action, None, Found]:
        """What was found; where several are meant and all that are known are settled, one more is looked for first."""
        several = found.many is None or found.many > 1
        if several and found.kinds and all(map(settled, found.things)):
            yield from self.seek(*found.kinds)
            return self.known(phrase, suits)
        return found

    def look_round_for(self, phrase: Phrase, kind: str = "") -> Steps:
        """See what may be described so that was not seen yet: in or on the place that is named, else in the open."""
        if self.body.knowledge is None:
            return
        place = spot_of(phrase)
        if place is not None:
            yield from self.look_into_unknown(self.known(place).chosen)
        else:
            yield from look_about(self.body, lambda: False, _ROUND, kind)

    def look_into_unknown(self, holders: Sequence[Thing]) -> Generator[Action, None, list[Thing]]:
        """Look into or over those of these whose contents are not known; those of which they still are not.

        What was shut is shut again, and what may not be opened is left shut. A body that knows the room does nothing.
        """
        hidden: list[Thing] = []
        unknown = [one for one in holders if one.has("receptacle") and not self.is_known_inside(one)]
        for holder in easiest(self.body, unknown):
            barred = holder.is_shut and self.barred("Open", holder)
            look = look_into(self.body, [holder], lambda: False, _ONE_MORE, thorough=True)
            if barred or (yield from attempted(look)):
                hidden.append(holder)
        return hidden

    def is_known_inside(self, holder: Thing) -> bool:
        """Whether what is in or on something was looked at: from near, where it lies open."""
        if self.body.knowledge is None or self.body.holds(holder) or holder.has("pickupable"):
            return True
        if self.body.memory.looked_into[holder.object_id]:
            return is_surface(holder) or is_well_looked_into(self.body, holder)
        if holder.is_shut:
            return self.knowing.was_looked_into(holder)
        return is_surface(holder) and is_looked_over(self.body, holder)

    def _search(self, phrase: Phrase, suits: Test | None, kinds: Sequence[str], many: int) -> Steps:
        """Look where it was said to be, else where such things are, until so many are known."""

        def wanted() -> bool:
            return len(self.known(phrase, suits).things) >= many

        holders: list[Thing] = []
        if phrase.place is not None and phrase.place[0] in ("in", "on") and phrase.place[1].noun not in PERSONS:
            spots = self.known(phrase.place[1]).things  # what lies on the floor is seen on the way
            holders = [one for one in spots if one.has("receptacle") and one.object_type != "Floor"]
        elif phrase.holds is not None:
            holders = [one for one in self.known(replace(phrase, holds=None)).things if one.has("receptacle")]
        if holders:
            yield from look_into(self.body, easiest(self.body, holders), wanted, thorough=len(holders) == 1)
        if not holders and kinds and kinds[0] in FURNITURE:
            yield from look_about(self.body, wanted, _SEARCH, kinds[0])
        elif not wanted() and not holders and kinds:
            told = [place for name, place in self.body.memory.hints if name in kinds]
            most = _ONE_MORE if self.known(phrase, suits).things else _SEARCH
            yield from look_for(self.body, kinds[0], wanted, told_places(self.body, told), most)

    def pool(self, found: Found) -> Reference:
        """What was found as skills take it: those that are meant, or all that will do, and how many."""
        things = found.chosen if found.salient or found.many is None else found.things
        return Reference(things[0].object_type, found.many, True, ids=frozenset(one.object_id for one in things))

    def allowed(self, things: Sequence[Thing], *, to: str) -> list[Thing]:
        """Those that may be touched so: "Pickup", or "Place" upon; what is shut around them has to be opened.

        Raises `UnableError` where all of them were forbidden.
        """
        broken = [self._forbidden(thing, to) for thing in things]
        rule = next(filter(None, broken), None)
        found = [thing for thing, one in zip(things, broken, strict=True) if one is None]
        if not found and rule is not None:
            raise UnableError(f'I cannot: you told me "{rule.said.strip().rstrip(".")}".', ids_of(things[:1]))
        return found

    def _forbidden(self, thing: Thing, name: str) -> Rule | None:
        doors = [*self.body.things.closed_around(thing), *([thing] if name == "Place" and thing.is_shut else ())]
        taken = self.barred(name, thing) if name == "Pickup" else None
        opened = (self.barred("Open", door) for door in doors)
        return taken or next(filter(None, opened), None)

    def do(self, verb: Verb, things: Sequence[Thing], where: Sequence[Thing] = (), count: int | None = None) -> Steps:
        """A skill done to `count` of the things (all when `None`), in or on one of `where`. Raises `SkillError`."""
        what = self._these(things, count)
        yield from perform(self.body, Instruction(verb, what, self._these(where, 1) if where else None))

    @staticmethod
    def _these(things: Sequence[Thing], count: int | None) -> Reference:
        return Reference(things[0].object_type, count, False, ids=frozenset(one.object_id for one in things))

    def now(self, things: Iterable[Thing]) -> list[Thing]:
        """Things as they are now, without those that are gone."""
        return self.body.things.known(one.object_id for one in things)
