"""Requests varied: other things in the same roles, two in one, behind other talk, lost signs, slips of the pen."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from random import Random

from teach_agents.core.dialogue import ABOUT_ACTS, Act, DialogueAct, Phrase
from teach_agents.learning.reading.alignment import WHEN, Example, Span, descriptions
from teach_agents.learning.reading.conditions import Conditions
from teach_agents.understanding.heads.symbols import name_of
from teach_agents.understanding.notation import VERBS
from teach_agents.understanding.spelling import corrected

_JOINTS = (
    *(".", ". then", ", then", "and then", "and", ",", ",", ". and", ". also", ". after that", ", after that"),
    *("and after that", ", and finally", ". next", ". when that is done ,", ", and when you are done ,"),
)
_KEYS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_POINTING = frozenset("it them that this those these there here one".split())
"""Descriptions that stay: what they point at is not in the words."""
_LOST = frozenset("the a an to please is of my can you and it for me".split())
"""Words that go unheard or untyped."""
_GREETINGS = (
    "robot: hello.",
    "robot: hello. what can i do for you?",
    "robot: hello there. what shall i do?",
    "robot: what is next?",
    "robot: you are welcome.",
)
_MORE = (" anything else?", " what should i do next?", " what next?", " what should i do?")
"""What a robot asks where nothing waits for an answer."""
_ANSWERS = frozenset(
    {
        Act.CHOOSE,
        Act.YES,
        Act.NO,
        Act.ANY,
        Act.INSTEAD,
        Act.INSTEAD_DO,
        Act.NOT,
        Act.REPEAT,
        Act.UNDO,
        Act.WRONG,
        Act.OK,
    }
    | {Act.SAY_AGAIN, Act.RESUME, Act.CANCEL, Act.DONT_KNOW, Act.UNCLEAR}
)
"""What hangs on what was said before."""
_CONDITIONAL = 0.06
"""Share of single requests in whose place there is one with a condition."""
_LONGEST = 6
"""Words of a description that others borrow."""
_SIGNS = frozenset(", . ? :".split())

Words = tuple[str, ...]


class Variations:
    """Makes a request anew each time it is asked. `examples` are those whose words may be borrowed.

    Without `noise` nothing is mistyped, and no signs or words are lost.
    """

    def __init__(self, examples: Sequence[Example], random: Random, *, noise: bool = True) -> None:
        self._random, self._noise = random, noise
        self._pool: dict[tuple[str, str], list[tuple[Words, Phrase]]] = {}
        for one in examples:
            for span in filter(one.is_whole, one.spans):
                phrase = one.phrase(span)
                if span.end - span.start <= _LONGEST:
                    for name in (_spoken_of(one.acts[span.act]), ""):
                        said = one.words[span.start : span.end], phrase
                        self._pool.setdefault((name, span.role), []).append(said)
        lines = [line for one in examples for line in lines_of(one.before)]
        self._told = [line for line in lines if line.startswith("robot: ") and not line.endswith("?")]
        self._asked = [line for line in lines if line.startswith(("person: ", "did: "))]
        self._orders = [
            one
            for one in examples
            if one.spans and not one.before and len(one.words) < 10 and all(act.about in VERBS for act in one.acts)
        ]
        things = [said for (name, role), pool in self._pool.items() if name and not role for said in pool]
        self._conditions = Conditions(self._orders, [said for said in things if said[1].noun not in _POINTING], random)

    def varied(self, one: Example) -> Example:
        """The same, said a little otherwise."""
        chance = self._random.random
        if len(one.acts) == 1 and one.acts[0].about in VERBS and not one.before and chance() < _CONDITIONAL:
            one = self.conditional() or one
        if chance() < 0.6:
            one = self._swapped(one)
        if chance() < 0.18 and not one.before and len(one.words) < 22 and self._orders:
            one = self._joined(one, self._random.choice(self._orders))
        if chance() < 0.4 and not one.before and not any(act.act in _ANSWERS for act in one.acts):
            one = replace(one, before=self._before())
        if not self._noise:
            return one
        if chance() < 0.25:
            one = self._unsigned(one)
        if chance() < 0.15:
            one = self._shorter(one)
        return self._mistyped(one) if chance() < 0.15 else one

    def conditional(self) -> Example | None:
        """A request with a condition, put together from others; `None` where these hold nothing for it."""
        return self._conditions.made()

    def _before(self) -> str:
        """What was said before that has nothing to do with what is said now."""
        chance, choice = self._random.random, self._random.choice
        if chance() < 0.3 or not self._told or not self._asked:
            return choice(_GREETINGS)
        told = choice(self._told) + (choice(_MORE) if chance() < 0.4 else "")
        return f"{choice(self._asked)} {told}" if chance() < 0.6 else told

    def _swapped(self, one: Example) -> Example:
        for number in range(len(one.spans)):
            span = one.spans[number]
            if not one.is_whole(span):
                continue
            old = one.phrase(span)
            name = _spoken_of(one.acts[span.act]) if self._random.random() < 0.75 else ""
            borrowed = self._pool.get((name, span.role))
            within = any(start < span.end and span.start < end for start, end in one.kept)
            if self._random.random() < 0.5 or old.noun in _POINTING or not borrowed or within:
                continue
            words, new = self._random.choice(borrowed)
            one = replace(_with_words(one, span, words), acts=_with_phrase(one, span, old, new))
        return one

    def _joined(self, one: Example, other: Example) -> Example:
        holds_on = any(act.condition is not None or act.act in ABOUT_ACTS for act in one.acts)
        joint = ("." if one.words[-1] in (".", "?") or holds_on else self._random.choice(_JOINTS)).split()
        by, acts = len(one.words) + len(joint), len(one.acts)
        spans = [Span(span.act + acts, span.role, span.start + by, span.end + by) for span in other.spans]
        kept = [(start + by, end + by) for start, end in other.kept]
        return Example(
            (*one.words, *joint, *other.words),
            one.before,
            (*one.acts, *other.acts),
            (*one.spans, *spans) if one.spans else (),
            (*one.kept, *kept),
        )

    def _unsigned(self, one: Example) -> Example:
        """Without most of its signs."""
        signs = {at for at in range(1, len(one.words)) if one.words[at] in _SIGNS and self._random.random() < 0.7}
        return _without(one, signs)

    def _shorter(self, one: Example) -> Example:
        """Without one of the words that say little."""
        ends = {at for start, end in one.kept for at in (start, end - 1)}
        lost = [at for at, word in enumerate(one.words) if word in _LOST and at not in ends]
        return _without(one, {self._random.choice(lost)}) if lost and len(one.words) > 5 else one

    def _mistyped(self, one: Example) -> Example:
        words = (corrected(slip(word, self._random)) if self._random.random() < 0.25 else word for word in one.words)
        return replace(one, words=tuple(words))


def lines_of(before: str) -> list[str]:
    """The lines of what was said before, which an example has in one."""
    return [line for line in re.split(r" (?=(?:person|robot|did): )", before) if line]


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


def _spoken_of(act: DialogueAct) -> str:
    """The name of the act that descriptions belong to: of what is forbidden, of "never(open(fridge))" """
    return name_of(act.of[0] if act.of and not act.slots else act)


def _with_words(one: Example, old: Span, words: Words) -> Example:
    """An example with other words in one of its spans."""
    by = len(words) - (old.end - old.start)

    def after(place: int) -> int:
        return place + by if place >= old.end else place

    return replace(
        one,
        words=(*one.words[: old.start], *words, *one.words[old.end :]),
        spans=tuple(span._replace(start=after(span.start), end=after(span.end)) for span in one.spans),
        kept=tuple((after(start), after(end)) for start, end in one.kept),
    )


def _with_phrase(one: Example, span: Span, old: Phrase, new: Phrase) -> tuple[DialogueAct, ...]:
    """Acts with another description where a span is, and before it wherever the same was meant and not said."""
    said = {(other.act, other.role) for other in one.spans if other != span}
    acts, number = [*one.acts], span.act
    while number >= 0 and (number, span.role) not in said and (span.role, old) in descriptions(acts[number]):
        acts[number] = _told_of(acts[number], span.role, old, new)
        number -= 1
    return tuple(acts)


def _told_of(act: DialogueAct, role: str, old: Phrase, new: Phrase) -> DialogueAct:
    condition = act.condition
    if role == WHEN:
        return act._replace(condition=condition._replace(phrase=new)) if condition and condition.phrase == old else act
    slots = tuple(
        slot._replace(phrase=new)
        if slot.phrase == old and ("" if slot.role.startswith(":") else slot.role) == role
        else slot
        for slot in act.slots
    )
    return act._replace(slots=slots, of=tuple(_told_of(of, role, old, new) for of in act.of))


def _without(one: Example, lost: set[int]) -> Example:
    """An example without some of its words; descriptions and kept words keep one at least."""
    stays = [at for at in range(len(one.words)) if at not in lost]
    ends = [*(s for span in one.spans for s in (span.start, span.end)), *(at for pair in one.kept for at in pair)]
    place = {end: sum(at < end for at in stays) for end in ends}
    spans = tuple(span._replace(start=place[span.start], end=place[span.end]) for span in one.spans)
    kept = tuple((place[start], place[end]) for start, end in one.kept)
    bounds = [*((span.start, span.end) for span in spans), *kept]
    if not stays or any(end <= start for start, end in bounds):
        return one
    return replace(one, words=tuple(one.words[at] for at in stays), spans=spans, kept=kept)
