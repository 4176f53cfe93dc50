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
_TOOLS = frozenset({"item", "object", "tool", "utensil", "instrument", "implement", "material"})
"""Words for any thing that is for something, with which people say for what."""
_FOOD = frozenset({"food", "fruit", "vegetable"})


@cache
def _purposes() -> Mapping[str, str]:
    found: Mapping[str, str] = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf8"))
    return found


def purpose(kind: str) -> str:
    """What a thing of a type is: "a deep spoon to serve soup with"; "" where nothing is written of it."""
    return _purposes().get(kind.removesuffix("Basin"), "")


def _as_infinitive(phrase: Phrase) -> tuple[str, ...]:
    """Words of a description; of "a writing thing", "the thing for writing", "something +writing" as if "to write"."""
    words = (*phrase.looks, *phrase.noun.split("_"))
    held = (phrase.holds.noun,) if phrase.holds is not None else ()
    named = [word for word in (*words, *held) if word not in _ANY | _TOOLS | {"for", "the", "a", "with", "to"}]
    single = len(named) == 1 and named[0].endswith("ing") and "to" not in words and (_ANY | _TOOLS) & {*words}
    stem = named[0].removesuffix("ing") if single else ""
    for verb in (stem, f"{stem}e", stem[:-1]) if len(stem) > 2 else ():
        if any(re.search(rf"\bto (?:\w+ and )?{re.escape(verb)}\b", text) for text in _purposes().values()):
            return ("something", "to", verb)
    return words


def with_purpose(phrase: Phrase) -> tuple[Phrase, frozenset[str]]:
    """ "Something to write with": the types that are for that, if any are; "something to drink" is a drink."""
    words = _as_infinitive(phrase)
    if len(words) < 3 or words[0] not in _ANY or words[1] != "to":
        return phrase, frozenset()
    if words[2:] == ("drink",):
        return replace(phrase, noun="drink", looks=()), frozenset()
    if words[2:] == ("eat",):
        raw = {kind: text for kind, text in _purposes().items() if "cook" not in text}
        return phrase, frozenset(kind for kind, text in raw.items() if _FOOD & {*text.replace(",", "").split()[:3]})
    verb, *rest = map(re.escape, words[2:])
    wanted = re.compile(rf"\bto (?:\w+ and )?{verb}(?: and \w+)?{''.join(f' {word}' for word in rest)}\b")
    return phrase, frozenset(kind for kind, text in _purposes().items() if wanted.search(text))
