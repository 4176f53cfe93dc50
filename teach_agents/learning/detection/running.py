"""A training of eyes in a folder: begun, gone on with, stopped, checked, written."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Protocol

import torch

from teach_agents.core.benchmark.folder import environment, storing, write_atomically, write_json
from teach_agents.core.json_types import JsonObject
from teach_agents.learning.detection.feeding import feeding
from teach_agents.learning.detection.frames import CHUNK, TYPES, Frame, held_out_frames
from teach_agents.learning.detection.judging import judged
from teach_agents.learning.detection.partners import Partners, partners
from teach_agents.learning.detection.training import Settings, Stepped, Training
from teach_agents.learning.loop import (
    ACCOUNT,
    CHECKPOINT,
    FORMAT,
    SETTINGS,
    Checkpoints,
    Sitting,
    Watcher,
    asked_before,
    begun_as,
    sitting,
    training_folder,
)
from teach_agents.learning.rooms import HELD_OUT
from teach_agents.learning.settings import refuse
from teach_agents.models.local.weights import device_of
from teach_agents.models.vision.household.network import HouseholdNetwork
from teach_agents.models.vision.household.weights import found_folder, packed

CHECKPOINTS = Checkpoints("teach_agents.detector.checkpoint 1", "settings", "settings")
_HELD_OUT_SEED = 20
SHIPPED = "household"
"""What `start` calls the eyes that ship."""


class EyesWatcher(Watcher, Protocol):
    """Who is told how a training of eyes goes."""

    def stepped(self, step: Stepped, training: Training) -> None:
        """A step is over."""


@dataclass(frozen=True, slots=True)
class Means:
    """What a training may use, which changes nothing about what it learns until then.

    `minutes` ends it, all kept; a checkpoint is written every `every_s` seconds; `workers` are processes that draw
    frames ahead, 0 draws them in between. Raises `InputError` for what cannot be meant.
    """

    minutes: float | None = None
    every_s: float = 240.0
    workers: int = 0
    device: str = "cpu"

    def __post_init__(self) -> None:
        """Refuse what cannot be meant."""
        refuse(self.minutes is not None and not self.minutes > 0, "minutes", "must be above 0", self.minutes)
        refuse(self.workers < 0, "workers", "must be 0 or more", self.workers)


def train(settings: Settings, out: Path, *, means: Means, watcher: EyesWatcher, resume: bool = False) -> JsonObject:
    """Train eyes into the folder `out`, and give back what its `training.json` says.

    Ctrl-C, TERM and `means.minutes` end it after the step it is at; all steps are kept, and `resume` goes on behind
    them. Raises `InputError` for a folder that does not do.
    """
    with training_folder(out, resume):
        device = device_of(means.device)
        parted = settings.processes > 1 and torch.device(device).type != "cpu"
        refuse(parted, "processes", "share a processor's work; with a GPU it is 1", settings.processes)
        training = Training(settings, device)
        if (out / CHECKPOINT).exists():
            training.restore(CHECKPOINTS.read(out / CHECKPOINT, settings.to_json()))
        elif settings.start:
            _start(training, settings, watcher)
        write_json(out / SETTINGS, settings.to_json())
        frames: list[Frame] = []
        if settings.check and settings.checks:
            watcher.stage("drawing held-out frames")
            frames = list(held_out_frames(_HELD_OUT_SEED, settings.check))
        with sitting(out, minutes=means.minutes, every_s=means.every_s, told=watcher.stage) as now:
            first, parts = training.progress.step, settings.processes
            own = settings.batch // parts
            now.begin_behind(first)
            with (
                partners(settings, training.network, first) as others,
                feeding(settings.seed, first, own, settings.rooms, means.workers, (0, parts)) as batches,
            ):
                step = partial(_step, training, batches, others, now, watcher)
                now.carry_on(training, CHECKPOINTS, step, partial(_check, training, frames, now, watcher))
        return _written(training, out, now.reason or "finished")


def _start(training: Training, settings: Settings, watcher: EyesWatcher) -> None:
    """Let a training begin as other eyes."""
    watcher.stage(f"beginning as {settings.start}")
    folder = found_folder("" if settings.start == SHIPPED else settings.start)
    with feeding(settings.seed, 0, CHUNK, settings.rooms) as batches:
        training.start_from(folder, next(batches))


def settings_in(out: Path) -> Settings:
    """What the training in a folder was asked for. Raises `InputError` where the folder holds none."""
    return asked_before(out, Settings.from_json)


def _step(
    training: Training, batches: Iterator[list[Frame]], others: Partners, now: Sitting, watcher: EyesWatcher
) -> bool:
    """Take a step."""
    begun = monotonic()
    frames = next(batches)
    done = training.step(frames, monotonic() - begun, others)
    now.log(
        {
            "step": training.progress.step,
            "gone": round(training.gone, 5),
            **{name: float(f"{value:.4g}") for name, value in asdict(done).items()},
            "seconds_in_all": round(training.progress.seconds, 2),
        }
    )
    watcher.stepped(done, training)
    return True


def _check(training: Training, held_out: list[Frame], now: Sitting, watcher: EyesWatcher) -> None:
    """Judge by held-out frames, if that is due now."""
    checks, settings = training.progress.checks, training.settings
    if not held_out or training.gone < (len(checks) + 1) / settings.checks:
        return
    watcher.stage(f"looking at {len(held_out)} held-out frames")
    begun = monotonic()
    verdict = {"step": training.progress.step, **judged(training.average, held_out).to_json()}
    verdict["seconds"] = round(monotonic() - begun, 2)
    while training.gone >= (len(checks) + 1) / settings.checks:
        checks.append(verdict)
    now.log({"check": True, **verdict})
    watcher.checked(verdict)


def _written(training: Training, out: Path, ended: str) -> JsonObject:
    """Write the eyes and their account."""
    network = HouseholdNetwork(training.settings.shape)
    network.load_state_dict(training.average.state_dict())
    files = packed(network.settled(), TYPES, {})
    with storing(out):
        for name, content in files.items():
            write_atomically(out / name, content)
    return write_json(out / ACCOUNT, _account(training, ended, files))


def _account(training: Training, ended: str, files: Mapping[str, bytes]) -> JsonObject:
    """What stands in `training.json`: no names of machines, people or folders."""
    settings, progress = training.settings, training.progress
    return {
        **FORMAT,
        "role": "detector",
        "ended": ended,
        "files": {
            name: {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
            for name, content in files.items()
        },
        "start": begun_as("eyes", settings.start, progress.start, progress.account),
        "parameters": sum(one.numel() for one in training.network.parameters()),
        "data": {"rooms": list(settings.rooms), "held_out": list(HELD_OUT), "frames": progress.step * settings.batch},
        "steps": progress.step,
        "hours": round(progress.seconds / 3600, 4),
        "frames_per_s": round(progress.step * settings.batch / max(progress.seconds, 1e-9), 2),
        "checks": progress.checks,
        "settings": settings.to_json(),
        "environment": environment(),
    }
