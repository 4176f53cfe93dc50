"""Put things next to something, or near whoever speaks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from teach_agents.agents.acting.body import Body, SkillError, Steps, attempted
from teach_agents.agents.acting.grounding import gap
from teach_agents.agents.acting.skills.approach import go_up_to
from teach_agents.agents.acting.skills.hands import put_held
from teach_agents.agents.acting.things import Thing
from teach_agents.agents.dialogue.noun_text import called, sentence
from teach_agents.agents.dialogue.orders.company import NEAREST, SURFACES, point_of_speaker, surfaces_at_speaker
from teach_agents.agents.dialogue.orders.order_context import Doing, OrderContext, Outcome, UnableError, ids_of
from teach_agents.agents.dialogue.orders.order_reports import are, hindrance, placed
from teach_agents.agents.dialogue.orders.pickup import candidates, held_back, take
from teach_agents.agents.dialogue.reference_resolution import Found
from teach_agents.observations import Vec3
from teach_agents.understanding.english.lexicon import number_word

_BESIDE, _NEAR = 0.5, 1.0
"""Within so many metres things are next to each other; are said to be so once they were put there."""


class _Spot(NamedTuple):
    """Next to what things are to be, `None` for whoever speaks; the surfaces there, the best first, and the point."""

    mark: Thing | None
    places: Sequence[Thing]
    point: Vec3 | None


def put_by(context: OrderContext, found: Found, mark: Thing | None) -> Doing:
    """Put as many as are meant near a landmark, on what that stands on or the nearest surface; without one, near
    whoever speaks. What is there already counts."""
    body, spot = context.body, _spot(context, mark)
    if not spot.places:
        raise UnableError("There is no surface near there.")
    things = candidates(found)
    wanted = len(things) if found.many is None else min(found.many, len(things))
    there = [one for one in things[: None if wanted > 1 else 1] if mark is not None and _is_beside(body, one, mark)]
    if mark is not None and len(there) >= wanted:
        words = f"{context.the(there[:wanted])} {are(there[:wanted])} next to the {called(mark).alone} already"
        return Outcome(True, sentence(words), ids_of(there[:wanted]), ids_of(spot.places[:1]))
    moved, failure = list[str](), None
    while failure is None and len(there) + len(moved) < wanted:
        left = [one for one in context.now(things) if one not in context.now(there) and one.object_id not in moved]
        first = Found(left, 1, found.kinds, salient=found.salient or found.many is None)
        failure = yield from attempted(_put_one(context, first, spot))
        moved += [] if failure is not None or body.last_handled is None else [body.last_handled.object_id]
    return _told(context, [*there, *body.things.known(moved)], things[:wanted], spot, failure)


def _told(
    context: OrderContext, done: Sequence[Thing], meant: Sequence[Thing], spot: _Spot, failure: SkillError | None
) -> Outcome:
    """What is said of those that are there now, and of the rest."""
    body = context.body
    if not done:
        held = failure is not None and body.held is not None
        said = held_back(context, failure, meant) if held else context.unable(failure)
        return Outcome(False, said, ids_of(meant[:1]))
    done = context.now(done)
    near = spot.mark is None or all(gap(one, body.now(spot.mark)) < _NEAR for one in done)
    name = f"the {called(spot.mark).alone}" if spot.mark is not None else "you"
    by = f"next to {name}" if near else f"as near to {name} as I could"
    holders = {one.object_id: one for thing in done for one in body.things.holders(thing)[:1]}
    on = f"{placed(next(iter(holders.values())))}{' ' if near else ', '}" if len(holders) == 1 else ""
    said = f"{context.the(done)} {are(done)} {on}{by}"
    if len(done) < len(meant):
        why = hindrance(failure, body) if failure is not None else "the rest would not go"
        said = f"only {number_word(len(done))} of {context.the(meant)} {are(done)} {on}{by}; {why}"
    return Outcome(near and len(done) >= len(meant), sentence(said), ids_of(done), tuple(holders))


def _spot(context: OrderContext, mark: Thing | None) -> _Spot:
    if mark is None:
        return _Spot(None, [*surfaces_at_speaker(context)], point_of_speaker(context))
    things = context.body.things
    under = [one for one in things.holders(mark) if one.has("receptacle") and one.object_type != "Floor"]
    others = [one for one in things.of(*SURFACES) if one.has("receptacle") and one is not mark]
    nearest = sorted(others, key=lambda one: gap(one, mark))[:NEAREST]
    return _Spot(mark, [*under[:1], *nearest], mark.center)


def _put_one(context: OrderContext, found: Found, spot: _Spot) -> Steps:
    """Put one of these there. Raises `SkillError` where no surface takes it."""
    body = context.body
    yield from take(context, found)
    if spot.mark is not None:
        yield from attempted(go_up_to(body, spot.mark))
    failure: SkillError | None = None
    for place in spot.places:
        under = spot.mark is not None and place in body.things.holders(spot.mark)  # that is worth a try
        error = yield from attempted(put_held(body, place, hopeful=under, near=spot.point))
        if error is None:
            return
        failure = failure or error
    if failure is not None:
        raise failure


def _is_beside(body: Body, thing: Thing, mark: Thing) -> bool:
    """Whether a thing is next to a landmark, and on the same surface."""
    same = bool(set(thing.parents) & {*mark.parents, mark.object_id})
    return same and not body.holds(thing) and gap(thing, mark) < _BESIDE
