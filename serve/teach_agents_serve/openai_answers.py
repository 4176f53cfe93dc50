"""An answer as it comes: pieces of text and pictures that any number of readers can have, from the first on."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from time import monotonic

from teach_agents_serve.openai_wire import ChatError

_PICTURE = re.compile(r"!\[[^\]]*\]\([^)]*\)")


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
            try:
                async with asyncio.timeout(beat_s):
                    await self._news.wait()
            except TimeoutError:
                yield None
        if self.error is not None:
            raise self.error

    async def begun(self, limit_s: float) -> None:
        """Wait for the first piece, but not for long. Raises what ended it before there was any."""
        async for _ in self.follow(limit_s):
            return

    async def whole(self) -> None:
        """Wait for the end. Raises what ended it."""
        async for _ in self.follow(60.0):
            pass

    def is_quoted_by(self, text: str) -> bool:
        """Whether a client that had this answer, or its beginning, could send it back so."""
        return plain(self.text).startswith(plain(text))


def plain(text: str) -> str:
    """A text without pictures and however it is spaced."""
    return " ".join(without_pictures(text).split())


def without_pictures(text: str) -> str:
    """A text without the pictures in it."""
    return _PICTURE.sub("", text).rstrip()
