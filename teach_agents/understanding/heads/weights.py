"""The file of the heads' weights: bytes with a scale a row; those of the encoder as what training added to them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import torch
from safetensors import safe_open
from safetensors.torch import load_file, save_file
from torch import Tensor

from teach_agents.understanding.heads.network import Network

_SCALE = ".scale"
_MOST = 127


class Learnt(NamedTuple):
    """A network, the symbols that it writes, and the weights by which confidence is told."""

    network: Network
    symbols: list[str]
    sure: Mapping[str, float]


def read_weights(encoder: Path, weights: Path, dropout: float = 0.0) -> Learnt:
    """The network of a file of weights, on the encoder in a folder."""
    with safe_open(weights, "pt") as file:
        told: Mapping[str, str] = file.metadata()
    symbols = json.loads(told["symbols"])
    network = Network(len(symbols), dropout)
    network.load_encoder(load_file(encoder / "model.safetensors"))
    mine, state = dict(network.named_parameters()), load_file(weights)
    with torch.no_grad():
        for name, one in state.items():
            if name.endswith(_SCALE):
                continue
            scale = state.get(f"{name}{_SCALE}")
            found = one.float() if scale is None else one.float() * scale.float()[:, None]
            mine[name].copy_(mine[name] + found if of_encoder(name) else found)
    return Learnt(network.eval(), symbols, json.loads(told["sure"]))


def write_weights(
    network: Network, symbols: Sequence[str], sure: Mapping[str, float], encoder: Path, path: Path
) -> None:
    """Write what was learnt, with its symbols and the weights of confidence."""
    plain = Network(len(symbols))
    plain.load_encoder(load_file(encoder / "model.safetensors"))
    before, state = dict(plain.named_parameters()), dict[str, Tensor]()
    for name, one in network.named_parameters():
        if not one.requires_grad:
            continue
        told = (one - before[name] if of_encoder(name) else one).detach()
        if told.dim() < 2:
            state[name] = told.half()
            continue
        scale = told.abs().amax(dim=1).clamp(min=1e-8) / _MOST
        state[name] = (told / scale[:, None]).round().to(torch.int8).contiguous()
        state[f"{name}{_SCALE}"] = scale.half()
    save_file(state, path, {"symbols": json.dumps(list(symbols)), "sure": json.dumps(sure)})


def of_encoder(name: str) -> bool:
    """Whether a parameter is one of MiniLM's that is trained further."""
    return name.startswith(("layers", "norm"))
