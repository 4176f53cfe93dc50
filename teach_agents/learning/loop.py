"""The loop of every training in its folder: steps, checks, checkpoints, log, account, going on, a good end."""

from __future__ import annotations

import hashlib
import io
import json
import math
import signal
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic
from types import FrameType
from typing import Any, Protocol, TypeVar

from teach_agents.core.benchmark.folder import Journal, claimed, storing, write_atomically
from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.errors import InputError, TeachAgentsError
from teach_agents.models.local.packages import torch

CHECKPOINT, LOG, SETTINGS, ACCOUNT = "checkpoint.pt", "log.jsonl", "settings.json", "training.json"
FORMAT = {"format": "teach_agents.training", "version": 1}
"""What an account begins with."""
_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_WARMING, _LEAST = 0.05, 0.05
"""Share of all steps in which the learning rate rises; what is left of it in the end, as a share."""
_NONE_TO_GO_ON = "there is no training in this folder to go on with"

_Asked = TypeVar("_Asked")


class Stopped(Exception):
    """Work was left where it was, because somebody wished so or time is over."""


class Watcher(Protocol):
    """Who is told how a training goes; each kind tells of its steps besides."""

    def stage(self, words: str) -> None:
        """Something begins that takes a while, or something is to be known."""

    def checked(self, verdict: JsonMapping) -> None:
        """What was held out was judged."""


@dataclass
class Progress:
    """How far a training is: steps that are over, what was read in them, seconds that they took.

    `unpacked` is how many tokens would have been read one decision at a time; `checks` are the checks so far, as JSON.
    `start` is the SHA-256 of eyes that a training began with, empty for new ones, and `account` what they were made of.
    """

    step: int = 0
    tokens: int = 0
    unpacked: int = 0
    decisions: int = 0
    seconds: float = 0.0
    checks: list[JsonObject] = field(default_factory=list)
    start: str = ""
    account: JsonObject | None = None


class Resumable(ABC):
    """A training, from which all that it takes to go on can be had between two steps."""

    @property
    @abstractmethod
    def is_over(self) -> bool:
        """Whether no step is left."""

    @property
    @abstractmethod
    def state(self) -> JsonObject:
        """All that it takes to go on from here, for `torch.save`."""

    @abstractmethod
    def restore(self, state: JsonMapping) -> None:
        """Go on from a state of this training."""


@dataclass(frozen=True, slots=True)
class Checkpoints:
    """How the states of one kind of training are kept: one file, whole or absent.

    The part that is called `whose` tells a training from others, which have an `other` something.
    """

    format: str
    whose: str
    other: str

    def write(self, path: Path, state: JsonMapping) -> None:
        """Write a state in the place of the last. Raises `TeachAgentsError` where it cannot be written."""
        written = io.BytesIO()
        torch().save({"format": self.format, **state}, written)
        with storing(path.parent):
            write_atomically(path, written.getvalue())

    def read(self, path: Path, whose: object) -> JsonObject:
        """The state of a training. Raises `InputError` for a file that is none, and for one of another training."""
        try:
            found: JsonObject = torch().load(path, map_location="cpu", weights_only=True)
            form, theirs = found["format"], found[self.whose]
        except Exception as error:  # whatever a damaged file makes of its reader
            problem = f"is no checkpoint, or a damaged one: {type(error).__name__}: {error}"
            raise InputError(path, problem) from error
        if form != self.format:
            raise InputError(path, "is a checkpoint of another version", value=form)
        if theirs != whose:
            raise InputError(path, f"is of a training with other {self.other}; choose a new folder")
        return found


BY_KEY = Checkpoints("teach_agents.checkpoint 1", "key", "data, base or settings")


def learning_rate(step: int, steps: int, peak: float) -> float:
    """The learning rate of a step (from 0) of so many: it rises in a line, then falls along a cosine."""
    warming = max(1, round(_WARMING * steps))
    if step < warming:
        return peak * (step + 1) / warming
    gone = (step - warming) / max(1, steps - warming)
    return peak * (_LEAST + (1 - _LEAST) * (1 + math.cos(math.pi * gone)) / 2)


def refuse_endless(step: int, loss: float, gradient: float) -> None:
    """Raise `TeachAgentsError` where what a step came to is no number any more."""
    if not (abs(loss) < math.inf and gradient < math.inf):
        why = f"step {step}: the loss is {loss}, its gradient {gradient}; the last checkpoint stays"
        raise TeachAgentsError(f"{why}. Try a lower --learning-rate")


def key_of(content: object) -> str:
    """What tells a training from others: the SHA-256 of what decides what is learnt, as JSON."""
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


