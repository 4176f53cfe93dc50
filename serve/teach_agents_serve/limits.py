"""What a server takes from strangers: how much, and from whom."""

from __future__ import annotations

import hmac
import ipaddress
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING

from teach_agents.errors import InputError

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["BodyLimit", "BodyTooLargeError", "Limits", "TokenRequired", "is_loopback", "required_token"]

_MIB = 1 << 20


@dataclass(frozen=True, slots=True)
class Limits:
    """How much a request may bring, how many instances are kept at once, and how long an agent may take.

    A history of 500 pictures of 900 x 900, as JPEG, is about 50 MiB. `answer_s` are the seconds for one answer; to get
    ready an agent has five minutes, or as long as for an answer if that is longer. Raises `InputError` for a limit
    below 1, and for seconds that are not above 0.
    """

    body_bytes: int = 256 * _MIB
    picture_pixels: int = 2_000_000
    history_pictures: int = 5_000
    instances: int = 64
    answer_s: float = 60.0

    def __post_init__(self) -> None:
        for name in ("body_bytes", "picture_pixels", "history_pictures", "instances"):
            value = getattr(self, name)
            if not isinstance(value, int) or value < 1:
                raise InputError("server limits", f"{name} must be a whole number of at least 1", value=value)
        if not 0 < self.answer_s <= threading.TIMEOUT_MAX:
            raise InputError("server limits", "answer_s must be a number of seconds above 0", value=self.answer_s)

    @property
    def ready_s(self) -> float:
        """Seconds that an agent has to get ready."""
        return max(300.0, self.answer_s)


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach an address."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def required_token(host: str, token: str, *, allow_anonymous: bool) -> str:
    """The token that clients have to send; "" for none.

    Raises `InputError` for an address that others can reach, no token, and no word that this is meant.
    """
    if not token and not is_loopback(host) and not allow_anonymous:
        problem = (
            "others can reach this address: set a token, or say that nobody needs one (the reference's client has none)"
        )
        raise InputError("--host", problem, value=host)
    return token


class BodyTooLargeError(Exception):
    """A request's body is larger than it may be."""


class BodyLimit:
    """Answers 413 to a body that is too large, as soon as that shows: what is announced, or what has come."""

    def __init__(self, app: ASGIApp, limit: int) -> None:
        self._app = app
        self._limit = limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, counting its body."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        come = 0
        started = False

        async def counted() -> Message:
            nonlocal come
            message = await receive()
            come += len(message.get("body", b""))
            if come > self._limit:
                raise BodyTooLargeError
            return message

        async def noted(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        announced = dict(scope["headers"]).get(b"content-length", b"0")
        try:
            if announced.isdigit() and int(announced) > self._limit:
                raise BodyTooLargeError
            await self._app(scope, counted, noted)
        except BodyTooLargeError:
            if not started:
                await _refuse(send, 413, f"the body is larger than {self._limit} bytes")


class TokenRequired:
    """Answers 401 to requests without the bearer token; compares in constant time and never writes it down."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = app
        self._expected = f"Bearer {token}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on if it may come in."""
        given = dict(scope.get("headers", ())).get(b"authorization", b"")
        if scope["type"] == "lifespan" or hmac.compare_digest(given, self._expected):
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            await _refuse(send, 401, "this server wants a bearer token", (b"www-authenticate", b"Bearer"))
        else:
            await send({"type": "websocket.close", "code": 1008})


async def _refuse(send: Send, status: int, text: str, *headers: tuple[bytes, bytes]) -> None:
    plain = (b"content-type", b"text/plain; charset=utf-8")
    body = text.encode()
    length = (b"content-length", str(len(body)).encode())
    closing = (b"connection", b"close")
    head = [plain, length, closing, *headers]
    await send({"type": "http.response.start", "status": status, "headers": head})
    await send({"type": "http.response.body", "body": body})
