"""Whether a reading is right, and whether its confidence is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from teach_agents.core.dialogue import COURTESIES, Act, Condition, DialogueAct, Phrase, Slot

_WORDS = (Act.CHAT, Act.FACT, Act.OTHER_LANGUAGE)
_ROLES = {"to": "on"}
"""Roles that are written either way."""
_HOLLOW = ("thing", "one", "stuff")
"""Nouns that say nothing of what is meant."""
_OPPOSITES = {"off": "on", "closed": "open", "clean": "dirty"}
_EVERY = {"all": "every", "any": "any", "some": "some"}


def same(one: Sequence[DialogueAct], other: Sequence[DialogueAct]) -> bool:
    """Whether two readings are the same in acts and slots: a Follower takes them for the same.

    Words that are kept as they were said count for nothing, nor do courtesies beside what is to be done or answered,
    nor how the same is written: a name of several words in one piece or more ("front door", "front_door"), "any" beside
    "all" where either is meant ("never put forks there"), "all thing" and "everything", "spare one" and "spare",
    "3 step" and "3", "if it is off" and "unless it is on", what a thing is taken from and where it is
    (`get(mug, from shelf)`, `get(mug @on shelf)`), `to` and `on`.
    """
    return _wanted(one) == _wanted(other)


def _wanted(acts: Sequence[DialogueAct]) -> list[DialogueAct]:
    """Acts as they are compared, without courtesies where there is anything else."""
    return [_plain(act) for act in acts if act.act not in COURTESIES] or [_plain(act) for act in acts]


def same_acts(one: Sequence[DialogueAct], other: Sequence[DialogueAct]) -> bool:
    """Whether two readings are of the same acts, whatever they are about."""
    return [_kind(act) for act in one] == [_kind(act) for act in other]


def calibration_error(judged: Sequence[tuple[float, bool]], bins: int = 10) -> float:
    """The expected calibration error of confidences, each with whether it was right: over bins of equal size."""
    order = sorted(judged)
    size = max(1, len(order) // bins)
    total = 0.0
    for at in range(0, len(order), size):
        few = order[at : at + size]
        total += abs(sum(sure for sure, _ in few) - sum(right for _, right in few))
    return total / max(1, len(order))


def calibration_error_of_widths(judged: Sequence[tuple[float, bool]], bins: int = 10) -> float:
    """The same over bins of equal width, as Guo et al. (2017) have it."""
    total = [0.0] * bins
    for sure, right in judged:
        total[min(int(sure * bins), bins - 1)] += sure - right
    return sum(map(abs, total)) / max(1, len(judged))


def _plain(act: DialogueAct, outer: Act | None = None) -> DialogueAct:
    words = act.about in ("do", "call", "other") and act.act in (Act.ORDER, Act.QUESTION)
    asked = act.act is Act.QUESTION and act.about in ("there", "count", "which", "have")
    alike = ("any", "some") if asked else ("any", "all") if outer is Act.NEVER else ()
    slots = [] if words else [Slot(_ROLES.get(role, role), _whole(phrase, alike)) for role, phrase in act.slots]
    return act._replace(
        about="" if act.act in _WORDS else act.about,
        slots=tuple(_placed(slots) if act.act is Act.ORDER else slots),
        of=tuple(_plain(one, act.act) for one in act.of),
        condition=_condition(act.condition) if act.condition else None,
    )


def _condition(condition: Condition) -> Condition:
    """A condition as it is compared: "unless it is on" as "if it is off"."""
    phrase = _whole(condition.phrase, ("any", "some"))
    if condition.state in _OPPOSITES:
        return Condition(phrase, _OPPOSITES[condition.state], not condition.holds)
    return condition._replace(phrase=phrase)


def _placed(slots: list[Slot]) -> list[Slot]:
    """Slots with what a thing is taken from as where it is."""
    for taken in [slot for slot in slots if slot.role == "from"]:
        if len(slots) > 1 and not slots[0].role and slots[0].phrase.place is None:
            slots = [slots[0]._replace(phrase=replace(slots[0].phrase, place=("from", taken.phrase))), *slots[1:]]
            slots.remove(taken)
    if slots and not slots[0].role and slots[0].phrase.place and slots[0].phrase.place[0] in ("in", "on"):
        place = ("from", slots[0].phrase.place[1])
        slots = [slots[0]._replace(phrase=replace(slots[0].phrase, place=place)), *slots[1:]]
    return slots


def _whole(phrase: Phrase, alike: Sequence[str]) -> Phrase:
    """A description with its name in one piece; counts that are `alike` left out, and nouns that say nothing."""
    names = [*phrase.looks, *phrase.noun.split("_")]
    place, count = phrase.place, phrase.count
    if phrase.noun in _HOLLOW and phrase.looks:
        names = names[:-1]
    elif phrase.noun in _HOLLOW and count in _EVERY:
        names, count = [f"{_EVERY[count]}thing"], ""
    if names == ["anything"] and "any" in alike and "all" in alike:
        names = ["everything"]
    if phrase.noun == "step" and count:
        names, count = [*phrase.looks, count], ""
    while place is not None and place[0] == "of":
        names += ["of", *([place[1].count] if place[1].count else ()), *place[1].looks, *place[1].noun.split("_")]
        place = place[1].place
    where = None if place is None else (place[0], _whole(place[1], ()))
    holds = None if phrase.holds is None else _whole(phrase.holds, ())
    return Phrase(" ".join(names), "" if count in alike else count, (), where, holds)


def _kind(act: DialogueAct) -> tuple[object, ...]:
    about = act.about if act.act in (Act.ORDER, Act.QUESTION) else ""
    return act.act, about, tuple(map(_kind, act.of)), act.condition is not None
