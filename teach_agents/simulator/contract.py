"""The Simulator contract: a room, a body in it, objects, and cameras.

Four required members: `reset`, `step`, `state`, `view`. Everything a simulator can be asked, queries included, is a
`SimulatorAction` by AI2-THOR's name; the answer is an `Outcome`. A refused action is an outcome, never an
exception; exceptions mean that the simulator itself is broken or was misused.

The world's frame is Unity's: left-handed, metres, x right, y up, z forward; angles in degrees, yaw 0 along +z and
growing clockwise seen from above. `HOUSEHOLD_ACTIONS` and `QUERIES` are what a household asks for;
`teach_agents.simulator.conformance` tries all that is said here.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Protocol

from teach_agents.observations import Pose, Vec3

if TYPE_CHECKING:
    from teach_agents.arrays import ByteArray, Float32Array, Int32Array


EYE_HEIGHT = 0.675
"""Height of the Follower's camera above its body position, metres (AI2-THOR specification section 3)."""

HOUSEHOLD_ACTIONS = (
    *("MoveAhead", "MoveBack", "MoveLeft", "MoveRight", "RotateLeft", "RotateRight", "LookDown", "LookUp"),
    *("PickupObject", "PutObject", "OpenObject", "CloseObject", "ToggleObjectOn", "ToggleObjectOff", "SliceObject"),
    *("CleanObject", "FillObjectWithLiquid", "EmptyLiquidFromObject"),
)
"""Every action that a household carries out; replays of recorded sessions also send `TeleportFull` and `Pass`.

A motion changes `agent` alone, and what follows the body: the held object. Moves go 0.25 m, turns 90 degrees, looks 30,
unless a magnitude is given; the horizon stays from 30 degrees up (-30) to 60 down. An interaction names its object by
`object_id`; `force` is set wherever the household has already seen to sight and reach. `PutObject` puts what is held
into `object_id`, near the world point `near`.
"""

QUERIES = ("GetReachablePositions", "GetMapViewCameraProperties", "GetVisibleObjects")
"""What a household asks besides. A query changes nothing, `version` included; its answer is `Outcome.value`:

- `GetReachablePositions`: a tuple or list of `Vec3`, each once: where the body can stand, at its height, on a grid of
  0.25 m through the place where it stands, which is among them.
- `GetMapViewCameraProperties`: a mapping with AI2-THOR's keys `position` (itself a mapping of `x`, `y`, `z`) and
  `orthographicSize`, metres: a camera that looks straight down, with +z at the top of its picture, and half the side of
  the square that it sees. All that is reachable lies in the square. Other keys are not read.
- `GetVisibleObjects`: the ids of the objects that the body sees within its reach now (AI2-THOR's `visible`), each once.
  What is sliced or broken up is not among them.

A household that gets no such answer to the first two raises `SimulatorError`; without the third it sees nothing.
"""


@dataclass(frozen=True, slots=True)
class Box:
    """An axis-aligned box: centre and full size, metres."""

    center: Vec3
    size: Vec3

    @property
    def low(self) -> Vec3:
        """The corner with the smallest coordinates."""
        (x, y, z), (w, h, d) = self.center, self.size
        return Vec3(x - w / 2, y - h / 2, z - d / 2)

    @property
    def high(self) -> Vec3:
        """The corner with the largest coordinates."""
        (x, y, z), (w, h, d) = self.center, self.size
        return Vec3(x + w / 2, y + h / 2, z + d / 2)

    def moved(self, by: Vec3) -> Box:
        """The same box elsewhere."""
        x, y, z = self.center
        return Box(Vec3(x + by.x, y + by.y, z + by.z), self.size)


@dataclass(frozen=True, slots=True)
class ObjectKind:
    """What never changes about an object: identity, affordances, mass (kg), materials.

    `name` is AI2-THOR's GameObject name; the part before `(` is the prefab. `controls` are the ids of objects that
    a knob switches.
    """

    object_id: str
    object_type: str
    name: str
    asset_id: str = ""
    receptacle: bool = False
    toggleable: bool = False
    breakable: bool = False
    fillable: bool = False
    dirtyable: bool = False
    can_be_used_up: bool = False
    cookable: bool = False
    sliceable: bool = False
    openable: bool = False
    pickupable: bool = False
    moveable: bool = False
    heat_source: bool = False
    cold_source: bool = False
    mass: float = 0.0
    materials: tuple[str, ...] | None = None
    controls: tuple[str, ...] = ()


