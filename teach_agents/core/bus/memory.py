"""The bus inside one process: bounded mailboxes, back pressure, no copies."""

from __future__ import annotations

import asyncio
from collections import deque
from time import monotonic

from teach_agents.core.bus.bounded_bus import BoundedBus, no_reply, nobody_listens, request_key
from teach_agents.core.bus.contract import OVERHEARING_S, Subscription
from teach_agents.core.errors import BusClosedError, BusLostError
from teach_agents.core.messages import EVERYONE, Message


class _Mailbox(Subscription):
    """A bounded queue.

    Where it overhears what is for others and is not read it gets `behind`, and misses what comes until it is read.
    """

    def __init__(self, bus: MemoryBus, address: str, session: str | None, capacity: int) -> None:
        self.address = address
        self.session = session
        self._bus = bus
        self._capacity = capacity
        self._messages: deque[Message] = deque()
        self._arrived = asyncio.Event()
        self._taken = asyncio.Event()
        self._waited_s = 0.0
        self.behind = False
        self.open = True

    @property
    def full(self) -> bool:
        return self.open and (self.behind or len(self._messages) >= self._capacity)

    async def space(self, until: float) -> bool:
        """Wait until something is taken out, or the box closes; whether that was in time."""
        self._taken.clear()
        try:
            async with asyncio.timeout(until - monotonic()):
                return await self._taken.wait()
        except TimeoutError:
            return False

    async def overhears(self, until: float) -> None:
        """Wait for room as long as somebody is waited for who overhears."""
        begun = monotonic()
        self.behind = not await self.space(min(until, begun + OVERHEARING_S - self._waited_s))
        self._waited_s += monotonic() - begun

    def wants(self, message: Message) -> bool:
        if self.session is not None and self.session != message.session:
            return False
        return self.address in (EVERYONE, message.recipient)

    def put(self, message: Message) -> None:
        self._messages.append(message)
        self._arrived.set()

    def shut(self) -> None:
        self.open = False
        self._arrived.set()
        self._taken.set()

    async def receive(self) -> Message:
        while not self._messages:
            self._waited_s = 0.0
            if self.behind:
                self.behind = False
                self._taken.set()
                raise BusLostError(f"what came while nobody read this mailbox at {self.address!r} is missing")
            if not self.open:
                raise BusClosedError(f"the subscription at {self.address!r} is closed")
            self._arrived.clear()
            await self._arrived.wait()
        message = self._messages.popleft()
        self._taken.set()
        return message

    def close(self) -> None:
        self._messages.clear()
        self.shut()
        self._bus.forget(self)


class MemoryBus(BoundedBus):
    """Mailboxes of `capacity` messages; a publisher waits at most `patience` seconds for room in a full one.

    A message is delivered to all its listeners or to none, but for those that overhear it and do not read.
    """

    def __init__(self, *, capacity: int = 256, patience: float = 30.0) -> None:
        super().__init__(capacity, patience)
        self._boxes: list[_Mailbox] = []
        self._waiting: dict[tuple[str, str], tuple[Message, asyncio.Future[Message]]] = {}

    def subscribe(self, address: str, *, session: str | None = None) -> Subscription:
        """Listen at an address; see the contract."""
        self._check_open()
        box = _Mailbox(self, address, session, self._capacity)
        self._boxes.append(box)
        return box

    def forget(self, box: _Mailbox) -> None:
        """Deliver nothing more to a closed mailbox."""
        if box in self._boxes:
            self._boxes.remove(box)

    async def publish(self, message: Message) -> None:
        """Deliver a message; see the contract."""
        self._check_open()
        if self._turnstiles.busy(message) or any(box.full for box in self._boxes):
            await self._publish_in_turn(message)
        else:
            self._deliver(message)

    async def _publish_in_turn(self, message: Message) -> None:
        """What a sender publishes queues up behind what waits for room, so that nothing overtakes it."""
        async with self._turnstiles.of(message):
            await self._wait_for_room(message)
            self._deliver(message)

    async def request(self, message: Message, *, timeout: float | None) -> Message:
        """Publish and wait for the reply; see the contract."""
        self._check_open()
        key = request_key(message, self._waiting)
        reply: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
        self._waiting[key] = (message, reply)
        try:
            async with asyncio.timeout(timeout):
                await self.publish(message)
                return await reply
        except TimeoutError:
            raise no_reply(message, timeout) from None
        finally:
            del self._waiting[key]

    async def close(self) -> None:
        """Close the bus; see the contract."""
        self._closed = True
        for _, reply in self._waiting.values():
            if not reply.done():
                reply.set_exception(BusClosedError("the bus was closed while a request waited"))
        for box in self._boxes:
            box.shut()

    def _asked(self, message: Message) -> asyncio.Future[Message] | None:
        """The request that a message is the reply to, if it waits."""
        if not message.correlation:
            return None
        asked, reply = self._waiting.get((message.session, message.correlation), (None, None))
        if asked is None or reply is None or reply.done():
            return None
        return reply if (asked.recipient, asked.sender) == (message.sender, message.recipient) else None

    def _listeners(self, message: Message) -> tuple[_Mailbox | None, list[_Mailbox]]:
        """Whose message it is, and who overhears it. A reply that is waited for needs no mailbox."""
        boxes = [box for box in self._boxes if box.wants(message)]
        if message.recipient == EVERYONE:
            return None, boxes
        if self._asked(message) is not None:
            return None, [box for box in boxes if box.address == EVERYONE]
        addressed = [box for box in boxes if box.address == message.recipient]
        mine = min(addressed, key=lambda box: box.session is None, default=None)
        return mine, [box for box in boxes if box is not mine]

    async def _wait_for_room(self, message: Message) -> None:
        until = monotonic() + self._patience
        while True:
            mine, others = self._listeners(message)
            if mine is not None and mine.full:
                if not await mine.space(until):
                    raise self._stayed_full(message)
            elif full := next((box for box in others if box.full and not box.behind), None):
                await full.overhears(until)
            else:
                return self._check_open()

    def _deliver(self, message: Message) -> None:
        reply, (mine, others) = self._asked(message), self._listeners(message)
        if reply is not None:
            reply.set_result(message)
        elif mine is not None:
            mine.put(message)
        elif message.recipient != EVERYONE:
            raise nobody_listens(message)
        for box in others:
            if not box.behind:
                box.put(message.overheard())
