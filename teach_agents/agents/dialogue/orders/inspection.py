"""Look at, into or for what a question is about, before it is answered by a body that knows only what it saw."""

from __future__ import annotations

from collections.abc import Sequence

from teach_agents.agents.acting.body import Steps, attempted
from teach_agents.agents.acting.performing import told_places
from teach_agents.agents.acting.receptacles import DEEP, LIDDED, likelihood
from teach_agents.agents.acting.skills.approach import go_up_to
from teach_agents.agents.acting.skills.hands import easiest
from teach_agents.agents.acting.skills.searching import has_seen_all, look_about, look_for, look_into
from teach_agents.agents.acting.skills.surface_search import look_over
from teach_agents.agents.acting.surfaces import is_surface
from teach_agents.agents.acting.things import Test, Thing
from teach_agents.agents.dialogue.noun_text import is_several
from teach_agents.agents.dialogue.noun_types import ANYTHING, PRONOUNS, kinds_of, named_by
from teach_agents.agents.dialogue.orders.named_things import PERSONS
from teach_agents.agents.dialogue.orders.order_context import Doing, OrderContext, Outcome
from teach_agents.agents.dialogue.reference_resolution import LIQUIDS
from teach_agents.agents.dialogue.referring_expressions import FURNITURE
from teach_agents.agents.dialogue.room_knowledge import meant
from teach_agents.core.dialogue import Phrase

_OF_PLACES = frozenset({"in", "on"})
"""What is asked of a place: what is in or on it."""
_OF_THINGS = frozenset({"where", "count", "there", "which", "state", "what_state", "near"})
"""What is asked of things that may be somewhere where nobody looked."""
_OF_ALL = _OF_THINGS - {"near"}
"""What may be asked of all things of a kind."""
_FILLED = frozenset({":empty", ":full"})
_MOST, _ROUND = 120, 40
"""Actions that a look takes at most, and a look round for what nobody has seen yet."""
_LIKELY = 0.1
"""How many things of a kind a shut thing holds on average where it is looked into to count them."""
_HOLDERS = 4
"""Of more places that may be meant so many are looked at."""
_NOWHERE = PERSONS | PRONOUNS | ANYTHING | {*LIQUIDS, "hand", "there"}
"""What is no place to look at, and no kind of things to look for."""


def is_worth_a_look(context: OrderContext) -> bool:
    """Whether looking may tell more of what a question asks than is known."""
    if context.body.knowledge is None or not context.order.slots:
        return False
    return bool(_unknown(context) or _unlooked(context) or _missed(context) or _is_of_all_unseen(context))


def inspected(context: OrderContext) -> Doing:
    """Look for the place that a question names, at or into it, and for the things, as far as that takes few actions."""
    body = context.body
    yield from _seek(context, _unknown(context))
    if _is_of_all_unseen(context):
        yield from look_about(body, lambda: _is_there(context), _ROUND)
    begun = body.observation.turn
    holders = easiest(body, [*_unlooked(context)])
    if _place(context) is None:
        holders = [one for one in holders if not one.is_shut or body.memory.may_open(one)]
    else:
        holders = [one for one in holders if not one.is_shut or context.barred("Open", one) is None] or holders
    for holder in holders[:_HOLDERS]:
        left = _MOST - (body.observation.turn - begun)
        if left > 0 and not _is_there(context):
            yield from attempted(_look_over(context, holder, left))
    yield from _seek(context, _missed(context))
    return Outcome(not _missed(context), "")


def _is_of_all_unseen(context: OrderContext) -> bool:
    """Whether all things of the room are asked about that are so or called so, while corners of it were never seen."""
    phrase = _phrase(context)
    if _place(context) is not None or context.order.about not in _OF_ALL or has_seen_all(context.body):
        return False
    if phrase.noun in ANYTHING or not kinds_of(phrase.noun):
        asked_for = bool(phrase.looks) or context.order.about == "state"
        return phrase.noun in ANYTHING and asked_for and not _is_there(context)
    return context.order.about in ("count", "which") or (context.order.about != "where" and is_several(phrase))


def _phrase(context: OrderContext) -> Phrase:
    return context.knowing.here(context.order.slots[0].phrase)


