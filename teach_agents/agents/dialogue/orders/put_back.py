"""Put things back where they were before they were moved, or where they belong."""

from __future__ import annotations

from teach_agents.agents.acting.body import SkillError, attempted
from teach_agents.agents.acting.skills.approach import go_near
from teach_agents.agents.acting.skills.hands import put_held
from teach_agents.agents.acting.things import Thing
from teach_agents.agents.dialogue.noun_text import sentence
from teach_agents.agents.dialogue.noun_types import PRONOUNS
from teach_agents.agents.dialogue.orders.availability import LIFTED
from teach_agents.agents.dialogue.orders.homes import told_home
from teach_agents.agents.dialogue.orders.order_context import Doing, OrderContext, Outcome, UnableError, ids_of
from teach_agents.agents.dialogue.orders.order_reports import are, placed
from teach_agents.agents.dialogue.orders.pick_and_place import HOLDS, is_in, put, put_home, put_in
from teach_agents.agents.dialogue.orders.pickup import TOO_HEAVY, take
from teach_agents.agents.dialogue.reference_resolution import Found


def put_back(context: OrderContext) -> Doing:
    """Put things where they were before they were moved."""
    body = context.body
    role = context.role("in", "on", "to", "near")
    if role is not None and role.noun != "floor":  # "it fell on the floor, hang it back up"
        return (yield from put(context))
    phrase = context.phrase
    found = context.known(phrase, LIFTED)
    if not found.things and body.held is not None and phrase.noun in PRONOUNS:
        found = Found([body.held], 1, salient=True)
    if not found.things:
        found = yield from context.find(phrase, LIFTED, TOO_HEAVY)
    moved = [one for one in found.things if one.object_id in body.memory.taken_from]
    told = next((where for one in found.chosen if (where := told_home(one, context.resolver)) is not None), None)
    home = (yield from put_home(context, found)) if told is not None or not moved else None
    if home is None and told is not None:
        return (yield from put_in(context, found, (yield from context.find(told, HOLDS)).things))
    if home is not None:
        return home
    if not moved:
        words = context.the(found.things[:1])
        raise UnableError(f"I have not moved {words}.", ids_of(found.things[:1]))
    wanted, outcomes = moved if found.many is None else moved[: found.many], list[Outcome]()
    for thing in wanted:
        outcomes.append((yield from _to_its_origin(context, thing)))
    ids = tuple(one for outcome in outcomes for one in outcome.ids)
    said = " ".join(outcome.said for outcome in outcomes)
    return Outcome(all(outcome.done for outcome in outcomes), said, ids, outcomes[-1].place)


def _to_its_origin(context: OrderContext, thing: Thing) -> Doing:
    """Put a thing where it was before an order moved it; says so where that cannot be."""
    origin = context.body.things.get(
        context.state.origins.get(thing.object_id) or context.body.memory.taken_from[thing.object_id]
    )
    found = Found([thing], 1, salient=True)
    try:
        if origin is not None and origin.object_type != "Floor":
            return (yield from _returned(context, thing, origin))
        home = yield from put_home(context, found)
    except UnableError as error:
        return Outcome(False, error.words, (thing.object_id,))
    except SkillError as error:
        return Outcome(False, context.unable(error), (thing.object_id,))
    if home is not None:
        return home
    said = f"{sentence(context.the([thing]), '')} was on the floor, and I can put things only on furniture."
    return Outcome(False, said, (thing.object_id,))


def _returned(context: OrderContext, thing: Thing, origin: Thing) -> Doing:
    """Put a thing where it was, as near to that spot as it fits: it had room there, however full that looks, so nothing
    is moved for it at first.
    """
    found = Found([thing], 1, salient=True)
    if not is_in(context, thing, [origin]):
        (origin,) = context.allowed([origin], to="Place")
        stood_at = context.body.memory.stood_at.get(thing.object_id)
        yield from take(context, found)
        if stood_at is not None and origin.covers(stood_at):
            yield from attempted(go_near(context.body, stood_at))
        else:
            stood_at = None
        yield from attempted(put_held(context.body, origin, hopeful=True, near=stood_at))
        if is_in(context, thing, [origin]):
            yield from context.shut_behind()
            there = context.now([thing])
            words = f"{context.the(there)} {are(there)} back {placed(origin)}"
            return Outcome(True, sentence(words), ids_of(there), (origin.object_id,))
    return (yield from put_in(context, found, [origin]))
