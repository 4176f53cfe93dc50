"""The page of `teach-agents chat`: a server of one's own on loopback, with one session made, in a browser."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import socket
import tempfile
import webbrowser
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from teach_agents.actions import Role
from teach_agents.cli.live_options import HOST, Played, listening_on, maker_of
from teach_agents.cli.serve import check_extra, default_store
from teach_agents.core.json_types import JsonMapping
from teach_agents.live import HUMAN, hook_of, make_scenario

_LOCK = ".chat"
"""The file that a chat holds a lock on, in the folder of its sessions."""

if TYPE_CHECKING:
    from fastapi import FastAPI
    from teach_agents_serve.live_wire import NewSession


@dataclass(frozen=True, slots=True)
class Page:
    """How the page is shown: on which port (0: a free one), in a browser that is opened, its sessions kept or not."""

    port: int
    browser: bool
    kept: bool = True


def show_page(played: Played, chair: Role, spec: str, *, hooks: Sequence[str], paces: JsonMapping, page: Page) -> None:
    """Serve the page until Ctrl-C, with a session in which a person has `chair` and the agent of `spec` the other.

    `paces` are further fields of a `NewSession`. Raises `MissingExtraError`, `SpecError` for an unknown agent,
    `GameFileError`, and `InputError` for a port that is taken.
    """
    check_extra()
    from teach_agents_serve.app import create_app
    from teach_agents_serve.live_serving import LiveServing
    from teach_agents_serve.live_wire import NewSession

    maker_of(chair.partner, spec)  # what cannot be made is refused before there is a session; weights are loaded
    for one in hooks:
        hook_of(one, allow_import=True)
    game = played.game
    if game is not None:
        make_scenario(game=game)
    listening = listening_on(page.port)
    name = spec.partition(":")[0]
    agents: dict[Role, dict[str, str]] = {chair: {}, chair.partner: {name: spec}}
    with contextlib.ExitStack() as shelves:
        games = None
        what = {"task": played.task or None, "params": played.param or [], "room": played.room, "seed": played.seed}
        if game is not None:
            games, what = (
                Path(shelves.enter_context(tempfile.TemporaryDirectory())),
                {"game": game.name.partition(".")[0]},
            )
            (games / f"{what['game']}.game.json").symlink_to(game.resolve())
        store = shelves.enter_context(_store()) if page.kept else None
        serving = LiveServing(store, agents, games=games, allow_import=True, hooks=tuple(hooks))
        session = NewSession.model_validate({**what, **paces, chair.value: HUMAN, chair.partner.value: name})
        app = create_app(live=serving, hosts=[], allow_import=True)
        with contextlib.suppress(KeyboardInterrupt):
            asyncio.run(_serve(app, session, chair, listening, page))


@contextlib.contextmanager
def _store() -> Iterator[Path]:
    """Where sessions are kept: the first folder that no other `teach-agents chat` of this machine is using."""
    folders = (default_store(0).with_name(f"chat-{number}") for number in itertools.count(1))
    for folder in folders:
        folder.mkdir(parents=True, exist_ok=True)
        with (folder / _LOCK).open("w") as lock:
            if _lock(lock.fileno()):
                yield folder
                return


def chat_folders() -> list[Path]:
    """The folders in which sessions of chats are kept."""
    return sorted(path for path in default_store(0).parent.glob("chat-*") if (path / _LOCK).is_file())


def in_use(folder: Path) -> bool:
    """Whether a chat is going on that is kept in a folder."""
    with (folder / _LOCK).open("r+") as lock:
        return not _lock(lock.fileno())


def _lock(file: int) -> bool:
    """Whether a file is ours from now on, until it is closed."""
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True


async def _serve(app: FastAPI, asked: NewSession, chair: Role, listening: socket.socket, page: Page) -> None:
    import uvicorn
    from teach_agents_serve.connections import UVICORN

    server = uvicorn.Server(uvicorn.Config(app, log_level="warning", **UVICORN))
    serving = asyncio.create_task(server.serve(sockets=[listening]))
    try:
        while not server.started and not serving.done():
            await asyncio.sleep(0.02)
        typer.echo("Making the household ready; the first time on a machine this takes a minute or two.", err=True)
        made = await app.state.live.create(asked, "anybody")
        link = f"http://{HOST}:{listening.getsockname()[1]}/#/live/{made.id}?key={getattr(made.keys, chair)}"
        typer.echo(f"Your chair: {link}")
        left = "its sessions can be gone on with" if page.kept else "nothing is left of its sessions"
        typer.echo(f"Ctrl-C stops the server; {left}.")
        if page.browser:
            await asyncio.to_thread(webbrowser.open, link)
        await serving
    finally:
        server.should_exit = True
        await serving
