"""What an agent that owns its loop acts through, and what makes its loop answer turn by turn."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING, Any

from teach_agents.core.values import Result, Say, Stop, Utterance, Wait

if TYPE_CHECKING:
    from teach_agents.core.agents.contract import Agent, Briefing

__all__ = ["Body", "Loop"]

_UNKNOWN = Result(True)


class Body:
    """An agent's body in a session. `observation` is what it sees now, `briefing` what it was told at the beginning."""

    def __init__(self, loop: Loop, briefing: Briefing) -> None:
        self._loop = loop
        self.briefing = briefing
        self.observation: Any = None
        self._heard: deque[Utterance] = deque()

    @property
    def seat(self) -> str:
        """The agent's seat."""
        return self.briefing.seat

    async def do(self, action: Any) -> Result:
        """Do something; what came of it. `observation` is then what the agent sees afterwards."""
        return await self._loop.done(action)

    async def say(self, text: str) -> Result:
        """Say something."""
        return await self.do(Say(text))

    async def wait(self) -> Result:
        """Let a turn pass."""
        return await self.do(Wait())

    async def heard(self) -> tuple[Utterance, ...]:
        """What others have said since this was asked last, oldest first; lets turns pass until there is something."""
        while not self._heard:
            await self.wait()
        said = tuple(self._heard)
        self._heard.clear()
        return said


class Loop:
    """Runs `agent.run` in steps: an observation goes in, the next action comes out.

    It belongs to the event loop in which the agent is called, and goes on only while an answer is asked for.
    """

    def __init__(self, agent: Agent, briefing: Briefing) -> None:
        self._agent = agent
        self.body = Body(self, briefing)
        self._running: asyncio.Task[None] | None = None
        self._asked: asyncio.Future[Result] | None = None
        self._chosen: asyncio.Queue[Any] = asyncio.Queue()
        self._result = _UNKNOWN

    def heard(self, said: Utterance) -> None:
        """Somebody else spoke."""
        self.body._heard.append(said)

    def told(self, result: Result) -> None:
        """What became of the last action."""
        self._result = result

    async def done(self, action: Any) -> Result:
        """From the agent's side: this is the next action; what came of it, once the agent is asked again."""
        self._asked = asyncio.get_running_loop().create_future()
        self._chosen.put_nowait(action)
        return await self._asked

    async def next_action(self, observation: Any) -> Any:
        """From the session's side: what the agent does on seeing this. Raises what the agent raises."""
        self.body.observation = observation
        if self._running is None:
            self._running = asyncio.ensure_future(self._agent.run(self.body))
        elif self._asked is not None and not self._asked.done():
            self._asked.set_result(self._result)
        chosen = asyncio.ensure_future(self._chosen.get())
        await asyncio.wait((chosen, self._running), return_when=asyncio.FIRST_COMPLETED)
        if chosen.done():
            return chosen.result()
        chosen.cancel()
        self._running.result()
        return Stop()

    async def over(self) -> None:
        """The session is over: cancel the agent's `run`, and wait until it has ended."""
        running, self._running = self._running, None
        if running is not None and not running.done():
            running.cancel()
            await asyncio.wait((running,))
