"""How a process that serves many at once shares its time: nobody waits long for the collector or for another thread."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager

_SWITCH_S = 0.001
_THRESHOLDS = (2_000, 5, 5)
"""A full collection follows 50,000 new objects, which takes it some 20 ms."""
_COMPLETE = 1_000
"""So many full collections pass before one looks through everything, which takes a second where much is kept."""
_GIVEN_UP = 64
"""So many sessions are given up before one does."""


@contextmanager
def serving_many() -> Iterator[None]:
    """Share this process's time among many, until the block is left.

    Sessions consist of many objects that live for long. What has outlived a full collection is left out of those that
    follow, until enough was given up (see `GivenUp`) that circles may hold.
    """
    switch_s, thresholds, looked = sys.getswitchinterval(), gc.get_threshold(), 0

    def settle(phase: str, info: dict[str, int]) -> None:
        nonlocal looked
        if info["generation"] != 2:
            return
        if phase == "stop":
            gc.freeze()
            return
        looked += 1
        if looked % _COMPLETE == 0:
            gc.unfreeze()

    sys.setswitchinterval(min(switch_s, _SWITCH_S))
    gc.set_threshold(*_THRESHOLDS)
    gc.callbacks.append(settle)
    try:
        yield
    finally:
        gc.callbacks.remove(settle)
        gc.set_threshold(*thresholds)
        gc.unfreeze()
        sys.setswitchinterval(switch_s)


class GivenUp:
    """Counts sessions that were given up, and every so often has the next full collection look through everything."""

    def __init__(self) -> None:
        self._count = 0

    def add(self) -> None:
        """One more."""
        self._count += 1
        if self._count % _GIVEN_UP == 0:
            gc.unfreeze()
