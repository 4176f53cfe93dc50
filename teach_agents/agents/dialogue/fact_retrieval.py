"""What was told that answers a question in whatever words: the fact nearest in meaning, and what changed it later."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from teach_agents.agents.dialogue.dialogue_state import Told
from teach_agents.agents.dialogue.facts import (
    as_told,
    is_of_others,
    like,
    topics,
    wanted_by,
    words_in,
)
from teach_agents.agents.dialogue.polar_questions import yes_or_no
from teach_agents.agents.dialogue.recounts import COMES_TO, NUMBER, digits, is_change, total
from teach_agents.understanding.heads.sentence_similarity import similarities
from teach_agents.understanding.plain_text import plain_text

_ALIKE, _RELATED, _SURE = 0.42, 0.22, 0.55
"""How alike a question and a fact are that answers it: by itself; where they share a word; where it may mean more."""
_CHANGED = re.compile(
    r"\b(?:no|not|now|actually|instead|chang\w+|moved|cancel\w*|any ?more|after all|sorry|correction|meant|rather)\b"
    r"|n't\b"
)
_VALUE = re.compile(r"\b(password|passcode|pin|code|number|address|combination)\b")
"""What consists of signs, by name."""
_OF = re.compile(r"\b(?:for|of|to) (?:the|my|our|his|her) ([a-z]+)\W*$")
_OF_YOU = re.compile(r"(?<!tell )(?<!told )\byou(?:r|rself|'re|'ve)?\b")
"""What asks what the Follower does, or knows of the room."""
_PEOPLE = (
    "wife husband partner girlfriend boyfriend fiance mother mum mom mam father dad daddy papa parents grandma granny"
    " gran grandmother nan nana grandpa granddad grandad grandfather sister brother son daughter boy girl kid child"
    " children baby uncle aunt auntie cousin niece nephew neighbour neighbor boss friend colleague flatmate roommate"
    " landlady dog cat hamster rabbit plumber electrician doctor dentist cleaner gardener babysitter teacher"
)
"""Whom a fact has to be about that answers a question about them."""
_NAMED = re.compile(r"(?<=[a-z,] )(?!I\b|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)[A-Z][a-z]+")
_KIN = tuple(
    frozenset(words.split())
    for words in (
        "son boy kid child children", "daughter girl kid child children", "wife husband partner", "dog puppy pet",
        "cat kitten kitty pet", "parents mum mom dad mother father",
    )
)  # fmt: skip
_POSSESSIVE = re.compile(
    r"\b(?P<at>at|in|with|on|inside|under|behind|near|by) (?P<who>(?:my |our |the |his |her )?[a-z]+)'s"
    r"(?: (?P<x>[a-z]+))?\b"
)


def retrieved(question: str, facts: Sequence[Told], *, doubtful: bool = True) -> list[Told]:
    """The fact that answers a question, with those that were told of the same later, the latest last; none where
    nothing fits. Where the question may well mean something else (not `doubtful`), it takes more to fit."""
    asked = asked_in(question)
    told = _distinct(one for one in facts if one.said.strip() != question.strip())
    if not told or not asked or (not doubtful and _OF_YOU.search(asked.lower())):
        return []
    likeness = similarities(asked, [one.said for one in told])
    about, people, wanted = words_in(asked), _people_in(asked), wanted_by(asked.lower())
    best, found = 0.0, -1
    for number, (fact, topic) in enumerate(zip(told, topics(told), strict=True)):
        if not all(topic & _kin(one) for one in people) or not _may_answer(asked.lower(), fact, topic):
            continue
        shared = sum(bool(topic & like(one)) for one in about)
        score = likeness[number] if likeness is not None else 0.0
        enough = _SURE if not doubtful else _RELATED if shared and _has(wanted, fact) else _ALIKE
        if score < enough or (wanted is not None and not _has(wanted, fact) and score < _SURE):
            continue
        score += 0.05 * shared + (0.1 if wanted is not None and _has(wanted, fact) else 0)
        if score >= best:
            best, found = score, number
    return [] if found < 0 else [told[found], *_later(told, found, wanted)]


def quoted(question: str, told: Sequence[Told]) -> str:
    """What was told, in its words; before them the number it comes to, or whose place it is, where that is asked."""
    asked, latest = asked_in(question).lower(), told[-1]
    wanted = wanted_by(asked)
    if wanted not in (None, NUMBER) and _has(wanted, latest):  # what it was before is so no more
        told = [latest]
    words = " ".join([as_told(told[0]), *(f'And then: "{one.said.strip()}"' for one in told[1:])])
    if wanted is NUMBER and (comes_to := [*COMES_TO.finditer(latest.said)]):
        return f"{digits(comes_to[-1]['number'])}. {as_told(latest)}"
    if wanted is None and (verdict := yes_or_no(asked, latest.said)):
        return f"{verdict}: {words[0].lower()}{words[1:]}"
    if wanted is NUMBER and (sum_of := total([one.said for one in told])) is not None:
        return f"{sum_of}. {words}"
    place = _POSSESSIVE.search(plain_text(latest.said)) if re.search(r"\bwhere\b", asked) else None
    if place is not None:
        who = re.sub(r"^(?:my|our) ", "your ", place["who"])
        where = f"{place['at']} the {place['x']} of {who}" if place["x"] else f"{place['at']} {who}'s place"
        return f"{where[0].upper()}{where[1:]}. {words}"
    return words


def asked_in(text: str) -> str:
    """The question of an utterance, without what asks for an answer: "Tell me, what's my wife's name?"."""
    sentences = [one.strip() for one in re.split(r"(?<=[.!?])\s+", text.strip()) if one.strip()]
    question = next((one for one in reversed(sentences) if one.endswith("?")), sentences[-1] if sentences else "")
    return re.sub(
        r"^(?:(?:and|so|ok|okay|hey|hi|robot|please|now|well|tell me|remind me|say|quick question|do you (?:still )?"
        r"(?:remember|know)|can you (?:tell|remind) me|could you (?:tell|remind) me|remember)\b[,:]? *)+",
        "",
        question,
        flags=re.IGNORECASE,
    )


def with_later(fact: Told, facts: Sequence[Told], question: str = "") -> list[Told]:
    """A fact with what was told of the same later, and bears on a question."""
    told = _distinct(facts)
    found = next((at for at, one in enumerate(told) if one.said == fact.said), -1)
    return [fact, *_later(told, found, wanted_by(asked_in(question).lower()))] if found >= 0 else [fact]


def _later(told: Sequence[Told], found: int, wanted: re.Pattern[str] | None) -> list[Told]:
    """What was told behind a fact that changes it in what is wanted."""
    bears = _CHANGED if wanted is None else wanted
    every = topics(told)
    own = [words_in(one.said) for one in told]
    return [
        told[at]
        for at in range(found + 1, len(told))
        if ((every[at] > own[at] and own[found] & every[at] - own[at]) or _takes_back(told[at], told[found], wanted))
        and (
            bears.search(told[at].said.lower() if wanted is None else told[at].said)
            or (wanted is NUMBER and is_change(told[at].said))
        )
    ]


def _takes_back(later: Told, fact: Told, wanted: re.Pattern[str] | None) -> bool:
    """Whether what was told later corrects the number, or the time, of the same by its name: "the train is at 9, not
    7"."""
    if wanted is None or _CHANGED.search(later.said.lower()) is None:
        return False
    shared = words_in(wanted.sub("", later.said)) & words_in(wanted.sub("", fact.said))
    return bool(shared) and not is_of_others(plain_text(fact.said), plain_text(later.said))


