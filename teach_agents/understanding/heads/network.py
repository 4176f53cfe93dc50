"""The network: MiniLM, trained further, and heads that write a meaning: which symbol comes next, or which word of the
utterance (a pointer-generator, See et al. 2017; for meanings Rongali et al. 2020).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

LAYERS, WIDTH, INNER, ATTENDING, PIECES, ROOM = 6, 384, 1536, 12, 30522, 512
"""MiniLM-L6-H384 (Wang et al. 2020)."""
_WRITING, _WRITING_INNER, _WRITING_ATTENDING, LONGEST = 3, 1024, 8, 128
"""Layers that write, their inner width and attention heads; the most symbols of a meaning."""
SYMBOL, WORD, JOINED = 0, 1, 2
"""What is written: a symbol, a word of the utterance, a word of it that goes on with a name."""


class Batch(NamedTuple):
    """B utterances behind what was said before: `pieces`, `kinds` and `there` (B x N), the place of the first and the
    last piece of each word, `first` and `last` (B x W), and which words there are, `words` (B x W).
    """

    pieces: Tensor
    kinds: Tensor
    there: Tensor
    first: Tensor
    last: Tensor
    words: Tensor


class Heard(NamedTuple):
    """B utterances encoded: which pieces are `there` (B x 1 x 1 x N); `words` (B x W x width), `words_there` (B x W);
    what each layer that writes takes from the pieces, `memory`.
    """

    there: Tensor
    words: Tensor
    words_there: Tensor
    memory: Sequence[tuple[Tensor, Tensor]]


class Written(NamedTuple):
    """What was written, B x T: its `kinds` (`SYMBOL`, `WORD`, `JOINED`), `symbols` by number, `places` of words."""

    kinds: Tensor
    symbols: Tensor
    places: Tensor


class Next(NamedTuple):
    """Logarithms of probabilities of what comes next: symbols (B x T x S), words and joined words (B x T x W)."""

    symbols: Tensor
    words: Tensor
    joined: Tensor


Kept = Sequence[tuple[Tensor, Tensor] | None]
"""By layer that writes: keys and values of what was written before."""


class Layer(nn.Module):
    """Attention and a feed-forward part, as BERT has them."""

    def __init__(self, dropout: float) -> None:
        super().__init__()
        self.query, self.key, self.value, self.join = (nn.Linear(WIDTH, WIDTH) for _ in range(4))
        self.wide, self.narrow = nn.Linear(WIDTH, INNER), nn.Linear(INNER, WIDTH)
        self.attended, self.done = nn.LayerNorm(WIDTH, eps=1e-12), nn.LayerNorm(WIDTH, eps=1e-12)
        self.dropout = dropout

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        """B x N x width; `mask`, B x 1 x 1 x N, is true where there is something."""
        rate = self.dropout if self.training else 0.0
        query, key, value = (_split(one(x), ATTENDING) for one in (self.query, self.key, self.value))
        found = functional.scaled_dot_product_attention(query, key, value, attn_mask=mask)
        x = self.attended(x + _dropped(self.join(_joined(found)), rate))
        made: Tensor = self.done(x + _dropped(self.narrow(functional.gelu(self.wide(x))), rate))
        return made


class Writer(nn.Module):
    """A layer that writes: attention to what was written, then to what was heard, then a feed-forward part."""

    def __init__(self, dropout: float) -> None:
        super().__init__()
        self.own, self.own_join = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.asks, self.heard, self.heard_join = (
            nn.Linear(WIDTH, WIDTH),
            nn.Linear(WIDTH, 2 * WIDTH),
            nn.Linear(WIDTH, WIDTH),
        )
        self.wide, self.narrow = nn.Linear(WIDTH, _WRITING_INNER), nn.Linear(_WRITING_INNER, WIDTH)
        self.first, self.second, self.third = (nn.LayerNorm(WIDTH) for _ in range(3))
        self.dropout = dropout

    def memory(self, pieces: Tensor) -> tuple[Tensor, Tensor]:
        """Keys and values of what was heard."""
        key, value = self.heard(pieces).chunk(2, -1)
        return _split(key, _WRITING_ATTENDING), _split(value, _WRITING_ATTENDING)

    def forward(
        self, x: Tensor, memory: tuple[Tensor, Tensor], mask: Tensor, kept: tuple[Tensor, Tensor] | None
    ) -> tuple[Tensor, tuple[Tensor, Tensor]]:
        """B x T x width, with keys and values for what comes behind; with `kept`, T is 1."""
        rate = self.dropout if self.training else 0.0
        query, key, value = (_split(one, _WRITING_ATTENDING) for one in self.own(self.first(x)).chunk(3, -1))
        if kept is not None:
            key, value = torch.cat([kept[0], key], 2), torch.cat([kept[1], value], 2)
        found = functional.scaled_dot_product_attention(query, key, value, is_causal=kept is None)
        x = x + _dropped(self.own_join(_joined(found)), rate)
        asked = _split(self.asks(self.second(x)), _WRITING_ATTENDING)
        found = functional.scaled_dot_product_attention(asked, *memory, attn_mask=mask)
        x = x + _dropped(self.heard_join(_joined(found)), rate)
        x = x + _dropped(self.narrow(functional.gelu(self.wide(self.third(x)))), rate)
        return x, (key, value)


class Network(nn.Module):
    """Hears utterances and writes meanings in so many `symbols`."""

    def __init__(self, symbols: int, dropout: float = 0.1) -> None:
        super().__init__()
        self.pieces, self.places, self.kinds = (
            nn.Embedding(PIECES, WIDTH),
            nn.Embedding(ROOM, WIDTH),
            nn.Embedding(2, WIDTH),
        )
        self.norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.layers = nn.ModuleList(Layer(dropout) for _ in range(LAYERS))
        self.symbols, self.order, self.ways = (
            nn.Embedding(symbols, WIDTH),
            nn.Embedding(LONGEST, WIDTH),
            nn.Embedding(3, WIDTH),
        )
        for table, spread in ((self.symbols, 0.06), (self.order, 0.02), (self.ways, 0.02)):
            nn.init.normal_(table.weight, std=spread)
        self.word, self.pointed = nn.Linear(2 * WIDTH, WIDTH), nn.Linear(WIDTH, WIDTH)
        self.writers = nn.ModuleList(Writer(dropout) for _ in range(_WRITING))
        self.written = nn.LayerNorm(WIDTH)
        self.points, self.gate = nn.Linear(WIDTH, 2 * WIDTH), nn.Linear(WIDTH, 3)
        self.often = nn.Parameter(torch.zeros(symbols))
        self.dropout = dropout
        for table in (self.pieces, self.places, self.kinds):
            table.weight.requires_grad = False

    def hear(self, batch: Batch) -> Heard:
        """Encode utterances."""
        x, mask = self.features(batch.pieces, batch.kinds, batch.there), batch.there[:, None, None, :]
        ends = [x.gather(1, one.unsqueeze(-1).expand(-1, -1, WIDTH)) for one in (batch.first, batch.last)]
        memory = [writer.memory(x) for writer in self.writers]  # type: ignore[operator]
        return Heard(mask, self.word(torch.cat(ends, dim=-1)), batch.words, memory)

    def features(self, pieces: Tensor, kinds: Tensor, there: Tensor) -> Tensor:
        """The encoder's last features of each piece, B x N x width."""
        at = torch.arange(pieces.shape[1])
        x: Tensor = self._dropped(self.norm(self.pieces(pieces) + self.places(at) + self.kinds(kinds)))
        for layer in self.layers:
            x = layer(x, there[:, None, None, :])
        return x

    def write(self, written: Written, heard: Heard, kept: Kept = (), start: int = 0) -> tuple[Next, Kept]:
        """What comes behind each of what was written; with `kept` of what stands before `start`, of one more alone."""
        words = heard.words
        said = self.pointed(words.gather(1, written.places.unsqueeze(-1).expand(-1, -1, WIDTH)))
        x = torch.where((written.kinds == SYMBOL).unsqueeze(-1), self.symbols(written.symbols), said)
        at = torch.arange(start, start + written.kinds.shape[1])
        x = self._dropped(x + self.ways(written.kinds) + self.order(at))
        keeping: list[tuple[Tensor, Tensor]] = []
        for number, writer in enumerate(self.writers):
            x, keys = writer(x, heard.memory[number], heard.there, kept[number] if kept else None)
            keeping.append(keys)
        return self._next(self.written(x), words, heard.words_there), keeping

    def _next(self, x: Tensor, words: Tensor, there: Tensor) -> Next:
        gate = self.gate(x).float().log_softmax(-1)
        symbols = functional.linear(x, self.symbols.weight, self.often).float().log_softmax(-1)
        pointing = []
        for asked in self.points(x).chunk(2, -1):
            scores = (asked @ words.transpose(1, 2)).float() / math.sqrt(WIDTH)
            pointing.append(scores.masked_fill(~there[:, None, :], -1e9).log_softmax(-1))
        plain, joined = pointing
        return Next(symbols + gate[..., :1], plain + gate[..., 1:2], joined + gate[..., 2:])

    def _dropped(self, x: Tensor) -> Tensor:
        return _dropped(x, self.dropout if self.training else 0.0)

    def widen(self, symbols: int) -> None:
        """Have room for more symbols, behind those that are known."""
        known = len(self.often)
        table, often = nn.Embedding(symbols, WIDTH), torch.zeros(symbols)
        with torch.no_grad():
            nn.init.normal_(table.weight, std=0.06)
            table.weight[:known], often[:known] = self.symbols.weight, self.often
        self.symbols, self.often = table, nn.Parameter(often)

    def load_encoder(self, state: Mapping[str, Tensor]) -> None:
        """Take the weights of a BERT encoder, by the names that transformers gives them."""
        mine = dict(self.named_parameters())
        with torch.no_grad():
            for theirs, ours in _names().items():
                mine[ours].copy_(state[theirs])


