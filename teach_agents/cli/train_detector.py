"""`teach-agents train detector`: eyes for households, from frames that the embedded simulator draws."""

from __future__ import annotations

import time
from collections.abc import Mapping
from datetime import timedelta
from inspect import cleandoc
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from teach_agents.cli.options import option

if TYPE_CHECKING:
    from teach_agents.learning.detection.training import Settings, Stepped, Training

__all__ = ["ABOUT", "DetectorProgress", "train_detector"]

WHAT = "What is learnt"
CHECKS = "How it is checked"
RUNNING = "How it runs"
_OF_RUNNING = ("out", "resume", "minutes", "threads", "workers", "device")
"""Options that say nothing of what is learnt."""
_LINE_EVERY_S = 60.0
_RECENT = 0.95
"""How much of the mean losses shown is that of the steps before."""

ABOUT = cleandoc("""
    Train eyes that find objects in views of a household and say how far away they are.

    They learn from frames that are drawn as they go: training rooms of the embedded simulator in random states, colours
    and lights, a box about every object. 25 rooms (five or more of each kind) are held out; [bold]AP50[/bold] on frames
    of them is COCO's, over boxes of 100 square pixels or more and types with 20 such boxes. Stopped by Ctrl-C, TERM or
    --minutes, everything is kept, and --resume goes on.

    In --out: weights.safetensors and eyes.json (the eyes, 9 MB), training.json (rooms, frames, seeds, hours, checks,
    versions), log.jsonl (a line a step and a check), checkpoint.pt (to go on from; may be deleted).

    [bold]Examples[/bold]

      teach-agents train detector --out runs/eyes --hours 2 --threads 2

      teach-agents train detector --out runs/eyes --resume --minutes 30

      teach-agents train detector --out runs/eyes --steps 20000 --device cuda --workers 14

      teach-agents tatc --follower 'planner:perception="detector:detector=household:runs/eyes"'
    """)

_Out = Annotated[Path | None, option("Folder of the eyes. Needed.", RUNNING)]
_Resume = Annotated[
    bool,
    typer.Option(
        "--resume",
        help="Go on with the training in --out. No other option is needed; one that says what is learnt must agree.",
        rich_help_panel=RUNNING,
    ),
]
_Hours = Annotated[
    float | None, option("The training is over after so many hours of steps: the learning rate falls with them.", WHAT)
]
_Steps = Annotated[
    int | None, option("The training is over after so many steps. Without --hours and --steps: 7,500.", WHAT)
]
_Batch = Annotated[int, option("Frames in a step; a divisor of 64.", WHAT)]
_Rate = Annotated[float, option("The highest learning rate; it rises over 2 % of the training, then falls.", WHAT)]
_Seed = Annotated[int, option("Seed of the weights and of all frames.", WHAT)]
_Check = Annotated[int, option("Frames of each held-out room that the eyes are judged by.", CHECKS)]
_Checks = Annotated[int, option("How often, evenly over the training; 0 for never.", CHECKS)]
_Minutes = Annotated[float | None, option("Stop after so many minutes; everything is kept.", RUNNING)]
_Threads = Annotated[int | None, option("Threads that compute; torch's own number if not given.", RUNNING, min=1)]
_Workers = Annotated[
    int, option("Processes that draw frames ahead, for a GPU; 0 draws them in between, a fifth of the time.", RUNNING)
]
_Device = Annotated[str, option("auto (a GPU if there is one), cpu, cuda, mps.", RUNNING)]
_STEPS = 7500


