"""`teach-agents serve`: agents over HTTP."""

from __future__ import annotations

import os
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated

import typer

from teach_agents.cli.options import option

__all__ = ["serve"]

_TOKEN = "TEACH_AGENTS_TOKEN"
_WHAT = "What is served"
_WHERE = "To whom"
_LIMITS = "Limits"
_EXTRA = ("fastapi", "uvicorn", "python_multipart")

_Follower = Annotated[str, option("SPEC of the Follower: name[:key=value,...] or module:Class.", _WHAT)]
_Seed = Annotated[int, option("Seed of the Follower.", _WHAT)]
_Instances = Annotated[
    Path | None, option("Folder of instances that requests only name, by edh_name (TEACh's --use_edh_file).", _WHAT)
]
_Images = Annotated[
    Path | None, option("Folder of pictures that requests only name, by img_name (TEACh's --use_img_file).", _WHAT)
]
_Host = Annotated[str, option("Address to listen on.", _WHERE)]
_Port = Annotated[int, option("Port to listen on; TEACh's client asks at 5000.", _WHERE, min=0, max=65535)]
_Anonymous = Annotated[
    bool,
    typer.Option(
        "--allow-anonymous",
        help=f"Serve others than this machine without a token. Otherwise they have to send the one in {_TOKEN}.",
        rich_help_panel=_WHERE,
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


def serve(  # noqa: PLR0913  # one option a parameter
    follower: _Follower,
    host: _Host = "127.0.0.1",
    port: _Port = 8000,
    allow_anonymous: _Anonymous = False,
    seed: _Seed = 0,
    instances: _Instances = None,
    images: _Images = None,
    max_body: _MaxBody = 256,
    max_pixels: _MaxPixels = 2_000_000,
    max_instances: _MaxInstances = 64,
    call_time_limit: _CallTimeLimit = 60.0,
) -> None:
    """Let TEACh's inference runner drive a Follower over HTTP, by its remote-model protocol.

    Where the environment variable TEACH_AGENTS_TOKEN is set, every request has to carry it as a bearer token. TEACh's
    own client cannot send one: it needs loopback, or --allow-anonymous on a network of your own.

    [bold]Examples[/bold]

      teach-agents serve --follower random --port 5000

      teach-agents serve --follower mypackage.agents:MyFollower
    """
    _check_extra()
    import uvicorn
    from teach_agents_serve.app import create_app
    from teach_agents_serve.limits import Limits, required_token
    from teach_agents_serve.stored import Stored

    token = required_token(host, os.environ.get(_TOKEN, ""), allow_anonymous=allow_anonymous)
    most = {"body_bytes": max_body << 20, "picture_pixels": max_pixels, "instances": max_instances}
    limits = Limits(**most, answer_s=call_time_limit)
    stored = Stored(instances, images)
    app = create_app(follower, seed=seed, token=token, limits=limits, stored=stored, allow_import=True)
    uvicorn.run(app, host=host, port=port, server_header=False)


def _check_extra() -> None:
    from teach_agents.errors import MissingExtraError

    for package in _EXTRA:
        if find_spec(package) is None:
            raise MissingExtraError(package.replace("_", "-"), "serve")
