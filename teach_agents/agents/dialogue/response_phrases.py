"""What is said on occasions that need no knowledge of the room."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from teach_agents.core.dialogue import Act

GREETING = "Hello. What can I do for you?"
"""What a Follower says first to a person, who need not have a task."""


@cache
def _table(name: str) -> Mapping[str, Sequence[str]]:
    found: Mapping[str, Sequence[str]] = json.loads((Path(__file__).parent / name).read_text(encoding="utf8"))
    return found


def in_language(name: str) -> str:
    """One sentence in a language, by its English name, that English is understood; in English too where unknown."""
    told = _table("languages.json").get(name)
    return str(told) if told is not None else "I am sorry, I understand English only."


NOTED = "noted"
_ACKNOWLEDGING = (NOTED, "forbidden", "allowed", "forgotten")


def acknowledged(words: str) -> str:
    """The occasion whose words these are, of those that only acknowledge what was told; "" where they say more."""
    table = _table("response_phrases.json")
    return next((occasion for occasion in _ACKNOWLEDGING if words in table[occasion]), "")


class Voice:
    """Says what an occasion calls for, and not twice in a row in the same words."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._last: dict[str, str] = {}

    def say(self, occasion: str) -> str:
        """Words for an occasion of `response_phrases.json`."""
        words = [one for one in _table("response_phrases.json")[occasion] if one != self._last.get(occasion)]
        chosen = self._last[occasion] = self._rng.choice(words)
        return chosen


OCCASIONS: Mapping[Act, str] = {
    Act.HELLO: "hello",
    Act.BYE: "bye",
    Act.THANKS: "thanks",
    Act.PRAISE: "praise",
    Act.SORRY: "sorry",
    Act.OK: "next",
    Act.COMPLAIN: "complain",
    Act.WRONG: "wrong",
    Act.CHAT: "chat",
    Act.SLOWER: "pace",
    Act.FASTER: "pace",
    Act.YES: "no question",
    Act.NO: "no question",
    Act.ANY: "no question",
    Act.CHOOSE: "which order",
    Act.DONT_KNOW: "no question",
}
"""By what is said, the occasion that it is, for `Voice.say`."""
