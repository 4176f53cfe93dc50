"""The live sessions of a server: made, taken up from the store, put to sleep there, ended; and who asks for them."""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
from collections import Counter
from collections.abc import AsyncIterator, Callable, Coroutine, Hashable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from time import monotonic, time
from typing import Any, TypeVar

from starlette.requests import HTTPConnection

from teach_agents.actions import Role
from teach_agents.errors import InputError, trace_of
from teach_agents.live import LiveSession, LiveSetting
from teach_agents.session import Timeouts
from teach_agents_serve.agent_sessions import Refusal
from teach_agents_serve.door import OWNER
from teach_agents_serve.limits import Limits, is_loopback
from teach_agents_serve.live_awake import Awake, StoredJournal
from teach_agents_serve.live_past import Filing, card_of
from teach_agents_serve.live_serving import LiveServing
from teach_agents_serve.live_store import (
    WATCH,
    Ending,
    Kept,
    LiveStore,
    digest,
    hashed,
    new_keys,
    new_salt,
    place_of,
    repeatable_keys,
)
from teach_agents_serve.live_wire import LiveKeys, NewSession
from teach_agents_serve.metrics import Metrics
from teach_agents_serve.sharing_time import GivenUp

_T = TypeVar("_T")
_Key = TypeVar("_Key", bound=Hashable)
_LOG = logging.getLogger(__name__)
_FURNISHING = 2
"""Sessions that are furnished or taken up at once, so that threads are left for those that are played."""
_DRAWING = max(3, (os.cpu_count() or 1) - 1)
"""Pictures that are drawn at once; there are more threads, so that whoever acts finds one."""
_LINGERS_S = 30.0
"""Seconds for which a session that is over stays in memory, for those who lost its last answers."""


@dataclass(frozen=True, slots=True)
class Made:
    """A session that was made, and its secrets."""

    id: str
    keys: LiveKeys


