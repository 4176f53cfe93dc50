"""How well a network sees in frames that it has not learnt from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from teach_agents.core.json_types import JsonObject
from teach_agents.learning.detection.frames import TYPES, Frame
from teach_agents.learning.detection.precision import Precision, Scored, average_precision
from teach_agents.models.batches import in_batches
from teach_agents.models.vision.household.decoding import decoded
from teach_agents.models.vision.household.eyes import prepared
from teach_agents.models.vision.household.network import HouseholdNetwork
from teach_agents.models.vision.household.shape import SIZE

SMALLEST = 100.0
"""Square pixels of the boxes that count."""
FEWEST = 20
"""Boxes of a type from which on the type counts."""
_MOST, _LEAST = 100, 0.02
_AT_ONCE = 8


@dataclass(frozen=True, slots=True)
class Judgement:
    """AP50 (COCO's; boxes of 100 square pixels or more) and how far off depth is, over some frames.

    `depth_error` is the median of |estimate / truth - 1| over cells with known depth.
    """

    precision: Precision
    depth_error: float
    frames: int

    def to_json(self) -> JsonObject:
        """`ap50` over types with 20 boxes, how many these are, boxes that count, depth; each type's by name."""
        kept = {kind: value for kind, value in self.precision.by_type.items() if self.precision.boxes[kind] >= FEWEST}
        mean = self.precision.mean(FEWEST)
        return {
            "frames": self.frames,
            "ap50": None if np.isnan(mean) else round(mean, 4),
            "types": len(kept),
            "boxes": sum(self.precision.boxes.values()),
            "depth_error": round(self.depth_error, 4),
            "by_type": {TYPES[kind]: round(value, 4) for kind, value in kept.items()},
        }


def judged(network: HouseholdNetwork, frames: Sequence[Frame]) -> Judgement:
    """What a network makes of frames. Leaves it in the mode in which it was."""
    device, trains = next(network.parameters()).device, network.training
    network.eval()
    found: list[Scored] = []
    errors: list[np.ndarray[Any, Any]] = []
    with torch.inference_mode():
        for batch in in_batches(frames, _AT_ONCE):
            seen = network(prepared([frame.rgb for frame in batch]).to(device))
            for one in decoded(seen, network.shape.sizes, _MOST, _LEAST):
                boxes, types, scores = (part.cpu().numpy() for part in one)
                found.append(Scored(boxes.clip(0, SIZE), types, scores))
            for frame, depth in zip(batch, seen.depth[:, 0].exp().cpu().numpy(), strict=True):
                errors.append(np.abs(depth / frame.depth - 1).ravel())
    network.train(trains)
    return Judgement(
        average_precision(found, [(frame.boxes, frame.types) for frame in frames], smallest=SMALLEST),
        float(np.median(np.concatenate(errors))) if errors else float("nan"),
        len(frames),
    )
