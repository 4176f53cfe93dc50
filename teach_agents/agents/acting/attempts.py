"""One attempt to act on a thing: what is wanted, what came of it so far, and what was seen to hide the thing.

Boxes tell little about what is mostly air or open at one side: tables, shelves, closets, chairs. The depth of one's own
view tells where their boards and walls are, so one look that did not show a thing spares others that can not either.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from teach_agents.agents.acting.body import Body
from teach_agents.agents.acting.looking import Pixels, world_points
from teach_agents.agents.acting.navigation import Stand
from teach_agents.agents.acting.things import Thing
from teach_agents.agents.acting.vantages import Vantage
from teach_agents.arrays import BoolArray, Float32Array, FloatArray, IntArray
from teach_agents.observations import Pose, Vec3

_VOXEL = 0.04
"""Side of the cubes that surfaces are kept as, metres."""
_SPARSE = 5
"""Of so many rows and columns of a view one is kept."""
_FARTHEST = 2.5
"""Beyond what depth surfaces matter to nobody who is within reach, metres."""
_BEFORE_EYE, _BEFORE_THING = 0.2, 0.12
"""What is so near to the eye or to the thing does not count as between them, metres."""
_STEPS = 32
_ORIGIN, _SPAN = 4096, 8192


class Screens:
    """Surfaces seen so far, as cubes, in order."""

    def __init__(self) -> None:
        self._cubes = np.zeros(0, np.int64)

    def __len__(self) -> int:
        return len(self._cubes)

    def add(self, depth: Float32Array, pose: Pose) -> None:
        """Remember the surfaces that a view shows."""
        height, width = depth.shape
        rows, columns = np.mgrid[0:height:_SPARSE, 0:width:_SPARSE].reshape(2, -1)
        far = depth[rows, columns].astype(np.float64)
        near = far < _FARTHEST
        x, y = (columns[near] + 0.5) / width, (rows[near] + 0.5) / height
        seen = _cubes(world_points(x, y, far[near], pose))
        self._cubes = np.sort(np.concatenate([self._cubes, seen]))

    def hide(self, eyes: FloatArray, points: FloatArray) -> BoolArray:
        """Whether a surface lies between each of N x 3 eyes and its point."""
        if not self:
            return np.zeros(len(eyes), np.bool_)
        ways = points - eyes
        lengths = np.maximum(np.sqrt((ways * ways).sum(axis=1)), _BEFORE_EYE + _BEFORE_THING)
        first, last = _BEFORE_EYE / lengths, 1.0 - _BEFORE_THING / lengths
        parts = first[:, None] + (last - first)[:, None] * np.linspace(0.0, 1.0, _STEPS)
        between = eyes[:, None] + parts[:, :, None] * ways[:, None]
        return np.asarray(self._holds(_cubes(between)).any(axis=1))

    def _holds(self, cubes: IntArray) -> BoolArray:
        """Which of these cubes are surfaces."""
        places = np.searchsorted(self._cubes, cubes)
        return np.asarray(self._cubes[np.minimum(places, len(self._cubes) - 1)] == cubes)


def _cubes(points: FloatArray) -> IntArray:
    """A number for the cube that each point lies in."""
    cells = np.floor(points / _VOXEL).astype(np.int64) + _ORIGIN
    return (cells[..., 0] * _SPAN + cells[..., 1]) * _SPAN + cells[..., 2]


Score = Callable[[Pixels], FloatArray]
"""Higher is a better click; minus infinity is none."""

ANY = -math.inf
"""A score that no click is below."""
FAILURES = 4
"""Clicks in vain after which an attempt is given up, unless told otherwise."""
MADE: Mapping[str, tuple[str, bool]] = {
    "Open": ("isOpen", True),
    "Close": ("isOpen", False),
    "ToggleOn": ("isToggled", True),
    "ToggleOff": ("isToggled", False),
}
"""What an action makes of its target."""


@dataclass
class Touch:
    """One attempt to act on a thing: the action's name, the target, what counts as a hit, and where best to click.

    `ids` are the objects whose pixels may be clicked (the target itself unless told). `extra` are further points of the
    target to look at; `then` is what should be in reach from there afterwards, `shun` where not to come from. Clicks
    that score less than `sure` are put off until no place to stand offers a better one (never made on what was seen
    unless it is `insistent`), and so are `glimpses`: how many pixels were seen, and from where. After `patience` failed
    clicks it gives up. `screens` is what hid the target, `screened` how many places were tried in spite of it.
    """

    name: str
    target: Thing
    ids: frozenset[str] = frozenset()
    score: Score | None = None
    sure: float = ANY
    insistent: bool = True
    extra: tuple[Vec3, ...] = ()
    then: Thing | None = None
    shun: tuple[Stand, ...] = ()
    patience: int = FAILURES
    tried: list[Stand] = field(default_factory=list)
    missed: list[tuple[float, float, float]] = field(default_factory=list)
    glimpses: list[tuple[int, Vantage]] = field(default_factory=list)
    screens: Screens = field(default_factory=Screens)
    screened: int = 0
    squinting: bool = False
    seen: bool = False
    failures: int = 0
    done: bool = False

    def __post_init__(self) -> None:
        self.ids = self.ids or frozenset({self.target.object_id})

    def is_over(self) -> bool:
        """Whether it worked, or was given up."""
        return self.done or self.failures >= self.patience

    def is_so(self, body: Body) -> bool:
        """Whether what is known says by now that the target is as it should be made: a refusal may tell."""
        target = body.things.get(self.target.object_id)
        if target is None or self.name not in MADE:
            return False
        state, value = MADE[self.name]
        return target.has(state) == value