def _may_answer(asked: str, fact: Told, topic: frozenset[str]) -> bool:
    """Whether a fact is of whom, and of what, a question is: not of the shed's code where the gate's is asked for."""
    value, of = _VALUE.search(asked), _OF.search(asked)
    signs = value is None or bool(topic & words_in(value[1])) or re.search(r"\d", fact.said) is not None
    named = of is None or all(topic & _kin(one) for one in words_in(of[1]))
    return signs and named and not is_of_others(asked, plain_text(fact.said))


def _has(wanted: re.Pattern[str] | None, fact: Told) -> bool:
    return wanted is None or wanted.search(fact.said) is not None


def _people_in(asked: str) -> frozenset[str]:
    """Whom a question is about."""
    named = [*_NAMED.findall(asked), *re.findall(rf"\b(?:{_PEOPLE.replace(' ', '|')})\b", asked.lower())]
    return words_in(" ".join(named))


def _kin(stem: str) -> frozenset[str]:
    """The stems of words that people may mean by one for somebody."""
    groups = (words_in(" ".join(words)) for words in _KIN)
    return like(stem).union(*(words for words in groups if stem in words))


def _distinct(facts: Iterable[Told]) -> list[Told]:
    """Facts of different words."""
    return [*{one.said: one for one in facts}.values()]
