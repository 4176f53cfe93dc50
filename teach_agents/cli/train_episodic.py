"""`teach-agents train episodic-transformer`: the paper's baseline, from people's sessions drawn again."""

from __future__ import annotations

from collections.abc import Mapping
from inspect import cleandoc
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from teach_agents.cli.options import RUNNING, option
from teach_agents.cli.train_options import (
    DEVICE,
    GOES_ON,
    HOW,
    OF_RUNNING,
    WHAT,
    Minutes,
    Rate,
    Threads,
    asked,
    given,
    say_how_to_go_on,
    use_threads,
)
from teach_agents.cli.train_progress import TrainingLines, left

if TYPE_CHECKING:
    from teach_agents.learning.checkpoints import Progress
    from teach_agents.learning.episodic.learner import Tally
    from teach_agents.learning.episodic.running import Asked


_OF_RUNNING = (*OF_RUNNING, "workers", "only_features")

ABOUT = cleandoc("""
    Train an Episodic Transformer: dialogue, frames and actions so far to the next action and what it acts upon.

    People's sessions are carried out again in the embedded simulator; what their Followers saw becomes features of
    EfficientNet-Lite0 ([bold]teach-agents models get efficientnet-lite0[/bold]), kept in --features: an epoch draws
    nothing. An example is a stretch between two utterances, as in EDH; at its end the right thing is to stop.

    In --out: episodic.safetensors and episodic.json (the network), training.json (sessions with hashes, seeds, hours,
    steps, checks, versions), log.jsonl (a line a step and a check), checkpoint.pt (to go on from; may be deleted).
    Stopped by Ctrl-C, TERM or --minutes, it keeps everything: the same command goes on with features, --resume with
    steps.

    [bold]Examples[/bold]

      teach-agents train episodic-transformer --data teach/games/train --features runs/features --out runs/et

      teach-agents train episodic-transformer --data teach/games/train --features runs/features --out runs/et-language
      --inputs language

      teach-agents train episodic-transformer --data teach/games/train --features runs/features --out runs/et-768
      --width 768 --learning-rate 1e-4 --device cuda

      teach-agents train episodic-transformer --out runs/et --resume --minutes 30

      teach-agents edh --follower episodic:weights=runs/et,clicks=oracle --games teach/games/valid_seen
      --names edh_valid_seen_200 --out runs/edh-et
    """)

_Data = Annotated[
    list[Path] | None, option("Game files, or folders of them: TEACh's games/train. May be repeated.", WHAT)
]
_Features = Annotated[
    Path | None,
    option(
        "Folder of frames' features, for any number of trainings (0.75 MB a session). OUT/features if not given.", WHAT
    ),
]
_Inputs = Annotated[str, option("What the network is shown: language+vision, language or vision.", WHAT)]
_HistoryLoss = Annotated[bool, option("Learn what was done before the stretch, too.", WHAT)]
_Context = Annotated[int, option("Steps before the stretch that the network is shown.", WHAT)]
_Words = Annotated[int, option("Words of the dialogue that the network is shown, the last ones.", WHAT)]
_HeldOut = Annotated[
    float, option("Share of rooms whose sessions are judged by and not learnt from; a room's name decides.", WHAT)
]
_Width = Annotated[int, option("Width of the network, a multiple of 64; the paper's is 768.", HOW)]
_Layers = Annotated[int, option("Layers of the language transformer, and of the multimodal one.", HOW)]
_Epochs = Annotated[int, option("How often every stretch is learnt from.", HOW)]
_Batch = Annotated[int, option("Stretches in a step.", HOW)]
_Seed = Annotated[int, option("Seed of the weights and of the order.", HOW)]
_Dtype = Annotated[str, option("What products are computed in: float32 or bfloat16.", HOW)]
_Device = Annotated[str, option(DEVICE, HOW)]
_Out = Annotated[Path | None, option("Folder of the network. Needed.", RUNNING)]
_Resume = Annotated[bool, option(GOES_ON, RUNNING)]
_Workers = Annotated[int, option("Processes that carry sessions out again, with one thread each.", RUNNING, min=1)]
_Only = Annotated[bool, option("Make the features that are missing, and train nothing.", RUNNING)]


