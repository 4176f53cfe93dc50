"""Prompts of concurrent sessions in one forward pass."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, wait
from contextlib import contextmanager
from dataclasses import dataclass
from time import monotonic
from typing import Any

from teach_agents.errors import InputError, ModelError, ModelMissingError, ModelTimeoutError
from teach_agents.models.contract import Around, LanguageModel, mapped
from teach_agents.models.prompts import Completion, Prompt, Scores


@dataclass(slots=True)
class _Asked:
    """A prompt on its way, the end of its time on the monotonic clock, and where its answer goes."""

    prompt: Prompt
    scored: bool
    until: float
    answer: Future[Completion | Scores]


class Batched(Around):
    """A model that answers several callers at once: whatever they ask meanwhile goes into one call of the model.

    A thread of its own takes prompts from all callers in turn, so that a long list does not keep others waiting, up to
    `max_batch` of them; a batch that is not full waits `max_wait_s` seconds for more. A prompt whose caller has given
    up, or whose time limit (`Settings.timeout_s`, waiting included) is over before its turn, is not asked. Where a
    batch breaks down its prompts are asked again one by one, so that one caller's prompt does not fail another's.
    """

    def __init__(self, model: LanguageModel, *, max_batch: int = 8, max_wait_s: float = 0.01) -> None:
        if max_batch < 1 or max_wait_s < 0:
            problem = "needs room for one prompt and no negative wait"
            raise InputError("batched model", problem, value=(max_batch, max_wait_s))
        super().__init__(model)
        self._max_batch = max_batch
        self._max_wait_s = max_wait_s
        self._callers: deque[deque[_Asked]] = deque()
        self._change = threading.Condition()
        self._thread: threading.Thread | None = None
        self._closed = False

    def complete(self, prompts: Sequence[Prompt]) -> list[Completion]:
        """As the model, together with what others ask."""
        return self._all(prompts, scored=False)

    def log_probabilities(self, prompts: Sequence[Prompt]) -> list[Scores]:
        """As the model, together with what others ask."""
        return self._all(prompts, scored=True)

    async def acomplete(self, prompts: Sequence[Prompt]) -> list[Completion]:
        """`complete`, waiting in no thread."""
        return await self._all_awaited(prompts, scored=False)

    async def alog_probabilities(self, prompts: Sequence[Prompt]) -> list[Scores]:
        """`log_probabilities`, waiting in no thread."""
        return await self._all_awaited(prompts, scored=True)

    def _all(self, prompts: Sequence[Prompt], *, scored: bool) -> list[Any]:
        with self._asking(prompts, scored=scored) as asked:
            found = []
            for one in asked:
                wait([one.answer], max(0.0, one.until - monotonic()))
                found.append(_taken(one))
            return found

    async def _all_awaited(self, prompts: Sequence[Prompt], *, scored: bool) -> list[Any]:
        """`_all` for the event loop; whoever is cancelled while waiting stays cancelled."""
        with self._asking(prompts, scored=scored) as asked:
            found = []
            for one in asked:
                waiting = asyncio.wrap_future(one.answer)
                done, _ = await asyncio.wait([waiting], timeout=max(0.0, one.until - monotonic()))
                if done and not waiting.cancelled():
                    waiting.exception()  # looked at, or the event loop complains
                found.append(_taken(one))
            return found

    def close(self) -> None:
        """End the thread; whoever still waits gets an error. The model itself stays open."""
        with self._change:
            self._closed = True
            left = [one for caller in self._callers for one in caller]
            self._callers.clear()
            self._change.notify()
        for one in left:
            if one.answer.set_running_or_notify_cancel():
                one.answer.set_exception(ModelError(f"{self.name}: was closed"))
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(timeout=60)

    @contextmanager
    def _asking(self, prompts: Sequence[Prompt], *, scored: bool) -> Iterator[list[_Asked]]:
        """The prompts on their way; what is not answered at the end of the block is no longer wanted."""
        now = monotonic()
        asked = [_Asked(prompt, scored, now + prompt.settings.timeout_s, Future()) for prompt in prompts]
        with self._change:
            if self._closed:
                raise ModelError(f"{self.name}: was closed")
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name=f"batched {self.name}", daemon=True)
                self._thread.start()
            self._callers.append(deque(asked))
            self._change.notify()
        try:
            yield asked
        finally:
            for one in asked:
                one.answer.cancel()

    def _work(self) -> None:
        while batch := self._next_batch():
            wanted = [one for one in batch if one.answer.set_running_or_notify_cancel()]
            if wanted:
                self._answer(wanted)

    def _next_batch(self) -> list[_Asked]:
        """The next prompts of one kind; an empty list when closed."""
        with self._change:
            self._change.wait_for(lambda: self._callers or self._closed)
            until = monotonic() + self._max_wait_s
            while not self._closed and sum(map(len, self._callers)) < self._max_batch and monotonic() < until:
                self._change.wait(max(0.0, until - monotonic()))
            batch: list[_Asked] = []
            passed: deque[deque[_Asked]] = deque()
            while self._callers and len(batch) < self._max_batch:
                caller = self._callers.popleft()
                if not batch or caller[0].scored == batch[0].scored:
                    batch.append(caller.popleft())
                    if caller:
                        self._callers.append(caller)
                else:
                    passed.append(caller)
            self._callers.extendleft(reversed(passed))
            return batch

    def _answer(self, batch: Sequence[_Asked]) -> None:
        prompts = [one.prompt for one in batch]
        try:
            with mapped(self.name):
                call = self.model.log_probabilities if batch[0].scored else self.model.complete
                done: Sequence[Completion | Scores] = call(prompts)
            if len(done) != len(batch):
                raise ModelError(f"{self.name}: gave {len(done)} answers to {len(batch)} prompts")
        except Exception as error:  # noqa: BLE001  # whatever broke, the callers must hear of it, or they hang
            if len(batch) > 1:
                for one in batch:
                    self._answer([one])
            else:
                batch[0].answer.set_exception(error)
            return
        for one, answer in zip(batch, done, strict=True):
            one.answer.set_result(answer)


def _taken(asked: _Asked) -> Completion | Scores:
    """What came of a prompt; an error of a completion is that completion's, unless there is no model."""
    error: BaseException | None = ModelTimeoutError(f"no answer within {asked.prompt.settings.timeout_s:g} s")
    if asked.answer.done():
        error = asked.answer.exception()
    if error is None:
        return asked.answer.result()
    if asked.scored or not isinstance(error, ModelError) or isinstance(error, ModelMissingError):
        raise error
    return Completion("", error=error)
