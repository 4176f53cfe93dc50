"""An event on the wire: one map, and pixels with the bottom row first (AI2-THOR specification 6.5, 6.8)."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import TYPE_CHECKING, Any, NamedTuple

from teach_agents.core.json_types import JsonObject

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from teach_agents.simulator.controller.engine import Answer


class Field(Enum):
    """What pixels show, by what the engine's pictures call it."""

    RGB = "rgb"
    DEPTH = "depth"
    IDS = "instances"
    CLASSES = "classes"


Image = tuple[Field, bool, Any]
"""What pixels show, whether another camera than the agent's took them, and their buffer."""


class WireEvent(NamedTuple):
    """`metadata` is the whole map; `images` are in the cameras' order; `patch` if nothing shown has changed."""

    metadata: JsonObject
    images: tuple[Image, ...] = ()
    patch: bool = False


def on_the_wire(answer: Answer, sequence: int, *, pictures: bool = True) -> WireEvent:
    """An engine's answer to the request with this sequence number."""
    images = tuple(_images(answer)) if pictures else ()
    return WireEvent(wrapped(answer.metadata, sequence), images, answer.unchanged)


def wrapped(agent: JsonObject, sequence: int) -> JsonObject:
    """The whole map around the metadata of the agent."""
    cameras = agent["thirdPartyCameras"]
    return {"agents": [agent], "thirdPartyCameras": cameras, "activeAgentId": 0, "sequenceId": sequence}


def _images(answer: Answer) -> Iterator[Image]:
    for number, pictures in enumerate((answer.pictures, *answer.third_party)):
        for field in Field:
            pixels = getattr(pictures, field.value)
            if pixels is not None:
                yield field, number > 0, _upside_down(pixels)


def _upside_down(pixels: NDArray[np.generic]) -> memoryview:
    """The bytes of a picture, last row first."""
    import numpy as np

    return np.ascontiguousarray(pixels[::-1]).data.cast("B")
