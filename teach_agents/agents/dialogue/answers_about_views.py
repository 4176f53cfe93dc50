"""Answers about places: what is in view, where the Follower is, what it holds, what is in, on and near things."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from teach_agents.agents.acting.grounding import gap
from teach_agents.agents.acting.things import Thing, are_twins
from teach_agents.agents.dialogue.conditions import liquid_in
from teach_agents.agents.dialogue.noun_text import article, be, called, grouped, listed, sentence
from teach_agents.agents.dialogue.noun_types import PRONOUNS
from teach_agents.agents.dialogue.referring_expressions import (
    PARTS,
    STRUCTURE,
    all_of,
    contents_of,
    describe_thing,
    distinct,
    in_view,
    place_word,
    where_phrase,
)
from teach_agents.agents.dialogue.room_knowledge import RoomKnowledge, meant
from teach_agents.core.dialogue import Phrase
from teach_agents.understanding.english.lexicon import number_word

_NEAR, _BESIDE_ME = 0.7, 1.2
"""How far from a thing, and from the Follower, what is near may be, metres."""
_LEVEL, _OVERLAP = 0.3, 0.02
"""As far as loose things that are near may be above or below; by how much furniture has to be as high, metres."""
ALL_THERE = 20
"""So many kinds of things are told where it is asked what is in one place."""
PEOPLE = frozenset({"me", "us", "i"})
"""Whoever talks with the Follower."""


class AboutViews:
    """`topics` are asked about a place, `plain` about nothing that is named."""

    def __init__(self, knowing: RoomKnowledge) -> None:
        self._knowing = knowing
        self._body = knowing.body
        self._pick = knowing.pick
        self.topics: Mapping[str, Callable[[Phrase], str]] = {
            "in": self._inside,
            "on": self._inside,
            "near": self._near,
            "see": self._is_seen,
        }
        self.plain: Mapping[str, Callable[[], str]] = {
            "see": self.see,
            "where_are_you": self.where_are_you,
            "held": self.held,
        }

    def see(self) -> str:
        """What is in view, the nearest first."""
        held = self._body.held
        seen = [thing for thing in in_view(self._body) if thing.object_type not in STRUCTURE | PARTS]
        shown = grouped(distinct(thing for thing in seen if thing is not held))
        if not shown:
            structure = [thing for thing in in_view(self._body) if thing.object_type in STRUCTURE]
            only = f" but {self._knowing.the(structure[0])}" if structure else ""
            words = self._pick(f"I see nothing{only}.", f"There is nothing in view{only}.")
        else:
            words = self._pick(f"I see {listed(shown)}.", f"In front of me I see {listed(shown)}.")
        return f"{words} I am holding {self._knowing.the(held)}." if held is not None else words

    def _is_seen(self, phrase: Phrase) -> str:
        """Whether something is in view, and where else it is known to be."""
        found = self._knowing.find(phrase)
        if not found.things:
            return f"No. {self._knowing.no_such(phrase, found)}"
        seen = [thing for thing in in_view(self._body) if thing in found.things]
        thing = seen[0] if seen else found.things[0]
        name, place = self._knowing.the(thing), where_phrase(thing, self._body)
        return f"Yes, I see {name} {place}." if seen else f"No, not from here: {name} {be(1)} {place}."

    def where_are_you(self) -> str:
        """In which room, by what, facing what."""
        body, here = self._body, self._body.pose.position
        known = [thing for thing in distinct(body.things) if thing.object_type not in PARTS | {"Floor", "Ceiling"}]
        fixed = [thing for thing in known if not thing.has("pickupable")]
        near = min(fixed, key=lambda thing: _away(thing, here.x, here.z), default=None)
        ahead = [thing for thing in fixed if thing is not near and self._is_ahead(thing)]
        facing = min(ahead, key=lambda thing: _away(thing, here.x, here.z), default=None)
        parts = [f"in the {self._knowing.room}"]
        if near is not None:
            parts.append(f"by {describe_thing(near, body, definite=True)}")
        if facing is not None:
            parts.append(f"facing {describe_thing(facing, body, definite=True)}")
        return self._pick(f"I am {', '.join(parts)}.", f"I am standing {', '.join(parts)}.")

    def held(self) -> str:
        """What is in the hand."""
        held = self._body.held
        if held is None:
            return self._pick("My hand is empty.", "I am holding nothing.", "I have nothing in my hand.")
        what = article(called(held).one)
        inside = [thing for thing in self._body.things.contents(held)]
        told = f" with {listed(grouped(inside))} {place_word(held)} it" if inside else ""
        return self._pick(f"I am holding {what}{told}.", f"I have {what}{told} in my hand.")

    def _inside(self, phrase: Phrase) -> str:
        """What is in or on something."""
        if self._knowing.is_room(phrase.noun):
            return self.room(phrase.noun)
        if phrase.noun == "hand":
            return self.held()
        found = self._knowing.find(phrase)
        if phrase.noun in PRONOUNS and not any(map(_holds_things, found.chosen)):  # "what else is in it?" of an apple
            found = self._knowing.find(Phrase("there"))
        if not found.things:
            return self._knowing.no_such(phrase, found)
        holders = meant(found)
        shut = [holder for holder in holders if not self._knowing.was_looked_into(holder)]
        if len(shut) == len(holders):
            return self._knowing.not_looked_into(*shut)
        contents = contents_of(holders, self._body)
        if holders[0].object_type == "Floor":  # not what it is furnished with
            contents = [one for one in contents if one.has("pickupable")] or contents
        word, where = place_word(holders[0]), all_of(holders, self._body)
        liquid = liquid_in(holders[0]) if len(holders) == 1 else ""
        told = [*grouped(contents, ALL_THERE), *([liquid] if liquid else [])]
        if not told:
            empty = [f"There is nothing {word} {where}."]
            if len(holders) == 1:
                empty.append(sentence(f"{where} is empty"))
            words = self._pick(*empty)
        else:
            words = self._pick(
                f"There {be(_first_number(contents))} {listed(told)} {word} {where}.",
                sentence(f"{word} {where} I see {listed(told)}")
                if not any(holder.is_shut for holder in holders) and {*contents} <= {*in_view(self._body)}
                else sentence(f"{word} {where} there {be(_first_number(contents))} {listed(told)}"),
            )
        rest = f" I have not looked in {number_word(len(shut))} of them." if shut else ""
        return words + rest

    def room(self, word: str) -> str:
        """What is in a room, by its name."""
        if not self._knowing.is_this_room(word):
            return f"I know only this {self._knowing.room}."
        known = [thing for thing in distinct(self._body.things) if thing.object_type not in STRUCTURE | PARTS]
        big = sorted(known, key=lambda thing: -thing.longest)
        return f"We are in the {self._knowing.room}. I know of {listed(grouped(big))}."

    def _near(self, phrase: Phrase) -> str:
        if phrase.noun in PEOPLE | {"you", "here"}:
            here = self._body.pose.position
            around = [thing for thing in self._body.things if _away(thing, here.x, here.z) <= _BESIDE_ME]
            around.sort(key=lambda thing: _away(thing, here.x, here.z))
            where = "close to me"
        else:
            found = self._knowing.find(phrase)
            if not found.things:
                return self._knowing.no_such(phrase, found)
            mark = meant(found)[0]
            around = self.beside(mark)
            where = f"next to {self._knowing.the(mark)}"
        told = self._shown(around)
        if not told:
            return f"There is nothing {where} that I know of."
        return self._pick(
            sentence(f"{where} there {be(_first_number(told))} {listed(grouped(told))}"),
            sentence(f"{where} I know of {listed(grouped(told))}"),
        )

    def beside(self, mark: Thing) -> list[Thing]:
        """What is next to a thing, neither in it nor around it, the nearest first."""
        around = [thing for thing in self._body.things if _is_near(thing, mark)]
        around = [thing for thing in around if not self._holds(mark, thing) and not self._holds(thing, mark)]
        return self._shown(sorted(around, key=lambda thing: gap(thing, mark)))

    def _shown(self, things: Sequence[Thing]) -> list[Thing]:
        """Those of some things that are told of: none in the hand, or behind a door that is shut."""
        open_to_view = [one for one in things if not self._body.things.closed_around(one) and not one.has("isPickedUp")]
        return distinct(one for one in open_to_view if one.object_type not in STRUCTURE | PARTS)

    def _holds(self, holder: Thing, thing: Thing) -> bool:
        return self._body.things.is_inside(thing, holder)

    def _is_ahead(self, thing: Thing) -> bool:
        here, yaw = self._body.pose.position, math.radians(self._body.pose.yaw)
        x, z = thing.center.x - here.x, thing.center.z - here.z
        ahead, aside = x * math.sin(yaw) + z * math.cos(yaw), abs(x * math.cos(yaw) - z * math.sin(yaw))
        return ahead > 0.0 and aside <= ahead


def _holds_things(thing: Thing) -> bool:
    return thing.has("receptacle") or thing.has("canFillWithLiquid") or thing.is_basin


def _away(thing: Thing, x: float, z: float) -> float:
    """From a point to a thing's box on the map, metres."""
    across = max(thing.low.x - x, x - thing.high.x, 0.0)
    along = max(thing.low.z - z, z - thing.high.z, 0.0)
    return math.hypot(across, along)


def _is_near(thing: Thing, mark: Thing) -> bool:
    apart = max(thing.low.y - mark.high.y, mark.low.y - thing.high.y)
    level = _LEVEL if thing.has("pickupable") else -_OVERLAP
    return not are_twins(thing, mark) and gap(thing, mark) <= _NEAR and apart <= level


def _first_number(things: Sequence[Thing]) -> int:
    """How many there are of the kind that is told first: the verb agrees with it."""
    return sum(called(thing) == called(things[0]) for thing in things) if things else 1
