"""Connections that come to nothing are cut: uvicorn's own protocols, with an eye on the clock.

uvicorn waits for ever for a request whose headers never end, and for a client that does not read what it is sent.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

__all__ = ["HEADERS_S", "UNREAD_S", "UVICORN", "TimedHTTP", "TimedWebSocket"]

HEADERS_S = 10.0
"""Seconds for a request's headers to come, from the connection's or the request's first byte on."""
UNREAD_S = 60.0
"""Seconds that a client may let pass without reading anything of what waits for it."""


class _Read:
    """Cuts a connection whose client does not read, and with it whatever waits in the system to be sent."""

    transport: asyncio.Transport
    _unread: asyncio.TimerHandle | None = None
    unread_s = UNREAD_S

    def pause_writing(self) -> None:
        """More waits than there should."""
        super().pause_writing()  # type: ignore[misc]  # asyncio.Protocol's
        self._cancel_unread()
        self._unread = asyncio.get_running_loop().call_later(self.unread_s, self.transport.abort)

    def resume_writing(self) -> None:
        """It was read."""
        self._cancel_unread()
        super().resume_writing()  # type: ignore[misc]  # asyncio.Protocol's

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is gone."""
        self._cancel_unread()
        super().connection_lost(exc)  # type: ignore[misc]  # asyncio.Protocol's

    def _cancel_unread(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None


class TimedHTTP(_Read, H11Protocol):
    """HTTP/1.1 whose headers have `headers_s` seconds to come, whole."""

    _late: asyncio.TimerHandle | None = None
    headers_s = HEADERS_S

    def connection_made(self, transport: Any) -> None:
        """The first request is awaited."""
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Some of a request."""
        super().data_received(data)
        handed_over = self.transport.get_protocol() is not self
        if not handed_over and self.conn.their_state is h11.IDLE and self.conn.trailing_data[0]:
            if self._late is None:
                self._wait()
        else:
            self._cancel_late()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is gone."""
        self._cancel_late()
        super().connection_lost(exc)

    def _wait(self) -> None:
        self._late = asyncio.get_running_loop().call_later(self.headers_s, self.transport.abort)

    def _cancel_late(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None


class TimedWebSocket(_Read, WebSocketsSansIOProtocol):
    """A WebSocket whose client has to read.

    uvicorn would write every address that is asked for into its log, and with it the keys of sessions.
    """

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.logger = logging.getLogger(__name__)
        self.logger.setLevel(logging.WARNING)


UVICORN: dict[str, Any] = {
    "http": TimedHTTP,
    "ws": TimedWebSocket,
    "ws_max_size": 1 << 16,
    "ws_per_message_deflate": False,
    "server_header": False,
    "access_log": False,
    "timeout_graceful_shutdown": 2,
}
"""What uvicorn is told besides the address: pictures are compressed already, and clients' messages are short."""
