"""How well decisions that were held out are made: their loss, and the choices that constrained generation makes."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from statistics import fmean

from teach_agents.core.json_types import JsonObject
from teach_agents.learning.demonstrations import Demonstration
from teach_agents.learning.packing import PackedRow, Sample, pack
from teach_agents.learning.samples import prompt_of
from teach_agents.learning.training import losses_of
from teach_agents.models.batches import in_batches
from teach_agents.models.choosing import choose
from teach_agents.models.contract import LanguageModel
from teach_agents.models.local.packages import torch
from teach_agents.models.local.weights import Weights

_TOGETHER = 8
"""Prompts in one call."""


def drawn(demonstrations: Iterable[Demonstration], most: int) -> list[Demonstration]:
    """Whole sessions, by lot but always the same, of each kind alike: at most `most` decisions."""
    kinds: dict[str, list[list[Demonstration]]] = defaultdict(list)
    for _, mine in groupby(demonstrations, key=lambda one: (one.kind, one.session)):
        session = list(mine)
        kinds[session[0].kind].append(session)
    found: list[Demonstration] = []
    for left, (_, sessions) in zip(range(len(kinds), 0, -1), sorted(kinds.items()), strict=True):
        room = (most - len(found)) // left
        random.Random(0).shuffle(sessions)
        found += [one for session in sessions for one in session][:room]
    return found


@dataclass(frozen=True, slots=True)
class Judge:
    """Decisions to judge a model by, packed for it."""

    demonstrations: tuple[Demonstration, ...]
    rows: tuple[PackedRow, ...]

    @classmethod
    def of(cls, samples: Sequence[Sample], demonstrations: Sequence[Demonstration], room: int) -> Judge:
        """Decisions, which are these `samples`, in rows of at most `room` tokens."""
        return cls(tuple(demonstrations), tuple(pack(enumerate(samples), room)))

    @property
    def chance(self) -> float:
        """How often a uniform choice among the candidates is right."""
        return fmean(1 / len(set(one.choices)) for one in self.demonstrations)

    def losses(self, weights: Weights, told: Callable[[], None] = lambda: None) -> list[float]:
        """The loss of each decision, in nats; `told` before each row."""
        found = [0.0] * len(self.demonstrations)
        with torch().inference_mode():
            for row in self.rows:
                told()
                for number, loss in zip(row.samples, losses_of(weights, row).tolist(), strict=True):
                    found[number] = loss
        return found

    def right(self, model: LanguageModel, told: Callable[[], None] = lambda: None) -> list[bool]:
        """Whether a model chooses right, as a `Decider` lets it choose; `told` before each call."""
        found: list[bool] = []
        for mine in in_batches(self.demonstrations, _TOGETHER):
            told()
            choices = choose(model, [prompt_of(one) for one in mine], by="generate")
            found += [choice.text == one.choice for choice, one in zip(choices, mine, strict=True)]
        return found

    def verdict(self, losses: Sequence[float], right: Sequence[bool]) -> JsonObject:
        """Means as JSON, over all and by kind."""
        kinds = [one.kind for one in self.demonstrations]
        return {
            "n": len(kinds),
            "loss": _mean(losses),
            "accuracy": _mean(right),
            "chance": round(self.chance, 4),
            "by_kind": {
                kind: {
                    "n": kinds.count(kind),
                    "loss": _mean(loss for loss, its in zip(losses, kinds, strict=True) if its == kind),
                    "accuracy": _mean(one for one, its in zip(right, kinds, strict=True) if its == kind),
                }
                for kind in sorted(set(kinds))
            },
        }


def _mean(values: Iterable[float]) -> float:
    return round(fmean(values), 4)
