"""A network that learns, batch by batch, and is judged by what it does not learn from."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields

import torch
from torch import Tensor
from torch.nn import functional

from teach_agents.core.json_types import JsonObject
from teach_agents.learning.episodic.examples import NOTHING, Batch
from teach_agents.learning.episodic.settings import EpisodicSettings
from teach_agents.learning.loop import learning_rate, refuse_endless
from teach_agents.models.episodic.network import Episodes, EpisodicNetwork
from teach_agents.models.episodic.vocabulary import STOP

_LONGEST_GRADIENT = 1.0


@dataclass
class Tally:
    """What came of some batches, added up: losses in nats, and how often the likeliest was right.

    `actions` and `objects` are how many there were to get right, `stops` how many of the actions were `Stop`;
    `stopped` counts steps at which `Stop` was the likeliest, `stops_right` those of them where it was right.
    """

    action_loss: float = 0.0
    object_loss: float = 0.0
    actions: int = 0
    actions_right: int = 0
    objects: int = 0
    objects_right: int = 0
    stops: int = 0
    stops_right: int = 0
    stopped: int = 0

    def add(self, other: Tally) -> None:
        """Count other batches in."""
        for one in fields(self):
            setattr(self, one.name, getattr(self, one.name) + getattr(other, one.name))

    @property
    def loss(self) -> float:
        """The mean loss of an action and the mean loss of an object, 1 : 1 (specification 7.3)."""
        return self.action_loss / max(self.actions, 1) + self.object_loss / max(self.objects, 1)

    def to_json(self) -> JsonObject:
        """Means, shares and numbers as JSON; `null` where nothing was counted."""
        shares = {
            "action_accuracy": (self.actions_right, self.actions),
            "object_accuracy": (self.objects_right, self.objects),
            "stop_recall": (self.stops_right, self.stops),
            "stop_precision": (self.stops_right, self.stopped),
        }
        return {
            "loss": round(self.loss, 5),
            **{name: round(right / of, 4) if of else None for name, (right, of) in shares.items()},
            "actions": self.actions,
            "objects": self.objects,
        }


class Learner:
    """A network on its way through so many `steps`: AdamW, warm-up and cosine, gradients cut to length 1."""

    def __init__(self, network: EpisodicNetwork, settings: EpisodicSettings, steps: int, device: torch.device) -> None:
        self.network = network.to(device)
        self._device = device
        self._settings = settings
        self._steps = steps
        self.optimizer = torch.optim.AdamW(network.parameters(), lr=settings.learning_rate, weight_decay=settings.decay)

    def learn(self, batch: Batch, step: int) -> Tally:
        """Take a step. Raises `TeachAgentsError` where the loss is no number any more."""
        self.network.train()
        for group in self.optimizer.param_groups:
            group["lr"] = learning_rate(step, self._steps, self._settings.learning_rate)
        self.optimizer.zero_grad(set_to_none=True)
        loss, tally = self._losses(batch)
        loss.backward()  # type: ignore[no-untyped-call]  # torch's own
        length = torch.nn.utils.clip_grad_norm_(self.network.parameters(), _LONGEST_GRADIENT)
        refuse_endless(step, tally.loss, float(length))
        self.optimizer.step()
        return tally

    def judge(self, batches: Iterable[Batch], go_on: Callable[[], None] = lambda: None) -> Tally:
        """How the network does where it does not learn; `go_on` is asked before every batch and may raise."""
        self.network.eval()
        whole = Tally()
        with torch.no_grad():
            for batch in batches:
                go_on()
                whole.add(self._losses(batch)[1])
        return whole

    def _losses(self, batch: Batch) -> tuple[Tensor, Tally]:
        episodes = Episodes(*(one.to(self._device) for one in batch.episodes))
        fast = self._settings.dtype == "bfloat16"
        with torch.autocast(self._device.type, dtype=torch.bfloat16, enabled=fast):
            told = self.network(episodes)
        action_loss, chosen, action = _judged(told.actions, batch.actions.to(self._device))
        object_loss, found, kind = _judged(told.objects, batch.objects.to(self._device))
        stops, stopped = action == STOP, chosen == STOP
        tally = Tally(
            action_loss=float(action_loss.detach()),
            object_loss=float(object_loss.detach()),
            actions=len(action),
            actions_right=int((chosen == action).sum()),
            objects=len(kind),
            objects_right=int((found == kind).sum()),
            stops=int(stops.sum()),
            stops_right=int((stops & stopped).sum()),
            stopped=int(stopped.sum()),
        )
        return action_loss / max(len(action), 1) + object_loss / max(len(kind), 1), tally


def _judged(said: Tensor, wanted: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Of what was asked: the loss, summed, what is likeliest, and what is right."""
    asked = wanted != NOTHING
    logits, right = said[asked].float(), wanted[asked]
    return functional.cross_entropy(logits, right, reduction="sum"), logits.argmax(dim=-1), right
