"""Options that every command with a run has: the same words, the same panels of `--help`."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from functools import wraps
from pathlib import Path
from typing import Annotated, Any, get_type_hints

import typer

from teach_agents.core.benchmark.setup import RUNNING as RUNNING
from teach_agents.core.benchmark.setup import WHICH as WHICH
from teach_agents.core.benchmark.setup import WHO as WHO


def option(help: str, panel: str, *flags: str, **more: Any) -> Any:
    """An option in a panel of `--help`; `flags` where they are not its name's."""
    return typer.Option(*flags, help=help, rich_help_panel=panel, **more)


class Options:
    """Options that are given together: each annotated field of a class below this one is an option."""

    def __init__(self, **values: Any) -> None:
        vars(self).update(values)

    @classmethod
    def parameters(cls) -> Iterator[inspect.Parameter]:
        """One for each field, as a command's function has them."""
        for name, kind in get_type_hints(cls, include_extras=True).items():
            default = getattr(cls, name, inspect.Parameter.empty)
            yield inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind)


def expanded(command: Callable[..., None]) -> Callable[..., None]:
    """A command that takes the fields of its parameters that are `Options`, where these stand."""
    asked = inspect.signature(command, eval_str=True).parameters
    groups = {
        name: one.annotation
        for name, one in asked.items()
        if isinstance(one.annotation, type) and issubclass(one.annotation, Options)
    }

    @wraps(command)
    def called(**values: Any) -> None:
        made = {name: kind(**{one: values.pop(one) for one in kind.__annotations__}) for name, kind in groups.items()}
        command(**made, **values)

    expanding: Any = called
    options = [one for name, own in asked.items() for one in (groups[name].parameters() if name in groups else (own,))]
    expanding.__signature__ = inspect.Signature(options)
    expanding.__annotations__ = {}  # they are all in the signature: nobody needs to read them once more
    return called


def pictures_named(text: str) -> tuple[str, ...]:
    """The pictures of an observation that `all`, `none`, or names with commas between them say."""
    from teach_agents.conventions.agent_wire import PICTURES

    return {"all": PICTURES, "none": ()}.get(text, tuple(one.strip() for one in text.split(",")))


JsonLines = Annotated[bool, typer.Option("--json", help="Print one JSON object per line.")]
Hooks = Annotated[list[str] | None, option("SPEC of a dialogue hook, such as noisy_speech; may be repeated.", WHO)]


class RunOptions(Options):
    """The options of every benchmark's command."""

    out: Annotated[
        Path, typer.Option(help="Folder of the run. The same command goes on with an interrupted run in it.")
    ]
    resume: Annotated[
        bool,
        typer.Option(
            "--resume",
            help="Go on with the run in --out by its own settings and instances: no other option is needed, and any "
            "that is given must agree with it (workers, concurrent, engine and time limit may change). Where there is "
            "no run yet, one begins if its instances are named.",
        ),
    ] = False
    split: Annotated[
        str | None, option("Which split of the benchmark's instances; the usual one by default.", WHICH)
    ] = None
    data: Annotated[Path | None, option("Where the benchmark's data lies.", WHICH)] = None
    names: list[str] | None = None
    shard: Annotated[str, option("Only part i of n of the instances, counted from 1.", WHICH, metavar="I/N")] = "1/1"
    limit: Annotated[int | None, option("Only the first so many of these.", WHICH, min=1)] = None
    agent: Annotated[
        list[str] | None,
        option(
            "Who plays a seat, as SEAT=SPEC; may be repeated. A seat left out is played by the benchmark's own agent.",
            WHO,
            metavar="SEAT=SPEC",
        ),
    ] = None
    hook: Hooks = None
    seed: Annotated[int, option("Seed of sessions and agents.", WHO)] = 0
    workers: Annotated[int, option("Processes.", RUNNING, min=1)] = 1
    concurrent: Annotated[
        int,
        option(
            "Instances that a process plays at a time: a local language model reads their prompts in one pass. For "
            "--engine local.",
            RUNNING,
            min=1,
        ),
    ] = 1
    engine: Annotated[
        str,
        option(
            "local: processes of this machine; ray: a Ray cluster (RAY_ADDRESS), or a Ray of one's own; here: no other "
            "process, for a person at the terminal.",
            RUNNING,
        ),
    ] = "local"
    time_limit: Annotated[
        float, option("Seconds after which an instance is killed and counts as timed out.", RUNNING, min=1)
    ] = 900.0
    call_time_limit: Annotated[
        float, option("Seconds an agent has for one answer; one that takes longer has timed out.", RUNNING, min=0.001)
    ] = 120.0
    pictures: Annotated[int, option("Instances shown with pictures in the report.", RUNNING, min=0)] = 0


def names_option(lists: Mapping[str, str]) -> Any:
    """`--names`, which may name one of the `lists` that a benchmark ships."""
    shipped = ", or one that comes with the benchmark: " if lists else ""
    named = " or ".join(f"{name} ({what})" for name, what in lists.items())
    words = f"Only those of a list, in its order: a file with a name a line{shipped}{named}. May be repeated."
    return Annotated[list[str] | None, option(words, WHICH, metavar="NAME|FILE")]
