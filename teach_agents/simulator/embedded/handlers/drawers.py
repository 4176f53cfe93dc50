"""What lies in a drawer moves with it; what a door would swing into stops it; whether a thing has room in the hand.

AI2-THOR takes nothing up that would stand in something else in the hand. Of what people stood near in TEACh's train
sessions, two kinds of bodies show this: furniture with doors that does not hold the thing, fridges above all, and doors
that stand open. In 44 pickups the thing would have reached into one of them; 37 were refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from teach_agents.observations import Vec3
from teach_agents.simulator.contract import Box, ObjectState
from teach_agents.simulator.embedded.facts import DOORED
from teach_agents.simulator.embedded.geometry import minus, plus, posed
from teach_agents.simulator.embedded.loading import load_room
from teach_agents.simulator.embedded.shapes.fronts import Fronts, door_meets_body, open_panels
from teach_agents.simulator.embedded.world import World

_NOT_AT_ALL = Vec3(0.0, 0.0, 0.0)


@cache
def _fronts(room: str) -> Fronts:
    """Which way the furniture of a room faces; furniture never moves, so one answer serves every state of the room."""
    return Fronts(load_room(room))


def pulled_out(room: str, obj: ObjectState) -> Vec3:
    """How far an open drawer is out of its closed place, metres; zero for anything else."""
    if obj.object_type != "Drawer" or not obj.is_open:
        return _NOT_AT_ALL
    panels = open_panels(_fronts(room), obj)
    panel, body = panels[0].center, obj.box.center
    out = []
    for axis in range(3):
        ahead = panel[axis] - body[axis]
        length = 2 * abs(ahead) - obj.box.size[axis]
        out.append(0.0 if axis == 1 or length <= 0 else length if ahead > 0 else -length)
    return Vec3(*out)


def doors_out(room: str, obj: ObjectState) -> tuple[Box, ...]:
    """The opened doors of a cabinet, fridge, microwave or safe, as they stand out of its body."""
    if not obj.is_open or obj.object_type == "Drawer":
        return ()
    return open_panels(_fronts(room), obj)


def carry_contents(world: World, drawer: ObjectState, openness: float) -> None:
    """Move what lies in a drawer to where it is once the drawer is open so far; the drawer itself is left alone."""
    if drawer.object_type != "Drawer" or not drawer.contents:
        return
    before = pulled_out(world.room, drawer)
    after = pulled_out(world.room, replace(drawer, openness=openness))
    for inner in drawer.contents:
        obj = world.objects[inner]
        if obj.kind.pickupable and obj.parents[0] == drawer.object_id:
            world.pose(inner, minus(plus(obj.position, after), before), obj.rotation)


def stopped_by_body(world: World, obj: ObjectState, openness: float) -> bool:
    """Whether a door would swing into the Follower, which AI2-THOR refuses. Closing never does."""
    if openness <= obj.openness:
        return False
    return door_meets_body(_fronts(world.room), obj, openness, world.agent.position)


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
