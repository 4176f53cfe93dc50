"""Put things back where they were before they were moved, or where they belong."""

from __future__ import annotations

from teach_agents.agents.acting.things import Thing
from teach_agents.agents.dialogue.noun_text import sentence
from teach_agents.agents.dialogue.noun_types import PRONOUNS
from teach_agents.agents.dialogue.orders.order_context import Doing, OrderContext, UnableError, ids_of
from teach_agents.agents.dialogue.orders.pick_and_place import LIFTED, TOO_HEAVY, put, put_home, put_in
from teach_agents.agents.dialogue.reference_resolution import Found


def put_back(context: OrderContext) -> Doing:
    """Put a thing where it was before it was moved."""
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
    home = (yield from put_home(context, found)) if not moved else None
    if home is not None:
        return home
    if not moved:
        words = context.the(found.things[:1])
        raise UnableError(f"I have not moved {words}.", ids_of(found.things[:1]))
    origin = body.things.get(
        context.state.origins.get(moved[0].object_id) or body.memory.taken_from[moved[0].object_id]
    )
    home = (yield from put_home(context, Found(moved[:1], 1))) if _is_floor(origin) else None
    if home is not None:
        return home
    if origin is None or _is_floor(origin):
        words = context.the(moved[:1])
        raise UnableError(
            f"{sentence(words, '')} was on the floor, and I can put things only on furniture.", ids_of(moved[:1])
        )
    return (yield from put_in(context, Found(moved[:1], 1, salient=True), [origin]))


def _is_floor(place: Thing | None) -> bool:
    return place is not None and place.object_type == "Floor"
