"""The loop that trains eyes, a step at a time."""

from __future__ import annotations

import copy
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any

import torch

from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.errors import InputError, TeachAgentsError
from teach_agents.learning.detection.frames import CHUNK, SIZES, TYPES, Frame
from teach_agents.learning.detection.partners import Partners, learnt, looked_at
from teach_agents.learning.loop import Progress, Resumable, account_in
from teach_agents.learning.rooms import HELD_OUT, ROOMS_OF_EYES
from teach_agents.learning.settings import refuse, refuse_below
from teach_agents.models.vision.household.eyes import prepared
from teach_agents.models.vision.household.network import HouseholdNetwork
from teach_agents.models.vision.household.shape import Shape
from teach_agents.models.vision.household.weights import read_labels, read_network, weights_hash

_DECAY = 0.02
_LONGEST_GRADIENT = 20.0
_WARMING, _LEAST = 0.02, 0.01
"""Share of a training in which the learning rate rises; what is left of it in the end, as a share."""
_AVERAGED = 0.996
"""How much of the running mean of weights each step keeps, once there were enough."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What decides what eyes learn. A training is over after `steps`, or `hours` of steps, whichever comes first.

    `batch` is frames a step, `learning_rate` the highest; `check` is frames of each held-out room that the eyes are
    judged by, at `checks` times. `start` is the folder of eyes that are trained further, or `household` for those that
    ship, and empty for new ones. `quarters` is the share of the training, its beginning, in which of each frame a
    quarter of the pixels is learnt from (see `frames.quarters`): a quarter of the work. `processes` share each batch
    evenly (see `partners`). Raises `InputError` for what cannot be meant.
    """

    steps: int | None = None
    hours: float | None = None
    seed: int = 0
    batch: int = 16
    learning_rate: float = 2e-3
    check: int = 8
    checks: int = 8
    start: str = ""
    quarters: float = 0.0
    processes: int = 1
    rooms: tuple[str, ...] = ROOMS_OF_EYES
    shape: Shape = field(default_factory=lambda: Shape(len(TYPES), SIZES))

    def __post_init__(self) -> None:
        """Refuse what cannot be meant."""
        if self.steps is None and self.hours is None:
            raise InputError("--steps", "or --hours must say when the training is over")
        for name in ("steps", "hours", "learning_rate"):
            value = getattr(self, name)
            refuse(value is not None and not 0 < value < math.inf, name, "must be above 0", value)
        refuse_below(0, self, "seed", "check", "checks")
        refuse(not 0 <= self.quarters <= 1, "quarters", "is a share, 0 to 1", self.quarters)
        valid = [str(one) for one in range(2, CHUNK + 1) if CHUNK % one == 0]
        refuse(str(self.batch) not in valid, "batch", f"must divide {CHUNK}", self.batch, valid)
        uneven = self.processes < 1 or self.batch % self.processes > 0 or self.batch // self.processes < 2
        refuse(uneven, "processes", f"must leave each two or more of {self.batch} frames", self.processes)
        wrong = sorted({*self.rooms} & {*HELD_OUT}) or ([] if self.rooms else ["none"])
        refuse(bool(wrong), "room", "must be a training room", next(iter(wrong), None), ROOMS_OF_EYES)

    def to_json(self) -> JsonObject:
        """As JSON."""
        return {**asdict(self), "rooms": list(self.rooms), "shape": self.shape.to_json()}

    @classmethod
    def from_json(cls, told: JsonMapping) -> Settings:
        """The settings that a JSON object tells. Raises `TypeError` and `InputError`."""
        return cls(**{**told, "rooms": tuple(told["rooms"]), "shape": Shape.from_json(told["shape"])})


@dataclass(frozen=True, slots=True)
class Stepped:
    """What a step came to (see `losses`), at which learning rate, in how many seconds."""

    heat: float
    sides: float
    depth: float
    shown: float
    rate: float
    seconds: float


def rate_at(gone: float) -> float:
    """The learning rate, as a share of its peak, when a share of the training is over: up in a line, down a cosine."""
    if gone < _WARMING:
        return max(_LEAST, gone / _WARMING)
    fallen = (gone - _WARMING) / (1 - _WARMING)
    return _LEAST + (1 - _LEAST) * (1 + math.cos(math.pi * min(1.0, fallen))) / 2


