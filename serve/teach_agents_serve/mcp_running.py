"""A household for an MCP client: one live session, its Follower's chair behind tools, on pipes or over HTTP."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import uvicorn
from mcp.server.mcpserver import MCPServer

from teach_agents.actions import Role
from teach_agents.agents.perceiving.contract import Perception
from teach_agents.chat.keeping import RecordFile
from teach_agents.core.agents.contract import Agent
from teach_agents.live import LiveSession, LiveSetting, hook_of
from teach_agents_serve.mcp_household import ToolHousehold
from teach_agents_serve.mcp_server import create_mcp_server


def run_mcp(
    setting: LiveSetting,
    make: Callable[[Role, str], Agent] | None,
    perception: Perception | None,
    *,
    listening: socket.socket | None = None,
    record: Path | None = None,
) -> None:
    """Serve a household until the client is gone: standard input and output, or a socket that listens, over HTTP.

    `make` builds the Commander, where an agent has its chair. With `record` the session is kept in that new file.
    Raises `RecordError` for one that is there already, and what `LiveSession.start` raises.
    """
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(serve_mcp(setting, make, perception, listening=listening, record=record))


async def serve_mcp(
    setting: LiveSetting,
    make: Callable[[Role, str], Agent] | None,
    perception: Perception | None,
    *,
    listening: socket.socket | None = None,
    record: Path | None = None,
) -> None:
    """The same, until it is cancelled."""
    file = RecordFile(record) if record is not None else None
    live = LiveSession(setting, file, make, build_hook=partial(hook_of, allow_import=True))
    if file is not None:
        file.begin(live)
    try:
        await live.start()
        server = create_mcp_server(ToolHousehold(live, perception))
        await (server.run_stdio_async() if listening is None else _over_http(server, listening))
    finally:
        await asyncio.shield(live.close())
        if file is not None:
            file.close()


async def _over_http(server: MCPServer, listening: socket.socket) -> None:
    host, port = listening.getsockname()
    app = server.streamable_http_app(host=host)
    print(f"http://{host}:{port}/mcp", file=sys.stderr, flush=True)  # noqa: T201  # the command's one line
    await uvicorn.Server(uvicorn.Config(app, log_level="warning")).serve(sockets=[listening])
