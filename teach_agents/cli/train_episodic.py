"""`teach-agents train episodic-transformer`: the paper's baseline, from people's sessions drawn again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

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
    say_what_came,
    use_threads,
)
from teach_agents.cli.train_progress import TrainingLines, left
from teach_agents.core.json_types import JsonMapping

if TYPE_CHECKING:
    from teach_agents.learning.episodic.learner import Tally
    from teach_agents.learning.episodic.running import Asked
    from teach_agents.learning.loop import Progress


_OF_RUNNING = (*OF_RUNNING, "workers", "only_features")


def train_episodic_transformer(  # noqa: PLR0913  # one option a parameter
    told: typer.Context,
    data: Annotated[
        list[Path] | None, option("Game files, or folders of them: TEACh's games/train. May be repeated.", WHAT)
    ] = None,
    out: Annotated[Path | None, option("Folder of the network. Needed.", RUNNING)] = None,
    features: Annotated[
        Path | None,
        option(
            "Folder of frames' features, for any number of trainings (0.75 MB a session). OUT/features if not given.",
            WHAT,
        ),
    ] = None,
    inputs: Annotated[
        str, option("What the network is shown: language+vision, language or vision.", WHAT)
    ] = "language+vision",
    history_loss: Annotated[bool, option("Learn what was done before the stretch, too.", WHAT)] = False,
    context: Annotated[int, option("Steps before the stretch that the network is shown.", WHAT)] = 64,
    words: Annotated[int, option("Words of the dialogue that the network is shown, the last ones.", WHAT)] = 320,
    held_out: Annotated[
        float, option("Share of rooms whose sessions are judged by and not learnt from; a room's name decides.", WHAT)
    ] = 0.03,
    width: Annotated[int, option("Width of the network, a multiple of 64; the paper's is 768.", HOW)] = 256,
    layers: Annotated[int, option("Layers of the language transformer, and of the multimodal one.", HOW)] = 2,
    epochs: Annotated[int, option("How often every stretch is learnt from.", HOW)] = 20,
    batch: Annotated[int, option("Stretches in a step.", HOW)] = 8,
    learning_rate: Rate = 3e-4,
    seed: Annotated[int, option("Seed of the weights and of the order.", HOW)] = 0,
    dtype: Annotated[str, option("What products are computed in: float32 or bfloat16.", HOW)] = "float32",
    device: Annotated[str, option(DEVICE, HOW)] = "auto",
    resume: Annotated[bool, option(GOES_ON, RUNNING)] = False,
    minutes: Minutes = None,
    threads: Threads = None,
    workers: Annotated[
        int, option("Processes that carry sessions out again, with one thread each.", RUNNING, min=1)
    ] = 1,
    only_features: Annotated[bool, option("Make the features that are missing, and train nothing.", RUNNING)] = False,
) -> None:
    """Train an Episodic Transformer: dialogue, frames and actions so far to the next action and what it acts upon.

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
    """
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
    say_what_came(made, "episodic-transformer", out, "Network", f"It plays as: episodic:weights={out}")


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

    def checked(self, verdict: JsonMapping) -> None:
        """Held-out sessions were judged."""
        names = ("action_accuracy", "object_accuracy", "stop_recall", "stop_precision")
        shares = ", ".join(f"{name.replace('_', ' ')} {verdict[name]}" for name in names)
        self._say(f"epoch {verdict['epoch']}: held-out loss {verdict['loss']:.3f}, {shares}")
