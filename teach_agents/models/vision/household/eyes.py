"""Trained eyes as a `Detector` and as a `DepthEstimator`: one pass through the network serves both."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from teach_agents.arrays import BoolArray, Float32Array, Image
from teach_agents.errors import InputError
from teach_agents.models.batches import in_batches
from teach_agents.models.local.packages import check_sizes, loaded_once, package, torch
from teach_agents.models.local.weights import device_of
from teach_agents.models.vision.depth import DepthEstimator, Lens
from teach_agents.models.vision.detection import Detection, Detector
from teach_agents.models.vision.eyes import digest
from teach_agents.models.vision.household.shape import SIZE
from teach_agents.models.vision.household.weights import found_folder, read_labels, read_network

_PREPARED = f"square {SIZE} bilinear, (value - 127.5) / 64"
_MOST, _LEAST = 100, 0.02
"""Boxes in a picture, and the score below which none is told of, whatever is asked."""
_PLAIN = 0.3
"""The score from which on a box counts by itself."""
_REMEMBERED = 8
"""Pictures whose looks are kept: whoever asks what is there asks next how far away it is."""


_Found = tuple[int, float, list[float]]
"""The place of a label, a score, a box in fractions of the picture."""


class _Look(NamedTuple):
    """What one picture shows: things; depth by cells, metres; the box about what each cell shows (4 x h x w, in
    fractions)."""

    things: list[_Found]
    depth: Any
    shown: Any


class _Eyes:
    """A loaded network. The lock is held while it computes."""

    def __init__(self, folder: Path, device: str) -> None:
        self.labels, shape = read_labels(folder)
        self._network: Any = read_network(folder, shape).to(device_of(device))
        self._lock = threading.Lock()
        self._known: OrderedDict[bytes, _Look] = OrderedDict()
        self.hash = digest(self._network, _PREPARED, *self.labels)

    def look(self, images: Sequence[Image], max_batch: int) -> list[_Look]:
        """What pictures show, each looked at once however often it comes in a row."""
        keys = [hashlib.blake2b(str(image.shape).encode() + image.tobytes()).digest() for image in images]
        with self._lock:
            found = {key: self._known[key] for key in keys if key in self._known}
            fresh = {key: image for key, image in zip(keys, images, strict=True) if key not in found}
            for batch in in_batches([*fresh], max_batch):
                found |= zip(batch, self._seen([fresh[key] for key in batch]), strict=True)
            self._known.update(found)
            while len(self._known) > _REMEMBERED:
                self._known.popitem(last=False)
        return [found[key] for key in keys]

    def _seen(self, images: Sequence[Image]) -> list[_Look]:
        from teach_agents.models.vision.household.decoding import boxes_of, decoded

        library = torch()
        with library.inference_mode():
            seen = self._network(prepared(images).to(next(self._network.parameters()).device))
            depths = seen.depth[:, 0].exp().float().cpu()
            found = decoded(seen, self._network.shape.sizes, _MOST, _LEAST)
            shown = (boxes_of(seen.shown) / SIZE).cpu()
        return [
            _Look([*zip(one.types.tolist(), one.scores.tolist(), (one.boxes / SIZE).tolist(), strict=True)], *cells)
            for one, *cells in zip(found, depths, shown, strict=True)
        ]


def prepared(images: Sequence[Image]) -> Any:
    """Pictures of any size as the network takes them: float32, N x 3 x 300 x 300."""
    return numbers([_square(image) for image in images])


def numbers(images: Sequence[Image]) -> Any:
    """Pictures of one size as numbers that the network takes: float32, N x 3 x H x W."""
    library = torch()
    whole = library.from_numpy(np.stack(images)).permute(0, 3, 1, 2)
    return whole.float().sub_(127.5).div_(64).contiguous(memory_format=library.channels_last)


def _square(image: Image) -> Image:
    if image.shape[:2] == (SIZE, SIZE):
        return image
    pictures = package("PIL.Image")
    return np.asarray(pictures.fromarray(image).resize((SIZE, SIZE), pictures.Resampling.BILINEAR, reducing_gap=3.0))


_loaded = loaded_once(_Eyes)


class _Household:
    """What detector and estimator have in common: where their weights are, loaded when first needed."""

    def __init__(self, folder: str = "", *, device: str = "auto", max_batch: int = 8) -> None:
        check_sizes("household", max_batch=max_batch)
        self.name = f"household:{folder}" if folder else "household"
        self._folder = found_folder(folder).resolve()
        self._device = device
        self._max_batch = max_batch

    @cached_property
    def eyes(self) -> _Eyes:
        """The network, one for a process. Raises `ModelError` for damaged files and `MissingExtraError`."""
        return _loaded(self._folder, self._device)


class HouseholdDetector(_Household, Detector):
    """Finds objects of AI2-THOR's types in views of households.

    `folder` is that of trained eyes; those that ship unless named. What it is less sure of than `threshold` is left
    out; what scores 0.3 or more counts by itself. A picture is seen as 300 x 300 pixels, whatever its shape. Raises
    `ModelMissingError` where there are no weights.
    """

    def __init__(self, folder: str = "", *, threshold: float = 0.2, device: str = "auto", max_batch: int = 8) -> None:
        if not 0 <= threshold <= 1:
            raise InputError("household", "threshold must be from 0 to 1", value=threshold)
        super().__init__(folder, device=device, max_batch=max_batch)
        self._spec = folder
        self._threshold = threshold
        self.plain = max(_PLAIN, threshold)

    @property
    def labels(self) -> tuple[str, ...]:
        """AI2-THOR's names of the types that it knows."""
        return self.eyes.labels

    @property
    def hash(self) -> str:
        """See `Detector.hash`."""
        return hashlib.sha256(f"{self.eyes.hash} {self._threshold}".encode()).hexdigest()[:16]

    @property
    def estimator(self) -> HouseholdDepth:
        """The same eyes' depth."""
        return HouseholdDepth(self._spec, device=self._device)

    def find(self, images: Sequence[Image]) -> list[list[Detection]]:
        """What is in each picture."""
        looks = self.eyes.look(images, self._max_batch)
        return [self._detections(look, image) for look, image in zip(looks, images, strict=True)]

    def _detections(self, look: _Look, image: Image) -> list[Detection]:
        height, width = image.shape[:2]
        told = [one for one in look.things if one[1] >= self._threshold]
        masks = _masks(look.shown, told, (height, width))
        return [
            Detection(self.labels[kind], score, (x0 * width, y0 * height, x1 * width, y1 * height), mask)
            for (kind, score, (x0, y0, x1, y1)), mask in zip(told, masks, strict=True)
        ]


