"""Tagged requests varied: other things in the same slots, courtesies, slips of the pen, lost signs, two in one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from teach_agents.learning.reading.alignment import Tagged
from teach_agents.understanding.grammar import grammar
from teach_agents.understanding.heads.tags import THING, WHEN, Part, Span
from teach_agents.understanding.notation import ROLES, VERBS
from teach_agents.understanding.spelling import corrected

_SWAPPED = frozenset({THING, WHEN, *ROLES})
_JOINTS = (".", ". then", ", then", "and then", "and", ",", ". and", ". also")
_KEYS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")


class Variations:
    """Makes a request anew each time it is asked. `requests` are those whose words may be borrowed.

    Without `noise` nothing is mistyped, and no signs or words are lost.
    """

    def __init__(self, requests: Sequence[Tagged], random: Random, *, noise: bool = True) -> None:
        self._random = random
        self._noise = noise
        self._pool: dict[tuple[str, str], list[tuple[str, ...]]] = {}
        for one in requests:
            for part in one.parts:
                for span in part.spans:
                    if span.name in _SWAPPED:
                        words = one.words[span.start : span.end]
                        for key in ((part.inner or part.name, span.name), ("", span.name)):
                            self._pool.setdefault(key, []).append(words)
        self._orders = [one for one in requests if not one.before and all(part.name in VERBS for part in one.parts)]

    def varied(self, one: Tagged) -> Tagged:
        """The same, said a little otherwise."""
        chance = self._random.random
        if chance() < 0.5:
            one = self._swapped(one)
        if chance() < 0.12 and not one.before and len(one.words) < 16:
            one = _joined(one, self._random.choice(self._orders), self._random.choice(_JOINTS).split())
        if chance() < 0.2 and one.parts[0].name in VERBS:
            one = self._courteous(one)
        return self._noisy(one) if self._noise else one

    def _noisy(self, one: Tagged) -> Tagged:
        chance = self._random.random
        if chance() < 0.25:
            one = self._unsigned(one)
        if chance() < 0.2:
            one = self._shorter(one)
        return self._mistyped(one) if chance() < 0.2 else one

    def _swapped(self, one: Tagged) -> Tagged:
        for number, part in enumerate(one.parts):
            for at, span in enumerate(part.spans):
                if span.name not in _SWAPPED or self._random.random() < 0.5:
                    continue
                key = (part.inner or part.name, span.name) if self._random.random() < 0.5 else ("", span.name)
                one = _with_words(one, number, at, self._random.choice(self._pool[key]))
        return one

    def _courteous(self, one: Tagged) -> Tagged:
        if self._random.random() < 0.5:
            lead = self._random.choice(grammar()["leads"]).split()
            moved = tuple(_moved(part, len(lead)) for part in one.parts)
            return replace(one, words=(*lead, *one.words), parts=(replace(moved[0], start=0), *moved[1:]))
        tail = self._random.choice(grammar()["tails"]).split()
        last = replace(one.parts[-1], end=one.parts[-1].end + len(tail))
        return replace(one, words=(*one.words, *tail), parts=(*one.parts[:-1], last))

    def _unsigned(self, one: Tagged) -> Tagged:
        for at in range(len(one.words) - 1, 0, -1):
            inside = any(part.start <= at < part.end and part.end - part.start > 1 for part in one.parts)
            if one.words[at] in (",", ".", "?", ":") and inside and self._random.random() < 0.7:
                one = _without(one, at)
        return one

    def _shorter(self, one: Tagged) -> Tagged:
        """Without one of the words that are in no slot."""
        inside = {at for part in one.parts for span in part.spans for at in range(span.start, span.end)}
        long = [at for part in one.parts if part.end - part.start > 4 for at in range(part.start + 1, part.end)]
        free = [at for at in long if at not in inside]
        return _without(one, self._random.choice(free)) if free else one

    def _mistyped(self, one: Tagged) -> Tagged:
        words = [corrected(slip(word, self._random)) if self._random.random() < 0.3 else word for word in one.words]
        return replace(one, words=tuple(words))


def slip(word: str, random: Random) -> str:
    """A word with two letters swapped, one lost, one twice, or one of the key beside it."""
    if len(word) < 3 or not word.isalpha():
        return word
    at, way = random.randrange(len(word) - 1), random.randrange(4)
    if way == 0:
        return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    if way == 1:
        return word[:at] + word[at + 1 :]
    if way == 2:
        return word[:at] + word[at] + word[at:]
    row = next((row for row in _KEYS if word[at] in row), _KEYS[1])
    return word[:at] + row[min(row.find(word[at]) + 1, len(row) - 1)] + word[at + 1 :]


def _moved(part: Part, by: int) -> Part:
    spans = tuple(Span(span.name, span.start + by, span.end + by) for span in part.spans)
    return replace(part, start=part.start + by, end=part.end + by, spans=spans)


def _with_words(one: Tagged, number: int, at: int, words: Sequence[str]) -> Tagged:
    """A request with other words in one of its slots."""
    old = one.parts[number].spans[at]
    by = len(words) - (old.end - old.start)

    def after(place: int) -> int:
        return place + by if place >= old.end else place

    parts = tuple(
        replace(
            part,
            start=after(part.start),
            end=after(part.end),
            spans=tuple(Span(s.name, after(s.start), after(s.end)) for s in part.spans),
        )
        for part in one.parts
    )
    return replace(one, words=(*one.words[: old.start], *words, *one.words[old.end :]), parts=parts)


def _without(one: Tagged, at: int) -> Tagged:
    """A request without one of its words."""

    def after(place: int) -> int:
        return place - 1 if place > at else place

    parts = tuple(
        replace(
            part,
            start=after(part.start),
            end=after(part.end),
            spans=tuple(
                Span(s.name, after(s.start), after(s.end)) for s in part.spans if after(s.end) > after(s.start)
            ),
        )
        for part in one.parts
    )
    return replace(one, words=(*one.words[:at], *one.words[at + 1 :]), parts=parts)


def _joined(one: Tagged, other: Tagged, joint: Sequence[str]) -> Tagged:
    by = len(one.words) + len(joint)
    last = replace(one.parts[-1], end=by)
    following = tuple(_moved(part, by) for part in other.parts)
    return replace(one, words=(*one.words, *joint, *other.words), parts=(*one.parts[:-1], last, *following))
