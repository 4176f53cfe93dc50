"""A training of eyes in a folder: begun, gone on with, stopped, checked, written."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from time import monotonic
from typing import Any, Protocol

import torch

from teach_agents.core.benchmark.folder import claimed, environment, storing, write_atomically
from teach_agents.errors import InputError
from teach_agents.learning.detection.feeding import feeding
from teach_agents.learning.detection.frames import CHUNK, TYPES, Frame, held_out_frames
from teach_agents.learning.detection.judging import judged
from teach_agents.learning.detection.partners import Partners, partners
from teach_agents.learning.detection.rooms import HELD_OUT
from teach_agents.learning.detection.training import Progress, Settings, Stepped, Training
from teach_agents.learning.sitting import CHECKPOINT, SETTINGS, Sitting, check_folder, sitting
from teach_agents.models.local.weights import device_of
from teach_agents.models.vision.household.network import HouseholdNetwork
from teach_agents.models.vision.household.weights import found_folder, packed

ACCOUNT = "training.json"
_FORMAT = {"format": "teach_agents.training", "version": 1, "role": "detector"}
_CHECKPOINT_FORMAT = "teach_agents.detector.checkpoint 1"
_HELD_OUT_SEED = 20
SHIPPED = "household"
"""What `start` calls the eyes that ship."""


class Watcher(Protocol):
    """Who is told how a training goes."""

    def stage(self, words: str) -> None:
        """Something begins that takes a while."""

    def stepped(self, step: Stepped, training: Training) -> None:
        """A step is over."""

    def checked(self, verdict: Mapping[str, Any]) -> None:
        """Held-out frames were judged."""


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
        if self.minutes is not None and not self.minutes > 0:
            raise InputError("--minutes", "must be above 0", value=self.minutes)
        if self.workers < 0:
            raise InputError("--workers", "must be 0 or more", value=self.workers)


def train(settings: Settings, out: Path, *, means: Means, watcher: Watcher, resume: bool = False) -> dict[str, Any]:
    """Train eyes into the folder `out`, and give back what its `training.json` says.

    Ctrl-C, TERM and `means.minutes` end it after the step it is at; all steps are kept, and `resume` goes on behind
    them. Raises `InputError` for a folder that does not do.
    """
    with storing(out):
        out.mkdir(parents=True, exist_ok=True)
    with claimed(out):
        check_folder(out, resume)
        device = device_of(means.device)
        if settings.processes > 1 and torch.device(device).type != "cpu":
            raise InputError("--processes", "share a processor's work; with a GPU it is 1", value=settings.processes)
        training = Training(settings, device)
        if (out / CHECKPOINT).exists():
            training.restore(_read_checkpoint(out / CHECKPOINT, settings))
        elif settings.start:
            _start(training, settings, watcher)
        _write(out / SETTINGS, settings.to_json())
        frames = _held_out(settings, watcher)
        with sitting(out, minutes=means.minutes, every_s=means.every_s, told=watcher.stage) as now:
            first, batch, parts = training.progress.step, settings.batch, settings.processes
            now.begin_behind(first)
            with (
                partners(settings, training.network, first) as others,
                feeding(settings.seed, first, batch // parts, settings.rooms, means.workers, (0, parts)) as batches,
            ):
                _run(training, batches, others, frames, out, now, watcher)
        return _written(training, out, now.reason or "finished")


def _start(training: Training, settings: Settings, watcher: Watcher) -> None:
    """Let a training begin as other eyes."""
    watcher.stage(f"beginning as {settings.start}")
    folder = found_folder("" if settings.start == SHIPPED else settings.start)
    with feeding(settings.seed, 0, CHUNK, settings.rooms) as batches:
        training.start_from(folder, next(batches))


def _held_out(settings: Settings, watcher: Watcher) -> list[Frame]:
    """The frames that checks are made with."""
    if not settings.check or not settings.checks:
        return []
    watcher.stage("drawing held-out frames")
    return list(held_out_frames(_HELD_OUT_SEED, settings.check))


def settings_in(out: Path) -> Settings:
    """What the training in a folder was asked for. Raises `InputError` where the folder holds none."""
    try:
        return Settings.from_json(json.loads((out / SETTINGS).read_bytes()))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError("--resume", "there is no training in this folder to go on with", value=str(out)) from error


def _run(
    training: Training,
    batches: Iterator[list[Frame]],
    others: Partners,
    held_out: list[Frame],
    out: Path,
    now: Sitting,
    watcher: Watcher,
) -> None:
    """Steps and checks until the training or the sitting is over."""
    while not training.is_over and not now.ended():
        begun = monotonic()
        frames = next(batches)
        done = training.step(frames, monotonic() - begun, others)
        now.log(_line(done, training))
        watcher.stepped(done, training)
        _check(training, held_out, now, watcher)
        if now.is_due():
            _write_checkpoint(out / CHECKPOINT, training)
    _write_checkpoint(out / CHECKPOINT, training)


def _line(done: Stepped, training: Training) -> dict[str, Any]:
    seconds = round(training.progress.seconds, 2)
    rounded = {name: float(f"{value:.4g}") for name, value in asdict(done).items()}
    return {"step": training.progress.step, "gone": round(training.gone, 5), **rounded, "seconds_in_all": seconds}


def _check(training: Training, held_out: list[Frame], now: Sitting, watcher: Watcher) -> None:
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


def _write(path: Path, content: Mapping[str, Any]) -> None:
    with storing(path.parent):
        write_atomically(path, json.dumps(content, indent=1) + "\n")


def _write_checkpoint(path: Path, training: Training) -> None:
    written = io.BytesIO()
    torch.save({"format": _CHECKPOINT_FORMAT, "settings": training.settings.to_json(), **training.state}, written)
    with storing(path.parent):
        write_atomically(path, written.getvalue())


def _read_checkpoint(path: Path, settings: Settings) -> dict[str, Any]:
    """A training's state. Raises `InputError` for a file that is none, and for one of another training."""
    try:
        found: dict[str, Any] = torch.load(path, map_location="cpu", weights_only=True)
        right = found["format"] == _CHECKPOINT_FORMAT
        asked = Settings.from_json(found["settings"])
    except Exception as error:  # whatever a damaged file makes of its reader
        raise InputError(str(path), f"is no checkpoint, or a damaged one: {type(error).__name__}: {error}") from error
    if not right:
        raise InputError(str(path), "is a checkpoint of another version", value=found["format"])
    if asked != settings:
        raise InputError(str(path), "is of a training with other settings; choose a new folder")
    return found


