"""What agents see: poses, pictures, dialogue, and privileged information that must be asked for.

Frame of reference everywhere: Unity's, left-handed, metres; x right, y up, z forward. Yaw 0 faces +z and grows
clockwise seen from above, in degrees; horizon is the camera's pitch, positive downwards, in degrees.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from teach_agents.actions import Action, ActionResult, Role
from teach_agents.core.handles import Handle
from teach_agents.core.values import Utterance
from teach_agents.errors import PrivilegeError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["ObjectRows", "Observation", "Pose", "Privilege", "Privileged", "Segmentation", "Utterance", "Vec3", "View"]

ObjectMetadata = Sequence[Mapping[str, object]]
"""The state of objects, a row each, as AI2-THOR has it."""

_ONE_PLACE_M = 0.05
_ONE_ANGLE_DEG = 1.0


class Vec3(NamedTuple):
    """A point or direction in metres: x right, y up, z forward."""

    x: float
    y: float
    z: float


@dataclass(frozen=True, slots=True)
class Pose:
    """Where a body or camera is: position in metres, yaw and horizon in degrees.

    For the Follower `position` is the body's centre (about 0.9 m high); its camera sits 0.675 m above.
    For the Commander it is the camera itself.
    """

    position: Vec3
    yaw: float
    horizon: float
    standing: bool = True


def same_pose(ours: Pose, recorded: Pose) -> bool:
    """Whether two poses are one: within 5 cm and one degree; steps are 25 cm, turns 90 and looks 30 degrees."""
    off = max(abs(a - b) for a, b in zip(ours.position, recorded.position, strict=True))
    turned = abs((ours.yaw - recorded.yaw + 180.0) % 360.0 - 180.0)
    return off <= _ONE_PLACE_M and turned <= _ONE_ANGLE_DEG and abs(ours.horizon - recorded.horizon) <= _ONE_ANGLE_DEG


class View:
    """One camera's picture, drawn when first looked at and kept.

    `rgb` is uint8, H x W x 3. Looking for the first time after the world has moved on raises `StaleViewError`.
    """

    __slots__ = ("_draw", "_rgb")

    def __init__(self, draw: Callable[[], NDArray[np.uint8]]) -> None:
        self._draw = draw if type(draw) is Handle else Handle(draw)
        self._rgb: NDArray[np.uint8] | None = None

    @property
    def rgb(self) -> NDArray[np.uint8]:
        """The picture, uint8, H x W x 3."""
        if self._rgb is None:
            self._rgb = self._draw()
        return self._rgb

    @classmethod
    def of(cls, rgb: NDArray[np.uint8]) -> View:
        """A view of a picture that exists already."""
        return cls(lambda: rgb)


@dataclass(frozen=True, slots=True)
class Segmentation:
    """Which object each pixel of the role's own view shows.

    `ids` is int32, H x W: an index into `object_ids`, or -1 where no object is seen.
    """

    ids: NDArray[np.int32]
    object_ids: Sequence[str]


class Privilege(StrEnum):
    """Information beyond what TEACh lets a role see. Every result states the privileges its agents used."""

    SEGMENTATION = "segmentation"
    """Object ids of the pixels of one's own view."""
    DEPTH = "depth"
    """Metric depth along the optical axis of the pixels of one's own view."""
    OBJECTS = "objects"
    """The state of every object of the room, as AI2-THOR's metadata with TEACh's custom properties."""
    REACHABLE = "reachable"
    """The grid positions a body can stand on."""
    GROUND_TRUTH = "ground_truth"
    """What people did, or what is judged: given to an oracle when it is made, and no part of an observation."""


class ObjectRows:
    """The `objects` privilege in the making: what lasts is there at once, what follows the Follower when asked for.

    `lasting` are rows to be read only, each the same value as long as its object is; what they say of `visible`,
    `isInteractable`, `obstructed` and `distance` may be out of date. `look` gives the rows with these, `see` the ids of
    what is visible; both are called at most once.
    """

    __slots__ = ("_look", "_rows", "_see", "_visible", "lasting")

    def __init__(
        self,
        lasting: ObjectMetadata,
        look: Callable[[], ObjectMetadata],
        see: Callable[[], frozenset[str]],
    ) -> None:
        self.lasting = lasting
        self._look = Handle(look)
        self._see = Handle(see)
        self._rows: ObjectMetadata | None = None
        self._visible: frozenset[str] | None = None

    @property
    def rows(self) -> ObjectMetadata:
        """Every object as it is seen from here."""
        if self._rows is None:
            self._rows = self._look()
        return self._rows

    @property
    def visible(self) -> frozenset[str]:
        """The ids of the objects that are `visible`."""
        if self._visible is None:
            self._visible = self._see()
        return self._visible

    @classmethod
    def of(cls, rows: ObjectMetadata) -> ObjectRows:
        """Rows that are there already."""
        return cls(rows, lambda: rows, lambda: frozenset(str(row["objectId"]) for row in rows if row.get("visible")))


