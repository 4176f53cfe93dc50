"""Any text encoder of transformers as a `TextEncoder`: MiniLM, BERT, E5, ..."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from teach_agents.arrays import Float32Array
from teach_agents.models.batches import in_batches
from teach_agents.models.local.packages import check_source, loaded_once, torch, transformers
from teach_agents.models.local.weights import Weights, assembled, device_of
from teach_agents.models.text.contract import TextEncoder
from teach_agents.models.vision.eyes import digest


class TransformersTextEncoder(TextEncoder):
    """An encoder from a folder or the hub (its cache, if offline): the mean of its last features over a text's tokens.

    A text is cut after `max_tokens`. A call is cut into passes of at most `max_batch` texts, long ones together.
    Weights are loaded in float32 when first needed, once per process for the same source.
    """

    def __init__(self, path: str, *, device: str = "auto", max_tokens: int = 256, max_batch: int = 64) -> None:
        check_source(path, max_tokens=max_tokens, max_batch=max_batch)
        self.name = path
        self._source = (path, device)
        self._max_tokens = max_tokens
        self._max_batch = max_batch

    @property
    def _weights(self) -> Weights:
        return _loaded(*self._source)

    @property
    def dimension(self) -> int:
        """See `TextEncoder.dimension`."""
        return int(self._weights.model.config.hidden_size)

    @property
    def hash(self) -> str:
        """See `TextEncoder.hash`."""
        return _hash(self._weights, self._max_tokens)

    def compute(self, texts: Sequence[str]) -> Float32Array:
        """See `TextEncoder.compute`."""
        weights = self._weights
        said = [place for place, text in enumerate(texts) if text.strip()]
        order = sorted(said, key=lambda place: (len(texts[place]), texts[place]))
        made = np.zeros((len(texts), self.dimension), np.float32)
        for places in in_batches(order, self._max_batch):
            made[places] = _means(weights, [texts[place] for place in places], self._max_tokens)
        return made


def _means(weights: Weights, texts: list[str], most: int) -> Float32Array:
    """N x D: the mean of the last features over the tokens of each text."""
    model = weights.model
    room = min(most, int(getattr(model.config, "max_position_embeddings", most)))
    with weights.lock, torch().inference_mode():
        read = weights.tokenizer(texts, padding=True, truncation=True, max_length=room, return_tensors="pt")
        read = read.to(model.device)
        hidden = model(**read).last_hidden_state
        mask = read["attention_mask"].unsqueeze(-1).to(hidden.dtype)
        mean = (hidden * mask).sum(dim=1) / mask.sum(dim=1)
    vectors: Float32Array = mean.float().cpu().numpy()
    return vectors


@cache
def _hash(weights: Weights, most: int) -> str:
    with weights.lock:
        return digest(weights.model, f"mean over {most} tokens", str(weights.tokenizer.vocab_size))


@loaded_once
def _loaded(path: str, device: str) -> Weights:
    def assemble(config: object) -> Weights:
        model = transformers().AutoModel.from_pretrained(path, dtype=torch().float32)
        tokenizer = transformers().AutoTokenizer.from_pretrained(path)
        return Weights(model.to(device_of(device)).eval(), tokenizer, None)

    return assembled(path, assemble)
