"""The LanguageModel contract: batches of prompts in, answers or log-probabilities out; one repair; costs."""

from __future__ import annotations

import asyncio
import json
import threading
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from time import perf_counter
from types import TracebackType
from typing import Any, Self

from teach_agents.errors import ModelError, ModelReplyError, ModelTimeoutError, TeachAgentsError
from teach_agents.models.constraints import Choices, Regex
from teach_agents.models.prompts import ChatMessage, Completion, Prompt, Scores, Usage, as_prompts, total


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
        asking = Asking(self, prompts)
        while asking.batch:
            with mapped(self.name):
                asking.answered(self.complete(asking.batch))
        return asking.completions

    async def agenerate(self, prompts: Sequence[Prompt | str]) -> list[Completion]:
        """`generate` without blocking the event loop; a caller who is cancelled is free at once."""
        asking = Asking(self, prompts)
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

    def load(self) -> None:  # noqa: B027  # optional: nothing to load by default
        """Load the weights, which the first prompt would wait for otherwise. Raises what the first prompt would."""

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

    def load(self) -> None:
        """As the model."""
        self.model.load()


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


_QUOTED = 2000
"""Characters of a wrong answer that the model is shown again."""


class Asking:
    """A batch of prompts until each has its answer: at most two rounds.

    `batch` is what is to be asked next, nothing when all is said; `completions` has the answers then. A model that does
    not constrain its answers is told what was not what was asked for, and asked a second time, never a third.
    """

    def __init__(self, model: LanguageModel, prompts: Sequence[Prompt | str]) -> None:
        self.batch = self._prompts = as_prompts(prompts)
        self._repair = not model.constrains
        self._read: dict[int, Completion] = {}
        self._places: Sequence[int] = range(len(self._prompts))

    def answered(self, raw: Sequence[Completion]) -> None:
        """Take the raw completions of `batch`. Raises `ModelError` where they are not as many."""
        if len(raw) != len(self.batch):
            raise ModelError(f"the model gave {len(raw)} completions to {len(self.batch)} prompts")
        for place, completion in zip(self._places, raw, strict=True):
            read = _read(self._prompts[place], completion)
            if place in self._read:
                read = replace(read, usage=self._read[place].usage + read.usage + Usage(repairs=1))
            self._read[place] = read
        wrong = [place for place in self._places if isinstance(self._read[place].error, ModelReplyError)]
        self._places, self._repair = (wrong if self._repair else ()), False
        self.batch = [_again(self._prompts[place], self._read[place]) for place in self._places]

    @property
    def completions(self) -> list[Completion]:
        """One per prompt, in their order; whoever has none of the kind asked for counts as a failure."""
        read = self._read.values()
        return [replace(one, usage=one.usage + Usage(failures=1)) if one.error else one for one in read]


def _read(prompt: Prompt, raw: Completion) -> Completion:
    """The completion with its value, or with the error that keeps it from having one."""
    text = raw.text.encode("utf8", "replace").decode()
    value, error, answer, settings = None, raw.error, prompt.answer, prompt.settings
    if error is not None:
        return replace(raw, text=text, value=None)
    try:
        value = text if answer is None else answer.read(text)
    except ModelReplyError as misread:
        cut = f"{misread}; it was cut short after {settings.max_tokens} tokens"
        error = ModelReplyError(cut) if raw.finish == "length" else misread
    if raw.finish == "timeout" and (error or answer is None):
        value, error = None, ModelTimeoutError(f"no whole answer within {settings.timeout_s:g} s")
    return replace(raw, text=text, value=value, error=error)


def _again(prompt: Prompt, wrong: Completion) -> Prompt:
    """The prompt, the wrong answer, and what is wrong with it."""
    from teach_agents_prompts import render

    answer = prompt.answer
    asked = render(
        "repair",
        problem=str(wrong.error).removeprefix("the answer "),
        choices=answer.options if isinstance(answer, Choices) else (),
        pattern=answer.pattern if isinstance(answer, Regex) else "",
        schema="" if answer is None or isinstance(answer, Choices | Regex) else json.dumps(answer.schema),
    )
    said = ChatMessage("assistant", wrong.text[:_QUOTED])
    return replace(prompt, messages=(*prompt.messages, said, ChatMessage("user", asked)))


class Counted(Around):
    """A model that counts what it was asked: one around a shared model for each who asks.

    `usage` sums everything since it was made or last `reset`, failures and repair rounds too.
    """

    def __init__(self, model: LanguageModel) -> None:
        super().__init__(model)
        self._lock = threading.Lock()
        self.reset()

    def reset(self) -> None:
        """Begin again at nothing."""
        with self._lock:
            self.usage = Usage()

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
            self.usage += usage
