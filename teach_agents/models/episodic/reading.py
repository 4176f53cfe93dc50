"""An episode read step by step: what is past is kept, so that a step costs one step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from teach_agents.arrays import Float32Array
from teach_agents.models.episodic.network import EpisodicNetwork, Layer, each


@dataclass(frozen=True, slots=True, eq=False)
class Likely:
    """Probabilities of the next action, by its number in `ACTIONS`, and of the class of what it acts upon."""

    actions: Float32Array
    objects: Float32Array


@dataclass(slots=True)
class _Kept:
    """What a layer remembers: of words and frames so far, and of the action before the next frame."""

    past: Tensor
    action: Tensor | None = None


class Reader:
    """Reads one episode with a network, as `EpisodicNetwork.forward` would read it as a whole.

    `hear` begins an episode; every `see` adds a step. Not for several threads at once.
    """

    def __init__(self, network: EpisodicNetwork) -> None:
        self._network = network.eval()
        self._kept: list[_Kept] = []
        self._words = 0
        self.steps = 0

    @property
    def _device(self) -> torch.device:
        return self._network.action.weight.device

    def hear(self, words: Sequence[int]) -> None:
        """Begin with a dialogue, the numbers of its words."""
        with torch.inference_mode():
            heard = self._network.heard(torch.tensor([words], device=self._device))
            x, self._kept = heard.words, []
            for layer in each(self._network.together):
                past = layer.remembered(x)
                self._kept.append(_Kept(past))
                x = layer(x, past, None)
        self._words, self.steps = int(heard.length[0]), 0

    def see(self, features: NDArray[np.floating], before: int | None = None) -> Likely:
        """What is likely done at a frame (cells x channels); `before` is the action since the last one, by number.

        An episode's first frame has no action before it.
        """
        assert self._kept and (before is None) == (self.steps == 0), "hear first; an action leads to every later frame"
        network = self._network
        with torch.inference_mode():
            frame = network.shown(torch.from_numpy(features)[None].to(self._device))
            x = network.placed(network.glance(frame)[:, None], self._place(self.steps))
            if before is not None:
                acted = network.action(torch.tensor([[before]], device=self._device))
                x = torch.cat([network.placed(acted, self._place(self.steps - 1)), x], dim=1)
            for layer, kept in zip(each(network.together), self._kept, strict=True):
                x = self._through(layer, kept, x)
            told = network.told(x[:, -1], network.glance_at_object(frame))
            likely = Likely(*(one[0].float().softmax(dim=-1).cpu().numpy() for one in told))
        self.steps += 1
        return likely

    def _place(self, step: int) -> Tensor:
        return torch.tensor([[self._words + step]], device=self._device)

    def _through(self, layer: Layer, kept: _Kept, x: Tensor) -> Tensor:
        """The last action and the new frame through a layer. The action attends as its frame did, one step earlier."""
        new = layer.remembered(x)
        if x.shape[1] == 1:
            kept.past = torch.cat([kept.past, new], dim=3)
            made: Tensor = layer(x, kept.past, None)
            return made
        action, frame = new.chunk(2, dim=3)
        earlier = kept.past if kept.action is None else torch.cat([kept.past, kept.action], dim=3)
        kept.past = torch.cat([kept.past, frame], dim=3)
        acted: Tensor = layer(x[:, :1], earlier, None)
        seen: Tensor = layer(x[:, 1:], torch.cat([kept.past, action], dim=3), None)
        kept.action = action
        return torch.cat([acted, seen], dim=1)
