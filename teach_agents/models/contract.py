"""The LanguageModel contract: batches of prompts in, answers or log-probabilities out."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import Self

from teach_agents.errors import ModelError, TeachAgentsError
from teach_agents.models.prompts import Completion, Prompt, Scores, as_prompts
from teach_agents.models.repair import Asking


class LanguageModel(ABC):
    """A pretrained model that answers prompts. Batch first: one call answers many prompts, in their order.

    An implementation has `complete`, and `log_probabilities` if it `scores`; callers use `generate` and `score`, which
    check what comes in and what comes out. All may be called from several threads at once. What goes wrong with one
    prompt is that completion's `error` and does not touch the others; what goes wrong with all raises `ModelError`.
    """

    name: str = "model"
    """What results call it."""

    @abstractmethod
    def complete(self, prompts: Sequence[Prompt]) -> Sequence[Completion]:
        """One raw completion per prompt, without the prompt; its `value` is not looked at."""

    @property
    def constrains(self) -> bool:
        """Whether `complete` itself makes answers what they have to be, so that asking again would be vain."""
        return False

    @property
    def scores(self) -> bool:
        """Whether there are log-probabilities of given choices."""
        return False

    @property
    def gathers(self) -> bool:
        """Whether prompts asked together cost less than one after the other, so that it pays to gather those of
        several callers (`Batched`)."""
        return False

    @property
    def fingerprint(self) -> str:
        """What tells its weights from others', as text; "" where that is not known."""
        return ""

    def log_probabilities(self, prompts: Sequence[Prompt]) -> Sequence[Scores]:
        """Per prompt the log-probabilities of its choices. Raises `ModelError` where the model has none."""
        raise ModelError(f"{self.name}: gives no log-probabilities of choices; let it generate one of them")

    async def acomplete(self, prompts: Sequence[Prompt]) -> Sequence[Completion]:
        """`complete` without blocking the event loop: in a thread, unless there is a better way."""
        return await asyncio.to_thread(self.complete, prompts)

    async def alog_probabilities(self, prompts: Sequence[Prompt]) -> Sequence[Scores]:
        """`log_probabilities` without blocking the event loop."""
        return await asyncio.to_thread(self.log_probabilities, prompts)

    def generate(self, prompts: Sequence[Prompt | str]) -> list[Completion]:
        """One completion per prompt; a plain text is a prompt by the user.

        An answer that is not what its prompt asks for is asked for once more, told what is wrong, unless the model
        `constrains`; then it is an `error`. Raises `InputError` for what is no prompt, and `ModelError`.
        """
        asking = Asking(as_prompts(prompts), repair=not self.constrains)
        while asking.batch:
            with mapped(self.name):
                asking.answered(self.complete(asking.batch))
        return asking.completions

    async def agenerate(self, prompts: Sequence[Prompt | str]) -> list[Completion]:
        """`generate` without blocking the event loop; a caller who is cancelled is free at once."""
        asking = Asking(as_prompts(prompts), repair=not self.constrains)
        while asking.batch:
            with mapped(self.name):
                asking.answered(await self.acomplete(asking.batch))
        return asking.completions

    def score(self, prompts: Sequence[Prompt]) -> list[Scores]:
        """Per prompt the log-probability of each of its choices as the whole answer.

        Raises `InputError` for a prompt without choices, and `ModelError` where the model gives no log-probabilities.
        """
        asked = _to_be_scored(prompts)
        with mapped(self.name):
            return list(self.log_probabilities(asked)) if asked else []

    async def ascore(self, prompts: Sequence[Prompt]) -> list[Scores]:
        """`score` without blocking the event loop."""
        asked = _to_be_scored(prompts)
        with mapped(self.name):
            return list(await self.alog_probabilities(asked)) if asked else []

    def close(self) -> None:  # noqa: B027  # optional: nothing to let go of by default
        """Let go of threads and connections; a closed model is not asked again."""

    def __enter__(self) -> Self:
        """The model itself, closed at the end of the block."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Around(LanguageModel):
    """A model around another, `model`: what it is called and can do is what that one says."""

    def __init__(self, model: LanguageModel) -> None:
        self.model = model
        self.name = model.name

    @property
    def constrains(self) -> bool:
        """As the model."""
        return self.model.constrains

    @property
    def scores(self) -> bool:
        """As the model."""
        return self.model.scores

    @property
    def fingerprint(self) -> str:
        """As the model."""
        return self.model.fingerprint


def _to_be_scored(prompts: Sequence[Prompt]) -> list[Prompt]:
    asked = as_prompts(prompts)
    for prompt in asked:
        _ = prompt.choices
    return asked


@contextmanager
def mapped(name: str) -> Iterator[None]:
    """Whatever breaks in a backend is a `ModelError`."""
    try:
        yield
    except TeachAgentsError:
        raise
    except Exception as error:
        raise ModelError(f"{name}: broke down: {type(error).__name__}: {error}") from error
