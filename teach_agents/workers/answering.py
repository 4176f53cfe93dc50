"""How a worker answers what comes to its address, until it is dismissed or another has its place."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from teach_agents.core.bus import MessageBus, Subscription
from teach_agents.core.messages import Dismissed, Message, Payload
from teach_agents.errors import BusClosedError, BusError, BusFullError, BusLostError, BusReplacedError

__all__ = ["answer_all"]

_HEARD_NO_MORE = (BusClosedError, BusFullError, BusReplacedError)


async def answer_all(bus: MessageBus, inbox: Subscription, reply_to: Callable[[Message], Awaitable[Payload]]) -> None:
    """Answer one request after another. Raises `BusReplacedError` when another process has this place, and `BusError`.

    What gets lost on the way in is sent again by who asked; where who asked is gone, its successor asks again.
    """
    sent = 0
    while True:
        try:
            request = await inbox.receive()
        except BusLostError:
            continue
        if isinstance(request.payload, Dismissed):
            return
        reply = request.reply(await reply_to(request), sequence=sent)
        sent += 1
        try:
            await bus.publish(reply)
        except _HEARD_NO_MORE:
            raise
        except BusError:
            continue
