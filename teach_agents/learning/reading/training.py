"""Training of the heads: their labels, the loss, and the file that is written."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import torch
from safetensors import safe_open
from safetensors.torch import load_file, save_file
from torch import Tensor
from torch.nn import functional

from teach_agents.learning.reading.alignment import Tagged
from teach_agents.learning.reading.augmentation import Variations
from teach_agents.learning.reading.calibration import fitted
from teach_agents.learning.reading.synthesis import Rehearsal, things_of
from teach_agents.understanding.heads.decoding import tagging
from teach_agents.understanding.heads.labels import OF_PARTS, Labels
from teach_agents.understanding.heads.network import Batch, Network
from teach_agents.understanding.heads.pieces import batch, tokenizer
from teach_agents.understanding.heads.reader import ALONE, BEHIND_RULES, context, features
from teach_agents.understanding.heads.tags import acts_of
from teach_agents.understanding.matching import same
from teach_agents.understanding.requests import Request
from teach_agents.understanding.rules_reader import RulesReader
from teach_agents.understanding.tokens import tokens

_FIFTHS = 5
_CHOOSING = 12
_REHEARSED = 2000
"""Requests that are made up to know the labels."""


def held_out(text: str) -> bool:
    """Whether a request is of the fifth that nothing is trained or chosen on."""
    return _number(text) % _FIFTHS == 0


def kept_to_choose(text: str) -> bool:
    """Whether a request is of those on which confidence is fitted: not held out, and not trained on."""
    return not held_out(text) and _number(text) % _CHOOSING == 1


def _number(text: str) -> int:
    return int(sha256(text.encode()).hexdigest(), 16)


@dataclass(frozen=True, slots=True)
class Settings:
    """How heads are trained."""

    epochs: int = 22
    batch: int = 32
    rate: float = 1e-3
    """Of the encoder's changes; of the heads, twice as much."""
    smoothing: float = 0.05
    dropout: float = 0.15
    seed: int = 0
    start: Path | None = None
    """Weights to go on from: as far as their labels are these."""
    rehearsed: float = 0.6
    """Requests made up from the rules, for each of the corpus."""
    noise: bool = True
    """Whether requests are mistyped now and then, and lose signs and words."""


