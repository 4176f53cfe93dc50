"""`teach-agents tasks`: list and explain task definitions, and judge recorded games by them."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Argument, Option

from teach_agents.cli.tables import table_of

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text
    from rich.tree import Tree

    from teach_agents.data import Game
    from teach_agents.tasks import Progress, TaskLibrary
    from teach_agents.tasks.definitions import AtomicComponent, Definition, Relation
    from teach_agents.tasks.substitution import ResolvedTask


app = typer.Typer(help="List and explain tasks; judge recorded games.", no_args_is_help=True)

_MANY = 20
"""From this many games on, a progress bar is shown."""

Definitions = Annotated[
    list[Path] | None,
    Option(
        "--definitions",
        help="Task definition files or folders to use instead of those installed (the 25 that ship, and plugins').",
    ),
]


@app.command("list")
def list_tasks(definitions: Definitions = None) -> None:
    """List the tasks: number, name, parameters, what is to be done."""
    from rich.console import Console

    library = _library(definitions)
    found = map(library.definition, library.names)
    rows = ((str(one.task_id), _text(one.name), str(one.nparams), _text(one.desc)) for one in found)
    Console().print(table_of(("id", "task", "parameters", "what is to be done"), rows))


@app.command()
def show(
    name: Annotated[str, Argument(help="The task's name, for example 'Clean X'.")],
    params: Annotated[list[str] | None, Argument(help="Its parameters, to see them in place.")] = None,
    definitions: Definitions = None,
) -> None:
    """Explain one task: its parameters, and what has to be true for it to be done."""
    from rich.console import Console

    library = _library(definitions)
    definition = library.definition(name)
    resolved = library.task(name, params).resolved if params else None
    console = Console()
    console.print(f"{definition.task_id} {name}", style="bold", markup=False)
    console.print(resolved.desc if resolved else definition.desc, markup=False)
    if definition.nparams:
        console.print(_parameter_table(library, definition, params or []))
    console.print(_resolved_tree(resolved, name) if resolved else _definition_tree(definition))


@app.command()
def check(
    games: Annotated[list[Path], Argument(help="Game files, or folders of them.")],
    as_json: Annotated[bool, Option("--json", help="One JSON line per game and state.")] = False,
    definitions: Definitions = None,
) -> None:
    """Judge the initial and the final state of recorded games.

    A game that cannot be read or judged is named on stderr; the others are judged all the same, and the exit status
    is 1.
    """
    library = _library(definitions)
    files, failures = _files(games)
    for path in _with_progress_bar(files):
        failures += not _check_file(path, library, as_json)
    if failures:
        raise typer.Exit(1)


def _library(definitions: list[Path] | None) -> TaskLibrary:
    from teach_agents.installed import installed_tasks
    from teach_agents.tasks import TaskLibrary

    return TaskLibrary.load(definitions) if definitions else installed_tasks()


def _files(games: Sequence[Path]) -> tuple[list[Path], int]:
    """The game files named, and how many of the arguments name none."""
    from teach_agents.data import game_files
    from teach_agents.errors import GameFileError

    files: list[Path] = []
    failures = 0
    for path in games:
        try:
            files += game_files(path)
        except GameFileError as error:
            failures += 1
            typer.echo(f"teach-agents: {error}", err=True)
    return list(dict.fromkeys(files)), failures


def _check_file(path: Path, library: TaskLibrary, as_json: bool) -> bool:
    """Judge one game and print what was found; false when it could not be judged."""
    from teach_agents.data import read_game
    from teach_agents.errors import TeachAgentsError
    from teach_agents.session.format import counts_of

    try:
        game = read_game(path)
        judged = _judge(game, library)
    except (TeachAgentsError, KeyError, TypeError) as error:
        typer.echo(f"teach-agents: {_named(path, error)}", err=True)
        return False
    for state, progress in judged.items():
        row = {"game_id": game.game_id, "state": state, **counts_of(progress)}
        typer.echo(json.dumps(row) if as_json else _text_line(game, state, progress))
    return True


def _named(path: Path, error: Exception) -> str:
    """The error with its file; properties of a type that nobody writes are told as what they are."""
    from teach_agents.errors import GameFileError

    if isinstance(error, KeyError | TypeError):
        return f"{path}: an object has a property that cannot be judged ({type(error).__name__}: {error})"
    return str(error) if isinstance(error, GameFileError) else f"{path}: {error}"


def _judge(game: Game, library: TaskLibrary) -> dict[str, Progress]:
    """Progress per state. `custom_object_metadata` describes the end only and is left out (register entry Q1)."""
    task = library.task(game.task.task_name, game.task.task_params)
    episode = game.episode
    return {
        "initial": task.check(episode.initial_state.objects),
        "final": task.check(episode.final_state.objects),
    }


def _text_line(game: Game, state: str, progress: Progress) -> str:
    task = " ".join([game.task.task_name, *map(repr, game.task.task_params)])
    mark = "done" if progress.success else "open"
    counts = f"{progress.goal_conditions_satisfied}/{progress.goal_conditions_total}"
    lines = [f"{game.game_id}  {state:7}  {mark}  {counts:>7}  {task}"]
    if state == "final" and not progress.success:
        open_steps = [step for subgoal in progress.subgoals for step in subgoal.steps if not step.success]
        lines += [f"    {step.object_id}: {step.desc}" for step in open_steps]
    return "\n".join(lines)


def _with_progress_bar(files: Sequence[Path]) -> Iterator[Path]:
    """The files one by one, with a bar on stderr when there are many and a person is looking."""
    from rich.console import Console
    from rich.progress import Progress as Bar

    console = Console(stderr=True)
    if len(files) < _MANY or not console.is_terminal:
        yield from files
        return
    with Bar(console=console, redirect_stdout=sys.stdout.isatty(), transient=True) as bar:
        yield from bar.track(files, description="games")


def _parameter_table(library: TaskLibrary, definition: Definition, params: Sequence[str]) -> Table:
    rows = (
        (
            f"#{index}",
            kind.value,
            *map(_text, (definition.param_notes.get(f"#{index}", ""), *params[index : index + 1])),
        )
        for index, kind in enumerate(library.parameter_kinds(definition.name))
    )
    return table_of(("parameter", "is", "meaning", *(["value"] if params else [])), rows)


def _definition_tree(definition: Definition) -> Tree:
    """A task as written, its parameters as #n."""
    from teach_agents.tasks.definitions import TaskComponent

    tree = _tree("done when")
    for key, component in definition.components.items():
        if isinstance(component, TaskComponent):
            arguments = ", ".join(component.task_params)
            tree.add(_text(f"{key}: {component.determiner} x task {component.task_name!r} ({arguments})"))
        else:
            tree.add(_text(_atomic_line(key, component)))
    _add_relations(tree, definition.relations)
    return tree


