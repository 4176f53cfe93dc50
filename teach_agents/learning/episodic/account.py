"""`training.json`: what a network was made of, how, and what came of it, beside its weights."""

from __future__ import annotations

from collections.abc import Sequence

from teach_agents.core.benchmark.folder import environment
from teach_agents.core.json_types import JsonObject
from teach_agents.learning.checkpoints import Progress
from teach_agents.learning.episodic.data import Data
from teach_agents.learning.episodic.examples import Example
from teach_agents.learning.episodic.settings import EpisodicSettings
from teach_agents.models.episodic.trained import Trained

ACCOUNT = "training.json"
_FORMAT = {"format": "teach_agents.training", "version": 1}


def account(
    settings: EpisodicSettings, data: Data, progress: Progress, trained: Trained, per_epoch: int, ended: str
) -> JsonObject:
    """What stands in `training.json`: no names of machines, people or folders; sessions by id and hash.

    The weights are those of the check with the lowest loss, `chosen`; of the last step where nothing was held out.
    """
    return {
        **_FORMAT,
        "ended": ended,
        "network": {
            "hash": trained.hash,
            "parameters": sum(one.numel() for one in trained.network.parameters()),
            "shape": trained.network.shape.to_json(),
            "sight": dict(trained.sight),
        },
        "data": {
            "learnt": _counted(data.learnt),
            "held_out": {"share_of_rooms": settings.held_out, **_counted(data.held_out)},
            "words": len(data.vocabulary.words),
            "objects": len(data.vocabulary.objects),
            "sessions": {one.game_id: one.sha256 for one in data.sources},
        },
        "steps": {"done": progress.step, "planned": per_epoch * settings.epochs, "an_epoch": per_epoch},
        "frames": progress.tokens,
        "decisions": progress.decisions,
        "hours": round(progress.seconds / 3600, 4),
        "checks": progress.checks,
        "chosen": min(progress.checks, key=lambda one: one["loss"], default=None),
        "settings": settings.to_json(),
        "command": command(settings),
        "environment": environment(),
    }


def _counted(examples: Sequence[Example]) -> JsonObject:
    sessions = {one.session.game_id: one.session.room for one in examples}
    return {
        "sessions": len(sessions),
        "rooms": len(set(sessions.values())),
        "stretches": len(examples),
        "steps": sum(one.steps for one in examples),
        "decisions": sum(one.end + 1 - one.future for one in examples),
    }


def command(settings: EpisodicSettings) -> str:
    """The command that asks for the same."""
    words = ["teach-agents train episodic-transformer --data GAMES --out FOLDER"]
    default = EpisodicSettings().to_json()
    for name, value in settings.to_json().items():
        if value != default[name]:
            option = f"--{name.replace('_', '-')}"
            words.append(option if value is True else f"{option} {value}")
    return " ".join(words)
