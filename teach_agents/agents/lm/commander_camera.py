"""How a Commander's free camera looks a room over: it rises, turns all the way round, and does so again elsewhere."""

from __future__ import annotations

import math
from collections.abc import Callable, Generator

from teach_agents.actions import Action
from teach_agents.agents.acting.things import Things
from teach_agents.observations import Observation, Pose

_HEIGHT = 1.9
"""From where counters, tables and open shelves are seen from above, metres."""
_STEP = 0.25
_RISES, _MOVES = 8, 12
"""Turns that rising and flying may take."""


def turn() -> Action:
    """A quarter of the way round."""
    return Action("Turn Right")


def look_around(now: Callable[[], tuple[Observation, Things]]) -> Generator[Action, None, None]:
    """See the room from here and from the other side of its middle: at most 28 turns."""
    for _ in range(_RISES):
        if now()[0].pose.position.y >= _HEIGHT - _STEP / 2:
            break
        yield Action("Look Up")
    yield from _sweep()
    observation, things = now()
    moves = _across(observation.pose, things)
    if moves:
        yield from (Action(name) for name in moves)
        yield from _sweep()


def _sweep() -> Generator[Action, None, None]:
    for _ in range(4):
        yield turn()


def _across(pose: Pose, things: Things) -> list[str]:
    """Moves that take the camera to the other side of the middle of what was seen."""
    found = [thing.center for thing in things]
    if not found:
        return []
    x, z = ((min(values) + max(values)) / 2 for values in ([p.x for p in found], [p.z for p in found]))
    dx, dz = 2 * (x - pose.position.x), 2 * (z - pose.position.z)
    heading = math.radians(pose.yaw)
    ahead = dx * math.sin(heading) + dz * math.cos(heading)
    aside = dx * math.cos(heading) - dz * math.sin(heading)
    moves = [("Forward", "Backward", ahead), ("Pan Right", "Pan Left", aside)]
    ways = [[more if way > 0 else less] * round(abs(way) / _STEP) for more, less, way in moves]
    longest = max(map(len, ways))
    if longest * _STEP < 1.0:
        return []
    share = min(1.0, _MOVES / sum(map(len, ways)))
    return [name for way in ways for name in way[: round(len(way) * share)]]
