"""What a person told, kept in their words: which of it answers a question, which of it is to be forgotten."""

from __future__ import annotations

import re
from collections.abc import Sequence

from teach_agents.agents.dialogue.dialogue_state import Told

_LITTLE = frozenset(
    """a about again all am an and any are as at be been but by can could did do does down for from had has have he
    her here him his how i if in into is it just know many may me might much must my no not now of on onto or
    our out over please right said say shall she should so some still tell than that the their them then there
    these they this those time to under up us was we were what when where which who whom whose why will with
    would wrong you your""".split()
)
_ENDINGS = ("ing", "ies", "es", "ed", "s")
_NUMBER = re.compile(
    r"\b(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|a dozen|both|half|a couple)\b",
    re.IGNORECASE,
)
_TIME = re.compile(
    r"\b(?:\d+|noon|midday|midnight|tonight|tomorrow|today|morning|evening|afternoon|(?:mon|tues|wednes|thurs|fri|satur|sun)day"
    r"|january|february|march|april|may|june|july|august|september|october|november|december|one|two|three|four|five|six"
    r"|seven|eight|nine|ten|eleven|twelve|half past|quarter)\b",
    re.IGNORECASE,
)
_ASKED = (
    (re.compile(r"\bhow (?:many|much|old|long)\b|\bwhat number\b"), _NUMBER),
    (re.compile(r"\bwhen\b|\bwhat (?:time|day|date)\b|\bwhich day\b"), _TIME),
    (
        re.compile(r"\bwho(?:se|m)?\b|\bwhat (?:is|was) (?:his|her|their|the [a-z]+'s) name\b"),
        re.compile(r"\b[A-Z][a-z]+\b|'s\b"),
    ),
)
"""What a question asks for, and what has that."""
_WE = re.compile(r"\b(?:we|us|people|persons?|guests?|visitors?|everybody|everyone|com(?:e|es|ing)|join\w*)\b")
_CHOOSES = re.compile(r"\b(?:who|whom|whose|when|which|what)\b")
"""What asks for one of several facts: the one that has most of its words."""
_REPORTS = re.compile(
    r"(?:^|[.!,;] |\b(?:that|but|and|so|because) )"
    r"(?:i|we|he|she|they|there|(?:my|our|the|his|her) [a-z]+(?: [a-z]+)?|[a-z]+)"
    r"(?:'ve|'s|'d|'ll|'re| have| has| had| was| were| will| did|'m going| am going| took| went| came| got| left"
    r"| gave| saw| met| lost| found| said| called| rang| bought| made| put| ate| drank| fed| paid| forgot| promised)\b"
)
"""What tells something that happened, or will."""
_PASSING = 4
"""Fewer words tell nothing."""
_ENOUGH = 2
"""Words that a question has to share with a fact, where it has as many."""


def told_about(question: str, facts: Sequence[Told]) -> Told | None:
    """The latest fact that has every word of a question that means something; `None` where none has.

    One word is enough only where the question asks whose something is.
    """
    asked = words_in(question)
    if len(asked) < _ENOUGH and not (asked and re.search(r"\bwhose\b", question.lower())):
        return None
    return next((fact for fact in reversed(facts) if asked <= words_in(fact.said)), None)


def told_of_what(question: str, facts: Sequence[Told]) -> Told | None:
    """The latest fact that may answer a question which nothing else does: it shares a word with it, or is of people
    where that asks how many they are; and it has a number, a time or a name where such a thing is asked for."""
    sentences = [one for one in re.split(r"(?<=[.!?])\s+", question.strip()) if one]
    asked = next((one for one in reversed(sentences) if one.endswith("?")), question).lower()
    wanted = next((sign for ask, sign in _ASKED if ask.search(asked)), None)
    words, people = words_in(asked), _WE.search(asked) is not None
    fitting = [fact for fact in reversed(facts) if wanted is None or wanted.search(fact.said) is not None]
    shared = [len(words & words_in(fact.said)) for fact in fitting]
    if _CHOOSES.search(asked) and shared and max(shared):
        return fitting[shared.index(max(shared))]
    for fact, number in zip(fitting, shared, strict=True):
        if number or (people and wanted is _NUMBER and _WE.search(fact.said.lower())):
            return fact
    return None


def tells_a_number(text: str) -> bool:
    """Whether words that were said in passing hold what may be asked for later: a number, a time."""
    found = _NUMBER.search(text) or _TIME.search(text)
    return found is not None and "?" not in text and len(text.split()) >= _PASSING


def tells_a_report(text: str) -> bool:
    """Whether words that were said in passing tell what happened, or will: "I've just taken my pills"."""
    plain = text.lower().replace("\u2019", "'")
    told = _REPORTS.search(plain) is not None and len(words_in(plain)) >= _ENOUGH
    return told and "?" not in text and len(text.split()) >= _PASSING


def told_of(noun: str, facts: Sequence[Told]) -> Told | None:
    """The latest fact about what a noun names, wherever that is; `None` where there is none."""
    of_it = (fact for fact in reversed(facts) if fact.noun == noun)
    word = re.compile(rf"\b{re.escape(noun.replace('_', ' '))}s?\b")
    said = (fact for fact in reversed(facts) if not fact.noun and word.search(fact.said.lower()))
    return next(of_it, None) or next(said, None)


def touched_by(text: str, facts: Sequence[Told]) -> list[Told]:
    """The facts that share a word with what somebody says of them."""
    said = words_in(text)
    return [fact for fact in facts if said & words_in(fact.said)]


def as_told(told: Told) -> str:
    """A fact in the words in which it was told."""
    return f'You told me: "{told.said.strip()}"' + ("" if told.said.rstrip().endswith((".", "!")) else ".")


def words_in(text: str) -> frozenset[str]:
    """The words of a text that mean something, without their endings."""
    words = re.findall(r"[a-z]+", text.lower().replace("'s", ""))
    return frozenset(_stem(word) for word in words if word not in _LITTLE)


def _stem(word: str) -> str:
    ending = next((one for one in _ENDINGS if word.endswith(one) and len(word) > len(one) + 2), "")
    return word.removesuffix(ending)[:5]
