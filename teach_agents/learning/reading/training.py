"""Training of the heads: what they are to write, the loss, and the file that is written."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import NamedTuple

import torch
from safetensors.torch import load_file
from torch import Tensor
from torch.nn.attention import SDPBackend, sdpa_kernel

from teach_agents.errors import InputError
from teach_agents.learning.reading.alignment import Example
from teach_agents.learning.reading.augmentation import Variations
from teach_agents.learning.reading.calibration import fitted
from teach_agents.understanding.heads.beam_search import BEGIN, END, places_of, said_at
from teach_agents.understanding.heads.network import LONGEST, Batch, Network, Written
from teach_agents.understanding.heads.pieces import batch, tokenizer
from teach_agents.understanding.heads.reader import HeadsReader, features
from teach_agents.understanding.heads.symbols import Place, Symbol, symbols_of
from teach_agents.understanding.heads.weights import of_encoder, read_weights
from teach_agents.understanding.matching import same
from teach_agents.understanding.requests import Request

_PARTS = 20
_CHOOSING = 12
_OFTEN = 3
"""A word that meanings have as often is a symbol; others are words of the utterance."""
_MOST_WORDS, _WORST = 70, 20.0
_OF_ENCODER = 0.25
"""Share of the rate at which the encoder, which knows English already, learns."""
_RISING, _TOLD, _KEPT = 100, 100, 250
"""Steps in which the rate rises; between what is told; between what is kept."""


def held_out(text: str) -> bool:
    """Whether a request is of the twentieth that nothing is trained or chosen on."""
    return _number(text) % _PARTS == 0


def kept_to_choose(text: str) -> bool:
    """Whether a request is of those on which confidence is fitted: not held out, and not trained on."""
    return not held_out(text) and _number(text) % _CHOOSING == 1


def _number(text: str) -> int:
    return int(sha256(text.encode()).hexdigest(), 16)


@dataclass(frozen=True, slots=True)
class Settings:
    """How heads are trained."""

    epochs: float = 12
    minutes: float = math.inf
    """The longest it takes; the rate falls in time for it."""
    batch: int = 48
    rate: float = 6e-4
    """Of what is new; of the encoder, a quarter."""
    dropout: float = 0.1
    cooling: float = 0.3
    """The last share of the steps, in which the rate falls to nothing (a trapezoid: Zhai et al. 2022); 0 for none."""
    seed: int = 0
    start: Path | None = None
    """Weights to go on from."""
    noise: bool = True
    """Whether requests are mistyped now and then, and lose signs and words."""


_Sample = tuple[Example, Sequence[Symbol]]


_BFLOAT16 = torch.cpu._is_amx_tile_supported()
"""Whether the processor multiplies bfloat16 in tiles: without them float32 is twice as fast."""


class Wanted(NamedTuple):
    """What is to be written of B utterances, B x T: how it goes in, and by which symbol (-1: none), words and joined
    words (B x T x W) it may be told; `there` where there is something.
    """

    written: Written
    symbols: Tensor
    words: Tensor
    joined: Tensor
    there: Tensor


def train(
    examples: Sequence[Example],
    encoder: Path,
    settings: Settings,
    tell: Callable[[str], None],
    keep: Callable[[Network, list[str]], None] = lambda network, symbols: None,
) -> tuple[Network, list[str]]:
    """A network and its symbols, on the encoder in a folder or going on from the weights `settings.start`.

    `keep` is called with them every few hundred steps, so that what was learnt can be kept.
    """
    torch.manual_seed(settings.seed)
    random = Random(settings.seed)
    if settings.start is None:
        symbols = symbols_in(examples)
        network = Network(len(symbols), settings.dropout)
        network.load_encoder(load_file(encoder / "model.safetensors"))
    else:
        network, symbols, _ = read_weights(encoder, settings.start, settings.dropout)
        symbols += [one for one in symbols_in(examples) if one not in symbols]
        network.widen(len(symbols))
    numbers = {symbol: number for number, symbol in enumerate(symbols)}
    known, variations = tokenizer(encoder), Variations(examples, random, noise=settings.noise)
    named = [(of_encoder(name), one) for name, one in network.named_parameters() if one.requires_grad]
    groups = [{"params": [one for inner, one in named if inner is part]} for part in (True, False)]
    optimiser = torch.optim.AdamW(groups, lr=settings.rate, weight_decay=0.02, betas=(0.9, 0.98), fused=True)
    steps = math.ceil(settings.epochs * len(examples) / settings.batch)
    began, step, total, gone = time.monotonic(), 0, 0.0, 0.0
    network.train()
    while gone < 1:
        batches = list(_batches([*map(variations.varied, examples)], numbers, settings.batch, random))
        if not batches:
            raise InputError("requests", "none can be written of its words", value=len(examples))
        for few in batches:
            gone = max(step / steps, (time.monotonic() - began) / 60 / settings.minutes)
            if gone >= 1:
                break
            rate = settings.rate * share_of_rate(step, gone, settings.cooling)
            for group, share in zip(optimiser.param_groups, (_OF_ENCODER, 1.0), strict=True):
                group["lr"] = rate * share
            with torch.autocast("cpu", torch.bfloat16, enabled=_BFLOAT16), sdpa_kernel(SDPBackend.MATH):
                found = loss(network, few, batch(known, [(one.before, one.words) for one, _ in few]), numbers, random)
            optimiser.zero_grad()
            found.backward()  # type: ignore[no-untyped-call]
            torch.nn.utils.clip_grad_norm_([one for _, one in named], 1.0)
            optimiser.step()
            step, total = step + 1, total + found.item()
            if step % _TOLD == 0:
                tell(f"{step} of {steps} steps: loss {total / _TOLD:.3f}, {time.monotonic() - began:.0f} s")
                total = 0.0
            if step % _KEPT == 0:
                keep(network, symbols)
    return network.eval(), symbols


def mean_of(network: Network, symbols: Sequence[str], encoder: Path, weights: Path) -> None:
    """Make a network the mean of itself and of the weights that it went on from, which reads better than either.

    Symbols that these do not have stay as they were learnt (Wortsman et al. 2022: means along one training).
    """
    start, known, _ = read_weights(encoder, weights)
    if [*symbols[: len(known)]] != [*known]:
        raise InputError(weights, "has other symbols than what was trained on from it")
    before = dict(start.named_parameters())
    with torch.no_grad():
        for name, one in network.named_parameters():
            there = one[: len(known)] if one.shape != before[name].shape else one
            there.copy_((there + before[name]) / 2)


def share_of_rate(step: int, gone: float, cooling: float) -> float:
    """The share of the rate at a step, when so much of the training is over: it rises, stays, and falls at the end."""
    return min(1.0, (step + 1) / _RISING, (1 - gone) / cooling if cooling else 1.0)


def symbols_in(examples: Sequence[Example]) -> list[str]:
    """The symbols of meanings: all that are no words, and the words that are told often."""
    counts = Counter(one for example in examples for one in _symbols(example) if isinstance(one, str))
    return [BEGIN, END, *sorted(one for one, often in counts.items() if often >= _OFTEN or one[0] not in " _")]


def loss(network: Network, few: Sequence[_Sample], made: Batch, numbers: Mapping[str, int], random: Random) -> Tensor:
    """How unlikely what is to be written is, in nats a symbol."""
    heard = network.hear(made)
    wanted = wanted_of(few, numbers, random)
    told, _ = network.write(wanted.written, heard)
    symbol = told.symbols.gather(-1, wanted.symbols.clamp(min=0).unsqueeze(-1)).squeeze(-1)
    ways = [
        symbol.masked_fill(wanted.symbols < 0, -1e9),
        told.words.masked_fill(~wanted.words, -1e9).logsumexp(-1),
        told.joined.masked_fill(~wanted.joined, -1e9).logsumexp(-1),
    ]
    likely = torch.stack(ways, -1).logsumexp(-1)[wanted.there]
    return -likely.clamp(min=-_WORST).mean()


def calibrated(weights: Path, requests: Sequence[Request]) -> dict[str, float]:
    """The weights by which confidence is told, from requests that were not trained on."""
    reader = HeadsReader(weights)
    judged = []
    for request in requests:
        heard = reader.heard(request.text, request.before)
        if heard.meanings:
            judged.append((features(heard), same(heard.meanings[0].acts, request.meaning)))
    return fitted(judged)


def wanted_of(few: Sequence[_Sample], numbers: Mapping[str, int], random: Random) -> Wanted:
    """What is to be written of some examples."""
    rows, width, length = len(few), max(len(one.words) for one, _ in few), max(len(told) for _, told in few) + 1
    kinds, symbols, places = (torch.zeros(rows, length, dtype=torch.long) for _ in range(3))
    wanted = torch.full((rows, length), -1)
    ways = [torch.zeros(rows, length, width, dtype=torch.bool) for _ in range(2)]
    there = torch.zeros(rows, length, dtype=torch.bool)
    symbols[:, 0] = numbers[BEGIN]
    for row, (one, told) in enumerate(few):
        forms = places_of(one.words)
        for at, symbol in enumerate(told):
            kind, said = said_at(symbol, forms)
            if kind:
                ways[kind - 1][row, at, said] = True
                kinds[row, at + 1], places[row, at + 1] = kind, random.choice(said)
            if isinstance(symbol, str):
                wanted[row, at] = numbers.get(symbol, -1)
                symbols[row, at + 1] = 0 if kind else numbers[symbol]
        wanted[row, len(told)] = numbers[END]
        there[row, : len(told) + 1] = True
    return Wanted(Written(kinds, symbols, places), wanted, ways[0], ways[1], there)


def _batches(
    examples: Sequence[Example], numbers: Mapping[str, int], size: int, random: Random
) -> Iterator[list[_Sample]]:
    """Batches of examples of about the same length, with their symbols, in any order; those that cannot be written of
    their words, as slips of the pen, and the longest are left out.
    """
    told: list[_Sample] = [(one, _symbols(one)) for one in examples if len(one.words) <= _MOST_WORDS]
    told = [(one, found) for one, found in told if len(found) < LONGEST - 1 and _can_be_written(one, found, numbers)]
    told.sort(key=lambda one: len(one[0].words) + len(one[0].before.split()) + random.random() * 3)
    few = [told[at : at + size] for at in range(0, len(told), size)]
    random.shuffle(few)
    yield from few


def _can_be_written(one: Example, symbols: Sequence[Symbol], numbers: Mapping[str, int]) -> bool:
    forms = places_of(one.words)
    return all(isinstance(symbol, Place) or symbol in numbers or said_at(symbol, forms)[1] for symbol in symbols)


def _symbols(one: Example) -> list[Symbol]:
    return symbols_of(one.acts, one.kept)
