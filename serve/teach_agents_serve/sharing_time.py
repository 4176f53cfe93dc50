"""How a process that serves many at once shares its time: nobody waits long for the collector or for another thread."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["serving_many"]

_SWITCH_S = 0.001
_THRESHOLDS = (2_000, 5, 5)
"""A full collection follows 50,000 new objects, which takes it some 20 ms."""
_COMPLETE = 64
"""So many full collections pass before one looks through everything, which takes a second where much is kept."""


@contextmanager
def serving_many() -> Iterator[None]:
    """Share this process's time among many, until the block is left.

    Sessions consist of many objects that live for long. What has outlived a full collection is left out of those that
    follow, but for every 64th; so what was given up in a circle stays a while.
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
