"""Texts as a model reads them: many in one pass, with nothing computed but what is new of each."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, Protocol

from teach_agents.errors import ModelError, TeachAgentsError
from teach_agents.models.local.packages import package, quiet, torch
from teach_agents.models.local.prefixes import Kept, is_plain
from teach_agents.models.local.weights import Weights

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


_TRIED = (tuple(range(5, 17)), tuple(range(20, 27)))
"""Texts of tokens that every vocabulary has."""
_ALIKE = 0.1
"""How far logits may be from those they should be, as a share of their own spread; those of other texts are far off."""


class Reading:
    """One text as far as it was read, with the keys and values that its tokens left in every layer.

    It has room for `room` tokens. Its first ones, `tokens`, are known from another text that begins with them: one that
    was kept, or one that stands before it in the row when it is first read.
    """

    def __init__(self, room: int, tokens: Sequence[int] = (), known: Kept | Reading | None = None) -> None:
        self._room = room
        self._known = known
        self.tokens = list(tokens)
        self.layers: dict[int, tuple[Any, Any]] = {}

    def put(self, layer: int, keys: Any, values: Any) -> tuple[Any, Any]:
        """Those of all tokens in a layer (1, heads, tokens, size), the new ones at the end."""
        begin = len(self.tokens)
        end = begin + keys.shape[2]
        if layer not in self.layers:
            self.layers[layer] = (self._begun(layer, 0, keys), self._begun(layer, 1, values))
        kept = self.layers[layer]
        for place, new in zip(kept, (keys, values), strict=True):
            place[:, :, begin:end] = new
        return kept[0][:, :, :end], kept[1][:, :, :end]

    def _begun(self, layer: int, which: int, like: Any) -> Any:
        made = like.new_empty((1, like.shape[1], self._room, like.shape[3]))
        if self._known is not None:
            count = len(self.tokens)
            made[:, :, :count] = self._known.layers[layer][which][:, :, :count]
        return made

    def kept(self) -> Kept:
        """What was read so far, for another text that begins like this."""
        count = len(self.tokens)
        pairs = (self.layers[place] for place in sorted(self.layers))
        return Kept([*self.tokens], tuple((keys[:, :, :count], values[:, :, :count]) for keys, values in pairs))


class _Row:
    """What is new of several readings, one behind the other.

    `parts` are the readings with their columns in the row, and which tokens each of these sees (`None`: all).
    """

    def __init__(self, readings: Sequence[Reading], new: Sequence[Sequence[int]], weights: Weights) -> None:
        self.parts: list[tuple[Reading, slice, Any]] = []
        begin = 0
        for reading, tokens in zip(readings, new, strict=True):
            mask = causal_mask(len(tokens), len(reading.tokens), weights) if len(tokens) > 1 else None
            columns = slice(begin, begin + len(tokens))
            self.parts.append((reading, columns, mask))
            begin = columns.stop

    def attend(self, layer: int, query: Any, key: Any, value: Any, scale: float | None) -> Any:
        """See `attention.Row`."""
        attention = torch().nn.functional.scaled_dot_product_attention
        grouped = query.shape[1] != key.shape[1]
        made = value.new_empty((1, query.shape[2], query.shape[1], value.shape[3]))
        for reading, columns, mask in self.parts:
            keys, values = reading.put(layer, key[:, :, columns], value[:, :, columns])
            options = {"attn_mask": mask, "scale": scale, "enable_gqa": grouped}
            made[:, columns] = attention(query[:, :, columns], keys, values, **options).transpose(1, 2)
        return made


def causal_mask(new: int, before: int, weights: Weights) -> Any:
    """What is added to the scores of new tokens (new, before + new), so that none sees what comes after it."""
    library = torch()
    dtype = weights.model.dtype
    barred = library.full((new, before + new), library.finfo(dtype).min, dtype=dtype, device=weights.device)
    return barred.triu(before + 1)


def read(weights: Weights, readings: Sequence[Reading], new: Sequence[Sequence[int]]) -> Any:
    """Read on in several texts at once: the logits (texts, vocabulary) after the last token of each.

    Call it in inference mode, with the weights' lock held, and only if the weights' model `reads_rows`.
    """
    library, device = torch(), weights.device
    row = _Row(readings, new, weights)
    positions = [len(one.tokens) + at for one, tokens in zip(readings, new, strict=True) for at in range(len(tokens))]
    wanted = library.tensor([columns.stop - 1 for _, columns, _ in row.parts], device=device)
    tokens = library.tensor([token for some in new for token in some], device=device)
    logits = logits_at(weights, row, tokens, library.tensor(positions, device=device), wanted)
    for reading, some in zip(readings, new, strict=True):
        reading.tokens += some
    return logits


def logits_at(weights: Weights, row: Row, tokens: Any, positions: Any, wanted: Any) -> Any:
    """The logits (places, vocabulary) behind the `wanted` places of a row of tokens with their positions."""
    narrow = {"logits_to_keep": wanted} if weights.takes("logits_to_keep") else {}
    mask = torch().zeros((1, 1, 1, 1), dtype=weights.model.dtype, device=weights.device)  # the row has its own
    inputs = {"input_ids": tokens[None], "position_ids": positions[None], "attention_mask": mask}
    logits = weights.model(**inputs, use_cache=False, row=row, **narrow).logits[0]
    return logits if narrow else logits[wanted]


@cache
def reads_rows(weights: Weights) -> bool:
    """Whether a model reads several texts in a row as it reads each alone.

    Models that see, that look back through a window only, or keep states of their own, do not. It is tried out, once.
    """
    if (
        weights.processor is not None
        or not weights.takes("position_ids")
        or not is_plain(package("transformers").DynamicCache(config=weights.model.config))
        or not attend_by_text(weights.model)
    ):
        return False
    with torch().inference_mode():
        alone = [weights.model(input_ids=torch().tensor([text], device=weights.device)).logits[0] for text in _TRIED]
        try:
            readings = [Reading(len(text)) for text in _TRIED]
            first = read(weights, readings, [text[:4] for text in _TRIED])
            rest = read(weights, readings, [text[4:] for text in _TRIED])
        except (TypeError, ValueError, RuntimeError, AttributeError, KeyError, IndexError, TeachAgentsError):
            return False
    return all(_alike(found[at], alone[at][last]) for found, last in ((first, 3), (rest, -1)) for at in (0, 1))


def _alike(one: Any, other: Any) -> bool:
    one, other = one.float(), other.float()
    return bool((one - other).std() < _ALIKE * other.std())