class Training(Resumable):
    """A network on its way: AdamW, warm-up and cosine. `average` is the running mean of its weights, which ships.

    Between two steps `state` is all that it takes to go on.
    """

    def __init__(self, settings: Settings, device: str = "cpu") -> None:
        self.settings = settings
        self.progress = Progress()
        torch.manual_seed(settings.seed)
        network: Any = HouseholdNetwork(settings.shape)
        self.network: HouseholdNetwork = network.to(device, memory_format=torch.channels_last).train()
        self.average = copy.deepcopy(self.network).eval().requires_grad_(False)
        self._device = device
        self._optimizer = torch.optim.AdamW(self.network.parameters(), lr=settings.learning_rate, weight_decay=_DECAY)

    def start_from(self, folder: Path, frames: Sequence[Frame]) -> None:
        """Begin as the eyes in a folder; their normalisations are set by `frames`.

        Raises `InputError` for eyes of another shape or for other types, and what reading them raises.
        """
        labels, shape = read_labels(folder)
        if (labels, shape) != (TYPES, self.settings.shape):
            raise InputError("--start", "are eyes of another shape, or for other types of things", value=str(folder))
        network = read_network(folder, shape).unsettled(prepared([one.rgb for one in frames]))
        for one in (self.network, self.average):
            one.load_state_dict(network.state_dict())
        self.progress.start = weights_hash(folder)
        self.progress.account = account_in(folder)

    @property
    def gone(self) -> float:
        """The share of the training that is over, 0 to 1."""
        by_steps = self.progress.step / self.settings.steps if self.settings.steps else 0.0
        by_time = self.progress.seconds / 3600 / self.settings.hours if self.settings.hours else 0.0
        return min(1.0, max(by_steps, by_time))

    @property
    def is_over(self) -> bool:
        """Whether no step is left."""
        return self.gone >= 1.0

    def step(self, frames: Sequence[Frame], drawing_s: float = 0.0, partners: Partners | None = None) -> Stepped:
        """Learn from a batch, or from one's own part of it beside `partners`; it took `drawing_s` to come by.

        Raises `TeachAgentsError` once the loss is no number.
        """
        begun = perf_counter()
        rate = self.settings.learning_rate * rate_at(self.gone)
        for group in self._optimizer.param_groups:
            group["lr"] = rate
        quartered = self.gone < self.settings.quarters
        seen = looked_at(frames, quartered, self.settings.seed, self.progress.step)
        self._optimizer.zero_grad(set_to_none=True)
        if partners:
            partners.begin(quartered)
        losses = learnt(self.network, seen, self._device)
        if partners:
            losses = partners.end(losses)
        length = torch.nn.utils.clip_grad_norm_(self.network.parameters(), _LONGEST_GRADIENT)
        if not bool(torch.isfinite(losses.total) & torch.isfinite(length)):
            problem = f"step {self.progress.step}: the loss is no number any more; the last checkpoint stays"
            raise TeachAgentsError(f"{problem}. Try a lower --learning-rate")
        self._optimizer.step()
        self._take_mean()
        seconds = perf_counter() - begun + drawing_s
        self.progress.step += 1
        self.progress.seconds += seconds
        heat, sides, depth, shown = map(float, losses)
        return Stepped(heat, sides, depth, shown, rate, seconds)

    def _take_mean(self) -> None:
        kept = min(_AVERAGED, (1 + self.progress.step) / (10 + self.progress.step))
        mean, now = self.average.state_dict(), self.network.state_dict()
        with torch.no_grad():
            for name, value in mean.items():
                if value.is_floating_point():
                    value.lerp_(now[name], 1 - kept)
                else:
                    value.copy_(now[name])

    @property
    def state(self) -> JsonObject:
        """See `Resumable.state`."""
        return {
            "settings": self.settings.to_json(),
            "progress": asdict(self.progress),
            "network": self.network.state_dict(),
            "average": self.average.state_dict(),
            "optimizer": self._optimizer.state_dict(),
        }

    def restore(self, state: JsonMapping) -> None:
        """See `Resumable.restore`."""
        self.network.load_state_dict(state["network"])
        self.average.load_state_dict(state["average"])
        self._optimizer.load_state_dict(state["optimizer"])
        self.progress = Progress(**state["progress"])
