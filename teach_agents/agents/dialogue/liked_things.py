""" "The one I do like", "Ann's favourite": things by what was told that somebody likes, or cannot stand."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from teach_agents.agents.dialogue.dialogue_state import Told
from teach_agents.agents.dialogue.noun_mentions import mentions_in
from teach_agents.agents.dialogue.noun_types import ANYTHING, PRONOUNS, kinds_of
from teach_agents.agents.dialogue.preferences import CLAUSES, DISLIKED, LIKED
from teach_agents.core.dialogue import Phrase
from teach_agents.tasks.classes import object_classes
from teach_agents.understanding.plain_text import plain_text

_ASKED = re.compile(
    r"\b(?:ones?|things?|what(?:ever)?|stuff|which(?:ever)?) (?:that |which )?(?:of (?:them|those|these|the two) )?"
    r"(?:(?P<who>[a-z]+)(?:'s| am| is| are)? )(?:(?:do|does|did|really|actually|said|say|says|i|he|she) )*"
    r"(?:like|love|prefer|adore|enjoy|fancy|hate|detest|loathe|dislike|fond of|partial to|keen on|allergic to"
    r"|(?P<not>(?:can't|cannot|could not|couldn't|don't|do not|doesn't|does not) [a-z]+))s?\b"
)
"""How people ask for what they like, or do not."""
_LIKED_LOOKS = frozenset({"liked", "preferred", "favourite", "favorite", "loved", "beloved", "adored", "best-loved"})
_DISLIKED_LOOKS = frozenset({"disliked", "hated", "unloved", "unliked", "detested", "loathed"})
_SUBJECT = re.compile(
    r"\b(i|he|she|we|they|[a-z]+(?= (?:(?:really|only|always|just) )?(?:likes|loves|hates|prefers|adores|enjoys|can't"
    r"|cannot|doesn't|does not|detests|loathes|dislikes|eats|drinks|would rather)|'s favou?rite| is (?:not )?"
    r"(?:fond|keen|allergic|partial|mad|crazy)))\b"
)
_ORDERED = re.compile(
    r"\b(?:give|make) (?:me|us)\b|(?:^|[.!?;,] ?|\b(?:please|and|then|to|you) )(?:give|make) (?:him|her|them)\b"
)
"""What wants something, and is none of the things that do not agree with somebody."""
_CAN = re.compile(r"\b(?:can't|cannot|can not|can)\b")
_ANYBODY = frozenset({"", "he", "she", "they", "you"})
"""Who may be whoever was spoken of."""


def liked_in(phrase: Phrase, text: str, facts: Sequence[Told]) -> Phrase | None:
    """ "The one I do like", "her favourite fruit", "the one he can't stand": what was said to be so; `None` where the
    words ask for no such thing, or nothing was said of it."""
    plain = _plain(text)
    asked = _ASKED.search(plain)
    if asked is not None and asked["not"] and DISLIKED.search(asked[0]) is None:  # "the one I cannot reach"
        asked = None
    looks = {*phrase.looks} & (_LIKED_LOOKS | _DISLIKED_LOOKS)
    named = phrase.noun not in PRONOUNS | ANYTHING and not phrase.noun.startswith(("what_", "one_"))
    if named and not looks:
        return None
    if not looks and asked is None:
        return None
    disliked = bool(looks & _DISLIKED_LOOKS) or (asked is not None and DISLIKED.search(asked[0]) is not None)
    who = asked["who"] if asked is not None else ""
    kinds = {*kinds_of(phrase.noun)} if named else set[str]()
    for fact in reversed(facts):
        nouns = _so_said(fact.said, disliked=disliked, who=who)
        fitting = [noun for noun in nouns if not kinds or kinds & _with_classes(noun)]
        if fitting:
            left = tuple(look for look in phrase.looks if look not in looks)
            return replace(phrase, noun=fitting[0], looks=left)
    return None


def better_liked(names: Sequence[str], known: Sequence[str], *, who: str, like: str) -> str:
    """Which of two things somebody likes, or does not where words `like` ask for that, by the latest that was told of
    either; "" where nothing tells."""
    first, second = names
    for said in reversed(known):
        for noun, other in ((first, second), (second, first)):
            liked = _is_among(noun, _so_said(said, disliked=False, who=who))
            disliked = _is_among(other, _so_said(said, disliked=True, who=who))
            if (liked and not _is_among(other, _first(_so_said(said, disliked=False, who=who)))) or disliked:
                return other if DISLIKED.search(f"i {like}") or like.endswith("least") else noun
    return ""


def _is_among(noun: str, nouns: Iterator[str]) -> bool:
    kinds = {*kinds_of(noun)}
    return any(noun == one or kinds & _with_classes(one) for one in nouns)


def _first(nouns: Iterator[str]) -> Iterator[str]:
    return itertools.islice(nouns, 1)


def disliked_in(text: str) -> list[str]:
    """The things of which words do nothing but speak ill, or tell that somebody cannot have them."""
    plain = _ORDERED.sub("", _plain(text))
    clauses = [one for one in CLAUSES.split(plain) if DISLIKED.search(one) is None]
    wanted = {noun for one in clauses for noun in mentions_in(one)}
    return [noun for noun in _so_said(plain, disliked=True, who="") if noun not in wanted]


def tells_a_preference(text: str) -> bool:
    """Whether words speak well, or ill, of things that households have."""
    return any(any(True for _ in _so_said(text, disliked=bad, who="")) for bad in (False, True))


def _with_classes(noun: str) -> set[str]:
    return {one for kind in kinds_of(noun) for one in (kind, *object_classes(kind))}


def _so_said(said: str, *, disliked: bool, who: str) -> Iterator[str]:
    """The things of which words speak well, or ill; of what somebody likes, where a clause names them."""
    plain, subject = _plain(said), ""
    for clause in CLAUSES.split(plain):
        subject = next(iter(_SUBJECT.findall(clause)), subject)
        bad = DISLIKED.search(clause) is not None
        good = not bad and LIKED.search(clause) is not None
        if (bad if disliked else good) and (who in _ANYBODY or not subject or who == subject):
            yield from mentions_in(_CAN.sub("", clause))


def _plain(text: str) -> str:
    """A plain text with the apostrophes of "dont" and "cant"."""
    return re.sub(r"\b(don|doesn|didn|can|couldn|isn|aren)t\b", r"\1't", plain_text(text))
