"""Answers token by token, those of several prompts in one pass, as transformers would generate them.

What a constraint leaves no choice about is not asked for: such tokens are read together with the next that is open.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from teach_agents.models.local.prefixes import Kept, shared
from teach_agents.models.local.readings import Reading, read
from teach_agents.models.local.rows import Row
from teach_agents.models.local.weights import Weights
from teach_agents.models.prompts import Prompt


def answers(weights: Weights, prompts: Sequence[Prompt], texts: Sequence[list[int]]) -> list[Row]:
    """The answers to prompts, whose tokens are given, by a model that `reads_rows`.

    Call it in inference mode, with the weights' lock held.
    """
    rows = [Row(weights, prompt) for prompt in prompts]
    readings = _begun(weights, prompts, texts)
    unread = [tokens[len(one.tokens) :] for one, tokens in zip(readings, texts, strict=True)]
    logits = read(weights, readings, unread)
    for reading, tokens in zip(readings, texts, strict=True):
        weights.prefixes.keep(reading.kept(len(tokens)))
    going = list(zip(rows, readings, strict=True))
    while True:
        ahead = [_taken(row, mine) for (row, _), mine in zip(going, logits, strict=True)]
        ahead = [tokens for tokens, (row, _) in zip(ahead, going, strict=True) if not row.finish]
        going = [one for one in going if not one[0].finish]
        if not going:
            return rows
        logits = read(weights, [reading for _, reading in going], ahead)


def _begun(weights: Weights, prompts: Sequence[Prompt], texts: Sequence[list[int]]) -> list[Reading]:
    """Readings of prompts, each begun with what is known of it, or is about to be read of one before it."""
    readings: list[Reading] = []
    for prompt, tokens in zip(prompts, texts, strict=True):
        count, known = weights.prefixes.longest(tokens)
        begun: Kept | Reading | None = known
        for other, reading in zip(texts, readings, strict=False):
            if shared(other, tokens) > count:
                count, begun = shared(other, tokens), reading
        readings.append(Reading(len(tokens) + prompt.settings.max_tokens, tokens[:count], begun))
    return readings


def _taken(row: Row, logits: Any) -> list[int]:
    """Go on by the likeliest token, or the one that is drawn, and by those that must follow it: all of them."""
    taken = [int(row.prefer(logits).argmax())]
    row.take(taken[0])
    while not row.finish and (forced := row.forced()):
        for token in forced:
            taken.append(token)
            if row.take(token):
                break
    return taken
