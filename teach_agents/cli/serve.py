"""`teach-agents serve`: agents over HTTP."""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

from teach_agents.cli.live_options import listening_on
from teach_agents.cli.options import option

_TOKEN = "TEACH_AGENTS_TOKEN"
_WHAT = "What is served"
_WHERE = "To whom"
_LIMITS = "Limits"
_PEOPLE = "Live sessions, and the page"
_AMOUNTS = ("body_bytes", "picture_pixels", "instances", "sessions", "sessions_per_token", "requests_per_s")
_HOUSEHOLD = ("--commander", "--follower", "--hook", "--simulator", "--games")
_EXTRA = ("fastapi", "uvicorn", "python_multipart", "websockets")

_Follower = Annotated[str, option("SPEC of the Follower: name[:key=value,...] or module:Class.", _WHAT)]
_Commander = Annotated[str, option("SPEC of the Commander.", _WHAT)]
_World = Annotated[
    str, option("World whose agents are served, each by --agent SEAT=SPEC; by default TEACh's household.", _WHAT)
]
_Views = Annotated[
    str,
    option(
        "Pictures that clients are asked for: all, none, or names with commas between them (view, follower_view, "
        "target_view, target_lit, overhead).",
        _WHAT,
    ),
]
_Seed = Annotated[int, option("Seed of the Follower in TEACh's protocol.", _WHAT)]
_Instances = Annotated[
    Path | None, option("Folder of instances that requests only name, by edh_name (TEACh's --use_edh_file).", _WHAT)
]
_Images = Annotated[
    Path | None, option("Folder of pictures that requests only name, by img_name (TEACh's --use_img_file).", _WHAT)
]
_Agents = Annotated[
    list[str] | None,
    option(
        "NAME=SPEC of an agent that may take a chair; repeatable. The agents that are served may, by their names; "
        "without any, the planner. With --world: SEAT=SPEC.",
        _PEOPLE,
    ),
]
_AllowHost = Annotated[
    list[str] | None,
    option(
        "HOST or HOST:PORT whose servers' agents may take a chair, by http(s)://HOST[:PORT]; repeatable.",
        _PEOPLE,
    ),
]
_Hooks = Annotated[list[str] | None, option("SPEC of a dialogue hook of every new session; repeatable.", _PEOPLE)]
_Simulators = Annotated[list[str] | None, option("Simulator that sessions may ask for; repeatable.", _PEOPLE)]
_Games = Annotated[Path | None, option("Folder of TEACh games that sessions may begin from.", _PEOPLE)]
_Store = Annotated[
    Path | None,
    option(
        "Folder where sessions are kept: live.sqlite, and those that are over as games and records. By default one for "
        "this port in the user's data folder.",
        _PEOPLE,
    ),
]
_Host = Annotated[str, option("Address to listen on.", _WHERE)]
_Port = Annotated[int, option("Port to listen on; TEACh's client asks at 5000.", _WHERE, min=0, max=65535)]
_Anonymous = Annotated[
    bool,
    option(
        f"Serve others than this machine without a token. Otherwise they have to send the one in {_TOKEN}.",
        _WHERE,
        "--allow-anonymous",
    ),
]
_MaxBody = Annotated[int, option("Largest body of a request, in MiB.", _LIMITS, min=1)]
_MaxPixels = Annotated[int, option("Most pixels of a picture.", _LIMITS, min=1)]
_MaxInstances = Annotated[
    int, option("Instances that are kept at once; the one unused longest is dropped.", _LIMITS, min=1)
]
_CallTimeLimit = Annotated[
    float,
    option("Seconds an agent has for one answer; one that takes longer gets 504 and is let go.", _LIMITS, min=0.001),
]
_MaxSessions = Annotated[int, option("Sessions that are open at once.", _LIMITS, min=1)]
_MaxPerToken = Annotated[int, option("Sessions of one token.", _LIMITS, min=1)]
_MaxRate = Annotated[int, option("Requests a second of one token; of one address without tokens.", _LIMITS, min=1)]
_IdleTime = Annotated[float, option("Seconds after which a session that is not used is closed.", _LIMITS, min=0.001)]
_TotalTime = Annotated[float, option("Seconds after which any session is closed.", _LIMITS, min=0.001)]


def serve(  # noqa: PLR0913  # one option a parameter
    follower: _Follower = "",
    commander: _Commander = "",
    host: _Host = "127.0.0.1",
    port: _Port = 8000,
    allow_anonymous: _Anonymous = False,
    world: _World = "",
    views: _Views = "all",
    seed: _Seed = 0,
    agent: _Agents = None,
    allow_host: _AllowHost = None,
    hook: _Hooks = None,
    simulator: _Simulators = None,
    games: _Games = None,
    store: _Store = None,
    instances: _Instances = None,
    images: _Images = None,
    max_body: _MaxBody = 256,
    max_pixels: _MaxPixels = 2_000_000,
    max_instances: _MaxInstances = 64,
    call_time_limit: _CallTimeLimit = 60.0,
    max_sessions: _MaxSessions = 256,
    max_sessions_per_token: _MaxPerToken = 256,
    max_rate: _MaxRate = 5_000,
    idle_time: _IdleTime = 900.0,
    total_time: _TotalTime = 21_600.0,
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
    from teach_agents_serve.limits import Limits, is_loopback, required_token
    from teach_agents_serve.live_serving import LiveServing, offered
    from teach_agents_serve.posted import Stored
    from teach_agents_serve.sharing_time import serving_many

    from teach_agents.conventions.agent_wire import PICTURES

    token = required_token(host, os.environ.get(_TOKEN, ""), allow_anonymous=allow_anonymous)
    all_or_none = {"all": PICTURES, "none": ()}
    pictures = all_or_none.get(views, tuple(one.strip() for one in views.split(",")))
    much = (max_body << 20, max_pixels, max_instances, max_sessions, max_sessions_per_token, max_rate)
    most = dict(zip(_AMOUNTS, much, strict=True))
    limits = Limits(**most, answer_s=call_time_limit, idle_s=idle_time, total_s=total_time, views=pictures)
    listening_on(port, host).close()  # before the store, which would say that another server has it
    allowed: dict[str, tuple[str, ...]] = {
        "hooks": tuple(hook or ()),
        "hosts": tuple(allow_host or ()),
        "simulators": tuple(simulator or ("embedded",)),
    }
    said, where = agent or (), store or default_store(port)
    there = {} if world else offered(said, commander=commander, follower=follower)
    app = create_app(
        follower,
        commander=commander,
        seed=seed,
        token=token,
        limits=limits,
        stored=Stored(instances, images),
        live=None if world else LiveServing(where, there, games=games, allow_import=True, **allowed),
        world=world or None,
        agents=_seated(said, (commander, follower, hook, simulator, games)) if world else None,
        hosts=[] if not token and is_loopback(host) else None,
        allow_import=True,
    )
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
