"""The four workers as tasks of one event loop, so that each can be ended and started again at any moment."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any

from teach_agents.actions import Action, Role
from teach_agents.agents import Agent
from teach_agents.core.agents.contract import Briefing
from teach_agents.observations import Observation
from teach_agents.session import Session, Timeouts
from teach_agents.workers import Plan, run_agent, run_environment, run_recorder
from tests.session.support import scenario, small_household

PATIENCE_S = 30.0
WORKERS = ("recorder", "commander", "follower", "environment")


class Counting(Agent):
    """Says or does what its own count of its answers says: one that forgets goes another way."""

    lines = 8

    def __init__(self) -> None:
        self.briefings: list[Briefing] = []

    def begin(self, briefing: Briefing) -> None:
        self.briefings.append(briefing)
        self.count = 0
        self.role = briefing.role

    def act(self, observation: Observation) -> Action:
        self.count += 1
        time.sleep(0.004)  # so that a session lasts long enough to be disturbed
        if self.role is Role.COMMANDER and self.count > self.lines:
            return Action.finish()
        heard = observation.heard() or ""
        return Action.say(f"{self.count} {len(heard)}") if self.count % 2 else Action("TurnRight")


class Commander(Counting):
    """In the Commander's chair: it cannot turn as the Follower does."""

    def act(self, observation: Observation) -> Action:
        action = super().act(observation)
        return Action.progress_check() if action.name == "TurnRight" else action


def plan(**options: Any) -> Plan:
    options = {"timeouts": Timeouts(begin_s=PATIENCE_S, act_s=PATIENCE_S), **options}
    return Plan("s", scenario, small_household, **options)


def undisturbed(path: Path, **hooks: Any) -> bytes:
    """The record of the same session in one process."""
    session = Session(small_household(), Commander(), Counting(), record=path)
    for name, hook in hooks.items():
        session.with_hook(hook, name)
    asyncio.run(session.run(scenario(), session_id="s"))
    return path.read_bytes()


class Stage:
    """Starts and ends workers. Agents are made by `make`, by role; `record` is the recorder's file."""

    def __init__(
        self, url: str, record: Path, plan: Plan, make: Mapping[Role, Callable[[], Agent]] | None = None
    ) -> None:
        self._url = url
        self._record = record
        self._plan = plan
        self._make = make or {Role.COMMANDER: Commander, Role.FOLLOWER: Counting}
        self.agents: list[Agent] = []
        self.tasks: dict[str, asyncio.Task[Any]] = {}

    def start(self, *names: str) -> None:
        for name in names:
            self.tasks[name] = asyncio.create_task(self._work(name))

    async def _work(self, name: str) -> Any:
        if name == "recorder":
            return await run_recorder(self._record, self._url, "s", outage=PATIENCE_S)
        if name == "environment":
            return await run_environment(self._plan, self._url, outage=PATIENCE_S)
        agent = self._make[Role(name)]()
        self.agents.append(agent)
        return await run_agent(agent, Role(name), self._url, "s", outage=PATIENCE_S)

    async def end(self, name: str) -> None:
        """End a worker in the middle of whatever it does."""
        self.tasks[name].cancel()
        await asyncio.wait({self.tasks[name]}, timeout=PATIENCE_S)

    async def lines(self, count: int) -> None:
        """Wait until the record has so many lines."""
        async with asyncio.timeout(PATIENCE_S):
            while not self._record.exists() or self._record.read_bytes().count(b"\n") < count:
                await asyncio.sleep(0.002)

    async def over(self) -> Mapping[str, Any]:
        """The environment's result, when everybody has left."""
        async with asyncio.timeout(PATIENCE_S):
            result: Mapping[str, Any] = await self.tasks["environment"]
            for task in self.tasks.values():
                await task
        return result


def played(stage: Stage, scene: Callable[[Stage], Awaitable[None]]) -> Mapping[str, Any]:
    """Start all four, play a scene with them, and wait for the end."""

    async def run() -> Mapping[str, Any]:
        stage.start(*WORKERS)
        try:
            await scene(stage)
            return await stage.over()
        finally:
            for task in stage.tasks.values():
                task.cancel()
            await asyncio.gather(*stage.tasks.values(), return_exceptions=True)

    return asyncio.run(run())
