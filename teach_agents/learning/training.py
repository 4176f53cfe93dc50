"""The loop that trains an adapter, a step at a time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from time import perf_counter

from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.errors import TeachAgentsError
from teach_agents.learning.loop import Progress, Resumable, learning_rate
from teach_agents.learning.lora import Adapter
from teach_agents.learning.packing import Plan, Step
from teach_agents.learning.trees import losses_of
from teach_agents.models.local.packages import torch
from teach_agents.models.local.weights import Weights

_LONGEST_GRADIENT = 1.0


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
        if not (abs(total) < float("inf") and gradient < float("inf")):
            problem = (
                f"step {self.progress.step}: the loss is {total}, its gradient {gradient}; the last checkpoint stays"
            )
            raise TeachAgentsError(f"{problem}. Try a lower --learning-rate")
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
