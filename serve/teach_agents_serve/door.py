"""The door of a server, before anything else is done: who comes in, how often, and with how much.

Plain ASGI; bearer tokens, and the cookie that a browser gets for one.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import ipaddress
import json
import time
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from http.cookies import CookieError, SimpleCookie
from time import monotonic
from typing import TYPE_CHECKING, NamedTuple

from teach_agents_serve.limits import is_loopback
from teach_agents_serve.metrics import Metrics

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send


_LASTS_S = 12 * 3600
OWNER = "teach_agents.owner"
"""Where a request's scope says whose it is: by the number of the token, never the token."""
OPEN_TO_ALL = frozenset({"/health", "/ready"})
_PAGE = "/page/"
_LIVE = "/v1/live/"
_OPTIONS = "/v1/live/options"
_OPENAI = ("/v1/chat/", "/v1/models")
_CALLERS = 10_000
"""Addresses whose rates are remembered."""
_OPENAI_TYPES = {401: "authentication_error", 429: "rate_limit_error"}
_KINDS = {408: "body_too_slow", 401: "no_token", 403: "other_origin", 413: "body_too_large", 429: "too_often"}


class Tokens:
    """Knows who may come in; compares in constant time and writes nothing down.

    A browser that has shown a token gets a cookie: when it ends, and a code over that which only the holder of the
    token could have made. So it outlives a restart of the server, and holds no token.
    """

    def __init__(self, tokens: Sequence[str]) -> None:
        self._tokens = [token.encode() for token in tokens]
        whole = hashlib.sha256(b"\0".join(self._tokens)).hexdigest()
        self.cookie_name = f"teach_agents_{whole[:8]}"

    def __bool__(self) -> bool:
        """Whether anything is asked for at all."""
        return bool(self._tokens)

    def owner(self, headers: Mapping[bytes, bytes]) -> str | None:
        """Whose token, by its number, a request carries; `None` without one."""
        given = headers.get(b"authorization", b"")
        fits = [hmac.compare_digest(given, b"Bearer " + token) for token in self._tokens]
        return f"token {fits.index(True) + 1}" if any(fits) else self._of_cookie(headers.get(b"cookie", b""))

    def cookie(self, owner: str) -> str:
        """A fresh value of the cookie for an owner."""
        number = int(owner.rpartition(" ")[2])
        until = str(int(time.time()) + _LASTS_S)
        return f"{number}.{until}.{self._code(number, until)}"

    @property
    def lasts_s(self) -> int:
        """Seconds that a cookie is good for."""
        return _LASTS_S

    def _of_cookie(self, header: bytes) -> str | None:
        try:
            found = SimpleCookie(header.decode("latin1")).get(self.cookie_name)
        except CookieError:
            return None
        number, _, rest = ("" if found is None else found.value).partition(".")
        until, _, code = rest.partition(".")
        if not (_small(number) and _small(until) and 1 <= int(number) <= len(self._tokens)):
            return None
        fits = hmac.compare_digest(code.encode(), self._code(int(number), until).encode())
        return f"token {int(number)}" if fits and int(until) > time.time() else None

    def _code(self, number: int, until: str) -> str:
        said = f"teach_agents login {number} {until}".encode()
        return hmac.new(self._tokens[number - 1], said, hashlib.sha256).hexdigest()


