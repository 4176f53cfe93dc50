"""A training from data files to an adapter in a folder: begun, gone on with, stopped, checked, written."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Protocol

from teach_agents.core.benchmark.folder import environment, storing, write_json
from teach_agents.core.json_types import JsonObject
from teach_agents.errors import InputError
from teach_agents.learning.demonstrations import Demonstration, digest
from teach_agents.learning.judging import Judge, drawn
from teach_agents.learning.loop import (
    ACCOUNT,
    BY_KEY,
    CHECKPOINT,
    FORMAT,
    SETTINGS,
    Progress,
    Sitting,
    Stopped,
    Watcher,
    account_in,
    begun_as,
    options,
    sitting,
    training_folder,
)
from teach_agents.learning.lora import WEIGHTS, Adapter, adapt
from teach_agents.learning.packing import Plan, planned
from teach_agents.learning.samples import Data, read_data, samples_of
from teach_agents.learning.settings import Limits, Origin, TrainingSettings
from teach_agents.learning.training import Stepped, Training, check_reads_trees
from teach_agents.models.loading import load_model
from teach_agents.models.local.model import TransformersModel
from teach_agents.models.local.smollm2 import adapter_folder
from teach_agents.models.local.weights import Source, Weights, fingerprint, read_weights


class AdapterWatcher(Watcher, Protocol):
    """Who is told how the training of an adapter goes."""

    def planned(self, plan: Plan, progress: Progress) -> None:
        """What will be read, and how much of it is over already."""

    def stepped(self, step: Stepped, progress: Progress) -> None:
        """A step is over."""


@dataclass(frozen=True, slots=True)
class _Ready:
    """All that a training needs, in memory."""

    settings: TrainingSettings
    data: Data
    source: Source
    weights: Weights
    origin: Origin
    adapter: Adapter
    plan: Plan
    judge: Judge | None
    training: Training


def train(
    settings: TrainingSettings,
    data: list[Path],
    out: Path,
    *,
    limits: Limits,
    watcher: AdapterWatcher,
    resume: bool = False,
) -> JsonObject:
    """Train an adapter into the folder `out`, and give back what its `training.json` says.

    Ctrl-C, TERM and `limits.minutes` end it after the row it is at; all steps that are over are kept, and `resume` goes
    on behind them as if nothing had been. Raises `InputError` for data, a base or a folder that does not do, and what
    loading models raises.
    """
    with training_folder(out, resume):
        ready = _ready(settings, data, watcher)
        if (out / CHECKPOINT).exists():
            ready.training.restore(BY_KEY.read(out / CHECKPOINT, ready.training.key))
        write_json(out / SETTINGS, {"settings": settings.to_json(), "data": [str(one.resolve()) for one in data]})
        watcher.planned(ready.plan, ready.training.progress)
        with sitting(out, minutes=limits.minutes, every_s=limits.every_s, told=watcher.stage) as now:
            now.begin_behind(ready.training.progress.step)
            step, check = partial(_step, ready, now, watcher), partial(_check, ready, now, watcher)
            now.carry_on(ready.training, BY_KEY, step, check)
        return _written(ready, out, now.reason or "finished")


def noted(out: Path, more: JsonObject) -> JsonObject:
    """Add to the account in a folder; the whole account."""
    return write_json(out / ACCOUNT, {**json.loads((out / ACCOUNT).read_bytes()), **more})


def _ready(settings: TrainingSettings, paths: list[Path], watcher: AdapterWatcher) -> _Ready:
    watcher.stage("reading demonstrations")
    data = read_data(paths, settings.role, settings.held_out, settings.most)
    watcher.stage("loading the base model")
    source = _source(settings)
    weights = read_weights(source)
    check_reads_trees(weights, settings.base)
    fingerprint_of_base = fingerprint(weights)
    watcher.stage("packing")
    plan = planned(
        samples_of(weights, data.learnt, settings.objective),
        seed=settings.seed,
        epochs=settings.epochs,
        tokens=settings.tokens,
        row=settings.row,
        batch=settings.batch,
    )
    asked = drawn(data.held_out, settings.check)
    judge = Judge.of(samples_of(weights, asked, settings.objective), asked, settings.row) if asked else None
    adapter = adapt(weights, rank=settings.rank, alpha=settings.alpha, seed=settings.seed)
    origin = _origin(fingerprint_of_base, adapter, settings.start)
    training = Training(weights, adapter, plan, peak=settings.learning_rate, key=settings.key(origin, data.files))
    return _Ready(settings, data, source, weights, origin, adapter, plan, judge, training)


def _source(settings: TrainingSettings) -> Source:
    """Where the base's weights are. Raises `InputError` for a model that is not trained here."""
    model = load_model(settings.base)
    if not isinstance(model, TransformersModel) or model.source.adapter:
        raise InputError(
            "--base",
            "must be a model of transformers without an adapter",
            value=settings.base,
            valid=("smollm2", "hf:FOLDER", "gguf:FILE"),
        )
    return Source(model.source.path, "", settings.dtype, settings.device)


