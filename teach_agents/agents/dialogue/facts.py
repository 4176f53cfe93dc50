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


def words_in(text: str) -> frozenset[str]:
    """The words of a text that mean something, without their endings."""
    words = re.findall(r"[a-z]+", text.lower().replace("'s", ""))
    return frozenset(_stem(word) for word in words if word not in _LITTLE)


def _stem(word: str) -> str:
    ending = next((one for one in _ENDINGS if word.endswith(one) and len(word) > len(one) + 2), "")
    return word.removesuffix(ending)[:5]
