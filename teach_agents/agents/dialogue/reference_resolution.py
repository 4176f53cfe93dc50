"""From descriptions to sets of known things: what a noun phrase of a reading stands for, here and now.

Deterministic: what is known, what was spoken of and the description decide. Nothing is looked for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from teach_agents.agents.acting.body import Body
from teach_agents.agents.acting.grounding import is_by
from teach_agents.agents.acting.things import Test, Thing, Things
from teach_agents.agents.dialogue.dialogue_state import DialogueState
from teach_agents.agents.dialogue.noun_types import ANYTHING, PRONOUNS, calls, kinds_of
from teach_agents.core.dialogue import Phrase
from teach_agents.understanding.english.values import Reference, Relation

_ALL: Mapping[str, int | None] = {"all": None, "rest": None, "some": 1, "any": 1, "another": 1, "other": 1, "": 1}
_OTHERS = frozenset({"another", "other", "rest"})
_HERE = frozenset({"here", "me", "us", "you", "there"})
LIQUIDS: Mapping[str, str] = {
    "coffee": "simbotIsFilledWithCoffee",
    "tea": "isFilledWithLiquid",
    "water": "isFilledWithLiquid",
}
"""What a vessel may be full of, and the property that tells."""
_NEARBY = 3.0
"""As far as "here" reaches, metres."""


def _is_cooked(thing: Thing, _: Things) -> bool:
    return thing.is_cooked


LOOKS: Mapping[str, Callable[[Thing, Things], bool]] = {
    "dirty": lambda thing, _: thing.has("isDirty"),
    "clean": lambda thing, _: not thing.has("isDirty"),
    "washed": lambda thing, _: not thing.has("isDirty"),
    "cooked": _is_cooked,
    "baked": _is_cooked,
    "fried": _is_cooked,
    "toasted": _is_cooked,
    "boiled": lambda thing, _: thing.has("simbotIsBoiled"),
    "raw": lambda thing, _: not thing.is_cooked,
    "uncooked": lambda thing, _: not thing.is_cooked,
    "open": lambda thing, _: thing.has("isOpen"),
    "closed": lambda thing, _: thing.has("openable") and not thing.has("isOpen"),
    "shut": lambda thing, _: thing.has("openable") and not thing.has("isOpen"),
    "on": lambda thing, _: thing.has("isToggled"),
    "off": lambda thing, _: not thing.has("isToggled"),
    "empty": lambda thing, things: not thing.has("isFilledWithLiquid") and not things.contents(thing),
    "full": lambda thing, things: thing.has("isFilledWithLiquid") or bool(things.contents(thing)),
    "broken": lambda thing, _: thing.has("isBroken"),
    "cracked": lambda thing, _: thing.object_type.endswith("Cracked"),
    "sliced": lambda thing, _: thing.object_type.endswith("Sliced"),
    "cut": lambda thing, _: thing.object_type.endswith("Sliced"),
    "whole": lambda thing, _: not thing.object_type.endswith(("Sliced", "Cracked")),
    "hot": lambda thing, _: thing.temperature == "Hot",
    "warm": lambda thing, _: thing.temperature == "Hot",
    "cold": lambda thing, _: thing.temperature == "Cold",
}
"""What can be seen of a thing; the words of the notation."""
_RANKS = frozenset(
    """first second third last left right leftmost rightmost middle nearest closest near far furthest farthest
    top bottom upper lower big bigger biggest large largest small smaller smallest little tall""".split()
)
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
        count = int(phrase.count) if phrase.count.isdecimal() else _ALL.get(phrase.count, 1)
        if phrase.noun in PRONOUNS:
            return self._pointed(phrase, count, suits)
        things = self.body.things
        kinds = kinds_of(phrase.noun)
        named = [thing for thing in things if calls(phrase.noun, thing)]
        if phrase.noun in ANYTHING:
            named = [thing for thing in named if thing.has("pickupable") or thing.has("receptacle")]
            if phrase.noun in ("thing", "stuff", "everything", "object", "item") or suits is None:
                named = [thing for thing in named if thing.has("pickupable")]
        return self._described(phrase, named, count, kinds, suits)

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
            return any(things.is_inside(thing, mark) for mark in landmarks)
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
        fitting = [thing for thing in fitting if self._is_there(phrase, thing) and self._holds(phrase, thing)]
        if phrase.count in _OTHERS or "other" in phrase.looks:
            fitting = self._without_last(fitting)
        ordered = self._ranked(phrase.looks, fitting)
        if len(kinds) > 1 and not phrase.count and not any(one in _RANKS for one in phrase.looks):
            ordered.sort(key=lambda thing: next(n for n, kind in enumerate(kinds) if thing.is_a(kind)))
        if phrase.place is not None and phrase.place[0] == "near" and phrase.place[1].noun not in _HERE:
            marks = self.find(phrase.place[1]).things[:1]
            ordered.sort(key=lambda thing: min(thing.distance(mark.center) for mark in marks))
        unseen = tuple(one for one in phrase.looks if one not in LOOKS and one not in _RANKS and one != "other")
        spoken = self._spoken_of(ordered) if phrase.count != "1" else []
        salient = len(ordered) == 1 or bool(spoken) or any(one in _RANKS for one in phrase.looks)
        return Found(ordered, count, kinds, named, unseen, salient)

    def _pointed(self, phrase: Phrase, count: int | None, suits: Test | None) -> Found:
        """What "it", "them", "that one" or "the other one" points at."""
        things = self.body.things
        plain = (
            phrase.noun in ("it", "them", "that", "this", "those", "these") and not phrase.looks and not phrase.place
        )
        held = self.body.held
        if plain:
            for mention in self._state.mentions:
                known = things.known(mention.ids)
                if not mention.ids:
                    known = [thing for thing in things if calls(mention.noun, thing)]
                fitting = [thing for thing in known if suits is None or suits(thing)]
                if fitting:
                    many = None if phrase.noun in ("them", "those", "these") or not mention.ids else len(fitting)
                    return Found(fitting, many if mention.ids else 1, kinds_of(mention.noun), known, (), salient=True)
            if held is not None and (suits is None or suits(held)):
                return Found([held], 1, (held.object_type,), (), (), salient=True)
            return Found([], count)
        for mention in self._state.mentions:
            named = [thing for thing in things if calls(mention.noun, thing)]
            if not named:
                continue
            asked = replace(phrase, noun=mention.noun)
            found = self._described(asked, named, count, kinds_of(mention.noun), suits)
            if found.things:
                return found
        return Found([], count)

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
        return self.placed(relation, thing, self.find(mark).things)

    def _is_here(self, word: str, thing: Thing) -> bool:
        if word != "there":
            return thing.distance(self.body.pose.position) < _NEARBY
        return self.placed("in", thing, self.there()) if self.there() else True

    def there(self) -> list[Thing]:
        """What "there" is: the latest place that was spoken of."""
        things = self.body.things
        for mention in self._state.mentions:
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
            return thing.has(LIQUIDS[content])
        assert phrase.holds is not None
        held = self.find(replace(phrase.holds, count=""))
        return any(self.body.things.is_inside(one, thing) for one in held.things)

    def _without_last(self, fitting: list[Thing]) -> list[Thing]:
        """All but those that were spoken of or handled last."""
        for mention in self._state.mentions:
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


def _in_a_row(look: str, row: list[Thing]) -> list[Thing]:
    place = {"left": 0, "leftmost": 0, "first": 0, "second": 1, "third": 2, "right": -1, "rightmost": -1, "last": -1}
    at = place.get(look, len(row) // 2)
    if not row or at >= len(row):
        return []
    return [row[at], *(thing for thing in row if thing is not row[at])]
