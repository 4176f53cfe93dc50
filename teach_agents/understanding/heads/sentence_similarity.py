"""How alike sentences are in meaning: MiniLM as it came, before the heads trained it further."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from teach_agents.models.local.packages import loaded_once, package
from teach_agents.models.text.minilm import find_minilm
from teach_agents.understanding.heads.reader import one_thread

if TYPE_CHECKING:
    from tokenizers import Tokenizer
    from torch import Tensor

    from teach_agents.understanding.heads.network import Network

_MOST_PIECES = 128
_KEPT = 256
"""Pieces of a sentence that count, and sentences whose vectors are kept."""


class _Encoder(NamedTuple):
    network: Network
    tokenizer: Tokenizer


def similarities(asked: str, sentences: Sequence[str]) -> list[float] | None:
    """The cosine of each sentence with what is `asked`; `None` where the encoder is not on this machine."""
    folder = find_minilm()
    if folder is None or any(find_spec(name) is None for name in ("torch", "tokenizers", "safetensors")):
        return None
    with one_thread(package("torch")):
        wanted = _vector(folder, asked)
        return [float(wanted @ _vector(folder, one)) for one in sentences]


@lru_cache(_KEPT)
def _vector(folder: Path, sentence: str) -> Tensor:
    """The mean of the last features over the pieces of a sentence, of length 1."""
    torch: Any = package("torch")
    encoder = _loaded(folder)
    with torch.inference_mode():
        pieces = torch.tensor([encoder.tokenizer.encode(sentence.lower()).ids[:_MOST_PIECES]])
        mean = encoder.network.features(pieces, torch.zeros_like(pieces), torch.ones_like(pieces).bool())[0].mean(0)
        found: Tensor = mean / mean.norm()
    return found


@loaded_once
def _loaded(folder: Path) -> _Encoder:
    from safetensors.torch import load_file

    from teach_agents.understanding.heads.network import Network
    from teach_agents.understanding.heads.pieces import tokenizer

    network = Network(1)
    network.load_encoder(load_file(folder / "model.safetensors"))
    return _Encoder(network.eval(), tokenizer(folder))
