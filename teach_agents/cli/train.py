"""`teach-agents train`: one's own Follower or Commander from demonstrations; other networks have commands beside."""

from __future__ import annotations

from collections.abc import Mapping
from inspect import cleandoc
from pathlib import Path
from typing import Annotated, Any

import typer

from teach_agents.cli import train_data, train_detector, train_episodic

__all__ = ["app"]

app = typer.Typer(
    help="Train what agents decide and see with: adapters of language models, networks.",
    no_args_is_help=True,
    rich_markup_mode="rich",
)

WHAT = "What is learnt"
HOW = "How it is learnt"
CHECKS = "How it is checked"
RUNNING = "How it runs"


def _option(help: str, panel: str, **more: Any) -> Any:
    return typer.Option(help=help, rich_help_panel=panel, **more)


_Data = Annotated[
    list[Path] | None,
    _option(
        "Demonstrations: a folder that train data gathered, or a file; may be repeated. The other role's are left out.",
        WHAT,
    ),
]
_Base = Annotated[str, _option("SPEC of the model to train: smollm2, hf:FOLDER or gguf:FILE.", WHAT)]
_Objective = Annotated[
    str,
    _option(
        "What is made likely: the right answer among all texts (answer), or among the candidates (choice), as a model "
        "that plays compares them.",
        WHAT,
    ),
]
_HeldOut = Annotated[
    float, _option("Share of sessions that are not learnt from but judged by; a session's id decides.", WHAT)
]
_Epochs = Annotated[int, _option("How often every decision is learnt from.", WHAT)]
_Tokens = Annotated[
    int | None,
    _option("Plan for so many tokens at most (read ones, packed): the learning rate falls to its end with them.", WHAT),
]
_Rank = Annotated[int, _option("Rank of the adapter; 16 makes 9.8 MB for smollm2.", HOW)]
_Alpha = Annotated[float, _option("What the adapter adds is scaled by alpha / rank.", HOW)]
_Rate = Annotated[
    float, _option("The highest learning rate, reached after 5 % of the steps; then it falls along a cosine.", HOW)
]
_Row = Annotated[int, _option("Tokens in a packed row: longer ones share more and take more memory (1024: 4 GB).", HOW)]
_Batch = Annotated[int, _option("Tokens, at least, before the weights change.", HOW)]
_Seed = Annotated[int, _option("Seed of the order and of the adapter.", HOW)]
_Check = Annotated[int, _option("Held-out decisions that are judged; 0 for none.", CHECKS)]
_Checks = Annotated[int, _option("How often, besides at the beginning.", CHECKS)]
_Games = Annotated[
    int, _option("Generated TATC instances that are played at the end, the planner as partner, into OUT/tatc.", CHECKS)
]
_Out = Annotated[Path | None, _option("Folder of the adapter. Needed.", RUNNING)]
_Resume = Annotated[
    bool,
    typer.Option(
        "--resume",
        help="Go on with the training in --out as if it had never stopped, to the byte with as many threads. No other "
        "option is needed; one that says what is learnt, or how, must agree.",
        rich_help_panel=RUNNING,
    ),
]
_Minutes = Annotated[float | None, _option("Stop after so many minutes; everything is kept.", RUNNING)]
_Threads = Annotated[int | None, _option("Threads that compute; torch's own number if not given.", RUNNING, min=1)]
_Dtype = Annotated[
    str, _option("What the frozen weights compute in: auto, float32, bfloat16. The adapter is float32.", RUNNING)
]
_Device = Annotated[str, _option("auto (a GPU if there is one), cpu, cuda, mps.", RUNNING)]

ABOUT = """
    Train a LoRA adapter that makes a language model decide as a {role} should.

    It learns from demonstrations, decisions as they should be made. A session's decisions share what they begin
    with, so that each token is read once; the loss is on the answers alone. Stopped by Ctrl-C, TERM or --minutes, it
    keeps everything, and --resume goes on.

    In --out: the adapter as peft reads it (bfloat16), training.json (data with hashes, seeds, hours, tokens,
    losses, versions), log.jsonl (a line a step and a check), checkpoint.pt (to go on from; may be deleted).

    [bold]Examples[/bold]

      teach-agents train {role} --data data/people --data data/play --out runs/{role}

      teach-agents train {role} --data data/play --out runs/{role} --tokens 200000 --minutes 30 --threads 2

      teach-agents train {role} --out runs/{role} --resume

      teach-agents tatc --{role} 'lm:model="smollm2:adapter=runs/{role}"' --out runs/tatc
    """


