"""Memory of past sessions: what was done when something like this was said, found by the likeness of the words."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from teach_agents.core.json_types import JsonObject
from teach_agents.errors import InputError
from teach_agents.models.text import TextEncoder, load_text_encoder

_FORMAT = 1
_VECTORS, _TEXTS = "vectors.npy", "memory.json"
_LARGEST = 1 << 30
_AT_ONCE = 256
_MADE_AT = (1980, 1, 1, 0, 0, 0)
"""What a zip file says of when its parts were written: the same memory is the same bytes."""


@dataclass(frozen=True, slots=True)
class Example:
    """What a Commander said in a past session (`heard`), and the commands that a Follower then carried out (`did`).

    `source` names the session. `likeness` is the cosine between its words and those that were asked about.
    """

    heard: str
    did: tuple[str, ...]
    source: str = ""
    likeness: float = 1.0


class Memory:
    """Examples, with a vector each of what was heard. Only read: sessions share it, and it learns nothing by itself.

    ```python
    memory = Memory.load("train.memory")
    for one in memory.examples("please rinse the mug", 3):
        print(one.heard, one.did)  # `{{ one.heard }}` and `{{ one.did | join(", ") }}` in a prompt template
    ```
    """

    def __init__(self, encoder: TextEncoder, examples: Sequence[Example], vectors: NDArray[np.float16]) -> None:
        shape = len(examples), encoder.dimension
        if vectors.shape != shape:
            raise InputError("memory", f"has examples and an encoder for vectors of {shape}", value=vectors.shape)
        self._encoder = encoder
        self._examples = tuple(examples)
        self._vectors = vectors
        self._hash = ""

    @classmethod
    def of(
        cls,
        examples: Sequence[Example],
        encoder: str | TextEncoder = "minilm",
        tell: Callable[[int], None] = lambda done: None,
    ) -> Memory:
        """A memory of these examples. `encoder` is a text encoder or its SPEC; `tell` hears how many are encoded."""
        chosen = load_text_encoder(encoder)
        vectors = np.zeros((len(examples), chosen.dimension), np.float16)
        for begin in range(0, len(examples), _AT_ONCE):
            part = examples[begin : begin + _AT_ONCE]
            vectors[begin : begin + len(part)] = chosen.encode([one.heard for one in part])
            tell(begin + len(part))
        return cls(chosen, examples, vectors)

    @classmethod
    def load(cls, path: str | Path) -> Memory:
        """A memory's file, with the encoder that it was made with.

        Raises `InputError` for what is no such file, or where the encoder of that name has other weights now, and
        `ModelMissingError` where it is not on this machine.
        """
        try:
            raw = Path(path).read_bytes()
        except OSError as error:
            raise InputError(path, f"cannot be read: {error.strerror}") from error
        try:
            texts, vectors = _unpacked(raw)
            examples = [Example(one["heard"], tuple(one["did"]), one["source"]) for one in texts["examples"]]
            spec, expected = texts["encoder"], texts["encoder_hash"]
            if texts["format"] != _FORMAT or vectors.dtype != np.float16 or not isinstance(spec, str):
                raise ValueError("another format")
        except (KeyError, TypeError, ValueError, EOFError, OSError, zipfile.BadZipFile) as error:
            problem = f"is no memory, or a damaged one ({error}); make one with: teach-agents memory build"
            raise InputError(path, problem) from error
        encoder = load_text_encoder(spec)
        if encoder.hash != expected:
            problem = f"was made with {spec} of weights {expected}; here it has others: build it again"
            raise InputError(path, problem, value=encoder.hash)
        made = cls(encoder, examples, vectors)
        made._hash = hashlib.sha256(raw).hexdigest()[:12]
        return made

    def to_bytes(self) -> bytes:
        """The file that `load` reads: a zip of `memory.json` and `vectors.npy` (float16, N x D); numpy reads it too."""
        texts = {
            "format": _FORMAT,
            "encoder": self._encoder.name,
            "encoder_hash": self._encoder.hash,
            "examples": [{"heard": one.heard, "did": one.did, "source": one.source} for one in self._examples],
        }
        numbers = io.BytesIO()
        np.save(numbers, self._vectors, allow_pickle=False)
        whole = io.BytesIO()
        with zipfile.ZipFile(whole, "w", zipfile.ZIP_DEFLATED) as packed:
            for name, content in ((_TEXTS, json.dumps(texts, indent=0).encode()), (_VECTORS, numbers.getvalue())):
                packed.writestr(zipfile.ZipInfo(name, _MADE_AT), content, zipfile.ZIP_DEFLATED)
        return whole.getvalue()

    def __len__(self) -> int:
        """How many examples it holds."""
        return len(self._examples)

    def examples(self, text: str, k: int) -> tuple[Example, ...]:
        """The `k` examples most like a text, the most alike first, each with other commands than those before it.

        Only such as are alike at all; the same text has the same examples.
        """
        if k < 1 or not self._examples:
            return ()
        likeness = self._vectors.astype(np.float32) @ self._encoder.encode([text])[0]
        found: dict[tuple[str, ...], Example] = {}
        for place in np.argsort(-likeness, kind="stable"):
            if likeness[place] <= 0 or len(found) == k:
                break
            one = self._examples[place]
            found.setdefault(one.did, replace(one, likeness=round(float(likeness[place]), 4)))
        return tuple(found.values())

    @property
    def provenance(self) -> dict[str, str]:
        """What an agent that reads it says of it in its own `provenance`."""
        said = {"memory_hash": self._hash, "embeddings": f"{self._encoder.name} {self._encoder.hash}"}
        return {name: value for name, value in said.items() if value}


def _unpacked(raw: bytes) -> tuple[JsonObject, NDArray[Any]]:
    with zipfile.ZipFile(io.BytesIO(raw)) as packed:
        if sum(one.file_size for one in packed.infolist()) > _LARGEST:
            raise ValueError("more than a gigabyte")
        return (
            json.loads(packed.read(_TEXTS)),
            np.load(io.BytesIO(packed.read(_VECTORS)), allow_pickle=False),
        )
