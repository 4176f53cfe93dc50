"""The corpus tagged: which words of a request each part of its meaning comes from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from teach_agents.core.dialogue import Act, DialogueAct, Phrase
from teach_agents.understanding.english.phrasebook import NUMBERS
from teach_agents.understanding.grammar import grammar
from teach_agents.understanding.heads.reader import context
from teach_agents.understanding.heads.tags import HELD, STATE, THING, WHEN, WORDS, Part, Span, name_of
from teach_agents.understanding.noun_phrases import singular
from teach_agents.understanding.requests import Request
from teach_agents.understanding.tokens import tokens

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
_BETWEEN = frozenset("and then , . : ? but".split())
_FARTHEST = 14
"""Words between the parts of one description."""


@dataclass(frozen=True, slots=True)
class Tagged:
    """A request's words with their parts, and the last turn before it."""

    words: tuple[str, ...]
    parts: tuple[Part, ...]
    before: str


def tagged(request: Request) -> Tagged | None:
    """A request tagged; `None` where something of its meaning is in none of its words."""
    words = tokens(request.text)
    spans: list[list[Span]] = [[] for _ in request.meaning]
    used: set[int] = set()
    at = 0
    for number, act in enumerate(request.meaning):
        for name, phrase in _phrases(act):
            shared = _said_elsewhere(request.meaning, number, name, phrase)
            found = None if shared and _often(phrase, words) < 2 else _place(phrase, words, at, used)
            if found is None and shared:
                continue
            if found is None:
                return None
            start, end = found
            used |= set(range(start, end))
            at = max(at, end)
            spans[number].append(Span(name, start, end))
    starts = _starts(words, spans)
    if starts is None:
        return None
    parts = [
        _part(act, words, start, end, found, used)
        for act, start, end, found in zip(request.meaning, starts, [*starts[1:], len(words)], spans, strict=True)
    ]
    return Tagged(tuple(words), tuple(parts), context(request.before))


def _part(act: DialogueAct, words: Sequence[str], start: int, end: int, spans: list[Span], used: set[int]) -> Part:
    found = list(spans)
    state = next((slot.role[1:] for slot in act.slots if slot.role.startswith(":")), "")
    when_state = act.condition.state if act.condition else ""
    for one in (state, when_state):
        if one and one != HELD and (place := _words_place(one.split("_"), words, start, end, used)):
            found.append(Span(STATE, *place))
    free = _free(act)
    if free and (place := _words_place(tokens(free), words, start, end, set())):
        found.append(Span(WORDS, *place))
    when = "" if act.condition is None else "if" if act.condition.holds else "unless"
    inner = name_of(act.of[0]) if act.of else ""
    return Part(start, end, name_of(act), inner, state, when, when_state, tuple(sorted(found, key=lambda s: s.start)))


def _free(act: DialogueAct) -> str:
    for one in (act, *act.of):
        if one.act in (Act.CHAT, Act.FACT) and one.about:
            return one.about
        if (one.act is Act.ORDER and one.about in ("do", "call")) or (one.act is Act.QUESTION and one.about == "other"):
            return one.slots[0].phrase.noun if one.slots else ""
    return ""


def _words_place(
    wanted: Sequence[str], words: Sequence[str], start: int, end: int, used: set[int]
) -> tuple[int, int] | None:
    """The shortest run of words that holds most of those wanted, in order."""
    best: tuple[float, int, int] | None = None
    for first in range(start, end):
        if first in used or not _alike(wanted[0], words[first]):
            continue
        at, hits, last = first, 1, first
        for one in wanted[1:]:
            following = next((k for k in range(at + 1, min(end, at + 6)) if _alike(one, words[k])), None)
            if following is not None:
                at = last = following
                hits += 1
        score = hits - 0.1 * (last + 1 - first)
        if hits * 2 > len(wanted) and (best is None or score > best[0]):
            best = (score, first, last + 1)
    return None if best is None else best[1:]


def _phrases(act: DialogueAct) -> Iterator[tuple[str, Phrase]]:
    if act.condition is not None:
        yield WHEN, act.condition.phrase
    for of in act.of:
        yield from _phrases(of)
    if _free(act._replace(of=())):
        return
    for slot in act.slots:
        yield (slot.role if slot.role and not slot.role.startswith(":") else THING), slot.phrase


def _said_elsewhere(meaning: Sequence[DialogueAct], number: int, name: str, phrase: Phrase) -> bool:
    """Whether the act that follows has the same in the same place: it is said once, for both."""
    following = meaning[number + 1 : number + 2]
    return any(
        (name, phrase) in list(_phrases(act))
        for act in following
        if act.about == meaning[number].about or name == THING
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


def _starts(words: Sequence[str], spans: Sequence[Sequence[Span]]) -> list[int] | None:
    """Where each part begins; `None` where the parts lie across one another."""
    bounds = [(min(s.start for s in one), max(s.end for s in one)) if one else None for one in spans]
    starts = [0]
    for number in range(1, len(spans)):
        last = max([bound[1] for bound in bounds[:number] if bound] + [starts[-1] + 1])
        following = next((bound[0] for bound in bounds[number:] if bound), len(words))
        here = bounds[number]
        if (here and here[0] < last) or last >= len(words):
            return None
        at = next((k for k in range(last, max(last, following)) if words[k] in _BETWEEN), last - 1)
        while at + 1 < len(words) and words[at + 1] in _BETWEEN:
            at += 1
        start = min(max(at + 1, last), len(words) - 1)
        if start <= starts[-1]:
            return None
        starts.append(start)
    return starts
