"""What a training will read, step by step: which decisions, in which order, packed how. A seed decides it all."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from teach_agents.learning.packing import PackedRow, Sample, pack

_WARMING = 0.05
"""Share of all steps in which the learning rate rises."""
_LEAST = 0.05
"""What is left of the learning rate in the end, as a share."""


@dataclass(frozen=True, slots=True)
class Step:
    """Rows whose gradients are summed before the weights change."""

    rows: tuple[PackedRow, ...]

    @property
    def tokens(self) -> int:
        """Tokens that are read."""
        return sum(map(len, self.rows))

    @property
    def unpacked(self) -> int:
        """Tokens that its decisions have when each is read alone."""
        return sum(row.unpacked for row in self.rows)

    @property
    def decisions(self) -> int:
        """How many decisions it holds."""
        return sum(len(row.samples) for row in self.rows)


@dataclass(frozen=True, slots=True)
class Plan:
    """All steps of a training."""

    steps: tuple[Step, ...]

    @property
    def tokens(self) -> int:
        """Tokens that will be read."""
        return sum(step.tokens for step in self.steps)


def planned(
    samples: Sequence[Sample], *, seed: int, epochs: int, tokens: int | None = None, row: int, batch: int
) -> Plan:
    """Every decision once per epoch, or as long as `tokens` last.

    Rows have at most `row` tokens, steps at least `batch`. Each epoch shuffles the sessions, which are packed in that
    order, and then the rows.
    """
    steps: list[Step] = []
    left = math.inf if tokens is None else tokens
    for epoch in range(epochs):
        for step in _steps(samples, random.Random(f"{seed} {epoch}"), row, batch):
            if left <= 0:
                break
            steps.append(step)
            left -= step.tokens
    return Plan(tuple(steps))


def _steps(samples: Sequence[Sample], dice: random.Random, room: int, batch: int) -> Iterator[Step]:
    sessions = [list(mine) for _, mine in groupby(enumerate(samples), key=lambda one: one[1].session)]
    dice.shuffle(sessions)
    rows = list(pack((one for session in sessions for one in session), room))
    dice.shuffle(rows)
    gathered: list[PackedRow] = []
    for row in rows:
        gathered.append(row)
        if sum(map(len, gathered)) >= batch:
            yield Step(tuple(gathered))
            gathered = []
    if gathered:
        yield Step(tuple(gathered))


def learning_rate(step: int, steps: int, peak: float) -> float:
    """The learning rate of a step (from 0) of so many: it rises in a line, then falls along a cosine."""
    warming = max(1, round(_WARMING * steps))
    if step < warming:
        return peak * (step + 1) / warming
    gone = (step - warming) / max(1, steps - warming)
    return peak * (_LEAST + (1 - _LEAST) * (1 + math.cos(math.pi * gone)) / 2)
