"""How whoever is asked over a bus answers, whatever else comes to its address."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from teach_agents.core.bus.contract import MessageBus, Subscription
from teach_agents.core.errors import BusClosedError, BusError, BusFullError, BusLostError, BusReplacedError
from teach_agents.core.messages import SESSION, Dismissed, Message, Payload, Refused

_HEARD_NO_MORE = (BusFullError, BusReplacedError)


async def answer_all(
    bus: MessageBus, inbox: Subscription, reply_to: Callable[[Message], Awaitable[Payload | None]]
) -> Dismissed | Refused | None:
    """Answer the session's requests one after another; how it parted, `None` where bus or inbox were closed.

    Whatever else comes is let pass: what others ask or say, and requests to which `reply_to` has no reply (`None`). A
    reply that nobody waits for any more is no harm. What gets lost on the way in is sent again by who asked; where who
    asked is gone, its successor asks again. Raises `BusReplacedError` when another process has this place, and
    `BusError` for a bus that is away.
    """
    sent = 0
    while True:
        try:
            request = await inbox.receive()
        except BusLostError:
            continue
        except BusClosedError:
            return None
        if request.sender != SESSION:
            continue
        if isinstance(request.payload, Dismissed | Refused):
            return request.payload
        answer = await reply_to(request) if request.correlation else None
        if answer is None:
            continue
        try:
            await bus.publish(request.reply(answer, sequence=sent))
        except _HEARD_NO_MORE:
            raise
        except BusClosedError:
            return None
        except BusError:
            pass
        sent += 1
