"""`teach-agents run BENCHMARK`: the command of any benchmark, made from what its constructor declares."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, Annotated, Any, get_args, get_origin

import typer
from typer.core import TyperCommand, TyperGroup

from teach_agents.cli import options as common
from teach_agents.cli.resuming import Kinds, Words, resumable, said_before, was_given
from teach_agents.cli.tables import table_of
from teach_agents.core.benchmark.setup import RUNNING, WHICH, WHO
from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.errors import InputError, PluginError

if TYPE_CHECKING:
    from teach_agents.core.benchmark.contract import Benchmark, Setup
    from teach_agents.core.benchmark.lookup import Declared
    from teach_agents.core.benchmark.run import Run


_FREE = frozenset({"workers", "concurrent", "engine", "time_limit", "pictures"})
"""What says nothing of the instances: how a run is carried out, and what is written of it."""


ALL_BROKE_DOWN = 3
"""The exit status of a run in which no instance came to an end of its own: each crashed, timed out or never started."""


class BenchmarkCommand(TyperCommand):
    """The command of a benchmark. Nothing of the benchmark is imported before its options are asked for."""

    def __init__(self, spec: str, short_help: str = "") -> None:
        super().__init__(name=spec, short_help=short_help, rich_markup_mode="rich")
        self._spec = spec

    @cached_property
    def made(self) -> _Made:
        """What the benchmark declares. Raises `SpecError` for one that nobody registered."""
        made = _Made.of(self._spec)
        alone = typer.Typer(add_completion=False, rich_markup_mode="rich")
        alone.command()(made.function)
        built: Any = typer.main.get_command(alone)
        self.params, self.callback, self.help = built.params, built.callback, built.help
        return made

    @property
    def kinds(self) -> Kinds:
        """What its options are to a run that goes on."""
        found = self.made.declared.items()
        return Kinds(
            {"split", "data"} | {name for name, one in found if one.option.source},
            {"data"} | {name for name, one in found if one.paths},
            self.made.lists.keys(),
            _FREE | {name for name, one in found if one.option.free},
        )

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:
        """Read the command line; with `--resume` once more, now with the run's own words for defaults."""
        context = super().make_context(info_name, list(args), parent, **extra)
        if not context.params.get("resume"):
            return context
        known = said_before(context, self.kinds)
        return super().make_context(info_name, args, parent, default_map=known, **extra)

    def get_params(self, ctx: Any) -> Any:
        """All its options."""
        assert self.made
        return super().get_params(ctx)

    def get_short_help_str(self, limit: int = 45) -> str:
        """The first line of what its benchmark says of itself."""
        return self.short_help or self.made.summary


@dataclass(frozen=True, slots=True)
class _Made:
    """What a benchmark declares for its command."""

    spec: str
    declared: Mapping[str, Declared]
    lists: Mapping[str, str]
    factory: Callable[..., Any]

    @classmethod
    def of(cls, spec: str) -> _Made:
        from teach_agents.core.benchmark.lookup import benchmark_factory, declared

        parsed, factory = benchmark_factory(spec)
        found = {name: one for name, one in declared(factory).items() if name not in parsed.parameters}
        return cls(spec, found, getattr(factory, "lists", {}), factory)

    @property
    def summary(self) -> str:
        """The first line of its help."""
        return (inspect.getdoc(self.factory) or "").partition("\n")[0]

    @property
    def function(self) -> Callable[..., None]:
        """A function with one parameter an option, for Typer to make a command of."""
        parameters = {one.name: one for one in (*self._common(), *self._own())}

        def command(context: typer.Context, **values: Any) -> None:
            _carry_out(self, context, values)

        made: Any = command
        context = inspect.Parameter("context", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=typer.Context)
        ordered = sorted(parameters.values(), key=_place)
        made.__signature__ = inspect.Signature([context, *ordered])
        made.__annotations__ = {one.name: one.annotation for one in (context, *ordered)}
        made.__doc__ = inspect.getdoc(self.factory)
        return command

    def _common(self) -> Iterator[inspect.Parameter]:
        """The options of every benchmark."""
        own = self.factory
        shown = getattr(own, "pictures", 0)
        changed: dict[str, dict[str, Any]] = {
            "out": {"default": Path("runs") / (getattr(own, "name", "") or self.spec)},
            "names": {"annotation": common.names_option(self.lists)},
            "time_limit": {"default": getattr(own, "time_limit_s", 900.0)},
            "pictures": {"default": shown},
        }
        for one in common.RunOptions.parameters():
            if one.name != "pictures" or shown:
                yield one.replace(**changed.get(one.name, {}))

    def _own(self) -> Iterator[inspect.Parameter]:
        """The options that it declares itself; one of a common name stands in that one's place."""
        for name, one in self.declared.items():
            said = one.option
            more: JsonObject = {"min": _bound(one.kind, said.least), "max": _bound(one.kind, said.most)}
            more |= {"metavar": said.metavar or None, "rich_help_panel": said.panel or "Of this benchmark"}
            flags = (f"--{said.name}",) if said.name else ()
            annotation: Any = Annotated[_shown(one.kind), typer.Option(*flags, help=said.help, **more)]
            default = None if _parts(one.kind) & {"many", "none"} else one.default
            yield inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)

    def make(self, values: JsonMapping) -> Benchmark[Any, Any]:
        """The benchmark, with the values of its own options."""
        from teach_agents.core.benchmark.lookup import make_benchmark

        own = {name: values[name] for name in self.declared if values[name] is not None}
        if values.get("data") is not None and "data" not in self.declared:
            raise InputError("--data", f"{self.spec} brings its own instances", value=values["data"])
        return make_benchmark(
            self.spec, {name: tuple(one) if isinstance(one, list) else one for name, one in own.items()}
        )


