"""What words say of motions: how far to walk, how much of a turn to make, and where to look."""

from __future__ import annotations

import re

from teach_agents.agents.dialogue.measures import QUARTER, degrees_said, steps_said
from teach_agents.agents.dialogue.noun_types import kinds_of
from teach_agents.core.dialogue import DialogueAct, Phrase, Slot

_ALL_THE_WAY = re.compile(
    r"\b(?:full|whole|complete|entire) (?:\w+ )?(?:spin|turn|twirl|circle|loop|rotation|revolution|round|360)\b"
    r"|\b360\b|\b(?:all the|the whole|the full|full|right) (?:way )?a?round\b"
)
_ONE_WAY = re.compile(r"\b(?:advance|reverse|retreat)\b")
"""Verbs that lead one way alone."""
_CORRECTED = re.compile(r"\bmake (?:it|that)\b|\bi mean\b|\bno,")
"""What tells that more than one measure is named, of which not all are meant."""
_UP_AND_DOWN = dict.fromkeys(("ceiling", "sky", "roof"), "look_up") | dict.fromkeys(("floor", "ground"), "look_down")
_BACKWARDS = re.compile(
    r"\b(?:fac(?:e|ing)|look(?:ing)?) (?:backwards?|behind|back|(?:the )?(?:other|opposite) (?:way|direction)|away)\b"
)
"""Where half a turn leads."""
_SIDE = re.compile(r"\b(left|right|anti|counter|clockwise)")
_TO_THE_SIDE = re.compile(
    r"\b(?:fac(?:e|es|ing)|look(?:s|ing)?|point(?:s|ed|ing)?|headed)(?: (?:to|towards?))?(?: (?:the|your))?"
    r" (left|right)\b"
    r"(?! (?:at|into|in front|behind|next|hand|side|wall|corner|lamp|window|(?:a?round))\b)"
)
"""Where a turn leads that is told by what one faces behind it."""
_WALK = re.compile(r"\b(?:step|walk|go|move|take|turn|spin|pace|march|come)\b")
_LOOKING = frozenset({"look_up", "look_down", "look_at", "do", "move", "turn_around", "step_forward"})
_LEVEL = re.compile(
    r"\b(?:chin|head|eyes?|gaze|camera|face|nose|view|look(?:ing)?)\b[^.,;!?]*"
    r"\b(?:level|straight(?: ahead| forwards?)?|horizontal(?:ly)?|dead ahead)\b(?! (?:at|to|into|up|down)\b)"
    r"|\blook (?:forwards?|ahead)\b|\beyes (?:front|forwards?|ahead)\b"
    r"|\blevel (?:out )?(?:your|the) (?:head|gaze|eyes|camera|chin)\b"
)
"""What has one look neither up nor down."""


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
    """ "All the way round", "a quarter turn left", "90 degrees", "so that you face left"."""
    all_round = degrees_said(text) == 4 * QUARTER
    if (act.about == "turn_around" and (_ALL_THE_WAY.search(text) or all_round) and not _BACKWARDS.search(text)) or (
        act.about == "do" and all_round
    ):
        act = act._replace(about="turn_around")
        return act._replace(slots=(Slot("", Phrase("360")),))
    act = _to_a_side(act, text)
    if act.about in ("turn_left", "turn_right") and (degrees := degrees_said(text, act.about.removeprefix("turn_"))):
        return act._replace(slots=(Slot("", Phrase("degree", str(degrees))),))
    return act


def _to_a_side(act: DialogueAct, text: str) -> DialogueAct:
    """A turn to the side that its words name, where it is read as one "around" or as a look at nothing."""
    faced = _TO_THE_SIDE.search(text)
    beside = act.about == "look_at" and len(act.slots) == 1 and act.slots[0].phrase.noun in ("left", "right")
    if faced is not None and (beside or act.about == "turn_around"):
        return act._replace(about=f"turn_{faced[1]}", slots=())
    part = degrees_said(text) if act.about == "turn_around" else None
    if part is None or part % (2 * QUARTER) == 0:
        return act
    side = _SIDE.search(text)
    leftwards = side is not None and side[1] in ("left", "anti", "counter")
    return act._replace(about="turn_left" if leftwards else "turn_right", slots=())


def _stepped(act: DialogueAct, text: str) -> DialogueAct:
    """ "Two metres to the left", "half a metre back", "advance a step"."""
    way = _ONE_WAY.search(text)
    if way is not None and act.about.startswith("step_"):
        act = act._replace(about="step_forward" if way[0] == "advance" else "step_back")
    steps = steps_said(text, act.about.removeprefix("step_")) if act.about.startswith("step_") else None
    return (
        act if steps is None or _CORRECTED.search(text) else act._replace(slots=(Slot("", Phrase("step", str(steps))),))
    )
