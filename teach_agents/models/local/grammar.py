"""Constrained decoding with llguidance: which tokens may come next in each row of a batch.

Masks are applied with numpy: the package's own torch kernel is compiled on first use, which needs a C++ compiler.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import numpy as np

from teach_agents.arrays import BoolArray
from teach_agents.errors import InputError
from teach_agents.models.constraints import Choices, Constraint, Regex
from teach_agents.models.local.packages import package
from teach_agents.models.local.weights import Weights

_COMPACT = {"whitespace_flexible": False, "coerce_one_of": True}
"""JSON without free blanks, which small models repeat until their tokens run out; `oneOf` as `anyOf`."""


class Matcher:
    """Follows one answer token by token."""

    def __init__(self, weights: Weights, answer: Constraint) -> None:
        self._matcher = package("llguidance").LLMatcher(_tokenizer(weights), _grammar(answer), log_level=0)
        self._bits = package("llguidance.numpy").allocate_token_bitmask(1, _vocabulary(weights))
        if self._matcher.is_error():
            raise InputError("answer", f"cannot be decoded: {self._matcher.get_error()}")

    def allowed(self, width: int) -> BoolArray:
        """Which of the first `width` tokens may come next."""
        package("llguidance.numpy").fill_next_token_bitmask(self._matcher, self._bits, 0)
        bits = np.unpackbits(self._bits[0].view(np.uint8), bitorder="little").astype(bool)
        allowed = np.zeros(width, dtype=bool)
        allowed[: min(width, len(bits))] = bits[:width]
        return allowed

    def forced(self) -> list[int]:
        """The tokens that must come next, whatever the model would say; none where it has a choice."""
        return [int(one) for one in self._matcher.compute_ff_tokens()]

    def take(self, token: int) -> bool:
        """Go on by one token; whether the answer is whole and nothing may follow."""
        return not self._matcher.consume_token(token) or self._matcher.is_stopped()


def _grammar(answer: Constraint) -> str:
    matcher = package("llguidance").LLMatcher
    if isinstance(answer, Choices):
        made = matcher.grammar_from_lark("start: " + " | ".join(json.dumps(one) for one in answer.options))
    elif isinstance(answer, Regex):
        regex = package("llguidance").regex_to_lark(answer.pattern, use_ascii="dws")
        made = matcher.grammar_from_lark(f"start: /{regex}/")
    else:
        made = matcher.grammar_from_json_schema(json.dumps(answer.schema), defaults=_COMPACT)
    return str(made)


def _vocabulary(weights: Weights) -> int:
    return max(int(weights.model.config.get_text_config().vocab_size), len(weights.tokenizer))


@cache
def _tokenizer(weights: Weights) -> Any:
    """The tokenizer as llguidance knows it; made once, in about a second for a large vocabulary."""
    bridge = package("llguidance.hf")
    return bridge.from_tokenizer(weights.tokenizer, n_vocab=_vocabulary(weights), eos_token=list(weights.ends))
