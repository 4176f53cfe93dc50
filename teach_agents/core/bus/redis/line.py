"""The connection to Redis: what is asked again while Redis is away, and what it means that it was restarted."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import urlsplit

from teach_agents.core.bus.redis.scripts import script
from teach_agents.core.errors import BusError, InputError, MissingExtraError
from teach_agents.core.json_types import JsonObject

if TYPE_CHECKING:
    from redis.asyncio import Redis


_T = TypeVar("_T")
_SCHEMES = ("redis", "rediss", "unix")
_SOCKET_S = 10.0
Entry = tuple[bytes, dict[bytes, bytes]]
"""A stream's entry: its id and its fields."""
BLOCK_S = 2.0
"""How long Redis is asked to wait for a message before it says that there is none."""
_FIRST_WAIT_S = 0.02
_LONGEST_WAIT_S = 1.0


class Line:
    """Redis at `url`, asked for `patience_s` seconds while it does not answer; keys begin with `prefix`.

    `on_restart` is awaited when Redis turns out to be another run than before, before anything else is asked.
    Raises `InputError` for an address that is none, `MissingExtraError` without the package.
    """

    def __init__(self, url: str, prefix: str, patience_s: float, on_restart: Callable[[], Awaitable[None]]) -> None:
        parts = urlsplit(url)
        if parts.scheme not in _SCHEMES or not (parts.hostname or parts.path):
            problem = "needs an address redis://[:PASSWORD@]HOST[:PORT][/DB], rediss://... or unix://PATH"
            raise InputError("bus", problem, value=_shown(url))
        self.shown = _shown(url)
        self.prefix = prefix
        self._client = _client(url)
        self._patience_s = patience_s
        self._on_restart = on_restart
        self._mending = asyncio.Lock()
        self._run = ""
        self._scripts: JsonObject = {}

    async def run(self, name: str, *arguments: str | bytes | int) -> Any:
        """What the script of a name answers; raises `BusError` where Redis does not answer for too long."""
        return await self.call(lambda: self._run_script(name, arguments))

    async def once(self, name: str, *arguments: str | bytes | int) -> Any:
        """The same in a single try, which raises what redis-py raises, or `OSError`."""
        async with asyncio.timeout(_SOCKET_S):
            return await self._run_script(name, arguments)

    async def _run_script(self, name: str, arguments: Sequence[str | bytes | int]) -> Any:
        made = self._scripts.get(name)
        if made is None:
            made = self._scripts[name] = self._client.register_script(script(name))
        return await made(keys=[self.prefix], args=arguments)

    async def read(self, mailbox: str, reader: str) -> list[Entry]:
        """The next new message of a mailbox, waited for; none when there is none for `BLOCK_S`, or no such mailbox."""
        from redis.exceptions import ConnectionError, ResponseError, TimeoutError

        stream, wait = f"{self.prefix}box|{mailbox}", int(1000 * BLOCK_S)
        try:
            async with asyncio.timeout(_SOCKET_S):
                read = await self._client.xreadgroup("g", reader, {stream: ">"}, count=1, block=wait)
        except (ConnectionError, TimeoutError, OSError) as error:
            _check_fatal(self.shown, error)
            await self.mend()
            return []
        except ResponseError:
            return []
        return _entries(read)

    async def read_after(self, stream: str, last: bytes) -> list[Entry]:
        """What a stream holds behind an entry, waited for; raises `BusError`."""
        wait = int(1000 * BLOCK_S)
        return _entries(await self.call(lambda: self._client.xread({stream: last}, count=100, block=wait)))

    async def drop(self, stream: str, entries: Sequence[bytes]) -> None:
        """Take entries out of a stream; raises `BusError`."""
        await self.call(lambda: self._client.xdel(stream, *entries))

    async def call(self, command: Callable[[], Awaitable[_T]]) -> _T:
        """A command's answer. Asks again while Redis is away; `BusError` for what it refuses."""
        from redis.exceptions import ConnectionError, RedisError, TimeoutError

        if not self._run:
            await self.mend()
        until = monotonic() + self._patience_s
        while True:
            try:
                async with asyncio.timeout(_SOCKET_S):
                    return await command()
            except (ConnectionError, TimeoutError, OSError) as error:
                _check_fatal(self.shown, error)
                if monotonic() > until:
                    raise BusError(f"Redis at {self.shown} breaks off for {self._patience_s:g} s: {error}") from error
                await self.mend()
                await asyncio.sleep(_FIRST_WAIT_S)
            except RedisError as error:
                raise BusError(f"Redis at {self.shown}: {error}") from error

    async def mend(self) -> None:
        """Wait until Redis answers. Where it was restarted since it was asked first, `on_restart` is over then."""
        from redis.exceptions import RedisError

        until = monotonic() + self._patience_s
        async with self._mending:
            while (run := await self._answering()) != self._run:
                try:
                    if self._run:
                        await self._on_restart()
                    self._run = run
                except (RedisError, OSError) as error:
                    if monotonic() > until:
                        raise BusError(f"Redis at {self.shown} was restarted and refuses: {error}") from error
                    await asyncio.sleep(_FIRST_WAIT_S)  # it is gone again

    async def _answering(self) -> str:
        """The id of Redis's run, as soon as it answers."""
        from redis.exceptions import ConnectionError, RedisError, TimeoutError

        until, wait = monotonic() + self._patience_s, _FIRST_WAIT_S
        while True:
            try:
                async with asyncio.timeout(_SOCKET_S):
                    return str((await self._client.info("server"))["run_id"])
            except (ConnectionError, TimeoutError, OSError) as error:
                _check_fatal(self.shown, error)
                if monotonic() + wait > until:
                    raise BusError(
                        f"Redis at {self.shown} has not answered for {self._patience_s:g} s: {error}"
                    ) from error
            except RedisError as error:
                raise BusError(f"Redis at {self.shown}: {error}") from error
            await asyncio.sleep(wait)
            wait = min(2 * wait, _LONGEST_WAIT_S)

    async def close(self) -> None:
        """Give the connections back."""
        await self._client.aclose()


def _entries(read: Any) -> list[Entry]:
    """The entries of the one stream that was read; a list of streams in RESP2, a mapping in RESP3."""
    streams = list(read.values()) if isinstance(read, dict) else [one[1] for one in read or ()]
    entries = streams[0] if streams else []
    return entries[0] if isinstance(read, dict) and entries and isinstance(entries[0], list) else entries


def _client(url: str) -> Redis:
    try:
        from redis.asyncio import Redis
        from redis.asyncio.retry import Retry
        from redis.backoff import NoBackoff
    except ImportError as missing:
        raise MissingExtraError("redis", "redis") from missing
    try:
        made: Redis = Redis.from_url(
            url,
            retry=Retry(NoBackoff(), 0),
            socket_timeout=None,  # ours below: redis-py's own swallows a cancellation now and then (Python 3.11)
            socket_connect_timeout=_SOCKET_S,
            health_check_interval=0,
        )
    except ValueError as error:
        raise InputError("bus", f"is no address of a Redis: {error}", value=_shown(url)) from error
    return made


def _check_fatal(shown: str, error: Exception) -> None:
    """Raise for what waiting does not mend: a wrong password."""
    from redis.exceptions import AuthenticationError, AuthorizationError

    if isinstance(error, AuthenticationError | AuthorizationError):
        raise BusError(f"Redis at {shown} lets nobody in with this name and password: {error}") from error


def _shown(url: str) -> str:
    """An address without the password in it."""
    before, at, rest = url.rpartition("@")
    return f"{before.split('://')[0]}://...@{rest}" if at else url
