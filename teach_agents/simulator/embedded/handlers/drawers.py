"""What lies in a drawer moves with it; what a door would swing into stops it."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from teach_agents.observations import Vec3
from teach_agents.simulator.contract import Box, ObjectState
from teach_agents.simulator.embedded.loading import load_room
from teach_agents.simulator.embedded.world import World

if TYPE_CHECKING:
    from teach_agents.simulator.embedded.shapes.fronts import Fronts


_NOT_AT_ALL = Vec3(0.0, 0.0, 0.0)


@cache
def _fronts(room: str) -> Fronts:
    """Which way the furniture of a room faces; furniture never moves, so one answer serves every state of the room."""
    from teach_agents.simulator.embedded.shapes.fronts import Fronts

    return Fronts(load_room(room))


def pulled_out(room: str, obj: ObjectState) -> Vec3:
    """How far an open drawer is out of its closed place, metres; zero for anything else."""
    if obj.object_type != "Drawer" or not obj.is_open:
        return _NOT_AT_ALL
    from teach_agents.simulator.embedded.openings import open_panels

    panels = open_panels(_fronts(room), obj)
    if not panels:
        return _NOT_AT_ALL
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
    from teach_agents.simulator.embedded.openings import open_panels

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
            place = (here + new - old for here, new, old in zip(obj.position, after, before, strict=True))
            world.pose(inner, Vec3(*place), obj.rotation)


def stopped_by_body(world: World, obj: ObjectState, openness: float) -> bool:
    """Whether a door would swing into the Follower, which AI2-THOR refuses. Closing never does."""
    if openness <= obj.openness:
        return False
    from teach_agents.simulator.embedded.openings import door_meets_body

    return door_meets_body(_fronts(world.room), obj, openness, world.agent.position)
