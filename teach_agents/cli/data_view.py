"""How `teach-agents data` looks: tables, text histograms, a session's timeline, progress bars."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import groupby
from operator import attrgetter
from pathlib import Path

from rich.columns import Columns
from rich.console import Console
from rich.markup import escape
from rich.panel import Panel
from rich.progress import BarColumn, DownloadColumn, TextColumn, TimeRemainingColumn, TransferSpeedColumn, track
from rich.progress import Progress as Bars
from rich.table import Table

from teach_agents.actions import Role
from teach_agents.cli.tables import table_of
from teach_agents.data.download import Progress
from teach_agents.data.games import Game
from teach_agents.data.interactions import Interaction, Keyboard, MapGoal, Motion, ObjectInteraction, ProgressCheck
from teach_agents.data.stats import (
    PUBLISHED_MEANS,
    PUBLISHED_SESSIONS,
    PUBLISHED_TASKS,
    SPLITS,
    Distribution,
    Summary,
)

_COLOURS = {Role.COMMANDER: "cyan", Role.FOLLOWER: "green"}
_BAR = 30


@contextmanager
def byte_progress(name: str) -> Iterator[Progress]:
    """A bar on stderr for an archive's stages; silent where stderr is no terminal."""
    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
    )
    with Bars(*columns, console=console, disable=not console.is_terminal, transient=True) as bars:
        tasks = {stage: bars.add_task(f"{stage} {name}", visible=False) for stage in ("download", "check", "extract")}

        def tell(stage: str, done: int, total: int) -> None:
            bars.update(tasks[stage], completed=done, total=total, visible=True)

        yield tell


def counted(paths: Sequence[Path], what: str) -> Iterable[Path]:
    """The paths, with a bar on stderr; silent where stderr is no terminal."""
    console = Console(stderr=True)
    return track(paths, what, console=console, disable=not console.is_terminal, transient=True)


def show_summary(summary: Summary) -> None:
    """Print all tables and histograms."""
    console = Console()
    console.print(_tasks_table(summary))
    console.print(_means_table(summary))
    console.print(_by_task_table(summary))
    for title, width, bins, of in (
        ("Utterances per session", 2, 14, summary.utterances),
        ("Tokens per utterance", 2, 14, summary.tokens),
        ("Actions per session", 20, 16, summary.actions),
    ):
        panels = [_histogram(f"{title}, {role}", of(role), width, bins, _COLOURS[role]) for role in Role]
        console.print(Columns(panels))
    for title, width in (("Utterances", 4), ("Actions", 40)):
        per = attrgetter(title.lower())
        console.print(_histogram(f"{title} per session, both roles", summary.both(per), width, 10, "magenta"))
        panels = [_histogram(f"{title}: {task}", summary.both(per, task), width, 10, "blue") for task in summary.tasks]
        console.print(Columns(panels))
    acts = ((escape(act), f"{count:,}") for act, count in summary.dialogue_acts().most_common())
    console.print(table_of(("act", "labels"), acts, 1, title="Dialogue acts"))


def _tasks_table(summary: Summary) -> Table:
    public = SPLITS[:3]
    splits = tuple(dict.fromkeys((*public, *summary.splits)))
    table = Table(title="Sessions per task and split (in brackets: released publicly)", show_footer=True)
    table.add_column("task", footer="all")
    for split in splits:
        table.add_column(split, f"{summary.count(split=split):,}{_beside_all(split)}", justify="right")
    table.add_column("all", f"{len(summary.sessions):,}", justify="right")
    for task in dict.fromkeys((*PUBLISHED_TASKS, *summary.tasks)):
        released = dict(zip(public, PUBLISHED_TASKS.get(task, (0, 0, 0)), strict=True))
        cells = [
            f"{summary.count(task, split)}" + (f" ({released[split]})" if split in released else "") for split in splits
        ]
        table.add_row(escape(task), *cells, str(summary.count(task)))
    return table


def _beside_all(split: str) -> str:
    """The published total of a split, as released and, where it differs, as the paper says."""
    paper = PUBLISHED_SESSIONS.get(split)
    if paper is None:
        return ""
    if split not in SPLITS[:3]:
        return f" (paper {paper})"
    released = sum(counts[SPLITS.index(split)] for counts in PUBLISHED_TASKS.values())
    return f" ({released})" if released == paper else f" ({released}; paper {paper})"


