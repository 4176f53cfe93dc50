"""Open and close, switch, pick up, put down."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from teach_agents.agents.planner.body import Body, SkillError, Steps
from teach_agents.agents.planner.elbow_room import elbow_room
from teach_agents.agents.planner.language.values import ReportKind
from teach_agents.agents.planner.looking import EYE_HEIGHT, Pixels
from teach_agents.agents.planner.navigation import Stand
from teach_agents.agents.planner.reaching import Score, Touch, effort, touch
from teach_agents.agents.planner.spaces import SURE, Space
from teach_agents.agents.planner.things import Thing, Things, same_type
from teach_agents.observations import Pose

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "close",
    "easiest",
    "faucet_of",
    "free_hand",
    "open_up",
    "parts_of",
    "pick_up",
    "put_held",
    "room_on",
    "still",
    "switch",
    "uncover",
]

_SURFACES = (
    "CounterTop",
    "DiningTable",
    "SideTable",
    "CoffeeTable",
    "Desk",
    "Dresser",
    "TVStand",
    "Bed",
    "Sofa",
    "ArmChair",
    "Shelf",
    "Chair",
)
_ELSE = (
    "Stool",
    "Ottoman",
    "Footstool",
    "DogBed",
    "Cabinet",
    "Fridge",
    "Drawer",
    "Microwave",
    "Sink",
    "Bathtub",
    "Safe",
)
_ASIDE_TRIES = 4
_MORE, _MOST = 0.02, 0.06
"""How much more room is looked for after a refusal, and at most, metres."""
_SMALL = 1.0
"""Longest side of a holder that is filled from one end, metres."""
_BASINS = ("Sink", "Bathtub")
_FAR = 2.0
"""Farther ahead than what can be reached, metres."""


def open_up(body: Body, holder: Thing, inside: Thing | None = None, shun: tuple[Stand, ...] = ()) -> Steps:
    """Open something that opens; what runs is switched off first.

    It is done from where `inside` should then be in reach, and not from the sides of `shun`.
    """
    holder = body.now(holder)
    if not holder.has("openable") or holder.has("isOpen"):
        return
    if holder.has("toggleable") and holder.has("isToggled"):
        yield from switch(body, holder, on=False)
    yield from touch(body, Touch("Open", holder, then=inside, shun=shun))


def close(body: Body, holder: Thing) -> Steps:
    """Close something that is open."""
    if body.now(holder).has("isOpen"):
        yield from touch(body, Touch("Close", body.now(holder)))


def switch(body: Body, thing: Thing, *, on: bool) -> Steps:
    """Turn something on or off; nothing happens when it is so already."""
    if body.now(thing).has("isToggled") != on:
        yield from touch(body, Touch("ToggleOn" if on else "ToggleOff", body.now(thing)))


def uncover(body: Body, thing: Thing) -> Steps:
    """Open whatever is closed around a thing."""
    for holder in body.things.closed_around(body.now(thing)):
        yield from open_up(body, holder, thing)


def easiest(body: Body, candidates: list[Thing]) -> list[Thing]:
    """Candidates by how little work it is to get at them; those that gave trouble come last."""

    def work(thing: Thing) -> float:
        hidden = body.things.closed_around(thing)
        outer = hidden[0] if hidden else thing
        return effort(body, outer) + 8.0 * len(hidden) + 25.0 * body.memory.troubles.get(thing.object_id, 0)

    works = {thing.object_id: work(thing) for thing in candidates} if len(candidates) > 1 else {}
    return sorted(candidates, key=lambda thing: works.get(thing.object_id, 0.0))


def pick_up(body: Body, thing: Thing) -> Steps:
    """Take a thing into the hand, putting aside what is in it."""
    held = body.held
    if held is not None and held.object_id == thing.object_id:
        return
    yield from free_hand(body)
    yield from uncover(body, thing)
    try:
        yield from touch(body, Touch("Pickup", body.now(thing)))
    except SkillError:
        yield from _open_elsewise(body, thing)
        yield from touch(body, Touch("Pickup", body.now(thing)))
    body.memory.handled.append(thing.object_id)


def _open_elsewise(body: Body, thing: Thing) -> Steps:
    """An open door may bar the way to what is inside: shut it and open it from another side.

    Raises `SkillError` where nothing that was opened for the thing could bar the way.
    """
    doors = [holder for holder in body.things.holders(body.now(thing)) if holder.has("isOpen")]
    if not doors:
        raise SkillError(ReportKind.NOT_REACHED, thing)
    for door in doors:
        opened_from = body.memory.good_stands.pop(door.object_id, body.stand)
        yield from close(body, door)
        yield from open_up(body, body.now(door), thing, (opened_from,))


def free_hand(body: Body, avoid: Thing | None = None) -> Steps:
    """Put what is held on the surface that is easiest to get to, failing all of them into something else."""
    held = body.held
    if held is None:
        return
    here = avoid.object_id if avoid is not None else ""
    for kinds, hopeful in ((_SURFACES, False), (_ELSE, False), (_SURFACES, True)):
        places = [thing for thing in body.things.of(*kinds) if thing.has("receptacle") and thing.object_id != here]
        tries = 0
        for place in easiest(body, places):
            before = body.failures
            try:
                yield from put_held(body, place, patience=2, hopeful=hopeful)
            except SkillError:
                tries += body.failures > before
                if tries < _ASIDE_TRIES:
                    continue
                break
            return
    raise SkillError(ReportKind.NO_ROOM, held)


def put_held(body: Body, holder: Thing, patience: int = 3, *, hopeful: bool = False) -> Steps:
    """Put what is held in or on a holder, where there is most room. Raises `SkillError` when it does not fit.

    A holder that is full by the looks of it is only tried when `hopeful`. After a refusal more room is looked for than
    the boxes ask for: handles and rims are not in them.
    """
    held = body.held
    if held is None:
        raise SkillError(ReportKind.FAILED, holder)
    yield from uncover(body, holder)
    yield from open_up(body, holder)
    yield from still(body, holder)
    holder = body.now(holder)
    known = holder.object_id, held.object_id, len(body.things.contents(holder))
    space = room_on(body, holder, held)
    if space.is_full and not hopeful:
        raise SkillError(ReportKind.NO_ROOM, holder)
    attempt = Touch(
        "Place",
        holder,
        ids=parts_of(body.things, holder),
        score=_packed(holder, body.pose, space) if _is_small(holder) else space.score,
        sure=SURE,
        insistent=hopeful or space.is_vague or elbow_room(holder.object_type) is None,
        extra=space.aims(),
        patience=patience,
        missed=list(body.memory.refused.get(known, ())),
    )
    try:
        yield from touch(body, attempt)
    except SkillError as error:
        body.memory.refused[known] = attempt.missed if attempt.failures else []
        if attempt.failures:
            margin = body.memory.margins.get(holder.object_id, 0.0)
            body.memory.margins[holder.object_id] = min(margin + _MORE, _MOST)
        full = attempt.missed or (attempt.seen and not attempt.insistent)
        raise SkillError(ReportKind.NO_ROOM if full else error.kind, holder) from None
    body.memory.handled.append(held.object_id)


def room_on(body: Body, holder: Thing, held: Thing) -> Space:
    """The room on a holder for what is held: as much about its box as clicks on such holders need, as people found.

    After a refusal more is looked for.
    """
    margin = (elbow_room(holder.object_type) or 0.0) / 2
    more = body.memory.margins.get(holder.object_id)
    return Space(body.things, body.now(holder), body.now(held), margin + (more or 0.0), refused=more is not None)


def parts_of(things: Things, holder: Thing) -> frozenset[str]:
    """A holder's id and its twin's: a sink and its basin are clicked on alike."""
    twins = (
        thing.object_id
        for thing in things
        if same_type(thing.object_type, holder.object_type)
        and (thing.object_id.startswith(holder.object_id) or holder.object_id.startswith(thing.object_id))
    )
    return frozenset({holder.object_id, *twins})


def still(body: Body, holder: Thing) -> Steps:
    """Turn off the water that runs into a basin: it would take the clicks."""
    faucet = faucet_of(body.things, holder)
    if faucet is not None and any(holder.is_a(kind) for kind in _BASINS):
        yield from switch(body, faucet, on=False)


def faucet_of(things: Things, sink: Thing) -> Thing | None:
    """The faucet whose water runs into a sink: the nearest one (TEACh specification 4.3 rule 1)."""
    x, y, z = sink.position

    def away(tap: Thing) -> float:
        return (tap.position.x - x) ** 2 + (tap.position.y - y) ** 2 + (tap.position.z - z) ** 2

    return min(things.of("Faucet"), key=away, default=None)


def _is_small(holder: Thing) -> bool:
    """Whether what stands in the middle of a holder leaves little room for more."""
    basin = any(holder.is_a(kind) for kind in _BASINS)
    return holder.has("pickupable") or (max(holder.sides) < _SMALL and not basin)


def _packed(holder: Thing, pose: Pose, space: Space) -> Score:
    """Fill a small holder from its far end towards oneself, so that room is left for more.

    Where it is above the eyes its near end comes first, as its bottom hides what is farther in.
    """
    away = holder.center.x - pose.position.x, holder.center.z - pose.position.z
    along = 0 if abs(away[0]) > abs(away[1]) else 2
    sign = 1.0 if away[along // 2] > 0 else -1.0
    near_first = holder.low.y > pose.position.y + EYE_HEIGHT

    def score(pixels: Pixels) -> NDArray[np.float64]:
        value = space.score(pixels)
        onward = sign * (pixels.points[:, along] - pose.position[along])
        depth = np.maximum(_FAR - onward, 0.0) if near_first else np.maximum(onward, 0.0)
        packed = SURE + depth + 0.002 * pixels.depth_inside
        return np.asarray(np.where(value >= SURE, packed, value), dtype=np.float64)

    return score
