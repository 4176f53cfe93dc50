"""Go up to things, go back to where one was, take single steps."""

from __future__ import annotations

import math
from collections.abc import Callable, Generator

import numpy as np

from teach_agents.actions import Action
from teach_agents.agents.acting.body import Body, SkillError, Steps, go_to, tilt
from teach_agents.agents.acting.looking import EYE_HEIGHT
from teach_agents.agents.acting.navigation import GRID, Stand
from teach_agents.agents.acting.skills.hands import parts_of
from teach_agents.agents.acting.things import Thing
from teach_agents.agents.acting.vantages import Vantage
from teach_agents.observations import Vec3
from teach_agents.understanding.english.values import ReportKind

_PLACES = 4
_CLOSE = 1.4
"""Who is no further from the middle of a thing stands beside it, metres."""
_LEVEL = 30
"""Pitch at which tables and counters ahead are in view, degrees."""

_QUARTER, _TILT = 90.0, 30.0
"""Degrees of a turn, and of a look up or down."""


def go_up_to(body: Body, thing: Thing) -> Steps:
    """Go where a thing is in reach, and in view unless something is shut or stands around it."""
    twins = parts_of(body.things, body.now(thing))
    places = [place for twin in sorted(twins) for place in _places(body, twin)] or _near(body, body.now(thing).center)
    reached = False
    for place in places:
        try:
            yield from go_to(body, place)
        except SkillError:
            continue
        reached = True
        if len(body.pixels(twins)):
            return
    if not reached:
        raise SkillError(ReportKind.NOT_REACHED, thing)


def turn_to(body: Body, thing: Thing, *, away: bool = False) -> Steps:
    """Turn to where a thing is, without a step, and look up or down to it; or `away` from it, with a level look."""
    here = body.pose.position
    across, along = thing.center.x - here.x, thing.center.z - here.z
    heading = round(math.degrees(math.atan2(across, along)) / _QUARTER) % 4
    yield from face(body, (heading + 2) % 4 if away else heading)
    if away:
        yield from tilt(body, 0.0)
        return
    drop = here.y + EYE_HEIGHT - thing.center.y
    yield from tilt(
        body, max(-30.0, min(60.0, _TILT * round(math.degrees(math.atan2(drop, math.hypot(across, along))) / _TILT)))
    )


def face(body: Body, heading: int) -> Steps:
    """Turn on the spot until the heading, in quarters clockwise, is the wanted one."""
    turns = (heading - body.stand[1]) % 4
    yield from (Action("Turn Right") for _ in range(turns if turns < 3 else 0))
    if turns == 3:
        yield Action("Turn Left")


def go_beside(body: Body, thing: Thing) -> Steps:
    """Go up to a thing; where it is large, as near to its middle as one can stand."""
    yield from go_up_to(body, thing)
    center = body.now(thing).center
    for place in _near(body, center)[:1]:
        if body.distance(center) > _CLOSE and _away(place, center) < body.distance(center):
            yield from go_to(body, place)


def go_near(body: Body, point: Vec3) -> Steps:
    """Go as near to a point as one can stand, facing it."""
    for place in _near(body, point)[:1]:
        yield from go_to(body, place)


def go_back(body: Body, stand: Stand) -> Steps:
    """Go to a place to stand, or as near to it as one gets. Raises `SkillError` (not reached) where there is no way."""
    (x, z), heading = stand
    if body.stand == stand:
        return
    there = Vec3(x * GRID, body.pose.position.y, z * GRID)
    if np.isfinite(body.paths.cost(stand)):
        yield from go_to(body, Vantage(stand, 0, 0.0, there))
        return
    for place in _near(body, there):
        yield from go_to(body, place._replace(stand=(place.stand[0], heading), horizon=0))
        return
    raise SkillError(ReportKind.NOT_REACHED)


def go_to_side(body: Body, thing: Thing, quarters: int) -> Generator[Action, None, bool]:
    """Go to a side of a thing, in quarters clockwise about it from where the body stands, and face it; whether the body
    stands on that side then."""
    center, here = thing.center, body.pose.position
    off = math.atan2(here.x - center.x, here.z - center.z) + math.radians(quarters * _QUARTER)
    aside, along = math.sin(off), math.cos(off)
    width, depth = thing.box
    reach = (abs(aside) * width + abs(along) * depth) / 2 + GRID
    for place in _near(body, Vec3(center.x + aside * reach, here.y, center.z + along * reach))[:1]:
        yield from go_to(body, place)
    yield from turn_to(body, thing)
    now = body.pose.position
    x, z = now.x - center.x, now.z - center.z
    return x * aside + z * along > math.hypot(x, z) / 2


