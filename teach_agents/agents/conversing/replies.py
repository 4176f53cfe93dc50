"""What is said on occasions that need no knowledge of the room, and orders and descriptions put back into words."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from teach_agents.core.dialogue import DialogueAct, Phrase
from teach_agents.understanding.english.lexicon import number_word

_VERBS: Mapping[str, str] = {
    "get": "bring you {x}",
    "come": "come to you",
    "put_back": "put {x} back",
    "drop": "put {x} down",
    "throw_away": "throw {x} away",
    "turn_on": "turn {x} on",
    "turn_off": "turn {x} off",
    "find": "look for {x}",
    "do": "{x}",
}
"""Orders in words, where the verb's own name is none."""
_RELATIONS: Mapping[str, str] = {
    "near": "next to",
    "left": "to the left of",
    "right": "to the right of",
    "front": "in front of",
}
_BARE = frozenset("it them that this there here me you us everything something anything coffee water".split())


@cache
def _table(name: str) -> Mapping[str, Sequence[str]]:
    found: Mapping[str, Sequence[str]] = json.loads((Path(__file__).parent / name).read_text(encoding="utf8"))
    return found


def in_language(name: str) -> str:
    """One sentence in a language, by its English name, that English is understood; in English too where unknown."""
    told = _table("languages.json").get(name)
    return str(told) if told is not None else "I am sorry, I understand English only."


class Voice:
    """Says what an occasion calls for, and not twice in a row in the same words."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._last: dict[str, str] = {}

    def say(self, occasion: str) -> str:
        """Words for an occasion of `replies.json`."""
        words = [one for one in _table("replies.json")[occasion] if one != self._last.get(occasion)]
        chosen = self._last[occasion] = self._rng.choice(words)
        return chosen


def order_in_words(order: DialogueAct) -> str:
    """An order as one speaks of it: "put the mug in the sink"."""
    pattern = _VERBS.get(order.about, f"{order.about.replace('_', ' ')} {{x}}")
    what = [phrase_in_words(slot.phrase) for slot in order.slots if not slot.role]
    rest = [f"{slot.role} {phrase_in_words(slot.phrase)}" for slot in order.slots if slot.role and slot.role[0] != ":"]
    return " ".join([pattern.format(x=" and ".join(what)).strip(), *rest])


def phrase_in_words(phrase: Phrase) -> str:
    """A description as one speaks of it: "the two dirty plates on the table"."""
    name = phrase.noun.replace("_", " ")
    if phrase.noun in _BARE or " " in phrase.noun:
        return name
    several = phrase.count in ("all", "rest") or (phrase.count.isdecimal() and phrase.count != "1")
    if several and not name.endswith("s"):
        name = f"{name}es" if name.endswith(("sh", "ch", "x", "o")) else f"{name}s"
    count = {"all": "all the", "rest": "the other", "": "the", "any": "any", "some": "some", "another": "another"}
    first = "the other" if phrase.count == "other" else count.get(phrase.count, "")
    if phrase.count.isdecimal():
        first = f"the {number_word(int(phrase.count))}"
    if phrase.noun in ("one", "that", "this") and first == "the" and not phrase.looks:
        first, name = "", "that one" if phrase.noun != "this" else "this one"
    words = " ".join(part for part in (first, *phrase.looks, name) if part)
    if phrase.place is not None:
        relation, mark = phrase.place
        words += f" {_RELATIONS.get(relation, relation)} {phrase_in_words(mark)}"
    return words if phrase.holds is None else f"{words} with {phrase_in_words(phrase.holds)}"
