"""What `Controller.step` returns: AI2-THOR's Event; masks and boxes are made when asked for (specification 4.3)."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from teach_agents.arrays import BoolArray, ByteArray
from teach_agents.core.json_types import JsonObject
from teach_agents.simulator.controller.engine import Answer
from teach_agents.simulator.controller.pictures import Pictures

T = TypeVar("T")
BoxPixels = tuple[int, int, int, int]
"""(left, top, right, bottom), inclusive."""
_SHOWN = 100
_STEP = 0.25


class _Lazy(Mapping[str, T]):
    """Values by name, each made when first asked for; `names` are found when they are, too."""

    def __init__(self, names: Callable[[], Iterable[str]], make: Callable[[str], T]) -> None:
        self._find = names
        self._make = make
        self._made: dict[str, T] = {}

    @cached_property
    def _names(self) -> tuple[str, ...]:
        return tuple(self._find())

    def __getitem__(self, name: str) -> T:
        if name not in self._made:
            self._made[name] = self._make(name)
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


class Masks:
    """Which pixels show an object, by id or by class, as bool H x W, and the boxes around them.

    Only what shows at least one pixel is there, and nothing where no colours by id were asked for. A class is what an
    id has before its first `|` (so that slices count as the whole), or `background`.
    """

    def __init__(self, pictures: Pictures) -> None:
        self._ids = None if pictures.instances is None else pictures.ids
        self._object_ids = pictures.object_ids
        self.instances = _Lazy(lambda: self._numbers, self._of_object)
        self.classes = _Lazy(lambda: self._members, self._of_class)
        self.boxes = _Lazy(lambda: self._numbers, self._box)
        self.class_boxes = _Lazy(
            lambda: self._members, lambda name: tuple(self.boxes[one] for one in self._members[name])
        )

    @cached_property
    def _numbers(self) -> dict[str, int]:
        shown = [] if self._ids is None else np.unique(self._ids).tolist()
        return {self._object_ids[number]: number for number in shown if number >= 0}

    @cached_property
    def _members(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for object_id in self._numbers:
            found.setdefault(object_id.partition("|")[0], []).append(object_id)
        return found

    def _of_object(self, object_id: str) -> BoolArray:
        number = self._numbers[object_id]
        assert self._ids is not None
        mask: BoolArray = self._ids == number
        return mask

    def _of_class(self, name: str) -> BoolArray:
        if name == "background" and self._ids is not None and (self._ids < 0).any():
            return self._ids < 0
        mask: BoolArray = np.logical_or.reduce([self.instances[one] for one in self._members[name]])
        return mask

    def _box(self, object_id: str) -> BoxPixels:
        mask = self.instances[object_id]
        rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
        return int(columns[0]), int(rows[0]), int(columns[-1]), int(rows[-1])


_RENAMED = {"hand": "heldObjectPose", "reachablePositions": "actionReturn"}


class Metadata(dict[str, Any]):
    """`event.metadata`; the names of older releases still lead to what they meant, with a warning."""

    def __missing__(self, key: str) -> Any:
        if key not in _RENAMED:
            raise KeyError(key)
        if key == "reachablePositions" and self["lastAction"] not in ("GetReachablePositions", "GetSceneBounds"):
            raise IndexError("metadata['reachablePositions'] is there only after GetReachablePositions")
        new = _RENAMED[key]
        warnings.warn(f"metadata[{key!r}] is now metadata[{new!r}]", DeprecationWarning, stacklevel=2)
        return self[new]


class Event:
    """One moment: `metadata`, pictures as numpy arrays, masks. True if the action succeeded.

    `frame` uint8 H x W x 3 RGB; `depth_frame` float32 H x W, metres; `instance_segmentation_frame` and
    `semantic_segmentation_frame` uint8 H x W x 3. What was not asked for is `None` or empty. Lists beginning with
    `third_party_` have an item for each third-party camera.
    """

    def __init__(self, answer: Answer) -> None:
        pictures, others = answer.pictures, answer.third_party
        self.metadata = Metadata(answer.metadata)
        self.screen_width: int = answer.metadata["screenWidth"]
        self.screen_height: int = answer.metadata["screenHeight"]
        self.frame = pictures.rgb
        self.depth_frame = pictures.depth
        self.instance_segmentation_frame = _rgb(pictures.instances)
        self.semantic_segmentation_frame = _rgb(pictures.classes)
        self.normals_frame = self.flows_frame = None
        masks = Masks(pictures)
        self.instance_masks, self.class_masks = masks.instances, masks.classes
        self.instance_detections2D, self.class_detections2D = masks.boxes, masks.class_boxes
        colours = answer.metadata["colors"] or ()
        self.color_to_object_id = {tuple(entry["color"]): entry["name"] for entry in colours}
        self.object_id_to_color = {entry["name"]: tuple(entry["color"]) for entry in colours}
        self.third_party_camera_frames = _drawn(one.rgb for one in others)
        self.third_party_depth_frames = _drawn(one.depth for one in others)
        self.third_party_instance_segmentation_frames = _drawn(_rgb(one.instances) for one in others)
        self.third_party_semantic_segmentation_frames = _drawn(_rgb(one.classes) for one in others)
        seen = [Masks(one) for one in others if one.instances is not None]
        self.third_party_instance_masks = [one.instances for one in seen]
        self.third_party_class_masks = [one.classes for one in seen]
        self.third_party_normals_frames: list[ByteArray] = []
        self.third_party_flows_frames: list[ByteArray] = []
        self.events = [self]

    def __bool__(self) -> bool:
        return bool(self.metadata["lastActionSuccess"])

    def __repr__(self) -> str:
        value = str(self.metadata["actionReturn"])
        told = {
            "lastAction": self.metadata["lastAction"],
            "lastActionSuccess": self.metadata["lastActionSuccess"],
            "errorMessage": '"' + str(self.metadata["errorMessage"]).replace("\n", " ") + '"',
            "actionReturn": value if len(value) <= _SHOWN else value[:_SHOWN] + "...",
        }
        lines = "".join(f'\n    .metadata["{key}"] = {item}' for key, item in told.items())
        return f"<{type(self).__module__}.Event at {hex(id(self))}{lines}\n>"

    @property
    def cv2img(self) -> ByteArray:
        """The frame as OpenCV has it: BGR."""
        assert self.frame is not None, "no frame was drawn"
        return self.frame[..., ::-1]

    @property
    def pose(self) -> tuple[int, int, int, int]:
        """x and z in millimetres, yaw and horizon in thousandths of a degree."""
        agent = self.metadata["agent"]
        values = (agent["position"]["x"], agent["position"]["z"], agent["rotation"]["y"], agent["cameraHorizon"])
        x, z, yaw, horizon = (round(value * 1000) for value in values)
        return x, z, yaw, horizon

    @property
    def pose_discrete(self) -> tuple[int, int, int, int]:
        """x and z in steps of 0.25 m, yaw in right angles, horizon in degrees."""
        agent = self.metadata["agent"]
        x, z = (int(agent["position"][axis] / _STEP) for axis in "xz")
        return x, z, int(agent["rotation"]["y"] / 90.0), round(agent["cameraHorizon"])

    def objects_by_type(self, object_type: str) -> list[JsonObject]:
        """The objects of a type."""
        return [obj for obj in self.metadata["objects"] if obj["objectType"] == object_type]

    def get_object(self, object_id: str) -> JsonObject | None:
        """The object of an id, `None` if there is none."""
        return next((obj for obj in self.metadata["objects"] if obj["objectId"] == object_id), None)


def _rgb(colours: ByteArray | None) -> ByteArray | None:
    return None if colours is None else colours[..., :3]


def _drawn(pictures: Iterable[T | None]) -> list[T]:
    return [one for one in pictures if one is not None]
