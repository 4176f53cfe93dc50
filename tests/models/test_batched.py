from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest

from teach_agents.errors import InputError, ModelError, ModelTimeoutError
from teach_agents.models import Batched, Choices, Completion, LanguageModel, Prompt, ScriptedModel, Settings
from teach_agents.models.conformance import LanguageModelContract

SOON = 30.0


class Echo(ScriptedModel):
    """Says back what it is told, keeps the sizes of its batches, and can be held up."""

    def __init__(self) -> None:
        super().__init__(lambda prompt: prompt.messages[-1].text)
        self.batches: list[list[str]] = []
        self.free = threading.Event()
        self.entered = threading.Event()
        self.free.set()

    def complete(self, prompts: Sequence[Prompt]) -> list[Completion]:
        self.batches.append([prompt.messages[-1].text for prompt in prompts])
        self.entered.set()
        assert self.free.wait(SOON)
        if any("poison" in prompt.messages[-1].text for prompt in prompts):
            raise ValueError("poison")
        return super().complete(prompts)


class TestBatched(LanguageModelContract):
    def make_model(self) -> LanguageModel:
        return Batched(ScriptedModel(["no", "a"]))


@pytest.fixture
def echo() -> Echo:
    return Echo()


@pytest.fixture
def batched(echo: Echo) -> Iterator[Batched]:
    with Batched(echo, max_batch=4, max_wait_s=0.2) as model:
        yield model
        echo.free.set()


def _hold(echo: Echo, batched: Batched, pool: ThreadPoolExecutor) -> None:
    """Keep the model busy with one prompt."""
    echo.free.clear()
    pool.submit(batched.generate, ["busy"])
    assert echo.entered.wait(SOON)


def test_what_is_asked_at_the_same_time_goes_into_one_call(echo: Echo, batched: Batched) -> None:
    async def ask() -> list[str]:
        asked = (batched.agenerate([str(number)]) for number in range(4))
        return [one.text for done in await asyncio.gather(*asked) for one in done]

    assert asyncio.run(asyncio.wait_for(ask(), SOON)) == ["0", "1", "2", "3"]
    assert echo.batches == [["0", "1", "2", "3"]]


def test_a_long_list_does_not_keep_others_waiting(echo: Echo, batched: Batched) -> None:
    with ThreadPoolExecutor(3) as pool:
        _hold(echo, batched, pool)
        long = pool.submit(batched.generate, [f"long {number}" for number in range(10)])
        while sum(map(len, batched._callers)) < 10:
            pass
        short = pool.submit(batched.generate, ["short"])
        while len(batched._callers) < 2:
            pass
        echo.free.set()
        assert [one.text for one in short.result(SOON)] == ["short"]
        assert [one.text for one in long.result(SOON)] == [f"long {number}" for number in range(10)]
    assert echo.batches[1] == ["long 0", "short", "long 1", "long 2"]


def test_generating_and_scoring_are_calls_of_their_own(echo: Echo, batched: Batched) -> None:
    async def ask() -> tuple[list[Completion], list[object]]:
        scored = batched.ascore([Prompt.of("b", Choices(["a", "b"]))])
        said, scores = await asyncio.gather(batched.agenerate(["x"]), scored)
        return said, list(scores)

    said, scores = asyncio.run(asyncio.wait_for(ask(), SOON))
    assert said[0].text == "x" and len(scores) == 1 and echo.batches == [["x"]]


def test_a_prompt_that_breaks_the_model_fails_alone(echo: Echo, batched: Batched) -> None:
    async def ask() -> list[Completion]:
        asked = (batched.agenerate([text]) for text in ("a", "poison", "b"))
        return [one for done in await asyncio.gather(*asked) for one in done]

    good, bad, other = asyncio.run(asyncio.wait_for(ask(), SOON))
    assert (good.text, other.text) == ("a", "b")
    assert isinstance(bad.error, ModelError) and "ValueError: poison" in str(bad.error)
    assert echo.batches == [["a", "poison", "b"], ["a"], ["poison"], ["b"]]


def test_time_spent_waiting_counts(echo: Echo, batched: Batched) -> None:
    with ThreadPoolExecutor(2) as pool:
        _hold(echo, batched, pool)
        (late,) = batched.generate([Prompt.of("late", settings=Settings(timeout_s=0.05))])
        assert isinstance(late.error, ModelTimeoutError)
        with pytest.raises(ModelTimeoutError):
            batched.score([Prompt.of("late", Choices(["a"]), Settings(timeout_s=0.05))])
        echo.free.set()
        assert batched.generate(["next"])[0].text == "next"
    assert echo.batches == [["busy"], ["next"]]


def test_a_caller_who_is_cancelled_is_free_at_once_and_not_asked_for(echo: Echo, batched: Batched) -> None:
    async def ask() -> None:
        task = asyncio.create_task(batched.agenerate(["given up"]))
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asyncio.wait_for(task, 5)

    with ThreadPoolExecutor(2) as pool:
        _hold(echo, batched, pool)
        asyncio.run(ask())
        echo.free.set()
        assert batched.generate(["next"])[0].text == "next"
    assert echo.batches == [["busy"], ["next"]]


def test_whoever_waits_when_it_is_closed_gets_an_error(echo: Echo) -> None:
    batched = Batched(echo, max_batch=1)
    with ThreadPoolExecutor(3) as pool:
        _hold(echo, batched, pool)
        waiting = pool.submit(batched.generate, ["waiting"])
        while not batched._callers:
            pass
        closing = pool.submit(batched.close)
        assert "was closed" in str(waiting.result(SOON)[0].error)
        echo.free.set()
        closing.result(SOON)
    with pytest.raises(ModelError, match="was closed"):
        batched.generate(["later"])


def test_it_needs_room() -> None:
    for size, seconds in ((0, 0.1), (1, -1.0)):
        with pytest.raises(InputError, match="room for one prompt"):
            Batched(Echo(), max_batch=size, max_wait_s=seconds)
