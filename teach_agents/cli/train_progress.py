"""How far a training is: a live bar in a terminal, a plain line every so often elsewhere.

What the steps and checks of each training are told as stands beside its command.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any, ClassVar, Self

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

_LINE_EVERY_S = 60.0


def left(seconds: float) -> str:
    """How long a training will still take, in words."""
    return f"about {timedelta(seconds=round(seconds))} left"


class TrainingLines:
    """Lines on a console: what begins, what is to be known, and every minute how far it is. `clock` tells seconds."""

    memory: ClassVar[float] = 0.95
    """How much of a mean is that of the steps before."""

    def __init__(self, console: Console, clock: Callable[[], float] = time.monotonic) -> None:
        self._console = console
        self._clock = clock
        self._means: dict[str, float] = {}
        self._told_at = float("-inf")

    def stage(self, words: str) -> None:
        """Something begins that takes a while, or is to be known."""
        self._say(words)

    def _mean(self, name: str, value: float) -> float:
        """The mean of what steps came to, the last one with them: a step on its own says little."""
        self._means[name] = self.memory * self._means.get(name, value) + (1 - self.memory) * value
        return self._means[name]

    def _say(self, line: str) -> None:
        self._console.print(line, markup=False, highlight=False, soft_wrap=True)

    def _say_now_and_then(self, line: str) -> None:
        """Say how far it is, unless that was said less than a minute ago."""
        if self._clock() - self._told_at >= _LINE_EVERY_S:
            self._told_at = self._clock()
            self._say(line)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *problem: Any) -> None:
        return


class TrainingBar(TrainingLines):
    """The same with a live bar where the console is a terminal: what begins and how far it is stand on the bar then."""

    total: ClassVar[float | None] = None
    """How much makes the bar full; `None` where that is only known once the training begins."""

    def __init__(self, console: Console, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(console, clock)
        columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[state]}"))
        self._bar = Progress(*columns, TimeElapsedColumn(), console=console, transient=True)
        self._task = self._bar.add_task("training", total=self.total, state="")
        self._held_out = ""

    def stage(self, words: str) -> None:
        """Something begins that takes a while."""
        self._bar.update(self._task, description=words)
        if not self._console.is_terminal:
            super().stage(words)

    def _show(self, completed: float, place: str, losses: str, pace: str, left_s: float) -> None:
        """How far it is: so much of the total, which a line calls `place`, and how it stands there."""
        state = ", ".join(filter(None, (losses, self._held_out, pace, left(left_s))))
        self._bar.update(self._task, description="training", completed=completed, state=state)
        if not self._console.is_terminal:
            self._say_now_and_then(f"{place}: {state}")

    def __enter__(self) -> Self:
        if self._console.is_terminal:
            self._bar.start()
        return self

    def __exit__(self, *problem: Any) -> None:
        if self._console.is_terminal:
            self._bar.stop()
