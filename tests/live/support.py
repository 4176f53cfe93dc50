"""Live sessions for tests: held for the length of a block, with a journal in memory."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager
from functools import cache
from typing import Any

from teach_agents.actions import Action, Role
from teach_agents.agents import Agent
from teach_agents.household import Scenario
from teach_agents.live import HUMAN, LiveEvent, LiveSession, LiveSetting, make_scenario

FORWARD = Action("Forward")
LEFT = Action("Turn Left")
LIMIT_S = 60.0
"""No test waits longer for anything."""


@cache
def coffee() -> Scenario:
    """Coffee in a kitchen in which it can be made."""
    return make_scenario("Coffee", room="FloorPlan1", seed=3)


class Memory:
    """A journal in memory."""

    def __init__(self) -> None:
        self.lines: list[Mapping[str, Any]] = []

    async def append(self, line: Mapping[str, Any]) -> None:
        await asyncio.sleep(0)
        self.lines.append(line)


def setting(commander: str = HUMAN, follower: str = HUMAN, **fields: Any) -> LiveSetting:
    """Coffee, with people in the chairs or others."""
    chairs = {Role.COMMANDER: commander, Role.FOLLOWER: follower}
    return LiveSetting("live1", fields.pop("scenario", None) or coffee(), chairs, **fields)


@asynccontextmanager
async def held(
    made_of: LiveSetting,
    journal: Memory | None = None,
    build_agent: Callable[[Role, str], Agent] | None = None,
    **options: Any,
) -> AsyncIterator[LiveSession]:
    """A session that is held here; behind what the journal holds already."""
    past = [] if journal is None else list(journal.lines)
    options.setdefault("idle_s", 0.05)
    live = LiveSession(made_of, journal, build_agent, **options)
    await live.start(past=past)
    try:
        yield live
    finally:
        await live.close()


def run(test: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Run a coroutine to its end, within the limit."""

    async def limited() -> None:
        async with asyncio.timeout(LIMIT_S):
            await test()

    asyncio.run(limited())


async def until(holds: Callable[[], bool]) -> None:
    """Wait until something holds."""
    while not holds():
        await asyncio.sleep(0.005)


async def heard(live: LiveSession, kind: str, after: int = -1) -> LiveEvent:
    """The first event of a kind with a number above `after`, once it is there."""
    async for event in live.follow(after):
        if event.kind == kind:
            return event
    raise AssertionError(f"the session is over without {kind!r}")


def kinds(live: LiveSession) -> list[str]:
    """What happened so far."""
    return [event.kind.value for event in live.events]
