"""A Llama with an adapter beside its frozen weights, as it is trained here: a layer is one compiled function, all is
bfloat16, padding behind a text costs no mask, and what lies below the layers that learn is not gone back through.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

_ATTENTION, _FEED_FORWARD = ("q_proj", "k_proj", "v_proj", "o_proj"), ("gate_proj", "up_proj", "down_proj")


class Shape(NamedTuple):
    """Attention heads, those of keys and values, the width of one, and what is added to a variance."""

    heads: int
    groups: int
    width: int
    epsilon: float


class Linear(NamedTuple):
    """A layer's weights (out x in) and its adapter's, already scaled: `down` (rank x in), `up` (out x rank)."""

    weight: Tensor
    down: Tensor
    up: Tensor

    def __call__(self, x: Tensor) -> Tensor:
        return functional.linear(x, self.weight) + functional.linear(functional.linear(x, self.down), self.up)


def hidden_states(wrapped: Any, tokens: Tensor, lowest: int) -> Tensor:
    """What a Llama that peft has wrapped makes of texts (B x T tokens, padded behind): B x T x width, bfloat16.

    Adapters below layer `lowest` count, and get no gradients.
    """
    model = wrapped.base_model.model.model
    shape = _shape(model.config)
    at = torch.arange(tokens.shape[1])
    with torch.no_grad():
        x = model.embed_tokens(tokens).to(torch.bfloat16)
        turned = tuple(one[0].to(torch.bfloat16) for one in model.rotary_emb(x, at.unsqueeze(0)))
    ahead = torch.full((len(at), len(at)), float("-inf")).triu(1)
    for number, layer in enumerate(model.layers):
        with torch.set_grad_enabled(number >= lowest):
            norms = layer.input_layernorm.weight, layer.post_attention_layernorm.weight
            x = _compiled()(x, [*_linears(layer)], norms, turned, ahead, shape)
    return _normed(x, model.norm.weight, shape.epsilon)


def _shape(config: Any) -> Shape:
    width = getattr(config, "head_dim", None) or config.hidden_size // config.num_attention_heads
    return Shape(config.num_attention_heads, config.num_key_value_heads, width, config.rms_norm_eps)


def _linears(layer: Any) -> Iterator[Linear]:
    for part, names in ((layer.self_attn, _ATTENTION), (layer.mlp, _FEED_FORWARD)):
        for name in names:
            one = getattr(part, name)
            up = one.lora_B["default"].weight * one.scaling["default"]
            yield Linear(
                one.base_layer.weight.to(torch.bfloat16),
                one.lora_A["default"].weight.to(torch.bfloat16),
                up.to(torch.bfloat16),
            )


@cache
def _compiled() -> Any:
    return torch.compile(_layer, dynamic=True)


def _layer(
    x: Tensor,
    linears: Sequence[Linear],
    norms: tuple[Tensor, Tensor],
    turned: tuple[Tensor, ...],
    ahead: Tensor,
    shape: Shape,
) -> Tensor:
    query, key, value, join, gate, up, down = linears
    rows, length, _ = x.shape
    read = _normed(x, norms[0], shape.epsilon)
    asked, keys, values = (one(read).view(rows, length, -1, shape.width).transpose(1, 2) for one in (query, key, value))
    asked, keys = _turned(asked, *turned), _turned(keys, *turned)
    beside = asked.reshape(rows, shape.groups, -1, shape.width)  # the heads that share keys, one behind another
    scores = (beside @ keys.transpose(2, 3)).view(rows, shape.groups, -1, length, length).float() * shape.width**-0.5
    attending = (scores + ahead).softmax(-1).to(x.dtype).view(rows, shape.groups, -1, length)
    found = (attending @ values).view(rows, shape.heads, length, shape.width).transpose(1, 2)
    x = x + join(found.reshape(rows, length, -1))
    read = _normed(x, norms[1], shape.epsilon)
    return x + down(functional.silu(gate(read)) * up(read))


def _normed(x: Tensor, weight: Tensor, epsilon: float) -> Tensor:
    wide = x.float()
    return (wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + epsilon)).to(x.dtype) * weight.to(x.dtype)


def _turned(x: Tensor, cosine: Tensor, sine: Tensor) -> Tensor:
    """Rotary positions (Su et al. 2021)."""
    first, second = x.chunk(2, -1)
    return x * cosine + torch.cat((-second, first), -1) * sine
