"""What words say of motions: how far to walk, how much of a turn to make, and where to look."""

from __future__ import annotations

import re

from teach_agents.agents.dialogue.noun_types import kinds_of
from teach_agents.core.dialogue import DialogueAct, Phrase, Slot
from teach_agents.understanding.english.phrasebook import NUMBERS
from teach_agents.understanding.noun_phrases import singular

_ALL_THE_WAY = re.compile(
    r"\b(?:full|whole|complete|entire) (?:\w+ )?(?:spin|turn|twirl|circle|loop|rotation|revolution|round|360)\b"
    r"|\b360\b|\b(?:all the|the whole|the full|full|right) (?:way )?a?round\b"
)
_UP_AND_DOWN = dict.fromkeys(("ceiling", "sky", "roof"), "look_up") | dict.fromkeys(("floor", "ground"), "look_down")
_BACKWARDS = re.compile(
    r"\b(?:fac(?:e|ing)|look(?:ing)?) (?:backwards?|behind|back|(?:the )?(?:other|opposite) (?:way|direction)|away)\b"
)
"""Where half a turn leads."""
_QUARTER = re.compile(r"\b(?:quarter|90|ninety)\b")
_SIDE = re.compile(r"\b(left|right|anti|counter|clockwise)")
_WALK = re.compile(r"\b(?:step|walk|go|move|take|turn|spin|pace|march|come)\b")
_LOOKING = frozenset({"look_up", "look_down", "look_at", "do", "move", "turn_around", "step_forward"})
_LEVEL = re.compile(
    r"\b(?:chin|head|eyes?|gaze|camera|face|nose|view|look(?:ing)?)\b[^.,;!?]*"
    r"\b(?:level|straight(?: ahead| forwards?)?|horizontal(?:ly)?|dead ahead)\b(?! (?:at|to|into|up|down)\b)"
    r"|\blook (?:forwards?|ahead)\b|\beyes (?:front|forwards?|ahead)\b"
    r"|\blevel (?:out )?(?:your|the) (?:head|gaze|eyes|camera|chin)\b"
)
"""What has one look neither up nor down."""
_FULL_TURN = re.compile(r"\b(?:full|whole|complete|entire) (?:\w+ )?(?:spin|turn|twirl|rotation|revolution|360)\b")
_FAR = re.compile(rf"\b(\d+|an?|{'|'.join(NUMBERS)})\b (met(?:re|er)s?|feet|foot)\b")
_ANGLE = re.compile(r"\b(90|180|270|360) ?(?:°|deg)")


def with_motion(act: DialogueAct, text: str) -> DialogueAct:
    """A motion as its words have it: a "full spin" is four turns, to "look at the ceiling" to look up."""
    return _stepped(_turned(_looking(act, text), text), text)


def _looking(act: DialogueAct, text: str) -> DialogueAct:
    """ "Look at the floor", "chin level"."""
    if act.about == "look_at" and len(act.slots) == 1 and act.slots[0].phrase.noun in _UP_AND_DOWN:
        return act._replace(about=_UP_AND_DOWN[act.slots[0].phrase.noun])
    if (
        act.about in _LOOKING
        and _LEVEL.search(text)
        and not _WALK.search(text)
        and not any(kinds_of(slot.phrase.noun) for slot in act.slots)
    ):
        return act._replace(about="look_at", slots=(Slot("", Phrase("straight_ahead")),))
    return act


def _turned(act: DialogueAct, text: str) -> DialogueAct:
    """ "All the way round", "a quarter turn left", "90 degrees"."""
    if (act.about == "turn_around" and _ALL_THE_WAY.search(text) and not _BACKWARDS.search(text)) or (
        act.about == "do" and _FULL_TURN.search(text)
    ):
        act = act._replace(about="turn_around")
        return act._replace(slots=(Slot("", Phrase("360")),))
    if act.about == "turn_around" and _QUARTER.search(text) and (side := _SIDE.search(text)):
        return act._replace(about="turn_left" if side[1] in ("left", "anti", "counter") else "turn_right", slots=())
    if act.about in ("turn_left", "turn_right") and not act.slots and (angle := _ANGLE.search(text)):
        return act._replace(slots=(Slot("", Phrase("degree", angle[1])),))
    return act


def _stepped(act: DialogueAct, text: str) -> DialogueAct:
    """ "Two metres to the left"."""
    if act.about.startswith("step_") and not act.slots and (far := _FAR.search(text)):
        number = str(NUMBERS.index(far[1])) if far[1] in NUMBERS else far[1] if far[1].isdecimal() else "1"
        return act._replace(slots=(Slot("", Phrase("foot" if far[2] == "feet" else singular(far[2]), number)),))
    return act