_PANELS = (None, WHICH, WHO, RUNNING)


def _place(parameter: inspect.Parameter) -> int:
    """Below which heading an option stands."""
    (_, said, *_) = get_args(parameter.annotation)
    panel = said.rich_help_panel
    return _PANELS.index(panel) if panel in _PANELS else len(_PANELS)


def _parts(kind: Any) -> set[Any]:
    """What a declared type is made of; "many" where several values may be given, "none" where none need be."""
    inner = get_args(kind) if get_origin(kind) is not tuple and get_args(kind) else (kind,)
    many = {"many"} if any(get_origin(one) is tuple for one in inner) else set()
    plain = {get_args(one)[0] if get_origin(one) is tuple else one for one in inner}
    return {*plain - {NoneType}, *many, *({"none"} if NoneType in plain else ())}


def _shown(kind: Any) -> Any:
    """A declared type as Typer knows it."""
    parts = _parts(kind)
    one: Any = Path if Path in parts else next(iter(parts - {"many", "none"}))
    if "many" in parts:
        return list[one] | None
    return one | None if "none" in parts else one


def _bound(kind: Any, value: float | None) -> float | None:
    return int(value) if value is not None and int in _parts(kind) else value


def _carry_out(made: _Made, context: typer.Context, values: JsonMapping) -> None:
    """Carry a command out."""
    from teach_agents.core.benchmark.engines import engine_named
    from teach_agents.core.benchmark.run import Run
    from teach_agents.core.benchmark.stored import read_run

    how = {name: values[name] for name in ("workers", "concurrent", "engine")}
    engine_named(how["engine"], workers=how["workers"], concurrent=how["concurrent"])
    command: Any = context.command
    words = Words(context, command.kinds)
    benchmark = made.make(values)
    setup = _setup(made, benchmark, values, context)
    benchmark.check(setup)
    instances = _instances(benchmark, words, values)
    benchmark.rehearse(instances[0], setup)
    run: Run[Any] = Run(values["out"], benchmark, setup, instances, resume=values["resume"])
    _play(run, words, {**how, "time_limit_s": values["time_limit"]})
    benchmark.finish(read_run(run.folder), workers=how["workers"])
    if all(one["status"] != "done" for one in run.lines().values()):
        typer.echo("No instance came to an end of its own; summary and report say why.", err=True)
        raise typer.Exit(ALL_BROKE_DOWN)


