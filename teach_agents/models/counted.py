"""Counting what models cost, in one place."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from time import perf_counter
from typing import Any

from teach_agents.errors import ModelError
from teach_agents.models.contract import Around, LanguageModel
from teach_agents.models.prompts import Completion, Prompt, Scores, Usage, total


class Counted(Around):
    """A model that counts what it was asked: one around a shared model for each who asks.

    `usage` sums everything since it was made or last `reset`, failures and repair rounds too.
    """

    def __init__(self, model: LanguageModel) -> None:
        super().__init__(model)
        self._usage = Usage()
        self._lock = threading.Lock()

    @property
    def usage(self) -> Usage:
        """What was spent so far."""
        return self._usage

    def reset(self) -> None:
        """Begin again at nothing."""
        with self._lock:
            self._usage = Usage()

    def complete(self, prompts: Sequence[Prompt]) -> Sequence[Completion]:
        """As the model; `generate` counts."""
        return self.model.complete(prompts)

    def generate(self, prompts: Sequence[Prompt | str]) -> list[Completion]:
        """As the model, counted."""
        with self._counting(prompts) as done:
            done += self.model.generate(prompts)
        return done

    def score(self, prompts: Sequence[Prompt]) -> list[Scores]:
        """As the model, counted."""
        with self._counting(prompts) as done:
            done += self.model.score(prompts)
        return done

    async def agenerate(self, prompts: Sequence[Prompt | str]) -> list[Completion]:
        """As the model, counted."""
        with self._counting(prompts) as done:
            done += await self.model.agenerate(prompts)
        return done

    async def ascore(self, prompts: Sequence[Prompt]) -> list[Scores]:
        """As the model, counted."""
        with self._counting(prompts) as done:
            done += await self.model.ascore(prompts)
        return done

    def close(self) -> None:
        """Nothing: the model may be shared. Close that where it was made."""

    @contextmanager
    def _counting(self, prompts: Sequence[object]) -> Iterator[list[Any]]:
        """Counts what the block puts into the list; a call that raised is as many failures as it had prompts."""
        begun = perf_counter()
        done: list[Any] = []
        try:
            yield done
        except ModelError:
            count = len(prompts)
            self._add(Usage(model_calls=count, failures=count, model_s=perf_counter() - begun))
            raise
        self._add(total(one.usage for one in done))

    def _add(self, usage: Usage) -> None:
        with self._lock:
            self._usage += usage
