"""An agent in a thread of its own, called from an event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from teach_agents.session.thread import AgentThread

__all__ = ["AgentRaised", "Caller"]


class AgentRaised(Exception):
    """Carries what a call raised, so that nothing of an agent's can act on whoever asked."""

    def __init__(self, error: BaseException) -> None:
        super().__init__()
        self.error = error


class Caller:
    """Makes an agent's calls one after another; each may be given up on."""

    def __init__(self, name: str) -> None:
        self._thread = AgentThread(name)

    def settled(self, call: Callable[[], object]) -> object:
        """From within a call: what another comes to, awaited where it is a coroutine."""
        return self._thread.settled(call)

    async def ask(self, call: Callable[[], object], limit_s: float | None) -> Any:
        """What a call comes to. Raises `AgentRaised` with what it raises, and `TimeoutError` after `limit_s`.

        Without a limit it waits as long as it takes.
        """
        loop = asyncio.get_running_loop()
        answered: asyncio.Future[object] = loop.create_future()

        def tell(value: object, error: BaseException | None) -> None:
            if answered.done():
                return
            if error is None:
                answered.set_result(value)
            else:
                answered.set_exception(AgentRaised(error))

        def told(value: object, error: BaseException | None) -> None:
            try:
                loop.call_soon_threadsafe(tell, value, error)
            except RuntimeError:
                pass  # the loop is closed: nobody waits

        self._thread.start(call, told)
        late = None if limit_s is None else loop.call_later(limit_s, _give_up, answered)
        try:
            return await answered
        finally:
            if late is not None:
                late.cancel()

    def stop(self) -> None:
        """End when idle."""
        self._thread.stop()


def _give_up(answered: asyncio.Future[object]) -> None:
    if not answered.done():
        answered.set_exception(TimeoutError())
