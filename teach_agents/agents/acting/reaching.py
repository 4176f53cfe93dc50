"""Touch a thing: find a place to stand, look, click well inside what is seen of it, try elsewhere when that fails."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from teach_agents.actions import Action
from teach_agents.agents.acting.attempts import ANY, FAILURES, Screens, Touch
from teach_agents.agents.acting.body import Body, SkillError, Steps, approach, attempted, go_to, tilt
from teach_agents.agents.acting.looking import EYE_HEIGHT, REACH, distances
from teach_agents.agents.acting.navigation import GRID, Cell, Stand, cells_of, point_of
from teach_agents.agents.acting.things import Thing
from teach_agents.agents.acting.vantages import HORIZONS, Vantage, Vantages
from teach_agents.arrays import BoolArray, FloatArray, IntArray
from teach_agents.observations import Vec3
from teach_agents.understanding.english.values import ReportKind

_VANTAGES = 10
_SWEEP = 20
"""Places to stand that are tried the second time, when a first try failed."""
_SURE_VANTAGES = 4
_TROUBLED = 3
"""Failures with a thing after which few places are tried: turns are better spent on something else."""
_FAILURES_HERE = 2
_UNSURE = 2
_MOST_FAILURES = 30
"""Failed actions that end a session (TEACh specification 6.5): the nearer the end, the fewer are risked at a time."""
_NEAR_TRIED = 5.0
_UNHANDY = 4.0
_POOR, _GOOD = 12.0, 6.0
"""What it costs, in actions, that the target was missed from a stand before; what it spares that it was reached."""
_SCREENED = 20.0
_MOST_SCREENED = 3
"""What it costs, in actions, that something seen hides the target from a place to stand; how many such are tried."""
_SAME_SPOT = 0.3
_SAME_VIEW = 25.0
_SIDE = 45.0
_WRONG_SIDE = 15.0
_LARGE = 0.5
_ONE_LOOK = 45
_WRONG_STAND = (
    "within the specified visibility",
    "collided with FPSController",
    "collide and clip into",
    "is too far away to",
)
"""Refusals from here: too little shows, a door would swing into the body, a thing into something; and TEACh's, where
what was taken to be in reach was not."""
_RUNS = "must be OFF to open"
"""What runs does not open, wherever it is clicked on."""
_IN_THE_DOOR = "collided with FPSController"
_DOORS = ("Fridge", "Cabinet", "Microwave")
_FAR_DOOR = 25.0
_SWINGING = ("Open", "Close")
"""Actions after which a way that was blocked may be free, unless one is told where one can stand."""
_EDGE = 0.04
_LITTLE = 15
"""Pixels of a thing below which a click on it is put off: AI2-THOR often finds it not visible."""
_SQUINTS = 3
_BEYOND = 0.5
"""How far from its box parts of a thing may be, metres: doors and drawers that stand open."""
_SWING = 0.8
"""How far from furniture its open door may hide things, metres."""


def touch(body: Body, attempt: Touch) -> Steps:
    """Carry out an attempt. Raises `SkillError` when it fails from everywhere that was tried."""
    attempt.patience = min(attempt.patience, max(1, (_MOST_FAILURES - body.failures) // FAILURES))
    handy = _cells_by(body, attempt.then)
    if (handy is None or body.stand[0] in handy) and not attempt.shun:
        yield from _click_here(body, attempt, hasty=True)
    if _done(attempt):
        return
    if _next_vantage(body, attempt) is None:
        yield from approach(body, attempt.target)
    if attempt.name != "Close" and _next_vantage(body, attempt) is None:
        yield from _close_doors(body, body.things.of(*_DOORS))
    troubles = body.memory.troubles[attempt.target.object_id]
    most = _SWEEP if troubles == 1 else _VANTAGES if troubles < _TROUBLED else FAILURES
    yield from _from_vantages(body, attempt, most if attempt.sure == ANY else _SURE_VANTAGES)
    if not _done(attempt) and attempt.name != "Close" and (doors := _doors_before(body, attempt.target)):
        yield from _close_doors(body, doors)
        attempt.tried, attempt.screens, attempt.screened = [], Screens(), 0
        yield from _from_vantages(body, attempt)
    if not _done(attempt) and attempt.sure > ANY and (attempt.insistent or not attempt.seen):
        attempt.sure, attempt.tried = ANY, []
        attempt.patience = min(attempt.patience, attempt.failures + _UNSURE)
        yield from _click_here(body, attempt)
        yield from _from_vantages(body, attempt)
    if not _done(attempt):
        yield from _squint(body, attempt)
    if _done(attempt):
        return
    body.memory.troubles[attempt.target.object_id] += 1
    if body.is_gone(attempt.target):
        raise SkillError(ReportKind.NOT_FOUND, attempt.target)
    kind = ReportKind.NO_ROOM if attempt.name == "Place" and attempt.failures else ReportKind.NOT_REACHED
    raise SkillError(kind, attempt.target)


def act_on(body: Body, action: str, thing: Thing) -> Steps:
    """Touch a thing as it is now. Raises `SkillError`, where it is gone too."""
    yield from touch(body, Touch(action, body.now(thing)))


def _from_vantages(body: Body, attempt: Touch, most: int = _VANTAGES) -> Steps:
    """Click from one place to stand after the other, the handiest first."""
    for _ in range(most):
        vantage = _next_vantage(body, attempt)
        if vantage is None or attempt.is_over() or body.is_gone(attempt.target):
            return
        if attempt.screens:
            attempt.screened += int(_screened(body, attempt, np.array([vantage.stand[0]]), np.array([vantage.aim]))[0])
        if attempt.screened > _MOST_SCREENED:
            return
        attempt.tried.append(vantage.stand)
        if (yield from attempted(go_to(body, vantage))):
            continue
        shunned = len(attempt.shun)
        yield from _click_here(body, attempt)
        if not attempt.is_over() and len(attempt.shun) == shunned:
            yield from _other_pitch(body, attempt)
        if _done(attempt):
            body.memory.good_stands[attempt.target.object_id] = body.stand
            return
        body.memory.poor_stands.setdefault(attempt.target.object_id, set()).add(vantage.stand)
        if not len(body.pixels(attempt.ids)):
            attempt.screens.add(body.observation.privileged.depth, body.pose)


def _squint(body: Body, attempt: Touch) -> Steps:
    """Go back to where a little of the target was seen, and click on that."""
    attempt.squinting = True
    for _, vantage in sorted(attempt.glimpses, key=lambda glimpse: -glimpse[0])[:_SQUINTS]:
        if (yield from attempted(go_to(body, vantage))):
            continue
        yield from _click_here(body, attempt)
        if attempt.is_over():
            return


def _doors_before(body: Body, target: Thing) -> list[Thing]:
    """What stands open near a thing and does not hold it: its door may hide the thing."""
    holders = body.things.holders(target)
    return [
        door
        for door in body.things.of(*_DOORS)
        if door.has("isOpen")
        and door not in (*holders, target)
        and all(door.low[i] - _SWING < target.high[i] and door.high[i] + _SWING > target.low[i] for i in range(3))
    ]


def _close_doors(body: Body, doors: Iterable[Thing]) -> Steps:
    """An open door may stand in the way: shut those that can be reached."""
    for door in doors:
        if door.has("isOpen") and effort(body, door) < _FAR_DOOR:
            yield from attempted(touch(body, Touch("Close", door, patience=2)))


def effort(body: Body, target: Thing) -> float:
    """About how many actions it takes to get to a thing; infinite when it cannot be reached."""
    vantage = _next_vantage(body, Touch("Pickup", target))
    return math.inf if vantage is None else body.paths.cost(vantage.stand) + vantage.penalty


def _done(attempt: Touch) -> bool:
    return attempt.done


def _click_here(body: Body, attempt: Touch, hasty: bool = False) -> Steps:
    for _ in range(_FAILURES_HERE):
        click = _choose(body, attempt, hasty)
        if click is None or attempt.is_over():
            return
        yield Action.click(attempt.name, *click)
        if body.succeeded:
            attempt.done = True
            if attempt.name in _SWINGING and body.known_ground is not None:
                body.memory.blocked.clear()
            return
        attempt.failures += 1
        if attempt.is_so(body):
            attempt.done = True
            return
        if _RUNS in body.message:
            attempt.patience = 0
        if _IN_THE_DOOR in body.message:
            attempt.tried += [(body.stand[0], heading) for heading in range(4)]
            attempt.shun = (*attempt.shun, body.stand)
        if any(words in body.message for words in _WRONG_STAND):
            body.memory.in_vain.add(_in_vain(body, attempt))
            return


def _in_vain(body: Body, attempt: Touch) -> tuple[str, Vec3, Stand, int]:
    """What was tried from here, for `Memory.in_vain`."""
    target = attempt.target
    return attempt.name + target.object_id, target.position, body.stand, round(body.pose.horizon)


def _choose(body: Body, attempt: Touch, hasty: bool) -> tuple[float, float] | None:
    """Where to click in this view; in a hasty look only at what shows plainly."""
    if _in_vain(body, attempt) in body.memory.in_vain or (hasty and _is_far(body, attempt)):
        return None
    pixels = body.pixels(attempt.ids)
    if not len(pixels) or (hasty and len(pixels) < _LITTLE):
        return None
    if attempt.ids.isdisjoint(body.observation.privileged.visible):  # of some, AI2-THOR takes a few pixels for none
        return None
    attempt.seen = True
    if len(pixels) < _LITTLE and not attempt.squinting:
        attempt.glimpses.append(
            (len(pixels), Vantage(body.stand, round(body.pose.horizon), 0.0, attempt.target.center))
        )
        return None
    values = attempt.score(pixels) if attempt.score else pixels.steadiness()
    if hasty:
        edge = np.minimum.reduce([pixels.x, 1 - pixels.x, pixels.y, 1 - pixels.y])
        values = np.where(edge > _EDGE, values, ANY)
    radius = 0.12 if attempt.name == "Place" else 0.03
    for missed in attempt.missed:
        values = np.where(distances(pixels.points, missed) < radius, ANY, values)
    index = values.argmax()
    if not np.isfinite(values[index]) or values[index] < attempt.sure:
        return None
    attempt.missed.append(Vec3(*pixels.points[index].tolist()))
    return float(pixels.x[index]), float(pixels.y[index])


def _is_far(body: Body, attempt: Touch) -> bool:
    """Whether nothing of any of the objects can be within reach, so that there is no need to look."""
    return all(
        body.distance(thing.center) - math.sqrt(2) * thing.radius > REACH + _BEYOND
        for thing in body.things.known(attempt.ids)
    )


def _other_pitch(body: Body, attempt: Touch) -> Steps:
    """Nothing of a large thing to click: look a step up or down, where more of it may be in view."""
    if attempt.target.longest < _LARGE:
        return
    here = body.pose.horizon
    for horizon in sorted(HORIZONS, key=lambda pitch: abs(pitch - here))[1:3]:
        if abs(horizon - here) > _ONE_LOOK:
            return
        yield from tilt(body, horizon)
        yield from _click_here(body, attempt)
        if attempt.is_over():
            return


def _next_vantage(body: Body, attempt: Touch) -> Vantage | None:
    vantages = body.vantages(attempt.target, attempt.extra)
    if not len(vantages):
        return None
    costs = _costs(body, attempt, vantages)
    best = int(costs.argmin())
    return vantages[best] if costs[best] < math.inf else None


def _costs(body: Body, attempt: Touch, vantages: Vantages) -> FloatArray:
    """What each place to stand costs, in actions; infinite where it can not be reached or was tried."""
    memory, target, tried = body.memory, attempt.target, attempt.tried
    total = body.paths.costs(vantages.cells, vantages.headings)
    total += np.abs(vantages.horizons - body.pose.horizon) / 30
    total += vantages.penalties / (1 + len(tried) / 3)
    for stand in memory.poor_stands.get(target.object_id, ()):
        total[vantages.at(stand)] += _POOR
    if attempt.screens:
        total[_screened(body, attempt, vantages.cells, vantages.aims)] += _SCREENED
    handy = _cells_by(body, attempt.then)
    if handy is not None:
        total[[(x, z) not in handy for x, z in vantages.cells.tolist()]] += _UNHANDY
    if attempt.shun or tried:
        total += _likeness(attempt, vantages)
    for stand in tried:
        total[vantages.at(stand)] = math.inf
    good = memory.good_stands.get(target.object_id)
    if good is not None:
        total[vantages.at(good)] -= _GOOD
    return total


def _screened(body: Body, attempt: Touch, cells: IntArray, aims: FloatArray) -> BoolArray:
    """Which places to stand are those from which what was seen on the way hides the target."""
    eyes = np.insert(cells * GRID, 1, body.pose.position.y + EYE_HEIGHT, axis=1)
    return attempt.screens.hide(eyes, aims)


def _cells_by(body: Body, thing: Thing | None) -> frozenset[Cell] | None:
    """The cells from which a thing should be in reach and in view."""
    if thing is None:
        return None
    return cells_of(body.vantages(body.now(thing)).cells)


def _likeness(attempt: Touch, vantages: Vantages) -> FloatArray:
    """Penalties for coming from a side that proved wrong and for seeing from about the same place as before, in
    actions."""
    center = attempt.target.center
    points = np.asarray(vantages.cells * GRID, np.float64)
    sides = np.array([math.atan2(x - center.x, z - center.z) for x, z in points.tolist()])
    total = np.zeros(len(vantages))
    for cell, _ in attempt.shun:
        total += np.where(_turned(center, cell, sides) < _SIDE, _WRONG_SIDE, 0.0)
    for cell, _ in attempt.tried:
        here = point_of(cell)
        apart = np.hypot(*(points - (here.x, here.z)).T)
        alike = (_turned(center, cell, sides) < _SAME_VIEW) & (apart < 2 * _SAME_SPOT)
        total += np.where((apart < _SAME_SPOT) | alike, _NEAR_TRIED, 0.0)
    return total


def _turned(center: Vec3, cell: Cell, sides: FloatArray) -> FloatArray:
    """The angles between a place to stand and others (at `sides`, radians) as the target sees them, degrees."""
    here = point_of(cell)
    angles = np.degrees(math.atan2(here.x - center.x, here.z - center.z) - sides)
    return np.asarray(np.abs((angles + 180) % 360 - 180))
