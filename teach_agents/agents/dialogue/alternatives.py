"""What would do as well: "the sofa or one of the armchairs", "bed, desk, whatever", `bed_or_desk`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from teach_agents.agents.dialogue.choices import tells_which
from teach_agents.agents.dialogue.noun_types import kinds_of
from teach_agents.core.dialogue import Phrase
from teach_agents.understanding.noun_phrases import noun_phrase

_OR = re.compile(
    r"(?:,? or|/)(?: else)?(?: (?:in|on|into|onto|at)\b)?(?: one of\b)? "
    r"?(?P<other>[a-z' ]+?)(?= then\b| please\b| instead\b| or\b|[,.;!?/]|$)"
)
"""What follows the name of what would do, and is followed by what would do as well."""
_LIST = re.compile(r",(?: or| maybe)?(?: (?:in|on|into|onto|at)\b)? (?P<other>[a-z' ]+?)(?= or\b|[,.;!?]|$)")
_ALL_THE_SAME = re.compile(
    r"\b(?:whatever|wherever|whichever|either|any of (?:them|those|these)|one of those|no matter|up to you"
    r"|all the same to me|you (?:choose|pick|decide)|(?:do not|don't) (?:care|mind)"
    r"|does ?n[o']t matter|not fussed|not bothered)\b"
)
"""What tells of things in a row that any of them would do."""


def with_alternatives(phrase: Phrase, text: str) -> Phrase:
    """A description with what would do as well, as its words in `text`, in lower case, have it."""
    first, *others = phrase.noun.split("_or_")
    named = [Phrase(first), *map(Phrase, others)]
    if not others and (phrase.looks or phrase.place is not None or phrase.count not in ("", "any")):
        return phrase
    if not others and tells_which(text):
        return phrase
    if not others:
        named += _named_behind(phrase.noun.replace("_", " "), text)
    if len(named) < 2 or not all(kinds_of(one.noun) for one in named):
        return phrase
    looks = tuple(word for one in named[:-1] for word in (one.noun, "or"))
    return replace(phrase, noun=named[-1].noun, count="any", looks=looks)


def _named_behind(name: str, text: str) -> Iterator[Phrase]:
    """What is named behind a name as what would do as well."""
    start = re.search(rf"\b{re.escape(name)}s?(?=,|/| or )", text)
    at = start.end() if start is not None else -1
    is_list = _ALL_THE_SAME.search(text) is not None or _OR.search(text) is not None
    while at >= 0:
        found = _OR.match(text, at) or (_LIST.match(text, at) if is_list else None)
        other = noun_phrase(found["other"]) if found is not None else None
        plain = other is not None and not other.looks and other.place is None and bool(kinds_of(other.noun))
        if found is None or other is None or not plain:
            return
        yield other
        at = found.end()
