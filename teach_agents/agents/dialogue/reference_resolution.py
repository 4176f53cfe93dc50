"""From descriptions to sets of known things: what a noun phrase of a reading stands for, here and now.

Deterministic: what is known, what was spoken of and the description decide. Nothing is looked for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from teach_agents.agents.acting.body import Body
from teach_agents.agents.acting.grounding import gap, is_by
from teach_agents.agents.acting.things import Test, Thing, Things, are_twins, having
from teach_agents.agents.dialogue.conditions import liquid_in
from teach_agents.agents.dialogue.dialogue_state import TOGETHER, DialogueState, Rule
from teach_agents.agents.dialogue.noun_types import ANYTHING, FRAMED, PRONOUNS, calls, kinds_of, noun_of
from teach_agents.agents.dialogue.purposes import with_purpose
from teach_agents.agents.dialogue.states import LOOKS, state_called
from teach_agents.agents.dialogue.told_names import as_told
from teach_agents.core.dialogue import Phrase
from teach_agents.understanding.english.values import Reference, Relation

_ALL: Mapping[str, int | None] = {"all": None, "rest": None, "some": 1, "any": 1, "another": 1, "other": 1, "": 1}
_OTHERS = frozenset({"another", "other", "rest"})
_MANY = frozenset({"them", "those", "these"})
_HERE = frozenset({"here", "me", "us", "you", "there"})
LIQUIDS: Mapping[str, str] = {
    "coffee": "simbotIsFilledWithCoffee",
    "tea": "isFilledWithLiquid",
    "water": "isFilledWithLiquid",
}
"""What a vessel may be full of, and the property that tells."""
_CLEARLY = 0.2
"""So much nearer than all others is what is meant by "next to" something, metres."""
_SAME_HEIGHT = 0.05
"""What differs by no more than this stands side by side, metres."""
_NEARBY = 3.0
"""As far as "here" reaches, metres."""

_RANKS = frozenset(
    """first second third last left right leftmost rightmost middle nearest closest near far furthest farthest
    top bottom upper lower big bigger biggest large largest small smaller smallest little tall""".split()
)
_NEAREST = frozenset({"nearest", "closest"})
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

    def find(self, phrase: Phrase, suits: Test | None = None) -> Found:
        """The things that a description stands for; `suits` keeps to those that something can be done to."""
        phrase = as_told(phrase, self._state.facts) if self._state.facts else phrase
        phrase, purposes = with_purpose(phrase)
        if purposes:
            meant = [thing for thing in self.body.things if thing.object_type in purposes]
            return self._described(replace(phrase, looks=()), meant, 1, tuple(sorted(purposes)), suits)
        phrase = replace(phrase, looks=tuple(map(state_called, phrase.looks)))
        count = int(phrase.count) if phrase.count.isdecimal() else _ALL.get(phrase.count, 1)
        if phrase.noun in PRONOUNS:
            return self._pointed(phrase, count, suits)
        things = self.body.things
        kinds = kinds_of(phrase.noun)
        named = [thing for thing in things if calls(phrase.noun, thing)]
        if phrase.noun in ANYTHING and suits is None:
            named = [thing for thing in named if thing.has("pickupable") or thing.has("receptacle")]
            named = [thing for thing in named if thing.has("pickupable")]
        found = self._described(phrase, named, count, kinds, suits)
        if not found.things and "_" in phrase.noun and (phrase.count in _OTHERS or "other" in phrase.looks):
            return self.find(
                replace(phrase, noun=phrase.noun.partition("_")[2]), suits
            )  # another lamp than the floor lamp
        return found

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
        return any(is_by(kind, thing, mark) and self._is_beside(relation, thing, mark) for mark in landmarks)

    def _is_beside(self, relation: str, thing: Thing, mark: Thing) -> bool:
        """Whether a thing is to the left, the right, before or behind another as they are seen from here."""
        here = self.body.pose.position
        ahead_x, ahead_z = mark.center.x - here.x, mark.center.z - here.z
        off_x, off_z = thing.center.x - mark.center.x, thing.center.z - mark.center.z
        rightward, onward = off_x * ahead_z - off_z * ahead_x, off_x * ahead_x + off_z * ahead_z
        sides = {"left": rightward < 0, "right": rightward > 0, "behind": onward > 0, "front": onward < 0}
        return sides.get(relation, True)

    def _described(
        self, phrase: Phrase, named: list[Thing], count: int | None, kinds: tuple[str, ...], suits: Test | None
    ) -> Found:
        fitting = named if suits is None else [thing for thing in named if suits(thing)]
        fitting = [
            thing
            for thing in fitting
            if all(LOOKS[one](thing, self.body.things) for one in phrase.looks if one in LOOKS)
        ]
        if phrase.noun.endswith("toast") or phrase.noun.startswith("toast_"):
            fitting = [thing for thing in fitting if thing.is_cooked] or fitting
        fitting = self._placed_so(phrase, [thing for thing in fitting if self._holds(phrase, thing)])
        if phrase.count in _OTHERS or "other" in phrase.looks:
            fitting = self._without_last(fitting)
        ordered = self._ranked(phrase.looks, fitting)
        if len(kinds) > 1 and not phrase.count and not any(one in _RANKS for one in phrase.looks):
            ordered.sort(key=lambda thing: next(n for n, kind in enumerate(kinds) if thing.is_a(kind)))
        if phrase.place is None and len(ordered) > 1:
            ordered.sort(key=lambda thing: self._is_thrown_away(thing))
        clear = False
        relation, mark = phrase.place if phrase.place is not None else ("", Phrase(""))
        others = set(phrase.looks) & _RANKS - _NEAREST
        if relation not in ("", "in", "on", "of") and mark.noun not in _HERE and not others:
            marks = self._marks(mark)
            away = {thing.object_id: min((_apart(thing, one) for one in marks), default=0.0) for thing in ordered}
            ordered.sort(key=lambda thing: away[thing.object_id])
            clear = len(ordered) > 1 and away[ordered[0].object_id] + _CLEARLY < away[ordered[1].object_id]
        unseen = tuple(one for one in phrase.looks if one not in LOOKS and one not in _RANKS and one != "other")
        spoken = self._spoken_of(ordered) if phrase.count != "1" else []
        salient = clear or len(ordered) == 1 or bool(spoken) or any(one in _RANKS for one in phrase.looks)
        return Found(ordered, count, kinds, named, unseen, salient)

    def _pointed(self, phrase: Phrase, count: int | None, suits: Test | None) -> Found:
        """What "it", "them", "that one" or "the other one" points at."""
        things = self.body.things
        plain = (
            phrase.noun in ("it", "them", "that", "this", "those", "these") and not phrase.looks and not phrase.place
        )
        if plain:
            return self._spoken_of_last(phrase, count, suits)
        if phrase.noun == "one" and (done := self._done_in_turn(phrase.looks)):
            return Found(done, 1, (done[0].object_type,), (), (), salient=True)
        for mention in self._state.single:
            named = [thing for thing in things if calls(mention.noun, thing)]
            if not named:
                continue
            asked = replace(phrase, noun=mention.noun)
            found = self._described(asked, named, count, kinds_of(mention.noun), suits)
            if found.things:
                return found
        if phrase.noun == "one" and suits is not None and any(look in LOOKS for look in phrase.looks):
            return self._described(phrase, [thing for thing in things if suits(thing)], count, (), suits)
        return Found([], count)

    def _spoken_of_last(self, phrase: Phrase, count: int | None, suits: Test | None) -> Found:
        """What "it", "them" or "that" is: what was spoken of or handled last, of which that can be; what is held."""
        things, held = self.body.things, self.body.held
        for mention in self._state.mentions if phrase.noun in _MANY else self._state.single:
            known = things.known(mention.ids)
            if not mention.ids:
                known = [thing for thing in things if calls(mention.noun, thing)]
            fitting = [thing for thing in known if suits is None or suits(thing)]
            if fitting:
                many = None if phrase.noun in _MANY or not mention.ids else len(fitting)
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

    def has_no_other(self, phrase: Phrase) -> str:
        """What there is no other of, where that is asked for; "" where it is not, or nothing was spoken of."""
        other = phrase.count in _OTHERS or "other" in phrase.looks or phrase.noun == "other"
        return self._state.single[0].noun if other and self._state.single and phrase.noun in PRONOUNS else ""

    @property
    def rules(self) -> Sequence[Rule]:
        """What is forbidden."""
        return self._state.rules

    def together(self, suits: Test | None) -> list[Thing]:
        """The things that the last words named together, of which any may be "it"; none where they named one."""
        latest = next(iter(self._state.mentions), None)
        if latest is None or latest.noun != TOGETHER:
            return []
        return [thing for thing in self.body.things.known(latest.ids) if suits is None or suits(thing)]

    def _done_in_turn(self, looks: Sequence[str]) -> list[Thing]:
        """ "The first one", after two orders about things of two kinds, or the same done to two of one kind: what the
        first of them was about."""
        last = self._state.deeds[-2:]
        kinds = [{thing.object_type for thing in self.body.things.known(deed.ids[:1])} for deed in last]
        if len(last) < 2 or not all(kinds) or not {*looks} & {"first", "second", "last"}:
            return []
        alike = last[0].ids[:1] != last[1].ids[:1] and last[0].act.partition("(")[0] == last[1].act.partition("(")[0]
        if kinds[0] == kinds[1] and not (alike and "first" in looks):  # "the second drawer" is one in a row
            return []
        return [*self.body.things.known(last[0 if "first" in looks else 1].ids[:1])]

    def _is_there(self, phrase: Phrase, thing: Thing) -> bool:
        if phrase.place is None:
            return True
        relation, mark = phrase.place
        if relation == "of" and mark.noun in LIQUIDS:
            return True
        if mark.noun in _HERE:
            return self._is_here(mark.noun, thing)
        if mark.noun == "hand":
            return thing.has("isPickedUp")
        return self.placed(relation, thing, self._marks(mark))

    def _is_thrown_away(self, thing: Thing) -> bool:
        return any(holder.object_type == "GarbageCan" for holder in self.body.things.holders(thing))

    def _placed_so(self, phrase: Phrase, things: list[Thing]) -> list[Thing]:
        """Those that are where they are said to be; the nearest of all where that is asked for; of what nobody would
        call near, what shares a surface with the landmark.
        """
        if phrase.place is None or phrase.place[0] != "near":
            return [thing for thing in things if self._is_there(phrase, thing)]
        if _NEAREST & {*phrase.looks}:
            return things
        found = [thing for thing in things if self._is_there(phrase, thing)]
        if found or phrase.place[1].noun in _HERE:
            return found
        marks, known = self._marks(phrase.place[1]), self.body.things
        shared = {holder.object_id for mark in marks for holder in known.holders(mark)[:1]} - _floors(known)
        return [one for one in things if any(holder.object_id in shared for holder in known.holders(one)[:1])]

    def _marks(self, mark: Phrase) -> Sequence[Thing]:
        """The landmarks that a description may stand for; the one that it picks out, where it picks one out."""
        found = self.find(mark)
        picked = mark.place is not None or any(one in _RANKS for one in mark.looks)
        return found.chosen if picked else found.things

    def _is_here(self, word: str, thing: Thing) -> bool:
        if word != "there":
            return thing.distance(self.body.pose.position) < _NEARBY
        return self.placed("in", thing, self.there()) if self.there() else True

    def there(self) -> list[Thing]:
        """What "there" is: the latest place that was spoken of."""
        things = self.body.things
        for mention in self._state.single:
            holders = [thing for thing in things.known(mention.ids) if thing.has("receptacle")]
            if holders:
                return holders
            named = [
                thing for thing in things if not mention.ids and calls(mention.noun, thing) and thing.has("receptacle")
            ]
            if named:
                return named
        return []

    def _holds(self, phrase: Phrase, thing: Thing) -> bool:
        owner = phrase.place[1].noun if phrase.place is not None and phrase.place[0] == "of" else ""
        content = phrase.holds.noun if phrase.holds is not None else owner if owner in LIQUIDS else ""
        if not content or owner in LIQUIDS:
            return True
        if content in LIQUIDS:
            return liquid_in(thing) == content or (content == "tea" and thing.has("isFilledWithLiquid"))
        assert phrase.holds is not None
        if not kinds_of(content) and content not in PRONOUNS | ANYTHING:  # "a plate with dried sauce on it"
            return thing.has("isDirty")
        held = self.find(replace(phrase.holds, count=""))
        return any(self.body.things.is_inside(one, thing) for one in held.things)

    def _without_last(self, fitting: list[Thing]) -> list[Thing]:
        """All but those that were spoken of or handled last."""
        held = self.body.held
        came_from = self.body.memory.taken_from.get(held.object_id, "") if held is not None else ""
        if any(thing.object_id == came_from for thing in fitting):
            return [thing for thing in fitting if thing.object_id != came_from]
        for mention in self._state.single:
            ids = {thing.object_id for thing in fitting} & set(mention.ids)
            if ids:
                return [thing for thing in fitting if thing.object_id not in ids]
        return fitting

    def _spoken_of(self, things: Sequence[Thing]) -> list[Thing]:
        ids = {name for mention in self._state.mentions[:2] for name in mention.ids}
        held = self.body.held
        return [thing for thing in things if thing.object_id in ids or thing is held]

    def _ranked(self, looks: Sequence[str], things: list[Thing]) -> list[Thing]:
        """In the order that words such as "left", "nearest" and "second" ask for; else as spoken of, held, near."""
        pose = self.body.pose
        near = sorted(things, key=lambda thing: thing.distance(pose.position))
        for look in looks:
            if look == "middle" and _are_stacked(things):
                return _in_a_row(look, sorted(things, key=lambda thing: thing.center.y))
            if look in ("left", "leftmost", "right", "rightmost", "first", "second", "third", "last", "middle"):
                return _in_a_row(look, self._from_left(things))
            if look in ("nearest", "closest", "near"):
                return near
            if look in ("far", "furthest", "farthest"):
                return near[::-1]
            if look in ("top", "upper"):
                return sorted(things, key=lambda thing: -thing.center.y)
            if look in ("bottom", "lower"):
                return sorted(things, key=lambda thing: thing.center.y)
            if look in ("big", "bigger", "biggest", "large", "largest", "tall"):
                return sorted(things, key=lambda thing: -thing.longest)
            if look in ("small", "smaller", "smallest", "little"):
                return sorted(things, key=lambda thing: thing.longest)
        spoken = self._spoken_of(near)
        return [*spoken, *(thing for thing in near if thing not in spoken)]

    def _from_left(self, things: list[Thing]) -> list[Thing]:
        """From left to right as they are seen from where the body stands, facing their middle."""
        if not things:
            return []
        here = self.body.pose.position
        x = sum(thing.center.x for thing in things) / len(things) - here.x
        z = sum(thing.center.z for thing in things) / len(things) - here.z
        return sorted(things, key=lambda thing: (thing.center.x - here.x) * z - (thing.center.z - here.z) * x)


def _apart(thing: Thing, mark: Thing) -> float:
    """How far two things are apart on the map, and a little in height, metres."""
    return gap(thing, mark) + 0.1 * abs(thing.center.y - mark.center.y)


def _floors(things: Things) -> set[str]:
    return {thing.object_id for thing in things.of("Floor")}


def _are_stacked(things: Sequence[Thing]) -> bool:
    """Whether things are shelves, drawers or cabinets at several heights."""
    heights = [thing.center.y for thing in things if thing.object_type in FRAMED]
    return len(heights) == len(things) > 1 and max(heights) - min(heights) > _SAME_HEIGHT


def _in_a_row(look: str, row: list[Thing]) -> list[Thing]:
    place = {"left": 0, "leftmost": 0, "first": 0, "second": 1, "third": 2, "right": -1, "rightmost": -1, "last": -1}
    at = place.get(look, len(row) // 2)
    if not row or at >= len(row):
        return []
    return [row[at], *(thing for thing in row if thing is not row[at])]
