"""What a body that looks for itself can tell about its own knowledge: what is in view, what was not yet looked at.

A perception hands it out with each observation (`Remembered`); one with full knowledge of the room has none, and there
is nothing to look for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from teach_agents.agents.acting.things import Row
from teach_agents.arrays import BoolArray, FloatArray, IntArray
from teach_agents.observations import Observation, Privilege, Privileged, Vec3

FAR_ONLY = 0.05
"""How likely what was looked at from afar alone holds something that was overlooked."""


class Voxels(Protocol):
    """Which small cubes of the room were seen."""

    def unseen(self, low: Vec3, high: Vec3, overlooked: float = ...) -> tuple[FloatArray, FloatArray]:
        """The columns of a box, their middles on the map (N x 2, metres), and how little was seen of each (N): 1 where
        nothing was, `overlooked` where something was from afar, and 0 where it was from near."""

    def hides(self, eyes: FloatArray, points: FloatArray) -> BoolArray:
        """Whether something that was seen stands between eyes (N x 3, metres) and points (M x 3): N x M."""


class Coverage(Protocol):
    """Which columns of the room were looked at, on the grid of places to stand."""

    @property
    def voxels(self) -> Voxels:
        """The same, finer."""

    def gains(self, cells: IntArray) -> FloatArray:
        """About how much that was never seen would show from each of N x 2 cells, facing each of the 4 headings: N x 4,
        in cells."""


class Knowledge(Protocol):
    """What is known of one's own map."""

    @property
    def in_view(self) -> frozenset[str]:
        """The ids of what is seen now."""

    @property
    def coverage(self) -> Coverage:
        """What of the room was looked at."""

    @property
    def ground(self) -> object:
        """A value that is another one as soon as more, or less, of the ground is known to be free."""

    @property
    def doubt(self) -> float:
        """By how much places may be wrong, metres for each metre of distance; 0 where depth is true."""

    @property
    def hunches(self) -> Sequence[Row]:
        """Rows of what may be there, and was not seen plainly enough to be known of; the most likely first."""

    @property
    def covered(self) -> Mapping[str, frozenset[str]]:
        """By id of what is in view: the ids of what its pixels are counted to, where that may be the same thing."""


class Remembered(Privileged):
    """The privileged part of an observation as a perception makes it, with what it knows about itself."""

    __slots__ = ("knowledge",)

    def __init__(self, makers: Mapping[Privilege, Callable[[], object]], knowledge: Knowledge) -> None:
        super().__init__(makers)
        self.knowledge = knowledge


def knowledge_of(observation: Observation) -> Knowledge | None:
    """What is known of the map behind an observation; `None` where everything is known."""
    privileged = observation.privileged
    return privileged.knowledge if isinstance(privileged, Remembered) else None
