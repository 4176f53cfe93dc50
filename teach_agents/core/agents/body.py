"""What an agent that owns its loop acts through, and what makes its loop answer turn by turn."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from teach_agents.core.errors import ActionError
from teach_agents.core.values import Result, Say, Stop, Utterance, Wait

if TYPE_CHECKING:
    from teach_agents.core.agents.contract import Agent, Briefing


class Body:
    """An agent's body in a session. `observation` is what it sees now, `briefing` what it was told at the beginning."""

    def __init__(self, loop: Loop, briefing: Briefing) -> None:
        self._loop = loop
        self.briefing = briefing
        self.observation: Any = None

    @property
    def seat(self) -> str:
        """The agent's seat."""
        return self.briefing.seat

    async def do(self, action: Any) -> Result:
        """Do something; what came of it. `observation` is then what the agent sees afterwards.

        Where somebody else acts in the agent's place (a past that it takes over, a forced prefix), that is carried out
        instead, and what came of that is told. Of several at once one is done after the other.
        """
        return await self._loop.do(action)

    async def say(self, text: str) -> Result:
        """Say something."""
        return await self.do(Say(text))

    async def wait(self) -> Result:
        """Let a turn pass."""
        return await self.do(Wait())

    async def heard(self) -> tuple[Utterance, ...]:
        """What others have said since this was asked last, oldest first; lets turns pass until there is something."""
        while not (said := self._loop.news()):
            await self.wait()
        return said


class Loop:
    """Runs `agent.run` in steps: an observation goes in, the next action comes out.

    It belongs to the event loop in which the agent is called, and goes on only while an answer is asked for. What was
    said and what became of the last action is read from an observation's `dialogue` (all that was said so far) and
    `last_result` where it has them; else it is what `heard` and `told` told.
    """

    def __init__(self, agent: Agent, briefing: Briefing) -> None:
        self._agent = agent
        self._body = Body(self, briefing)
        self._running: asyncio.Task[None] | None = None
        self._chosen: asyncio.Future[Any] | None = None
        self._done: asyncio.Future[Result] | None = None
        self._one_by_one = asyncio.Lock()
        self._result = Result(True)
        self._heard: list[Utterance] = []
        self._told: list[Utterance] = []
        self._read = 0

    def heard(self, said: Utterance) -> None:
        """Somebody else spoke."""
        self._told.append(said)

    def told(self, result: Result) -> None:
        """What became of the last action."""
        self._result = result

    def news(self) -> tuple[Utterance, ...]:
        """What was heard since this was asked last."""
        said, self._heard = tuple(self._heard), []
        return said

    async def do(self, action: Any) -> Result:
        """From the agent's side: this is the next action; what came of it, once the agent is asked again."""
        async with self._one_by_one:
            assert self._chosen is not None, "a body is moved from within the agent's run"
            if self._chosen.done():  # the last one was given up: its turn has to pass first
                await self._passed()
            self._chosen.set_result(action)
            return await self._passed()

    async def _passed(self) -> Result:
        self._done = asyncio.get_running_loop().create_future()
        return await self._done

    async def next_action(self, observation: Any) -> Any:
        """From the session's side: what the agent does on seeing this. Raises what the agent raises."""
        self._sees(observation)
        events = asyncio.get_running_loop()
        self._chosen = events.create_future()
        if self._running is None:
            self._running = events.create_task(self._agent.run(self._body))
        elif self._done is not None and not self._done.done():
            self._done.set_result(self._result)
        await asyncio.wait((self._chosen, self._running), return_when=asyncio.FIRST_COMPLETED)
        if self._chosen.done():
            return self._chosen.result()
        try:
            self._running.result()
        except ActionError as error:  # no answer that is none: nothing is left that could answer
            raise RuntimeError(f"run was ended by {error}") from error
        return Stop()

    async def pass_by(self, observation: Any) -> None:
        """The same where something else is done in its place than it chooses."""
        await self.next_action(observation)

    def _sees(self, observation: Any) -> None:
        self._body.observation = observation
        if (result := getattr(observation, "last_result", None)) is not None:
            self._result = result
        dialogue = getattr(observation, "dialogue", None)
        if dialogue is None:
            self._heard += self._told
        else:
            self._heard += (one for one in dialogue[self._read :] if one.speaker != self._body.seat)
            self._read = len(dialogue)
        self._told.clear()

    def cancel(self) -> None:
        """The agent is begun anew in the same event loop: this `run` is not needed any more."""
        running = self._running
        if running is not None and running.get_loop() is asyncio.get_running_loop():
            running.cancel()
