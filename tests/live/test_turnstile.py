"""Who is urgent goes first; who gives up keeps nobody waiting."""

from __future__ import annotations

import asyncio

from teach_agents.live.stage import Turnstile
from tests.live.support import run


def test_the_urgent_go_first_and_equals_in_order() -> None:
    async def play() -> None:
        turnstile, order = Turnstile(), list[str]()

        async def go(name: str) -> None:
            async with turnstile.passed(urgent=name.startswith("act")):
                order.append(name)
                await asyncio.sleep(0)

        await asyncio.gather(*map(go, ("picture 1", "picture 2", "picture 3", "act 1", "act 2")))
        assert order == ["picture 1", "act 1", "act 2", "picture 2", "picture 3"]
        await go("free again")
        assert order[-1] == "free again"

    run(play)


def test_who_gives_up_is_passed_over() -> None:
    async def play() -> None:
        turnstile, order = Turnstile(), list[int]()
        tasks: list[asyncio.Task[None]] = []

        async def go(number: int) -> None:
            async with turnstile.passed():
                order.append(number)
                await asyncio.sleep(0.01)
            if number == 0:
                tasks[2].cancel()  # its turn has come this very moment, and it does not know yet

        tasks += [asyncio.ensure_future(go(number)) for number in range(5)]
        await asyncio.sleep(0)
        tasks[1].cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert order == [0, 3, 4]
        assert [task.cancelled() for task in tasks] == [False, True, True, False, False]

    run(play)
