"""The words of the rules by which English is read: sentences, courtesies, nouns, little words, in a data file.

`orders`, `asked`, `said` and `answers` are patterns, of which the first that fits decides; in them `{x}` and `{y}`
stand for noun phrases, `{into}` for a preposition of place, `{state}`, `{way}` and `{n}` for what their tables hold.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

_INTO = "(?P<role>in|on|into|onto|inside|on top of|near|next to|by|beside|at)"


@cache
def grammar() -> Mapping[str, Any]:
    """All tables by name."""
    found: Mapping[str, Any] = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf8"))
    return found


@cache
def pattern(text: str, *, shortest: bool = False) -> re.Pattern[str]:
    """A pattern with its slots filled in, the first as long, or as short, as can be."""
    slots = {"x": "(?P<x>.+?)" if shortest else "(?P<x>.+)", "y": "(?P<y>.+)", "n": "(?P<n>\\d+|[a-z]+)", "into": _INTO}
    slots |= {"state": f"(?P<state>{grammar()['state']})", "way": f"(?P<way>{'|'.join(grammar()['ways'].values())})"}
    longest_first = re.sub(r"\(\?:([a-z' |]+)\)", lambda found: f"(?:{'|'.join(_longest(found[1].split('|')))})", text)
    return re.compile(re.sub(r"\{([a-z]+)\}", lambda found: slots[found[1]], longest_first))


def _longest(phrases: Sequence[str]) -> list[str]:
    """Phrases, the longer ones first: where one begins another, the whole of it is meant."""
    return sorted(phrases, key=len, reverse=True)


@cache
def any_of(name: str) -> str:
    """The phrases of a table as one alternative, the longest first."""
    return "|".join(_longest(list(map(re.escape, grammar()[name]))))
