"""An event on the wire: one map, and pixels with the bottom row first (AI2-THOR specification 6.5, 6.8)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from teach_agents.simulator.controller.engine import Answer
    from teach_agents.simulator.controller.pictures import Pictures


class Field(Enum):
    """What pixels show: the agent's view, or that of another camera."""

    RGB = "rgb"
    DEPTH = "depth"
    IDS = "ids"
    CLASSES = "classes"
    OTHER_RGB = "other rgb"
    OTHER_DEPTH = "other depth"
    OTHER_IDS = "other ids"
    OTHER_CLASSES = "other classes"


@dataclass(frozen=True, slots=True)
class WireEvent:
    """`metadata` is the whole map; `images` are buffers in the cameras' order; `patch` if nothing shown has changed."""

    metadata: dict[str, Any]
    images: tuple[tuple[Field, Any], ...] = ()
    patch: bool = False


def on_the_wire(answer: Answer, sequence: int, *, pictures: bool = True) -> WireEvent:
    """An engine's answer to the request with this sequence number."""
    metadata = {
        "agents": [answer.metadata],
        "thirdPartyCameras": answer.metadata["thirdPartyCameras"],
        "activeAgentId": 0,
        "sequenceId": sequence,
    }
    images = tuple(_images(answer)) if pictures else ()
    return WireEvent(metadata, images, answer.unchanged)


def _images(answer: Answer) -> Iterator[tuple[Field, Any]]:
    own = (Field.RGB, Field.DEPTH, Field.IDS, Field.CLASSES)
    others = (Field.OTHER_RGB, Field.OTHER_DEPTH, Field.OTHER_IDS, Field.OTHER_CLASSES)
    yield from _of_camera(answer.pictures, own)
    for camera in answer.third_party:
        yield from _of_camera(camera, others)


def _of_camera(pictures: Pictures, fields: tuple[Field, ...]) -> Iterator[tuple[Field, Any]]:
    parts = (pictures.rgb, pictures.depth, pictures.instances, pictures.classes)
    for field, pixels in zip(fields, parts, strict=True):
        if pixels is not None:
            yield field, _upside_down(pixels)


def _upside_down(pixels: NDArray[np.generic]) -> memoryview:
    """The bytes of a picture, last row first."""
    import numpy as np

    return np.ascontiguousarray(pixels[::-1]).data.cast("B")
