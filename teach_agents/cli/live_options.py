"""What commands that hold a live session of their own have in common: what is played, and on which port."""

from __future__ import annotations

import errno
import socket
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from secrets import token_hex
from typing import TYPE_CHECKING, Annotated, Any

from teach_agents.actions import Role
from teach_agents.cli.options import Options, option
from teach_agents.errors import InputError

if TYPE_CHECKING:
    from teach_agents.core.agents.contract import Agent
    from teach_agents.live import LiveSetting


HOST = "127.0.0.1"
_WHAT = "What is played"

Record = Annotated[Path | None, option("A new file to keep the session in, for `teach-agents replay`.", "Keeping it")]


class Played(Options):
    """What is played: a task or nothing in a room, or a game."""

    task: Annotated[str, option("A task by its name (`teach-agents tasks list`); none: just explore.", _WHAT)] = ""
    param: Annotated[list[str] | None, option("A parameter of the task; once for each, in order.", _WHAT)] = None
    room: Annotated[str, option("Room to play in.", _WHAT)] = "FloorPlan1"
    seed: Annotated[int, option("How the room is furnished.", _WHAT, min=0)] = 0
    game: Annotated[Path | None, option("A TEACh game file: its task and its room, as it began.", _WHAT)] = None

    def setting(self, chairs: Mapping[Role, str], hooks: Sequence[str] | None, **pace: Any) -> LiveSetting:
        """What a new session is made of. Raises what `make_scenario` raises."""
        from teach_agents.live import LiveSetting, make_scenario

        scenario = make_scenario(self.task or None, self.param or (), self.room, self.seed, game=self.game)
        return LiveSetting(token_hex(6), scenario, chairs, hooks=tuple(hooks or ()), **pace)


def maker_of(role: Role, spec: str) -> Callable[[Role, str], Agent]:
    """What builds the agent of a SPEC from the command line; the first is built now, and loads what it needs while all
    else is made ready. Raises `SpecError`."""
    from teach_agents.core.agents.preload import preload

    ready = [_agent(role, spec)]
    preload(ready[0])
    return lambda role, spec: ready.pop() if ready else _agent(role, spec)


def _agent(role: Role, spec: str) -> Agent:
    from teach_agents.core.specs import build
    from teach_agents.kinds import AGENT

    return build(AGENT, spec, role=role, allow_import=True)


def listening_on(port: int, host: str = HOST) -> socket.socket:
    """A socket on an address, this machine's own if none is named; 0 takes a free port.

    Raises `InputError` for a port that is taken, and for an address that is none of this machine's.
    """
    try:
        family, kind, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except OSError as error:
        raise InputError("--host", f"is no address: {error.strerror}", value=host) from error
    made = socket.socket(family, kind)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind(address)
    except OSError as error:
        made.close()
        where, value = ("--host", host) if error.errno == errno.EADDRNOTAVAIL else ("--port", port)
        raise InputError(where, f"cannot be listened on: {error.strerror}", value=value) from error
    return made
