"""The application: whatever is served, behind the same limits and the same door."""

from __future__ import annotations

from fastapi import FastAPI

from teach_agents_serve.desk import Desk
from teach_agents_serve.limits import BodyLimit, Limits, TokenRequired
from teach_agents_serve.stored import Stored
from teach_agents_serve.teach_routes import teach_router

__all__ = ["create_app"]


def create_app(
    follower: str,
    *,
    seed: int = 0,
    token: str = "",
    limits: Limits | None = None,
    stored: Stored | None = None,
    allow_import: bool = False,
) -> FastAPI:
    """Serve the Follower of a SPEC over TEACh's remote-model protocol.

    `token` is the bearer token that every request has to carry, "" for none. `stored` says where instances and pictures
    lie that requests only name. `allow_import` admits `module:Class`: the
    SPEC comes from whoever starts the server, never from a request. Raises `SpecError` for an unknown agent, or one
    that reads what the protocol does not carry.
    """
    known = limits or Limits()
    desk = Desk(follower, known, seed=seed, allow_import=allow_import)
    app = FastAPI(title="teach_agents", docs_url=None, redoc_url=None)
    app.include_router(teach_router(desk, known, stored or Stored()))
    app.add_middleware(BodyLimit, limit=known.body_bytes)
    if token:
        app.add_middleware(TokenRequired, token=token)
    return app