class LiveDesk:
    """Makes sessions, finds them, keeps those in memory that somebody is at. All methods belong to one event loop.

    What is not done raises `Refusal`. Opening the store and the games raises `InputError`, see `LiveStore`.
    """

    def __init__(self, serving: LiveServing, limits: Limits, metrics: Metrics) -> None:
        serving.check()
        self.serving = serving
        self.limits = limits
        self.store = LiveStore(serving.store)
        self.filing = Filing(self.store)
        self._metrics = metrics
        self._awake: dict[str, Awake] = {}
        self._waking: dict[str, asyncio.Task[Awake]] = {}
        self._making: dict[tuple[str, str], asyncio.Task[Made]] = {}
        self._making_of: Counter[str] = Counter()
        self._closing: dict[str, asyncio.Future[None]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._watching: asyncio.Task[None] | None = None
        self._given_up = GivenUp()
        self._furnishing = asyncio.Semaphore(_FURNISHING)
        self._drawing = asyncio.Semaphore(_DRAWING)
        metrics.gauge("live_sessions", lambda: len(self._awake))
        metrics.gauge("live_connections", lambda: sum(one.connected for one in self._awake.values()))

    def start(self) -> None:
        """Look after the sessions from now on; what is asked for does it too."""
        if self._watching is None:
            self._watching = asyncio.ensure_future(self._watch())
            self._later(self.filing.file_rest())

    async def close(self) -> None:
        """Put every session to sleep, and let go of the store."""
        if self._watching:
            self._watching.cancel()
        for awake in list(self._awake.values()):
            await self._sleep(awake, "shutdown")
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.store.close()

    @property
    def full(self) -> bool:
        """Whether no more sessions can be in memory."""
        return len(self._awake) + len(self._waking) >= self.limits.sessions

    async def create(self, asked: NewSession, owner: str, key: str = "") -> Made:
        """Make a session and begin it; the same key again is the same session, also behind a restart."""
        self.start()
        if not key:
            return await asyncio.shield(asyncio.ensure_future(self._made(asked, owner, new_keys())))
        if (owner, key) in self._making:
            self._metrics.count("repeats")
        return await _once(self._making, (owner, key), lambda: self._made_once(asked, owner, key))

    async def _made_once(self, asked: NewSession, owner: str, key: str) -> Made:
        """The session of a key; what was refused may be asked for again."""
        request = digest(key)
        found = await self.store.made_for(owner, request)
        if found:
            self._metrics.count("repeats")
            return Made(found[0], repeatable_keys(key, found[1]))
        salt = new_salt()
        try:
            return await self._made(asked, owner, repeatable_keys(key, salt), (request, salt))
        except Refusal:
            await self.store.refused(owner, request)
            raise

    async def _made(
        self, asked: NewSession, owner: str, keys: LiveKeys, request: tuple[str, bytes] | None = None
    ) -> Made:
        self._check_room(owner)
        session = secrets.token_hex(8)
        self._making_of[owner] += 1
        try:
            async with self._furnishing:
                setting = await asyncio.to_thread(self.serving.setting, session, asked)
            card = await asyncio.to_thread(card_of, setting, asked)
            await self.store.add(Kept(session, owner, card, hashed(keys)), setting.to_json(), request)
            await self.awake(session)
        except InputError as error:
            raise Refusal(409, "cannot_be_made", str(error)) from None
        finally:
            self._making_of[owner] -= 1
        await self._give_up_oldest(owner)
        self._metrics.count("live_sessions_made")
        return Made(session, keys)

    def _check_room(self, owner: str) -> None:
        """Refuse another session in memory where there are as many as there may be."""
        most, words = (
            self.limits.sessions_per_token,
            "sessions of yours are open; end one, or leave it alone for a while",
        )
        mine = sum(one.kept.owner == owner and not one.finished for one in self._awake.values())
        if self.full:
            most, words = self.limits.sessions, "sessions are open; come back when one is over"
        elif mine + self._making_of[owner] < most:
            return
        raise Refusal(429, "too_many_sessions", f"{most} {words}")

    async def _give_up_oldest(self, owner: str) -> None:
        """End what an owner has left behind the longest, where that is more than is kept for anybody."""
        for session in await self.store.surplus(owner, self.limits.unfinished):
            if session not in self._awake and session not in self._waking:
                lines = await self.store.lines(session)
                last = lines[-1]["events"][-1] if lines else {"seq": -1, "time_ms": 0}
                await self.store.end(session, Ending(time(), "abandoned", False, last["seq"], last["time_ms"]))
                self._later(self.filing.file(session))

    async def kept(self, session: str) -> Kept:
        """What is kept of a session."""
        awake = self._awake.get(session)
        if awake and not awake.finished:
            return awake.kept
        found = await self.store.one(session)
        if found is None:
            raise Refusal(404, "no_such_session", "there is no such session")
        return found

    def in_memory(self, session: str) -> Awake | None:
        """A session that is in memory."""
        return self._awake.get(session)

    async def pause(self, session: str, *, paused: bool) -> None:
        """Let nobody act until told otherwise, also after a restart; or go on. Raises `LiveError` where it is over."""
        async with self.using(session) as awake:
            (awake.live.pause if paused else awake.live.resume)()
            await self.store.pause(session, paused=paused)

    async def awake(self, session: str) -> Awake:
        """A session, in memory; one that sleeps is taken up where it was."""
        self.start()
        found = self._awake.get(session)
        if found is None:
            found = await _once(self._waking, session, lambda: self._wake(session))
        found.used = monotonic()
        return found

    @asynccontextmanager
    async def using(self, session: str) -> AsyncIterator[Awake]:
        """`awake`, for as long as it takes: it does not fall asleep meanwhile."""
        awake = await self.awake(session)
        awake.users += 1
        try:
            yield awake
        finally:
            awake.users -= 1
            awake.used = monotonic()

    def check_connections(self, awake: Awake) -> None:
        """Refuse another stream or socket where there are as many as there may be."""
        if awake.connected >= self.limits.sockets:
            words = f"{self.limits.sockets} streams and sockets are connected to this session"
            raise Refusal(429, "too_many_connections", words)

    async def _wake(self, session: str) -> Awake:
        if session in self._closing:
            await asyncio.wait([self._closing[session]])
        kept = await self.kept(session)
        if kept.ending:
            raise Refusal(409, "ended", "the session is over")
        if not self._making_of[kept.owner]:
            self._check_room(kept.owner)
        setting = LiveSetting.from_json(await self.store.setting(session))
        lines = await self.store.lines(session)
        journal = StoredJournal(self.store, session, len(lines))
        timeouts = Timeouts(self.limits.ready_s, self.limits.answer_s)
        serving = self.serving
        live = LiveSession(setting, journal, serving.agent, build_hook=serving.hook, timeouts=timeouts)
        try:
            async with self._furnishing:
                await live.start(past=lines)
        except Exception as error:
            _LOG.warning("the live session %s cannot be taken up: %s", session, trace_of(error))
            await live.close()
            words = f"the session cannot go on: {type(error).__name__}"
            raise Refusal(409, "broken", words) from error
        if kept.paused:
            live.pause()
        awake = Awake(kept, live, self._drawing)
        self._awake[session] = awake
        self._later(self._follow(awake))
        return awake

    async def _follow(self, awake: Awake) -> None:
        """Hear what happens in a session until nothing will."""
        async for event in awake.live.follow(after=awake.began):
            awake.happened(event)
        awake.finished = True
        awake.ring()
        if awake.live.status == "ended":
            await self._over(awake)
        else:
            await self._sleep(awake, "broken")  # where it does not sleep already

    async def _over(self, awake: Awake) -> None:
        """Keep how a session ended and its game; let it go a moment later."""
        last = awake.live.events[-1]
        reason = last.data["reason"]
        self._metrics.count("live_sessions_ended", reason=reason)
        try:
            await self.store.end(awake.id, Ending(time(), reason, last.data["success"], last.seq, last.time_ms))
            await self.filing.file(awake.id)
        except Exception as error:  # noqa: BLE001  # it is tried again at the next start
            _LOG.error("the live session %s is over, which could not be kept: %s", awake.id, trace_of(error))
        await asyncio.sleep(_LINGERS_S)
        self._awake.pop(awake.id, None)
        await awake.live.close()
        self._given_up.add()

    async def _sleep(self, awake: Awake, why: str) -> None:
        """Let a session go that can go on later."""
        if self._awake.pop(awake.id, None) is None:
            return
        awake.asleep = True
        closing = self._closing[awake.id] = asyncio.ensure_future(awake.live.close())
        await asyncio.wait([closing])
        del self._closing[awake.id]
        self._given_up.add()
        awake.ring()
        self._metrics.count("live_sessions_slept", reason=why)

    async def _watch(self) -> None:
        """End what is too old, put to sleep what nobody uses."""
        limits = self.limits
        while True:
            await asyncio.sleep(min(limits.idle_s, limits.total_s, 20.0) / 4)
            for awake in list(self._awake.values()):
                if awake.finished:
                    continue
                if awake.age_s > limits.total_s:
                    await awake.live.end("time")
                elif not awake.users and not awake.connected and monotonic() - awake.used > limits.idle_s:
                    await self._sleep(awake, "idle")

    def _later(self, work: Any) -> None:
        task: asyncio.Task[None] = asyncio.ensure_future(_logged(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


async def _once(tasks: dict[_Key, asyncio.Task[_T]], key: _Key, work: Callable[[], Coroutine[Any, Any, _T]]) -> _T:
    """What comes of some work that is done once for all who ask for it meanwhile, whoever of them goes away."""
    task = tasks.get(key)
    if task is None:
        task = tasks[key] = asyncio.ensure_future(work())
        task.add_done_callback(lambda _: tasks.pop(key, None))
    return await asyncio.shield(task)


async def _logged(work: Any) -> None:
    try:
        await work
    except Exception as error:  # noqa: BLE001  # nobody else hears of it
        _LOG.warning("looking after live sessions failed: %s", trace_of(error))


@dataclass(frozen=True, slots=True)
class Visitor:
    """Somebody who may be at a session: in the chair of `role`, or (`None`) looking on."""

    kept: Kept
    role: Role | None
    trusted: bool = False
    """Whether the whole server is theirs."""

    @property
    def eyes(self) -> Role:
        """Whose pictures there are to see: who looks on sees the Commander's, which are all there are."""
        return self.role or Role.COMMANDER


@dataclass(eq=False)
class Reception:
    """Knows visitors by their keys.

    Whoever has the server's token may look on everywhere; where none is asked for, this machine's users may.
    """

    _desk: LiveDesk
    token_needed: bool

    async def admit(self, session: str, asks: HTTPConnection) -> Visitor:
        """Who somebody is to a session. Raises `Refusal`: 404 where there is no such session, 401 for a wrong key."""
        kept = await self._desk.kept(session)
        kind, _, value = asks.headers.get("authorization", "").partition(" ")
        named, header = asks.query_params.get("key", ""), value.strip() if kind.lower() == "bearer" else ""
        place, trusted = place_of(named or header, kept.keys), self.trusted(asks)
        another = named or (header and asks.scope.get(OWNER) is None)  # a key, and not the server's token
        if place is None and (another or not trusted):
            words = "the session has another key: send it as a bearer token, or as ?key="
            raise Refusal(401, "wrong_key", words)
        return Visitor(kept, None if place in (None, WATCH) else Role(place), trusted)

    def trusted(self, asks: HTTPConnection) -> bool:
        """Whether somebody may know of every session."""
        if asks.scope.get(OWNER):
            return True
        return not self.token_needed and asks.client is not None and is_loopback(asks.client.host)

    def owner(self, asks: HTTPConnection) -> str:
        """Whose sessions count together: a token's, or an address's."""
        return str(asks.scope.get(OWNER) or f"address {asks.client.host if asks.client else ''}")
