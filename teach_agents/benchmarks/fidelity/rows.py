"""What measuring one session yields, row by row; indices count the session's recorded interactions from 0."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

NOTHING = "nothing"
"""Stands for the type of what a click chose when it chose nothing."""

TOO_FAR = "nothing, too far away"
"""The same where the point under the click is out of reach."""


class ReplayMode(StrEnum):
    """Which recorded actions an unaided replay carries out."""

    SUCCESSES = "successes"
    ALL = "all"


class Divergence(StrEnum):
    """In what an unaided replay first differed from the record."""

    POSE = "pose"
    OBJECT = "object"
    SUCCESS = "success"


@dataclass(frozen=True, slots=True)
class MoveRow:
    """A recorded step: whether it was allowed, whether we allow it, and the type of what blocks it for us.

    `repeated` marks a step refused again right after the same step from the same place. `picture` is a file in the
    run's folder of pictures, or `""`.
    """

    index: int
    action: str
    recorded: bool
    predicted: bool
    blocker: str
    repeated: bool
    picture: str = ""


@dataclass(frozen=True, slots=True)
class ClickRow:
    """A successful click: what it chose then and what it chooses here (`""` for nothing).

    `equivalent` allows for another slice of the same base and kind, and for a sink and its basin; `untouched` says
    that nothing had been picked up or sliced before. After a miss `apart` is how far from the wanted object's box the
    point under the click lies, metres: small where a shape is wrong, large where the object lies elsewhere here (`None`
    after a hit, and where nothing is under the click). `picture` as in `MoveRow`.
    """

    index: int
    action: str
    wanted: str
    found: str
    equivalent: bool
    untouched: bool
    wanted_type: str
    found_type: str
    apart: float | None = None
    picture: str = ""

    @property
    def exact(self) -> bool:
        """Whether it is the very object."""
        return self.wanted == self.found

    @property
    def another(self) -> str:
        """What goes before the type of what it missed by: another object of the same type is not the wanted one."""
        return "another " if not self.equivalent and self.found_type == self.wanted_type else ""


@dataclass(frozen=True, slots=True)
class OutcomeRow:
    """An interaction: whether it succeeded then and here.

    `target_type` is the type of the recorded object, or after a recorded failure of what our click chooses; `held_type`
    of what was in the hand (`""` for nothing); `message` is ours.
    """

    index: int
    action: str
    recorded: bool
    predicted: bool
    target_type: str
    held_type: str
    message: str


@dataclass(frozen=True, slots=True)
class CheckRow:
    """A recorded progress check: whether the task was complete then, and is here."""

    index: int
    recorded: bool
    predicted: bool


@dataclass(frozen=True, slots=True)
class Unfollowed:
    """A recorded success that could not be carried out even by force."""

    index: int
    action: str
    object_id: str
    reason: str


@dataclass(frozen=True, slots=True)
class PropertyCount:
    """Of the objects' values of one tracked property: how many, how many equal; the same where the record changed."""

    total: int
    equal: int
    changed: int
    changed_equal: int


@dataclass(frozen=True, slots=True)
class PropertyMiss:
    """One tracked property of one object that ends up otherwise than recorded; values as their repr."""

    object_id: str
    object_type: str
    name: str
    recorded: str
    ours: str


@dataclass(frozen=True, slots=True)
class AidedReplay:
    """A session carried out with the recorded pose, object and success winning over ours."""

    task_complete: bool
    moves: tuple[MoveRow, ...]
    clicks: tuple[ClickRow, ...]
    outcomes: tuple[OutcomeRow, ...]
    checks: tuple[CheckRow, ...]
    unfollowed: tuple[Unfollowed, ...]
    properties: Mapping[str, PropertyCount]
    misses: tuple[PropertyMiss, ...]


@dataclass(frozen=True, slots=True)
class UnaidedReplay:
    """A session carried out without any help.

    `executed` actions were carried out; the first `followed` of them did what was recorded, the next differed in
    `kind` at interaction `index` (both `None` where all agreed). `pose_exact` says that the pose never differed.
    """

    task_success: bool
    executed: int
    followed: int
    pose_exact: bool
    index: int | None
    kind: Divergence | None


@dataclass(frozen=True, slots=True)
class SessionRows:
    """Everything measured on one session of so many recorded interactions."""

    game_id: str
    room: str
    task: str
    interactions: int
    aided: AidedReplay
    unaided: Mapping[ReplayMode, UnaidedReplay]
