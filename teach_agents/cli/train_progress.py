"""How far a training is: a live bar in a terminal, a plain line every so often elsewhere."""

from __future__ import annotations

import time
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

if TYPE_CHECKING:
    from teach_agents.learning.checkpoints import Progress as Gone
    from teach_agents.learning.plan import Plan
    from teach_agents.learning.training import Stepped

__all__ = ["TrainingProgress"]

_LINE_EVERY_S = 60.0
_RECENT = 0.8
"""How much of the mean loss shown is that of the steps before."""


class TrainingProgress:
    """Shows loss, held-out loss and accuracy, pace and the time left on a console."""

    def __init__(self, console: Console) -> None:
        self._console = console
        columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[state]}"))
        self._bar = Progress(*columns, TimeElapsedColumn(), console=console, transient=True)
        self._task = self._bar.add_task("training", total=None, state="")
        self._tokens = 0
        self._loss: float | None = None
        self._held_out = ""
        self._told_at = float("-inf")

    def stage(self, words: str) -> None:
        """Something begins that takes a while."""
        self._bar.update(self._task, description=words)
        if not self._console.is_terminal:
            self._say(words)

    def planned(self, plan: Plan, progress: Gone) -> None:
        """What will be read."""
        self._tokens = plan.tokens
        self._bar.update(self._task, total=plan.tokens, completed=progress.tokens)
        read = sum(step.unpacked for step in plan.steps)
        decisions = sum(step.decisions for step in plan.steps)
        self._say(
            f"{decisions:,} decisions in {len(plan.steps):,} steps; {plan.tokens:,} tokens, "
            f"{read / max(1, plan.tokens):.1f} times fewer than one by one"
        )
        if progress.step:
            self._say(f"going on behind step {progress.step} of {len(plan.steps)}")

    def stepped(self, step: Stepped, progress: Gone) -> None:
        """A step is over."""
        self._loss = step.loss if self._loss is None else _RECENT * self._loss + (1 - _RECENT) * step.loss
        left = (self._tokens - progress.tokens) * progress.seconds / max(1, progress.tokens)
        parts = [
            f"loss {self._loss:.3f}",
            self._held_out,
            f"{step.tokens / step.seconds:.0f} tokens/s",
            f"about {timedelta(seconds=round(left))} left",
        ]
        state = ", ".join(filter(None, parts))
        self._bar.update(self._task, description="training", completed=progress.tokens, state=state)
        if not self._console.is_terminal and time.monotonic() - self._told_at >= _LINE_EVERY_S:
            self._told_at = time.monotonic()
            self._say(f"step {progress.step}, {progress.tokens:,} of {self._tokens:,} tokens: {state}")

    def checked(self, verdict: dict[str, Any]) -> None:
        """Held-out decisions were judged."""
        self._held_out = f"held-out {verdict['loss']:.3f}, {100 * verdict['accuracy']:.1f} % right"
        by_kind = ", ".join(f"{kind} {100 * one['accuracy']:.1f} %" for kind, one in verdict["by_kind"].items())
        self._say(
            f"step {verdict['step']}: {verdict['n']} held-out decisions: loss {verdict['loss']:.3f}, "
            f"{100 * verdict['accuracy']:.1f} % right ({by_kind}; by chance {100 * verdict['chance']:.1f} %)"
        )

    def _say(self, line: str) -> None:
        self._console.print(line, markup=False, highlight=False, soft_wrap=True)

    def __enter__(self) -> TrainingProgress:
        if self._console.is_terminal:
            self._bar.start()
        return self

    def __exit__(self, *problem: Any) -> None:
        if self._console.is_terminal:
            self._bar.stop()
