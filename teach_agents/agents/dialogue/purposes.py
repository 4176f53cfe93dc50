"""What things are, for whoever asks what something is, or for something to do something with."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

from teach_agents.core.dialogue import Phrase

_ANY = frozenset({"something", "anything", "thing"})
_FOOD = frozenset({"food", "fruit", "vegetable"})


@cache
def _purposes() -> Mapping[str, str]:
    found: Mapping[str, str] = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf8"))
    return found


def purpose(kind: str) -> str:
    """What a thing of a type is: "a deep spoon to serve soup with"; "" where nothing is written of it."""
    return _purposes().get(kind.removesuffix("Basin"), "")


def with_purpose(phrase: Phrase) -> tuple[Phrase, frozenset[str]]:
    """ "Something to write with", "a writing thing": the types that are for that, if any are; "something to drink" is a
    drink."""
    words = (*phrase.looks, *phrase.noun.split("_"))
    doing = words[-2] if len(words) > 1 and words[-1] in _ANY and words[-2].endswith("ing") else ""
    if doing:
        stem = doing.removesuffix("ing")
        kinds = _for(rf"(?:{stem}e?|{stem[:-1]})\b") if len(stem) > 2 else frozenset()
        return phrase, kinds
    if len(words) < 3 or words[0] not in _ANY or words[1] != "to":
        return phrase, frozenset()
    if words[2:] == ("drink",):
        return replace(phrase, noun="drink", looks=()), frozenset()
    if words[2:] == ("eat",):
        raw = {kind: text for kind, text in _purposes().items() if "cook" not in text}
        return phrase, frozenset(kind for kind, text in raw.items() if _FOOD & {*text.replace(",", "").split()[:3]})
    verb, *rest = map(re.escape, words[2:])
    exact = rf"{verb}(?: and \w+)?{''.join(f' {word}' for word in rest)}\b"
    loosely = rf"{verb}(?: \w+){{0,3}} {rest[-1]}\b" if rest else exact
    return phrase, (_for(exact) if len(rest) != 1 else frozenset()) or _for(loosely)


def _for(what: str) -> frozenset[str]:
    """The types that are written of as being for what a pattern matches."""
    wanted = re.compile(rf"\bto (?:\w+ and )?{what}")
    return frozenset(kind for kind, text in _purposes().items() if wanted.search(text))
