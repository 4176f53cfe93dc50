"""An adapter on its way through a plan, a step at a time: packed rows are read along the ways of their trees.

What is computed of a row is what reading each decision alone computes, but for rounding; what decisions share once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from time import perf_counter
from typing import Any

from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.errors import InputError
from teach_agents.learning.loop import Progress, Resumable, learning_rate, refuse_endless
from teach_agents.learning.lora import Adapter
from teach_agents.learning.packing import PackedRow, Plan, Step
from teach_agents.models.local.packages import torch
from teach_agents.models.local.readings import causal_mask, logits_at, reads_rows
from teach_agents.models.local.weights import Weights

_LONGEST_GRADIENT = 1.0


def check_reads_trees(weights: Weights, name: str) -> None:
    """Raise `InputError` for a model that cannot read several texts in a row as each alone, or narrows no logits."""
    if not (reads_rows(weights) and weights.takes("logits_to_keep")):
        problem = "cannot be trained here: it reads pictures, looks back through a window only, or keeps states"
        raise InputError("--base", problem, value=name, valid=("a causal model with plain attention",))


class _Tree:
    """Attention of one row: each span of new tokens sees the tokens on its way, and itself up to each token."""

    def __init__(self, row: PackedRow, weights: Weights) -> None:
        library, device = torch(), weights.device
        self._parts = [
            (
                slice(span.begin, span.end),
                library.cat(
                    [
                        library.from_numpy(span.before).to(device),
                        library.arange(span.begin, span.end, device=device),
                    ]
                ),
                causal_mask(span.end - span.begin, len(span.before), weights),
            )
            for span in row.spans
        ]

    def attend(self, layer: int, query: Any, key: Any, value: Any, scale: float | None) -> Any:
        """See `models.local.attention.Row`."""
        library = torch()
        attention = library.nn.functional.scaled_dot_product_attention
        grouped = query.shape[1] != key.shape[1]
        made = [
            attention(
                query[:, :, part],
                key.index_select(2, seen),
                value.index_select(2, seen),
                attn_mask=mask,
                scale=scale,
                enable_gqa=grouped,
            )
            for part, seen, mask in self._parts
        ]
        return library.cat(made, dim=2).transpose(1, 2).contiguous()


def logits_of(weights: Weights, row: PackedRow) -> Any:
    """The logits (wanted tokens, vocabulary), float32, at the places where a row's answers are to be foretold."""
    given = (row.tokens, row.positions, *row.logits)
    tokens, positions, places, which = (torch().from_numpy(one).to(weights.device) for one in given)
    return logits_at(weights, _Tree(row, weights), tokens, positions, places).float()[which]


def losses_of(weights: Weights, row: PackedRow) -> Any:
    """How unlikely each of a row's decisions is made right (decisions,): minus the log-probability of its answer.

    Where only some tokens are allowed, those alone share the probability.
    """
    library = torch()
    wanted = library.from_numpy(row.wanted).to(weights.device)
    logits = logits_of(weights, row)
    if row.allowed:
        barred = library.ones(logits.shape, dtype=library.bool)
        for at, tokens in enumerate(row.allowed):
            barred[at, library.from_numpy(tokens)] = False
        logits = logits.masked_fill(barred.to(logits.device), -library.inf)
    losses = library.nn.functional.cross_entropy(logits, wanted, reduction="none")
    owners = library.from_numpy(row.owners).to(weights.device)
    return library.zeros(len(row.samples), device=weights.device).index_add(0, owners, losses)


@dataclass(frozen=True, slots=True)
class Stepped:
    """What a step came to: `loss` is the mean of its decisions', in nats; `gradient` the gradient's length before it
    was cut to at most 1."""

    loss: float
    rate: float
    gradient: float
    tokens: int
    seconds: float


class Training(Resumable):
    """An adapter on its way through a plan: AdamW without decay, warm-up and cosine, gradients of a step summed.

    A decision's loss is minus the log-probability of its whole answer, and every decision counts alike. Between two
    steps `state` is all that it takes to go on, to the byte on the same machine with as many threads.
    """

    def __init__(self, weights: Weights, adapter: Adapter, plan: Plan, *, peak: float, key: str = "") -> None:
        self.progress = Progress()
        self._weights = weights
        self._adapter = adapter
        self._plan = plan
        self._peak = peak
        self.key = key
        self._optimizer = torch().optim.AdamW(adapter.parameters, lr=peak, weight_decay=0.0)

    @property
    def is_over(self) -> bool:
        """Whether no step is left."""
        return self.progress.step >= len(self._plan.steps)

    def step(self, stopped: Callable[[], bool] = lambda: False) -> Stepped | None:
        """Take the next step; `None`, and nothing changed, where it was `stopped` between two rows.

        Raises `TeachAgentsError` where the loss is no number any more.
        """
        begun = perf_counter()
        step = self._plan.steps[self.progress.step]
        self._optimizer.zero_grad(set_to_none=True)
        total = 0.0
        for row in step.rows:
            if stopped():
                return None
            loss = losses_of(self._weights, row).sum() / step.decisions
            loss.backward()
            total += float(loss.detach())
        gradient = float(torch().nn.utils.clip_grad_norm_(self._adapter.parameters, _LONGEST_GRADIENT))
        refuse_endless(self.progress.step, total, gradient)
        rate = learning_rate(self.progress.step, len(self._plan.steps), self._peak)
        for group in self._optimizer.param_groups:
            group["lr"] = rate
        self._optimizer.step()
        seconds = perf_counter() - begun
        self._count(step, seconds)
        return Stepped(total, rate, gradient, step.tokens, seconds)

    def _count(self, step: Step, seconds: float) -> None:
        progress = self.progress
        progress.step += 1
        progress.tokens += step.tokens
        progress.unpacked += step.unpacked
        progress.decisions += step.decisions
        progress.seconds += seconds

    @property
    def state(self) -> JsonObject:
        """See `Resumable.state`."""
        return {
            "key": self.key,
            "progress": asdict(self.progress),
            "adapter": self._adapter.state,
            "optimizer": self._optimizer.state_dict(),
            "dice": torch().get_rng_state(),
        }

    def restore(self, state: JsonMapping) -> None:
        """See `Resumable.restore`."""
        self.progress = Progress(**state["progress"])
        self._adapter.load(state["adapter"])
        self._optimizer.load_state_dict(dict(state["optimizer"]))
        torch().set_rng_state(state["dice"])
