"""One order under way: what it names is found and where needed looked for."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

from teach_agents.actions import Action
from teach_agents.agents.acting.body import Steps, attempted
from teach_agents.agents.acting.performing import perform, told_places
from teach_agents.agents.acting.receptacles import DEEP
from teach_agents.agents.acting.skills.hands import easiest
from teach_agents.agents.acting.skills.searching import is_well_looked_into, look_about, look_for, look_into, one_more
from teach_agents.agents.acting.skills.surface_search import is_looked_over
from teach_agents.agents.acting.surfaces import is_surface
from teach_agents.agents.acting.things import Test, Thing
from teach_agents.agents.dialogue.dialogue_state import Rule
from teach_agents.agents.dialogue.noun_text import article, called, name_of, sentence, spot_of, words_of
from teach_agents.agents.dialogue.noun_types import ANYTHING, PRONOUNS, named_by
from teach_agents.agents.dialogue.orders.named_things import PERSONS, NamedThings
from teach_agents.agents.dialogue.orders.order_reports import UNSOUGHT, cannot_be, missing, the_things
from teach_agents.agents.dialogue.reference_resolution import Found
from teach_agents.agents.dialogue.referring_expressions import FURNITURE
from teach_agents.core.dialogue import Phrase
from teach_agents.errors import TeachAgentsError
from teach_agents.understanding.english.lexicon import number_word
from teach_agents.understanding.english.values import Instruction, Reference, Verb

_SEARCH, _VERY, _ONE_MORE, _ROUND = 220, 150, 100, 60
"""Actions that a search takes at most: for the first thing, for one of the very kind that is named, for one more, for
all there are in the open."""
_NO_MARKS = PERSONS | PRONOUNS | ANYTHING | {"hand", "there"}
"""What is not looked for, to find what is described by it: it is no kind of things."""
_AIMS = ("in", "on", "near", "to", "at", "from", "with")
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


class UnableError(TeachAgentsError):
    """An order cannot be carried out as it is; `words` is the sentence that says why, `ids` what it is about."""

    def __init__(self, words: str, ids: Iterable[str] = ()) -> None:
        super().__init__(words)
        self.words = words
        self.ids = tuple(ids)


class OrderContext(NamedThings):
    """What one order goes by: body, talk, descriptions resolved, looked for where they are not known."""

    lacking = ""
    """That there is less than was asked for."""
    kept_shut = ""
    """Why a search left something shut."""

    def find(self, phrase: Phrase, suits: Test | None = None, cannot: str = "") -> Generator[Action, None, Found]:
        """What a description stands for, at least one thing; a body that knows only what it saw looks for it.

        Raises `UnableError` where there is none; what there is instead "cannot" be done something to.
        """
        if phrase.noun in PERSONS:
            raise UnableError(f"I cannot {self.order.about.split('_')[0]} people.")
        yield from self._look_for_mark(phrase)
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

    def not_known(self) -> Phrase | None:
        """What the order names that has to be looked for first, as nothing like it is known; `None` for nothing."""
        if self.body.knowledge is None:
            return None
        for phrase in (*self.phrases[:1], *(slot.phrase for slot in self.order.slots if slot.role in _AIMS)):
            found = self.known(phrase)
            if phrase.noun not in PERSONS and not found.things and self._is_sought(phrase, found):
                return phrase
        return None

    def _look_for_mark(self, phrase: Phrase) -> Steps:
        """Look for what a thing is described by, where nothing like that is known, and at what lies beside it."""
        mark = phrase.place[1] if phrase.place is not None else None
        if self.body.knowledge is None or mark is None or mark.noun in _NO_MARKS or self.known(phrase).things:
            return
        yield from self._look_for_mark(mark)
        found = self.known(mark)
        if not found.things and self._is_sought(mark, found):
            yield from attempted(self._search(mark, None, found.kinds, 1))
        if phrase.place is not None and phrase.place[0] in _FUZZY:
            marks = self.known(mark).chosen
            yield from self.look_into_unknown([holder for one in marks for holder in self.body.things.holders(one)])
        yield from self.shut_behind()

    def _look_for_the_very(self, phrase: Phrase, suits: Test | None) -> Steps:
        """Look for a thing of the very kind that is named, where only others are known that may be called so, and none
        of these was spoken of or used."""
        named = named_by(phrase.noun)
        if self.body.knowledge is None or not named or phrase.place is not None:
            return
        things = self.known(phrase, suits).things
        spoken = {*self.body.memory.handled, *(name for one in self.state.mentions for name in one.ids)}
        if things and not any(one.is_a(named) or one.object_id in spoken for one in things):
            yield from attempted(look_for(self.body, named, one_more(self.body, named), self._likely(named), _VERY))

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

    def seek(self, *kinds: str, most: int = _SEARCH) -> Steps:
        """Look for one more, for at most so many actions; whoever knows the whole room has nothing to do."""
        if self.body.knowledge is not None and kinds:
            more = one_more(self.body, *kinds)
            if kinds[0] in FURNITURE:
                yield from look_about(self.body, more, most, kinds[0])
                return
            yield from attempted(look_for(self.body, kinds[0], more, self._likely(*kinds), most))

    def _likely(self, *kinds: str) -> Test:
        """Which places hold such things by what was told, or hide what is put there: it may be so already."""
        aims = [self.role("in", "to")] if kinds and kinds[0] not in FURNITURE else []
        if self.order.about == "throw_away":
            aims.append(Phrase("bin"))
        known = [one for aim in aims if aim is not None and aim.noun not in PERSONS for one in self.known(aim).things]
        ends = {one.object_id for one in known if one.is_shut or one.object_type in DEEP}
        told = told_places(self.body, [place for name, place in self.body.memory.hints if name in kinds])
        return lambda holder: holder.object_id in ends or told(holder)

    def with_more(
        self, phrase: Phrase, suits: Test | None, found: Found, settled: Test
    ) -> Generator[Action, None, Found]:
        """What was found; where several are meant and all that are known are settled, one more is looked for first."""
        several = found.many is None or found.many > 1
        if several and found.kinds and all(map(settled, found.things)):
            yield from self.seek(*found.kinds, most=_ROUND)
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
            most = _ONE_MORE if self.known(phrase, suits).things else _SEARCH
            yield from look_for(self.body, kinds[0], wanted, self._likely(*kinds), most)

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