def train_episodic_transformer(  # noqa: PLR0913  # one option a parameter
    told: typer.Context,
    data: _Data = None,
    out: _Out = None,
    features: _Features = None,
    inputs: _Inputs = "language+vision",
    history_loss: _HistoryLoss = False,
    context: _Context = 64,
    words: _Words = 320,
    held_out: _HeldOut = 0.03,
    width: _Width = 256,
    layers: _Layers = 2,
    epochs: _Epochs = 20,
    batch: _Batch = 8,
    learning_rate: Rate = 3e-4,
    seed: _Seed = 0,
    dtype: _Dtype = "float32",
    device: _Device = "auto",
    resume: _Resume = False,
    minutes: Minutes = None,
    threads: Threads = None,
    workers: _Workers = 1,
    only_features: _Only = False,
) -> None:
    """Train an Episodic Transformer."""
    from teach_agents.errors import InputError
    from teach_agents.learning.settings import Limits

    if out is None:
        raise InputError("--out", "say which folder the network goes to")
    use_threads(threads)
    from teach_agents.learning.episodic.running import train_episodic

    wanted, limits = _wanted(told, out, resume), Limits(minutes=minutes)
    with EpisodicProgress(Console(stderr=True)) as progress:
        made = train_episodic(
            wanted, out, limits=limits, watcher=progress, workers=workers, resume=resume, only_features=only_features
        )
    if made is None:
        typer.echo(f"Features: {wanted.features}")
        typer.echo("Nothing was trained yet; the same command without --only-features goes on.")
        return
    typer.echo(f"Network: {out}")
    typer.echo(f"Account: {out / 'training.json'}")
    typer.echo(f"It plays as: episodic:weights={out}")
    say_how_to_go_on(made, "episodic-transformer", out)


def _wanted(told: typer.Context, out: Path, resume: bool) -> Asked:
    """What is asked for; with `resume` what the training gone on with was asked for, unless said otherwise."""
    from teach_agents.errors import InputError
    from teach_agents.learning.episodic.running import Asked

    if resume:
        return Asked.before(out).changed(given(told, _OF_RUNNING))
    said = asked(told, _OF_RUNNING)
    data, features = said.pop("data"), said.pop("features")
    if not data:
        raise InputError("--data", "say which sessions to learn from: game files, or a folder of them")
    return Asked.of(data, features or out / "features", said)


class EpisodicProgress(TrainingLines):
    """Tells loss, what held-out sessions say, pace and the time left."""

    def recorded(self, done: int, total: int) -> None:
        """So many sessions have features."""
        say = self._say if done == total else self._say_now_and_then
        say(f"features of {done} of {total} sessions")

    def stepped(self, tally: Tally, progress: Progress, steps: int) -> None:
        """A step is over."""
        loss = self._mean("loss", tally.loss)
        pace = progress.tokens / max(progress.seconds, 1e-9)
        soon = left((steps - progress.step) * progress.seconds / max(1, progress.step))
        say = self._say if progress.step == steps else self._say_now_and_then
        say(f"step {progress.step} of {steps}: loss {loss:.3f}, {pace:.0f} frames/s, {soon}")

    def checked(self, verdict: Mapping[str, Any]) -> None:
        """Held-out sessions were judged."""
        names = ("action_accuracy", "object_accuracy", "stop_recall", "stop_precision")
        shares = ", ".join(f"{name.replace('_', ' ')} {verdict[name]}" for name in names)
        self._say(f"epoch {verdict['epoch']}: held-out loss {verdict['loss']:.3f}, {shares}")