def _small(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 12


class BodyRefusedError(Exception):
    """A request's body is larger than it may be, or takes longer to come."""

    def __init__(self, status: int, words: str) -> None:
        super().__init__(words)
        self.status = status


class _Layer:
    """Stands before an application."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app


class _Refused(NamedTuple):
    """Why a request may not come in: an HTTP status, what is said, the close code of a socket."""

    status: int
    words: str
    code: int = 1008
    headers: tuple[tuple[bytes, bytes], ...] = ()


class _Check(_Layer):
    """Passes requests on, but for those that it refuses."""

    def refusal(self, scope: Scope) -> _Refused | None:
        """Why a request is not passed on."""
        raise NotImplementedError

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer it."""
        refused = None if scope["type"] == "lifespan" else self.refusal(scope)
        if refused is None:
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            await _refuse(scope, send, refused.status, refused.words, *refused.headers)
        else:
            await send({"type": "websocket.close", "code": refused.code})


class AnswerSeen(_Layer):
    """Sees how the answers to requests begin, and may change that."""

    def begun(self, scope: Scope, message: Message) -> Message:
        """The beginning of an answer, as it is to be sent."""
        raise NotImplementedError

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def seen(message: Message) -> None:
            await send(self.begun(scope, message) if message["type"] == "http.response.start" else message)

        await self._app(scope, receive, seen)


class BodyLimit(_Layer):
    """Answers 413 to a body that is too large, as soon as that shows: what is announced, or what has come; 408 to one
    that has not come within `limit_s`.
    """

    def __init__(self, app: ASGIApp, limit: int, limit_s: float) -> None:
        super().__init__(app)
        self._limit = limit
        self._limit_s = limit_s
        self._large = f"the body is larger than {limit} bytes"
        self._slow = f"the body did not come within {limit_s:g} s"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, counting its body."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        come = 0
        whole = started = False
        until = asyncio.get_running_loop().time() + self._limit_s

        async def counted() -> Message:
            nonlocal come, whole
            try:
                async with asyncio.timeout_at(None if whole else until):
                    message = await receive()
            except TimeoutError:
                raise BodyRefusedError(408, self._slow) from None
            whole = not message.get("more_body", False)
            come += len(message.get("body", b""))
            if come > self._limit:
                raise BodyRefusedError(413, self._large)
            return message

        async def noted(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        announced = _header(scope, b"content-length") or b"0"
        try:
            if announced.isdigit() and (len(announced) > 18 or int(announced) > self._limit):
                raise BodyRefusedError(413, self._large)
            await self._app(scope, counted, noted)
        except BodyRefusedError as refused:
            if not started:
                await _refuse(scope, send, refused.status, str(refused))


class TokenRequired(_Check):
    """Answers 401 to requests without one of the bearer tokens, in a header or as a browser's cookie.

    The files of the page (with `page`) say nothing of the server and need none. A live session has keys of its own,
    which its routes ask for: they are let through, with the owner of the token where there is one.
    """

    def __init__(self, app: ASGIApp, tokens: Tokens, *, page: bool = False) -> None:
        super().__init__(app)
        self._tokens = tokens
        self._page = page

    def refusal(self, scope: Scope) -> _Refused | None:
        """None for who has a token, and where none is needed."""
        path = scope.get("path", "")
        if path in OPEN_TO_ALL:
            return None
        owner = self._tokens.owner(dict(scope.get("headers", ())))
        if owner is not None:
            scope[OWNER] = owner
        if owner is not None or self._passes(path):
            return None
        return _Refused(401, "this server wants a bearer token", headers=((b"www-authenticate", b"Bearer"),))

    def _passes(self, path: str) -> bool:
        if path.startswith(_LIVE):
            return path != _OPTIONS
        return self._page and (path == "/" or path.startswith(_PAGE))


class RateLimited(_Check):
    """Answers 429 to who asks more than so often a second; there may be a second's worth at once."""

    def __init__(self, app: ASGIApp, per_second: int) -> None:
        super().__init__(app)
        self._per_second = float(per_second)
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()
        words = f"at most {self._per_second:g} requests a second"
        self._refused = _Refused(429, words, 1013, ((b"retry-after", b"1"),))

    def refusal(self, scope: Scope) -> _Refused | None:
        """None for an owner who has a request left."""
        return None if self._take(scope.get(OWNER) or (scope.get("client") or ("",))[0]) else self._refused

    def _take(self, owner: str) -> bool:
        now = monotonic()
        left, since = self._left.pop(owner, (self._per_second, now))
        left = min(self._per_second, left + (now - since) * self._per_second)
        may = left >= 1
        self._left[owner] = (left - 1 if may else left, now)
        if len(self._left) > _CALLERS:
            self._left.popitem(last=False)
        return may


class SameOrigin(_Check):
    """Answers 403 to pages of other origins: there is no CORS, and no request that a browser need not ask for first."""

    def refusal(self, scope: Scope) -> _Refused | None:
        """None unless a page of another origin asks."""
        origin = _header(scope, b"origin")
        if origin is None or origin.partition(b"://")[2] == (_header(scope, b"host") or b""):
            return None
        return _Refused(403, "pages of other origins are not served")


class KnownHost(_Check):
    """Answers 403 to requests for a name that this machine is not known by.

    A page of the web can have its own name lead to this machine, and be of the same origin then; it cannot do so with
    an address, with localhost, or with one of `names`. So a server that only this machine reaches needs no token.
    """

    def __init__(self, app: ASGIApp, names: Sequence[str] = ()) -> None:
        super().__init__(app)
        self._names = {name.lower() for name in names}

    def refusal(self, scope: Scope) -> _Refused | None:
        """None for a request that is for us."""
        given = _header(scope, b"host")
        known = given is None or self._knows(_host(given.decode("latin1")))
        return None if known else _Refused(403, "this server does not go by that name")

    def _knows(self, name: str) -> bool:
        if is_loopback(name) or name in self._names:
            return True
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True


class Counted(AnswerSeen):
    """Counts requests by route and status."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        super().__init__(app)
        self._metrics = metrics

    def begun(self, scope: Scope, message: Message) -> Message:
        """The same."""
        route = getattr(scope.get("route"), "path", "none")
        self._metrics.count("requests", route=route, status=str(message["status"]))
        return message


def _host(value: str) -> str:
    """The name in a Host header, without its port."""
    return value[1:].partition("]")[0] if value.startswith("[") else value.partition(":")[0].lower()


def _header(scope: Scope, name: bytes) -> bytes | None:
    for known, value in scope.get("headers", ()):
        if known == name:
            return bytes(value)
    return None


async def _refuse(scope: Scope, send: Send, status: int, text: str, *headers: tuple[bytes, bytes]) -> None:
    """JSON for the routes that speak it, in OpenAI's form for OpenAI's; a line of plain text for TEACh's."""
    kind, body = b"text/plain; charset=utf-8", text.encode()
    path = scope.get("path", "")
    if path.startswith("/v1/"):
        told: object = {"error": _KINDS[status], "message": text}
        if path.startswith(_OPENAI):
            kind_of = _OPENAI_TYPES.get(status, "invalid_request_error")
            told = {"error": {"message": text, "type": kind_of, "param": None, "code": _KINDS[status]}}
        kind, body = b"application/json", json.dumps(told).encode()
    length = (b"content-length", str(len(body)).encode())
    head = [(b"content-type", kind), length, (b"connection", b"close"), *headers]
    await send({"type": "http.response.start", "status": status, "headers": head})
    await send({"type": "http.response.body", "body": body})
