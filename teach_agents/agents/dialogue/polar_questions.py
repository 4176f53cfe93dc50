"""Whether what somebody told answers a question by yes or by no: "have I taken my pill?"."""

from __future__ import annotations

import re
from collections.abc import Mapping

from teach_agents.agents.dialogue.facts import like, words_in
from teach_agents.understanding.plain_text import plain_text

_ASKED = re.compile(
    r"(?:(?:so|and|but|now|hey|robot|um|er|please|hm+)\b[ ,]*)*"
    r"(?P<verb>have|has|had|did|do|does|am|is|are|was|were) (?P<who>i|we|my|our|the|[a-z]+)\b(?P<rest>.*)\?"
)
_OPEN = re.compile(
    r"\b(?:need|have to|has to|supposed|should|must|want|going to|or|anything|something|you|not|here|there"
    r"|around|home)\b|n't\b"
)
"""What asks more than whether something is so, or was done."""
_CLAUSES = re.compile(r"[.!?;,]+|\b(?:and|but|so|because)\b")
_NOT = re.compile(r"\b(?:not|never|no|nobody|forgot|without|no longer)\b|n't\b")
_NOT_YET = re.compile(
    r"\b(?:will|shall|going to|gonna|want|need|must|should|have to|has to|might|may|maybe|perhaps|think|if|when|until"
    r"|later|nearly|almost|about to|remind|hope|plan)\b|'ll\b"
)
"""What is not said to be so, nor not to be."""
_PAST = re.compile(r"\b(?:was|were|had|have|has|did|[a-z]{2,}ed)\b|'ve\b|'d\b")
_DONE = frozenset({"have", "has", "had", "did", "was", "were"})
_LATELY = words_in("today yet already ever just now actually really again then still")
_VERBS: Mapping[str, str] = {
    past: verb
    for pair in (
        "took taken take", "ate eaten eat", "drank drunk drink", "fed feed", "gave given give", "paid pay",
        "bought buy", "went gone go", "rang rung ring", "wrote written write", "read read", "sent send",
        "saw seen see", "met meet", "told tell", "left leave", "put put", "shut shut", "made make", "did done do",
        "swept sweep", "had have", "sold sell", "lent lend", "found find", "lost lose", "brought bring",
        "got gotten get",
    )
    for *pasts, verb in (pair.split(),)
    for past in pasts
}  # fmt: skip
"""Verbs by their past."""


def yes_or_no(question: str, told: str) -> str:
    """ "Yes" or "No" where what was told says so in the words of a question; "" where it leaves that open."""
    asked = _ASKED.match(plain_text(question))
    if asked is None or _OPEN.search(asked["rest"]) or asked["verb"] in ("has", "does") and asked["who"] == "i":
        return ""
    wanted = _content(f"{asked['who']} {asked['rest']}") - _LATELY
    for clause in _CLAUSES.split(plain_text(told)):
        said = _content(clause)
        if not wanted or not all(said & like(one) for one in wanted) or _NOT_YET.search(clause):
            continue
        if asked["who"] in ("i", "we", "my", "our") and not re.search(r"\b(?:i|we|my|our|ours|mine)\b", clause):
            continue
        no = _NOT.search(clause) is not None
        past = _PAST.search(clause) is not None or bool({*re.findall("[a-z]+", clause)} & {*_VERBS})
        if no or past or asked["verb"] not in _DONE:
            return "No" if no else "Yes"
    return ""


def _content(text: str) -> frozenset[str]:
    """The words that mean something, verbs as they are of now, and numbers."""
    words = [_VERBS.get(word, word) for word in re.findall(r"[a-z]+", text.lower())]
    return words_in(" ".join(words)) | frozenset(re.findall(r"\d+", text))
