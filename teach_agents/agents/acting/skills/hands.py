"""Open and close, switch, pick up, put down, slice."""

from __future__ import annotations

import numpy as np

from teach_agents.agents.acting.attempts import Score, Touch
from teach_agents.agents.acting.body import Body, SkillError, Steps, attempted, not_found
from teach_agents.agents.acting.looking import Pixels, distances
from teach_agents.agents.acting.navigation import Stand
from teach_agents.agents.acting.reaching import act_on, effort, touch
from teach_agents.agents.acting.receptacles import elbow_room
from teach_agents.agents.acting.spaces import SURE, Space, is_slim, is_small, packed
from teach_agents.agents.acting.things import Thing, Things, are_twins, same_type
from teach_agents.arrays import FloatArray
from teach_agents.observations import Vec3
from teach_agents.understanding.english.values import ReportKind

_SURFACES = tuple(
    "CounterTop DiningTable SideTable CoffeeTable Desk Dresser TVStand Bed Sofa ArmChair Shelf Chair".split()
)
_ELSE = tuple("Stool Ottoman Footstool DogBed Cabinet Fridge Drawer Microwave Sink Bathtub Safe".split())
_ASIDE_TRIES = 4
_UPON = 0.1
"""How far above the box of furniture what lies upon it may have its middle, metres."""
_MORE, _MOST = 0.02, 0.06
"""How much more room is looked for after a refusal, and at most, metres."""


def open_up(body: Body, holder: Thing, inside: Thing | None = None, shun: tuple[Stand, ...] = ()) -> Steps:
    """Open something that opens, and what is shut around it; what runs is switched off first.

    It is done from where `inside` should then be in reach, and not from the sides of `shun`.
    """
    holder = body.now(holder)
    if not holder.is_shut:
        return
    if not holder.has("pickupable"):
        yield from uncover(body, holder)
    runs = holder.has("toggleable") and holder.has("isToggled")
    if runs:
        yield from switch(body, holder, on=False)
    try:
        yield from touch(body, Touch("Open", holder, then=inside, shun=shun))
    except SkillError:
        if runs or not body.is_now(holder, "isToggled"):
            raise
        yield from open_up(body, holder, inside, shun)  # it told that it runs


def close(body: Body, holder: Thing) -> Steps:
    """Close something that is open."""
    if body.is_now(holder, "isOpen"):
        yield from act_on(body, "Close", holder)


def switch(body: Body, thing: Thing, *, on: bool) -> Steps:
    """Turn something on or off; nothing happens when it is so already."""
    if body.is_now(thing, "isToggled") != on:
        yield from act_on(body, "ToggleOn" if on else "ToggleOff", thing)


def try_out(body: Body, action: str, thing: Thing, ids: frozenset[str] = frozenset()) -> Steps:
    """Do to a thing what may be so already, as nothing is known of its state: a refusal tells that it is."""
    attempt = Touch(action, body.now(thing), ids=ids, patience=1)
    failure = yield from attempted(touch(body, attempt))
    if failure and not attempt.failures:
        raise failure


def uncover(body: Body, thing: Thing) -> Steps:
    """Open whatever is closed around a thing."""
    for holder in body.things.closed_around(body.now(thing)):
        yield from open_up(body, holder, thing)


def easiest(body: Body, candidates: list[Thing]) -> list[Thing]:
    """Candidates by how little work it is to get at them; those that gave trouble come last."""

    def work(thing: Thing) -> float:
        hidden = body.things.closed_around(thing)
        outer = hidden[0] if hidden else thing
        return effort(body, outer) + 8.0 * len(hidden) + 25.0 * body.memory.troubles[thing.object_id]

    works = {thing.object_id: work(thing) for thing in candidates} if len(candidates) > 1 else {}
    return sorted(candidates, key=lambda thing: works.get(thing.object_id, 0.0))