def _means_table(summary: Summary) -> Table:
    rows = []
    for name, words, of in (
        ("utterances", "utterances per session", summary.utterances),
        ("tokens", "tokens per utterance", summary.tokens),
        ("actions", "actions per session, utterances included", summary.actions),
    ):
        for role in Role:
            found, paper = of(role), PUBLISHED_MEANS.get((name, role))
            shown = "" if paper is None else f"{paper:.2f}"
            rows.append((words, str(role), f"{found.total:,}", f"{found.mean:.2f}", f"{found.median:g}", shown))
    title = "Averages (the paper's are over all splits, with its own tokenizer)"
    return table_of(("", "role", "number", "mean", "median", "paper's mean"), rows, 2, title=title)


def _by_task_table(summary: Summary) -> Table:
    table = Table(title="Means per task: utterances, tokens per utterance, actions")
    table.add_column("task")
    measures = (("utt.", summary.utterances), ("tokens", summary.tokens), ("actions", summary.actions))
    for name, _ in measures:
        for role in Role:
            table.add_column(f"{name}\n{role}", justify="right", style=_COLOURS[role])
    for task in summary.tasks:
        table.add_row(escape(task), *(f"{of(role, task).mean:.2f}" for _, of in measures for role in Role))
    return table


def _histogram(title: str, found: Distribution, width: int, bins: int, colour: str) -> Panel:
    rows = found.bins(width, bins)
    most = max((count for _, count in rows), default=0) or 1
    label = max(len(name) for name, _ in rows)
    lines = [
        f"{name:>{label}} [{colour}]{'█' * round(_BAR * count / most):<{_BAR}}[/{colour}] {count:>6,}"
        for name, count in rows
    ]
    return Panel("\n".join(lines), title=escape(title), subtitle=f"mean {found.mean:.2f}, n {found.n:,}", expand=False)


def show_game(game: Game, *, every_step: bool = False) -> None:
    """Print a session's head and its timeline."""
    console = Console()
    episode, task = game.episode, game.task
    parameters = f" ({', '.join(task.task_params)})" if task.task_params else ""
    kind = f", {episode.room_kind}" if episode.room_kind else ""
    head = (
        f"{escape(task.task_name + parameters)}: {escape(task.desc)}\n"
        f"{escape(episode.room)}{kind}; {len(episode.interactions)} interactions in "
        f"{_clock(episode.final_state.time_start)}; recorded {escape(game.comments)}"
    )
    console.print(Panel(head, title=f"session {escape(game.game_id)}", expand=False))
    table = Table(show_edge=False, pad_edge=False)
    table.add_column("time", justify="right", style="dim")
    table.add_column("role")
    table.add_column("what")
    for time, role, words in _timeline(episode.interactions, every_step):
        table.add_row(_clock(time), f"[{_COLOURS[role]}]{role}[/{_COLOURS[role]}]", words)
    console.print(table)


def _timeline(interactions: Sequence[Interaction], every_step: bool) -> Iterator[tuple[float, Role, str]]:
    """When, who, what: a row an interaction; one for motions of a role that follow each other, unless `every_step`."""
    numbered = enumerate(interactions)

    def walk(item: tuple[int, Interaction]) -> object:
        index, one = item
        return one.role if isinstance(one, Motion) and not every_step else index

    for _, group in groupby(numbered, key=walk):
        together = [one for _, one in group]
        first = together[0]
        yield first.time_start, first.role, _walk(together) if isinstance(first, Motion) else _words(first)


def _walk(motions: Sequence[Interaction]) -> str:
    parts = []
    for (name, success), group in groupby(motions, key=attrgetter("action", "success")):
        count = len(list(group))
        parts.append(name + (f" x{count}" if count > 1 else "") + (_FAILED if success is False else ""))
    return f"[dim]{', '.join(parts)}[/dim]"


_FAILED = " [red]failed[/red]"


def _words(one: Interaction) -> str:
    failed = one.success is False and one.action != "OpenProgressCheck"
    return f"{_done(one)}{_FAILED if failed else ''}"


def _done(one: Interaction) -> str:
    match one:
        case ObjectInteraction():
            what = f" {escape(one.object_id)}" if one.object_id else ""
            return f"[bold]{one.action}[/bold]{what} [dim]at {one.x:.3f}, {one.y:.3f}[/dim]"
        case ProgressCheck(action="OpenProgressCheck"):
            return f"opens the progress check: {'complete' if one.success else 'not complete'}"
        case ProgressCheck():
            return f"{one.action} {escape(repr(one.query))}"
        case Keyboard():
            return f"[bold]“{escape(one.utterance)}”[/bold]"
        case MapGoal():
            return f"Navigation [dim]on the map to {one.end_x:.3f}, {one.end_y:.3f}[/dim]"
        case _:
            return one.action


def _clock(seconds: float) -> str:
    minutes, rest = divmod(max(0.0, seconds), 60.0)
    return f"{int(minutes)}:{rest:04.1f}"
