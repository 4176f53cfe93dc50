"""Pictures of any shape: the embedded simulator draws squares, a wide or tall picture is cut out of one."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from teach_agents.simulator.contract import Camera, Channel, Frame, Simulator, SimulatorState
from teach_agents.simulator.controller.colours import painted

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from teach_agents.arrays import ByteArray, Float32Array, Int32Array


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which pictures an event carries."""

    image: bool = True
    depth: bool = False
    instances: bool = False
    classes: bool = False

    @property
    def channels(self) -> frozenset[Channel]:
        """What the simulator must draw for them."""
        drawn = {Channel.RGB: self.image, Channel.DEPTH: self.depth, Channel.IDS: self.instances or self.classes}
        return frozenset(channel for channel, needed in drawn.items() if needed)


@dataclass(frozen=True, slots=True)
class Lens:
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
        return replace(camera, field_of_view=replace(self, field_of_view=camera.field_of_view).square)

    def cut(self, square: NDArray[np.generic]) -> NDArray[np.generic]:
        """The picture out of its square, a copy."""
        top, left = (self.side - self.height) // 2, (self.side - self.width) // 2
        return square[top : top + self.height, left : left + self.width].copy()


@dataclass(frozen=True, slots=True)
class Pictures:
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
        parts: Mapping[str, object] = {
            name: None if part is None else lens.cut(part)
            for name, part in (("rgb", frame.rgb), ("ids", frame.ids), ("depth", frame.depth))
        }
        frame = replace(frame, **parts)  # type: ignore[arg-type]  # the same types, cut
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
