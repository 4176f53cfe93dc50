"""The network: a transformer over the dialogue, and one over the dialogue, the frames and the actions so far.

The Episodic Transformer (Pashevich et al. 2021) as TEACh's paper (Padmakumar et al. 2022, 5.1) trained it, by the
description in specification 7.3. A frame attends to the whole dialogue, to the frames up to itself and to the one
action before it; an action attends as the frame does at which it was taken; the dialogue attends to itself alone. So
nothing that is past ever changes when a frame comes in, which is what `reading.Reader` lives on.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from teach_agents.models.episodic.shape import HEAD, Shape
from teach_agents.models.episodic.vocabulary import ACTIONS, END

_WAVES = 10_000.0


class Episodes(NamedTuple):
    """B episodes, filled up at their ends to L words and T steps.

    `words` are numbers, B x L, 0 where there is none; `frames` features, B x T x cells x channels; `actions` what was
    done at each frame, B x T; `steps` how many steps each episode has, B.
    """

    words: Tensor
    frames: Tensor
    actions: Tensor
    steps: Tensor


class Told(NamedTuple):
    """Logits for every step: of the next action, ... x actions, and of the class of its object, ... x classes."""

    actions: Tensor
    objects: Tensor


class Heard(NamedTuple):
    """B dialogues: vectors, B x L x width, which of them are words, B x L, and how many, B."""

    words: Tensor
    there: Tensor
    length: Tensor


class Layer(nn.Module):
    """Attention and a feed-forward part, each added and normalised (Vaswani et al. 2017).

    What is attended to is kept apart, as `remembered`, so that it need not be made again for every new step.
    """

    def __init__(self, width: int, dropout: float) -> None:
        super().__init__()
        self.ask, self.keep, self.join = nn.Linear(width, width), nn.Linear(width, 2 * width), nn.Linear(width, width)
        self.wide, self.narrow = nn.Linear(width, width), nn.Linear(width, width)
        self.attended, self.done = nn.LayerNorm(width), nn.LayerNorm(width)
        self.dropout = dropout

    def remembered(self, x: Tensor) -> Tensor:
        """Keys and values of B x N x width: 2 x B x heads x N x 64."""
        keys, values = self.keep(x).chunk(2, dim=-1)
        return torch.stack([_split(keys), _split(values)])

    def forward(self, x: Tensor, remembered: Tensor, mask: Tensor | None) -> Tensor:
        """What the layer makes of `x`, B x N x width; `mask` (... x N x M) is true where a key may be attended to."""
        rate = self.dropout if self.training else 0.0
        found = functional.scaled_dot_product_attention(
            _split(self.ask(x)), remembered[0], remembered[1], attn_mask=mask, dropout_p=rate
        )
        joined = self.join(found.transpose(1, 2).flatten(2))
        x = self.attended(x + functional.dropout(joined, rate))
        inner = functional.dropout(functional.relu(self.wide(x)), rate)
        made: Tensor = self.done(x + functional.dropout(self.narrow(inner), rate))
        return made


class Glance(nn.Module):
    """A frame's features as one vector: a 1 x 1 convolution, normalised over the batch, then everything joined."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.mix = nn.Linear(shape.channels, shape.channels, bias=False)
        self.norm = nn.BatchNorm1d(shape.channels)
        self.join = nn.Linear(shape.channels * shape.cells, shape.width)
        self.dropout = nn.Dropout(shape.visual_dropout)

    def forward(self, frames: Tensor) -> Tensor:
        """N x cells x channels to N x width."""
        mixed = self.norm(self.mix(self.dropout(frames)).transpose(1, 2))
        made: Tensor = self.join(functional.relu(mixed).flatten(1))
        return made


