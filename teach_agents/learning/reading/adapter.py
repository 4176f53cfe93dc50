"""Training of the adapter with which SmolLM2 reads: requests and meanings as texts, some hours on a core."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from random import Random
from typing import NamedTuple

import torch
from torch.nn import functional

from teach_agents.learning.lora import Adapter, adapt
from teach_agents.learning.reading.alignment import example
from teach_agents.learning.reading.augmentation import Variations, lines_of, slip
from teach_agents.learning.reading.llama import hidden_states
from teach_agents.learning.reading.training import share_of_rate
from teach_agents.models.local.smollm2 import SMOLLM2
from teach_agents.models.local.weights import Source, Weights, read_weights
from teach_agents.understanding.notation import write_meaning
from teach_agents.understanding.requests import Request
from teach_agents.understanding.small_lm.reader import prompt

_VARIED, _UNSIGNED = 0.55, 0.15
"""How many utterances are varied, and how many lose their signs."""
_MISTYPED, _SLIPS = 0.18, 0.25
"""How many utterances are mistyped, and how many of their words."""
_LONGEST, _SORTED = 180, 3000
"""Tokens of an utterance with its meaning, longer ones are left out; utterances that are sorted by length together."""
_TOLD, _KEPT = 50, 200
"""Steps between what is told; between what is kept."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How the adapter is trained."""

    minutes: float = 120.0
    """The longest it takes; the rate falls in time for it."""
    epochs: float = 2.0
    batch: int = 2304
    """Tokens of a batch, with the padding."""
    rate: float = 9e-4
    cooling: float = 0.4
    """The last share of the training, in which the rate falls to nothing."""
    rank: int = 32
    lowest: int = 8
    """The layer from which on adapters learn."""
    seed: int = 0
    start: Path | None = None
    """An adapter to go on from."""


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
        """Prompts and answers, in any order."""
        for request, one in self._random.sample(self._requests, len(self._requests)):
            text, acts, before = request.text, request.meaning, request.before
            if one is not None and (one.spans or not before) and self._random.random() < _VARIED:
                varied = self._variations.varied(one)
                text, acts = re.sub(r" ([,.?!:;]|'s\b)", r"\1", " ".join(varied.words)), varied.acts
                before = before or tuple(lines_of(varied.before))
            yield prompt(self._noisy(text), before), f" {write_meaning(acts)}"

    def _noisy(self, text: str) -> str:
        """A text with slips of the pen, or without signs; its meaning is that of what was meant."""
        if self._random.random() < _MISTYPED:
            text = " ".join(
                slip(word, self._random) if self._random.random() < _SLIPS else word for word in text.split(" ")
            )
        return re.sub(r"[.,!?;:]", "", text) if self._random.random() < _UNSIGNED else text


def train(
    requests: Sequence[Request],
    settings: Settings,
    tell: Callable[[str], None],
    keep: Callable[[Adapter], None] = lambda adapter: None,
) -> Adapter:
    """An adapter for SmolLM2, trained until its epochs or minutes are over. `keep` is called with it now and then."""
    torch.manual_seed(settings.seed)
    random = Random(settings.seed)
    weights = read_weights(Source(str(SMOLLM2.found()), dtype="bfloat16", device="cpu"))
    adapter = adapt(weights, rank=settings.rank, alpha=float(settings.rank), seed=settings.seed)
    if settings.start is not None:
        adapter.start_from(settings.start)
    samples = Samples(requests, random)
    tell(f"{len(requests)} requests; the first steps take longer, as layers are compiled")
    optimiser = torch.optim.AdamW(adapter.parameters, lr=settings.rate, weight_decay=0.01, betas=(0.9, 0.98))
    began, step, seen, total = time.monotonic(), 0, 0, 0.0
    for few in _endless(samples, weights, settings.batch, random):
        minutes = (time.monotonic() - began) / 60
        gone = max(seen / (settings.epochs * len(requests)), minutes / settings.minutes)
        if gone >= 1:
            break
        for group in optimiser.param_groups:
            group["lr"] = settings.rate * share_of_rate(step, gone, settings.cooling)
        found = loss(adapter, weights, few, settings.lowest)
        optimiser.zero_grad()
        found.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(adapter.parameters, 1.0)
        optimiser.step()
        step, seen, total = step + 1, seen + len(few), total + found.item()
        if step % _TOLD == 0:
            tell(f"{step} steps, {seen} requests, {gone:.0%}: loss {total / _TOLD:.3f}, {minutes:.0f} minutes")
            total = 0.0
        if step % _KEPT == 0:
            keep(adapter)
    return adapter


def loss(adapter: Adapter, weights: Weights, few: Sequence[Sample], lowest: int = 0) -> torch.Tensor:
    """How unlikely the answers of some samples are, in nats a token."""
    longest = max(len(one.asked) + len(one.answer) for one in few)
    tokens = torch.full((len(few), -(-longest // 8) * 8), weights.ends[0])
    rows, places, wanted = list[int](), list[int](), list[int]()
    for row, one in enumerate(few):
        length = len(one.asked) + len(one.answer)
        tokens[row, :length] = torch.tensor(one.asked + one.answer)
        rows += [row] * len(one.answer)
        places += range(len(one.asked) - 1, length - 1)
        wanted += one.answer
    states = hidden_states(adapter.wrapped, tokens, lowest)[rows, places]
    logits = functional.linear(states, adapter.wrapped.base_model.model.lm_head.weight.to(states.dtype))
    return functional.cross_entropy(logits.float(), torch.tensor(wanted))


def _endless(samples: Samples, weights: Weights, size: int, random: Random) -> Iterator[list[Sample]]:
    """Batches of samples, epoch behind epoch, each of texts of about the same length."""
    while True:
        told = _tokens(samples.texts(), weights)
        while some := list(islice(told, _SORTED)):
            yield from _batches(some, size, random)


def _tokens(texts: Iterator[tuple[str, str]], weights: Weights) -> Iterator[Sample]:
    for asked, answer in texts:
        read, written = (weights.tokenizer(one)["input_ids"] for one in (asked, answer))
        if len(read) + len(written) < _LONGEST:
            yield Sample(read, [*written, weights.ends[0]])


def _batches(samples: Sequence[Sample], size: int, random: Random) -> list[list[Sample]]:
    """Batches of about so many tokens, in any order."""
    batches = [list[Sample]()]
    for one in sorted(samples, key=lambda one: len(one.asked) + len(one.answer) + random.random() * 4):
        if batches[-1] and (len(batches[-1]) + 1) * (len(one.asked) + len(one.answer)) > size:
            batches.append([])
        batches[-1].append(one)
    return random.sample(batches, len(batches))