def _masks(shown: Any, told: Sequence[_Found], size: tuple[int, int]) -> list[BoolArray]:
    """The pixels that show each thing, of a picture of so many rows and columns: those of whole cells."""
    from teach_agents.models.vision.household.decoding import shown_by

    library = torch()
    boxes = library.tensor([box for _, _, box in told]).view(-1, 4)
    cells = shown_by(shown, boxes, library.tensor([kind for kind, _, _ in told])).numpy()
    rows, columns = (np.arange(one) * cells.shape[axis] // one for axis, one in enumerate(size, 1))
    return list(cells.take(columns, axis=2).take(rows, axis=1))


class HouseholdDepth(_Household, DepthEstimator):
    """How far away everything in views of households is, by the same network.

    It knows TEACh's cameras alone (90 degrees from top to bottom) and takes no notice of how a picture was taken.
    """

    @property
    def hash(self) -> str:
        """See `DepthEstimator.hash`."""
        return self.eyes.hash

    def compute(self, images: Sequence[Image], lenses: Sequence[Lens]) -> list[Float32Array]:
        """The depth of each picture, metres; between cells as they lie about it."""
        resized = torch().nn.functional.interpolate
        looks = self.eyes.look(images, self._max_batch)
        return [
            resized(look.depth[None, None], size=image.shape[:2], mode="bilinear")[0, 0].numpy()
            for look, image in zip(looks, images, strict=True)
        ]
