"""An agent behind a server of `teach-agents serve`: an ordinary agent here, in a seat of the server's world."""

from __future__ import annotations

import asyncio
import http.client
import json
import secrets
import socket
import threading
import weakref
from collections.abc import Mapping
from dataclasses import asdict
from time import monotonic
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from teach_agents.benchmarks.costs import Costs
from teach_agents.conventions.agent_wire import (
    KEY_HEADER,
    ActReply,
    Description,
    OpenReply,
    OpenRequest,
    ReadReply,
    RecallReply,
)
from teach_agents.conventions.calling import server_of, token_of
from teach_agents.conventions.observation_wire import problems_of
from teach_agents.core.agents.contract import Agent, Briefing
from teach_agents.core.json_types import JsonMapping
from teach_agents.core.values import Result, Utterance
from teach_agents.core.wire import News, Seen, wire_of
from teach_agents.core.world import World
from teach_agents.errors import ActionError, InputError, ModelError, TeachAgentsError, explained
from teach_agents.models.prompts import Usage
from teach_agents.models.servers import PassingError, Patience, RateLimit
from teach_agents.session.codec import teach_world

_Reply = TypeVar("_Reply", bound=BaseModel)
_PASSING = frozenset({408, 425, 429, 502, 503, 504})
_LARGEST = 16 << 20
"""Bytes; a larger reply is not read to its end."""
_SHOWN = 500
_PARTING_S = 2.0
"""Seconds that closing a session may take; a server closes what is left open by itself."""


