"""Pictures of any shape, cut out of the squares that the embedded simulator draws; their cameras and colours.

Colours of segmentation pictures are the first three bytes of MD5 over an id or a type, as in AI2-THOR (4.3).
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import compress
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from teach_agents.arrays import ByteArray, Float32Array, Int32Array
from teach_agents.core.json_types import JsonObject
from teach_agents.observations import Vec3
from teach_agents.simulator.contract import Camera, Channel, Frame, ObjectState, Simulator, SimulatorState
from teach_agents.simulator.controller.requests import Parameters, Refusal

BACKGROUND = (0, 0, 255)
"""Where no object is seen: walls, ceiling, nothing."""


class Wanted(NamedTuple):
    """Which pictures an event carries."""

    image: bool = True
    depth: bool = False
    instances: bool = False
    classes: bool = False

    @property
    def channels(self) -> frozenset[Channel]:
        """What the simulator must draw for them."""
        return frozenset(compress(Channel, (self.image, self.instances or self.classes, self.depth)))


class Lens(NamedTuple):
    """The shape of a picture in pixels and its vertical field of view in degrees.

    The square around it has the same pixels: its field of view is the wider of the two directions.
    """

    width: int
    height: int
    field_of_view: float = 90.0

    @property
    def square(self) -> float:
        """Field of view of the square around the picture, degrees."""
        spread = math.tan(math.radians(self.field_of_view) / 2) * max(1.0, self.width / self.height)
        return 2 * math.degrees(math.atan(spread)) if self.width > self.height else self.field_of_view

    @property
    def side(self) -> int:
        """Pixels of a side of that square."""
        return max(self.width, self.height)

    def point(self, x: float, y: float) -> tuple[float, float]:
        """A viewport point of the picture as one of the square; points outside [0, 1] stay outside."""
        if not (0.0 <= x <= 1.0 and 0.0 <= y <= 1.0):
            return x, y
        return 0.5 + (x - 0.5) * self.width / self.side, 0.5 + (y - 0.5) * self.height / self.side

    def through(self, camera: Camera) -> Camera:
        """A camera for the square around a picture that `camera` would take with this lens' shape."""
        widest = max(1.0, self.width / self.height)
        if camera.orthographic is not None:
            return replace(camera, orthographic=camera.orthographic * widest)
        return replace(camera, field_of_view=self._replace(field_of_view=camera.field_of_view).square)

    def cut(self, square: NDArray[np.generic]) -> NDArray[np.generic]:
        """The picture out of its square, a copy."""
        top, left = (self.side - self.height) // 2, (self.side - self.width) // 2
        return square[top : top + self.height, left : left + self.width].copy()


class Pictures(NamedTuple):
    """What one camera shows; parts that were not asked for are `None`.

    `rgb` uint8 H x W x 3; `depth` float32 metres; `instances`, `classes` uint8 H x W x 4, colours by id and by type;
    `ids` int32, an index into `object_ids`, -1 for none.
    """

    rgb: ByteArray | None = None
    depth: Float32Array | None = None
    instances: ByteArray | None = None
    classes: ByteArray | None = None
    ids: Int32Array | None = None
    object_ids: tuple[str, ...] = ()


def draw(simulator: Simulator, lens: Lens, camera: Camera, wanted: Wanted) -> Pictures:
    """Draw what `camera` sees, in the lens' shape; `camera.field_of_view` is the vertical one."""
    if not wanted.channels:
        return Pictures()
    frame = simulator.view(lens.through(camera), wanted.channels, size=lens.side)
    if lens.width != lens.height:
        cut: JsonObject = {one: lens.cut(part) for one in Channel if (part := getattr(frame, one)) is not None}
        frame = replace(frame, **cut)
    return _coloured(frame, simulator.state, wanted)


def _coloured(frame: Frame, state: SimulatorState, wanted: Wanted) -> Pictures:
    if frame.ids is None:
        return Pictures(frame.rgb, frame.depth)
    names = tuple(frame.object_ids)
    types = tuple(state.objects[name].object_type if name in state.objects else name for name in names)
    return Pictures(
        frame.rgb,
        frame.depth,
        instances=painted(frame.ids, names) if wanted.instances else None,
        classes=painted(frame.ids, types) if wanted.classes else None,
        ids=frame.ids,
        object_ids=names,
    )


@lru_cache(maxsize=8192)
def colour_of(name: str) -> tuple[int, int, int]:
    """The colour of an id or a type."""
    red, green, blue = hashlib.md5(name.encode(), usedforsecurity=False).digest()[:3]
    return red, green, blue


def colour_table(objects: Iterable[ObjectState]) -> list[JsonObject]:
    """`metadata["colors"]`: a colour for every id and for every type."""
    names = dict.fromkeys(name for obj in objects for name in (obj.object_id, obj.object_type))
    return [{"color": list(colour_of(name)), "name": name} for name in names]


def painted(ids: Int32Array, names: Sequence[str]) -> ByteArray:
    """Ids as colours, H x W x 4 with opaque alpha; `names[id]` gives the colour, -1 the background."""
    pixels: NDArray[np.uint32] = _palette(tuple(names))[ids + 1]
    return pixels.view(np.uint8).reshape(*ids.shape, 4)


@lru_cache(maxsize=32)
def _palette(names: tuple[str, ...]) -> NDArray[np.uint32]:
    """Colours as four bytes in one number each, the background first."""
    rows = np.array([(*BACKGROUND, 255), *((*colour_of(name), 255) for name in names)], np.uint8)
    return rows.view(np.uint32)[:, 0]


def camera_metadata(number: int, seen: Camera) -> JsonObject:
    """A third-party camera as in `metadata["thirdPartyCameras"]` (2.5)."""
    return {
        "thirdPartyCameraId": number,
        "position": seen.position._asdict(),
        "rotation": {"x": seen.pitch % 360.0, "y": seen.yaw % 360.0, "z": seen.roll % 360.0},
        "fieldOfView": seen.field_of_view,
    }


def changed_camera(camera: Camera, given: Parameters) -> Camera:
    """What AddThirdPartyCamera and UpdateThirdPartyCamera make of a camera; coordinates left out stay."""
    pitch, yaw, roll = given.point("rotation", Vec3(camera.pitch, camera.yaw, camera.roll))
    position, degrees = given.point("position", camera.position), given.number("fieldOfView", camera.field_of_view)
    if not 0.0 < degrees < 180.0:
        raise Refusal("ArgumentOutOfRangeException: fov must be set to (0, 180) noninclusive.")
    return Camera(position, yaw, pitch, roll, degrees, _orthographic(given, camera.orthographic))


def _orthographic(given: Parameters, known: float | None) -> float | None:
    """Half the height of the seen area, metres, or `None` for a perspective; Unity's own default is 5."""
    wanted = given.flag("orthographic", known is not None)
    if "orthographicSize" in given and not wanted:
        message = "orthographicSize(: {:g}) can only be set when orthographic=True."
        raise Refusal("InvalidOperationException: " + message.format(given.number("orthographicSize", 0.0)))
    return given.number("orthographicSize", 5.0 if known is None else known) if wanted else None
