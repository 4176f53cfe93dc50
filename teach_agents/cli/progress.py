"""How far a run is: a live bar in a terminal, a plain line every so often elsewhere."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

_LINE_EVERY_S = 30.0


class RunProgress:
    """Counts the instances of a run on a console: how many ended, how many succeeded, how long the rest will take.

    `before` says of those that a run goes on from whether they succeeded. `None` is that nobody judges an instance;
    then no success is told of. `clock` tells seconds.
    """

    def __init__(
        self,
        console: Console,
        title: str,
        total: int,
        before: Sequence[bool | None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._console = console
        self._title = title
        self._total = total
        self._succeeded = list(before)
        self._broken = 0
        self._before = len(before)
        self._clock = clock
        self._began = clock()
        self._told_at = 0.0
        self._told = -1
        columns = (TextColumn(title), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[state]}"))
        self._bar = Progress(*columns, TimeElapsedColumn(), console=console)
        self._task = self._bar.add_task("", total=total, completed=len(self._succeeded), state=self._state())

    @property
    def elapsed_s(self) -> float:
        """Seconds since the beginning."""
        return self._clock() - self._began

    @property
    def left_s(self) -> float | None:
        """Seconds until all will have ended, at the pace so far; `None` before the first has."""
        told = len(self._succeeded)
        ended = told - self._before
        return self.elapsed_s / ended * (self._total - told) if ended else None

    def count(self, instance_id: str, status: str, reason: str, success: bool | None) -> None:
        """One instance has ended; say so if it was not in order."""
        self._succeeded.append(success)
        if status != "done":
            self._broken += 1
            self._say(f"{instance_id} {status}: {' '.join(reason.strip().splitlines()[-1:])}")
        self._bar.update(self._task, advance=1, state=self._state())
        if not self._console.is_terminal and self.elapsed_s - self._told_at >= _LINE_EVERY_S:
            self._tell()

    def _state(self) -> str:
        judged = [one for one in self._succeeded if one is not None]
        whole = bool(judged) and len(judged) == len(self._succeeded)
        parts = [f"success {100 * sum(judged) / len(judged):.1f} %"] if whole else []
        if self._broken:
            parts.append(f"{self._broken} broke down")
        if left_s := self.left_s:
            parts.append(f"about {_time(left_s)} left")
        return ", ".join(parts)

    def _tell(self) -> None:
        self._told_at, self._told = self.elapsed_s, len(self._succeeded)
        parts = (f"{self._title} {self._told}/{self._total}", self._state(), _time(self._told_at) + " gone")
        self._say(", ".join(filter(None, parts)))

    def _say(self, line: str) -> None:
        self._console.print(line, markup=False, highlight=False, soft_wrap=True)

    def __enter__(self) -> RunProgress:
        if self._console.is_terminal:
            self._bar.start()
        else:
            self._tell()
        return self

    def __exit__(self, *problem: Any) -> None:
        if self._console.is_terminal:
            self._bar.stop()
        elif self._told != len(self._succeeded):
            self._tell()


@contextmanager
def counting(what: str) -> Iterator[Callable[[int, int], None]]:
    """Tell how far some work before a run is, on standard error: a bar in a terminal, a line every so often elsewhere.

    Yields what is to be called with how many are done, of how many.
    """
    console = Console(stderr=True)
    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    bar = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
    task, told_at = bar.add_task("", total=None), time.monotonic()

    def tell(done: int, total: int) -> None:
        nonlocal told_at
        bar.update(task, completed=done, total=total)
        if not console.is_terminal and time.monotonic() - told_at >= _LINE_EVERY_S:
            told_at = time.monotonic()
            console.print(f"{what}: {done} of {total}", markup=False, highlight=False)

    with bar:
        yield tell


def _time(seconds: float) -> str:
    return str(timedelta(seconds=round(seconds)))
