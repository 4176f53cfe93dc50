"""Whether a thing has room in the hand: AI2-THOR takes nothing up that would stand in something else there.

Of what people stood near in TEACh's train sessions, two kinds of bodies show this: furniture with doors that does not
hold the thing, fridges above all, and doors that stand open. In 44 pickups the thing would have reached into one of
them; 37 were refused.
"""

from __future__ import annotations

from collections.abc import Iterator

from teach_agents.simulator.contract import Box, ObjectState
from teach_agents.simulator.embedded.facts import DOORED
from teach_agents.simulator.embedded.handlers.drawers import doors_out
from teach_agents.simulator.embedded.poses import posed
from teach_agents.simulator.embedded.world import World

_INTO_BODY = 0.0
_INTO_DOOR = 0.02
"""How deep a box in the hand may reach into the box of a body, or of an open door, metres."""


def clips(world: World, obj: ObjectState) -> bool:
    """Whether `obj`, held before the body as it stands now, would reach into furniture with doors or into its doors."""
    box = posed(obj, *world.hand).box
    return any(_depth(box, other) > most for other, most in _bodies(world, obj))


def _bodies(world: World, obj: ObjectState) -> Iterator[tuple[Box, float]]:
    for object_type in sorted(DOORED):
        for object_id in world.of_type(object_type):
            other = world.objects[object_id]
            if other.kind.pickupable:
                continue
            if object_id not in obj.parents:
                yield other.box, _INTO_BODY
            for door in doors_out(world.room, other):
                yield door, _INTO_DOOR


def _depth(one: Box, other: Box) -> float:
    """How far two boxes reach into each other along the axis where they do so least; negative when apart."""
    return min(
        min(high, other_high) - max(low, other_low)
        for low, high, other_low, other_high in zip(one.low, one.high, other.low, other.high, strict=True)
    )
