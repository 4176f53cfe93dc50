"""The page: its files, what browsers are told to keep to, and how a person shows the server's token."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import FileResponse, JSONResponse, Response
from pydantic import BaseModel
from starlette.staticfiles import StaticFiles
from starlette.types import Message, Scope

from teach_agents.core.json_types import JsonObject
from teach_agents_serve.door import OWNER, AnswerSeen, Tokens
from teach_agents_serve.posted import problems

FOLDER = Path(__file__).parent / "page"
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
_HEADERS = (
    (b"content-security-policy", _POLICY.encode()),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=(), payment=(), usb=()"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-content-type-options", b"nosniff"),
)


class SecureHeaders(AnswerSeen):
    """Tells browsers to run and load nothing but what this server serves, and to tell nobody where they are."""

    def begun(self, scope: Scope, message: Message) -> Message:
        """With the headers."""
        return {**message, "headers": [*message.get("headers", ()), *_HEADERS]}


class PageFiles(StaticFiles):
    """The page's files; browsers ask each time whether they are still the same."""

    def file_response(self, *args: Any, **more: Any) -> Response:
        """A file, or the word that it has not changed."""
        response = super().file_response(*args, **more)
        response.headers["Cache-Control"] = "no-cache"
        return response


def page_router(sign_of_life: JsonObject) -> APIRouter:
    """`/`: the page for browsers, TEACh's sign of life for whoever does not ask for HTML."""
    router = APIRouter(include_in_schema=False)

    @router.get("/")
    async def page(request: Request) -> Response:
        """The page."""
        if "text/html" in request.headers.get("accept", ""):
            return FileResponse(FOLDER / "index.html", headers={"Cache-Control": "no-cache", "Vary": "Accept"})
        return JSONResponse(sign_of_life, headers={"Vary": "Accept"})

    return router


class LoginReply(BaseModel):
    """Whether this server asks for a token at all."""

    needed: bool


def login_router(tokens: Tokens) -> APIRouter:
    """How a browser shows the token once: a cookie stands for it from then on."""
    router = APIRouter(prefix="/v1", tags=["login"], responses=problems(401, 403, 429))

    def told() -> Response:
        return JSONResponse({"needed": bool(tokens)}, headers={"Cache-Control": "no-store"})

    @router.post("/login", response_model=LoginReply)
    async def login(request: Request) -> Response:
        """Get a cookie for the bearer token that this request carries."""
        response = told()
        owner = request.scope.get(OWNER)
        if tokens and owner:
            response.set_cookie(
                tokens.cookie_name,
                tokens.cookie(owner),
                max_age=tokens.lasts_s,
                secure=request.url.scheme == "https",
                httponly=True,
                samesite="strict",
            )
        return response

    @router.post("/logout", response_model=LoginReply)
    async def logout() -> Response:
        """Forget the cookie."""
        response = told()
        response.delete_cookie(tokens.cookie_name, httponly=True, samesite="strict")
        return response

    return router
