"""From descriptions to sets of known things: what a noun phrase of a reading stands for, here and now.

Deterministic: what is known, what was spoken of and the description decide. Nothing is looked for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from teach_agents.agents.acting.body import Body
from teach_agents.agents.acting.grounding import gap, is_by
from teach_agents.agents.acting.things import Test, Thing, are_twins, having
from teach_agents.agents.dialogue.conditions import liquid_in
from teach_agents.agents.dialogue.dialogue_state import DialogueState, Rule, Told
from teach_agents.agents.dialogue.earlier_places import is_earlier_place, place_before
from teach_agents.agents.dialogue.excepted_kinds import BUT, without_excepted
from teach_agents.agents.dialogue.noun_types import (
    ANYTHING,
    FRAMED,
    LAUNDRY,
    PRONOUNS,
    TOAST,
    called_in_part,
    calls,
    kinds_of,
    named_by,
    noun_of,
)
from teach_agents.agents.dialogue.preferences import preferred
from teach_agents.agents.dialogue.purposes import with_purpose
from teach_agents.agents.dialogue.rooms import is_this_room
from teach_agents.agents.dialogue.rule_scope import bears_on
from teach_agents.agents.dialogue.salience import Salience
from teach_agents.agents.dialogue.spatial_order import NEAREST, RANKS, apart, best_placed, is_beside, is_outside, ranked
from teach_agents.agents.dialogue.states import LOOKS, UNUSED, is_unused, state_called
from teach_agents.agents.dialogue.told_names import Meant, for_speaker, meant_by, sound, told_apart
from teach_agents.agents.dialogue.told_states import is_owner
from teach_agents.core.dialogue import Phrase
from teach_agents.understanding.english.values import Reference, Relation

_ALL: Mapping[str, int | None] = {"all": None, "rest": None, "some": 1, "any": 1, "another": 1, "other": 1, "": 1}
_MANY = frozenset({"them", "those", "these"})
_ANY_ONE = frozenset({"1", "any", "some", "another"})
_MAY = frozenset("allowed permitted free_to_use not_forbidden".split())
_MAY_NOT = frozenset("forbidden off_limits banned prohibited".split())
"""Looks of what rules leave free, and of what they do not."""
_OTHERS = frozenset({"another", "other", "rest"})
_IN_TURN: Mapping[str, str] = {"former": "first", "first": "first", "second": "second", "latter": "last"}
"""Nouns for what was named, or handled, first and last."""
_HERE = frozenset({"here", "me", "us", "you", "there"})
_WHATEVER = ANYTHING | {"place", "spot", "furniture", "surface", "container", "object", "thing"}
"""Nouns of what is only told by what it holds."""
_NOTHING = frozenset({"nothing", "none"})
LIQUIDS: Mapping[str, str] = {
    "coffee": "simbotIsFilledWithCoffee",
    "tea": "isFilledWithLiquid",
    "water": "isFilledWithLiquid",
}
"""What a vessel may be full of, and the property that tells."""
_CLEARLY = 0.2
"""So much nearer than all others is what is meant by "next to" something, metres."""
_NEARBY = 3.0
"""As far as "here" reaches, metres."""

_RELATIONS: Mapping[str, Relation] = {
    "near": Relation.NEAR,
    "left": Relation.LEFT,
    "right": Relation.RIGHT,
    "above": Relation.ABOVE,
    "below": Relation.BELOW,
    "behind": Relation.BEHIND,
    "front": Relation.BEFORE,
}


class Found(NamedTuple):
    """What a description stands for.

    `things` are all known ones that fit, those that were meant most likely first; `many` how many are meant, `None`
    for all of them; `kinds` the types or classes that the noun names, none for a noun of no household. `alike` are
    known things of the kind that do not fit what is said of them. `unseen` are words of the description that cannot be
    told from what is known of things, colours for instance. `salient` says that what comes first was meant: it is the
    only one, or was pointed at, spoken of or handled just now.
    """

    things: Sequence[Thing]
    many: int | None = 1
    kinds: tuple[str, ...] = ()
    alike: Sequence[Thing] = ()
    unseen: tuple[str, ...] = ()
    salient: bool = False

    @property
    def chosen(self) -> Sequence[Thing]:
        """As many as are meant."""
        return self.things if self.many is None else self.things[: self.many]


class Resolver:
    """Finds what descriptions stand for, by what a body knows now and a talk spoke of."""

    def __init__(self, body: Body, state: DialogueState) -> None:
        self.body = body
        self._state = state
        self.salience = Salience(body, state)

    @property
    def rules(self) -> Sequence[Rule]:
        """What is forbidden."""
        return self._state.in_force

    @property
    def recent(self) -> Sequence[str]:
        """The last lines of the talk."""
        return self._state.recent

    @property
    def facts(self) -> Sequence[Told]:
        """What was told."""
        return self._state.facts

    def find(self, phrase: Phrase, suits: Test | None = None) -> Found:
        """The things that a description stands for; `suits` keeps to those that something can be done to."""
        if "or" in phrase.looks:
            return self._any_of(phrase, suits)
        if is_earlier_place(phrase) and phrase.place is not None and (of := self.find(phrase.place[1]).chosen):
            return Found(place_before(of[0], self.body, self._state), 1, salient=True)
        if self._state.facts:
            phrase, known = self._by_facts(phrase)
            if known:
                return self._described(
                    phrase, known, None if phrase.count == "all" else 1, kinds_of(phrase.noun), suits
                )
        phrase, purposes = with_purpose(phrase)
        if purposes and not (phrase.holds is not None and any(self._holds(phrase, one) for one in self.body.things)):
            meant = self.sound([thing for thing in self.body.things if thing.object_type in purposes])
            plain = replace(phrase, looks=(), holds=None)
            found = self._described(plain, meant, _ALL.get(phrase.count, 1), tuple(sorted(purposes)), suits)
            return found._replace(salient=len(found.things) == 1)  # another will do as well as what was spoken of
        phrase = replace(phrase, looks=tuple(map(state_called, phrase.looks)))
        if phrase.noun in LAUNDRY:
            phrase = replace(phrase, count=phrase.count or "all", looks=(*phrase.looks, "dirty"))
        count = int(phrase.count) if phrase.count.isdecimal() else _ALL.get(phrase.count, 1)
        phrase = self._in_turn(phrase)
        if phrase.noun in PRONOUNS:
            return self._pointed(phrase, count, suits)
        if phrase.holds is not None and phrase.noun in _WHATEVER and kinds_of(phrase.holds.noun):
            return self._holders(phrase, suits)
        return self._by_name(phrase, count, suits)

    def _by_name(self, phrase: Phrase, count: int | None, suits: Test | None) -> Found:
        """The things that a noun names, as they are described."""
        things = self.body.things
        kinds = kinds_of(phrase.noun)
        named = [thing for thing in things if calls(phrase.noun, thing)]
        content = phrase.holds.noun if phrase.holds is not None else ""
        if kinds and (content or not named) and (in_part := called_in_part(phrase.noun, content, things)):
            if not content and phrase.place is None and self.body.knowledge is not None:  # another may go by that name
                in_part = self.salience.among(in_part)
            named, phrase = in_part, replace(phrase, holds=None) if in_part else phrase
        if phrase.noun in ANYTHING and suits is None:
            named = [thing for thing in named if thing.has("pickupable") or thing.has("receptacle")]
            named = [thing for thing in named if thing.has("pickupable")]
        found = self._described(phrase, named, count, kinds, suits)
        if not found.things and "_" in phrase.noun and (phrase.count in _OTHERS or "other" in phrase.looks):
            wider = replace(phrase, noun=phrase.noun.partition("_")[2])  # another lamp than the floor lamp
            return self.find(wider, suits)
        return found

    def _holders(self, phrase: Phrase, suits: Test | None) -> Found:
        """ "Whatever the apple is in or on": the closest around it that something can be done to."""
        assert phrase.holds is not None, "asked before"
        held = self.find(replace(phrase.holds, count="")).chosen
        around = [[one for one in self.body.things.holders(thing) if suits is None or suits(one)] for thing in held]
        found = [one for holders in around for one in holders[:1]]
        return Found(found, None if phrase.count == "all" else 1, salient=True)

    def _in_turn(self, phrase: Phrase) -> Phrase:
        """ "The former", and "the first thing" where things were handled in turn, as "the first one"."""
        if phrase.noun in _IN_TURN:
            return replace(phrase, noun="one", looks=(_IN_TURN[phrase.noun], *phrase.looks))
        handled = phrase.noun in ANYTHING and phrase.place is None and self.salience.done_in_turn(phrase.looks)
        return replace(phrase, noun="one") if handled else phrase

    def of_speaker(self, things: Sequence[Thing]) -> list[Thing]:
        """Of several things those of whoever speaks, else those that are nobody else's, as was told."""
        return for_speaker(things, self._state.facts, self._is_there)

    def sound(self, things: Sequence[Thing]) -> list[Thing]:
        """Of several things those that were not said to be no good; all where none is left."""
        return sound(things, self._state.facts, self._is_there)

    def _any_of(self, phrase: Phrase, suits: Test | None) -> Found:
        """ "The sofa or an armchair": what either is."""
        at = phrase.looks.index("or")
        first = replace(phrase, noun=phrase.looks[at - 1] if at else phrase.noun, looks=phrase.looks[: max(at - 1, 0)])
        found = [self.find(one, suits) for one in (first, replace(phrase, looks=phrase.looks[at + 1 :]))]
        things = self.sound([thing for one in found for thing in one.things])
        return Found(things, 1, tuple(kind for one in found for kind in one.kinds), [*found[0].alike, *found[1].alike])

    def _by_facts(self, phrase: Phrase) -> tuple[Phrase, list[Thing]]:
        """A description by what was told of things, and the very things where these are known."""
        meant: Meant = meant_by(phrase, self._state.facts, self._state.recent)
        known = [] if meant.fact is None else [*self.body.things.known(meant.fact.ids)]
        return (replace(meant.phrase, looks=(), place=None) if known else meant.phrase), known

    def reference(self, phrase: Phrase, suits: Test | None = None) -> Reference:
        """A description as the skills take it: which things, and how many; of a kind that is not known of, its type."""
        found = self.find(phrase, suits)
        noun = found.things[0].object_type if found.things else (*found.kinds, phrase.noun)[0]
        if not found.things:
            return Reference(noun, found.many, definite=False)
        return Reference(noun, found.many, definite=True, ids=frozenset(thing.object_id for thing in found.things))

    def placed(self, relation: str, thing: Thing, landmarks: Sequence[Thing]) -> bool:
        """Whether a thing is in, on, near, left of... any of these."""
        things = self.body.things
        if relation in ("in", "on", "of"):
            part = relation == "of" and thing.object_type in FRAMED
            return any(things.is_inside(thing, mark) or (part and gap(thing, mark) <= 0.0) for mark in landmarks)
        if relation == "below" and any(things.is_inside(mark, thing) for mark in landmarks):
            return True
        kind = _RELATIONS[relation]
        here = self.body.pose.position
        by = (mark for mark in landmarks if is_by(kind, thing, mark) and is_beside(relation, thing, mark, here))
        return any(is_outside(relation, thing, mark, things) for mark in by)

    def _described(
        self, phrase: Phrase, named: list[Thing], count: int | None, kinds: tuple[str, ...], suits: Test | None
    ) -> Found:
        named, facts = without_excepted(phrase, named), self._state.facts
        fitting = named if suits is None else [thing for thing in named if suits(thing)]
        fitting, told = told_apart(phrase.looks, fitting, facts, self._is_there)
        if ruled := {*phrase.looks} & (_MAY | _MAY_NOT):
            fitting = [
                one for one in fitting if any(bears_on(rule, one) for rule in self.rules) is bool(ruled & _MAY_NOT)
            ]
            told = (*told, *ruled)
        if facts and suits is not None and count == 1 and not any(map(is_owner, phrase.looks)):
            fitting = preferred(self.of_speaker(fitting), phrase.noun, facts)
            fitting = self.sound(fitting) if phrase.count in _ANY_ONE and not phrase.looks else fitting
        looks = [one for one in phrase.looks if one in LOOKS and one not in told]
        fitting = [thing for thing in fitting if all(LOOKS[one](thing, self.body.things) for one in looks)]
        if phrase.noun in TOAST:
            fitting = [thing for thing in fitting if thing.is_cooked] or fitting
        if UNUSED & {*phrase.looks}:
            fitting = [thing for thing in fitting if is_unused(thing, self.body.things)] or fitting
        fitting = self._placed_so(phrase, [thing for thing in fitting if self._holds(phrase, thing)])
        if phrase.count in _OTHERS or "other" in phrase.looks:
            one_more = phrase.count == "another" or (phrase.count.isdecimal() and phrase.count != "1")
            fitting = self.salience.without_last(fitting, in_a_row=one_more)
        ordered = self.salience.yet_to_come(
            phrase.looks, ranked(phrase.looks, fitting, self.body.pose, self.salience.among)
        )
        if len(kinds) > 1 and not phrase.count and not any(one in RANKS for one in phrase.looks):
            spoken = [] if named_by(phrase.noun) else self.salience.among(ordered)  # the table that was spoken of
            before = [one for one in spoken if one.has("receptacle") and noun_of(one.object_type).endswith(phrase.noun)]
            ordered.sort(key=lambda one: (one not in before, next(n for n, kind in enumerate(kinds) if one.is_a(kind))))
        if phrase.place is None and len(ordered) > 1:
            ordered.sort(key=lambda thing: self._is_thrown_away(thing))
        clear = False
        relation, mark = phrase.place if phrase.place is not None else ("", Phrase(""))
        others = set(phrase.looks) & RANKS - NEAREST
        if relation not in ("", "in", "on", "of") and mark.noun not in _HERE and not others:
            marks = self._marks(mark)
            away = {thing.object_id: min((apart(thing, one) for one in marks), default=0.0) for thing in ordered}
            ordered.sort(key=lambda thing: away[thing.object_id])
            clear = len(ordered) > 1 and away[ordered[0].object_id] + _CLEARLY < away[ordered[1].object_id]
        seen = RANKS | {
            *told,
            "other",
            "else",
            *(UNUSED if any(is_unused(one, self.body.things) for one in ordered) else ()),
        }
        unseen = tuple(one for one in phrase.looks if one not in LOOKS and one not in seen and not one.startswith(BUT))
        bare = count is None or phrase == Phrase(phrase.noun, looks=phrase.looks)
        ordered = [] if unseen and phrase.noun in ANYTHING and bare else ordered  # whatever nobody can tell to be so
        spoken = self.salience.among(ordered) if phrase.count not in ("1", "any") else []
        salient = clear or len(ordered) == 1 or bool(spoken) or any(one in RANKS for one in phrase.looks)
        return Found(ordered, count, kinds, named, unseen, salient)

    def _pointed(self, phrase: Phrase, count: int | None, suits: Test | None) -> Found:
        """What "it", "them", "that one" or "the other one" points at."""
        if phrase.noun == "other":
            phrase = replace(phrase, noun="one", looks=("other", *phrase.looks))
        if phrase.count == "another" and phrase.noun in _MANY:  # "another of these"
            phrase = replace(phrase, noun="one")
        if phrase.noun in _MANY | {"it", "that", "this"} and not phrase.looks and not phrase.place:
            return self._spoken_of_last(phrase, count, suits)
        if phrase.noun == "one" and (done := self.salience.done_in_turn(phrase.looks)):
            return Found(done, 1, (done[0].object_type,), (), (), salient=True)
        if told := self.salience.nth_told(phrase):
            return Found(told, 1, (told[0].object_type,), salient=True)
        if (found := self._of_kind_spoken_of(phrase, count, suits)) is not None:
            return found
        if phrase.noun == "one" and suits is not None and any(look in LOOKS for look in phrase.looks):
            return self._described(phrase, [thing for thing in self.body.things if suits(thing)], count, (), suits)
        return Found([], count)

    def _of_kind_spoken_of(self, phrase: Phrase, count: int | None, suits: Test | None) -> Found | None:
        """What "the dirty one" is of what was spoken of, the latest kind of which there is one; `None` for none."""
        things = self.body.things
        for mention in self._state.single:
            named = [thing for thing in things if calls(mention.noun, thing)]
            if not named:
                continue
            asked = replace(phrase, noun=mention.noun)
            found = self._described(asked, named, count, kinds_of(mention.noun), suits)
            if found.things:
                return found
            if phrase.count in _OTHERS or "other" in phrase.looks:
                wider = called_in_part(mention.noun.rpartition("_")[2], "", things)  # of two bottles, soap and spray
                others = self._described(asked, wider, count, (), suits)
                return others._replace(kinds=kinds_of(mention.noun), alike=wider or named)
        return None

    def _spoken_of_last(self, phrase: Phrase, count: int | None, suits: Test | None) -> Found:
        """What "it", "them" or "that" is: what was spoken of or handled last, of which that can be; what is held."""
        held, several = self.body.held, phrase.noun in _MANY
        for mention, known in self.salience.spoken_of(several=several):
            fitting = [thing for thing in known if suits is None or suits(thing)]
            if fitting:
                many = count if phrase.count.isdecimal() else None if several or not mention.ids else len(fitting)
                return Found(fitting, many if mention.ids else 1, kinds_of(mention.noun), known, (), salient=True)
        if held is not None and (suits is None or suits(held)):
            return Found([held], 1, (held.object_type,), (), (), salient=True)
        return Found([], count)

    def set_apart(self, phrase: Phrase, noun: str) -> str:
        """What a thing is in or on is spoken of, so that "the other one" is another; its noun, or the one told."""
        things = self.body.things
        thing = next(iter(self.find(phrase, having("pickupable")).chosen), None)
        holder = next(iter(things.holders(thing)), None) if thing is not None else None
        if holder is None or not (noun in PRONOUNS or calls(noun, holder)):
            return noun
        noun = noun_of(holder.object_type.removesuffix("Basin")) if noun in PRONOUNS else noun
        self._state.mention(noun, [one.object_id for one in things if one is holder or are_twins(one, holder)])
        return noun

    def _is_there(self, phrase: Phrase, thing: Thing) -> bool:
        if phrase.place is None:
            return True
        relation, mark = phrase.place
        if relation == "of" and mark.noun in LIQUIDS:
            return True
        if is_this_room(mark.noun, self.body.things):
            return True
        if mark.noun in _HERE:
            return self._is_here(mark.noun, thing)
        if mark.noun == "hand":
            return thing.has("isPickedUp")
        return self.placed(relation, thing, self._marks(mark))

    def _is_thrown_away(self, thing: Thing) -> bool:
        return any(holder.object_type == "GarbageCan" for holder in self.body.things.holders(thing))

    def _placed_so(self, phrase: Phrase, things: list[Thing]) -> list[Thing]:
        """Those that are where they are said to be; the nearest of all where that is asked for; of things by no name
        near a landmark, what shares a surface with it."""
        relation, mark = phrase.place or ("", Phrase(""))
        if relation == "near" and NEAREST & {*phrase.looks}:
            return things
        found = [thing for thing in things if self._is_there(phrase, thing)]
        near = relation == "near" and mark.noun not in _HERE and not (found and phrase.noun not in ANYTHING)
        return (
            best_placed(found, things, relation, self._marks(mark), self.body.things)
            if near or relation == "below"
            else found
        )

    def _marks(self, mark: Phrase) -> Sequence[Thing]:
        """The landmarks that a description may stand for; the one that it picks out, where it picks one out."""
        found = self.find(mark)
        picked = mark.place is not None or any(one in RANKS for one in mark.looks)
        return found.chosen if picked else found.things

    def _is_here(self, word: str, thing: Thing) -> bool:
        if word != "there":
            return thing.distance(self.body.pose.position) < _NEARBY
        there = self.salience.there()
        return self.placed("in", thing, there) if there else True

    def _holds(self, phrase: Phrase, thing: Thing) -> bool:
        owner = phrase.place[1].noun if phrase.place is not None and phrase.place[0] == "of" else ""
        content = phrase.holds.noun if phrase.holds is not None else owner if owner in LIQUIDS else ""
        if not content or owner in LIQUIDS:
            return True
        if content in LIQUIDS:
            return liquid_in(thing) == content or (content == "tea" and thing.has("isFilledWithLiquid"))
        assert phrase.holds is not None
        if content in _NOTHING:
            return not liquid_in(thing) and not self.body.things.contents(thing)
        if not kinds_of(content) and content not in PRONOUNS | ANYTHING:  # "a plate with dried sauce on it"
            return thing.has("isDirty")
        held = self.find(replace(phrase.holds, count=""))
        return any(self.body.things.is_inside(one, thing) for one in held.things)
