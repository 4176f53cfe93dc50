"""Measures in words: how far to go, and how much of a turn to make, in each of the ways that an utterance names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from teach_agents.understanding.english.phrasebook import NUMBERS

STEP_M = 0.25
"""Metres of one step."""
QUARTER = 90
"""Degrees of one turn."""
_METRES: Mapping[str, float] = {
    **dict.fromkeys(("cm", "centimetre", "centimeter"), 0.01),
    **dict.fromkeys(("m", "metre", "meter"), 1.0),
    **dict.fromkeys(("inch", "inche"), 0.0254),
    **dict.fromkeys(("foot", "feet", "ft"), 0.3048),
    "yard": 0.9144,
}
_TENS = {
    word: 10 * number
    for number, word in enumerate("ten twenty thirty forty fifty sixty seventy eighty ninety hundred".split(), 1)
}
_COUNTS = {**{word: number for number, word in enumerate(NUMBERS)}, "fifteen": 15, **_TENS}
_AMOUNTS: Mapping[str, float] = {
    "half a dozen": 6,
    **dict.fromkeys(("a dozen", "dozen"), 12),
    **dict.fromkeys(("a couple of", "a couple", "couple of", "couple"), 2),
    **dict.fromkeys(("a few", "few", "several"), 3),
    **dict.fromkeys(("three quarters of a", "three-quarters of a"), 0.75),
    **dict.fromkeys(("a quarter of a", "quarter of a"), 0.25),
    **dict.fromkeys(("half a", "half an", "half the", "half", "a half", "1/2", "½"), 0.5),
    **dict.fromkeys(("a", "an", "another"), 1),
}
_LISTED = "|".join(sorted(_AMOUNTS, key=len, reverse=True))
_COUNT = rf"\d+(?:[.,]\d+)?|(?:{'|'.join(_TENS)})[ -](?:{'|'.join(NUMBERS[1:10])})|{'|'.join(_COUNTS)}"
_NUMBER = rf"(?P<number>(?:{_COUNT})(?: and a half)?|{_LISTED})"
_SORT = r"(?:(?:more|further|extra|little|small|tiny|baby|big|large|good|full|whole|or so)\s+)*"
_DISTANCE = re.compile(
    rf"(?<![\w.]){_NUMBER}[\s-]*{_SORT}"
    r"(?P<unit>(?:cm|centimet(?:re|er)|met(?:re|er)|inche?|yard)s?|foot|feet|ft|(?<=\d)m|(?<=\d )m)\b"
    r"(?P<half> and (?:a )?half)?"
)
_PACES = re.compile(rf"(?<![\w.]){_NUMBER}[\s-]*{_SORT}(?:steps?|paces?)\b")
_ROUND = r"full|whole|complete|entire"
_TURN = r"(?:turns?|rotations?|revolutions?|circles?|spins?|twirls?|round)"
_ANGLE = re.compile(
    rf"(?<![\w.])(?P<number>\d+|(?:(?:one|a) )?hundred (?:and )?eighty|one[ -]eighty|two[ -]seventy|(?:{_COUNT}))"
    r"(?:\s*(?:°|deg(?:ree)?s?\b)|(?<=90)\b|(?<=180)\b|(?<=270)\b|(?<=360)\b|(?<=eighty)\b|(?<=ninety)\b)"
    rf"|\b(?P<quarters>three|3)[ -]quarters?(?: of a)?(?: {_TURN})?\b"
    r"|\b(?:(?P<times>two|three) )?(?:quarter|right[ -]angle)\b"
    rf"|\b(?P<half>half (?:an? )?{_TURN}|half[ -]?way (?:a?round)?|about[ -](?:turn|face))\b"
    rf"|\b(?P<full>(?:{_ROUND}) (?:\w+ )?{_TURN})\b"
)
_WAYS: Mapping[str, str] = {
    "forward": r"forwards?|ahead|in front|closer|nearer|advance|straight on",
    "back": r"back(?:wards?)?|reverse|retreat|away",
    "left": r"left|anti-?clockwise|counter-?clockwise",
    "right": r"right|clockwise",
}
_NAMED = {way: re.compile(rf"(?<![\w-])(?:{words})\b") for way, words in _WAYS.items()}
_MARK = re.compile(r"<(\d+)>")
_BORDER = re.compile(r"[,.;:!?]+|\b(?:and|then|but|before|after)\b")


def steps_said(text: str, way: str) -> int | None:
    """How many steps the words have one go that way ("forward", "back", "left", "right"); `None` where they do not
    say so in metres, feet or the like: "half a metre", "20 inches". What is less than a step is one."""
    metres = _measured(text, _DISTANCE, _metres).get(way)
    return None if metres is None else max(1, round(metres / STEP_M))


def paces_said(text: str) -> int | None:
    """How many steps the words speak of: "two steps", "a few more paces"; `None` where they count none."""
    found = _PACES.search(text)
    return None if found is None else max(1, round(_number(found["number"])))


def degrees_said(text: str, way: str = "") -> int | None:
    """How far the words have one turn that way, or turn at all where none is asked for: "a quarter turn", "180"."""
    found = _measured(text, _ANGLE, _degrees)
    degrees = found.get(way) if way else next(iter(found.values()), None)
    return None if degrees is None else round(degrees)


def _measured(text: str, measure: re.Pattern[str], value: Callable[[re.Match[str]], float]) -> Mapping[str, float]:
    """What the words measure, by the way in which that is: the nearest that the clause has; where it has none, those of
    the clause before it, or behind it, that has no measure. All ways, where none is named."""
    values: list[float] = []

    def marked(found: re.Match[str]) -> str:
        values.append(value(found))
        return f"<{len(values) - 1}>"

    clauses = _BORDER.split(measure.sub(marked, text.lower().replace("\u2019", "'")))
    if not any(_ways_in(clause) for clause in clauses):
        return dict.fromkeys(_WAYS, values[0]) if len(values) == 1 else {}
    found: dict[str, float] = {}
    for at, clause in enumerate(clauses):
        marks = [*_MARK.finditer(clause)]
        beside = [clause] if _ways_in(clause) else [*clauses[:at][::-1], *clauses[at + 1 :]]
        where = next((one for one in beside if _ways_in(one) and (one is clause or not _MARK.search(one))), "")
        for way, place in _ways_in(where) if marks else ():
            nearest = min(marks, key=lambda mark: abs(mark.start() - place)) if where is clause else marks[0]
            found.setdefault(way, values[int(nearest[1])])
    return found


def _ways_in(clause: str) -> list[tuple[str, int]]:
    return [(way, found.start()) for way, words in _NAMED.items() if (found := words.search(clause)) is not None]


def _metres(found: re.Match[str]) -> float:
    unit = found["unit"]
    number = _number(found["number"]) + (0.5 if found["half"] else 0.0)
    return number * _METRES[unit if unit in _METRES else unit.removesuffix("s")]


def _degrees(found: re.Match[str]) -> float:
    if found["half"] or found["full"]:
        return 2 * QUARTER if found["half"] else 4 * QUARTER
    if found["number"] is None:
        return QUARTER * _number(found["quarters"] or found["times"] or "one")
    return 180 if "eighty" in found["number"] and "hundred" in found["number"] else _number(found["number"])


def _number(words: str) -> float:
    whole, _, half = words.partition(" and a half")
    if whole in _AMOUNTS:
        return _AMOUNTS[whole]
    if re.fullmatch(r"\d+(?:[.,]\d+)?", whole):
        number = float(whole.replace(",", "."))
    else:
        number = float(sum(_counted(whole)))
    return number + (0.5 if words.endswith(" and a half") and not half else 0.0)


def _counted(words: str) -> Iterator[int]:
    """The parts of a number: "twenty five"; "one eighty" and "two seventy" count hundreds first."""
    parts = re.split(r"[ -]", words)
    for at, part in enumerate(parts):
        hundreds = at == 0 and len(parts) == 2 and parts[1] in _TENS and part in NUMBERS
        yield _COUNTS[part] * (100 if hundreds else 1)