def pick_up(body: Body, thing: Thing) -> Steps:
    """Take a thing into the hand, putting aside what is in it.

    Raises `SkillError` (not found) where it turns out to be something else, as eyes may be mistaken.
    """
    if body.holds(thing):
        return
    yield from free_hand(body)
    yield from uncover(body, thing)
    _note_place(body, thing)
    if (yield from attempted(act_on(body, "Pickup", thing))):
        yield from _open_elsewise(body, thing)
        yield from act_on(body, "Pickup", thing)
    taken = body.held or thing
    body.memory.handled.append(taken.object_id)
    if not same_type(taken.object_type, thing.object_type):
        raise SkillError(ReportKind.NOT_FOUND, thing)


def _note_place(body: Body, thing: Thing) -> None:
    """Remember where a thing is taken from: there it has room, should it find none elsewhere."""
    holder = bearer(body.things, body.now(thing))
    if holder is not None and not holder.has("pickupable"):
        body.memory.taken_from[thing.object_id] = holder.object_id
        body.memory.stood_at[thing.object_id] = body.now(thing).center


def bearer(things: Things, thing: Thing) -> Thing | None:
    """What a thing is in or on: where nothing says so, the smallest open furniture that its middle is in or on by the
    boxes; `None` where it is none."""
    told = next(iter(things.holders(thing)), None)
    if told is not None:
        return told
    around = [
        one
        for one in things
        if one.has("receptacle") and not one.has("pickupable") and not one.is_shut and one.covers(thing.center)
    ]
    around = [one for one in around if one.low.y <= thing.center.y <= one.high.y + _UPON]
    return min(around, key=lambda one: one.box[0] * one.box[1], default=None)


def _open_elsewise(body: Body, thing: Thing) -> Steps:
    """An open door may bar the way to what is inside: shut it and open it from another side.

    Raises `SkillError` where nothing that was opened for the thing could bar the way.
    """
    doors = [holder for holder in body.holders(thing) if holder.has("isOpen")]
    if not doors:
        raise SkillError(ReportKind.NOT_REACHED, thing)
    for door in doors:
        opened_from = body.memory.good_stands.pop(door.object_id, body.stand)
        yield from close(body, door)
        yield from open_up(body, body.now(door), thing, (opened_from,))


def free_hand(body: Body, avoid: Thing | None = None) -> Steps:
    """Put what is held on the surface that is easiest to get to, failing all of them into something else.

    Once it was refused somewhere it goes back to where it was taken from, if it can. Where a body that looks for itself
    knows of no surface, none was found.
    """
    held = body.held
    if held is None:
        return
    here = avoid.object_id if avoid is not None else ""
    shunned = {here, *body.memory.off_limits}
    origin = body.things.get(body.memory.taken_from.get(held.object_id, ""))
    returned = origin is None or origin.object_id in shunned
    for kinds, hopeful in ((_SURFACES, False), (_ELSE, False), (_SURFACES, True)):
        places = [
            thing for thing in body.things.of(*kinds) if thing.has("receptacle") and thing.object_id not in shunned
        ]
        waiting, tries = easiest(body, places), 0
        while waiting and tries < _ASIDE_TRIES:
            place = waiting.pop(0)
            before = body.failures
            if not (yield from attempted(put_held(body, place, patience=2, hopeful=hopeful or place is origin))):
                return
            tries += body.failures > before
            if tries and origin is not None and not returned:
                waiting.insert(0, origin)
                returned = True
    if body.knowledge is not None and not any(t.object_id != here for t in body.things.of(*_SURFACES)):
        raise not_found(_SURFACES[0])
    raise SkillError(ReportKind.NO_ROOM, held)


