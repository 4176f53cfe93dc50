"""A server of live sessions in a thread of the test's own process, and a way into its event loop."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import uvicorn
from teach_agents_serve import create_app
from teach_agents_serve.live_serving import LiveServing

from teach_agents.actions import Role

__all__ = ["PATIENCE_S", "Host", "hosting"]

PATIENCE_S = 30.0
_HERE = "tests.serve.page.agents"
_T = TypeVar("_T")


class Host:
    """A running server: its `address`, and its event loop."""

    def __init__(self, server: uvicorn.Server, app: Any) -> None:
        self._server = server
        self._ready = threading.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), daemon=True)
        self.app = app
        self.address = ""

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        serving = asyncio.ensure_future(self._server.serve())
        while not self._server.started and not serving.done():
            await asyncio.sleep(0.01)
        self._ready.set()
        await serving

    def start(self) -> None:
        """Start it, and wait until it answers."""
        self._thread.start()
        assert self._ready.wait(PATIENCE_S), "the server did not start"
        assert self._server.started, "the server did not start"
        self.address = f"http://127.0.0.1:{self._server.servers[0].sockets[0].getsockname()[1]}"

    def stop(self) -> None:
        """Stop it, and wait until it is gone."""
        self._server.should_exit = True
        self._thread.join(PATIENCE_S)
        assert not self._thread.is_alive(), "the server did not stop"

    def ask(self, work: Coroutine[Any, Any, _T]) -> _T:
        """What a coroutine in the server's loop comes to."""
        assert self._loop is not None
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(PATIENCE_S)


@contextmanager
def hosting(store: Path, token: str = "") -> Iterator[Host]:
    """Serve the page with planners and the Followers of `agents`, to the holders of a token where there is one."""
    followers = {"planner": "planner", "thinker": f"{_HERE}:Thinker", "fumbler": f"{_HERE}:Fumbler"}
    agents = {Role.COMMANDER: {"planner": "planner:style=plain"}, Role.FOLLOWER: followers}
    app = create_app(live=LiveServing(store=store, agents=agents, allow_import=True), token=token)
    host = Host(uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=0, log_level="error")), app)
    host.start()
    try:
        yield host
    finally:
        host.stop()
