"""A live session in memory: who is with it, its pictures, and its journal in the store."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from time import monotonic

from teach_agents.actions import Role
from teach_agents.conventions.pictures import jpeg_file
from teach_agents.core.json_types import JsonMapping
from teach_agents.errors import TeachAgentsError
from teach_agents.live import LiveError, LiveEvent, LiveSession
from teach_agents_serve.live_store import Kept, LiveStore

sharp_jpeg = partial(jpeg_file, quality=88, subsampling=0)
"""A picture as a JPEG file, its colours as sharp as its outlines (no chroma subsampling)."""
_KEPT = 16
_WORDLESS = frozenset({"thinking", "joined", "left"})
"""Events that do not show that a session is in use."""
_SEEN = frozenset({"began", "action"})
"""Events after which pictures may be others."""


@dataclass(eq=False)
class Pictures:
    """A session's pictures of the present moment. Belongs to one event loop; `drawing` is held while one is drawn."""

    _live: LiveSession
    _drawing: asyncio.Semaphore
    _drawn: dict[tuple[str, Role | None, int], tuple[int, asyncio.Future[bytes]]] = field(default_factory=dict)

    async def get(self, name: str, role: Role | None, size: int, moment: int) -> bytes:
        """A picture as it is after event `moment`, or later. Raises `LiveError` for one that there is not."""
        key = name, role, size
        kept_at, known = self._drawn.pop(key, (-2, None))
        if known is None or kept_at < moment:
            kept_at, known = moment, asyncio.ensure_future(self._draw(name, role, size))
        self._drawn[key] = kept_at, known
        while len(self._drawn) > _KEPT:
            self._drawn.pop(next(iter(self._drawn)))
        try:
            return await asyncio.shield(known)
        except (TeachAgentsError, RuntimeError):
            if self._drawn.get(key) == (kept_at, known):
                del self._drawn[key]
            raise

    async def _draw(self, name: str, role: Role | None, size: int) -> bytes:
        async with self._drawing:
            return await self._live.made_of_picture(name, role, size, sharp_jpeg)


@dataclass(eq=False)
class StoredJournal:
    """A session's journal in the store: a line is on the disk when `append` returns."""

    _store: LiveStore
    _session: str
    lines: int = 0

    async def append(self, line: JsonMapping) -> None:
        """Keep a line."""
        number, self.lines = self.lines, self.lines + 1
        await self._store.append(self._session, number, line)


@dataclass(eq=False)
class Awake:
    """A session that is played, or was until a moment ago.

    `drawing` is held by whoever draws, of all sessions. `users` are requests that are at it. It is `finished` when
    everything was told that will be, and `asleep` when it goes on elsewhere or later.
    """

    kept: Kept
    live: LiveSession
    drawing: asyncio.Semaphore
    users: int = 0
    finished: bool = False
    asleep: bool = False
    woken: float = field(default_factory=monotonic)
    used: float = field(default_factory=monotonic)
    _bells: set[asyncio.Event] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.pictures = Pictures(self.live, self.drawing)
        last = self.live.events[-1]
        self.began = last.seq
        """Number of the last event when the session was taken up."""
        self.aged_s = last.time_ms / 1000
        """How old it was then, seconds of play."""
        self.moved = dict.fromkeys(Role, last.seq)
        """Number of each role's last action, by which pictures change."""

    @property
    def id(self) -> str:
        """The session's name."""
        return self.kept.id

    @property
    def age_s(self) -> float:
        """Seconds of play so far."""
        return self.aged_s + monotonic() - self.woken

    @property
    def connected(self) -> int:
        """How many sockets and streams there are."""
        return self.live.present.total()

    def happened(self, event: LiveEvent) -> None:
        """Note an event, and let everybody know who waits for news."""
        kind = event.kind.value
        if kind in _SEEN:
            self.moved |= {role: event.seq for role in Role if event.role in (None, role)}
        if kind in ("action", "utterance"):
            said = self.kept.utterances + (kind == "utterance")
            self.kept = replace(self.kept, turns=self.kept.turns + 1, utterances=said)
        if kind not in _WORDLESS:
            self.used = monotonic()
        self.ring()

    def ring(self) -> None:
        """Wake up whoever waits for news."""
        for bell in self._bells:
            bell.set()

    @asynccontextmanager
    async def visit(self, role: Role | None) -> AsyncIterator[asyncio.Event]:
        """Be connected to a place; an event that is set whenever there may be news.

        Whoever waits clears it before looking.
        """
        await self.live.join(role)
        bell = asyncio.Event()
        self._bells.add(bell)
        try:
            yield bell
        finally:
            self._bells.discard(bell)
            self.used = monotonic()
            with suppress(LiveError):  # the session is over, or broke
                await self.live.leave(role)

    def moment(self, name: str, role: Role | None) -> int:
        """Number of the last event after which a picture, as a role sees it, may be another."""
        if name in ("overhead", "follower_view") or role is Role.FOLLOWER:
            return self.moved[Role.FOLLOWER]
        return max(self.moved.values())

    def events_after(self, seq: int, most: int) -> Sequence[LiveEvent]:
        """The first events with a greater number."""
        return self.live.events[seq + 1 : seq + 1 + most]
