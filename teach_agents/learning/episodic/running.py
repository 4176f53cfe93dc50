"""A training of the Episodic Transformer, from game files to a network in a folder: begun, stopped, gone on with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import Protocol

import numpy as np
import torch

from teach_agents.core.benchmark.folder import environment, storing, write_atomically, write_json
from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.learning.episodic.examples import Data, Example, batched, games_in, ordered, read_data
from teach_agents.learning.episodic.learner import Learner, Tally
from teach_agents.learning.episodic.recording import How, Source, fill, sources
from teach_agents.learning.episodic.sessions import SessionFolder
from teach_agents.learning.episodic.settings import EpisodicSettings
from teach_agents.learning.loop import (
    ACCOUNT,
    BY_KEY,
    CHECKPOINT,
    FORMAT,
    SETTINGS,
    Progress,
    Resumable,
    Sitting,
    Stopped,
    Watcher,
    asked_before,
    options,
    sitting,
    training_folder,
)
from teach_agents.learning.settings import Limits
from teach_agents.models.episodic.network import EpisodicNetwork
from teach_agents.models.episodic.shape import Shape
from teach_agents.models.episodic.sight import Sight
from teach_agents.models.episodic.trained import Trained
from teach_agents.models.local.weights import device_of

_COMMAND = "teach-agents train episodic-transformer --data GAMES --out FOLDER"


@dataclass(frozen=True, slots=True)
class Asked:
    """Game files or folders of them, where features of their frames are kept and how they are made, and the rest."""

    data: tuple[Path, ...]
    features: Path
    settings: EpisodicSettings
    how: How = How()

    @classmethod
    def of(cls, data: Sequence[Path | str], features: Path | str, settings: JsonMapping) -> Asked:
        """What is asked for by the names of `EpisodicSettings`. Raises `InputError`."""
        return cls(tuple(Path(one) for one in data), Path(features), EpisodicSettings(**settings))

    @classmethod
    def before(cls, out: Path) -> Asked:
        """What the training in a folder was asked for. Raises `InputError` where there is none."""

        return asked_before(
            out,
            lambda told: replace(cls.of(told["data"], told["features"], told["settings"]), how=How(**told["how"])),
        )

    def changed(self, said: JsonMapping) -> Asked:
        """The same, but for what is said."""
        settings = {name: one for name, one in said.items() if name not in ("data", "features")}
        data, features = said.get("data", self.data), said.get("features", self.features)
        return replace(self.of(data, features, {**self.settings.to_json(), **settings}), how=self.how)

    def write(self, out: Path) -> None:
        """Keep it in the folder of the training."""
        write_json(
            out / SETTINGS,
            {
                "data": [str(one.resolve()) for one in self.data],
                "features": str(self.features.resolve()),
                "settings": self.settings.to_json(),
                "how": asdict(self.how),
            },
        )


class EpisodicWatcher(Watcher, Protocol):
    """Who is told how the training of an Episodic Transformer goes."""

    def recorded(self, done: int, total: int) -> None:
        """So many sessions have been carried out and looked at."""

    def stepped(self, tally: Tally, progress: Progress, steps: int) -> None:
        """A step is over, of so many."""


@dataclass
class _Training(Resumable):
    """All that a training is, in memory; `best` are the weights that did best on held-out sessions so far."""

    settings: EpisodicSettings
    data: Data
    learner: Learner
    key: str
    per_epoch: int
    progress: Progress = field(default_factory=Progress)
    best: JsonObject = field(default_factory=dict)

    @property
    def steps(self) -> int:
        return self.per_epoch * self.settings.epochs

    def batches(self) -> Iterator[list[Example]]:
        """What is left to learn from, in an order that seed and epoch decide."""
        while self.progress.step < self.steps:
            epoch, begin = divmod(self.progress.step, self.per_epoch)
            dice = np.random.default_rng([self.settings.seed, epoch])
            yield from ordered(self.data.learnt, self.settings.batch, dice)[begin:]

    @property
    def is_over(self) -> bool:
        return self.progress.step >= self.steps

    @property
    def state(self) -> JsonObject:
        return {
            "key": self.key,
            "progress": asdict(self.progress),
            "adapter": {"now": self.learner.network.state_dict(), "best": self.best},
            "optimizer": self.learner.optimizer.state_dict(),
            "dice": torch.get_rng_state(),
        }

    def restore(self, state: JsonMapping) -> None:
        self.progress, self.best = Progress(**state["progress"]), state["adapter"]["best"]
        self.learner.network.load_state_dict(state["adapter"]["now"])
        self.learner.optimizer.load_state_dict(dict(state["optimizer"]))
        torch.set_rng_state(state["dice"])


def train_episodic(
    asked: Asked,
    out: Path,
    *,
    limits: Limits,
    watcher: EpisodicWatcher,
    workers: int = 1,
    resume: bool = False,
    only_features: bool = False,
) -> JsonObject | None:
    """Train a network into the folder `out`, and give back what its `training.json` says.

    First every session that has no features yet is carried out again, by `workers` processes. Ctrl-C, TERM and
    `limits.minutes` end it between two sessions or two steps, and all is kept: the same call goes on with sessions,
    `resume` with steps. `None` where it ended before anything was learnt, as with `only_features`. Raises `InputError`
    for data and folders that do not do.
    """
    limited = sitting(out, minutes=limits.minutes, every_s=limits.every_s, told=watcher.stage)
    with training_folder(out, resume), limited as now:
        wanted = sources(games_in(asked.data))
        sight = {**Sight(asked.how.encoder, asked.how.channels).identity, "view_size": asked.how.view_size}
        folder = SessionFolder(asked.features, sight)
        failures = fill(folder, wanted, asked.how, workers=workers, told=watcher.recorded, stopped=now.ended)
        for one in failures:
            watcher.stage(f"left out: {one.game_id}: {one.why}")
        if now.reason or only_features:
            return None
        training = _ready(asked.settings, folder, wanted, sight, watcher)
        if (out / CHECKPOINT).exists():
            training.restore(BY_KEY.read(out / CHECKPOINT, training.key))
        asked.write(out)
        now.begin_behind(training.progress.step)
        step = partial(_step, training, training.batches(), now, watcher)
        now.carry_on(training, BY_KEY, step, partial(_check, training, now, watcher))
        return _written(training, out, sight, now.reason or "finished")


def _ready(
    settings: EpisodicSettings,
    folder: SessionFolder,
    wanted: Sequence[Source],
    sight: JsonMapping,
    watcher: EpisodicWatcher,
) -> _Training:
    watcher.stage("reading features")
    data = read_data(folder, wanted, settings)
    cells, channels = data.learnt[0].session.features.shape[1:]
    shape = Shape(
        words=len(data.vocabulary.words),
        objects=len(data.vocabulary.objects),
        cells=cells,
        channels=channels,
        width=settings.width,
        layers=settings.layers,
        dropout=settings.dropout,
        visual_dropout=settings.visual_dropout,
        inputs=settings.inputs,
    )
    torch.manual_seed(settings.seed)
    per_epoch = -(-len(data.learnt) // settings.batch)
    learner = Learner(EpisodicNetwork(shape), settings, per_epoch * settings.epochs, device_of(settings.device))
    return _Training(settings, data, learner, settings.key(sight, data.sources), per_epoch)


def _step(training: _Training, batches: Iterator[list[Example]], now: Sitting, watcher: EpisodicWatcher) -> bool:
    """Take a step."""
    examples, progress = next(batches), training.progress
    begun = perf_counter()
    batch = batched(examples, training.data.vocabulary, history_loss=training.settings.history_loss)
    tally = training.learner.learn(batch, progress.step)
    progress.step += 1
    progress.tokens += sum(one.steps for one in examples)
    progress.decisions += tally.actions
    progress.seconds += perf_counter() - begun
    now.log({"step": progress.step, "seconds": round(progress.seconds, 2), **tally.to_json()})
    watcher.stepped(tally, progress, training.steps)
    return True


def _check(training: _Training, now: Sitting, watcher: EpisodicWatcher) -> None:
    """Judge held-out sessions at the end of every epoch, once; the best weights so far are kept."""
    progress, data = training.progress, training.data
    due = progress.step > 0 and progress.step % training.per_epoch == 0
    if not data.held_out or not due or any(one["step"] == progress.step for one in progress.checks):
        return
    batches = ordered(data.held_out, training.settings.batch, None)
    try:
        tally = training.learner.judge((batched(one, data.vocabulary) for one in batches), now.go_on)
    except Stopped:
        return
    line = {"step": progress.step, "epoch": progress.step // training.per_epoch, **tally.to_json()}
    if all(line["loss"] < one["loss"] for one in progress.checks):
        training.best = {name: one.clone() for name, one in training.learner.network.state_dict().items()}
    progress.checks.append(line)
    now.log({"check": True, **line})
    watcher.checked(line)


def _written(training: _Training, out: Path, sight: JsonMapping, ended: str) -> JsonObject:
    """Write the network, the best one where held-out sessions told, and its account."""
    if training.best:
        training.learner.network.load_state_dict(training.best)
    trained = Trained(training.learner.network.eval(), training.data.vocabulary, sight, training.settings.context)
    with storing(out):
        for name, content in trained.files().items():
            write_atomically(out / name, content)
    return write_json(out / ACCOUNT, _account(training, trained, ended))


def _account(training: _Training, trained: Trained, ended: str) -> JsonObject:
    """What stands in `training.json`: no names of machines, people or folders; sessions by id and hash.

    The weights are those of the check with the lowest loss, `chosen`; of the last step where nothing was held out.
    """
    settings, data, progress = training.settings, training.data, training.progress
    return {
        **FORMAT,
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
        "steps": {"done": progress.step, "planned": training.steps, "an_epoch": training.per_epoch},
        "frames": progress.tokens,
        "decisions": progress.decisions,
        "hours": round(progress.seconds / 3600, 4),
        "checks": progress.checks,
        "chosen": min(progress.checks, key=lambda one: one["loss"], default=None),
        "settings": settings.to_json(),
        "command": " ".join([_COMMAND, *options(settings.to_json(), EpisodicSettings().to_json())]),
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
