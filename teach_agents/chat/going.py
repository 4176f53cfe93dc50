"""Skills of somebody who says one thing at a time: go to a thing, look for one, pour, put down what is held."""

from __future__ import annotations

import numpy as np

from teach_agents.actions import Action
from teach_agents.agents.acting.attempts import Touch
from teach_agents.agents.acting.body import Body, SkillError, Steps, go_to
from teach_agents.agents.acting.navigation import GRID
from teach_agents.agents.acting.reaching import touch
from teach_agents.agents.acting.skills.hands import parts_of, pick_up, put_held, still
from teach_agents.agents.acting.skills.searching import look_for
from teach_agents.agents.acting.things import Thing
from teach_agents.agents.acting.vantages import Vantage
from teach_agents.agents.english.values import ReportKind

_PLACES = 4
_LEVEL = 30
"""Pitch at which tables and counters ahead are in view, degrees."""
_BASINS = ("Sink", "Bathtub")


class NotReadyError(SkillError):
    """A step that needs something else first; `words` say what."""

    def __init__(self, words: str) -> None:
        super().__init__(ReportKind.FAILED)
        self.words = words


def approach(body: Body, thing: Thing) -> Steps:
    """Go where a thing is in reach, and in view unless something is shut or stands around it."""
    twins = parts_of(body.things, body.now(thing))
    places = [place for twin in sorted(twins) for place in _places(body, twin)] or _near(body, body.now(thing))
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


def _places(body: Body, object_id: str) -> list[Vantage]:
    """The handiest places to stand to touch a thing."""
    thing = body.things.get(object_id)
    if thing is None:
        return []
    vantages = body.vantages(thing)
    costs = body.paths.costs(vantages.cells, vantages.headings) + vantages.penalties
    return [vantages[int(number)] for number in np.argsort(costs)[:_PLACES] if np.isfinite(costs[number])]


def _near(body: Body, thing: Thing) -> list[Vantage]:
    """The places to stand that are nearest to what cannot be touched, facing it."""
    x, _, z = thing.center
    away = body.ground.grid * GRID - (x, z)
    found = []
    for number in np.argsort(np.hypot(*away.T))[:_PLACES].tolist():
        ahead, aside = -away[number][1], -away[number][0]
        heading = round(np.degrees(np.arctan2(aside, ahead)) / 90) % 4
        cell = body.ground.grid[number].tolist()
        stand = (cell[0], cell[1]), heading
        if body.paths.cost(stand) is not None:
            found.append(Vantage(stand, _LEVEL, 0.0, thing.center))
    return found


def find_more(body: Body, kind: str) -> Steps:
    """Look for one more of a kind than is known."""
    known = {thing.object_id for thing in body.things.of(kind)}
    yield from look_for(body, kind, lambda: any(thing.object_id not in known for thing in body.things.of(kind)))


def put_into(body: Body, place: Thing, thing: Thing | None) -> Steps:
    """Put a thing, or what is held, in or on a place."""
    if thing is not None:
        yield from pick_up(body, thing)
    if body.held is None:
        raise NotReadyError("Your hand is empty: pick something up first.")
    yield from put_held(body, place, hopeful=True)


def pour_into(body: Body, target: Thing) -> Steps:
    """Pour what the held vessel holds into or onto something; into a sink it is poured out."""
    if body.held is None or not body.held.has("isFilledWithLiquid"):
        raise NotReadyError("Hold something that is filled to pour from it.")
    if any(target.is_a(kind) for kind in _BASINS):
        yield from still(body, target)
        yield from touch(body, Touch("Pour", body.now(target), ids=parts_of(body.things, target)))
    else:
        yield from touch(body, Touch("Pour", body.now(target)))


def move(body: Body, motion: str, times: int) -> Steps:
    """A motion, as often as asked for or until it fails."""
    for _ in range(times):
        yield Action(motion)
        if not body.succeeded:
            raise NotReadyError(body.hint or body.message)