def _written(training: Training, out: Path, ended: str) -> dict[str, Any]:
    """Write the eyes and their account."""
    network = HouseholdNetwork(training.settings.shape)
    network.load_state_dict(training.average.state_dict())
    files = packed(network.settled(), TYPES, {})
    with storing(out):
        for name, content in files.items():
            write_atomically(out / name, content)
    made = _account(training, ended, files)
    _write(out / ACCOUNT, made)
    return made


def _begun(settings: Settings, progress: Progress) -> dict[str, Any]:
    """What was trained further, and what that had been made of."""
    known = {"account": progress.account} if progress.account is not None else {}
    return {"eyes": settings.start, "sha256": progress.start, **known}


def _account(training: Training, ended: str, files: Mapping[str, bytes]) -> dict[str, Any]:
    """What stands in `training.json`: no names of machines, people or folders."""
    settings, progress = training.settings, training.progress
    return {
        **_FORMAT,
        "ended": ended,
        "files": {
            name: {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
            for name, content in files.items()
        },
        "start": _begun(settings, progress) if progress.start else None,
        "parameters": sum(one.numel() for one in training.network.parameters()),
        "data": {"rooms": list(settings.rooms), "held_out": list(HELD_OUT), "frames": progress.step * settings.batch},
        "steps": progress.step,
        "hours": round(progress.seconds / 3600, 4),
        "frames_per_s": round(progress.step * settings.batch / max(progress.seconds, 1e-9), 2),
        "checks": progress.checks,
        "settings": settings.to_json(),
        "environment": environment(),
    }