def _names() -> dict[str, str]:
    """BERT's names of weights, and ours."""
    tables = {"word_embeddings": "pieces", "position_embeddings": "places", "token_type_embeddings": "kinds"}
    found = {f"embeddings.{theirs}.weight": f"{ours}.weight" for theirs, ours in tables.items()}
    inner = {"attention.self.query": "query", "attention.self.key": "key", "attention.self.value": "value"}
    inner |= {"attention.output.dense": "join", "intermediate.dense": "wide", "output.dense": "narrow"}
    inner |= {"attention.output.LayerNorm": "attended", "output.LayerNorm": "done"}
    for end in ("weight", "bias"):
        found[f"embeddings.LayerNorm.{end}"] = f"norm.{end}"
        for layer in range(LAYERS):
            found |= {f"encoder.layer.{layer}.{one}.{end}": f"layers.{layer}.{two}.{end}" for one, two in inner.items()}
    return found


def _dropped(x: Tensor, rate: float) -> Tensor:
    """Dropout with a byte of chance a number, a third of the time that torch's own takes on a CPU."""
    if not rate:
        return x
    kept = torch.empty(x.shape, dtype=torch.uint8).random_() >= round(rate * 256)
    return x * kept / (1 - rate)


def _split(x: Tensor, heads: int) -> Tensor:
    """B x N x width to B x heads x N x width of one."""
    return x.view(*x.shape[:-1], heads, WIDTH // heads).transpose(1, 2)


def _joined(x: Tensor) -> Tensor:
    """B x heads x N x width of one to B x N x width."""
    return x.transpose(1, 2).flatten(2)
