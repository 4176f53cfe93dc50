"""With whoever speaks, and beside things: where that is, whether the body is there, how it gets there."""

from __future__ import annotations

from collections.abc import Sequence

from teach_agents.agents.acting.body import Body, Steps
from teach_agents.agents.acting.navigation import point_of
from teach_agents.agents.acting.reaching import effort
from teach_agents.agents.acting.skills.approach import go_back, go_beside
from teach_agents.agents.acting.things import Thing
from teach_agents.agents.dialogue.dialogue_state import DialogueState
from teach_agents.agents.dialogue.orders.order_context import OrderContext
from teach_agents.core.dialogue import Phrase
from teach_agents.observations import Vec3

SURFACES = tuple("CounterTop DiningTable CoffeeTable SideTable Desk Dresser TVStand Shelf Bed Sofa ArmChair".split())
"""What things are put on that are to be near something."""
NEAREST = 3
"""So many surfaces are near."""
BESIDE = 1.5
"""Who is no further from a thing's box than this has gone to it, metres."""
_AT_HOME = 0.8
"""Within so many metres of where the talk began one is with whoever speaks."""
_SPEAKER = frozenset({"me", "us"})


def is_beside(body: Body, thing: Thing) -> bool:
    """Whether a thing is within a step or two."""
    now = body.things.get(thing.object_id) or thing
    return now.away(body.pose.position) <= BESIDE


def beside_speaker(context: OrderContext) -> Thing | None:
    """What whoever speaks said to be at, where it is known."""
    told = next((fact for fact in reversed(context.state.facts) if fact.noun in _SPEAKER and fact.place), None)
    return next(iter(context.known(Phrase(told.place)).things), None) if told is not None else None


def is_nowhere_known(state: DialogueState, body: Body) -> bool:
    """Whether nobody said where they are, and the body stands where the talk began: nowhere is left to come to."""
    told = any(fact.noun in _SPEAKER and fact.place for fact in state.facts)
    return not told and body.home is not None and body.distance(point_of(body.home[0])) < _AT_HOME


def is_with_speaker(context: OrderContext) -> bool:
    """Whether the body is where whoever speaks said to be; where nothing was said, where the talk began."""
    thing, home = beside_speaker(context), context.body.home
    if thing is not None:
        return is_beside(context.body, thing)
    return home is not None and context.body.distance(point_of(home[0])) < _AT_HOME


def go_to_speaker(context: OrderContext) -> Steps:
    """Come to whoever speaks. Raises `SkillError` (not reached) where there is no way."""
    thing, home = beside_speaker(context), context.body.home
    if thing is not None:
        yield from go_beside(context.body, thing)
    elif home is not None:
        yield from go_back(context.body, home)


def point_of_speaker(context: OrderContext) -> Vec3 | None:
    """About where whoever speaks is."""
    thing, home = beside_speaker(context), context.body.home
    return thing.center if thing is not None else point_of(home[0]) if home is not None else None


def surfaces_at_speaker(context: OrderContext) -> Sequence[Thing]:
    """The surfaces nearest to whoever speaks."""
    here = point_of_speaker(context)
    if here is None:
        return []
    surfaces = [one for one in context.body.things.of(*SURFACES) if one.has("receptacle")]
    reachable = [one for one in surfaces if effort(context.body, one) < 1e6]
    return sorted(reachable, key=lambda one: one.away(here))[:NEAREST]