def train_detector(  # noqa: PLR0913  # one option a parameter
    context: typer.Context,
    out: _Out = None,
    resume: _Resume = False,
    hours: _Hours = None,
    steps: _Steps = None,
    batch: _Batch = 16,
    learning_rate: _Rate = 2e-3,
    seed: _Seed = 0,
    check: _Check = 8,
    checks: _Checks = 8,
    minutes: _Minutes = None,
    threads: _Threads = None,
    workers: _Workers = 0,
    device: _Device = "auto",
) -> None:
    """Train eyes."""
    from teach_agents.errors import InputError
    from teach_agents.models.local.packages import torch

    if out is None:
        raise InputError("--out", "say which folder the eyes go to")
    if threads is not None:
        torch().set_num_threads(threads)
    else:
        torch()
    from teach_agents.learning.detection.running import Means, train

    settings = _settings(context, out, resume)
    means = Means(minutes=minutes, workers=workers, device=device)
    with DetectorProgress(Console(stderr=True)) as progress:
        made = train(settings, out, means=means, watcher=progress, resume=resume)
    typer.echo(f"Eyes: {out}")
    typer.echo(f"Account: {out / 'training.json'}")
    typer.echo(f"They see as: detector=household:{out}")
    if made["ended"] != "finished":
        typer.echo(f"They are not finished. This goes on: teach-agents train detector --out {out} --resume")
    if made["ended"] == "interrupted":
        raise typer.Exit(130)


def _settings(context: typer.Context, out: Path, resume: bool) -> Settings:
    """The settings that are asked for; with `resume` those of the training gone on with, unless said otherwise."""
    from teach_agents.learning.detection.running import settings_in
    from teach_agents.learning.detection.training import Settings

    wanted = {name: value for name, value in context.params.items() if name not in _OF_RUNNING}
    if not resume:
        if wanted["hours"] is None and wanted["steps"] is None:
            wanted["steps"] = _STEPS
        return Settings(**wanted)
    given = {name for name in wanted if (source := context.get_parameter_source(name)) and source.name == "COMMANDLINE"}
    before = settings_in(out)
    return Settings.from_json({**before.to_json(), **{name: wanted[name] for name in given}})


class DetectorProgress:
    """Shows losses, held-out AP50, pace and the time left on a console."""

    def __init__(self, console: Console) -> None:
        self._console = console
        columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[state]}"))
        self._bar = Progress(*columns, TimeElapsedColumn(), console=console, transient=True)
        self._task = self._bar.add_task("training", total=1.0, state="")
        self._losses: dict[str, float] = {}
        self._held_out = ""
        self._told_at = float("-inf")

    def stage(self, words: str) -> None:
        """Something begins that takes a while."""
        self._bar.update(self._task, description=words)
        if not self._console.is_terminal:
            self._say(words)

    def stepped(self, step: Stepped, training: Training) -> None:
        """A step is over."""
        for name in ("heat", "sides", "depth"):
            now = float(getattr(step, name))
            self._losses[name] = _RECENT * self._losses.get(name, now) + (1 - _RECENT) * now
        gone, progress = training.gone, training.progress
        left = progress.seconds * (1 - gone) / max(gone, 1e-9)
        parts = [
            ", ".join(f"{name} {value:.3f}" for name, value in self._losses.items()),
            self._held_out,
            f"{training.settings.batch / step.seconds:.1f} frames/s",
            f"about {timedelta(seconds=round(left))} left",
        ]
        state = ", ".join(filter(None, parts))
        self._bar.update(self._task, description="training", completed=gone, state=state)
        if not self._console.is_terminal and time.monotonic() - self._told_at >= _LINE_EVERY_S:
            self._told_at = time.monotonic()
            self._say(f"step {progress.step}, {100 * gone:.1f} %: {state}")

    def checked(self, verdict: Mapping[str, Any]) -> None:
        """Held-out frames were judged."""
        ap50 = verdict["ap50"]
        shown = "none yet" if ap50 is None else f"{ap50:.3f}"
        self._held_out = f"AP50 {shown}"
        self._say(
            f"step {verdict['step']}: {verdict['frames']} held-out frames: AP50 {shown} over {verdict['types']} types, "
            f"depth off by {100 * verdict['depth_error']:.1f} %"
        )

    def _say(self, line: str) -> None:
        self._console.print(line, markup=False, highlight=False, soft_wrap=True)

    def __enter__(self) -> DetectorProgress:
        if self._console.is_terminal:
            self._bar.start()
        return self

    def __exit__(self, *problem: Any) -> None:
        if self._console.is_terminal:
            self._bar.stop()
