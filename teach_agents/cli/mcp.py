"""`teach-agents mcp`: a Follower's household as tools for any program that speaks the Model Context Protocol."""

from __future__ import annotations

import asyncio
import contextlib
from importlib.util import find_spec
from typing import Annotated, Literal

from teach_agents.actions import Role
from teach_agents.cli.live_options import Played, Record, listening_on, maker_of
from teach_agents.cli.options import WHO, Hooks, expanded, option
from teach_agents.errors import MissingExtraError

_WHERE = "Where it is offered"


@expanded
def mcp(
    *,
    played: Played,
    commander: Annotated[
        str, option("SPEC of a Commander that tells the client what to do; none: the client does what it likes.", WHO)
    ] = "",
    hook: Hooks = None,
    knows: Annotated[
        Literal["seen", "all"],
        option("What the tools know of the room: what was seen so far, or all of it.", WHO),
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
    setting = played.setting(chairs, hook)
    listening = listening_on(port) if http else None
    make = maker_of(Role.COMMANDER, commander) if commander else None
    perception = OraclePerception() if knows == "seen" else None
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(serve_mcp(setting, make, perception, listening=listening, record=record))
