"""One sitting of a training in its folder: whether it may begin, what it logs, when it keeps, when it ends and why."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Any

from teach_agents.core.benchmark.folder import Journal, storing, write_atomically
from teach_agents.errors import InputError
from teach_agents.learning.stopping import Stopped, stopping

CHECKPOINT = "checkpoint.pt"
LOG = "log.jsonl"
SETTINGS = "settings.json"


def check_folder(out: Path, resume: bool) -> None:
    """Raises `InputError` for a folder with a training that is not to be gone on with, or without one that is."""
    if (out / CHECKPOINT).exists() and not resume:
        raise InputError("--out", "holds a training; --resume goes on with it, or choose a new folder", value=str(out))
    if resume and not (out / SETTINGS).exists():
        raise InputError("--resume", "there is no training in this folder to go on with", value=str(out))


class Sitting:
    """What a training asks while it runs.

    `reason` says why it ended before its time: "interrupted", "time", or nothing. Seconds are of a steady clock.
    """

    def __init__(self, out: Path, wished: Callable[[], bool], minutes: float | None, every_s: float) -> None:
        self.reason = ""
        self._out, self._log, self._wished, self._every_s = out, Journal(out / LOG), wished, every_s
        self._until = None if minutes is None else monotonic() + 60 * minutes
        self._kept_at = monotonic()

    def ended(self) -> bool:
        """Whether somebody wishes it to stop, or time is over."""
        over = self._until is not None and monotonic() >= self._until
        self.reason = "interrupted" if self._wished() else "time" if over else self.reason
        return bool(self.reason)

    def go_on(self) -> None:
        """Raises `Stopped` where it has ended."""
        if self.ended():
            raise Stopped

    def begin_behind(self, step: int) -> None:
        """Forget what the log says of steps that are taken again; of a training that begins anew, all."""
        kept = [one for one in self._log if 0 < step >= one.get("step", 0)]
        with storing(self._out):
            write_atomically(self._log.path, "".join(json.dumps(one) + "\n" for one in kept))

    def log(self, line: Mapping[str, Any]) -> None:
        """Write a line through to the log."""
        with storing(self._out):
            self._log.append(line)

    def is_due(self) -> bool:
        """Whether a checkpoint is to be written now; asked again, not before as much time has gone once more."""
        due = monotonic() - self._kept_at >= self._every_s
        if due:
            self._kept_at = monotonic()
        return due


@contextmanager
def sitting(out: Path, *, minutes: float | None, every_s: float, told: Callable[[str], None]) -> Iterator[Sitting]:
    """A sitting that Ctrl-C, TERM and so many minutes end in good order; `told` hears that it is stopping."""
    with stopping(lambda: told("stopping: all is kept")) as wished:
        yield Sitting(out, wished, minutes, every_s)
