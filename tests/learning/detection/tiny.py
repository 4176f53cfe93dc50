"""Eyes of a few thousand parameters, trained for no time at all."""

from __future__ import annotations

from pathlib import Path

from teach_agents.learning.detection.frames import SIZES, TYPES
from teach_agents.models.vision.household.shape import Shape

SHAPE = Shape(len(TYPES), SIZES, stem=4, widths=(4, 8, 8), blocks=(0, 1, 1), neck=8, head=8)


def write_eyes(folder: Path, *, eager: bool = False) -> Path:
    """Untrained eyes in a folder; `eager` ones take everything for something."""
    import torch

    from teach_agents.models.vision.household.network import HouseholdNetwork
    from teach_agents.models.vision.household.weights import packed

    torch.manual_seed(0)
    network = HouseholdNetwork(SHAPE)
    if eager:
        assert network.told.bias is not None
        torch.nn.init.normal_(network.told.weight, std=0.3)
        torch.nn.init.constant_(network.told.bias[: SHAPE.types], -1.0)
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in packed(network.settled(), TYPES, {}).items():
        (folder / name).write_bytes(content)
    return folder
