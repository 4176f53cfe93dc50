"""The four workers of a session on this machine: whoever dies is started again."""

from __future__ import annotations

import asyncio
from asyncio.subprocess import Process
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from signal import SIGTERM, Signals

from teach_agents.errors import TeachAgentsError

OVER = 0
"""A worker's exit status: the session is over."""
BROKEN = 3
"""The environment's, for a session that is over because an agent crashed or was late."""
REFUSED = 2
"""For what starting again does not mend: a wrong option, a record of another session."""
AWAY = 75
"""For what may be there later: Redis, a worker."""
_PARTING_S = 10.0
_WAITS_S = (0.0, 0.2, 1.0, 3.0)
"""Pauses before a worker is started again, the last one for all times after."""


class Supervisor:
    """Keeps `commands`, by worker, running until the session is over; `environment` names the worker that says so.

    A worker is started again at most `restarts` times. `told` hears in words what happens. Raises `TeachAgentsError`
    when a worker is refused, or died too often.
    """

    def __init__(
        self,
        commands: Mapping[str, Sequence[str]],
        *,
        environment: str = "environment",
        variables: Mapping[str, str],
        restarts: int = 20,
        told: Callable[[str], None],
    ) -> None:
        self._commands = commands
        self._environment = environment
        self._variables = variables
        self._restarts = restarts
        self._told = told

    async def run(self) -> int:
        """The environment's exit status, `OVER` or `BROKEN`, when all workers have ended.

        Cancelled, by SIGTERM too, it ends them; the record can be gone on with.
        """
        this = asyncio.current_task()
        assert this is not None
        asyncio.get_running_loop().add_signal_handler(SIGTERM, this.cancel)
        kept = {name: asyncio.create_task(self._keep(name)) for name in self._commands}
        try:
            judge, waiting = kept[self._environment], set(kept.values())
            while not judge.done():
                ended, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
                for task in ended:
                    task.result()
            await asyncio.wait(kept.values(), timeout=_PARTING_S)
            return judge.result()
        finally:
            for task in kept.values():
                task.cancel()
            await asyncio.gather(*kept.values(), return_exceptions=True)

    async def _keep(self, name: str) -> int:
        """Keep one worker running until it ends by itself."""
        for times in range(self._restarts + 1):
            status = await self._lived(name)
            if status in (OVER, BROKEN):
                return status
            how = f"signal {-status} ({Signals(-status).name})" if status < 0 else f"exit status {status}"
            if status == REFUSED:
                raise TeachAgentsError(f"the {name} cannot be started: {how}; its message is above")
            self._told(f"{name}: ended with {how}; it is replaced")
            await asyncio.sleep(_WAITS_S[min(times, len(_WAITS_S) - 1)])
        raise TeachAgentsError(f"the {name} died {self._restarts + 1} times; the record can be gone on with")

    async def _lived(self, name: str) -> int:
        process = await asyncio.create_subprocess_exec(*self._commands[name], env=self._variables)
        self._told(f"{name}: process {process.pid}")
        try:
            return await process.wait()
        finally:
            if process.returncode is None:
                await _ended(process)


async def _ended(process: Process) -> None:
    """End what still runs: at once by asking, after a while by force."""
    with suppress(ProcessLookupError):
        process.terminate()
    try:
        async with asyncio.timeout(_PARTING_S):
            await process.wait()
    except TimeoutError:
        process.kill()
        await process.wait()
