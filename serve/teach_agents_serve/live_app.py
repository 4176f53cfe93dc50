"""Live sessions and their page, as parts of the application."""

from __future__ import annotations

import logging
from http import HTTPStatus

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException

from teach_agents.errors import InputError
from teach_agents.live import LiveError
from teach_agents_serve.agent_sessions import Refusal
from teach_agents_serve.live_desk import LiveDesk
from teach_agents_serve.live_past_routes import past_router
from teach_agents_serve.live_routes import live_router
from teach_agents_serve.live_store import StoreError
from teach_agents_serve.live_visitors import Reception
from teach_agents_serve.openai_routes import openai_router
from teach_agents_serve.page import FOLDER, PageFiles, login_router, page_router
from teach_agents_serve.teach_routes import SIGN_OF_LIFE
from teach_agents_serve.tokens import Tokens

_LOG = logging.getLogger(__name__)


def add_live(app: FastAPI, desk: LiveDesk, tokens: Tokens) -> None:
    """Add the routes of live sessions, and the page at `/`."""
    reception = Reception(desk, token_needed=bool(tokens))
    app.state.live, app.state.reception = desk, reception
    app.include_router(live_router(desk, reception))
    app.include_router(past_router(desk))
    app.include_router(openai_router(desk))
    app.include_router(login_router(tokens))
    app.include_router(page_router(SIGN_OF_LIFE))
    app.mount("/page", PageFiles(directory=FOLDER), name="page")
    app.add_exception_handler(Refusal, _refused)
    app.add_exception_handler(LiveError, _not_done)
    app.add_exception_handler(InputError, _bad)
    app.add_exception_handler(RequestValidationError, _unfit)
    app.add_exception_handler(StoreError, _unkept)
    app.add_exception_handler(HTTPStatus.METHOD_NOT_ALLOWED, _not_so)
    app.add_exception_handler(HTTPStatus.NOT_FOUND, _nowhere)


async def _refused(_: Request, error: Exception) -> Response:
    assert isinstance(error, Refusal)
    headers = {"Retry-After": "1"} if error.status == HTTPStatus.TOO_MANY_REQUESTS else None
    return _problem(error.status, error.error, str(error), headers)


async def _not_done(_: Request, error: Exception) -> Response:
    assert isinstance(error, LiveError)
    status = HTTPStatus.NOT_FOUND if error.kind == "no_picture" else HTTPStatus.CONFLICT
    return _problem(status, error.kind, str(error))


async def _bad(_: Request, error: Exception) -> Response:
    """Of the right form, but there is no such thing, or it does not go with the rest."""
    return _problem(HTTPStatus.CONFLICT, "cannot_be_done", str(error))


async def _unfit(_: Request, error: Exception) -> Response:
    """What FastAPI could not read of a path or a query, in a line."""
    assert isinstance(error, RequestValidationError)
    words = "; ".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors())
    return _problem(HTTPStatus.UNPROCESSABLE_ENTITY, "bad_request", words[:1000])


async def _unkept(_: Request, error: Exception) -> Response:
    _LOG.error("a live session could not be kept", exc_info=error)
    return _problem(HTTPStatus.CONFLICT, "broken", "the server cannot keep its sessions at the moment")


async def _not_so(request: Request, error: Exception) -> Response:
    """A method that an address does not know; starlette would name those of the first route there alone."""
    assert isinstance(error, HTTPException)
    known = request.app.openapi()["paths"].get(request.url.path)
    headers = dict(error.headers or {}) if known is None else {"Allow": ", ".join(sorted(map(str.upper, known)))}
    return _problem(HTTPStatus.METHOD_NOT_ALLOWED, "no_such_method", "this address knows other methods", headers)


async def _nowhere(_: Request, error: Exception) -> Response:
    return _problem(HTTPStatus.NOT_FOUND, "no_such_address", "there is nothing at this address")


def _problem(status: HTTPStatus, kind: str, words: str, headers: dict[str, str] | None = None) -> Response:
    return JSONResponse({"error": kind, "message": words}, status, headers)
