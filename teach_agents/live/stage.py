"""The household of a live session, touched by one thread at a time, whoever is urgent first."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from heapq import heappop, heappush
from itertools import count
from typing import TYPE_CHECKING, TypeVar

from teach_agents.actions import Role
from teach_agents.core.json_types import JsonObject
from teach_agents.household import Household
from teach_agents.household.household import checked_size
from teach_agents.household.map import RoomMap
from teach_agents.live.setting import LiveError
from teach_agents.observations import Observation, Privilege, Privileged, View
from teach_agents.simulator.contract import Camera, Channel

if TYPE_CHECKING:
    from teach_agents.arrays import ByteArray

_VIEWS = ("view", "follower_view", "target_view", "target_lit", "overhead")
"""The pictures of an `Observation`."""
PICTURES = (*_VIEWS, "map")
"""What can be looked at: as in an `Observation`, but `overhead` is without marks, and `map` is what it is there."""

_T = TypeVar("_T")


class Turnstile:
    """An `asyncio.Lock` that whoever is urgent gets before all who are not; among equals, who came first.

    Belongs to one event loop.
    """

    def __init__(self) -> None:
        self._busy = False
        self._waiting: list[tuple[bool, int, asyncio.Future[None]]] = []
        self._count = count()

    @property
    def free(self) -> bool:
        """Whether nobody is in, and nobody waits."""
        return not self._busy

    @asynccontextmanager
    async def passed(self, *, urgent: bool = False) -> AsyncIterator[None]:
        """Wait for one's turn; the next one's comes when the block is left."""
        await self._enter(urgent)
        try:
            yield
        finally:
            self._leave()

    async def _enter(self, urgent: bool) -> None:
        if not self._busy:
            self._busy = True
            return
        mine: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heappush(self._waiting, (not urgent, next(self._count), mine))
        try:
            await mine
        except asyncio.CancelledError:
            if mine.done() and not mine.cancelled():
                self._leave()  # it had just become one's turn
            raise

    def _leave(self) -> None:
        while self._waiting:
            _, _, following = heappop(self._waiting)
            if not following.done():
                following.set_result(None)
                return
        self._busy = False


class Stage:
    """Lets work at a household be done in the loop's own threads, one piece after another.

    The household belongs to whoever holds the lock: work from the event loop, and agents that look at a picture in
    their own threads.
    """

    def __init__(self, household: Household) -> None:
        self._household = household
        self._brisk = household.simulator.brisk
        self.room_map = RoomMap.of(household.simulator)
        self._lock = threading.RLock()  # a hook may look at pictures while it is called
        self._turnstile = Turnstile()
        self._closed = False

    async def run(self, work: Callable[[Household], _T], *, urgent: bool = False, brief: bool = False) -> _T:
        """What a piece of work comes to; raises what it raises. A caller that is cancelled leaves it to finish.

        Urgent work is done before all other that waits: whoever acts does not wait for everybody's pictures. Brief work
        (a motion, a look at the state) is done on the spot where the simulator is brisk and nobody else is at it.
        """
        if brief and self._brisk and self._turnstile.free and self._lock.acquire(blocking=False):
            try:
                return self._at_household(work)
            finally:
                self._lock.release()
        async with self._turnstile.passed(urgent=urgent):  # one session never keeps more than one thread waiting
            return await asyncio.get_running_loop().run_in_executor(None, self.alone, work)

    def alone(self, work: Callable[[Household], _T]) -> _T:
        """The same, in this thread. Raises `LiveError` when the simulator was released."""
        with self._lock:
            return self._at_household(work)

    def _at_household(self, work: Callable[[Household], _T]) -> _T:
        if self._closed:
            raise LiveError("closed", "the session is not held here any more")
        return work(self._household)

    async def close(self) -> None:
        """Release the simulator; once, however often it is asked."""
        await asyncio.get_running_loop().run_in_executor(None, self._release)

    def _release(self) -> None:
        with self._lock:
            if not self._closed:
                self._closed = True
                self._household.simulator.close()

    async def observe(self, role: Role, privileges: Collection[Privilege], turn: int) -> Observation:
        """What an agent sees, to be read at leisure: its privileged parts are made now, while they go together.

        Pictures are drawn when looked at and show the room as it is by then.
        """
        return await self.run(lambda household: self._lasting(household.observe(role, privileges, turn=turn)))

    def _lasting(self, seen: Observation) -> Observation:
        _make(seen.privileged)
        there = [name for name in _VIEWS if getattr(seen, name)]
        views: JsonObject = {name: View(partial(self._present, seen.role, name)) for name in there}
        return replace(seen, **views)

    def _present(self, role: Role, name: str) -> ByteArray:
        meant = "map" if name == "overhead" else name
        return self.alone(lambda household: self._drawn(household, role, meant, household.view_size))

    async def picture(self, name: str, role: Role, size: int, made: Callable[[ByteArray], _T]) -> _T:
        """What is made of one of a role's `PICTURES` of the present moment, in the thread that draws it.

        Raises `LiveError` for one that it has not, and `InputError` for a size that is none.
        """
        if name not in PICTURES:
            raise LiveError("no_picture", f"there is no picture {name!r}; there are: {', '.join(PICTURES)}")
        return await self.run(lambda household: made(self._drawn(household, role, name, size)))

    def _drawn(self, household: Household, role: Role, name: str, size: int) -> ByteArray:
        drawn = draw(household, self.room_map.camera, role, name, size)
        if drawn is None:
            meant = "overhead" if name == "map" else name
            why = "before a search" if role is Role.COMMANDER else "on the Follower's screen"
            raise LiveError("no_picture", f"there is no {meant} {why}")
        return drawn


def draw(household: Household, above: Camera, role: Role, name: str, size: int) -> ByteArray | None:
    """One of a role's `PICTURES` of a household, `None` where there is none; `above` is the camera of the room's map.

    Raises `InputError` for a size that is none.
    """
    if name == "overhead":
        return household.simulator.view(above, frozenset({Channel.RGB}), size=checked_size("size", size)).rgb
    view: View | None = getattr(household.observe(role, size=size), "overhead" if name == "map" else name)
    return view.rgb if view else None


def _make(privileged: Privileged) -> None:
    """Have every part made that was asked for; it is kept from then on."""
    for name in ("segmentation", "depth", "lasting_objects", "objects", "visible", "reachable"):
        privilege = Privilege.OBJECTS if name in ("lasting_objects", "visible") else Privilege(name)
        if privilege in privileged.granted:
            getattr(privileged, name)
