"""`teach-agents mcp`: a Follower's household as tools for any program that speaks the Model Context Protocol."""

from __future__ import annotations

import asyncio
import contextlib
from importlib.util import find_spec
from typing import Annotated, Literal

from teach_agents.actions import Role
from teach_agents.cli.live_options import (
    Game,
    Hooks,
    Param,
    Record,
    Room,
    Seed,
    Task,
    listening_on,
    maker_of,
    setting_of,
)
from teach_agents.cli.options import option
from teach_agents.errors import MissingExtraError

_Sight = Literal["seen", "all"]
_WHO = "Who plays"
_WHERE = "Where it is offered"


def mcp(  # noqa: PLR0913  # one option a parameter
    task: Task = "",
    param: Param = None,
    room: Room = "FloorPlan1",
    seed: Seed = 0,
    game: Game = None,
    commander: Annotated[
        str, option("SPEC of a Commander that tells the client what to do; none: the client does what it likes.", _WHO)
    ] = "",
    hook: Hooks = None,
    knows: Annotated[
        _Sight,
        option("What the tools know of the room: what was seen so far, or all of it.", _WHO),
    ] = "seen",
    http: Annotated[bool, option("Streamable HTTP on this machine in place of pipes.", _WHERE, "--http")] = False,
    port: Annotated[int, option("Port of --http; 0 takes a free one.", _WHERE, min=0, max=65535)] = 8765,
    record: Record = None,
) -> None:
    """Offer a household to an MCP client as tools: look, go to, pick up, put, open, turn on, slice, pour, say ...

    The client is the Follower. It is served on standard input and output, as a client starts its servers, or with
    --http at an address of this machine; whoever connects there acts in the same household.

    [bold]Examples[/bold]

      teach-agents mcp --room FloorPlan5

      teach-agents mcp --task Coffee --room FloorPlan5 --commander planner --http
    """
    if find_spec("mcp") is None:
        raise MissingExtraError("mcp", "mcp")
    from teach_agents_serve.mcp_server import serve_mcp

    from teach_agents.agents.perceiving.oracle import OraclePerception

    chairs = {Role.FOLLOWER: "human", Role.COMMANDER: commander or "human"}
    setting = setting_of(task, param or [], room, seed, game, chairs, hook or ())
    listening = listening_on(port) if http else None
    make = maker_of(Role.COMMANDER, commander) if commander else None
    perception = OraclePerception() if knows == "seen" else None
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(serve_mcp(setting, make, perception, listening=listening, record=record))
