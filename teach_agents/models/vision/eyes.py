"""Networks of transformers that see: in memory once per process, with what prepares pictures for them."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

from teach_agents.arrays import Image
from teach_agents.core.json_types import JsonObject
from teach_agents.errors import ModelError
from teach_agents.models.batches import in_batches
from teach_agents.models.local.packages import check_source, loaded_once, package, torch, transformers
from teach_agents.models.local.weights import Source, assembled, device_of, dtype_of

_Seen = TypeVar("_Seen")


@dataclass(eq=False)
class Eyes:
    """A loaded network; `processor` prepares pictures (and words, where it takes words) for it.

    The lock is held while it computes.
    """

    model: Any
    processor: Any
    lock: threading.RLock = field(default_factory=threading.RLock)

    def prepared(self, images: Sequence[Image], **words: Any) -> JsonObject:
        """The network's inputs for pictures of one size, on its device and in its type."""
        pictures = [package("PIL.Image").fromarray(image) for image in images]
        made = self.processor(images=pictures, return_tensors="pt", **words)
        device, dtype = self.model.device, self.model.dtype
        return {name: one.to(device, dtype if one.is_floating_point() else one.dtype) for name, one in made.items()}

    @cached_property
    def hash(self) -> str:
        """See `VisionEncoder.hash`."""
        pictures = getattr(self.processor, "image_processor", self.processor)
        return digest(self.model, pictures.to_json_string())


def digest(model: Any, *said: str) -> str:
    """16 hexadecimal digits of the values of a network's weights and of texts."""
    made = hashlib.sha256()
    for name, tensor in sorted(model.state_dict().items()):
        made.update(f"{name} {tuple(tensor.shape)} {tensor.dtype}\n".encode())
        made.update(tensor.detach().cpu().contiguous().flatten().view(torch().uint8).numpy().data)
    for text in said:
        made.update(text.encode())
    return made.hexdigest()[:16]


class Transformers:
    """What networks of transformers that see have in common: where their weights are, loaded when first needed.

    They are of the first of the `AutoModel...` `families` that knows them. Raises `InputError` for a source that cannot
    be meant.
    """

    families: tuple[str, ...]

    def __init__(self, path: str, *, dtype: str = "auto", device: str = "auto", max_batch: int = 32) -> None:
        check_source(path, max_batch=max_batch)
        self.name = path
        self._source = Source(path, "", dtype, device)
        self._max_batch = max_batch

    @property
    def eyes(self) -> Eyes:
        """The network.

        Raises `ModelMissingError` where there are no weights, `ModelError` for what is of none of the families or
        cannot be loaded, and `MissingExtraError`.
        """
        return _loaded(self._source, self.families)

    @property
    def hash(self) -> str:
        """16 hexadecimal digits that stand for its weights and how pictures are prepared for them."""
        return self.eyes.hash

    def _looked(self, images: Sequence[Image], look: Callable[[list[Image]], Iterable[_Seen]]) -> list[_Seen]:
        """What `look` makes of each picture, given those of one size, at most `max_batch` together: nothing is padded,
        so a batch changes no answer."""
        sizes: dict[tuple[int, ...], list[int]] = {}
        for place, image in enumerate(images):
            sizes.setdefault(image.shape, []).append(place)
        found: dict[int, _Seen] = {}
        with self.eyes.lock, torch().inference_mode():
            for places in sizes.values():
                for some in in_batches(places, self._max_batch):
                    found |= zip(some, look([images[place] for place in some]), strict=True)
        return [found[place] for place in range(len(images))]


@loaded_once
def _loaded(source: Source, families: tuple[str, ...]) -> Eyes:
    return assembled(source.path, lambda config: _assembled(source, families, config))


def _assembled(source: Source, families: tuple[str, ...], config: Any) -> Eyes:
    library = transformers()
    known = [name for name in families if type(config) in getattr(library, name)._model_mapping]
    if not known:
        wanted = " or ".join(families)
        raise ModelError(f"{source.path}: a model of type {config.model_type!r} is none of transformers' {wanted}")
    reads = known[0] == "AutoModelForZeroShotObjectDetection"
    kind = library.AutoProcessor if reads else library.AutoImageProcessor
    device = device_of(source.device)
    model = getattr(library, known[0]).from_pretrained(source.path, dtype=dtype_of(source.dtype, device, config))
    return Eyes(model.to(device).eval(), kind.from_pretrained(source.path))