def _setup(made: _Made, benchmark: Benchmark[Any, Any], values: JsonMapping, context: typer.Context) -> Setup:
    """How the instances are asked to be played."""
    agents = dict(benchmark.agents)
    seated = {seat: agents[seat] for seat in made.declared if seat in agents and was_given(context, seat)}
    for said in values["agent"] or ():
        seat, equals, spec = said.partition("=")
        if not equals:
            raise InputError("--agent", "needs SEAT=SPEC", value=said, valid=[f"{seat}=..." for seat in agents])
        if seat in seated:
            raise InputError("--agent", f"the {seat} is {seated[seat]!r} already; a seat has one agent", value=said)
        seated[seat] = spec
    own = benchmark.setup()
    return replace(
        own,
        agents=agents | seated,
        hooks=tuple(values["hook"] or ()),
        seed=own.seed if "seed" in made.declared else values["seed"],
        call_time_limit_s=values["call_time_limit"],
        pictures=values.get("pictures", 0),
    )


def _instances(benchmark: Benchmark[Any, Any], words: Words, values: JsonMapping) -> Sequence[Any]:
    """Those that the folder names, or else those that are asked for."""
    from teach_agents.cli.progress import counting
    from teach_agents.core.benchmark.contract import Choice

    if known := words.sources(benchmark):
        return [benchmark.instance_from_json(one) for one in known]
    choice = Choice(
        split=values["split"] or "",
        names=tuple(values["names"] or ()),
        shard=values["shard"],
        limit=values["limit"],
        workers=values["workers"],
    )
    with counting("Looking for instances") as told:
        return benchmark.select(replace(choice, told=told))


def _play(run: Run[Any], words: Words, how: JsonMapping) -> None:
    from rich.console import Console

    from teach_agents.cli.progress import RunProgress

    benchmark = run.benchmark
    words.keep([benchmark.instance_to_json(one) for one in run.instances])
    alone = how["engine"] == "here"  # a bar would move while somebody types
    console = Console(stderr=True, force_terminal=False if alone else None)

    def succeeded(line: JsonMapping) -> bool | None:
        outcome = benchmark.outcome_of(line)
        return outcome.success if outcome.status == "done" else False

    def count(line: JsonMapping) -> None:
        outcome = benchmark.outcome_of(line)
        progress.count(outcome.instance_id, outcome.status, outcome.reason, succeeded(line))

    before = [succeeded(one) for one in run.lines().values()]
    with (
        resumable(words, console, lambda: _finish(run, console)),
        RunProgress(console, benchmark.title or benchmark.name, len(run.instances), before) as progress,
    ):
        run.play(**how, on_line=count)


def _finish(run: Run[Any], console: Any) -> None:
    """Write summary and report, print the table, say where they are."""
    from teach_agents.core.benchmark.reporting.page import write_report

    summary = run.write_summary()
    report = write_report(run.folder)
    table = run.benchmark.table(summary)
    rows = (*table.rows, *([table.total] if table.total else []))
    console.print(table_of(table.columns, rows, 1, title=table.title, caption=table.note or None))
    typer.echo(f"Summary: {run.folder / 'summary.json'}")
    typer.echo(f"Report:  {report}")


@cache
def command_of(spec: str, short_help: str = "") -> BenchmarkCommand:
    """The command of a benchmark, the same one wherever it stands."""
    return BenchmarkCommand(spec, short_help)


class Benchmarks(TyperGroup):
    """A command for each benchmark that is registered, ours and plugins', and for any `module:Class`."""

    def list_commands(self, ctx: Any) -> list[str]:
        """The registered benchmarks that can be imported."""
        from teach_agents.core.registry import default_registry

        return [name for name in default_registry().entries("benchmark") if _usable(name)]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of a benchmark. Raises `SpecError`, with near names, for one that nobody registered."""
        command = command_of(cmd_name)
        if not command.short_help:
            command.short_help = command.made.summary
        return command


def _usable(name: str) -> bool:
    try:
        return bool(command_of(name).made)
    except PluginError:
        return False


app = typer.Typer(
    cls=Benchmarks,
    no_args_is_help=True,
    rich_markup_mode="rich",
    add_completion=False,
)


@app.callback()
def _run() -> None:
    """Run a benchmark: ours, a plugin's, or module:Class.

    Each has its own --help.

    [bold]Examples[/bold]

      teach-agents run tatc --help

      teach-agents run tatc --data teach --split valid_seen --agent commander=lm --workers 2 --out runs/mine

      teach-agents run mypackage.worlds:MyBenchmark --agent scout=random --out runs/mine
    """
