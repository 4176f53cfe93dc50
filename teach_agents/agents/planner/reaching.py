"""Touch a thing: find a place to stand, look, click well inside what is seen of it, try elsewhere when that fails."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from teach_agents.actions import Action
from teach_agents.agents.planner.body import Body, SkillError, Steps, go_to, tilt
from teach_agents.agents.planner.language.values import ReportKind
from teach_agents.agents.planner.looking import HORIZONS, Pixels, Vantage, stands_around
from teach_agents.agents.planner.navigation import Stand
from teach_agents.agents.planner.things import Thing
from teach_agents.observations import Vec3

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["Touch", "effort", "touch"]

Score = Callable[[Pixels], "NDArray[np.float64]"]
"""Higher is a better click; minus infinity is none."""

_VANTAGES = 10
_FAILURES = 4
_FAILURES_HERE = 2
_NEAR_TRIED = 2.0
_LARGE = 0.5
_ONE_LOOK = 45


@dataclass
class Touch:
    """One attempt to act on a thing: the action's name, the target, what counts as a hit, and where best to click.

    `ids` are the objects whose pixels may be clicked (the target itself unless told). `extra` are further points of the
    target to look at. After `patience` failed clicks it gives up.
    """

    name: str
    target: Thing
    ids: frozenset[str] = frozenset()
    score: Score | None = None
    extra: tuple[Vec3, ...] = ()
    patience: int = _FAILURES
    tried: list[Stand] = field(default_factory=list)
    missed: list[tuple[float, float, float]] = field(default_factory=list)
    failures: int = 0
    done: bool = False

    def __post_init__(self) -> None:
        self.ids = self.ids or frozenset({self.target.object_id})


def touch(body: Body, attempt: Touch) -> Steps:
    """Carry out an attempt. Raises `SkillError` when it fails from everywhere that was tried."""
    yield from _click_here(body, attempt)
    if attempt.done:
        return
    for _ in range(_VANTAGES):
        vantage = _next_vantage(body, attempt)
        if vantage is None or attempt.failures >= attempt.patience:
            break
        attempt.tried.append(vantage.stand)
        try:
            yield from go_to(body, vantage)
        except SkillError:
            continue
        yield from _click_here(body, attempt)
        if not attempt.done and attempt.failures < attempt.patience:
            yield from _other_pitch(body, attempt)
        if attempt.done:
            body.memory.good_stands[attempt.target.object_id] = body.stand
            return
        body.memory.poor_stands.setdefault(attempt.target.object_id, set()).add(vantage.stand)
    body.memory.trouble(attempt.target.object_id)
    kind = ReportKind.NO_ROOM if attempt.name == "Place" and attempt.failures else ReportKind.NOT_REACHED
    raise SkillError(kind, attempt.target)


def effort(body: Body, target: Thing) -> float:
    """About how many actions it takes to get to a thing; infinite when it cannot be reached."""
    vantage = _next_vantage(body, Touch("Pickup", target))
    if vantage is None:
        return float("inf")
    cost = body.paths.cost(vantage.stand)
    return float("inf") if cost is None else cost + vantage.penalty


def _click_here(body: Body, attempt: Touch) -> Steps:
    for _ in range(_FAILURES_HERE):
        click = _choose(body, attempt)
        if click is None or attempt.failures >= attempt.patience:
            return
        yield Action.click(attempt.name, *click)
        if body.succeeded:
            attempt.done = True
            return
        attempt.failures += 1


def _choose(body: Body, attempt: Touch) -> tuple[float, float] | None:
    pixels = body.pixels(attempt.ids)
    if not len(pixels):
        return None
    values = attempt.score(pixels) if attempt.score else pixels.steadiness()
    for missed in attempt.missed:
        near = np.linalg.norm(pixels.points - np.asarray(missed), axis=1)
        values = np.where(near < _miss_radius(attempt), -np.inf, values)
    index = int(np.argmax(values))
    if not np.isfinite(values[index]):
        return None
    x, y, z = pixels.points[index]
    attempt.missed.append((float(x), float(y), float(z)))
    return float(pixels.x[index]), float(pixels.y[index])


def _miss_radius(attempt: Touch) -> float:
    return 0.12 if attempt.name == "Place" else 0.03


def _other_pitch(body: Body, attempt: Touch) -> Steps:
    """Nothing of a large thing to click: look a step up or down, where more of it may be in view."""
    sides = [high - low for high, low in zip(attempt.target.high, attempt.target.low, strict=True)]
    if max(sides) < _LARGE:
        return
    here = body.pose.horizon
    for horizon in sorted(HORIZONS, key=lambda pitch: abs(pitch - here))[1:3]:
        if abs(horizon - here) > _ONE_LOOK:
            return
        yield from tilt(body, horizon)
        yield from _click_here(body, attempt)
        if attempt.done or attempt.failures >= attempt.patience:
            return


def _next_vantage(body: Body, attempt: Touch) -> Vantage | None:
    options = _options(body, attempt)
    return min(options, key=lambda option: option[0], default=(0.0, None))[1]


def _options(body: Body, attempt: Touch) -> Iterator[tuple[float, Vantage]]:
    memory, target_id = body.memory, attempt.target.object_id
    poor = memory.poor_stands.get(target_id, set())
    good = memory.good_stands.get(target_id)
    for vantage in stands_around(attempt.target, body.cells, attempt.extra):
        cost = body.paths.cost(vantage.stand)
        if cost is None or vantage.stand in attempt.tried:
            continue
        looks = abs(vantage.horizon - body.pose.horizon) / 30
        total = cost + looks + vantage.penalty + (12.0 if vantage.stand in poor else 0.0)
        total += sum(_NEAR_TRIED for stand in attempt.tried if _close(stand, vantage.stand))
        yield total - (6.0 if vantage.stand == good else 0.0), vantage


def _close(one: Stand, other: Stand) -> bool:
    (ax, az), (bx, bz) = one[0], other[0]
    return one[1] == other[1] and abs(ax - bx) + abs(az - bz) <= 1
