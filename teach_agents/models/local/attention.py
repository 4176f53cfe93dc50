"""Attention within a row that holds several texts, one behind the other: each token sees its own text only."""

from __future__ import annotations

from functools import cache
from typing import Any, Protocol

from teach_agents.errors import ModelError
from teach_agents.models.local.packages import package, quiet

_NAME = "teach_agents"
_MORE = ("sliding_window", "softcap", "s_aux", "position_bias")
"""What attention may have besides queries, keys and values."""


class Row(Protocol):
    """What is read in one pass, as the layers of a model see it."""

    def attend(self, layer: int, query: Any, key: Any, value: Any, scale: float | None) -> Any:
        """Attention of one layer over queries, keys and values (1, heads, tokens, size): (1, tokens, heads, size)."""


def attend_by_text(model: Any) -> bool:
    """Let a model take a `Row` in a pass, as the argument `row`; whether it does. Passes without one stay as they are.

    A model does whose attention is torch's own and can be exchanged.
    """
    if model.config._attn_implementation == _NAME:
        return True
    if model.config._attn_implementation != "sdpa" or not model._can_set_attn_implementation():
        return False
    _register()
    with quiet():
        model.set_attn_implementation(_NAME)
    return bool(model.config._attn_implementation == _NAME)


@cache
def _register() -> None:
    """Make the attention known to transformers, under a name of its own."""
    library = package("transformers")
    library.AttentionInterface.register(_NAME, _attention)
    library.AttentionMaskInterface.register(_NAME, package("transformers.masking_utils").sdpa_mask)


def _attention(
    module: Any, query: Any, key: Any, value: Any, attention_mask: Any, *, row: Row | None = None, **options: Any
) -> tuple[Any, None]:
    if row is None:
        plain = package("transformers.integrations.sdpa_attention").sdpa_attention_forward
        made, _ = plain(module, query, key, value, attention_mask, **options)
        return made, None
    if any(options.get(name) is not None for name in _MORE):
        raise ModelError(f"attention within rows knows none of {', '.join(_MORE)}")
    return row.attend(module.layer_idx, query, key, value, options.get("scaling")), None
