"""`training.json`: what an adapter was made of, how, and what came of it, beside its weights."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from teach_agents.core.benchmark.environment import environment
from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.errors import InputError
from teach_agents.learning.demonstrations import Demonstration
from teach_agents.learning.loop import Progress
from teach_agents.learning.lora import WEIGHTS
from teach_agents.learning.packing import Plan
from teach_agents.learning.samples import Data, digest
from teach_agents.learning.settings import Origin, TrainingSettings

ACCOUNT = "training.json"
FORMAT = {"format": "teach_agents.training", "version": 1}


def account(
    settings: TrainingSettings, data: Data, plan: Plan, progress: Progress, origin: Origin, *, ended: str, folder: Path
) -> JsonObject:
    """What stands in `training.json`; `ended` says why the training ended.

    The adapter in `folder` is written already. No names of machines, people or folders: data files by name and hash.
    """
    weights = folder / WEIGHTS
    return {
        **FORMAT,
        "ended": ended,
        "role": str(settings.role),
        "base": {"model": settings.base, "fingerprint": origin.base},
        "start": begun_as("adapter", settings.start, origin.start, origin.account),
        "adapter": {"bytes": weights.stat().st_size, "sha256": digest(weights)},
        "data": {
            "files": list(data.files),
            "learnt": _counted(data.learnt),
            "held_out": {"share": settings.held_out, **_counted(data.held_out)},
            "without_a_choice": data.forced,
            "repeated_too_often": data.repeated,
        },
        "steps": {"done": progress.step, "planned": len(plan.steps)},
        "decisions": progress.decisions,
        "tokens": _tokens(progress, plan),
        "hours": round(progress.seconds / 3600, 4),
        "checks": progress.checks,
        "settings": settings.to_json(),
        "command": command(settings, data),
        "environment": environment(),
    }


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
    told = {what: named, "sha256": sha256, **({"account": known} if known is not None else {})}
    return told if sha256 else None


def _counted(demonstrations: Sequence[Demonstration]) -> JsonObject:
    kinds = Counter(one.kind for one in demonstrations)
    return {
        "sessions": len({one.session for one in demonstrations}),
        "decisions": len(demonstrations),
        "by_kind": dict(sorted(kinds.items())),
    }


def _tokens(progress: Progress, plan: Plan) -> JsonMapping:
    """How many were read, of how many that were planned, and how many packing spared."""
    saved = progress.unpacked - progress.tokens
    share = round(saved / progress.unpacked, 4) if progress.unpacked else 0.0
    return {"read": progress.tokens, "planned": plan.tokens, "spared_by_packing": saved, "share_spared": share}


def command(settings: TrainingSettings, data: Data) -> str:
    """The command that asks for the same, data files by name."""
    words = ["teach-agents", "train", str(settings.role), *(f"--data {one['file']}" for one in data.files)]
    return " ".join([*words, *options(settings.to_json(), TrainingSettings(settings.role).to_json())])


def options(settings: JsonMapping, default: JsonMapping) -> Iterator[str]:
    """The options of a command that ask for settings, where they are not the default."""
    for name, value in settings.items():
        if value != default[name]:
            option = f"--{name.replace('_', '-')}"
            yield option if value is True else f"{option} {value}"
