"""Training of the adapter with which SmolLM2 reads: requests and meanings as texts, some hours on a core."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

import torch
from torch.nn import functional

from teach_agents.learning.lora import Adapter, adapt
from teach_agents.learning.reading.alignment import example
from teach_agents.learning.reading.augmentation import Variations, slip
from teach_agents.models.local.smollm2 import SMOLLM2
from teach_agents.models.local.weights import Source, Weights, read_weights
from teach_agents.understanding.notation import write_meaning
from teach_agents.understanding.requests import Request
from teach_agents.understanding.small_lm.reader import prompt

_MISTYPED, _SLIPS = 0.2, 0.25
"""How many utterances are mistyped, and how many of their words."""
_LONGEST = 200
"""Tokens of an utterance with its meaning; longer ones are left out."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How the adapter is trained."""

    minutes: float = 120.0
    epochs: int = 3
    batch: int = 32
    rate: float = 1e-3
    rank: int = 32
    seed: int = 0


class Sample(NamedTuple):
    """What the model reads, and what it is to write, as tokens."""

    asked: list[int]
    answer: list[int]


class Samples:
    """Makes each epoch's samples anew: half of the requests with other things, words and signs, some mistyped."""

    def __init__(self, requests: Sequence[Request], random: Random) -> None:
        self._random = random
        self._requests = [(one, example(one)) for one in requests]
        self._variations = Variations([one for _, one in self._requests if one is not None], random, noise=False)

    def texts(self) -> Iterator[tuple[str, str]]:
        """Prompts and answers."""
        for request, one in self._requests:
            text, acts = request.text, request.meaning
            if one is not None and one.spans and self._random.random() < 0.5:
                varied = self._variations.varied(one)
                text, acts = re.sub(r" ([,.?!:;]|'s\b)", r"\1", " ".join(varied.words)), varied.acts
            yield prompt(self._noisy(text), request.before), f" {write_meaning(acts)}"

    def _noisy(self, text: str) -> str:
        """A text with slips of the pen; its meaning is that of what was meant."""
        if self._random.random() >= _MISTYPED:
            return text
        words = (slip(word, self._random) if self._random.random() < _SLIPS else word for word in text.split(" "))
        return " ".join(words)


def train(requests: Sequence[Request], settings: Settings, tell: Callable[[str], None]) -> Adapter:
    """An adapter for SmolLM2, trained until its epochs or its minutes are over; the rate falls to nothing meanwhile."""
    torch.manual_seed(settings.seed)
    random = Random(settings.seed)
    weights = read_weights(Source(str(SMOLLM2.found()), dtype="bfloat16", device="cpu"))
    adapter = adapt(weights, rank=settings.rank, alpha=2.0 * settings.rank, seed=settings.seed)
    samples = Samples(requests, random)
    optimiser = torch.optim.AdamW(adapter.parameters, lr=settings.rate, weight_decay=0.01)
    began, step, total = time.monotonic(), 0, 0
    for epoch in range(settings.epochs):
        batches = list(_batches(_tokens(samples.texts(), weights), settings.batch, random))
        total = total or len(batches) * settings.epochs
        sums = 0.0
        for number, few in enumerate(batches, 1):
            gone = max(step / total, (time.monotonic() - began) / (60 * settings.minutes))
            if gone >= 1:
                return adapter
            for group in optimiser.param_groups:
                group["lr"] = settings.rate * min(1.0, (step + 1) / 60) * (0.5 + 0.5 * math.cos(math.pi * gone))
            with torch.autocast("cpu", torch.bfloat16):
                found = loss(adapter, weights, few)
            optimiser.zero_grad()
            found.backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_(adapter.parameters, 1.0)
            optimiser.step()
            step, sums = step + 1, sums + found.item()
            if number % 20 == 0 or number == len(batches):
                tell(f"epoch {epoch + 1}, {number} of {len(batches)}: loss {sums / number:.3f}")
    return adapter


def loss(adapter: Adapter, weights: Weights, few: Sequence[Sample]) -> torch.Tensor:
    """How unlikely the answers of some samples are, in nats a token."""
    longest = max(len(one.asked) + len(one.answer) for one in few)
    tokens = torch.full((len(few), longest), weights.ends[0])
    there = torch.zeros((len(few), longest), dtype=torch.long)
    rows, places, wanted = list[int](), list[int](), list[int]()
    for row, one in enumerate(few):
        length = len(one.asked) + len(one.answer)
        tokens[row, :length] = torch.tensor(one.asked + one.answer)
        there[row, :length] = 1
        rows += [row] * len(one.answer)
        places += range(len(one.asked) - 1, length - 1)
        wanted += one.answer
    inner = adapter.wrapped.base_model.model
    states = inner.model(input_ids=tokens, attention_mask=there, use_cache=False).last_hidden_state
    logits = inner.lm_head(states[rows, places])
    return functional.cross_entropy(logits.float(), torch.tensor(wanted))


def _tokens(texts: Iterator[tuple[str, str]], weights: Weights) -> Iterator[Sample]:
    for asked, answer in texts:
        read, written = (weights.tokenizer(one)["input_ids"] for one in (asked, answer))
        if len(read) + len(written) < _LONGEST:
            yield Sample(read, [*written, weights.ends[0]])


def _batches(samples: Iterator[Sample], size: int, random: Random) -> Iterator[list[Sample]]:
    """Batches of samples of about the same length, in any order."""
    ordered = sorted(samples, key=lambda one: len(one.asked) + len(one.answer) + random.random() * 4)
    few = [ordered[at : at + size] for at in range(0, len(ordered), size)]
    random.shuffle(few)
    yield from few
