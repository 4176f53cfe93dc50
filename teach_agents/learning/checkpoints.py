"""Checkpoints of a training: one file, whole or absent, from which it goes on as if it had never stopped."""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from teach_agents.core.benchmark.folder import storing, write_atomically
from teach_agents.errors import InputError
from teach_agents.models.local.packages import torch

_FORMAT = "teach_agents.checkpoint 1"


@dataclass
class Progress:
    """How far a training is: steps that are over, what was read in them, seconds that they took.

    `unpacked` is how many tokens would have been read one decision at a time; `checks` are the checks so far, as JSON.
    """

    step: int = 0
    tokens: int = 0
    unpacked: int = 0
    decisions: int = 0
    seconds: float = 0.0
    checks: list[dict[str, Any]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """State after a step: the adapter's and the optimizer's tensors, torch's dice; `key` says of what training."""

    key: str
    progress: Progress
    adapter: Mapping[str, Any]
    optimizer: Mapping[str, Any]
    dice: Any


def write_checkpoint(path: Path, one: Checkpoint) -> None:
    """Write a checkpoint in the place of the last. Raises `TeachAgentsError` where it cannot be written."""
    written = io.BytesIO()
    content = {
        "format": _FORMAT,
        "key": one.key,
        "progress": asdict(one.progress),
        "adapter": dict(one.adapter),
        "optimizer": one.optimizer,
        "dice": one.dice,
    }
    torch().save(content, written)
    with storing(path.parent):
        write_atomically(path, written.getvalue())


def read_checkpoint(path: Path, key: str) -> Checkpoint:
    """The checkpoint of the training that `key` tells from others.

    Raises `InputError` for a file that is none, and for one of another training.
    """
    try:
        found = torch().load(path, map_location="cpu", weights_only=True)
        if found["format"] != _FORMAT:
            raise InputError(str(path), "is a checkpoint of another version", value=found["format"])
        read = Checkpoint(
            found["key"], Progress(**found["progress"]), found["adapter"], found["optimizer"], found["dice"]
        )
    except InputError:
        raise
    except Exception as error:  # whatever a damaged file makes of its reader
        raise InputError(str(path), f"is no checkpoint, or a damaged one: {type(error).__name__}: {error}") from error
    if read.key != key:
        raise InputError(str(path), "is of a training with other data, base or settings; choose a new folder")
    return read