def go_to_middle(body: Body) -> Steps:
    """Go to the middle of the floor that one can stand on. Raises `SkillError` (not reached) where there is no way."""
    x, z = body.ground.grid.mean(axis=0) * GRID
    for place in _near(body, Vec3(float(x), body.pose.position.y, float(z)))[:1]:
        yield from go_to(body, place._replace(horizon=0))
        return
    raise SkillError(ReportKind.NOT_REACHED)


def go_away(body: Body, thing: Thing, distance: float) -> Steps:
    """Go to the nearest place that is further than so many metres from a thing, or to the furthest."""
    here = body.pose.position
    yield from _go_by(body, lambda there: (-min(thing.away(there), distance + GRID / 2), _apart(here, there)))


def go_off(body: Body, distance: float) -> Steps:
    """Go to the nearest place that is so many metres from where one stands, or to the furthest."""
    here = body.pose.position
    yield from _go_by(body, lambda there: (-min(_apart(here, there), distance), _apart(here, there)))


def go_to_corner(body: Body, by: Vec3, *, far: bool = False) -> Steps:
    """Go to the corner of the floor, as far as one can stand there, that is nearest to a point, or `far` from it."""
    lowest, highest = body.ground.grid.min(axis=0) * GRID, body.ground.grid.max(axis=0) * GRID
    corners = [Vec3(float(x), by.y, float(z)) for x in (lowest[0], highest[0]) for z in (lowest[1], highest[1])]
    corner = sorted(corners, key=lambda one: _apart(one, by))[-1 if far else 0]
    yield from _go_by(body, lambda there: (_apart(corner, there),))


def _apart(one: Vec3, other: Vec3) -> float:
    """How far apart two points on the map are, metres."""
    return math.hypot(one.x - other.x, one.z - other.z)


def _go_by(body: Body, order: Callable[[Vec3], tuple[float, ...]]) -> Steps:
    """Go to the place that comes first in an order, of those that can be reached, and keep facing the same way."""
    y, heading = body.pose.position.y, body.stand[1]
    for x, z in sorted(body.ground.grid.tolist(), key=lambda cell: order(Vec3(cell[0] * GRID, y, cell[1] * GRID))):
        if np.isfinite(body.paths.cost(((x, z), heading))):
            yield from go_to(body, Vantage(((x, z), heading), 0, 0.0, Vec3(x * GRID, y, z * GRID)))
            return
    raise SkillError(ReportKind.NOT_REACHED)


def step(body: Body, motion: str, times: int) -> Generator[Action, None, int]:
    """A motion, as often as asked for or until it fails; how often it was made."""
    for done in range(times):
        yield Action(motion)
        if not body.succeeded:
            return done
    return times


def _places(body: Body, object_id: str) -> list[Vantage]:
    """The handiest places to stand to touch a thing."""
    thing = body.things.get(object_id)
    if thing is None:
        return []
    vantages = body.vantages(thing)
    costs = body.paths.costs(vantages.cells, vantages.headings) + vantages.penalties
    return [vantages[int(number)] for number in np.argsort(costs)[:_PLACES] if np.isfinite(costs[number])]


def _near(body: Body, point: Vec3) -> list[Vantage]:
    """The places to stand that are nearest to what cannot be touched, facing it."""
    away = body.ground.grid * GRID - (point.x, point.z)
    found = []
    for number in np.argsort(np.hypot(*away.T))[:_PLACES].tolist():
        ahead, aside = -away[number][1], -away[number][0]
        heading = round(np.degrees(np.arctan2(aside, ahead)) / 90) % 4
        cell = body.ground.grid[number].tolist()
        stand = (cell[0], cell[1]), heading
        if np.isfinite(body.paths.cost(stand)):
            found.append(Vantage(stand, _LEVEL, 0.0, point))
    return found


def _away(place: Vantage, point: Vec3) -> float:
    """How far a place to stand is from a point on the map, metres."""
    (x, z), _ = place.stand
    return math.hypot(x * GRID - point.x, z * GRID - point.z)
