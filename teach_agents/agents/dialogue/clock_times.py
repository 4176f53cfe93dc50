"""Times of day that people name, and whether one is past another: "half past two", "noon", "10:30 pm"."""

from __future__ import annotations

import re
from typing import NamedTuple

from teach_agents.understanding.english.phrasebook import NUMBERS
from teach_agents.understanding.plain_text import plain_text

_HOUR, _HALF, _DAY = 60, 720, 1440
_HOURS = "|".join(NUMBERS[1:13])
_TIME = re.compile(
    rf"\b(?:(?P<part>half|quarter|twenty|ten|five|\d+)(?: minutes)? (?P<side>past|after|to) |(?P<half>half) )?"
    rf"(?P<hour>{_HOURS}|\d{{1,2}})(?:[:.](?P<minute>\d\d))?(?P<clock> ?o'?clock)?"
    r" ?(?P<day>[ap]\.?m\b\.?|in the (?:morning|afternoon|evening)|at night|tonight)?(?![a-z\d])"
)
_NAMED = {"noon": 720, "midday": 720, "midnight": 0, "twelve noon": 720}
_PARTS = {"half": 30, "quarter": 15, "twenty": 20, "ten": 10, "five": 5}
_TELLS = re.compile(
    r"\b(?:it|time|clock|that)(?: is| was| has|'s)?(?: now| just| already"
    r"| only| gone| turned| struck| exactly| well)*"
    r"(?: is| now| says| struck| strikes| chimed| gone| turned| past| after)*$"
    r"|\b(?:struck|gone|chimed|strikes)(?: past)?$"
)
"""What stands before the time that it is now."""


class ClockTime(NamedTuple):
    """Minutes of the day; of half a day where it is not said which half."""

    minutes: int
    whole_day: bool


def time_in(text: str) -> ClockTime | None:
    """The first time of day that words name; a number alone is none."""
    found = _first(text)
    return None if found is None else found[1]


def time_now(report: str) -> ClockTime | None:
    """The time that it is, where words tell that: "it has just struck one", "it's gone six"."""
    text = plain_text(report).strip(" .!")
    found = _first(text, alone=True)
    return found[1] if found is not None and _TELLS.search(text[: found[0]].strip()) else None


def is_past(now: ClockTime, due: ClockTime) -> bool:
    """Whether a time that came is reached: within the half day, or half of that where halves are not told."""
    if now.whole_day and due.whole_day:
        return now.minutes >= due.minutes
    return (now.minutes - due.minutes) % _HALF < _HALF // 2


def _first(text: str, *, alone: bool = False) -> tuple[int, ClockTime] | None:
    """Where the first time begins, and which it is; a number counts `alone`."""
    named = re.search(rf"\b(?:{'|'.join(_NAMED)})\b", text)
    if named is not None:
        return named.start(), ClockTime(_NAMED[named[0]], whole_day=True)
    for found in _TIME.finditer(text):
        told = found["side"] or found["half"] or found["minute"] or found["clock"] or found["day"]
        hour = NUMBERS.index(found["hour"]) if found["hour"] in NUMBERS else int(found["hour"])
        if (alone or told) and 0 <= hour <= 24:
            return found.start(), _clock(found, hour)
    return None


def _clock(found: re.Match[str], hour: int) -> ClockTime:
    minutes = hour * _HOUR + int(found["minute"] or 0)
    if found["half"]:
        minutes += 30
    if found["part"]:
        part = _PARTS.get(found["part"]) or int(found["part"])
        minutes += -part if found["side"] == "to" else part
    day, late = found["day"] or "", hour > 12
    if day and not late:
        evening = day.startswith("p") or "afternoon" in day or "evening" in day or "night" in day
        minutes = minutes % _HALF + (_HALF if evening else 0)
    return ClockTime(minutes % _DAY, whole_day=bool(day) or late)
