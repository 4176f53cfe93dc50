"""The corpus aligned: which words of a request each description of its meaning comes from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from teach_agents.core.dialogue import DialogueAct, Phrase
from teach_agents.understanding.english.phrasebook import NUMBERS
from teach_agents.understanding.grammar import grammar
from teach_agents.understanding.heads.pieces import context
from teach_agents.understanding.heads.symbols import keeping, kept_words
from teach_agents.understanding.noun_phrases import singular
from teach_agents.understanding.requests import Request
from teach_agents.understanding.tokens import tokens

WHEN = "when"
"""In place of a role: what a condition is about."""
_MOST_WORDS = 100
_SAME = {
    "something": "anything whatever what thing things everything stuff which".split(),
    "one": "ones that this those these other others it another".split(),
    "them": "these those they ones both".split(),
    "it": "its that this".split(),
    "me": ["my", "us", "i"],
    "everything": ["all", "stuff"],
    "grandma": ["granny", "gran", "nan"],
    "dish": ["dishes", "washing"],
    "here": ["this"],
    "rest": ["others", "remaining"],
    "him": ["he"],
    "her": ["she"],
    "you": ["your"],
    "there": ["where"],
}
"""Words for which a meaning writes another."""
_BEFORE = frozenset(
    """the a an my your our his her their all every each both some any another other two three four five six seven eight
    nine ten this that these those of rest one couple bit few""".split()
)
_FARTHEST = 14
"""Words between the parts of one description."""


class Span(NamedTuple):
    """Words from `start` to before `end` from which the description in a role of an act comes, by the act's number."""

    act: int
    role: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Example:
    """A request as heads learn it: its words, what was said before, its acts; `spans` of its descriptions, if all were
    found, and where the words are that acts keep as they were said (`kept`: from, to before).
    """

    words: tuple[str, ...]
    before: str
    acts: tuple[DialogueAct, ...]
    spans: tuple[Span, ...] = ()
    kept: tuple[tuple[int, int], ...] = ()

    def phrase(self, span: Span) -> Phrase:
        """The description that a span is of."""
        return dict(descriptions(self.acts[span.act]))[span.role]

    def is_whole(self, span: Span) -> bool:
        """Whether a span holds all words of its description, which is the only one in its role."""
        roles = [role for role, _ in descriptions(self.acts[span.act])]
        if roles.count(span.role) > 1:
            return False
        words = self.words[span.start : span.end]
        return all(any(_alike(wanted, word) for word in words) for wanted in _wanted(self.phrase(span)))


def example(request: Request) -> Example | None:
    """A request aligned; `None` for one without words."""
    words = tuple(tokens(request.text))[:_MOST_WORDS]
    if not words:
        return None
    spans = _spans(request.meaning, words) or ()
    kept = tuple(_kept(act, words) for act in keeping(request.meaning))
    return Example(words, context(request.before), request.meaning, spans, kept)


def descriptions(act: DialogueAct) -> Iterator[tuple[str, Phrase]]:
    """The descriptions of an act, each with its role: "" for what is acted upon, `WHEN` for that of a condition."""
    if act.condition is not None:
        yield WHEN, act.condition.phrase
    for one in act.of:
        yield from descriptions(one)
    if not kept_words(act):
        yield from ((("" if slot.role.startswith(":") else slot.role), slot.phrase) for slot in act.slots)


def _wanted(phrase: Phrase) -> Iterator[str]:
    """The words of a description: one of its name, those that tell it apart, those of where it is and what it holds."""
    yield phrase.noun.split("_")[-1]
    yield from (look.split("_")[0] for look in phrase.looks)
    for inner in ([phrase.holds] if phrase.holds else []) + ([phrase.place[1]] if phrase.place else []):
        yield from _wanted(inner)


def _spans(acts: Sequence[DialogueAct], words: Sequence[str]) -> tuple[Span, ...] | None:
    """The words of all descriptions; `None` where one of them is in none."""
    found: list[Span] = []
    used: set[int] = set()
    at = 0
    for number, act in enumerate(acts):
        for role, phrase in descriptions(act):
            shared = _said_elsewhere(acts, number, role, phrase)
            place = None if shared and _often(phrase, words) < 2 else _place(phrase, words, at, used)
            if place is None and shared:
                continue
            if place is None:
                return None
            start, end = place
            used |= set(range(start, end))
            at = max(at, end)
            found.append(Span(number, role, start, end))
    return tuple(found)


def _kept(act: DialogueAct, words: Sequence[str]) -> tuple[int, int]:
    """Where the words are that an act keeps: all of the utterance where they are not found."""
    wanted = tokens(kept_words(act))
    return (_words_place(wanted, words) if wanted else None) or (0, len(words))