class Privileged:
    """The privileged part of an observation: only what the agent asked for can be read.

    Reading anything else raises `PrivilegeError`. Each part is made when first read.
    """

    __slots__ = ("_made", "_makers")

    def __init__(self, makers: Mapping[Privilege, Callable[[], object]] | None = None) -> None:
        self._makers = {name: Handle(make) for name, make in makers.items()} if makers else {}
        self._made: dict[Privilege, object] = {}

    @property
    def granted(self) -> frozenset[Privilege]:
        """The privileges that were asked for."""
        return frozenset(self._makers)

    def _get(self, privilege: Privilege) -> object:
        if privilege not in self._makers:
            raise PrivilegeError(
                f"privileged information {privilege.value!r} was not asked for; "
                f"declare `privileges = frozenset({{Privilege.{privilege.name}}})` on the agent"
            )
        if privilege not in self._made:
            self._made[privilege] = self._makers[privilege]()
        return self._made[privilege]

    @property
    def segmentation(self) -> Segmentation:
        """Object ids of one's own view."""
        return self._get(Privilege.SEGMENTATION)  # type: ignore[return-value]  # makers are typed by their key

    @property
    def depth(self) -> NDArray[np.float32]:
        """Depth of one's own view along the optical axis, float32, H x W, metres."""
        return self._get(Privilege.DEPTH)  # type: ignore[return-value]  # makers are typed by their key

    @property
    def objects(self) -> ObjectMetadata:
        """Every object's AI2-THOR metadata merged with TEACh's custom properties."""
        return self._object_rows.rows

    @property
    def lasting_objects(self) -> ObjectMetadata:
        """`objects` wherever the Follower is: quicker to get, and to compare; see `ObjectRows.lasting`."""
        return self._object_rows.lasting

    @property
    def visible(self) -> frozenset[str]:
        """The ids of the objects that are `visible` in `objects`."""
        return self._object_rows.visible

    @property
    def _object_rows(self) -> ObjectRows:
        made = self._get(Privilege.OBJECTS)
        if not isinstance(made, ObjectRows):
            made = self._made[Privilege.OBJECTS] = ObjectRows.of(made)  # type: ignore[arg-type]  # typed by their key
        return made

    @property
    def reachable(self) -> frozenset[tuple[float, float]]:
        """Grid positions (x, z) in metres, 0.25 m apart, on which the Follower can stand."""
        return self._get(Privilege.REACHABLE)  # type: ignore[return-value]  # makers are typed by their key


@dataclass(frozen=True, slots=True)
class Observation:
    """What one role sees in one turn: what TEACh's screens showed, and nothing more outside `privileged`.

    `view` is the Follower's own eyes, or the Commander's free camera. Only the Commander has `follower_view` (the
    small panel) and `target_view` (the object-search panel; `None` before the first search), which blinks on a screen
    that shows it in turns with `target_lit`, where the object is green all over. `overhead` is the
    top-down picture of the room. `dialogue` holds everything said so far by either role, oldest first.
    `last_action` and `last_result` are the role's own previous ones.
    """

    role: Role
    turn: int
    pose: Pose
    view: View
    dialogue: tuple[Utterance, ...] = ()
    last_action: Action | None = None
    last_result: ActionResult | None = None
    follower_view: View | None = None
    target_view: View | None = None
    target_lit: View | None = None
    overhead: View | None = None
    privileged: Privileged = field(default_factory=Privileged)

    def heard(self) -> str | None:
        """The partner's latest utterance, or `None`."""
        partner = self.role.partner
        return next((said.text for said in reversed(self.dialogue) if said.speaker is partner), None)
