"""Log-probabilities of choices after a prompt, which is read once for all of them."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from itertools import islice
from time import perf_counter
from typing import Any

from teach_agents.core.json_types import JsonObject
from teach_agents.errors import ModelError
from teach_agents.models.batches import in_batches
from teach_agents.models.local.packages import torch
from teach_agents.models.local.prefixes import rows_of
from teach_agents.models.local.rendering import Rendered, inputs, seeing
from teach_agents.models.local.weights import Weights
from teach_agents.models.prompts import Scores, Usage


def scored(weights: Weights, batch: Sequence[Rendered], rows: int) -> list[Scores]:
    """The choices of prompts, all without images or one with; at most `rows` choices in one pass.

    Where there is a chat template, a choice's probability includes that of ending the answer after it.
    """
    begun = perf_counter()
    with weights.lock, torch().inference_mode():
        made = inputs(weights, batch)
        listed = [endings(weights, one.prompt.choices) for one in batch]
        pairs = [(at, ending) for at, mine in enumerate(listed) for ending in mine]
        shown = seeing(batch)
        if shown and not weights.cache_name:
            raise ModelError("a model that keeps no keys and values cannot score choices behind pictures")
        prefix = _Prefix(weights, made, shown) if weights.cache_name else _Again(weights, made)
        values = iter([one for some in in_batches(pairs, rows) for one in prefix.follow(some)])
    seconds = (perf_counter() - begun) / len(batch)
    return [
        Scores(tuple(islice(values, len(mine))), tuple(map(len, mine)), Usage(1, count, 0, seconds))
        for mine, count in zip(listed, made["attention_mask"].sum(-1).tolist(), strict=True)
    ]


def endings(weights: Weights, choices: Sequence[str]) -> list[list[int]]:
    """The tokens of each choice as an answer: behind a chat template with the one that ends it."""
    templated = getattr(weights.processor or weights.tokenizer, "chat_template", None)
    end = [weights.ends[0]] if templated and weights.ends else []
    listed = weights.tokenizer(list(choices), add_special_tokens=False)["input_ids"]
    return [[*tokens, *end] for tokens in listed]


class _Prefix:
    """Prompts that were read, with the keys and values that were kept of them."""

    def __init__(self, weights: Weights, made: Any, shown: bool) -> None:
        self._weights = weights
        # Rows padded on the left need positions; models that see number theirs in ways of their own: one at a time.
        self._padded = not shown
        known = None
        if self._padded:
            made, known = weights.prefixes.begin(made, weights.tokenizer.pad_token_id)
        self._mask = made["attention_mask"]
        begin = 0 if known is None else known.get_seq_length()
        unread = {**made, "input_ids": made["input_ids"][:, begin:]}
        last = {"logits_to_keep": 1} if weights.takes("logits_to_keep") else {}
        positions = self._positions(self._mask, begin)
        done = weights.model(**unread, **positions, **last, **{weights.cache_name: known}, use_cache=True)
        self._kept = getattr(done, weights.cache_name)
        if self._padded:
            weights.prefixes.remember(made, self._kept)
        self._next = done.logits[:, -1].float().log_softmax(-1)

    def follow(self, pairs: Sequence[tuple[int, Sequence[int]]]) -> list[float]:
        """The log-probability of each ending after the prompt that it belongs to."""
        library = torch()
        places = library.tensor([place for place, _ in pairs], device=self._weights.device)
        padded, real = _padded(self._weights, [tokens for _, tokens in pairs])
        first = self._next[places].gather(1, padded[:, :1])
        if padded.shape[1] == 1:
            found: list[float] = first[:, 0].tolist()
            return found
        kept = copy.deepcopy(self._kept)
        kept.batch_select_indices(places)
        mask = library.cat([self._mask[places], real[:, :-1].to(self._mask.dtype)], dim=1)
        done = self._weights.model(
            input_ids=padded[:, :-1],
            attention_mask=mask,
            **{self._weights.cache_name: kept},
            **self._positions(mask, self._mask.shape[1]),
        )
        rest = done.logits.float().log_softmax(-1).gather(2, padded[:, 1:, None])[:, :, 0]
        whole: list[float] = (library.cat([first, rest], dim=1) * real).sum(-1).tolist()
        return whole

    def _positions(self, mask: Any, begin: int) -> JsonObject:
        return {"position_ids": (mask.cumsum(-1) - 1).clamp(min=0)[:, begin:]} if self._padded else {}


class _Again:
    """Prompts of a model that keeps no keys and values: read again with every choice."""

    def __init__(self, weights: Weights, made: Any) -> None:
        self._weights = weights
        self._rows = rows_of(made)

    def follow(self, pairs: Sequence[tuple[int, Sequence[int]]]) -> list[float]:
        """The log-probability of each ending after the prompt that it belongs to."""
        whole = [[*self._rows[place], *tokens] for place, tokens in pairs]
        padded, mask = _padded(self._weights, whole)
        logits = self._weights.model(input_ids=padded, attention_mask=mask).logits.float().log_softmax(-1)
        found = logits[:, :-1].gather(2, padded[:, 1:, None])[:, :, 0]
        return [
            float(row[len(one) - len(tokens) - 1 : len(one) - 1].sum())
            for row, one, (_, tokens) in zip(found, whole, pairs, strict=True)
        ]


def _padded(weights: Weights, rows: Sequence[Sequence[int]]) -> tuple[Any, Any]:
    """Tokens, rows filled up at their ends, and a mask that is 1 where they are real."""
    library = torch()
    tensors = [library.tensor(row, dtype=library.int64, device=weights.device) for row in rows]
    pad = library.nn.utils.rnn.pad_sequence
    return pad(tensors, batch_first=True), pad([library.ones_like(one) for one in tensors], batch_first=True)
