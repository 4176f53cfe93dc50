"""A packed row as a model of transformers reads it: attention along the ways of its trees, logits where wanted.

What is computed is what reading each decision alone computes, but for rounding; what decisions share is computed once.
"""

from __future__ import annotations

from typing import Any

from teach_agents.errors import InputError
from teach_agents.learning.packing import PackedRow
from teach_agents.models.local.packages import torch
from teach_agents.models.local.readings import causal_mask, logits_at, reads_rows
from teach_agents.models.local.weights import Weights


def check_reads_trees(weights: Weights, name: str) -> None:
    """Raise `InputError` for a model that cannot read several texts in a row as each alone, or narrows no logits."""
    if not (reads_rows(weights) and weights.takes("logits_to_keep")):
        problem = "cannot be trained here: it reads pictures, looks back through a window only, or keeps states"
        raise InputError("--base", problem, value=name, valid=("a causal model with plain attention",))


class _Tree:
    """Attention of one row: each span of new tokens sees the tokens on its way, and itself up to each token."""

    def __init__(self, row: PackedRow, weights: Weights) -> None:
        library, device = torch(), weights.device
        self._parts = []
        for span in row.spans:
            mask = causal_mask(span.end - span.begin, len(span.before), weights)
            seen = library.cat(
                [
                    library.from_numpy(span.before).to(device),
                    library.arange(span.begin, span.end, device=device),
                ]
            )
            self._parts.append((span.begin, span.end, seen, mask))

    def attend(self, layer: int, query: Any, key: Any, value: Any, scale: float | None) -> Any:
        """See `models.local.attention.Row`."""
        library = torch()
        grouped = query.shape[1] != key.shape[1]
        made = []
        for begin, end, seen, mask in self._parts:
            keys, values = key.index_select(2, seen), value.index_select(2, seen)
            options = {"attn_mask": mask, "scale": scale, "enable_gqa": grouped}
            made.append(
                library.nn.functional.scaled_dot_product_attention(query[:, :, begin:end], keys, values, **options)
            )
        return library.cat(made, dim=2).transpose(1, 2).contiguous()


def logits_of(weights: Weights, row: PackedRow) -> Any:
    """The logits (wanted tokens, vocabulary), float32, at the places where a row's answers are to be foretold."""
    given = (row.tokens, row.positions, *row.logits)
    tokens, positions, places, which = (torch().from_numpy(one).to(weights.device) for one in given)
    return logits_at(weights, _Tree(row, weights), tokens, positions, places).float()[which]


def losses_of(weights: Weights, row: PackedRow) -> Any:
    """How unlikely each of a row's decisions is made right (decisions,): minus the log-probability of its answer.

    Where only some tokens are allowed, those alone share the probability.
    """
    library = torch()
    wanted = library.from_numpy(row.wanted).to(weights.device)
    logits = logits_of(weights, row)
    if row.allowed:
        barred = library.ones(logits.shape, dtype=library.bool)
        for at, tokens in enumerate(row.allowed):
            barred[at, library.from_numpy(tokens)] = False
        logits = logits.masked_fill(barred.to(logits.device), -library.inf)
    losses = library.nn.functional.cross_entropy(logits, wanted, reduction="none")
    owners = library.from_numpy(row.owners).to(weights.device)
    return library.zeros(len(row.samples), device=weights.device).index_add(0, owners, losses)
