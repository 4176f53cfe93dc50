"""Processes that learn side by side, each from its own part of every batch, on the same weights.

On a processor two networks with a thread each are faster than one with two: only the sums of gradients wait for each
other. Every part is normalised by itself, as on several GPUs.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from torch import Tensor, multiprocessing

from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.errors import TeachAgentsError
from teach_agents.learning.detection.feeding import feeding
from teach_agents.learning.detection.frames import Frame, quarters
from teach_agents.learning.detection.losses import Losses, losses_of, targets_of
from teach_agents.models.vision.household.eyes import numbers
from teach_agents.models.vision.household.network import HouseholdNetwork
from teach_agents.models.vision.household.shape import Shape

if TYPE_CHECKING:
    from teach_agents.learning.detection.training import Settings


_SLOWEST_S = 600.0
"""Seconds for a part of a batch after which something must be wrong."""


def looked_at(frames: Sequence[Frame], quartered: bool, seed: int, step: int, place: int = 0) -> Sequence[Frame]:
    """What of some frames the process at a place learns from in a step of a training with this seed."""
    return quarters(frames, np.random.default_rng([seed, step, place])) if quartered else frames


def learnt(network: HouseholdNetwork, frames: Sequence[Frame], device: str) -> Losses:
    """Add to a network's gradients what some frames of one size tell; how wrong it was about them."""
    losses = losses_of(network(numbers([one.rgb for one in frames]).to(device)), targets_of(frames, network.shape))
    losses.total.backward()  # type: ignore[no-untyped-call]  # torch does not say
    return Losses._make(one.detach() for one in losses)


@dataclass(frozen=True)
class Partner:
    """Another process as this one sees it: the line to it, and the gradients that it has found, one after another."""

    process: BaseProcess
    line: Connection
    gradients: Tensor


class Partners:
    """Those that learn beside this process. `begin` a part of each, learn the own one, then `end`."""

    def __init__(self, those: Sequence[Partner], parameters: Sequence[Tensor]) -> None:
        self._those, self._parameters = those, parameters

    def begin(self, quartered: bool) -> None:
        """Let all of them learn from their next frames, or from `quarters` of them.

        Raises `TeachAgentsError` where one is gone.
        """
        for one in self._those:
            try:
                one.line.send(quartered)
            except OSError as error:
                raise _gone(one) from error

    def end(self, losses: Losses) -> Losses:
        """Take the mean of this process's gradients and theirs, and of the losses. Raises `TeachAgentsError`."""
        told = [*map(self._told, self._those)]
        parts = 1 + len(self._those)
        for place, mine in enumerate(_parts(self._parameters, [one.gradients for one in self._those])):
            gradient = self._parameters[place].grad
            assert gradient is not None
            for theirs in mine:
                gradient.add_(theirs)
            gradient.div_(parts)
        return Losses._make(sum(each[1:], start=each[0]) / parts for each in zip(losses, *told, strict=True))

    def _told(self, one: Partner) -> tuple[float, ...]:
        try:
            if not one.line.poll(_SLOWEST_S):
                raise TeachAgentsError(f"a process that learns beside this one has said nothing for {_SLOWEST_S:g} s")
            told: tuple[float, ...] = one.line.recv()
        except (EOFError, OSError) as error:
            raise _gone(one) from error
        return told


def _gone(one: Partner) -> TeachAgentsError:
    return TeachAgentsError(f"a process that learns beside this one has ended (exit code {one.process.exitcode})")


def _parts(parameters: Sequence[Tensor], flat: Sequence[Tensor]) -> Iterator[list[Tensor]]:
    """For each parameter what stands for it in each of some flat tensors."""
    begin = 0
    for one in parameters:
        end = begin + one.numel()
        yield [each[begin:end].view(one.shape) for each in flat]
        begin = end


@contextmanager
def partners(settings: Settings, network: HouseholdNetwork, first: int) -> Iterator[Partners]:
    """The processes that learn beside this one, from step `first` on; they end with it. Where there are any the
    network's numbers move to memory that all of them share."""
    parameters = list(network.parameters())
    if settings.processes > 1:
        for one in parameters:
            _share(one.data)
    context = multiprocessing.get_context("spawn")
    those: list[Partner] = []
    try:
        for place in range(1, settings.processes):
            mine, theirs = context.Pipe()
            gradients = _share(torch.zeros(sum(one.numel() for one in parameters)))
            shared = [one.data for one in parameters]
            told = (theirs, settings.to_json(), place, first, shared, gradients, torch.get_num_threads())
            process = context.Process(target=_learn, args=told, daemon=True)
            process.start()
            theirs.close()
            those.append(Partner(process, mine, gradients))
        yield Partners(those, parameters)
    finally:
        for partner in those:
            partner.line.close()
            partner.process.join(5.0)
            partner.process.kill()


def _share(numbers: Tensor) -> Tensor:
    """The same numbers, where other processes can have them."""
    shared: Tensor = numbers.share_memory_()  # type: ignore[no-untyped-call]  # torch does not say
    return shared


def _learn(line: Connection, told: JsonObject, *rest: Any) -> None:
    """What a partner's process does. Ctrl-C is for the first process to hear."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    answer(line, told, *rest)


def answer(
    line: Connection,
    told: JsonMapping,
    place: int,
    first: int,
    shared: Sequence[Tensor],
    gradients: Tensor,
    threads: int,
) -> None:
    """Until the line is closed: when asked, put the gradients of the next part at a place into `gradients`, by the
    shared weights, and say the losses. `told` are settings as JSON."""
    torch.set_num_threads(threads)
    parts, rooms = told["processes"], told["rooms"]
    network: Any = HouseholdNetwork(Shape.from_json(told["shape"]))
    network = network.to(memory_format=torch.channels_last).train()
    parameters = list(network.parameters())
    for one, other in zip(parameters, shared, strict=True):
        one.data = other
    with feeding(told["seed"], first, told["batch"] // parts, rooms, part=(place, parts)) as batches:
        for step, frames in enumerate(batches, first):
            try:
                quartered = line.recv()
            except (EOFError, OSError):
                return
            network.zero_grad(set_to_none=True)
            losses = learnt(network, looked_at(frames, quartered, told["seed"], step, place), "cpu")
            for one, (into,) in zip(parameters, _parts(parameters, [gradients]), strict=True):
                into.copy_(one.grad)
            line.send(tuple(map(float, losses)))
