"""Whether a reading is right, and whether its confidence is."""

from __future__ import annotations

from collections.abc import Sequence

from teach_agents.core.dialogue import Act, DialogueAct, Phrase, Slot

_WORDS = (Act.CHAT, Act.FACT, Act.OTHER_LANGUAGE)


def same(one: Sequence[DialogueAct], other: Sequence[DialogueAct]) -> bool:
    """Whether two readings are the same in acts and slots.

    Words that are kept as they were said count for nothing, nor does where a name of several words is divided
    ("front door" and "front_door"), nor "any" beside "all" where either is meant ("never put forks there").
    """
    return [_plain(act) for act in one] == [_plain(act) for act in other]


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
    return act._replace(
        about="" if act.act in _WORDS else act.about,
        slots=() if words else tuple(Slot(role, _whole(phrase, alike)) for role, phrase in act.slots),
        of=tuple(_plain(one, act.act) for one in act.of),
    )


def _whole(phrase: Phrase, alike: Sequence[str]) -> Phrase:
    """A description with its name in one piece; counts that are `alike` left out."""
    names = [*phrase.looks, *phrase.noun.split("_")]
    place = phrase.place
    while place is not None and place[0] == "of":
        names += ["of", *([place[1].count] if place[1].count else ()), *place[1].looks, *place[1].noun.split("_")]
        place = place[1].place
    where = None if place is None else (place[0], _whole(place[1], ()))
    holds = None if phrase.holds is None else _whole(phrase.holds, ())
    return Phrase(" ".join(names), "" if phrase.count in alike else phrase.count, (), where, holds)


def _kind(act: DialogueAct) -> tuple[object, ...]:
    about = act.about if act.act in (Act.ORDER, Act.QUESTION) else ""
    return act.act, about, tuple(map(_kind, act.of)), act.condition is not None