@contextmanager
def training_folder(out: Path, resume: bool) -> Iterator[None]:
    """Hold the folder of a training.

    Raises `InputError` for one with a training that is not to be gone on with, or without one that is.
    """
    with storing(out):
        out.mkdir(parents=True, exist_ok=True)
    with claimed(out):
        if (out / CHECKPOINT).exists() and not resume:
            problem = "holds a training; --resume goes on with it, or choose a new folder"
            raise InputError("--out", problem, value=str(out))
        if resume and not (out / SETTINGS).exists():
            raise InputError("--resume", _NONE_TO_GO_ON, value=str(out))
        yield


def asked_before(out: Path, read: Callable[[JsonObject], _Asked]) -> _Asked:
    """What the training in a folder was asked for, as `read` has it. Raises `InputError` where there is none."""
    try:
        return read(json.loads((out / SETTINGS).read_bytes()))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError("--resume", _NONE_TO_GO_ON, value=str(out)) from error


class Sitting:
    """What a training asks while it runs.

    `reason` says why it ended before its time: "interrupted", "time", or nothing. Seconds are of a steady clock.
    """

    def __init__(self, out: Path, wished: Callable[[], bool], minutes: float | None, every_s: float) -> None:
        self.reason = ""
        self._out, self._log, self._wished, self._every_s = out, Journal(out / LOG), wished, every_s
        self._until = None if minutes is None else monotonic() + 60 * minutes
        self._kept_at = monotonic()

    def ended(self) -> bool:
        """Whether somebody wishes it to stop, or time is over."""
        over = self._until is not None and monotonic() >= self._until
        self.reason = "interrupted" if self._wished() else "time" if over else self.reason
        return bool(self.reason)

    def go_on(self) -> None:
        """Raises `Stopped` where it has ended."""
        if self.ended():
            raise Stopped

    def begin_behind(self, step: int) -> None:
        """Forget what the log says of steps that are taken again; of a training that begins anew, all."""
        kept = [one for one in self._log if 0 < step >= one.get("step", 0)]
        with storing(self._out):
            write_atomically(self._log.path, "".join(json.dumps(one) + "\n" for one in kept))

    def log(self, line: JsonMapping) -> None:
        """Write a line through to the log."""
        with storing(self._out):
            self._log.append(line)

    def carry_on(
        self, training: Resumable, kept: Checkpoints, step: Callable[[], bool], check: Callable[[], None]
    ) -> None:
        """Checks and steps, with a checkpoint now and then and in the end, until the training or the sitting is over.

        A `step` says whether it was taken to its end.
        """
        path = self._out / CHECKPOINT
        while True:
            check()
            if training.is_over or self.ended() or not step():
                break
            if monotonic() - self._kept_at >= self._every_s:
                self._kept_at = monotonic()
                kept.write(path, training.state)
        kept.write(path, training.state)


@contextmanager
def sitting(out: Path, *, minutes: float | None, every_s: float, told: Callable[[str], None]) -> Iterator[Sitting]:
    """A sitting that Ctrl-C, TERM and so many minutes end in good order; `told` hears that it is stopping.

    The second signal is a `KeyboardInterrupt`. Outside the main thread, where Python hears no signals, none ever comes.
    """
    wished = threading.Event()

    def hear(number: int, frame: FrameType | None) -> None:
        if wished.is_set():
            raise KeyboardInterrupt
        wished.set()
        told("stopping: all is kept")

    hears = threading.current_thread() is threading.main_thread()
    before: dict[Any, Any] = {one: signal.signal(one, hear) for one in _SIGNALS if hears}
    try:
        yield Sitting(out, wished.is_set, minutes, every_s)
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)


def account_in(folder: Path) -> JsonObject | None:
    """What something in a folder was made of; `None` where nothing says so. Raises `InputError` for a damaged file."""
    try:
        told = json.loads((folder / ACCOUNT).read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise InputError("--start", f"has a {ACCOUNT} that cannot be read: {error}", value=str(folder)) from error
    if not isinstance(told, dict):
        raise InputError("--start", f"has a {ACCOUNT} that is no JSON object", value=str(folder))
    return told


def begun_as(what: str, named: str, sha256: str, known: JsonMapping | None) -> JsonObject | None:
    """What was trained further, and what that had been made of, if that is known; `None` for what began anew."""
    if not sha256:
        return None
    return {what: named, "sha256": sha256, **({} if known is None else {"account": known})}


def options(settings: JsonMapping, default: JsonMapping) -> Iterator[str]:
    """The options of a command that ask for settings, where they are not the default."""
    for name, value in settings.items():
        if value != default[name]:
            option = f"--{name.replace('_', '-')}"
            yield option if value is True else f"{option} {value}"