class RemoteAgent(Agent):
    """The agent that the server at `url` has for `role`, a seat of `world`; without one that is TEACh's household.

    The server says which privileges it reads and which pictures it looks at; these are sent, and no others. Pictures go
    as `pictures`, "png" (as they are) or "jpeg". A request that fails on the way is sent again, up to `retries` times
    and for `timeout_s` seconds in all, under the same key: the server acts once. `token_env` names the
    environment variable with the bearer token.

    Raises `InputError` for a bad address, and for a server of another world, of a version that is not read here, or
    without an agent for the seat; `TeachAgentsError` where there is no such server. What the agent there raises is
    raised here as `TeachAgentsError`.
    """

    def __init__(
        self,
        url: str,
        role: str,
        *,
        world: World | None = None,
        token_env: str = "",
        timeout_s: float = 120.0,
        retries: int = 4,
        pictures: str = "png",
    ) -> None:
        if pictures not in ("png", "jpeg"):
            raise InputError("remote agent", "pictures must be 'png' or 'jpeg'", value=pictures)
        self._role = str(role)
        self._wire = wire_of(world or teach_world())
        self._line = _Line(url, token_of("remote agent", token_env), timeout_s, retries)
        self._closing = weakref.finalize(self, self._line.close, "")
        self._pictures = pictures
        told = self._line.ask("/v1/agents", Description)
        self._wire.check(f"the server at {url}", told.world, told.world_version)
        served = told.agents.get(self._role)
        if served is None:
            raise InputError("remote agent", f"{url} has no {self._role}", valid=told.agents)
        self.privileges = self._wire.privileges(served.privileges)
        self._stated = {"remote_spec": served.spec, "remote_version": told.version}
        self._views = served.views
        self._recalls, self.relives, self.distributes = served.recalls, served.relives, served.distributes
        self._news: list[News] = []
        self._session = ""
        self.provenance: Mapping[str, str] = self._stated
        self.thought: JsonMapping | None = None
        self.usage: Costs | Usage = Usage()

    async def begin(self, briefing: Briefing) -> None:
        """Close the last session and open another."""
        await self.close()
        self._written = self._wire.writer(self.privileges, self._views, self._pictures)
        self._news.clear()
        self.thought, self.usage = None, Usage()
        told = {key: value for key, value in asdict(briefing).items() if key in OpenRequest.model_fields}
        told |= {"role": self._role, "person": briefing.person or None, **self._wire.stated}
        written = OpenRequest(**told).model_dump_json(exclude_none=True).encode()
        opened = await self._line.asked("/v1/sessions", OpenReply, written)
        self._session = opened.id
        self.provenance = {**self._stated, **opened.provenance}
        self._closing.detach()
        self._closing = weakref.finalize(self, self._line.close, opened.id)

    def hear(self, utterance: Utterance) -> None:
        """Sent with the next observation."""
        self._news.append(utterance)

    def told(self, result: Result) -> None:
        """Sent with the next observation."""
        self._news.append(result)

    async def recall(self, observation: Any) -> None:
        """Send what somebody observed before, if the agent there makes anything of it.

        Raises `TeachAgentsError` for what the agent raised, and where there is no answer in time.
        """
        if self._recalls:
            self._check((await self._asked("recall", RecallReply, observation)).failed)

    async def action_distribution(self, observation: Any) -> Any:
        """What the agent there says, if it says it by itself. Raises as `recall`."""
        reply = await self._asked("read", ReadReply, observation)
        self._check(reply.failed)
        return [(self._wire.codec.action_from_json(action), share) for action, share in reply.chances]

    async def act(self, observation: Any) -> Any:
        """Send the observation; the answer that comes back.

        Raises `ActionError` for an answer that is no action, `TeachAgentsError` for what the agent raised and where
        there is no answer in time.
        """
        reply = await self._asked("act", ActReply, observation)
        self.thought = reply.thought
        if reply.provenance is not None:
            self.provenance = {**self._stated, **reply.provenance}
        if reply.usage is not None:
            self.usage = _usage(reply.usage)
        self._check(reply.failed)
        if reply.action is None:
            raise ActionError("remote agent", reply.problem or "answered with no action")
        try:
            return self._wire.codec.action_from_json(reply.action)
        except InputError as error:
            raise ActionError("remote agent", str(error)) from error

    async def _asked(self, what: str, form: type[_Reply], observation: Any) -> _Reply:
        """What the session there answers to an observation, and to the news before it."""
        if not self._session:
            raise TeachAgentsError("a remote agent acts after begin(briefing)")
        news = tuple(self._news)
        self._news.clear()
        route = f"/v1/sessions/{self._session}/{what}"
        return await self._line.asked(route, form, self._written(Seen(observation, news, self.valid_actions)))

    def _check(self, failed: str) -> None:
        if failed:
            raise TeachAgentsError(f"remote agent at {self._line.url}: {failed}")

    async def close(self) -> None:
        """Close the session there, if one is open."""
        session, self._session = self._session, ""
        if session:
            await asyncio.to_thread(self._line.part, session)


