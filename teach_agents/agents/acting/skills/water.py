"""Everything done at a sink: wash, fill, pour out; and watering plants."""

from __future__ import annotations

from teach_agents.agents.acting.attempts import Touch
from teach_agents.agents.acting.body import Body, Finding, SkillError, Steps, attempted, not_found
from teach_agents.agents.acting.reaching import act_on, touch
from teach_agents.agents.acting.skills.hands import (
    easiest,
    faucet_of,
    free_hand,
    parts_of,
    pick_up,
    put_held,
    still,
    switch,
    try_out,
)
from teach_agents.agents.acting.skills.moving import put_making_room
from teach_agents.agents.acting.skills.searching import look_at
from teach_agents.agents.acting.things import Test, Thing, Things, having
from teach_agents.understanding.english.values import ReportKind

_SINK_TYPES = ("Sink", "Bathtub")
_IS_FULL = having("isFilledWithLiquid")


def sinks(things: Things) -> list[Thing]:
    """Places with running water that can hold something."""
    if not things.of("Faucet"):
        return []
    return [thing for thing in things.of(*_SINK_TYPES) if thing.has("receptacle")]


def _no_sink(things: Things) -> SkillError:
    """What running water lacks: the faucet of a sink that is known, else a sink (or the basin of one)."""
    return not_found("Faucet" if things.of(*_SINK_TYPES) and not things.of("Faucet") else "Sink")


def clean(body: Body, thing: Thing) -> Steps:
    """Wash a thing; it stays in the sink."""
    yield from _under_water(body, thing, lambda now: not now.has("isDirty"))


def fill(body: Body, thing: Thing) -> Steps:
    """Fill a container with water; it stays in the sink, or where it is when it is filled out of a smaller one."""
    if (yield from attempted(_under_water(body, thing, _IS_FULL), ReportKind.NO_ROOM)):
        yield from _pour_over(body, thing)


def _pour_over(body: Body, thing: Thing) -> Steps:
    """Fill what fits in no sink out of a vessel that does."""
    yield from free_hand(body)
    for vessel in [vessel for vessel in _vessels(body) if vessel.object_id != thing.object_id][:3]:
        try:
            yield from _under_water(body, vessel, _IS_FULL)
            yield from pick_up(body, vessel)
            yield from act_on(body, "Pour", thing)
        except SkillError:
            continue
        return
    raise SkillError(ReportKind.NO_ROOM, noun="Sink")


def empty(body: Body, thing: Thing) -> Steps:
    """Pour out what a container holds, or may hold; it stays in the hand."""
    if not body.now(thing).may("isFilledWithLiquid"):
        return
    yield from pick_up(body, thing)
    places = sinks(body.things)
    if not places and body.knowledge is not None:
        raise _no_sink(body.things)
    for sink in easiest(body, places):
        try:
            yield from still(body, sink)
            parts = parts_of(body.things, sink)
            if body.is_now(thing, "isFilledWithLiquid"):
                yield from touch(body, Touch("Pour", sink, ids=parts))
            else:
                yield from try_out(body, "Pour", sink, parts)
        except SkillError:
            continue
        return
    raise SkillError(ReportKind.NOT_REACHED, noun="Sink")


def water(body: Body, plant: Thing) -> Steps:
    """Pour water on a plant, from the vessel that is easiest to fill."""
    if body.is_now(plant, "isFilledWithLiquid"):
        return
    lacking = not_found("Cup")
    for candidate in _vessels(body)[:3]:
        try:
            yield from fill(body, candidate)
            yield from pick_up(body, candidate)
        except SkillError as error:
            if error.kind is ReportKind.NOT_FOUND and body.knowledge is not None:
                lacking = error
            continue
        yield from act_on(body, "Pour", plant)
        return
    raise lacking


def pour(body: Body, target: Thing) -> Steps:
    """Pour what the held vessel holds into or onto something; into a sink it is poured out."""
    parts = frozenset[str]()
    if target.is_basin:
        yield from still(body, target)
        parts = parts_of(body.things, target)
    yield from touch(body, Touch("Pour", body.now(target), ids=parts))


def clear(body: Body, holder: Thing) -> Steps:
    """Take everything out of or off a holder and put it elsewhere. What is out of reach stays; then `SkillError`."""
    stays: SkillError | None = None
    for thing in body.things.contents(holder):
        if thing.has("pickupable") and holder in body.holders(thing):
            if failure := (yield from attempted(pick_up(body, thing))):
                stays = failure
                continue
            yield from free_hand(body, avoid=holder)
            body.memory.kept.discard(thing.object_id)
    if stays:
        raise stays


def _vessels(body: Body) -> list[Thing]:
    vessels = [
        thing
        for thing in body.things
        if thing.has("pickupable") and thing.has("canFillWithLiquid") and not thing.has("simbotIsFilledWithCoffee")
    ]
    return filled_first(body, vessels)


def filled_first(body: Body, vessels: list[Thing]) -> list[Thing]:
    """The easiest to get first, of those that hold something, then of the others."""
    ready = [vessel for vessel in vessels if vessel.has("isFilledWithLiquid")]
    return easiest(body, ready) + easiest(body, [vessel for vessel in vessels if vessel not in ready])


def _under_water(body: Body, thing: Thing, done: Test) -> Steps:
    if done(body.now(thing)):
        return
    places = sinks(body.things)
    here = next((place for place in places if body.things.is_inside(body.now(thing), place)), None)
    if here is None:
        yield from pick_up(body, thing)
        here = yield from _into_a_sink(body, places or sinks(body.things))
    if done(body.now(thing)):
        return
    faucet = faucet_of(body.things, here)
    if faucet is None:
        raise not_found("Faucet")
    yield from switch(body, faucet, on=False)
    yield from switch(body, faucet, on=True)
    yield from look_at(body, thing)
    worked = done(body.now(thing))
    yield from switch(body, faucet, on=False)
    if not worked:
        raise SkillError(ReportKind.FAILED, thing)


def _into_a_sink(body: Body, places: list[Thing]) -> Finding:
    """Put what is held in the first sink that takes it; when none does, room is made in the nearest."""
    if not places:
        raise _no_sink(body.things)
    held = body.held
    ranked = easiest(body, places)
    for place in ranked:
        if not (yield from attempted(put_held(body, place, patience=2))):
            return place
    if (yield from attempted(put_making_room(body, ranked[0], patience=2))):
        basins = body.things.known(parts_of(body.things, ranked[0]))
        if held is None or not any(t.has("pickupable") for basin in basins for t in body.things.contents(basin)):
            raise SkillError(ReportKind.NO_ROOM, ranked[0])
        yield from free_hand(body, avoid=ranked[0])
        for basin in basins:
            yield from attempted(clear(body, basin), ReportKind.NOT_REACHED)
        yield from pick_up(body, held)
        yield from put_held(body, ranked[0], hopeful=True)
    return ranked[0]
