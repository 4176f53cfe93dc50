"""Orders that throw things away, or move what may be too heavy."""

from __future__ import annotations

from teach_agents.agents.acting.things import Thing
from teach_agents.agents.dialogue.noun_text import sentence
from teach_agents.agents.dialogue.noun_types import PRONOUNS, kinds_of
from teach_agents.agents.dialogue.orders.availability import LIFTED
from teach_agents.agents.dialogue.orders.homes import told_home
from teach_agents.agents.dialogue.orders.order_context import Doing, OrderContext, UnableError, ids_of
from teach_agents.agents.dialogue.orders.order_reports import are
from teach_agents.agents.dialogue.orders.pick_and_place import HOLDS, put, put_in
from teach_agents.agents.dialogue.orders.pickup import TOO_HEAVY, doubt, whole
from teach_agents.core.dialogue import Phrase

_BIN = Phrase("bin")
_REFUSE = frozenset({"there", "recycling", "waste", "litter"})
"""What stands for the bin, besides its names."""


def thrown_away(context: OrderContext) -> Doing:
    """Put things in the bin; where another place is named, "throw it in the garden", there or nowhere."""
    found = whole(context.phrase, (yield from context.find(context.phrase, LIFTED, TOO_HEAVY)))
    named = [slot.phrase for slot in context.order.slots if slot.role in ("in", "on", "at", "to")]
    elsewhere = [one for one in named if "GarbageCan" not in kinds_of(one.noun) and one.noun not in PRONOUNS | _REFUSE]
    told = [] if named else [one for thing in found.chosen[:1] if (one := _told(thing, context)) is not None]
    places = yield from context.find((elsewhere or told or [_BIN])[0], HOLDS)
    outcome = yield from put_in(context, found, places.things)
    return outcome._replace(said=outcome.said + doubt(context, found)) if outcome.done else outcome


def _told(thing: Thing, context: OrderContext) -> Phrase | None:
    """Where such a thing goes, as was told, when it is done with."""
    return told_home(thing, context.resolver, done_with=True)


def moved(context: OrderContext) -> Doing:
    """Things that can be carried are put; furniture stays."""
    found = yield from context.find(context.phrase)
    if any(LIFTED(one) for one in found.chosen):
        return (yield from put(context))
    words = context.the(found.chosen)
    raise UnableError(
        context.pick(
            f"I cannot move {words}: I can only carry what fits in my hand.",
            f"{sentence(words, '')} {are(found.chosen)} too heavy for me; I can carry small things only.",
        ),
        ids_of(found.chosen),
    )
