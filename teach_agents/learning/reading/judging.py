"""Whether a reading is right, and whether its confidence is."""

from __future__ import annotations

from collections.abc import Sequence

from teach_agents.core.dialogue import Act, DialogueAct

_WORDS = (Act.CHAT, Act.FACT, Act.OTHER_LANGUAGE)


def same(one: Sequence[DialogueAct], other: Sequence[DialogueAct]) -> bool:
    """Whether two readings are the same in acts and slots; words that are kept as they were said count for nothing."""
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


def _plain(act: DialogueAct) -> DialogueAct:
    words = act.about in ("do", "call", "other") and act.act in (Act.ORDER, Act.QUESTION)
    return act._replace(
        about="" if act.act in _WORDS else act.about,
        slots=() if words else act.slots,
        of=tuple(map(_plain, act.of)),
    )


def _kind(act: DialogueAct) -> tuple[object, ...]:
    about = act.about if act.act in (Act.ORDER, Act.QUESTION) else ""
    return act.act, about, tuple(map(_kind, act.of)), act.condition is not None