@dataclass(frozen=True)
class ObjectState:
    """One object now. Immutable: a change makes a new value, so equal identity means unchanged.

    The other way round as well: what did not change keeps its value, the same object in memory, so that whatever is
    derived from it can be kept by identity.

    `position` is AI2-THOR's pivot of the object, `box` encloses it along the world's axes, `rotation` holds Unity Euler
    angles in degrees. `corners` are the eight corners of the oriented box in AI2-THOR's order (bottom (+x,+z), (-x,+z),
    (-x,-z), (+x,-z), then the same on top, in object axes), `None` for static objects. `parents` are ids of the
    receptacles that hold it, nearest first, each once; `contents` is the inverse. `openness` is from 0 (shut) to 1.
    `liquid` is what it is filled with, `None` where it is not. `temperature` is "Cold", "RoomTemp" or "Hot". What an
    object can be its kind allows: open only what is openable, filled what is fillable, and so on.
    `exists` is false for a sliced or shattered base: it stays in the list, without geometry, parents and contents. Its
    pieces are new objects behind all others; those called `BASE|TypeSliced_1` or `BASE|TypeCracked_1` take over what
    a household keeps of the base.
    """

    kind: ObjectKind
    position: Vec3
    rotation: Vec3
    box: Box
    corners: tuple[Vec3, ...] | None = None
    parents: tuple[str, ...] = ()
    contents: tuple[str, ...] = ()
    openness: float = 0.0
    is_toggled: bool = False
    is_broken: bool = False
    is_filled: bool = False
    liquid: str | None = None
    is_dirty: bool = False
    is_used_up: bool = False
    is_cooked: bool = False
    is_sliced: bool = False
    is_picked_up: bool = False
    temperature: str = "RoomTemp"
    exists: bool = True

    @property
    def object_id(self) -> str:
        """AI2-THOR's objectId; never changes, wherever the object goes."""
        return self.kind.object_id

    @property
    def object_type(self) -> str:
        """AI2-THOR's objectType."""
        return self.kind.object_type

    @property
    def is_open(self) -> bool:
        """Whether it is open at all."""
        return self.openness > 0.0

    def changed(self, **fields: Any) -> ObjectState:
        """The same object with other values of some fields: what `dataclasses.replace` makes, at a tenth of its cost.

        Raises `TypeError` for a name that is no field.
        """
        made = object.__new__(ObjectState)
        values = vars(made)
        values.update(vars(self), **fields)
        if len(values) != len(vars(self)):
            raise TypeError(f"an object state has no field {sorted(fields.keys() - vars(self).keys())}")
        return made


class SimulatorState(Protocol):
    """The world as it is now, read-only.

    Behind `reset` and every `step` all of it fits together: `held` is the one object whose `is_picked_up` is true, and
    that has no parents; `parents` and `contents` are inverse and name objects of the list; no object leaves the list or
    changes its place in it; an object that changed, or a body that moved, has made `version` grow. Values stay what
    they are; the mapping itself may move on, so that `state` is read anew behind an action.
    """

    @property
    def room(self) -> str:
        """The scene's name without suffix, for example `FloorPlan1`."""

    @property
    def agent(self) -> Pose:
        """The Follower's body: its middle, about 0.9 m above the floor; yaw from 0 to 360."""

    @property
    def objects(self) -> Mapping[str, ObjectState]:
        """Every object by id, in AI2-THOR's list order, pieces behind it as they come about."""

    @property
    def held(self) -> str | None:
        """The id of the object in the hand."""

    @property
    def version(self) -> int:
        """A counter that grows with every change."""


@dataclass(frozen=True, slots=True)
class Camera:
    """A pinhole camera with square pixels. Angles in degrees; `pitch` positive looks down; `roll` about the axis.

    `orthographic` is half the height of the seen area in metres for a parallel projection, or `None`.
    """

    position: Vec3
    yaw: float = 0.0
    pitch: float = 0.0
    roll: float = 0.0
    field_of_view: float = 90.0
    orthographic: float | None = None


