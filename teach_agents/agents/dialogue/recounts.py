"""How many people or things there are, as it was told, and by how much that changed later: "that's one less"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from teach_agents.understanding.english.phrasebook import NUMBERS
from teach_agents.understanding.plain_text import plain_text

NUMBER = re.compile(
    r"\b(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|a dozen|both|half|a couple)\b",
    re.IGNORECASE,
)
COMES_TO = re.compile(
    r"\b(?:so|it'?s|it is|that'?s|makes(?: it| us)?|make (?:it|that)|(?:we|they)(?:'re| are|'ll be| will be)"
    r"|there(?:'s| are| is|'ll be| will be)|leaves(?: us)?|leaving(?: us)?|down to|up to|total(?: of)?|altogether)"
    rf"(?: (?:only|just|now|down to|up to|all|still|about|around|with|back to))* (?P<number>{NUMBER.pattern})"
    r"(?! (?:o'?clock|am|pm|past|more)\b|:)(?= (?:now|then|in total|altogether|again|of us|people|left)|\W*$|[,.;!])",
    re.IGNORECASE,
)
"""What a number comes to that was told to be another before: "so it's only 6", "that makes nine"."""
COUNTED = re.compile(
    rf"{NUMBER.pattern} (?:more |other |new |small |big )?"
    r"(?!hours|minutes|days|weeks|months|years|times|degrees|euros|dollars|pounds)(?:[a-z]{2,}s|people|children|men|women"
    r"|of us|of them|of you)\b"
    rf"|\b(?:we|they)(?:'re| are|'ll be| will be) (?:only |about )?{NUMBER.pattern}\b(?! o'?clock| years?)",
    re.IGNORECASE,
)
"""Things or people that are counted."""
_MORE_OR_LESS = re.compile(
    rf"\b(?P<number>{NUMBER.pattern}|another|an extra)(?: (?:people|persons?|guests?|of (?:us|them|you|those)))?"
    r" (?P<sign>less|fewer|more|extra|additional)\b"
    r"(?=\W*$|[,.;!]| (?:people|persons?|guests?|friends?|visitors?|kids?|children|is|are|will|coming|for|of us|joins?"
    r"|has|have|now|then|than)\b)"
    rf"|\b(?P<word>plus|minus) (?P<count>{NUMBER.pattern})\b"
)
_COMES = re.compile(
    r"\b(?:is|'s) (?:also )?(?:joining|coming (?:too|as well|along|after all)|tagging along)\b"
    r"|\b(?:is|'s) also coming\b"
    r"|\b(?:is|'s) bringing (?:an?|her|his|their) [a-z]+\b|\bbrings (?:an?|her|his|their) [a-z]+\b"
)
_STAYS_AWAY = re.compile(
    r"\b(?:cancelled|canceled|can't (?:come|make it)|cannot (?:come|make it)|not coming|isn't coming|won't (?:come"
    r"|be there|make it)|dropped out|called off|backed out)\b"
)
_SEVERAL = re.compile(r"\b(?:and|both|are|were|have|they|we|all|none|nobody|everybody|everyone)\b")


def recounts(said: str) -> bool:
    """Whether words change a number that was told before, by telling it anew or by how much."""
    plain = plain_text(said)
    return COMES_TO.search(plain) is not None or is_change(said)


def is_change(said: str) -> bool:
    """Whether words tell that there are more, or less, than before."""
    plain = plain_text(said)
    return any(sign.search(plain) for sign in (_MORE_OR_LESS, _COMES, _STAYS_AWAY))


def total(told: Sequence[str]) -> int | None:
    """What a number comes to that was changed by what was told later; `None` where none was, or it is not plain."""
    first, *later = map(plain_text, told)
    begun = NUMBER.search(first)
    changes = [_change(one) for one in later]
    if begun is None or not later or not digits(begun[0]).isdecimal() or any(one is None for one in changes):
        return None
    return int(digits(begun[0])) + sum(one or 0 for one in changes)


def _change(plain: str) -> int | None:
    """By how much a number changes; `None` where that is not plain."""
    told = _MORE_OR_LESS.search(plain)
    if told is None:
        away, comes = _STAYS_AWAY.search(plain), _COMES.search(plain)
        one = NUMBER.search(plain) is None and _SEVERAL.search(plain) is None and (away is None) is not (comes is None)
        return (1 if comes is not None else -1) if one else None
    number = digits(told["number"] or told["count"])
    number = "1" if number.startswith("an") else number
    less = (told["sign"] or told["word"]) in ("less", "fewer", "minus")
    return int(number) * (-1 if less else 1) if number.isdecimal() else None


def digits(number: str) -> str:
    """A number as digits, where it is one of those that people write in words."""
    plain = number.lower()
    return str(NUMBERS.index(plain)) if plain in NUMBERS else plain