def put_held(body: Body, holder: Thing, patience: int = 3, *, hopeful: bool = False, near: Vec3 | None = None) -> Steps:
    """Put what is held in or on a holder, where there is most room, or as near to a point as it fits.

    Raises `SkillError` when it does not fit.

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
    small = packed(holder, held, body.pose, _closer(body, holder, held, space)) if is_small(holder) else space.score
    attempt = Touch(
        "Place",
        holder,
        ids=parts_of(body.things, holder),
        score=small if near is None else _nearest_first(space, near),
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


def _nearest_first(space: Space, point: Vec3) -> Score:
    """Of the points where a thing fits those are best that are nearest to one."""

    def score(pixels: Pixels) -> FloatArray:
        value = space.score(pixels)
        return np.where(value >= SURE, SURE + 1.0 / (0.1 + distances(pixels.points, point)), value)

    return score


def room_on(body: Body, holder: Thing, held: Thing) -> Space:
    """The room on a holder for what is held: as much about its box as clicks on such holders need, as people found.

    After a refusal more is looked for.
    """
    margin = (elbow_room(holder.object_type) or 0.0) / 2
    more = body.memory.margins.get(holder.object_id)
    return Space(body.things, body.now(holder), body.now(held), margin + (more or 0.0), refused=more is not None)


def _closer(body: Body, holder: Thing, held: Thing, space: Space) -> Space:
    """The room on a dish for a slim thing where it may touch others: it takes less, while there is room to spare."""
    if not (holder.has("pickupable") and is_slim(held) and space.has_room) or holder.object_id in body.memory.margins:
        return space
    return Space(body.things, holder, held)


def parts_of(things: Things, holder: Thing) -> frozenset[str]:
    """A holder's id and its twin's: a sink and its basin are clicked on alike."""
    return frozenset({holder.object_id, *(thing.object_id for thing in things if are_twins(thing, holder))})


def still(body: Body, holder: Thing) -> Steps:
    """Turn off the water that runs into a basin: it would take the clicks."""
    faucet = faucet_of(body.things, holder)
    if faucet is not None and holder.is_basin:
        yield from switch(body, faucet, on=False)


def faucet_of(things: Things, sink: Thing) -> Thing | None:
    """The faucet whose water runs into a sink: the nearest one (TEACh specification 4.3 rule 1)."""
    x, y, z = sink.position

    def away(tap: Thing) -> float:
        return (tap.position.x - x) ** 2 + (tap.position.y - y) ** 2 + (tap.position.z - z) ** 2

    return min(things.of("Faucet"), key=away, default=None)


_HOLLOW = frozenset("GarbageCan Shelf Box LaundryHamper Bathtub BathtubBasin Pot Bowl Chair Stool".split())
"""What hides slices: they lie at its bottom, behind its back, or under what is above it, as chairs stand at tables."""


def slice_up(body: Body, food: Thing) -> Steps:
    """Cut a thing into slices where it lies; out of what would hide the slices it is first moved to a surface.

    Raises `SkillError` (not found) where it turns out to be something else, as eyes may be mistaken.
    """
    if body.is_gone(food):
        return
    holders = body.holders(food)
    if body.holds(food) or any(holder.has("openable") or holder.object_type in _HOLLOW for holder in holders):
        yield from pick_up(body, food)
        yield from free_hand(body, avoid=holders[0] if holders else None)
    yield from _take_knife(body)
    yield from act_on(body, "Slice", food)
    body.memory.handled.append(food.object_id)
    if not same_type(body.acted_on or food.object_type, food.object_type):
        raise SkillError(ReportKind.NOT_FOUND, food)


def _take_knife(body: Body) -> Steps:
    if body.held is not None and body.held.is_knife:
        return
    knives = body.things.of("Knife", "ButterKnife")
    if not knives:
        raise not_found("Knife")
    failure = SkillError(ReportKind.NOT_REACHED, noun="Knife")
    for knife in easiest(body, knives):
        error = yield from attempted(pick_up(body, knife))
        if not error:
            return
        failure = error if error.kind is ReportKind.NOT_FOUND else SkillError(error.kind, noun="Knife")
    raise failure
