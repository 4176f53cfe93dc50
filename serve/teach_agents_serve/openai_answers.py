"""An answer as it comes: pieces that any number of readers can have, from the first on, and how a Follower makes it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass
from time import monotonic

from teach_agents.actions import Role
from teach_agents.agents.dialogue.noun_text import capitalized
from teach_agents.arrays import ByteArray
from teach_agents.chat.commands import Commands, Leaving
from teach_agents.chat.telling import Kind, Line, Teller
from teach_agents.conventions.pictures import jpeg_file
from teach_agents.live import LiveSession
from teach_agents.live.driver import until
from teach_agents_serve.openai_wire import ChatError, data_uri

_MARKED = re.compile(r"!\[[^\]]*\]\([^)]*\)")
_POLL_S = 0.03
_GETTING_READY_S = 120.0
_PICTURE = 400
"""Pixels a side."""
_MORE = "(Still at it: say anything, or ..., to hear more.)"
_SILENCE = frozenset({"...", "\u2026"})
"""What says nothing and lets the Follower go on."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Some text, or a picture as JPEG."""

    text: str = ""
    picture: bytes = b""


class Answer:
    """One answer, made once and read as often as it is asked for. Belongs to one event loop.

    One that was kept has its text from the beginning, and why it ended.
    """

    def __init__(self, text: str = "", finish: str = "") -> None:
        self._pieces = [Piece(text)] if text else []
        self._news = asyncio.Event()
        self.spoken = asyncio.Event()
        """Set once what is answered was said, or never will be."""
        self.finish = finish
        """Why it ended, as OpenAI says it; "" while it goes on."""
        self.error: ChatError | None = None
        self.over_at = 0.0

    @property
    def text(self) -> str:
        """All the text so far."""
        return "".join(piece.text for piece in self._pieces)

    @property
    def pictures(self) -> list[bytes]:
        """All the pictures so far."""
        return [piece.picture for piece in self._pieces if piece.picture]

    def add(self, piece: Piece) -> None:
        """One more piece."""
        self._pieces.append(piece)
        self._ring()

    def forget_pictures(self) -> None:
        """Keep the text alone of an answer that is over: a chat may be long."""
        if self.finish:
            self._pieces = [Piece(without_pictures(self.text))]

    def end(self, finish: str, error: ChatError | None = None) -> None:
        """There is no more; the first end counts."""
        if not self.finish:
            self.finish, self.error, self.over_at = finish, error, monotonic()
            self.spoken.set()
            self._ring()

    def _ring(self) -> None:
        rung, self._news = self._news, asyncio.Event()
        rung.set()

    async def follow(self, beat_s: float) -> AsyncIterator[Piece | None]:
        """Every piece from the first on; `None` where none came for `beat_s`. Raises what ended it."""
        at = 0
        while True:
            while at < len(self._pieces):
                at += 1
                yield self._pieces[at - 1]
            if self.finish:
                break
            news = self._news
            await until(news, beat_s)
            if not news.is_set():
                yield None
        if self.error:
            raise self.error

    async def begun(self, limit_s: float) -> None:
        """Wait for the first piece, but not for long. Raises what ended it before there was any."""
        async for _ in self.follow(limit_s):
            return

    async def whole(self) -> None:
        """Wait for the end. Raises what ended it."""
        async for _ in self.follow(60.0):
            pass


def plain(text: str) -> str:
    """A text without pictures and however it is spaced."""
    return " ".join(without_pictures(text).split())


def without_pictures(text: str) -> str:
    """A text without the pictures in it."""
    return _MARKED.sub("", text).rstrip()


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
        after = len(self.live.events) - 1
        if first:
            after = await self._told(teller, writer, -1, monotonic() + _GETTING_READY_S)
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
            for event in self.live.events[after + 1 :]:
                after = event.seq
                if event.role is not Role.COMMANDER:
                    writer.lines(teller.event(event))
            if idle or monotonic() > until:
                return after
            await asyncio.sleep(_POLL_S)


@dataclass(eq=False)
class _Writer:
    """Writes lines as Markdown: what is said as paragraphs, what is done as a list. Shows commands' answers too."""

    interactive = False

    _answer: Answer
    _pictures: str
    _listing: bool = False
    _drawing: asyncio.Task[None] | None = None

    def lines(self, lines: Iterable[Line]) -> None:
        """What happened."""
        for line in lines:
            text = capitalized(line.text)
            if line.kind is Kind.SAID:
                self._write(line.text)
            elif line.kind is Kind.NOTE:
                self._write(f"({text})")
            else:
                self._write(f"- {text}", listed=True)

    def note(self, text: str) -> None:
        """Something that is not the Follower's; lines that are set in are a list."""
        listed = text.startswith(" ")
        self._write(f"- {text.strip()}" if listed else text, listed=listed)

    def picture(self, picture: ByteArray) -> None:
        """A picture, behind those before it and in the way that was asked for; a command's is always shown."""
        self._drawing = asyncio.ensure_future(self._draw(picture, self._drawing))

    async def drawn(self) -> None:
        """Wait until all pictures are there."""
        if self._drawing:
            await self._drawing

    async def _draw(self, picture: ByteArray, before: asyncio.Task[None] | None) -> None:
        jpeg = await asyncio.to_thread(jpeg_file, picture, quality=85)
        if before:
            await before
        if self._pictures == "parts":
            self._answer.add(Piece(picture=jpeg))
        else:
            self._write(f"![What is seen]({data_uri(jpeg)})")

    def _write(self, text: str, *, listed: bool = False) -> None:
        between = "" if not self._answer.text else "\n" if listed and self._listing else "\n\n"
        self._listing = listed
        self._answer.add(Piece(f"{between}{text}"))