def _words_place(wanted: Sequence[str], words: Sequence[str]) -> tuple[int, int] | None:
    """The shortest run of words that holds most of those wanted, in order."""
    best: tuple[float, int, int] | None = None
    for first, word in enumerate(words):
        if not _alike(wanted[0], word):
            continue
        at, hits, last = first, 1, first
        for one in wanted[1:]:
            following = next((k for k in range(at + 1, min(len(words), at + 6)) if _alike(one, words[k])), None)
            if following is not None:
                at = last = following
                hits += 1
        score = hits - 0.1 * (last + 1 - first)
        if hits * 2 > len(wanted) and (best is None or score > best[0]):
            best = (score, first, last + 1)
    return None if best is None else best[1:]


def _said_elsewhere(acts: Sequence[DialogueAct], number: int, role: str, phrase: Phrase) -> bool:
    """Whether the act that follows has the same in the same place: it is said once, for both."""
    return any(
        (role, phrase) in list(descriptions(act))
        for act in acts[number + 1 : number + 2]
        if act.about == acts[number].about or not role
    )


def _place(phrase: Phrase, words: Sequence[str], start: int, used: set[int]) -> tuple[int, int] | None:
    places = _whole(phrase, words, start, used)
    if places is None:
        return None
    low, high = min(places), max(places)
    if high - low > _FARTHEST:
        low = high
    while low > 0 and (words[low - 1] in _BEFORE or words[low - 1].isdecimal()) and low - 1 not in used:
        low -= 1
    if any(k in used for k in range(low, high + 1)):
        return None
    return low, high + 1


def _whole(phrase: Phrase, words: Sequence[str], start: int, used: set[int]) -> set[int] | None:
    """The places of all words of a description: noun, looks, what it holds, where it is."""
    noun = _noun(phrase, words, start, used)
    if noun is None:
        return None
    found = set(noun)
    near = min(noun)
    for look in phrase.looks:
        around = [*range(near - 1, max(-1, near - 5), -1), *range(max(noun) + 1, min(len(words), max(noun) + 8))]
        found |= set([k for k in around if any(_alike(one, words[k]) for one in look.split("_"))][:1])
    inner = ([phrase.holds] if phrase.holds else []) + ([phrase.place[1]] if phrase.place else [])
    for one in inner:
        found |= _whole(one, words, max(noun) + 1, used | found) or set()
    return found


def _noun(phrase: Phrase, words: Sequence[str], start: int, used: set[int]) -> list[int] | None:
    wanted = [one for one in phrase.noun.split("_") if one != "of"]
    best: tuple[tuple[float, int], list[int]] | None = None
    for base, word in enumerate(words):
        if base in used or not _alike(wanted[-1], word):
            continue
        places = [base]
        for one in reversed(wanted[:-1]):
            back = range(places[-1] - 1, max(-1, places[-1] - 4), -1)
            places += [k for k in back if k not in used and _alike(one, words[k])][:1]
        if "of" in phrase.noun.split("_") and len(places) < len(wanted):
            places += [k for k in range(base + 1, min(len(words), base + 4)) if _alike(wanted[0], words[k])][:1]
        if len(places) < len(wanted) and not _alike(wanted[-1], word, strictly=True):
            continue
        exactly = wanted[-1] in (word, singular(word))
        score = (3.0 * len(places) + 2 * exactly - (0 if base >= start else 1.5), -abs(base - start))
        if best is None or score > best[0]:
            best = (score, places)
    return None if best is None else sorted(best[1])


def _often(phrase: Phrase, words: Sequence[str]) -> int:
    """How many words could be a description's noun."""
    return sum(_alike(phrase.noun.split("_")[-1], word, strictly=True) for word in words)


def _alike(wanted: str, word: str, *, strictly: bool = False) -> bool:
    if wanted in (word, singular(word)) or (
        wanted.isdecimal() and word in NUMBERS and str(NUMBERS.index(word)) == wanted
    ):
        return True
    if word in _SAME.get(wanted, ()):
        return True
    states = grammar()["states"]
    if states.get(word) == wanted:
        return True
    return not strictly and len(wanted) > 3 and len(word) > 3 and _near(wanted, singular(word))


def _near(one: str, other: str) -> bool:
    """Whether two words have all but a letter or two in common."""
    allowed = 1 if len(one) < 6 else 2
    if abs(len(one) - len(other)) > allowed:
        return False
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        above, row = row, [i]
        for j, b in enumerate(other, 1):
            row.append(min(above[j] + 1, row[-1] + 1, above[j - 1] + (a != b)))
    return row[-1] <= allowed
