"""Connections that come to nothing are cut: uvicorn's own protocols, with an eye on the clock.

uvicorn waits for ever for a request whose headers never end, and for a client that does not read what it is sent.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from typing import Any, cast

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from teach_agents.core.json_types import JsonObject

HEADERS_S = 10.0
"""Seconds for a request's headers to come, from the connection's or the request's first byte on."""
UNREAD_S = 60.0
"""Seconds that a client may let pass without reading anything of what waits for it."""
_GATHERED = 1 << 16
"""Bytes that are sent at once."""
_UNHEARD = 8
"""Messages of a client that may wait before no more are read."""


@dataclass(eq=False)
class _Cut:
    """Cuts a connection after a while, unless it is let be before."""

    timer: asyncio.TimerHandle | None = None

    def after(self, seconds: float, transport: asyncio.Transport) -> None:
        """Cut it so many seconds from now."""
        self.let_be()
        self.timer = asyncio.get_running_loop().call_later(seconds, transport.abort)

    def let_be(self) -> None:
        """Do not cut it."""
        if self.timer:
            self.timer.cancel()
            self.timer = None


class _Read:
    """Cuts a connection whose client does not read, and with it whatever waits in the system to be sent."""

    transport: asyncio.Transport
    unread_s = UNREAD_S

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self._unread = _Cut()

    def pause_writing(self) -> None:
        """More waits than there should."""
        super().pause_writing()  # type: ignore[misc]  # asyncio.Protocol's
        self._unread.after(self.unread_s, self.transport)

    def resume_writing(self) -> None:
        """It was read."""
        self._unread.let_be()
        super().resume_writing()  # type: ignore[misc]  # asyncio.Protocol's

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is gone."""
        self._unread.let_be()
        super().connection_lost(exc)  # type: ignore[misc]  # asyncio.Protocol's


class TimedHTTP(_Read, H11Protocol):
    """HTTP/1.1 whose headers have `headers_s` seconds to come, whole."""

    headers_s = HEADERS_S

    def connection_made(self, transport: Any) -> None:
        """The first request is awaited."""
        super().connection_made(transport)
        self._late = _Cut()
        self._late.after(self.headers_s, self.transport)

    def data_received(self, data: bytes) -> None:
        """Some of a request."""
        super().data_received(data)
        handed_over = self.transport.get_protocol() is not self
        if handed_over or self.conn.their_state is not h11.IDLE or not self.conn.trailing_data[0]:
            self._late.let_be()
        elif self._late.timer is None:
            self._late.after(self.headers_s, self.transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is gone."""
        self._late.let_be()
        super().connection_lost(exc)


class Gathering:
    """A transport that sends in one piece what is written to it before the event loop turns to something else."""

    def __init__(self, transport: asyncio.Transport) -> None:
        self._transport = transport
        self._written: list[bytes] = []
        self._bytes = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        """Send soon; at once where much has gathered, so that it shows when nobody reads."""
        if not self._written:
            asyncio.get_running_loop().call_soon(self._send)
        self._written.append(data)
        self._bytes += len(data)
        if self._bytes >= _GATHERED:
            self._send()

    def close(self) -> None:
        """Send what was written, then close."""
        self._send()
        self._transport.close()

    def _send(self) -> None:
        if self._written:
            data, self._written, self._bytes = b"".join(self._written), [], 0
            self._transport.write(data)


class TimedWebSocket(_Read, WebSocketsSansIOProtocol):
    """A WebSocket whose client has to read. It is cheaper than uvicorn's where messages are many and short.

    uvicorn would write every address that is asked for into its log, and with it the keys of sessions.
    """

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.logger = logging.getLogger(__name__)
        self.logger.setLevel(logging.WARNING)

    def connection_made(self, transport: Any) -> None:
        """What is said to the client from now on, is gathered."""
        super().connection_made(cast("asyncio.Transport", Gathering(transport)))

    def send_receive_event_to_app(self) -> None:
        """Hand on a message; the client is read on until several wait, where uvicorn would stop at one."""
        paused, self.read_paused = self.read_paused, True
        super().send_receive_event_to_app()
        self.read_paused = paused
        if not paused and self.queue.qsize() >= _UNHEARD:
            self.read_paused = True
            self.transport.pause_reading()


UVICORN: JsonObject = {
    "http": TimedHTTP,
    "ws": TimedWebSocket,
    "ws_max_size": 1 << 16,
    "ws_per_message_deflate": False,
    "server_header": False,
    "access_log": False,
    "timeout_graceful_shutdown": 2,
}
"""What uvicorn is told besides the address: pictures are compressed already, and clients' messages are short."""
