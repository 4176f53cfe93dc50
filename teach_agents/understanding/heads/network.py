"""The network: MiniLM with small changes to its layers (LoRA), and heads for words and for parts of an utterance."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

LAYERS, WIDTH, INNER, ATTENDING, PIECES, ROOM = 6, 384, 1536, 12, 30522, 512
"""MiniLM-L6-H384 (Wang et al. 2020)."""
RANK = 32
"""Of the changes to each matrix."""
_HIDDEN = 256


class Changed(nn.Module):
    """A linear layer that is kept as it is, and a change of low rank to it (Hu et al. 2021)."""

    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(outputs, inputs), requires_grad=False)
        self.bias = nn.Parameter(torch.empty(outputs), requires_grad=False)
        self.down = nn.Parameter(torch.randn(RANK, inputs) / math.sqrt(inputs))
        self.up = nn.Parameter(torch.zeros(outputs, RANK))
        self.merged = False

    def forward(self, x: Tensor) -> Tensor:
        """... x inputs to ... x outputs."""
        plain = functional.linear(x, self.weight, self.bias)
        if self.merged:
            return plain
        return plain + functional.linear(functional.linear(x, self.down), self.up)

    def merge(self) -> None:
        """Put the change into the weights."""
        self.weight.data += self.up.data @ self.down.data
        self.merged = True


class Layer(nn.Module):
    """Attention and a feed-forward part, as BERT has them."""

    def __init__(self, dropout: float) -> None:
        super().__init__()
        self.query, self.key, self.value, self.join = (Changed(WIDTH, WIDTH) for _ in range(4))
        self.wide, self.narrow = Changed(WIDTH, INNER), Changed(INNER, WIDTH)
        self.attended, self.done = nn.LayerNorm(WIDTH, eps=1e-12), nn.LayerNorm(WIDTH, eps=1e-12)
        self.dropout = dropout

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        """B x N x width; `mask`, B x 1 x 1 x N, is true where there is something."""
        rate = self.dropout if self.training else 0.0
        query, key, value = (_split(one(x)) for one in (self.query, self.key, self.value))
        found = functional.scaled_dot_product_attention(query, key, value, attn_mask=mask, dropout_p=rate)
        x = self.attended(x + functional.dropout(self.join(found.transpose(1, 2).flatten(2)), rate))
        made: Tensor = self.done(x + functional.dropout(self.narrow(functional.gelu(self.wide(x))), rate))
        return made


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


class Network(nn.Module):
    """`sizes` is how many labels each head tells apart: `begins`, `spans` of words, all others of parts."""

    def __init__(self, sizes: Mapping[str, int], dropout: float = 0.1) -> None:
        super().__init__()
        self.pieces, self.places, self.kinds = (
            nn.Embedding(PIECES, WIDTH),
            nn.Embedding(ROOM, WIDTH),
            nn.Embedding(2, WIDTH),
        )
        self.norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.layers = nn.ModuleList(Layer(dropout) for _ in range(LAYERS))
        self.of_words = nn.ModuleDict({name: nn.Linear(2 * WIDTH, sizes[name]) for name in ("begins", "spans")})
        others = [name for name in sizes if name not in self.of_words]
        self.joined = nn.ModuleDict({name: nn.Linear(4 * WIDTH, _HIDDEN) for name in ("name", "others")})
        self.of_parts = nn.ModuleDict({name: nn.Linear(_HIDDEN, sizes[name]) for name in others})
        self.dropout = dropout

    def words(self, batch: Batch) -> Tensor:
        """What the encoder makes of each word, B x W x 2 widths, and of everything in front, in place of no word."""
        at = torch.arange(batch.pieces.shape[1])
        rate = self.dropout if self.training else 0.0
        x = self.norm(self.pieces(batch.pieces) + self.places(at) + self.kinds(batch.kinds))
        x = functional.dropout(x, rate)
        mask = batch.there[:, None, None, :]
        for layer in self.layers:
            x = layer(x, mask)
        ends = [x.gather(1, one.unsqueeze(-1).expand(-1, -1, WIDTH)) for one in (batch.first, batch.last)]
        return functional.dropout(torch.cat(ends, dim=-1), rate)

    def tag(self, words: Tensor) -> dict[str, Tensor]:
        """Logits of each word: `begins` a part, `spans`."""
        return {name: head(words) for name, head in self.of_words.items()}

    def name(self, words: Tensor, parts: Sequence[tuple[int, int, int]]) -> dict[str, Tensor]:
        """Logits of parts, each the number of its utterance, where it starts, and where it ends."""
        means = torch.stack([words[which, start:end, :WIDTH].mean(dim=0) for which, start, end in parts])
        best = torch.stack([words[which, start:end, :WIDTH].amax(dim=0) for which, start, end in parts])
        first = torch.stack([words[which, start] for which, start, _ in parts])
        pooled = torch.cat([means, best, first], dim=-1)
        rate = self.dropout if self.training else 0.0
        inner = {name: functional.dropout(functional.gelu(one(pooled)), rate) for name, one in self.joined.items()}
        return {name: head(inner[name if name in inner else "others"]) for name, head in self.of_parts.items()}

    def load_encoder(self, state: Mapping[str, Tensor]) -> None:
        """Take the weights of a BERT encoder, by the names that transformers gives them."""
        mine = dict(self.named_parameters())
        with torch.no_grad():
            for theirs, ours in _names().items():
                mine[ours].copy_(state[theirs])
                mine[ours].requires_grad = False

    def learnt(self) -> dict[str, Tensor]:
        """What training changes, by name."""
        return {name: one.detach() for name, one in self.named_parameters() if one.requires_grad}

    def load_learnt(self, state: Mapping[str, Tensor]) -> None:
        """Take what was learnt."""
        mine = dict(self.named_parameters())
        with torch.no_grad():
            for name, one in state.items():
                mine[name].copy_(one)

    def merge(self) -> None:
        """Put all changes into the encoder: it is read with from now on, and no longer trained."""
        for one in self.modules():
            if isinstance(one, Changed):
                one.merge()


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


def _split(x: Tensor) -> Tensor:
    """B x N x width to B x heads x N x width of one."""
    return x.view(*x.shape[:-1], ATTENDING, WIDTH // ATTENDING).transpose(1, 2)