def _place(context: OrderContext) -> Phrase | None:
    """The place that a question is about, if any, where it is not the whole room."""
    phrase, topic = _phrase(context), context.order.about
    place = phrase.place[1] if phrase.place is not None and phrase.place[0] in ("in", "on") else None
    if topic in _OF_PLACES or (topic == "state" and context.order.slots[0].role in _FILLED):
        place = phrase
    return None if place is None or context.knowing.is_room(place.noun) else place


def _unknown(context: OrderContext) -> str:
    """The kind of the place that is named, where none is known; "" where one is."""
    place = _place(context)
    if place is None or place.noun in _NOWHERE or context.knowing.find(place).things:
        return ""
    return next(iter(kinds_of(place.noun)), "")


def _unlooked(context: OrderContext) -> Sequence[Thing]:
    """The places that are named, as far as what is in or on them is not known; those where more things that are to be
    counted may well be."""
    place, phrase = _place(context), _phrase(context)
    if place is None and context.order.about == "count" and phrase.noun not in _NOWHERE:
        kind = next(iter(kinds_of(phrase.noun)), "")
        hidden = context.knowing.unlooked(kind) if kind and kind not in FURNITURE else []
        hidden = [one for one in hidden if one.object_type not in LIDDED]
        return [one for one in hidden if likelihood(kind, one.object_type) >= _LIKELY]
    holders = meant(context.knowing.find(place)) if place is not None and place.noun != "hand" else []
    closely = _is_closely_seen(context)
    return [one for one in holders if one.has("receptacle") and not (closely(one) and context.is_known_inside(one))]


def _is_closely_seen(context: OrderContext) -> Test:
    """Whether a place was looked at for its own sake: passing by tells neither how many things are there, nor that
    there is none."""
    topic, looked = context.order.about, context.body.memory.looked_into
    in_passing = topic != "count" and not (topic == "there" and not _is_there(context))
    return lambda place: (
        in_passing or not (is_surface(place) or place.object_type in DEEP) or bool(looked[place.object_id])
    )


def _is_there(context: OrderContext) -> bool:
    """Whether what may be somewhere has been seen there."""
    return context.order.about == "there" and bool(context.knowing.find(_phrase(context)).things)


def _look_over(context: OrderContext, holder: Thing, most: int) -> Steps:
    """Look into what hides its contents, at anything else from near; what was opened is shut again."""
    body = context.body
    if holder.is_shut or holder.object_type in DEEP:
        context.allowed([holder], to="Place")
        yield from look_into(body, [holder], lambda: False, most, thorough=True)
    else:
        yield from go_up_to(body, holder)
        yield from look_over(body, holder, lambda: _is_there(context), thorough=context.order.about == "count")
        body.memory.looked_into[holder.object_id] += 1
    yield from context.shut_behind()


def _missed(context: OrderContext) -> str:
    """The kind of the things that are asked about, where no such thing is known and nothing was told of them."""
    phrase = _phrase(context)
    kinds = () if phrase.noun in _NOWHERE else kinds_of(phrase.noun)
    if context.order.about not in _OF_THINGS or _place(context) is not None or not kinds:
        return ""
    if any({fact.noun, *kinds_of(fact.noun)} & {phrase.noun, *kinds} for fact in context.state.facts if fact.place):
        return ""
    return "" if _is_answered(context) else kinds[0]


def _is_answered(context: OrderContext) -> bool:
    """Whether a thing is known as it is described: a knife, where one is asked about, rather than a butter knife."""
    phrase = _phrase(context)
    found = context.knowing.find(phrase)
    named = named_by(phrase.noun)
    things = [one for one in found.things if not named or one.is_a(named)]
    wanted = int(phrase.count) if phrase.count.isdecimal() else 1
    return len(things) >= wanted or bool(found.alike and phrase.looks and not found.things)


def _seek(context: OrderContext, kind: str) -> Steps:
    """Look for one more of a kind: in the open only, where it is what stands in no other thing."""
    if not kind:
        return
    body, before = context.body, context.body.things.of(kind)

    def wanted() -> bool:
        return len(body.things.of(kind)) > len(before)

    if kind in FURNITURE:
        yield from look_about(body, wanted, _MOST, kind)
        return
    told = [place for name, place in body.memory.hints if name == kind]
    yield from attempted(look_for(body, kind, wanted, told_places(body, told), _MOST))
    yield from context.shut_behind()
