"""The LanguageModel contract: batches of prompts in, texts or log-probabilities out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence

from teach_agents.errors import InputError

__all__ = ["LanguageModel", "check_constraint"]


class LanguageModel(ABC):
    """A pretrained model that completes text. Batch first: one call answers many prompts, in their order."""

    @abstractmethod
    def generate(
        self,
        prompts: Sequence[str],
        *,
        max_tokens: int = 256,
        choices: Sequence[str] | None = None,
        schema: Mapping[str, object] | None = None,
    ) -> list[str]:
        """One completion per prompt, without the prompt.

        With `choices` every completion is one of them; with `schema` it is JSON text that fits this JSON Schema; both
        at once raise `InputError`.
        """

    @abstractmethod
    def score(self, prompts: Sequence[str], choices: Sequence[str]) -> list[list[float]]:
        """The log-probability of each choice as the continuation of each prompt: one row per prompt."""


def check_constraint(choices: Sequence[str] | None, schema: Mapping[str, object] | None) -> None:
    """Refuse a call of `generate` that constrains in two ways, or to nothing. Raises `InputError`."""
    if choices is not None and schema is not None:
        raise InputError("generate", "takes choices or a schema, not both")
    if choices is not None and not choices:
        raise InputError("generate", "choices must not be empty; give None for free text")
