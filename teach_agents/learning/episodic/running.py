"""A training of the Episodic Transformer, from game files to a network in a folder: begun, stopped, gone on with."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any, Protocol

import numpy as np
import torch

from teach_agents.core.benchmark.folder import claimed, storing, write_atomically
from teach_agents.learning.checkpoints import Checkpoint, Progress, read_checkpoint, write_checkpoint
from teach_agents.learning.episodic.account import ACCOUNT, account
from teach_agents.learning.episodic.asking import Asked
from teach_agents.learning.episodic.data import Data, games_in, read_data
from teach_agents.learning.episodic.examples import Example, batched, ordered
from teach_agents.learning.episodic.learner import Learner, Tally
from teach_agents.learning.episodic.recording import Source, fill, sources
from teach_agents.learning.episodic.sessions import SessionFolder
from teach_agents.learning.episodic.settings import EpisodicSettings
from teach_agents.learning.settings import Limits
from teach_agents.learning.sitting import CHECKPOINT, Sitting, check_folder, sitting
from teach_agents.learning.stopping import Stopped
from teach_agents.models.episodic.network import EpisodicNetwork
from teach_agents.models.episodic.shape import Shape
from teach_agents.models.episodic.sight import Sight
from teach_agents.models.episodic.trained import Trained
from teach_agents.models.local.weights import device_of

__all__ = ["Asked", "Watcher", "train_episodic"]


class Watcher(Protocol):
    """Who is told how a training goes."""

    def stage(self, words: str) -> None:
        """Something begins that takes a while, or something is to be known."""

    def recorded(self, done: int, total: int) -> None:
        """So many sessions have been carried out and looked at."""

    def stepped(self, tally: Tally, progress: Progress, steps: int) -> None:
        """A step is over, of so many."""

    def checked(self, verdict: Mapping[str, Any]) -> None:
        """Held-out sessions were judged."""


@dataclass
class _Training:
    """All that a training is, in memory; `best` are the weights that did best on held-out sessions so far."""

    settings: EpisodicSettings
    data: Data
    learner: Learner
    key: str
    per_epoch: int
    progress: Progress = field(default_factory=Progress)
    best: dict[str, Any] = field(default_factory=dict)

    @property
    def steps(self) -> int:
        return self.per_epoch * self.settings.epochs

    def batches(self) -> Iterator[list[Example]]:
        """What is left to learn from, in an order that seed and epoch decide."""
        while self.progress.step < self.steps:
            epoch, begin = divmod(self.progress.step, self.per_epoch)
            dice = np.random.default_rng([self.settings.seed, epoch])
            yield from ordered(self.data.learnt, self.settings.batch, dice)[begin:]

    def note(self, tally: Tally, examples: Sequence[Example], seconds: float) -> None:
        self.progress.step += 1
        self.progress.tokens += sum(one.steps for one in examples)
        self.progress.decisions += tally.actions
        self.progress.seconds += seconds

    @property
    def checkpoint(self) -> Checkpoint:
        weights = {"now": self.learner.network.state_dict(), "best": self.best}
        dice: Any = torch.get_rng_state()
        return Checkpoint(self.key, self.progress, weights, self.learner.optimizer.state_dict(), dice)

    def restore(self, one: Checkpoint) -> None:
        self.progress, self.best = one.progress, one.adapter["best"]
        self.learner.network.load_state_dict(one.adapter["now"])
        self.learner.optimizer.load_state_dict(dict(one.optimizer))
        torch.set_rng_state(one.dice)


def train_episodic(
    asked: Asked,
    out: Path,
    *,
    limits: Limits,
    watcher: Watcher,
    workers: int = 1,
    resume: bool = False,
    only_features: bool = False,
) -> dict[str, Any] | None:
    """Train a network into the folder `out`, and give back what its `training.json` says.

    First every session that has no features yet is carried out again, by `workers` processes. Ctrl-C, TERM and
    `limits.minutes` end it between two sessions or two steps, and all is kept: the same call goes on with sessions,
    `resume` with steps. `None` where it ended before anything was learnt, as with `only_features`. Raises `InputError`
    for data and folders that do not do.
    """
    with storing(out):
        out.mkdir(parents=True, exist_ok=True)
    limited = sitting(out, minutes=limits.minutes, every_s=limits.every_s, told=watcher.stage)
    with claimed(out), limited as now:
        check_folder(out, resume)
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
            training.restore(read_checkpoint(out / CHECKPOINT, training.key))
        asked.write(out)
        now.begin_behind(training.progress.step)
        _run(training, out, now, watcher)
        return _written(training, out, sight, now.reason or "finished")


def _ready(
    settings: EpisodicSettings,
    folder: SessionFolder,
    wanted: Sequence[Source],
    sight: Mapping[str, Any],
    watcher: Watcher,
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
    steps = per_epoch * settings.epochs
    learner = Learner(EpisodicNetwork(shape), settings, steps, device_of(settings.device))
    return _Training(settings, data, learner, settings.key(sight, data.sources), per_epoch)


def _run(training: _Training, out: Path, now: Sitting, watcher: Watcher) -> None:
    """Steps and checks until nothing is left, or somebody or the clock ends it."""
    progress, history_loss = training.progress, training.settings.history_loss
    for examples in training.batches():
        _check(training, now, watcher)
        if now.ended():
            break
        begun = perf_counter()
        batch = batched(examples, training.data.vocabulary, history_loss=history_loss)
        tally = training.learner.learn(batch, progress.step)
        training.note(tally, examples, perf_counter() - begun)
        now.log({"step": progress.step, "seconds": round(progress.seconds, 2), **tally.to_json()})
        watcher.stepped(tally, progress, training.steps)
        if now.is_due():
            write_checkpoint(out / CHECKPOINT, training.checkpoint)
    _check(training, now, watcher)
    write_checkpoint(out / CHECKPOINT, training.checkpoint)


def _check(training: _Training, now: Sitting, watcher: Watcher) -> None:
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


def _written(training: _Training, out: Path, sight: Mapping[str, Any], ended: str) -> dict[str, Any]:
    """Write the network, the best one where held-out sessions told, and its account."""
    if training.best:
        training.learner.network.load_state_dict(training.best)
    trained = Trained(training.learner.network.eval(), training.data.vocabulary, sight, training.settings.context)
    with storing(out):
        for name, content in trained.files().items():
            write_atomically(out / name, content)
        made = account(training.settings, training.data, training.progress, trained, training.per_epoch, ended)
        write_atomically(out / ACCOUNT, json.dumps(made, indent=1) + "\n")
    return made