def train(  # noqa: PLR0913  # one option a parameter
    context: typer.Context,
    data: _Data = None,
    out: _Out = None,
    resume: _Resume = False,
    base: _Base = "smollm2",
    objective: _Objective = "answer",
    held_out: _HeldOut = 0.05,
    epochs: _Epochs = 1,
    tokens: _Tokens = None,
    rank: _Rank = 16,
    alpha: _Alpha = 32.0,
    learning_rate: _Rate = 5e-4,
    row: _Row = 1024,
    batch: _Batch = 4096,
    seed: _Seed = 0,
    check: _Check = 128,
    checks: _Checks = 4,
    check_games: _Games = 0,
    minutes: _Minutes = None,
    threads: _Threads = None,
    dtype: _Dtype = "auto",
    device: _Device = "auto",
) -> None:
    """Train an adapter for the role that the command is called by."""
    from teach_agents.errors import InputError
    from teach_agents.learning.settings import Limits

    if out is None:
        raise InputError("--out", "say which folder the adapter goes to")
    said = _said(context, out, resume)
    paths = [Path(one) for one in said.pop("data") or ()]
    if not paths:
        raise InputError("--data", "say which demonstrations to learn from: files of teach_agents.learning")
    settings = _settings(str(context.info_name), said)
    limits = Limits(minutes=minutes, games=check_games)
    if threads is not None:
        from teach_agents.models.local.packages import torch

        torch().set_num_threads(threads)
    _run(settings, paths, out, limits, resume)


_OF_RUNNING = ("out", "resume", "minutes", "threads", "check_games")
"""Options that say nothing of what is learnt."""


def _said(context: typer.Context, out: Path, resume: bool) -> dict[str, Any]:
    """The options that say what is learnt and how: those that were given, else those of the training gone on with."""
    from teach_agents.learning.running import asked_before

    stored = asked_before(out) if resume else {}
    found = {}
    for name, value in context.params.items():
        source = context.get_parameter_source(name)
        given = source is not None and source.name == "COMMANDLINE"
        if name not in _OF_RUNNING:
            found[name] = value if given or name not in stored else stored[name]
    return found


def _settings(role: str, said: Mapping[str, Any]) -> Any:
    from teach_agents.actions import Role
    from teach_agents.learning.settings import TrainingSettings

    return TrainingSettings(Role(role), **said)


def _run(settings: Any, data: list[Path], out: Path, limits: Any, resume: bool) -> None:
    from rich.console import Console

    from teach_agents.cli.train_progress import TrainingProgress
    from teach_agents.learning.games import agent_of, play_games
    from teach_agents.learning.running import noted, train

    with TrainingProgress(Console(stderr=True)) as progress:
        made = train(settings, data, out, limits=limits, watcher=progress, resume=resume)
        if limits.games and made["ended"] == "finished":
            progress.stage(f"playing {limits.games} sessions")
            made = noted(out, {"games": play_games(settings, out, limits.games)})
    if games := made.get("games"):
        typer.echo(f"TATC with the planner: {100 * games['success_rate']:.1f} % of {games['n']} sessions succeeded")
    typer.echo(f"Adapter: {out}")
    typer.echo(f"Account: {out / 'training.json'}")
    typer.echo(f"It plays as: {agent_of(settings.base, out)}")
    if made["ended"] != "finished":
        typer.echo(f"It is not finished. This goes on: teach-agents train {settings.role} --out {out} --resume")
    if made["ended"] == "interrupted":
        raise typer.Exit(130)


for _role in ("follower", "commander"):
    app.command(_role, help=cleandoc(ABOUT.format(role=_role)))(train)
app.command("detector", help=train_detector.ABOUT)(train_detector.train_detector)
app.command("episodic-transformer", help=train_episodic.ABOUT)(train_episodic.train_episodic_transformer)
app.command("export", help=train_data.EXPORT)(train_data.export)
app.add_typer(train_data.app, name="data")
