"""Networks of transformers that see: in memory once per process, with what prepares pictures for them."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

from teach_agents.errors import InputError, ModelError, TeachAgentsError
from teach_agents.models.local.packages import package, quiet, torch, transformers
from teach_agents.models.local.weights import Source, device_of, dtype_of, missing

if TYPE_CHECKING:
    from teach_agents.arrays import ByteArray

    Image = ByteArray


@dataclass(eq=False)
class Eyes:
    """A loaded network; `processor` prepares pictures (and words, where it takes words) for it.

    The lock is held while it computes.
    """

    model: Any
    processor: Any
    lock: threading.RLock = field(default_factory=threading.RLock)

    def prepared(self, images: Sequence[Image], **words: Any) -> dict[str, Any]:
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


def alike(images: Sequence[Image], most: int) -> Iterator[list[int]]:
    """Places of pictures of one size, at most so many together: nothing is padded, so a batch changes no answer."""
    sizes: dict[tuple[int, ...], list[int]] = {}
    for place, image in enumerate(images):
        sizes.setdefault(image.shape, []).append(place)
    for places in sizes.values():
        yield from (places[begin : begin + most] for begin in range(0, len(places), most))


def checked_source(path: str, dtype: str, device: str, max_batch: int) -> Source:
    """The source of weights. Raises `InputError` for what cannot be meant."""
    if not path:
        raise InputError("hf", "needs a folder or a hub id: hf:FOLDER")
    if max_batch < 1:
        raise InputError("hf", "max_batch must be at least 1", value=max_batch)
    return Source(path, "", dtype, device)


def load_eyes(source: Source, families: tuple[str, ...]) -> Eyes:
    """The network of a source, of the first of transformers' `AutoModel...` `families` that knows it; loaded once.

    Raises `ModelMissingError` where there are no weights, and `ModelError` for what is of none of the families or
    cannot be loaded.
    """
    with _loading():
        return _loaded(source, families)


@cache
def _loading() -> threading.Lock:
    return threading.Lock()


@cache
def _loaded(source: Source, families: tuple[str, ...]) -> Eyes:
    library = transformers()
    with quiet():
        try:
            config = library.AutoConfig.from_pretrained(source.path)
        except (OSError, ValueError) as error:
            raise missing(source.path, error) from error
        try:
            return _assembled(source, families, config)
        except TeachAgentsError:
            raise
        except (OSError, ValueError, ImportError, RuntimeError, KeyError, AttributeError) as error:
            raise ModelError(f"{source.path}: cannot be loaded: {type(error).__name__}: {error}") from error


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
