"""Look over tables, beds, shelves, whatever things lie on openly, where it was seen from afar or not at all."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from teach_agents.actions import Action
from teach_agents.agents.acting.body import Body, Steps, attempted, go_to
from teach_agents.agents.acting.knowledge import FAR_ONLY
from teach_agents.agents.acting.surfaces import Surface, View, is_dull, is_surface
from teach_agents.agents.acting.things import Thing
from teach_agents.agents.acting.vantages import Vantage

_WORTH = 0.0005
"""How likely a view must show what is sought to be taken."""
_SHARE = 0.05
"""Share of a surface that a view must show to be taken for the surface's own sake."""
_START = 3.0
"""What a look costs beyond the way, in actions: no view of a surface is worth more than all of it from here."""
_SLIVER = 0.02
"""The same where everything that lies there is to be counted: what stands behind something else hides little."""
_VIEWS = 4
_HIGH = frozenset("Blinds Cabinet Curtains LightSwitch Mirror Painting Poster Shelf ShowerHead Window".split())
"""What may hang so high that it is not in view when one looks at floors and tables."""


class Chance(NamedTuple):
    """A view of a surface, and how likely it shows what is sought for each action it takes."""

    worth: float
    holder: Thing
    view: View


def best_chance(body: Body, chance: Callable[[Thing], float], overlooked: float = FAR_ONLY) -> Chance | None:
    """The view of a surface that most likely shows something for the way; `None` where none is worth it.

    `chance` tells how many such things a receptacle holds, `overlooked` how likely one was not recognised from afar.
    """
    likely = [(number, one) for one in body.things if is_surface(one) and (number := chance(one)) >= _WORTH]
    surfaces = [(number, one, _surface(body, one, overlooked)) for number, one in likely]
    shares = [(number * surface.lack(), number, holder, surface) for number, holder, surface in surfaces]
    best: Chance | None = None
    for share, number, holder, surface in sorted(shares, key=lambda row: -row[0]):
        if share < _WORTH or (best is not None and share / _START <= best.worth):
            break
        view = surface.best_view(body.paths, body.pose.position.y)
        if view is None or number * view.share < _WORTH:
            continue
        worth = number * view.worth
        if best is None or worth > best.worth:
            best = Chance(worth, holder, view)
    return best


def look_over(body: Body, holder: Thing, wanted: Callable[[], bool], *, thorough: bool = False) -> Steps:
    """See what is on a surface from near, from a few places until `wanted` holds or little of it was not seen; who is
    `thorough` sees all of it that can be seen.

    Nothing is done for what is no surface, or where everything is known anyway.
    """
    if body.knowledge is None or not is_surface(holder):
        return
    for _ in range(_VIEWS):
        surface = _surface(body, holder)
        dull = not thorough and is_dull(surface.lack())
        view = None if wanted() or dull else surface.best_view(body.paths, body.pose.position.y)
        if view is None or view.share < (_SLIVER if thorough else _SHARE):
            return
        yield from take(body, holder, view)


def look_along_walls(body: Body, noun: str) -> Steps:
    """Look for what hangs high, where `noun` names such a thing: level and all round, here and from the far end."""
    if noun not in _HIGH:
        return
    (x, z), heading = body.stand
    grid = body.ground.grid
    there = grid[np.hypot(*(grid - (x, z)).T).argmax()].tolist() if len(grid) else (x, z)
    for cell in ((x, z), (there[0], there[1])):
        if not (yield from attempted(go_to(body, Vantage((cell, heading), 0, 0.0, body.pose.position)))):
            for _ in range(3):
                yield Action("Turn Right")


def take(body: Body, holder: Thing, view: View) -> Steps:
    """Go and take a view of a surface. Where there turns out to be no way it is left at that."""
    body.memory.looked_over.setdefault(holder.object_id, set()).update(view.columns)
    yield from attempted(go_to(body, view.vantage))


def is_looked_over(body: Body, holder: Thing) -> bool:
    """Whether nearly all that is on a surface was seen from near."""
    return is_dull(lack(body, holder))


def lack(body: Body, holder: Thing) -> float:
    """How little was seen from near of what is in or on what is open: 1 where nothing was, 0 where all was."""
    return _surface(body, holder).lack()


def _surface(body: Body, holder: Thing, overlooked: float = FAR_ONLY) -> Surface:
    """What is on a holder, as far as is known now."""
    assert body.knowledge is not None, "only who looks for itself gets here"
    promised = body.memory.looked_over.get(holder.object_id, ())
    return Surface(holder, body.knowledge.coverage.voxels, body.ground, promised, overlooked)
