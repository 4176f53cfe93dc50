"""The application: whatever is served, behind the same limits and the same door, with its live sessions and page."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from importlib.metadata import version

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from pydantic.json_schema import models_json_schema
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect

from teach_agents.actions import Role
from teach_agents.conventions.agent_wire import Description, OpenRequest, WireObservation
from teach_agents.core.json_types import JsonObject
from teach_agents.core.registry import default_registry
from teach_agents.core.wire import wire_of
from teach_agents.core.world import World
from teach_agents.errors import InputError, SpecError, trace_of
from teach_agents.live import LiveError
from teach_agents.session.codec import teach_world
from teach_agents_serve.agent_routes import agent_router
from teach_agents_serve.agent_sessions import AgentSessions, Refusal, served
from teach_agents_serve.door import BodyLimit, Counted, KnownHost, RateLimited, SameOrigin, TokenRequired, Tokens
from teach_agents_serve.limits import Limits
from teach_agents_serve.live_desk import LiveDesk, Reception
from teach_agents_serve.live_past_routes import past_router
from teach_agents_serve.live_routes import live_router
from teach_agents_serve.live_serving import LiveServing
from teach_agents_serve.live_store import StoreError
from teach_agents_serve.live_wire import ActRequest, NewSession
from teach_agents_serve.metrics import Metrics, operating_router
from teach_agents_serve.openai_routes import openai_router
from teach_agents_serve.openai_wire import ChatRequest
from teach_agents_serve.page import FOLDER, PageFiles, SecureHeaders, login_router, page_router
from teach_agents_serve.posted import Stored, later
from teach_agents_serve.teach_routes import SIGN_OF_LIFE, Desk, refusing_router, teach_router

_LOG = logging.getLogger(__name__)
_TOLD = (Refusal, LiveError, InputError, RequestValidationError, StoreError)
"""What is raised where something is not done."""


def create_app(  # noqa: PLR0913  # what may be served, and to whom
    follower: str = "",
    *,
    commander: str = "",
    seed: int = 0,
    token: str = "",
    limits: Limits | None = None,
    stored: Stored | None = None,
    live: LiveServing | None = None,
    world: World | str | None = None,
    agents: Mapping[str, str] | None = None,
    hosts: Sequence[str] | None = None,
    allow_import: bool = False,
) -> FastAPI:
    """Serve the agents of one or two SPECs: sessions under `/v1`, and TEACh's remote-model protocol for the Follower.

    In another `world` than TEACh's household `agents` are served, SPECs by seat, in place of the two.
    `live` says what live sessions may be made of, under `/v1/live` and on the page; without it there are none.
    `token` is the bearer token that every request has to carry, or several with commas between them, "" for none.
    `seed` and `stored` (where instances and pictures lie that requests only name) are of TEACh's protocol.
    `hosts` are the names by which requests may call this machine, besides its addresses; `None` for any (see
    `KnownHost`). `allow_import` admits `module:Class`: SPECs come from whoever starts the server, never from a request.
    Raises `SpecError` for an unknown agent, or one that needs more than observations; `InputError` where nothing is to
    be served, and for a store that cannot be opened.
    """
    known = limits or Limits()
    if not follower and not commander and not agents and live is None:
        raise InputError("server", "needs an agent to serve: a Follower, a Commander, or both; or live sessions")
    there = default_registry().world(world) or teach_world()
    make = partial(served, views=known.views, allow_import=allow_import, world=there)
    others = {Role.COMMANDER.value: commander, **(agents or {})}
    seated = {seat: make(seat, spec) for seat, spec in others.items() if spec}
    teach = refusing_router("no Follower is served here")
    if follower:
        with suppress(SpecError):  # one that wants to know the history is served by TEACh's protocol, which brings it
            seated[Role.FOLLOWER.value] = make(Role.FOLLOWER.value, follower)
        try:
            follows = Desk(follower, known, seed=seed, allow_import=allow_import)
            teach = teach_router(follows, known, stored or Stored())
        except SpecError as error:
            if Role.FOLLOWER.value not in seated:
                raise
            teach = refusing_router(str(error))
    metrics = Metrics()
    sessions = AgentSessions(seated, there, known, metrics)
    told = {seat: one.description for seat, one in seated.items()}
    description = Description(version=version("teach-agents"), agents=told, **wire_of(there).stated)
    app = _Application(title="teach_agents", version=description.version, docs_url=None, redoc_url=None, lifespan=_over)
    app.state.sessions, app.state.live = sessions, None
    app.include_router(agent_router(sessions, description, known))
    desk = LiveDesk(live, known, metrics) if live else None
    app.include_router(
        operating_router(description, metrics, lambda: sessions.full or (desk is not None and desk.full))
    )
    tokens = Tokens([one.strip() for one in token.split(",") if one.strip()])
    if desk:
        add_live(app, desk, tokens)
    app.include_router(teach)
    app.add_exception_handler(ClientDisconnect, _gone)
    _guard(app, known, metrics, tokens)
    if hosts is not None:
        app.add_middleware(KnownHost, names=hosts)
    return app


async def _gone(request: Request, error: Exception) -> Response:
    """A client that went before its request was whole did nothing, and hears nothing."""
    return Response(status_code=400)


def _guard(app: FastAPI, known: Limits, metrics: Metrics, tokens: Tokens) -> None:
    """Put the door before everything; what is added last is passed first."""
    app.add_middleware(BodyLimit, limit=known.body_bytes, limit_s=known.body_s)
    app.add_middleware(Counted, metrics=metrics)
    app.add_middleware(RateLimited, per_second=known.requests_per_s)
    if tokens:
        app.add_middleware(TokenRequired, tokens=tokens, page=app.state.live is not None)
    app.add_middleware(SameOrigin)
    app.add_middleware(SecureHeaders)


class _Application(FastAPI):
    """Publishes the schemas of bodies that routes read themselves, too."""

    def openapi(self) -> JsonObject:
        if self.openapi_schema is None:
            schema = super().openapi()
            read = [(OpenRequest, "validation"), (WireObservation, "validation")]
            if self.state.live:
                read += [(NewSession, "validation"), (ActRequest, "validation"), (ChatRequest, "validation")]
            _, more = models_json_schema(read, ref_template="#/components/schemas/{model}")  # type: ignore[arg-type]
            schema["components"]["schemas"].update(more["$defs"])
            self.openapi_schema = schema
        return self.openapi_schema


@asynccontextmanager
async def _over(app: FastAPI) -> AsyncIterator[None]:
    if app.state.live:
        app.state.live.start()
    yield
    app.state.sessions.close_all()
    if app.state.live:
        await app.state.live.close()


def add_live(app: FastAPI, desk: LiveDesk, tokens: Tokens) -> None:
    """Add the routes of live sessions, and the page at `/`."""
    reception = Reception(desk, token_needed=bool(tokens))
    app.state.live, app.state.reception = desk, reception
    routers = live_router(desk, reception), past_router(desk), openai_router(desk), login_router(tokens)
    for router in (*routers, page_router(SIGN_OF_LIFE)):
        app.include_router(router)
    app.mount("/page", PageFiles(directory=FOLDER), name="page")
    for kind in (*_TOLD, 405, 404):
        app.add_exception_handler(kind, _problem)


async def _problem(request: Request, error: Exception) -> Response:
    """What was refused, and why, as JSON."""
    status, headers = 409, None
    match error:
        case Refusal():
            status, kind, words, headers = error.status, error.error, str(error), later(error.status)
        case LiveError():
            status = 404 if error.kind == "no_picture" else status
            kind, words = error.kind, str(error)
        case InputError():  # of the right form, but there is no such thing, or it does not go with the rest
            kind, words = "cannot_be_done", str(error)
        case RequestValidationError():  # what FastAPI could not read of a path or a query
            said = "; ".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors())
            status, kind, words = 422, "bad_request", said[:1000]
        case StoreError():
            _LOG.error("a live session could not be kept: %s", trace_of(error))
            kind, words = "broken", "the server cannot keep its sessions at the moment"
        case HTTPException(status_code=405):
            status, kind, words = 405, "no_such_method", "this address knows other methods"
            headers = _allowed(request, error)
        case _:
            status, kind, words = 404, "no_such_address", "there is nothing at this address"
    return JSONResponse({"error": kind, "message": words}, status, headers)


def _allowed(request: Request, error: HTTPException) -> dict[str, str]:
    """The methods that an address knows; starlette would name those of the first route there alone."""
    known = request.app.openapi()["paths"].get(request.url.path)
    return {"Allow": ", ".join(sorted(map(str.upper, known)))} if known else dict(error.headers or {})
