"""The runner: each call within its own time, whatever comes before it, and nothing of an agent's acts on who asks."""

from __future__ import annotations

import asyncio
import contextvars
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any
from unittest.mock import Mock

import pytest

from teach_agents.core.agents.runner import LateError, RaisedError, Runner

NAMED = contextvars.ContextVar("NAMED", default="nobody")


@pytest.fixture
def runner() -> Iterator[Runner]:
    made = Runner("under test")
    yield made
    made.stop()


@pytest.fixture
def hanging() -> Iterator[Callable[[], bool]]:
    """A call that hangs until the test is over."""
    over = threading.Event()
    yield over.wait
    over.set()


def _plain(runner: Runner, work: Callable[[], Any]) -> Any:
    return runner.run(work)


def _in_an_event_loop(runner: Runner, work: Callable[[], Any]) -> Any:
    return asyncio.run(runner.arun(work))


everywhere = pytest.mark.parametrize("run", [_plain, _in_an_event_loop])


@everywhere
@pytest.mark.parametrize("before", [30.0, 0.5, None])
def test_a_call_that_hangs_is_given_up_at_its_own_limit(
    runner: Runner, run: Any, before: float | None, hanging: Callable[[], bool]
) -> None:
    def work() -> None:
        for _ in range(3):
            runner.call(lambda: 1, before, "the first")
        runner.call(hanging, 0.1, "the second gave no answer")

    began = time.monotonic()
    with pytest.raises(LateError, match=r"the second gave no answer within 0.1 s"):
        run(runner, work)
    assert 0.1 <= time.monotonic() - began < 5.0


@everywhere
def test_a_longer_limit_behind_a_shorter_one_is_its_own(runner: Runner, run: Any) -> None:
    def work() -> str:
        runner.call(lambda: 1, 0.05, "the first")
        runner.call(lambda: time.sleep(0.2), 30.0, "the second")
        return "slow"

    assert run(runner, work) == "slow"


def test_waiting_behind_another_that_hangs_counts(runner: Runner, hanging: Callable[[], bool]) -> None:
    threading.Thread(target=runner.ask, args=(hanging, 30.0, "first"), daemon=True).start()
    time.sleep(0.05)
    began = time.monotonic()
    with pytest.raises(LateError, match=r"second within 0.1 s"):
        runner.ask(lambda: 1, 0.1, "second")
    assert time.monotonic() - began < 1.0


@everywhere
@pytest.mark.parametrize(
    "error", [SystemExit(3), StopIteration(), StopAsyncIteration(), KeyboardInterrupt(), GeneratorExit(), ValueError()]
)
def test_whatever_an_agent_raises_is_told_and_touches_nobody(runner: Runner, run: Any, error: BaseException) -> None:
    def fail() -> None:
        raise error

    def work() -> str:
        with pytest.raises(RaisedError) as caught:
            runner.call(fail, 5.0, "late")
        assert caught.value.error is error
        return "goes on"

    assert run(runner, work) == "goes on"


@everywhere
@pytest.mark.parametrize("error", [asyncio.CancelledError(), SystemExit(3), KeyError("x")])
def test_what_a_coroutine_raises_is_told_too(runner: Runner, run: Any, error: BaseException) -> None:
    async def fail() -> None:
        await asyncio.sleep(0)
        raise error

    def work() -> str:
        with pytest.raises(RaisedError) as caught:
            runner.call(fail, 5.0, "late")
        assert isinstance(caught.value.error, type(error))
        found: str = runner.call(_answer, 5.0, "late")
        return found

    assert run(runner, work) == "an answer"


async def _answer() -> str:
    return "an answer"


def test_who_comes_back_too_late_touches_nothing(runner: Runner) -> None:
    touched, back = [], threading.Event()

    def slow() -> None:
        time.sleep(0.3)
        back.set()

    def work() -> None:
        try:
            runner.call(slow, 0.05, "slow")
        except Exception:  # noqa: BLE001  # not even who catches everything goes on
            touched.append("handler")
        touched.append("behind it")

    with pytest.raises(LateError):
        runner.run(work)
    assert back.wait(5)
    assert runner.ask(lambda: "next", 5.0, "late") == "next", "the thread is free again"
    assert touched == []


def test_one_runner_calls_all_in_one_thread_with_the_makers_context() -> None:
    token = NAMED.set("somebody")
    runner = Runner("under test")
    NAMED.reset(token)

    async def named() -> tuple[str, int]:
        return NAMED.get(), threading.get_ident()

    plain = runner.ask(lambda: (NAMED.get(), threading.get_ident()), 5.0, "late")
    assert (
        plain == runner.run(lambda: runner.call(named, 5.0, "late"))
        and plain[0] == "somebody"
        and NAMED.get() == "nobody"
    )
    assert plain[1] != threading.get_ident()
    runner.stop()


def test_who_is_cancelled_leaves_the_work_at_its_next_call(runner: Runner) -> None:
    calls: list[int] = []

    def slow(number: int) -> None:
        time.sleep(0.01)
        calls.append(number)

    def work() -> None:
        for number in range(1000):
            runner.call(partial(slow, number), 5.0, "late")

    async def scene() -> int:
        task = asyncio.create_task(runner.arun(work))
        await asyncio.sleep(0.1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return len(calls)

    then = asyncio.run(scene())
    assert runner.ask(lambda: len(calls), 5.0, "late") <= then + 1 < 100


def test_what_agents_left_running_is_cancelled_when_the_thread_ends() -> None:
    runner = Runner("under test")
    seen: list[str] = []
    tasks: list[asyncio.Task[None]] = []

    async def forever() -> None:
        try:
            await asyncio.sleep(1000)
        finally:
            await asyncio.sleep(0)
            seen.append("cleaned up")

    async def start() -> None:
        tasks.append(asyncio.create_task(forever()))
        await asyncio.sleep(0)

    runner.run(lambda: runner.call(start, 5.0, "late"))
    assert runner.busy and not tasks[0].done()
    runner.stop()
    runner.join()
    assert seen == ["cleaned up"] and tasks[0].cancelled() and not runner.busy


async def test_with_a_limit_the_loop_is_waked_once_and_calls_keep_their_own(
    runner: Runner, hanging: Callable[[], bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    loop = asyncio.get_running_loop()
    wake = Mock(wraps=loop.call_soon_threadsafe)
    monkeypatch.setattr(loop, "call_soon_threadsafe", wake)
    assert await runner.arun(lambda: runner.call(lambda: "done", 5.0, "gave none"), 5.0, "did not begin") == "done"
    assert wake.call_count == 1

    def late() -> Any:
        time.sleep(0.3)  # the call begins when most of the work's first limit has gone
        return runner.call(hanging, 0.5, "gave no answer")

    began = time.monotonic()
    with pytest.raises(LateError, match="gave no answer within 0.5 s"):
        await runner.arun(late, 0.5, "did not begin")
    assert time.monotonic() - began >= 0.8


async def test_work_that_comes_to_no_call_is_given_up_at_its_limit(runner: Runner, hanging: Callable[[], bool]) -> None:
    with pytest.raises(LateError, match="did not begin within 0.2 s"):
        await runner.arun(hanging, 0.2, "did not begin")
