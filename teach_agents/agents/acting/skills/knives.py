"""Slicing."""

from __future__ import annotations

from teach_agents.agents.acting.attempts import Touch
from teach_agents.agents.acting.body import Body, SkillError, Steps, attempted
from teach_agents.agents.acting.reaching import touch
from teach_agents.agents.acting.skills.hands import easiest, free_hand, pick_up
from teach_agents.agents.acting.things import Thing, same_type
from teach_agents.agents.english.values import ReportKind

_HOLLOW = frozenset(
    {"GarbageCan", "Shelf", "Box", "LaundryHamper", "Bathtub", "BathtubBasin", "Pot", "Bowl", "Chair", "Stool"}
)
"""What hides slices: they lie at its bottom, behind its back, or under what is above it, as chairs stand at tables."""


def slice_up(body: Body, food: Thing) -> Steps:
    """Cut a thing into slices where it lies; out of what would hide the slices it is first moved to a surface.

    Raises `SkillError` (not found) where it turns out to be something else, as eyes may be mistaken.
    """
    if body.things.get(food.object_id) is None:
        return
    holders = body.holders(food)
    if body.holds(food) or any(holder.has("openable") or holder.object_type in _HOLLOW for holder in holders):
        yield from pick_up(body, food)
        yield from free_hand(body, avoid=holders[0] if holders else None)
    yield from _take_knife(body)
    yield from touch(body, Touch("Slice", body.now(food)))
    body.memory.handled.append(food.object_id)
    if not same_type(body.acted_on or food.object_type, food.object_type):
        raise SkillError(ReportKind.NOT_FOUND, food)


def _take_knife(body: Body) -> Steps:
    held = body.held
    if held is not None and "Knife" in held.object_type:
        return
    knives = body.things.of("Knife", "ButterKnife")
    if not knives:
        raise SkillError(ReportKind.NOT_FOUND, noun="Knife")
    failure = SkillError(ReportKind.NOT_REACHED, noun="Knife")
    for knife in easiest(body, knives):
        error = yield from attempted(pick_up(body, knife))
        if not error:
            return
        failure = error if error.kind is ReportKind.NOT_FOUND else SkillError(error.kind, noun="Knife")
    raise failure