def eyes_of(agent: Pose) -> Vec3:
    """Where the Follower's eyes are."""
    x, y, z = agent.position
    return Vec3(x, y + (EYE_HEIGHT if agent.standing else 0.0), z)


def follower_camera(agent: Pose) -> Camera:
    """The Follower's own eyes."""
    return Camera(eyes_of(agent), yaw=agent.yaw, pitch=agent.horizon)


class Channel(StrEnum):
    """What a view can hold."""

    RGB = "rgb"
    IDS = "ids"
    DEPTH = "depth"


@dataclass(frozen=True, slots=True)
class Frame:
    """One drawn view; channels that were not asked for are `None`.

    `rgb` uint8 H x W x 3; `ids` int32 H x W, an index into `object_ids` or -1 where structure or nothing is seen;
    `depth` float32 H x W, metres along the optical axis, 20.0 where nothing is hit.
    """

    object_ids: Sequence[str]
    rgb: ByteArray | None = None
    ids: Int32Array | None = None
    depth: Float32Array | None = None


@dataclass(frozen=True, slots=True)
class SimulatorAction:
    """One AI2-THOR action: its name and parameters.

    `object_id` targets by id; `x`, `y` in [0, 1] target by viewport point (origin top left). `magnitude` is metres
    for moves, degrees for turns and looks, openness for OpenObject; `None` takes AI2-THOR's default. `force` skips
    visibility, reach and type checks as AI2-THOR's `forceAction` does. `pose` belongs to TeleportFull, `liquid` to
    FillObjectWithLiquid, `near` is the world point a placed object should land close to (PutObject);
    with `x`, `y` as well it is what a click shows, and nothing lands far from it.
    """

    name: str
    object_id: str = ""
    x: float | None = None
    y: float | None = None
    magnitude: float | None = None
    force: bool = False
    pose: Pose | None = None
    liquid: str = ""
    near: Vec3 | None = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a simulator action: success, AI2-THOR's error message, and the value of a query.

    A refusal has a message, AI2-THOR's where there is one: by its words it is looked up what agents are told to do.
    """

    success: bool
    error: str = ""
    value: object = None


@dataclass(frozen=True, slots=True)
class StoredState:
    """A recorded state of a room: AI2-THOR object metadata as found in TEACh files, the body, the Commander's camera.

    `objects` keeps the file's dictionaries as they are (old `ObjectTemperature` or new `temperature` key).
    """

    room: str
    objects: Sequence[Mapping[str, object]]
    agent: Pose
    commander: Pose | None = None


@dataclass(frozen=True, slots=True)
class Scene:
    """What `reset` loads: a room by name, as it ships or randomised as TEACh did, or a stored state.

    Exactly one of `room` and `stored` is used: `stored` wins. `randomize` moves and duplicates objects and flips
    states by the seed (TEACh specification 5.7).
    """

    room: str = ""
    stored: StoredState | None = None
    randomize: bool = False


class Simulator(ABC):
    """A household simulator. Not thread-safe: one owner at a time."""

    name: str = "simulator"
    """Stamped on every result, for example `embedded` or `thor`."""
    brisk: bool = False
    """Whether a motion, or a look at `state`, takes less than a change of threads does: a tenth of a millisecond."""

    @abstractmethod
    def reset(self, scene: Scene, *, seed: int = 0) -> None:
        """Load a scene. The same scene and seed give the same state, bit for bit, where the simulator can.

        Raises `SceneError` for an unknown room or a stored state that cannot be loaded.
        """

    @abstractmethod
    def step(self, action: SimulatorAction) -> Outcome:
        """Carry out one action or query. Raises `ActionError` for an unknown action name."""

    @property
    @abstractmethod
    def state(self) -> SimulatorState:
        """The world now; values read from it stay valid, the mapping itself moves on."""

    @abstractmethod
    def view(self, camera: Camera, channels: frozenset[Channel], *, size: int = 300) -> Frame:
        """Draw `size` x `size` pixels of what `camera` sees."""

    def close(self) -> None:  # noqa: B027  # optional: nothing to release by default
        """Release processes and memory; a closed simulator is not used again."""
