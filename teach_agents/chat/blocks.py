"""A picture in a terminal: two pixels a character, the upper in the colour of a half block, the lower behind it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from rich.color import Color
from rich.measure import Measurement
from rich.segment import Segment
from rich.style import Style

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions

    from teach_agents.arrays import ByteArray


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