def _resolved_tree(task: ResolvedTask, label: str) -> Tree:
    """A task with its parameters in place and its sub-tasks unfolded, in the order in which they are checked."""
    from teach_agents.tasks.substitution import ResolvedComponent

    tree = _tree(label)
    for key, component in task.components:
        if component.determiner == "0":
            continue
        if isinstance(component, ResolvedComponent):
            tree.add(_resolved_tree(component.task, f"{key}: {component.determiner} x task {component.task.name!r}"))
        else:
            tree.add(_text(_atomic_line(key, component)))
    _add_relations(tree, task.relations)
    return tree


def _add_relations(tree: Tree, relations: Sequence[Relation]) -> None:
    for relation in relations:
        heads = ", ".join(f"{head.determiner} {head.entity}" for head in relation.heads if head.determiner != "0")
        line = f"{relation.property}: {heads or 'nothing'} in {relation.tail_determiner} {relation.tail}"
        tree.add(_text(f"{line} ({relation.failure_desc})"))


def _atomic_line(key: str, component: AtomicComponent) -> str:
    wanted = ", ".join(f"{name} = {value}" for name, value in component.conditions.items())
    shared = ", one serves all" if component.shareable else ""
    return f"{key}: {component.determiner} object(s) with {wanted}{shared}"


def _tree(label: str) -> Tree:
    from rich.tree import Tree

    return Tree(_text(label))


def _text(line: str) -> Text:
    """A line in which square brackets are just that."""
    from rich.text import Text

    return Text(line)