def train(
    requests: Sequence[Tagged], encoder: Path, settings: Settings, tell: Callable[[str], None]
) -> tuple[Network, Labels]:
    """Heads for tagged requests on the encoder in a folder, going on from the weights `settings.start` if there are."""
    torch.manual_seed(settings.seed)
    random = Random(settings.seed)
    questions = [one.before for one in requests if one.before.startswith("robot: ") and one.before.endswith("?")]
    rehearsal = Rehearsal(things_of(requests), questions, random)
    rehearsed = [rehearsal.request() for _ in range(_REHEARSED)]
    labels = Labels.told_apart(part for one in (*requests, *rehearsed) for part in one.parts)
    network = Network(labels.sizes, dropout=settings.dropout)
    network.load_encoder(load_file(encoder / "model.safetensors"))
    if settings.start is not None:
        _go_on(network, labels, settings.start)
    known, variations = tokenizer(encoder), Variations(requests, random, noise=settings.noise)
    changes = [one for name, one in network.named_parameters() if one.requires_grad and name.startswith("layers")]
    heads = [one for name, one in network.named_parameters() if one.requires_grad and not name.startswith("layers")]
    groups: list[dict[str, Any]] = [{"params": changes}, {"params": heads}]
    rates = [settings.rate, 2 * settings.rate]
    optimiser = torch.optim.AdamW(groups, lr=settings.rate, weight_decay=0.01)
    more = int(settings.rehearsed * len(requests))
    steps = settings.epochs * ((len(requests) + more) // settings.batch + 1)
    plan = torch.optim.lr_scheduler.OneCycleLR(optimiser, rates, total_steps=steps + 1, pct_start=0.1)
    began = time.monotonic()
    for epoch in range(settings.epochs):
        network.train()
        total, number = 0.0, 0
        heard = [*(variations.varied(one) for one in requests), *(rehearsal.request() for _ in range(more))]
        for few in _batches(heard, settings.batch, random):
            made = batch(known, [(one.before, one.words) for one in few])
            with torch.autocast("cpu", torch.bfloat16):
                found = loss(network, labels, few, made, settings.smoothing)
            optimiser.zero_grad()
            found.backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_([*changes, *heads], 1.0)
            optimiser.step()
            plan.step()
            total, number = total + found.item(), number + 1
        tell(f"epoch {epoch + 1} of {settings.epochs}: loss {total / number:.3f}, {time.monotonic() - began:.0f} s")
    return network.eval(), labels


def _go_on(network: Network, labels: Labels, start: Path) -> None:
    """Take earlier weights, those of labels by their names."""
    with safe_open(start, "pt") as file:
        earlier = Labels(**json.loads(file.metadata()["labels"]))
    state, mine = load_file(start), dict(network.named_parameters())
    with torch.no_grad():
        for name, theirs in state.items():
            kind, _, rest = name.partition(".")
            if kind not in ("of_words", "of_parts"):
                mine[name].copy_(theirs)
                continue
            head = rest.partition(".")[0]
            for number, label in enumerate(labels.of[head]):
                if label in earlier.of[head]:
                    mine[name][number] = theirs[list(earlier.of[head]).index(label)].float()


def loss(network: Network, labels: Labels, few: Sequence[Tagged], made: Batch, smoothing: float) -> Tensor:
    """The loss on a few requests."""
    words = network.words(made)
    told = network.tag(words)
    there = made.words
    begins = torch.zeros_like(made.first)
    spans = torch.zeros_like(made.first)
    parts, numbers = [], {head: list[int]() for head in OF_PARTS}
    for row, one in enumerate(few):
        spans[row, : len(one.words)] = torch.tensor(labels.spans(one.parts, len(one.words)))
        for part in one.parts:
            begins[row, part.start] = 1
            parts.append((row, part.start, part.end))
            for head, found in numbers.items():
                found.append(labels.number(head, getattr(part, head)))
    total = functional.cross_entropy(told["begins"][there], begins[there])
    total = total + functional.cross_entropy(told["spans"][there], spans[there], label_smoothing=smoothing)
    for head, logits in network.name(words, parts).items():
        weight = 1.0 if head == "name" else 0.3
        total = total + weight * functional.cross_entropy(
            logits, torch.tensor(numbers[head]), label_smoothing=smoothing
        )
    return total


Sure = dict[str, dict[str, float]]
"""Weights by which confidence is told: see `Loaded.sure`."""


def calibrated(network: Network, labels: Labels, requests: Sequence[Request], encoder: Path) -> Sure:
    """The weights by which confidence is told, from requests that were not trained on."""
    known, rules = tokenizer(encoder), RulesReader()
    judged: dict[str, list[tuple[Mapping[str, float], bool]]] = {ALONE: [], BEHIND_RULES: []}
    for request in requests:
        if not (words := tokens(request.text)):
            continue
        with torch.inference_mode():
            encoded = network.words(batch(known, [(context(request.before), words)]))
            found = tagging(network, labels, words, encoded)
        acts = acts_of(words, found.parts)
        one = features(words, found, acts), same(acts, request.meaning)
        judged[ALONE].append(one)
        if not rules.read(request.text, request.before).acts:
            judged[BEHIND_RULES].append(one)
    return {case: fitted(few) for case, few in judged.items()}


def write(network: Network, labels: Labels, sure: Sure, path: Path) -> None:
    """Write what was learnt, in half precision, with its labels and the weights of confidence."""
    state = {name: one.half().contiguous() for name, one in network.learnt().items()}
    told = {"labels": json.dumps({"of": labels.of, "takes": labels.takes}), "sure": json.dumps(sure)}
    save_file(state, path, told)


def _batches(requests: Sequence[Tagged], size: int, random: Random) -> Iterator[list[Tagged]]:
    """Batches of requests of about the same length, in any order."""
    keyed = sorted(requests, key=lambda one: len(one.words) + (6 if one.before else 0) + random.random() * 3)
    few = [list(keyed[at : at + size]) for at in range(0, len(keyed), size)]
    random.shuffle(few)
    yield from few
