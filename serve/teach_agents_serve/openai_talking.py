"""What a Follower answers in a chat: what it said and did until it has nothing more to do, in words and pictures."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from time import monotonic

from teach_agents.actions import Role
from teach_agents.arrays import ByteArray
from teach_agents.chat.commands import Commands, Leaving
from teach_agents.chat.telling import Kind, Line, Teller
from teach_agents.conventions.pictures import jpeg_file
from teach_agents.live import LiveSession
from teach_agents_serve.openai_answers import Answer, Piece
from teach_agents_serve.openai_wire import data_uri

_POLL_S = 0.03
_GETTING_READY_S = 120.0
_PICTURE = 400
"""Pixels a side."""
_MORE = "(Still at it: say anything, or ..., to hear more.)"
_SILENCE = frozenset({"...", "\u2026"})
"""What says nothing and lets the Follower go on."""


@dataclass(frozen=True, slots=True)
class Talking:
    """How one answer is made: for at most `limit_s`, with pictures by `markdown`, as `parts`, or `none`."""

    live: LiveSession
    answer: Answer
    pictures: str
    limit_s: float

    async def go(self, said: Iterable[str], key: str, *, first: bool) -> None:
        """Say what is new, and answer with what comes of it; a session that has just begun is listened to before.

        What was said by the same key before, in another process perhaps, is not said again.
        """
        writer = _Writer(self.answer, self.pictures)
        teller = Teller((Role.FOLLOWER,))
        after = -1
        if first:
            after = await self._told(teller, writer, after, monotonic() + _GETTING_READY_S)
        elif self.live.events:
            after = self.live.events[-1].seq
        commands = Commands(self.live, writer, Role.COMMANDER)
        for number, text in enumerate(said):
            after = min(after, await self._say(text, f"{key}-{number}", commands, after))
        self.answer.spoken.set()
        after = await self._told(teller, writer, after, monotonic() + self.limit_s)
        writer.lines(teller.rest())
        late = self.live.status == "running" and not self.live.idle(Role.FOLLOWER)
        if late:
            writer.note(_MORE)
        if self.pictures != "none":
            writer.picture(await self.live.picture("follower_view", Role.COMMANDER, _PICTURE))
        await writer.drawn()
        self.answer.end("length" if late else "stop")

    async def _say(self, text: str, key: str, commands: Commands, after: int) -> int:
        """Say it, or carry it out; behind which event what comes of it begins."""
        if text.startswith("/"):
            try:
                await commands.carry_out(text)
            except Leaving:
                pass  # a chat is left by closing it
        elif text not in _SILENCE:
            return (await self.live.say(Role.COMMANDER, text, key)).seq
        return after

    async def _told(self, teller: Teller, writer: _Writer, after: int, until: float) -> int:
        """Tell what happens until the Follower has nothing more to do, or time is up; the last event's number."""
        while True:
            idle = self.live.status != "running" or self.live.idle(Role.FOLLOWER)
            for event in [one for one in self.live.events if one.seq > after]:
                after = event.seq
                if event.role is not Role.COMMANDER:
                    writer.lines(teller.event(event))
            if idle or monotonic() > until:
                return after
            await asyncio.sleep(_POLL_S)


class _Writer:
    """Writes lines as Markdown: what is said as paragraphs, what is done as a list. Shows commands' answers too."""

    interactive = False

    def __init__(self, answer: Answer, pictures: str) -> None:
        self._answer = answer
        self._pictures = pictures
        self._listing = False
        self._drawing: asyncio.Task[None] | None = None

    def lines(self, lines: Iterable[Line]) -> None:
        """What happened."""
        for line in lines:
            text = line.text[:1].upper() + line.text[1:]
            if line.kind is Kind.SAID:
                self._write(line.text)
            elif line.kind is Kind.NOTE:
                self._write(f"({text})")
            else:
                self._write(f"- {text}", listed=True)

    def note(self, text: str) -> None:
        """Something that is not the Follower's; lines that are set in are a list."""
        self._write(f"- {text.strip()}" if text.startswith(" ") else text, listed=text.startswith(" "))

    def picture(self, picture: ByteArray) -> None:
        """A picture, behind those before it and in the way that was asked for; a command's is always shown."""
        self._drawing = asyncio.ensure_future(self._draw(picture, self._drawing))

    async def drawn(self) -> None:
        """Wait until all pictures are there."""
        if self._drawing is not None:
            await self._drawing

    async def _draw(self, picture: ByteArray, before: asyncio.Task[None] | None) -> None:
        jpeg = await asyncio.to_thread(jpeg_file, picture, quality=85)
        if before is not None:
            await before
        if self._pictures == "parts":
            self._answer.add(Piece(picture=jpeg))
        else:
            self._write(f"![What is seen]({data_uri(jpeg)})")

    def _write(self, text: str, *, listed: bool = False) -> None:
        between = "" if not self._answer.text else "\n" if listed and self._listing else "\n\n"
        self._listing = listed
        self._answer.add(Piece(f"{between}{text}"))
