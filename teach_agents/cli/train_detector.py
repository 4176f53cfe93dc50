"""`teach-agents train detector`: eyes for households, from frames that the embedded simulator draws."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from teach_agents.cli.options import RUNNING, option
from teach_agents.cli.train_options import (
    CHECKS,
    DEVICE,
    GOES_ON,
    OF_RUNNING,
    WHAT,
    Minutes,
    Threads,
    asked,
    given,
    say_what_came,
    use_threads,
)
from teach_agents.cli.train_progress import TrainingBar
from teach_agents.core.json_types import JsonMapping

if TYPE_CHECKING:
    from teach_agents.learning.detection.training import Settings, Stepped, Training


_OF_RUNNING = (*OF_RUNNING, "workers", "device")
_STEPS = 7500


Processes = Annotated[
    int,
    option(
        "Processes that learn side by side, each with --threads threads from its part of every batch: on a "
        "processor faster than as many threads.",
        WHAT,
    ),
]


def train_detector(  # noqa: PLR0913  # one option a parameter
    context: typer.Context,
    out: Annotated[Path | None, option("Folder of the eyes. Needed.", RUNNING)] = None,
    resume: Annotated[bool, option(GOES_ON, RUNNING, "--resume")] = False,
    hours: Annotated[
        float | None,
        option("The training is over after so many hours of steps: the learning rate falls with them.", WHAT),
    ] = None,
    steps: Annotated[
        int | None, option("The training is over after so many steps. Without --hours and --steps: 7,500.", WHAT)
    ] = None,
    start: Annotated[
        str,
        option(
            "Eyes to train further: their folder, or household (those that ship, if any do). Another --seed draws "
            "frames that they did not see.",
            WHAT,
        ),
    ] = "",
    batch: Annotated[int, option("Frames in a step; a divisor of 64.", WHAT)] = 16,
    learning_rate: Annotated[
        float, option("The highest learning rate; it rises over 2 % of the training, then falls.", WHAT)
    ] = 2e-3,
    quarters: Annotated[
        float,
        option(
            "Share of the training, its beginning, in which a quarter of the pixels of each frame is learnt from, "
            "which is a quarter of the work: by turns all of the view halved, and a part of it as it is.",
            WHAT,
        ),
    ] = 0.0,
    processes: Processes = 1,
    seed: Annotated[int, option("Seed of the weights and of all frames.", WHAT)] = 0,
    check: Annotated[int, option("Frames of each held-out room that the eyes are judged by.", CHECKS)] = 8,
    checks: Annotated[int, option("How often, evenly over the training; 0 for never.", CHECKS)] = 8,
    minutes: Minutes = None,
    threads: Threads = None,
    workers: Annotated[
        int,
        option("Processes that draw frames ahead, for a GPU; 0 draws them in between, a fifth of the time.", RUNNING),
    ] = 0,
    device: Annotated[str, option(DEVICE, RUNNING)] = "auto",
) -> None:
    """Train eyes that find objects in views of a household and say how far away they are.

    They learn from frames that are drawn as they go: training rooms of the embedded simulator in random states, colours
    and lights, a box about every object. 25 rooms (five or more of each kind) are held out; [bold]AP50[/bold] on frames
    of them is COCO's, over boxes of 100 square pixels or more and types with 20 such boxes. Stopped by Ctrl-C, TERM or
    --minutes, everything is kept, and --resume goes on.

    In --out: weights.safetensors and eyes.json (the eyes, 9 MB), training.json (rooms, frames, seeds, hours, checks,
    versions), log.jsonl (a line a step and a check), checkpoint.pt (to go on from; may be deleted).

    [bold]Examples[/bold]

      teach-agents train detector --out runs/eyes --hours 2 --threads 1 --processes 2 --batch 32 --quarters 0.5

      teach-agents train detector --out runs/eyes --resume --minutes 30

      teach-agents train detector --out runs/more --start runs/eyes --seed 1 --learning-rate 1e-3 --hours 1

      teach-agents train detector --out runs/eyes --steps 20000 --device cuda --workers 14

      teach-agents tatc --follower 'planner:perception="detector:detector=household:runs/eyes"'
    """
    from teach_agents.errors import InputError

    if out is None:
        raise InputError("--out", "say which folder the eyes go to")
    use_threads(threads)
    from teach_agents.learning.detection.running import Means, train

    settings = _settings(context, out, resume)
    means = Means(minutes=minutes, workers=workers, device=device)
    with DetectorProgress(Console(stderr=True)) as progress:
        made = train(settings, out, means=means, watcher=progress, resume=resume)
    say_what_came(made, "detector", out, "Eyes", f"They see as: detector=household:{out}", subject="They are")


def _settings(context: typer.Context, out: Path, resume: bool) -> Settings:
    """The settings that are asked for; with `resume` those of the training gone on with, unless said otherwise."""
    from teach_agents.learning.detection.running import settings_in
    from teach_agents.learning.detection.training import Settings

    if resume:
        return Settings.from_json({**settings_in(out).to_json(), **given(context, _OF_RUNNING)})
    wanted = asked(context, _OF_RUNNING)
    if wanted["hours"] is None and wanted["steps"] is None:
        wanted["steps"] = _STEPS
    return Settings(**wanted)


class DetectorProgress(TrainingBar):
    """Shows losses, held-out AP50, pace and the time left."""

    total = 1.0

    def stepped(self, step: Stepped, training: Training) -> None:
        """A step is over."""
        losses = (f"{name} {self._mean(name, getattr(step, name)):.3f}" for name in ("heat", "sides", "depth", "shown"))
        gone, progress = training.gone, training.progress
        self._show(
            gone,
            f"step {progress.step}, {100 * gone:.1f} %",
            ", ".join(losses),
            f"{training.settings.batch / step.seconds:.1f} frames/s",
            left_s=progress.seconds * (1 - gone) / max(gone, 1e-9),
        )

    def checked(self, verdict: JsonMapping) -> None:
        """Held-out frames were judged."""
        ap50 = verdict["ap50"]
        shown = "none yet" if ap50 is None else f"{ap50:.3f}"
        self._held_out = f"AP50 {shown}"
        self._say(
            f"step {verdict['step']}: {verdict['frames']} held-out frames: AP50 {shown} over {verdict['types']} types, "
            f"depth off by {100 * verdict['depth_error']:.1f} %"
        )
