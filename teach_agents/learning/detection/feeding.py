"""Frames as fast as a training eats them: drawn in its own process, or ahead of it in others."""

from __future__ import annotations

import multiprocessing
import signal
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from itertools import count

from teach_agents.errors import TeachAgentsError
from teach_agents.learning.detection.frames import CHUNK, Frame, chunk

_AHEAD = 2
"""Chunks that each worker is ahead by."""
_SLOWEST_S = 600.0
"""Seconds for a chunk after which something must be wrong."""


@contextmanager
def feeding(
    seed: int, first: int, size: int, rooms: Sequence[str], workers: int = 0, part: tuple[int, int] = (0, 1)
) -> Iterator[Iterator[list[Frame]]]:
    """Batches of `size` frames (a divisor of 64) without end, from the `first` one on.

    They are the same however many `workers` draw them; 0 draws them here. `part` (place, count) takes every so manyth
    chunk only, from the one at a place on. Raises `TeachAgentsError` where a worker dies.
    """
    whole, skipped = divmod(first * size, CHUNK)
    chunks = count(part[0] + whole * part[1], part[1])
    if workers == 0:
        yield _cut((chunk(seed, number, rooms) for number in chunks), skipped, size)
        return
    context = multiprocessing.get_context("spawn")
    deaf = (signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the training's to hear
    pool = ProcessPoolExecutor(workers, mp_context=context, initializer=signal.signal, initargs=deaf)
    try:
        yield _cut(_ahead(pool, seed, chunks, rooms, workers * _AHEAD), skipped, size)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _cut(chunks: Iterator[list[Frame]], skipped: int, size: int) -> Iterator[list[Frame]]:
    for frames in chunks:
        for begin in range(skipped, CHUNK, size):
            yield frames[begin : begin + size]
        skipped = 0


def _ahead(
    pool: ProcessPoolExecutor, seed: int, chunks: Iterable[int], rooms: Sequence[str], most: int
) -> Iterator[list[Frame]]:
    """Chunks in order, of which some are drawn ahead."""
    waiting: deque[Future[list[Frame]]] = deque()
    for number in chunks:
        waiting.append(pool.submit(chunk, seed, number, tuple(rooms)))
        if len(waiting) >= most:
            try:
                yield waiting.popleft().result(_SLOWEST_S)
            except Exception as error:
                raise TeachAgentsError(f"frames cannot be drawn: {type(error).__name__}: {error}") from error
