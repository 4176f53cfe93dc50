"""A terminal to talk in, pictures too: lines are typed while others are printed; or a pipe, plain text in and out."""

from __future__ import annotations

import asyncio
import ctypes
import os
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from rich.color import Color
from rich.console import Console, ConsoleOptions
from rich.markup import escape
from rich.measure import Measurement
from rich.segment import Segment
from rich.style import Style

from teach_agents.arrays import ByteArray
from teach_agents.chat.telling import Kind, Line

_PROMPT = "> "
_STYLES = {Kind.SAID: "bold", Kind.DID: "dim", Kind.FAILED: "yellow", Kind.NOTE: "cyan"}
_MARKS = {Kind.SAID: "", Kind.DID: "  * ", Kind.FAILED: "  ! ", Kind.NOTE: "-- "}
_CLEARED = "\r\x1b[2K"


class Terminal:
    """Reads lines and prints them.

    `interactive` is whether both ends are a terminal: then a prompt stays below what is printed, with what was typed so
    far. Otherwise nothing but plain text is written.
    """

    def __init__(self, console: Console) -> None:
        self._console = console
        self.interactive = bool(sys.stdin.isatty() and console.is_terminal)
        self._prompting = False
        self._pieces = b""
        self._over = False
        self._modes = _modes() if self.interactive else None
        if self.interactive:
            _load_line_editing()

    async def read(self) -> str | None:
        """The next line; `None` when there will be no more."""
        loop = asyncio.get_running_loop()
        read: asyncio.Future[str | None] = loop.create_future()

        def told(line: str | None) -> None:
            self._prompting = False
            if not read.done():
                read.set_result(line)

        def work() -> None:
            line = self._typed() if self.interactive else self._piped()
            try:
                loop.call_soon_threadsafe(told, line)
            except RuntimeError:
                pass  # the loop is closed: nobody waits any more

        self._prompting = True
        threading.Thread(target=work, name="chat terminal", daemon=True).start()
        return await read

    def show(self, line: Line, speaker: str = "") -> None:
        """Print a line of a session."""
        text = f"{speaker}: {line.text}" if line.kind is Kind.SAID else f"{_MARKS[line.kind]}{line.text}"
        self._print(lambda: self._console.print(f"[{_STYLES[line.kind]}]{escape(text)}[/]", soft_wrap=True))

    def note(self, text: str) -> None:
        """Print something that belongs to the terminal, not to the session."""
        self._print(lambda: self._console.print(escape(text), style=_STYLES[Kind.NOTE], soft_wrap=True))

    def picture(self, picture: ByteArray) -> None:
        """Draw a picture as large as the terminal shows it; a pipe is told that it cannot be drawn."""
        if self._console.is_terminal:
            self._print(lambda: self._console.print(Blocks(picture)))
        else:
            self.note("Pictures need a terminal.")

    def close(self) -> None:
        """Leave the terminal as it was found, without a prompt."""
        if self.interactive and self._prompting:
            self._console.file.write(_CLEARED)
        self._prompting = False
        if self._modes:
            _restore(self._modes)

    def _print(self, write: Callable[[], None]) -> None:
        """Print above the prompt and what was typed so far."""
        if not (self.interactive and self._prompting):
            write()
            return
        out = self._console.file
        out.write(_CLEARED)
        write()
        out.write(_PROMPT + _typed_so_far())
        out.flush()

    def _typed(self) -> str | None:
        try:
            return input(_PROMPT)
        except (EOFError, OSError, ValueError):
            return None

    def _piped(self) -> str | None:
        """Read past Python's buffers: a thread that waits in them would keep the process from ending."""
        while not self._over and b"\n" not in self._pieces:
            try:
                piece = os.read(sys.stdin.fileno(), 65_536)
            except OSError:
                piece = b""
            self._over = not piece
            self._pieces += piece
        line, newline, self._pieces = self._pieces.partition(b"\n")
        return line.decode(errors="replace") if newline or line else None


def _load_line_editing() -> None:
    try:
        import readline  # noqa: F401  # input() edits lines once it is there
    except ImportError:
        return


def _typed_so_far() -> str:
    """What line editing holds, copied as it is: `readline.get_line_buffer()` decodes it in place, and the C library
    ends the process where another thread types meanwhile.
    """
    readline = sys.modules.get("readline")
    if readline is None:
        return ""
    try:
        library = ctypes.CDLL(getattr(readline, "__file__", None))
        return (ctypes.c_char_p.in_dll(library, "rl_line_buffer").value or b"").decode(errors="replace")
    except (OSError, ValueError):  # another library for it, which does not say
        return ""


def _modes() -> list[object] | None:
    """The terminal's modes, which line editing changes while it waits."""
    try:
        import termios

        return list(termios.tcgetattr(sys.stdin.fileno()))
    except ImportError:
        return None


def _restore(modes: list[object]) -> None:
    import termios

    termios.tcsetattr(sys.stdin.fileno(), termios.TCSADRAIN, modes)  # type: ignore[arg-type]  # as they were given


_UPPER_HALF = "\u2580"


@dataclass(frozen=True, slots=True)
class Blocks:
    """A picture (uint8, H x W x 3) as large as a terminal shows it whole, for rich to print.

    It leaves `rows` lines of the terminal free. Terminals without true colour show the nearest colours that they have.
    """

    picture: ByteArray
    rows: int = 2

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Segment]:
        for line in _halves(self._fitted(options.max_width, max(1, console.height - self.rows))):
            for upper, lower in line:
                style = Style(color=Color.from_rgb(*upper), bgcolor=Color.from_rgb(*lower))
                yield Segment(_UPPER_HALF, style)
            yield Segment.line()

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        return Measurement(1, options.max_width)

    def _fitted(self, columns: int, lines: int) -> ByteArray:
        """The picture in as many pixels as there are, its sides as they were; the height is even."""
        from PIL import Image

        height, width = self.picture.shape[:2]
        scale = min(columns / width, 2 * lines / height)
        size = max(1, round(width * scale)), max(2, 2 * round(height * scale / 2))
        return np.asarray(Image.fromarray(self.picture).resize(size, Image.Resampling.BOX), np.uint8)


_Pixel = tuple[int, int, int]


def _halves(picture: ByteArray) -> Iterator[Iterator[tuple[_Pixel, _Pixel]]]:
    """Pairs of pixels, one above the other, line by line."""
    rows = picture.tolist()
    for upper, lower in zip(rows[::2], rows[1::2], strict=True):
        yield ((tuple(above), tuple(below)) for above, below in zip(upper, lower, strict=True))
