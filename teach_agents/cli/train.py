"""`teach-agents train`: one's own Follower or Commander from demonstrations; other networks have commands beside."""

from __future__ import annotations

from inspect import getdoc
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from teach_agents.cli import train_data, train_detector, train_episodic
from teach_agents.cli.options import RUNNING, option
from teach_agents.cli.train_options import (
    CHECKS,
    DEVICE,
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
from teach_agents.cli.train_progress import TrainingBar
from teach_agents.core.json_types import JsonMapping, JsonObject

if TYPE_CHECKING:
    from teach_agents.learning.loop import Progress
    from teach_agents.learning.packing import Plan
    from teach_agents.learning.settings import Limits, TrainingSettings
    from teach_agents.learning.training import Stepped


app = typer.Typer(
    help="Train what agents decide and see with: adapters of language models, networks.",
    no_args_is_help=True,
    rich_markup_mode="rich",
)

_OF_RUNNING = (*OF_RUNNING, "check_games")


Data = Annotated[
    list[Path] | None,
    option(
        "Demonstrations: a folder that train data gathered, or a file; may be repeated. The other role's are left out.",
        WHAT,
    ),
]
Resume = Annotated[
    bool,
    option(
        "Go on with the training in --out as if it had never stopped, to the byte with as many threads. No "
        "other option is needed; one that says what is learnt, or how, must agree.",
        RUNNING,
        "--resume",
    ),
]
Objective = Annotated[
    str,
    option(
        "What is made likely: the right answer among all texts (answer), or among the candidates (choice), as a "
        "model that plays compares them.",
        WHAT,
    ),
]
Most = Annotated[
    float,
    option(
        "Of an answer that is more than this share of its kind's (stop, check the progress) some are left out.",
        WHAT,
    ),
]
CheckGames = Annotated[
    int,
    option("Generated TATC instances that are played at the end, the planner as partner, into OUT/tatc.", CHECKS),
]


def train(  # noqa: PLR0913  # one option a parameter
    context: typer.Context,
    data: Data = None,
    out: Annotated[Path | None, option("Folder of the adapter. Needed.", RUNNING)] = None,
    resume: Resume = False,
    base: Annotated[str, option("SPEC of the model to train: smollm2, hf:FOLDER or gguf:FILE.", WHAT)] = "smollm2",
    start: Annotated[
        str,
        option("An adapter to train further: its folder, or default:follower, default:commander (what ships).", WHAT),
    ] = "",
    objective: Objective = "answer",
    held_out: Annotated[
        float, option("Share of sessions that are not learnt from but judged by; a session's id decides.", WHAT)
    ] = 0.05,
    most: Most = 0.25,
    epochs: Annotated[int, option("How often every decision is learnt from.", WHAT)] = 1,
    tokens: Annotated[
        int | None,
        option(
            "Plan for so many tokens at most (read ones, packed): the learning rate falls to its end with them.", WHAT
        ),
    ] = None,
    rank: Annotated[int, option("Rank of the adapter; 16 makes 9.8 MB for smollm2.", HOW)] = 16,
    alpha: Annotated[float, option("What the adapter adds is scaled by alpha / rank.", HOW)] = 32.0,
    learning_rate: Rate = 5e-4,
    row: Annotated[
        int, option("Tokens in a packed row: longer ones share more and take more memory (1024: 4 GB).", HOW)
    ] = 1024,
    batch: Annotated[int, option("Tokens, at least, before the weights change.", HOW)] = 4096,
    seed: Annotated[int, option("Seed of the order and of the adapter.", HOW)] = 0,
    check: Annotated[int, option("Held-out decisions that are judged; 0 for none.", CHECKS)] = 128,
    checks: Annotated[int, option("How often, besides at the beginning.", CHECKS)] = 4,
    check_games: CheckGames = 0,
    minutes: Minutes = None,
    threads: Threads = None,
    dtype: Annotated[
        str, option("What the frozen weights compute in: auto, float32, bfloat16. The adapter is float32.", RUNNING)
    ] = "auto",
    device: Annotated[str, option(DEVICE, RUNNING)] = "auto",
) -> None:
    """Train a LoRA adapter that makes a language model decide as a {role} should.

    It learns from demonstrations, decisions as they should be made. A session's decisions share what they begin
    with, so that each token is read once; the loss is on the answers alone. Stopped by Ctrl-C, TERM or --minutes, it
    keeps everything, and --resume goes on.

    In --out: the adapter as peft reads it (bfloat16), training.json (data with hashes, seeds, hours, tokens,
    losses, versions), log.jsonl (a line a step and a check), checkpoint.pt (to go on from; may be deleted).

    [bold]Examples[/bold]

      teach-agents train {role} --data data/people --data data/play --out runs/{role}

      teach-agents train {role} --data data/play --out runs/{role} --tokens 200000 --minutes 30 --threads 2

      teach-agents train {role} --data data/mine --start default:{role} --out runs/mine

      teach-agents train {role} --out runs/{role} --resume

      teach-agents tatc --{role} 'lm:model="smollm2:adapter=runs/{role}"' --out runs/tatc
    """
    from teach_agents.actions import Role
    from teach_agents.errors import InputError
    from teach_agents.learning.settings import Limits, TrainingSettings

    if out is None:
        raise InputError("--out", "say which folder the adapter goes to")
    said = asked(context, _OF_RUNNING)
    if resume:
        said = {**said, **_said_before(out, said), **given(context, _OF_RUNNING)}
    paths = [Path(one) for one in said.pop("data") or ()]
    if not paths:
        raise InputError("--data", "say which demonstrations to learn from: files of teach_agents.learning")
    settings = TrainingSettings(Role(str(context.info_name)), **said)
    limits = Limits(minutes=minutes, games=check_games)
    if threads is not None:
        use_threads(threads)
    _run(settings, paths, out, limits, resume)


def _said_before(out: Path, wanted: JsonMapping) -> JsonObject:
    """The options that the training gone on with was asked for by."""
    from teach_agents.learning.loop import asked_before

    before = asked_before(out, lambda told: {**told["settings"], "data": told["data"]})
    return {name: value for name, value in before.items() if name in wanted}


def _run(settings: TrainingSettings, data: list[Path], out: Path, limits: Limits, resume: bool) -> None:
    from rich.console import Console

    from teach_agents.learning.games import agent_of, play_games
    from teach_agents.learning.running import noted, train

    with AdapterProgress(Console(stderr=True)) as progress:
        made = train(settings, data, out, limits=limits, watcher=progress, resume=resume)
        if limits.games and made["ended"] == "finished":
            progress.stage(f"playing {limits.games} sessions")
            made = noted(out, {"games": play_games(settings, out, limits.games)})
    if games := made.get("games"):
        typer.echo(f"TATC with the planner: {100 * games['success_rate']:.1f} % of {games['n']} sessions succeeded")
    say_what_came(made, settings.role, out, "Adapter", f"It plays as: {agent_of(settings.base, out)}")


class AdapterProgress(TrainingBar):
    """Shows loss, held-out loss and accuracy, pace and the time left."""

    memory = 0.8
    _tokens = 0

    def planned(self, plan: Plan, progress: Progress) -> None:
        """What will be read."""
        self._tokens = plan.tokens
        self._bar.update(self._task, total=plan.tokens, completed=progress.tokens)
        read = sum(step.unpacked for step in plan.steps)
        decisions = sum(step.decisions for step in plan.steps)
        self._say(
            f"{decisions:,} decisions in {len(plan.steps):,} steps; {plan.tokens:,} tokens, "
            f"{read / max(1, plan.tokens):.1f} times fewer than one by one"
        )
        if progress.step:
            self._say(f"going on behind step {progress.step} of {len(plan.steps)}")

    def stepped(self, step: Stepped, progress: Progress) -> None:
        """A step is over."""
        self._show(
            progress.tokens,
            f"step {progress.step}, {progress.tokens:,} of {self._tokens:,} tokens",
            f"loss {self._mean('loss', step.loss):.3f}",
            f"{step.tokens / step.seconds:.0f} tokens/s",
            left_s=(self._tokens - progress.tokens) * progress.seconds / max(1, progress.tokens),
        )

    def checked(self, verdict: JsonMapping) -> None:
        """Held-out decisions were judged."""
        self._held_out = f"held-out {verdict['loss']:.3f}, {100 * verdict['accuracy']:.1f} % right"
        by_kind = ", ".join(f"{kind} {100 * one['accuracy']:.1f} %" for kind, one in verdict["by_kind"].items())
        self._say(
            f"step {verdict['step']}: {verdict['n']} held-out decisions: loss {verdict['loss']:.3f}, "
            f"{100 * verdict['accuracy']:.1f} % right ({by_kind}; by chance {100 * verdict['chance']:.1f} %)"
        )


for _role in ("follower", "commander"):
    app.command(_role, help=(getdoc(train) or "").format(role=_role))(train)
app.command("detector")(train_detector.train_detector)
app.command("episodic-transformer")(train_episodic.train_episodic_transformer)
app.command("export")(train_data.export)
app.add_typer(train_data.app, name="data")