def _origin(base: str, adapter: Adapter, start: str) -> Origin:
    """Let a new adapter for a base begin as another, where one is named. Raises `InputError`."""
    if not start:
        return Origin(base)
    kind, _, role = start.partition(":")
    folder = adapter_folder(role) if kind == "default" else Path(start)
    adapter.start_from(folder)
    return Origin(base, digest(folder / WEIGHTS), account_in(folder))


def _step(ready: _Ready, now: Sitting, watcher: AdapterWatcher) -> bool:
    """Take a step; whether it was taken to its end."""
    done, progress = ready.training.step(now.ended), ready.training.progress
    if not done:
        return False
    now.log(
        {
            "step": progress.step,
            "loss": round(done.loss, 5),
            "learning_rate": float(f"{done.rate:.4g}"),
            "gradient": round(done.gradient, 4),
            "tokens": progress.tokens,
            "seconds": round(progress.seconds, 2),
            "tokens_per_s": round(done.tokens / done.seconds, 1),
        }
    )
    watcher.stepped(done, progress)
    return True


def _check(ready: _Ready, now: Sitting, watcher: AdapterWatcher) -> None:
    """Judge held-out decisions, if that is due now and was not done; not at all where time is over."""
    progress, judge = ready.training.progress, ready.judge
    steps, checks = len(ready.plan.steps), ready.settings.checks
    due = checks > 0 and progress.step in {round(steps * at / checks) for at in range(checks + 1)}
    if not judge or not due or any(one["step"] == progress.step for one in progress.checks) or now.ended():
        return
    watcher.stage(f"checking {len(judge.demonstrations)} held-out decisions")
    begun = monotonic()
    ready.weights.prefixes.clear()
    model = TransformersModel.around(ready.weights, ready.source)
    try:
        verdict = judge.verdict(judge.losses(ready.weights, now.go_on), judge.right(model, now.go_on))
    except Stopped:
        return
    finally:
        ready.weights.prefixes.clear()
    line = {"step": progress.step, **verdict, "seconds": round(monotonic() - begun, 2)}
    progress.checks.append(line)
    now.log({"check": True, **line})
    watcher.checked(line)


def _written(ready: _Ready, out: Path, ended: str) -> JsonObject:
    """Write the adapter and its account."""
    with storing(out):
        ready.adapter.write(out, ready.settings.base)
        return write_json(out / ACCOUNT, _account(ready, out, ended))


def _account(ready: _Ready, folder: Path, ended: str) -> JsonObject:
    """What stands in `training.json`; `ended` says why the training ended.

    The adapter in `folder` is written already. No names of machines, people or folders: data files by name and hash.
    """
    settings, data, origin, plan = ready.settings, ready.data, ready.origin, ready.plan
    progress, weights = ready.training.progress, folder / WEIGHTS
    saved = progress.unpacked - progress.tokens
    words = ["teach-agents", "train", str(settings.role), *(f"--data {one['file']}" for one in data.files)]
    words += options(settings.to_json(), TrainingSettings(settings.role).to_json())
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
        "tokens": {
            "read": progress.tokens,
            "planned": plan.tokens,
            "spared_by_packing": saved,
            "share_spared": round(saved / progress.unpacked, 4) if progress.unpacked else 0.0,
        },
        "hours": round(progress.seconds / 3600, 4),
        "checks": progress.checks,
        "settings": settings.to_json(),
        "command": " ".join(words),
        "environment": environment(),
    }


def _counted(demonstrations: Sequence[Demonstration]) -> JsonObject:
    return {
        "sessions": len({one.session for one in demonstrations}),
        "decisions": len(demonstrations),
        "by_kind": dict(sorted(Counter(one.kind for one in demonstrations).items())),
    }
