"""What people say of the Follower's own motions: "turn around", "take two steps back", "look up, then go forward"."""

from __future__ import annotations

import re
from functools import lru_cache

from teach_agents.understanding.english.clauses import stripped
from teach_agents.understanding.english.loosely import COMMA
from teach_agents.understanding.english.parsing import number_of
from teach_agents.understanding.english.phrasebook import NUMBERS, Words
from teach_agents.understanding.english.understanding import sentences

_MOST = 20
"""Motions of one utterance; who asks for more means a place."""
_LONGEST = 12
"""Words of a clause."""

_DIRECTIONS = {
    way: motion
    for motion, ways in (
        ("Forward", "forward|forwards|ahead|straight|straight ahead"),
        ("Backward", "back|backward|backwards"),
        ("Pan Left", "left|to the left|to your left"),
        ("Pan Right", "right|to the right|to your right"),
    )
    for way in ways.split("|")
}
_WAY = "|".join(sorted(_DIRECTIONS, key=len, reverse=True))
_NUMBER = rf"{'|'.join(NUMBERS)}|\d+|a|an|another"
_TIMES = (
    rf"(?: (?:(?P<times>{_NUMBER}) (?:more )?(?:times|steps?)|(?P<twice>once|twice)))?(?: a (?:little )?bit| a little)?"
)
_SIDE = "(?:to )?(?:the |your )?(?P<side>left|right)(?: side)?"
_FORMS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern + _TIMES), motions)
    for pattern, motions in (
        (rf"(?:turn|rotate|look|face) {_SIDE}(?: by)?(?: (?:90|ninety) degrees)?", "Turn {side}"),
        (
            r"(?:turn|rotate|face|look) (?:back|(?:the )?other way|behind(?: you)?|180(?: degrees)?)",
            "Turn Left,Turn Left",
        ),
        (r"turn (?:yourself )?(?:around|round)(?: 180 degrees)?", "Turn Left,Turn Left"),
        (r"look (?:all )?(?:around|round)(?: you| the room)?", "Turn Left,Turn Left,Turn Left,Turn Left"),
        (r"(?:look|tilt|face)(?: your head)? up(?:wards?)?", "Look Up"),
        (r"(?:look|tilt|face)(?: your head)? down(?:wards?)?", "Look Down"),
        (rf"(?:step|move|go|walk|come|strafe|sidestep|back) (?P<way>{_WAY})", "{way}"),
        (rf"(?:take|make|go|move|walk) (?P<steps>{_NUMBER}) (?:more )?(?:steps?|paces?)(?: (?P<way>{_WAY}))?", "{way}"),
        (r"(?:back up|back off|back away|reverse)", "Backward"),
    )
)


@lru_cache(maxsize=256)
def understand_motions(utterance: str) -> tuple[str, ...]:
    """The actions, in order, that an utterance asks for; empty unless motions, and politeness, are all that it says."""
    found: list[str] = []
    for words in sentences(utterance, commas=True):
        for one in _clauses(words):
            motions = _motions(one)
            half = bool(found) and " ".join(one) in _DIRECTIONS  # "turn left and right"
            if not motions and (half or stripped(one)):
                return ()
            found += motions
    return tuple(found) if len(found) <= _MOST else ()


def _clauses(words: Words) -> list[Words]:
    return [tuple(part.split()) for part in re.split(rf"\b(?:and|then)\b|{COMMA}", " ".join(words))]


def _motions(words: Words) -> list[str]:
    """The motions of a clause with fillers around; the most of it that says any decides ("right, turn right")."""
    if len(words) > _LONGEST:
        return []
    spans = [(start, end) for start in range(len(words)) for end in range(start + 1, len(words) + 1)]
    for start, end in sorted(spans, key=lambda span: span[0] - span[1]):
        motions = _exactly(" ".join(words[start:end]))
        if motions and not stripped(words[:start]) and not stripped(words[end:]):
            return motions
    return []


def _exactly(text: str) -> list[str]:
    for form, motions in _FORMS:
        match = form.fullmatch(text)
        if match is not None:
            said = match.groupdict()
            side = (said.get("side") or "").capitalize()
            way = _DIRECTIONS[said.get("way") or "forward"]
            count = 2 if said["twice"] == "twice" else _count(said.get("steps")) * _count(said["times"])
            return motions.format(side=side, way=way).split(",") * min(count, _MOST + 1)
    return []


def _count(word: str | None) -> int:
    """How often; of a number beyond counting, too often."""
    if word is None or word in ("a", "an", "another"):
        return 1
    number = number_of(word)
    return _MOST + 1 if number is None else number
