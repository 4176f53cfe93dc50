"""Watching a live session: events as a stream (SSE), or all of it through a socket.

Nobody is sent what waits in a queue: everybody reads the session's own events by number, so that a slow reader loses
nothing and costs nothing, and one that was away goes on where it was. Pictures are of the present moment; those of
moments that a slow reader missed are not sent.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from time import monotonic
from typing import NoReturn

from pydantic import ValidationError
from starlette.websockets import WebSocket, WebSocketDisconnect

from teach_agents.conventions.observation_wire import problems_of
from teach_agents.core.json_types import JsonMapping
from teach_agents.errors import TeachAgentsError, trace_of
from teach_agents.live import LiveError, LiveEvent
from teach_agents.live.driver import until
from teach_agents_serve.agent_sessions import Refusal
from teach_agents_serve.limits import Limits
from teach_agents_serve.live_awake import Awake
from teach_agents_serve.live_desk import LiveDesk, Reception, Visitor
from teach_agents_serve.live_past import past_events
from teach_agents_serve.live_store import json_text
from teach_agents_serve.live_wire import ActMessage, ViewsMessage, from_socket

_LOG = logging.getLogger(__name__)
_AT_ONCE = 200
_HEARTBEAT_S = 15.0
_MESSAGES_PER_S = 60.0
_OVER, _GOES_AWAY, _REFUSED, _UNREAD = 1000, 1012, 4409, 4408


async def stream(desk: LiveDesk, visitor: Visitor, after: int) -> AsyncIterator[str]:
    """The events behind number `after` as server-sent events, those to come included."""
    if visitor.kept.ending:
        for event in past_events(await desk.store.lines(visitor.kept.id)):
            if event.seq > after:
                yield _as_sent(event, visitor)
        return
    async with desk.using(visitor.kept.id) as awake:
        async with awake.visit(visitor.role) as bell:
            while True:
                bell.clear()
                for event in awake.events_after(after, _AT_ONCE):
                    after = event.seq
                    yield _as_sent(event, visitor)
                if awake.events_after(after, 1):
                    continue
                if awake.finished:
                    return
                await until(bell, _HEARTBEAT_S)
                yield "" if bell.is_set() else ": nothing new\n\n"


def _as_sent(event: LiveEvent, visitor: Visitor) -> str:
    """In ASCII, as many a client takes more for the end of a line than the format does."""
    told = event.to_json(visitor.role)
    return f"id: {event.seq}\nevent: {told['kind']}\ndata: {json.dumps(told)}\n\n" if told else ""


async def attend(desk: LiveDesk, reception: Reception, socket: WebSocket) -> None:
    """Serve a socket until its client or its session goes; its close code says why it was closed."""
    await socket.accept()
    try:
        said = socket.query_params.get("after", "")
        after = int(said) if said.isascii() and said.isdigit() and len(said) <= 18 else -1  # nonsense is the beginning
        visitor = await reception.admit(socket.path_params["session"], socket)
        if visitor.kept.ending:
            await _tell_past(desk, visitor, socket, after)
            return
        async with desk.using(visitor.kept.id) as awake:
            desk.check_connections(awake)
            async with awake.visit(visitor.role) as bell:
                await _Attendance(socket, awake, visitor, desk.limits, bell, after).serve()
    except Refusal as refusal:
        await socket.close(4000 + refusal.status, refusal.error)
    except TeachAgentsError as error:
        _LOG.warning("a socket of a live session: %s", trace_of(error))
        await socket.close(_REFUSED, "broken")
    except (WebSocketDisconnect, RuntimeError, TimeoutError):
        pass  # the client has gone, or reads nothing; starlette says RuntimeError where it noticed before


async def _tell_past(desk: LiveDesk, visitor: Visitor, socket: WebSocket, after: int) -> None:
    for event in past_events(await desk.store.lines(visitor.kept.id)):
        told = event.to_json(visitor.role) if event.seq > after else None
        if told:
            async with asyncio.timeout(desk.limits.unread_s):
                await socket.send_text(json_text({"type": "event", **told}))
    await socket.close(_OVER, "ended")


@dataclass(eq=False)
class _Attendance:
    """One socket at one session."""

    _socket: WebSocket
    _awake: Awake
    _visitor: Visitor
    _limits: Limits
    _bell: asyncio.Event
    _after: int
    _views: Mapping[str, int] = field(default_factory=dict)
    _sent: dict[str, tuple[int, int]] = field(default_factory=dict)
    _sending: asyncio.Lock = field(default_factory=asyncio.Lock)
    _sends_since: float | None = None

    async def serve(self) -> None:
        """Listen and tell until either comes to an end."""
        tasks = [asyncio.ensure_future(work) for work in (self._listen(), self._tell(), self._wait_for_reader())]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        for task in done:
            try:
                task.result()
            except TimeoutError:
                await self._close(_UNREAD, "nothing was read for too long; come back with after=")
            except LiveError:
                await self._close(_GOES_AWAY, "asleep")

    async def _close(self, code: int, reason: str) -> None:
        try:
            async with asyncio.timeout(1.0):
                await self._socket.close(code, reason)
        except TimeoutError:
            pass  # it does not even read that; the connection is cut after a while

    async def _tell(self) -> None:
        """Tell events, then how things stand, and again as soon as there is news."""
        told, awake = -2, self._awake
        while True:
            self._bell.clear()
            for event in awake.events_after(self._after, _AT_ONCE):
                self._after = event.seq
                shown = event.to_json(self._visitor.role)
                if shown:
                    await self._send({"type": "event", **shown})
            if awake.events_after(self._after, 1):
                continue
            if told != self._after:
                told = self._after
                await self._send({"type": "screen", **await awake.live.screen(self._visitor.role)})
            await self._show()
            if awake.finished and not awake.events_after(self._after, 1):
                ended = awake.live.status == "ended"
                await self._close(_OVER if ended else _GOES_AWAY, "ended" if ended else "asleep")
                return
            await self._bell.wait()

    async def _show(self) -> None:
        """Send the pictures that are wanted and may be others than those sent last."""
        for name, size in list(self._views.items()):
            moment = self._awake.moment(name, self._visitor.role)
            if self._sent.get(name) == (moment, size):
                continue
            self._sent[name] = moment, size
            try:
                file = await self._awake.pictures.get(name, self._visitor.role, size, moment)
            except LiveError:
                continue  # there is none at the moment
            await self._send({"type": "frame", "view": name, "seq": moment, "size": size, "bytes": len(file)}, file)
            if self._awake.events_after(self._after, 1):
                return  # what happened meanwhile is told first

    async def _send(self, message: JsonMapping, file: bytes | None = None) -> None:
        """Send a message, and right behind it a file."""
        async with self._sending:
            self._sends_since = monotonic()
            await self._socket.send_text(json_text(message))
            if file is not None:
                await self._socket.send_bytes(file)
            self._sends_since = None

    async def _wait_for_reader(self) -> NoReturn:
        """Raise `TimeoutError` when the client has read nothing for too long."""
        limit_s = self._limits.unread_s
        while True:
            await asyncio.sleep(limit_s / 4)
            if self._sends_since is not None and monotonic() - self._sends_since > limit_s:
                raise TimeoutError

    async def _listen(self) -> None:
        """Do what the client asks for, one thing after another, and not faster than may be."""
        left, since = _MESSAGES_PER_S, monotonic()
        while True:
            message = await self._socket.receive()
            if message["type"] == "websocket.disconnect":
                return
            now = monotonic()
            left, since = min(_MESSAGES_PER_S, left + (now - since) * _MESSAGES_PER_S) - 1, now
            if left < 0:
                await asyncio.sleep(-left / _MESSAGES_PER_S)
            self._awake.used = monotonic()
            await self._hear(message.get("text") or "")

    async def _hear(self, text: str) -> None:
        try:
            asked = from_socket.validate_json(text)
        except ValidationError as error:
            await self._refuse(None, "bad_request", problems_of(error))
            return
        if isinstance(asked, ViewsMessage):
            self._views = {name: size for name, size in asked.views.items() if size}
            self._sent = {}
            self._bell.set()
        elif isinstance(asked, ActMessage):
            await self._act(asked)
        else:
            await self._send({"type": "pong"})

    async def _act(self, asked: ActMessage) -> None:
        role = self._visitor.role
        try:
            if role is None:
                raise LiveError("not_yours", "who looks on does nothing")
            event = await self._awake.live.act(role, asked.action.action(), asked.id)
        except TeachAgentsError as error:
            await self._refuse(asked.id, error.kind if isinstance(error, LiveError) else "bad_action", str(error))
        else:
            await self._send({"type": "answer", "id": asked.id, "event": event.to_json(role)})

    async def _refuse(self, name: str | None, kind: str, words: str) -> None:
        await self._send({"type": "refused", "id": name, "error": kind, "message": words})