class _Line:
    """A connection to a server that is kept between requests and made anew where it broke."""

    def __init__(self, url: str, token: str, timeout_s: float, retries: int) -> None:
        self._connect, path = server_of("remote agent", url, "an address http(s)://host[:port]")
        if not timeout_s > 0 or retries < 0:
            problem = "timeout_s must be above 0 and retries at least 0"
            raise InputError("remote agent", problem, value=(timeout_s, retries))
        self.url = url.rstrip("/")
        self._path = path.removesuffix("/v1")
        self._headers = {"Content-Type": "application/json"}
        if token:
            self._headers["Authorization"] = f"Bearer {token}"
        self._timeout_s = timeout_s
        self._patience = Patience(retries + 1, wait_s=0.2, longest_s=5.0)
        self._connection: http.client.HTTPConnection | None = None
        self._busy = threading.Lock()

    async def asked(self, route: str, form: type[_Reply], body: bytes) -> _Reply:
        """`ask` in another thread, so that who waits can be cancelled."""
        given_up = threading.Event()
        try:
            return await asyncio.to_thread(self.ask, route, form, body, given_up)
        except asyncio.CancelledError:
            given_up.set()
            self._cut()
            raise

    def ask(self, route: str, form: type[_Reply], body: bytes = b"", given_up: threading.Event | None = None) -> _Reply:
        """A reply to a POST of a body, or to a GET without one. Raises `TeachAgentsError`.

        There are as many tries as there may be, and none once it is `given_up`.
        """
        headers = {**self._headers, KEY_HEADER: secrets.token_hex(16)}

        def tried(left_s: float) -> bytes:
            if given_up and given_up.is_set():
                raise ModelError("nobody waits for the answer any more")
            return self._sent(("POST" if body else "GET", self._path + route, body, headers), left_s)

        try:
            with self._busy:
                answer = self._patience.keep_trying(tried, self._timeout_s, RateLimit(0))
        except ModelError as error:
            raise TeachAgentsError(f"remote agent at {self.url}: {route}: {error}") from error
        try:
            return form.model_validate_json(answer)
        except ValidationError as error:
            raise TeachAgentsError(
                f"remote agent at {self.url}: {route}: not the protocol's reply: {problems_of(error)}"
            ) from None

    def _sent(self, request: tuple[str, str, bytes, dict[str, str]], left_s: float) -> bytes:
        """One try."""
        try:
            connection = self._connection or self._connect(timeout=left_s)
            self._connection = connection
            if connection.sock:
                connection.sock.settimeout(left_s)
            connection.request(*request)
            response = connection.getresponse()
            answer = _read(response, monotonic() + left_s)
        except (OSError, http.client.HTTPException) as error:
            self._drop()
            if isinstance(error, socket.gaierror) and error.errno != socket.EAI_AGAIN:
                raise ModelError(f"there is no such host: {error}") from error
            raise PassingError(f"no answer: {explained(error)}") from error
        if response.will_close:
            self._drop()
        if response.status in _PASSING:
            stated = response.getheader("Retry-After", "")
            wait_s = float(stated) if stated.isdecimal() and len(stated) < 6 else None
            raise PassingError(f"answered {response.status}: {_told(answer)}", wait_s)
        if response.status != http.client.OK:
            raise ModelError(f"answered {response.status}: {_told(answer)}")
        return answer

    def _cut(self) -> None:
        """Wake up whoever waits for an answer in another thread."""
        waited = self._connection.sock if self._connection else None
        if waited:
            try:
                waited.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass  # it broke by itself

    def _drop(self) -> None:
        connection, self._connection = self._connection, None
        if connection:
            connection.close()

    def part(self, session: str) -> None:
        """Close a session there; what goes wrong is left to the server's own time limit."""
        if not self._busy.acquire(timeout=_PARTING_S):
            return
        try:
            self._sent(("DELETE", f"{self._path}/v1/sessions/{session}", b"", self._headers), _PARTING_S)
        except ModelError:
            pass
        finally:
            self._busy.release()

    def close(self, session: str) -> None:
        """Close a session there, if one is named, and the connection."""
        if session:
            self.part(session)
        self._drop()


def _read(response: http.client.HTTPResponse, until: float) -> bytes:
    """A reply's body, as it comes, so that neither time nor size runs away."""
    read = bytearray()
    while piece := response.read1(1 << 16):
        read += piece
        if len(read) > _LARGEST:
            raise http.client.HTTPException(f"the reply is larger than {_LARGEST:,} bytes")
        if monotonic() > until:
            raise TimeoutError("the reply did not come to an end in time")
    response.read()
    return bytes(read)


def _told(answer: bytes) -> str:
    """What a refusal says: the protocol's message, or the beginning of whatever came."""
    try:
        return str(json.loads(answer)["message"])[:_SHOWN]
    except (ValueError, LookupError, TypeError, RecursionError):
        return " ".join(answer[:_SHOWN].decode("utf8", "replace").split())


def _usage(told: JsonMapping) -> Costs | Usage:
    try:
        return Usage(**told) if "model_s" in told else Costs(**told)
    except TypeError as error:
        raise TeachAgentsError(f"remote agent: tells its usage in a form of another version: {error}") from error
