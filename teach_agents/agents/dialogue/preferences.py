"""Which kind of several people said that they use: "bar soap gives me a rash, I only use the liquid one"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from teach_agents.agents.acting.things import Thing
from teach_agents.agents.dialogue.dialogue_state import Told
from teach_agents.agents.dialogue.noun_types import kinds_of
from teach_agents.understanding.noun_phrases import singular

CLAUSES = re.compile(r"[.!?;:,]+|\b(?:so|but|and|because|since|while|whereas|(?:more |better |rather )?than|over)\b")
LIKED = re.compile(
    r"\bonly (?:ever |really )?(?:use|drink|like|want|eat|take|wash|write|read)|\bprefer|\bfavou?rite"
    r"|\balways (?:use|have|take|want)|\blove\b|\brather\b|\bswear by\b|\bstick to\b|\bbest\b|\bgood for my\b"
    r"|\badore|\benjoy|\b(?<!not )(?:fond of|partial to|keen on|mad about|crazy about|nuts about|a sucker for|big on)\b"
    r"|\b(?:can't|cannot|could never) (?:resist|get enough)|\b(?<!not )(?:a|the) (?:\w+ )?fan of\b"
    r"|\b(?:i|we|they) (?:do |really |just |quite |actually )*(?:like|fancy)\b|\b(?:likes|loves|prefers|fancies)\b"
)
DISLIKED = re.compile(
    r"\brash\b|(?<!not )\ballerg|\bhives\b|\bintoleran|\bhate|\bitch"
    r"|\b(?:can't|cannot|couldn't|don't|do not|never) (?:ever |really )?"
    r"(?:stand|use|like|bear|want|touch|have|take|get on|abide|stomach|love|enjoy|eat|drink|care for)"
    r"|\bdetest|\bloathe|\bdespise|\bnot (?:a|the) (?:\w+ )?fan\b|\bnot fond\b|\bdislike|"
    r"\bnot (?:\w+ )?(?:keen|into|big on|partial|mad about|crazy about)\b"
    r"|\bavoid|\bbrings? me out\b"
    r"|\b(?:make|give)s? (?:me|my|him|her|them)\b|\bbad for my\b|\bdries? out\b"
)


def preferred(things: Sequence[Thing], noun: str, facts: Sequence[Told]) -> list[Thing]:
    """Of things of several kinds that bear one name those of the kind that somebody said to use, else those of none
    that somebody said to be bad for them; all where nothing was said."""
    kinds = {thing.object_type for thing in things}
    if len(kinds) < 2:
        return [*things]
    for fact in reversed(facts):
        liked, disliked = _told(fact.said, noun, kinds)
        wanted = liked or (kinds - disliked if disliked else set())
        if wanted and wanted != kinds:
            return [thing for thing in things if thing.object_type in wanted]
    return [*things]


def _told(said: str, noun: str, kinds: set[str]) -> tuple[set[str], set[str]]:
    """The kinds that words speak well of, and those that they speak ill of."""
    liked, disliked = set[str](), set[str]()
    for clause in CLAUSES.split(said.lower().replace("\u2019", "'")):
        named = {kind for one in _named(clause, noun, kinds) for kind in one}
        if DISLIKED.search(clause) is not None:
            disliked |= named
        elif LIKED.search(clause) is not None:
            liked |= named
    return liked - disliked, disliked - liked


def _named(clause: str, noun: str, kinds: set[str]) -> Iterator[set[str]]:
    """The kinds that words of a clause tell apart: of soap "bar" and "liquid"."""
    for word in map(singular, re.findall(r"[a-z]+", clause)):
        for name in (f"{word}_{noun}", word):
            told = kinds & {*kinds_of(name)}
            if told and told != kinds:
                yield told
                break
