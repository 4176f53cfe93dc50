"""Work at a household: brief work on the spot, all other in threads, and never two at once."""

from __future__ import annotations

import asyncio
import threading

from teach_agents.household import Household
from teach_agents.installed import installed_tasks
from teach_agents.live.stage import Stage
from teach_agents.simulator.embedded import EmbeddedSimulator
from tests.live.support import coffee, run


class _Slow(EmbeddedSimulator):
    brisk = False


def _stage(simulator: EmbeddedSimulator) -> Stage:
    household = Household(simulator, installed_tasks())
    household.reset(coffee())
    return Stage(household)


def _here(household: Household) -> int:
    return threading.get_ident()


def test_brief_work_is_done_on_the_spot_where_the_simulator_is_brisk() -> None:
    async def play() -> None:
        mine, brisk, slow = threading.get_ident(), _stage(EmbeddedSimulator()), _stage(_Slow())
        assert await brisk.run(_here, brief=True) == mine
        assert await brisk.run(_here) != mine
        assert await slow.run(_here, brief=True) != mine

    run(play)


def test_brief_work_waits_for_whoever_is_at_the_household() -> None:
    async def play() -> None:
        stage, begun, may_end = _stage(EmbeddedSimulator()), threading.Event(), threading.Event()
        order = list[str]()

        def long(household: Household) -> None:
            begun.set()
            may_end.wait(30)
            order.append("long")

        outside = threading.Thread(target=stage.alone, args=(long,))  # as an agent that looks at a picture
        outside.start()
        await asyncio.to_thread(begun.wait, 30)
        brief = asyncio.ensure_future(stage.run(lambda _: order.append("brief"), brief=True))
        await asyncio.sleep(0.01)
        assert order == []
        may_end.set()
        await brief
        outside.join(30)
        assert order == ["long", "brief"]

    run(play)
