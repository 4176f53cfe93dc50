"""Places told by what somebody does there: "Grandpa always sits on the sofa", "put it where Grandpa sits"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from teach_agents.agents.dialogue.dialogue_state import Told
from teach_agents.agents.dialogue.facts import words_in
from teach_agents.agents.dialogue.noun_types import ANYTHING, kinds_of
from teach_agents.agents.dialogue.statements import named_in
from teach_agents.core.dialogue import Act, DialogueAct, Phrase, Slot
from teach_agents.understanding.english.lexicon import preposition
from teach_agents.understanding.plain_text import plain_text

WHO = r"(?P<who>(?:(?:my|our|the|his|her) )?[a-z]+)"
USUALLY = (
    r"(?:(?:always|usually|normally|often|mostly|generally|likes? to|loves? to|prefers? to|tends? to"
    r"|(?:do|does) (?:his|her|my|their|our)) )*"
)
_AT = r"(?:in|on|at|by|next to|near|beside|under)"
_HABIT = re.compile(
    rf"\b{WHO} {USUALLY}(?P<verb>[a-z]+)(?: [a-z]+){{0,3}}? (?P<where>{_AT} (?:the|his|her|my|our|that) .+)"
)
_SEAT = r"(?:(?:usual|favourite|favorite|own|regular|normal) )*(?:seat|place|spot|chair|corner|perch)"
_SEAT_IS = re.compile(rf"\b(?P<who>my|our|his|her|[a-z]+'s) {_SEAT} is (?:always |usually )?(?P<where>.+)")
_WHERE_DONE = re.compile(rf"\b(?:where|wherever) {WHO}(?:(?:'s| is) (?=\w+ing\b)| ){USUALLY}(?P<verb>[a-z]+)")
_SEAT_OF = re.compile(rf"\b(?P<who>[a-z]+'s) {_SEAT}\b")
_ROLES = frozenset({"in", "on", "at", "near", "to"})
_DRUNK = re.compile(
    rf"\b(?:i|we) {USUALLY}(?:drink|have|take|like)\b(?P<what>(?: [a-z]+){{0,3}}?) (?:from|out of|in)"
    r" (?P<from>(?:the|my|our|that|this|a) [a-z ]+)"
)
_SITS = "sit"
_SOMEBODY = frozenset({"he", "she", "they"})
"""Who was spoken of, by no name."""
_GOES = frozenset({"go_to", "come", "look_at", "find"})


class _Habit(NamedTuple):
    """What somebody does somewhere; `""` is what one does on a seat."""

    who: str
    verb: str
    where: Phrase


def at_habitual_place(order: DialogueAct, text: str, facts: Sequence[Told]) -> DialogueAct:
    """An order with the place that its words tell by what somebody is used to do there."""
    if order.act is not Act.ORDER or not facts:
        return order
    where = _meant(plain_text(text), facts)
    if where is None:
        return order
    kinds = kinds_of(where.noun)
    if order.about in _GOES:
        return order._replace(slots=(Slot("", where),)) if order.slots else order
    places = [slot for slot in order.slots if slot.role in _ROLES]
    if order.about not in ("put", "move", "get", "drop", "serve", "put_back") or not order.slots or order.slots[0].role:
        return order
    if any(kinds_of(slot.phrase.noun) and slot.phrase.noun not in ANYTHING for slot in places):
        return order if len(places) != 1 or not _points(places[0].phrase, text) else _to(order, where, kinds)
    return _to(order, where, kinds)


def _to(order: DialogueAct, where: Phrase, kinds: Sequence[str]) -> DialogueAct:
    thing = order.slots[0]
    kept = thing.phrase.place is None or bool(kinds_of(thing.phrase.place[1].noun))
    thing = thing if kept else thing._replace(phrase=Phrase(thing.phrase.noun, thing.phrase.count, thing.phrase.looks))
    return order._replace(about="put", slots=(thing, Slot(preposition(kinds[0]), where)))


def _points(phrase: Phrase, text: str) -> bool:
    """Whether a place is that of somebody's seat: "on Dad's chair"."""
    return _SEAT_OF.search(plain_text(text)) is not None and phrase.noun.rpartition("_")[2] in (
        "seat",
        "place",
        "chair",
        "spot",
    )


def _meant(plain: str, facts: Sequence[Told]) -> Phrase | None:
    asked = _WHERE_DONE.search(plain) or _SEAT_OF.search(plain)
    if asked is None:
        return None
    who, verb = person_called(asked["who"]), stem_of(asked.groupdict().get("verb") or _SITS)
    habits = [habit for fact in facts for habit in _habits(fact.said) if habit.verb in (verb, "")]
    meant = [one.where for one in habits if one.who == who]
    meant = meant or [one.where for one in habits if who in _SOMEBODY and one.who not in ("i", "we", "you", "it")]
    return next(reversed(meant), None)


def _habits(said: str) -> Iterator[_Habit]:
    for clause in re.split(r"[.!?;,\n]+| and | but ", plain_text(said)):
        for found in (_SEAT_IS.search(clause), _HABIT.search(clause)):
            where = named_in(found["where"]) if found is not None else None
            if found is not None and where is not None:
                yield _Habit(person_called(found["who"]), stem_of(found.groupdict().get("verb") or _SITS), where)
                break


def drunk_from(drink: str, facts: Sequence[Told]) -> Phrase | None:
    """What whoever speaks said to have a drink from: "I always drink my water from the mug"."""
    for fact in reversed(facts):
        found = _DRUNK.search(plain_text(fact.said))
        if found is not None and (drink in found["what"] or not found["what"].strip()):
            return named_in(found["from"])
    return None


def person_called(words: str) -> str:
    """A person without whose they are: "grandpa" of "my grandpa" and "grandpa's"."""
    return re.sub(r"^(?:my|our|the|his|her) ", "", words).removesuffix("'s")


def stem_of(verb: str) -> str:
    """What the forms of a verb share: "sit" of "sits" and "sitting"."""
    plain = verb.removesuffix("ing")
    doubled = plain != verb and plain[-1:] == plain[-2:-1]  # "sitting"
    verb = plain[:-1] if doubled else plain
    return next(iter(words_in(verb)), verb)