class EpisodicNetwork(nn.Module):
    """The network of a shape."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        width = shape.width
        self.shape = shape
        self.word, self.action = nn.Embedding(shape.words, width), nn.Embedding(len(ACTIONS), width)
        self.word_norm, self.norm = nn.LayerNorm(width), nn.LayerNorm(width)
        self.glance, self.glance_at_object = Glance(shape), Glance(shape)
        self.language, self.together = (
            nn.ModuleList(Layer(width, shape.dropout) for _ in range(shape.layers)) for _ in range(2)
        )
        self.next_action, self.object = nn.Linear(width, width), nn.Linear(width, shape.objects)
        self.dropout = nn.Dropout(shape.dropout)
        for embedding in (self.word, self.action):
            nn.init.uniform_(embedding.weight, -0.1, 0.1)

    def forward(self, episodes: Episodes) -> Told:
        """Logits for every step, B x T x actions and B x T x classes; what stands in filled-up steps means nothing."""
        (batch, steps), shape = episodes.actions.shape, self.shape
        heard = self.heard(episodes.words)
        words, there = heard.words, heard.there
        times = torch.arange(steps, device=words.device)
        places, real = heard.length[:, None] + times, times < episodes.steps[:, None]
        seen, skip = (words.new_zeros(batch, steps, shape.width) for _ in range(2))
        shown = self.shown(episodes.frames[real])
        seen[real], skip[real] = self.glance(shown).to(seen.dtype), self.glance_at_object(shown).to(seen.dtype)
        x = torch.cat([words, self.placed(seen, places), self.placed(self.action(episodes.actions), places)], dim=1)
        mask = _mask(there, steps)
        for layer in each(self.together):
            x = layer(x, layer.remembered(x), mask)
        return self.told(x[:, words.shape[1] : words.shape[1] + steps], skip)

    def heard(self, words: Tensor) -> Heard:
        """The dialogues B x L, read by themselves and given their places."""
        if not self.shape.hears:
            words = words.new_full((len(words), 1), END)
        there = words != 0
        places = torch.arange(words.shape[1], device=words.device)
        x = self.dropout(self.word_norm(self.word(words) + waves(places, self.shape.width)))
        for layer in each(self.language):
            x = layer(x, layer.remembered(x), there[:, None, None])
        return Heard(self.placed(x, places), there, there.sum(dim=1))

    def shown(self, frames: Tensor) -> Tensor:
        """Features as the network may see them: nothing of them, where it is blind."""
        frames = frames.to(self.action.weight.dtype)
        return frames if self.shape.sees else torch.zeros_like(frames)

    def placed(self, x: Tensor, places: Tensor) -> Tensor:
        """Vectors with where they stand in the episode."""
        made: Tensor = self.dropout(self.norm(x + waves(places, self.shape.width)))
        return made

    def told(self, x: Tensor, skip: Tensor) -> Told:
        """What follows from a frame's last vector; the object's class is also told by the frame itself."""
        return Told(self.next_action(x) @ self.action.weight.T, self.object(x + skip))


def each(layers: nn.ModuleList) -> Iterator[Layer]:
    """The layers of a list, as what they are."""
    for layer in layers:
        assert isinstance(layer, Layer)
        yield layer


def _split(x: Tensor) -> Tensor:
    """B x N x width to B x heads x N x 64."""
    return x.reshape(*x.shape[:2], -1, HEAD).transpose(1, 2)


def _mask(there: Tensor, steps: int) -> Tensor:
    """What may attend (rows) to what (columns), for words, frames, actions: B x 1 x N x N."""
    batch, words = there.shape
    up_to = torch.ones(steps, steps, dtype=torch.bool, device=there.device).tril()
    just_before = torch.eye(steps, dtype=torch.bool, device=there.device).roll(1, dims=0)
    just_before[0] = False
    heard = there[:, None].expand(batch, steps, words)
    step = torch.cat([heard, up_to.expand(batch, -1, -1), just_before.expand(batch, -1, -1)], dim=2)
    said = functional.pad(there[:, None].expand(batch, words, words), (0, 2 * steps))
    return torch.cat([said, step, step], dim=1)[:, None]


def waves(places: Tensor, width: int) -> Tensor:
    """Sinusoidal positions (Vaswani et al. 2017), divided by the root of the width: ... to ... x width."""
    rates = torch.exp(torch.arange(0, width, 2, device=places.device) * (-math.log(_WAVES) / width))
    angles = places[..., None] * rates
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(-2) / math.sqrt(width)
