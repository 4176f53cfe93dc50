"""Things that an order needs and that are not there yet: cut, toasted or washed first."""

from __future__ import annotations

from teach_agents.agents.acting.body import Steps
from teach_agents.agents.acting.things import having
from teach_agents.agents.dialogue.noun_types import TOAST
from teach_agents.agents.dialogue.orders.order_context import OrderContext
from teach_agents.agents.dialogue.states import but_clean
from teach_agents.core.dialogue import Phrase
from teach_agents.understanding.english.values import Verb

LIFTED = having("pickupable")
"""What can be carried."""


def made_so(context: OrderContext, phrase: Phrase) -> Steps:
    """Bring about that there is what is described, where that takes one slicing or one washing."""
    things, known = context.body.things, context.known(phrase, LIFTED)
    if known.things and (phrase.noun not in TOAST or any(one.is_cooked for one in known.things)):
        return
    kind = next(iter(known.kinds), "").removesuffix("Sliced")
    whole = [one for one in things.of(kind) if one.has("sliceable")] if known.kinds else []
    if whole and known.kinds[0].endswith("Sliced") and not things.of(known.kinds[0]):
        yield from context.do(Verb.SLICE, whole[:1], count=1)
        yield from context.hand_freed()  # of the knife, which goes back
    slices = context.body.things.of("BreadSliced")
    if phrase.noun in TOAST and slices and not any(one.is_cooked for one in slices):
        yield from context.do(Verb.TOAST, slices, count=1)
    yield from made_clean(context, phrase)


def made_clean(context: OrderContext, phrase: Phrase) -> Steps:
    """Wash what is described but for being clean, where nothing that is described so is."""
    plain = but_clean(phrase)
    if plain == phrase or context.known(phrase, LIFTED).things or not context.body.things.of("Sink"):
        return
    dirty = [one for one in context.known(plain, LIFTED).things if one.has("isDirty")]
    if dirty:
        yield from context.do(Verb.CLEAN, dirty, count=1)
        full = [one for one in context.now(dirty) if one.has("isFilledWithLiquid")]
        yield from context.do(Verb.EMPTY, full, count=1) if full else ()
