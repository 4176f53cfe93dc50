"""`teach-agents serve`: agents over HTTP."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from teach_agents.actions import Role
from teach_agents.cli.live_options import listening_on, maker_of
from teach_agents.cli.options import Options, expanded, option, pictures_named

if TYPE_CHECKING:
    from teach_agents_serve.limits import Limits
    from teach_agents_serve.live_serving import LiveServing

_TOKEN = "TEACH_AGENTS_TOKEN"
_WHAT = "What is served"
_WHERE = "To whom"
_LIMITS = "Limits"
_PEOPLE = "Live sessions, and the page"
_HOUSEHOLD = ("--commander", "--follower", "--hook", "--simulator", "--games")
_EXTRA = ("fastapi", "uvicorn", "python_multipart", "websockets")


_Views = Annotated[
    str,
    option(
        "Pictures that clients are asked for: all, none, or names with commas between them (view, follower_view, "
        "target_view, target_lit, overhead).",
        _WHAT,
    ),
]
_Anonymous = Annotated[
    bool,
    option(
        f"Serve others than this machine without a token. Otherwise they have to send the one in {_TOKEN}.",
        _WHERE,
        "--allow-anonymous",
    ),
]


class _Live(Options):
    """What live sessions may have, and where they are kept."""

    agent: Annotated[
        list[str] | None,
        option(
            "NAME=SPEC of an agent that may take a chair; repeatable. The agents that are served may, by their names; "
            "without any, the planner. With --world: SEAT=SPEC.",
            _PEOPLE,
        ),
    ] = None
    allow_host: Annotated[
        list[str] | None,
        option(
            "HOST or HOST:PORT whose servers' agents may take a chair, by http(s)://HOST[:PORT]; repeatable.",
            _PEOPLE,
        ),
    ] = None
    hook: Annotated[list[str] | None, option("SPEC of a dialogue hook of every new session; repeatable.", _PEOPLE)] = (
        None
    )
    simulator: Annotated[list[str] | None, option("Simulator that sessions may ask for; repeatable.", _PEOPLE)] = None
    games: Annotated[Path | None, option("Folder of TEACh games that sessions may begin from.", _PEOPLE)] = None
    store: Annotated[
        Path | None,
        option(
            "Folder where sessions are kept: live.sqlite, and those that are over as games and records. By default one "
            "for this port in the user's data folder.",
            _PEOPLE,
        ),
    ] = None

    def serving(self, agents: Mapping[Role, Mapping[str, str]], port: int) -> LiveServing:
        """What sessions of the server on a port are made of."""
        from teach_agents_serve.live_serving import LiveServing

        return LiveServing(
            self.store or default_store(port),
            agents,
            games=self.games,
            hosts=tuple(self.allow_host or ()),
            hooks=tuple(self.hook or ()),
            simulators=tuple(self.simulator or ("embedded",)),
            allow_import=True,
        )


class _Most(Options):
    """Limits, by the names of `Limits`; of a body in MiB."""

    body_bytes: Annotated[int, option("Largest body of a request, in MiB.", _LIMITS, "--max-body", min=1)] = 256
    picture_pixels: Annotated[int, option("Most pixels of a picture.", _LIMITS, "--max-pixels", min=1)] = 2_000_000
    instances: Annotated[
        int,
        option(
            "Instances that are kept at once; the one unused longest is dropped.", _LIMITS, "--max-instances", min=1
        ),
    ] = 64
    answer_s: Annotated[
        float,
        option(
            "Seconds an agent has for one answer; one that takes longer gets 504 and is let go.",
            _LIMITS,
            "--call-time-limit",
            min=0.001,
        ),
    ] = 60.0
    sessions: Annotated[int, option("Sessions that are open at once.", _LIMITS, "--max-sessions", min=1)] = 256
    sessions_per_token: Annotated[int, option("Sessions of one token.", _LIMITS, "--max-sessions-per-token", min=1)] = (
        256
    )
    requests_per_s: Annotated[
        int, option("Requests a second of one token; of one address without tokens.", _LIMITS, "--max-rate", min=1)
    ] = 5_000
    idle_s: Annotated[
        float, option("Seconds after which a session that is not used is closed.", _LIMITS, "--idle-time", min=0.001)
    ] = 900.0
    total_s: Annotated[
        float, option("Seconds after which any session is closed.", _LIMITS, "--total-time", min=0.001)
    ] = 21_600.0

    def limits(self, views: str) -> Limits:
        """The limits of a server that asks for these pictures."""
        from teach_agents_serve.limits import Limits

        return Limits(**{**vars(self), "body_bytes": self.body_bytes << 20}, views=pictures_named(views))


@expanded
def serve(  # noqa: PLR0913  # one option a parameter
    *,
    follower: Annotated[str, option("SPEC of the Follower: name[:key=value,...] or module:Class.", _WHAT)] = "",
    commander: Annotated[str, option("SPEC of the Commander.", _WHAT)] = "",
    host: Annotated[str, option("Address to listen on.", _WHERE)] = "127.0.0.1",
    port: Annotated[int, option("Port to listen on; TEACh's client asks at 5000.", _WHERE, min=0, max=65535)] = 8000,
    allow_anonymous: _Anonymous = False,
    world: Annotated[
        str, option("World whose agents are served, each by --agent SEAT=SPEC; by default TEACh's household.", _WHAT)
    ] = "",
    views: _Views = "all",
    seed: Annotated[int, option("Seed of the Follower in TEACh's protocol.", _WHAT)] = 0,
    live: _Live,
    folder: Annotated[
        Path | None,
        option(
            "Folder of instances that requests only name, by edh_name (TEACh's --use_edh_file).", _WHAT, "--instances"
        ),
    ] = None,
    images: Annotated[
        Path | None, option("Folder of pictures that requests only name, by img_name (TEACh's --use_img_file).", _WHAT)
    ] = None,
    most: _Most,
) -> None:
    """Live sessions with a page in the browser, and agents behind a URL.

    People and agents take the two chairs of a household. Agents are served too: sessions over HTTP, and TEACh's
    remote-model protocol for the Follower.

    Where the environment variable TEACH_AGENTS_TOKEN is set, every request has to carry it as a bearer token (or one of
    them, where it holds several with commas between them). TEACh's own client cannot send one: it needs loopback, or
    --allow-anonymous on a network of your own.

    [bold]Examples[/bold]

      teach-agents serve --agent small=lm:model=smollm2 --games games/train --store sessions

      teach-agents serve --commander planner --follower planner --views none

      teach-agents tatc --commander http://127.0.0.1:8000 --follower http://127.0.0.1:8000

      teach-agents serve --follower random --port 5000

      teach-agents serve --follower mypackage.agents:MyFollower

      teach-agents serve --world keybox --agent guest=lm:model=smollm2
    """
    check_extra()
    import uvicorn
    from teach_agents_serve.app import create_app
    from teach_agents_serve.connections import UVICORN
    from teach_agents_serve.limits import is_loopback, required_token
    from teach_agents_serve.live_serving import offered
    from teach_agents_serve.posted import Stored
    from teach_agents_serve.sharing_time import serving_many

    token = required_token(host, os.environ.get(_TOKEN, ""), allow_anonymous=allow_anonymous)
    limits = most.limits(views)
    listening_on(port, host).close()  # before the store, which would say that another server has it
    said = live.agent or ()
    agents = {} if world else offered(said, commander=commander, follower=follower)
    app = create_app(
        follower,
        commander=commander,
        seed=seed,
        token=token,
        limits=limits,
        stored=Stored(folder, images),
        live=None if world else live.serving(agents, port),
        world=world or None,
        agents=_seated(said, (commander, follower, live.hook, live.simulator, live.games)) if world else None,
        hosts=[] if not token and is_loopback(host) else None,
        allow_import=True,
    )
    for role, named in agents.items():
        for spec in [*named.values()][:1]:  # whom most sessions begin with: it loads what it needs
            maker_of(role, spec)
    with serving_many():
        uvicorn.run(app, host=host, port=port, **UVICORN)


def _seated(agents: Sequence[str], others: Sequence[object]) -> dict[str, str]:
    """SPECs by seat. Raises `InputError` for what is not SEAT=SPEC, and for the household's own options."""
    from teach_agents.errors import InputError

    for name, value in zip(_HOUSEHOLD, others, strict=True):
        if value:
            raise InputError(name, "is for the household; with --world, agents are given by --agent SEAT=SPEC")
    found = {seat: spec for seat, _, spec in (one.partition("=") for one in agents)}
    if not found or not all(found) or not all(found.values()):
        raise InputError("--world", "its agents are given by --agent SEAT=SPEC", value=list(agents))
    return found


def default_store(port: int) -> Path:
    """Where the sessions of a port's server are kept where nothing else is said."""
    data = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(data) / "teach_agents" / f"serve-{port}"


def check_extra() -> None:
    """Raise `MissingExtraError` unless everything that a server needs is installed."""
    from teach_agents.errors import MissingExtraError

    for package in _EXTRA:
        if find_spec(package) is None:
            raise MissingExtraError(package.replace("_", "-"), "serve")
