"""A detector and a perception of somebody's own, as they would write them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from teach_agents.agents.acting.knowledge import Remembered
from teach_agents.agents.perceiving.contract import Perception
from teach_agents.agents.perceiving.oracle import RoomMap
from teach_agents.models.vision import Detection, Detector
from teach_agents.observations import Observation, Privilege, Segmentation

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Colour(Detector):
    """Takes whatever is bright for a plate."""

    labels = ("plate",)
    hash = "0123456789abcdef"

    def find(self, images: Sequence[NDArray[np.uint8]]) -> list[list[Detection]]:
        return [self._bright(image) for image in images]

    def _bright(self, image: NDArray[np.uint8]) -> list[Detection]:
        rows, columns = (image.min(axis=2) > 200).nonzero()
        if not len(rows):
            return []
        box = (float(columns.min()), float(rows.min()), float(columns.max() + 1), float(rows.max() + 1))
        return [Detection("plate", 0.9, box)]


class Blindfold(Perception):
    """Sees nothing, and knows no more of the room than where it can stand."""

    name = "blindfold"
    privileges = frozenset({Privilege.REACHABLE})

    def __init__(self, colour: str = "black", allow_import: bool = False) -> None:
        self.colour = colour

    @property
    def provenance(self) -> Mapping[str, str]:
        return {"perception": self.name, "colour": self.colour}

    def perceive(self, observation: Observation) -> Observation:
        import numpy as np

        height, width = observation.view.rgb.shape[:2]
        ground = observation.privileged.reachable
        made = {
            Privilege.SEGMENTATION: lambda: Segmentation(np.full((height, width), -1, np.int32), ()),
            Privilege.DEPTH: lambda: np.full((height, width), 20.0, np.float32),
            Privilege.OBJECTS: tuple,
            Privilege.REACHABLE: lambda: ground,
        }
        return replace(observation, privileged=Remembered(made, RoomMap()))
