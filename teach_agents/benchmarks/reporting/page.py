"""`report.html`: one file without anything outside it, from the folder of a run of any of TEACh's benchmarks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from teach_agents.benchmarks.filmstrip import pictures_in
from teach_agents.benchmarks.reporting.cards import Card, card_of
from teach_agents.benchmarks.reporting.plots import ends_plot, goals_plot, steps_plot, tasks_plot
from teach_agents.benchmarks.reporting.tables import Table, facts, headlines, room_table, task_table
from teach_agents.benchmarks.solo.summary import summary_of as solo_summary
from teach_agents.benchmarks.stored import TATC, StoredRun, read_run
from teach_agents.benchmarks.tatc.rescoring import StoredTatc
from teach_agents.benchmarks.tatc.summary import summary_of as tatc_summary
from teach_agents.core.benchmark.folder import storing, write_atomically

__all__ = ["sized", "write_report"]

_CARDS = 2000
_THOUGHTS = 8_000_000
"""Characters of thoughts in one report."""
_REASONS = 25
_NAMES = {"edh": "EDH", "tfd": "TfD", TATC: "TATC self-play"}


def write_report(folder: Path) -> Path:
    """Write `report.html` into the folder of a run, from what is in it, and return its path.

    The figures are counted from the run's lines, finished or not. Raises `InputError` for a folder that holds no run
    and `TeachAgentsError` where it cannot be written.
    """
    run = read_run(folder)
    outcomes = run.outcomes
    pictures = pictures_in(folder)
    cards = [card_of(run, one, pictures.get(one.instance_id, ())) for one in outcomes]
    page = _template().render(
        title=_title(run),
        complete=len(run.lines) == len(run.asked),
        total=len(outcomes),
        cards=list(sized(sorted(cards, key=_interest)[:_CARDS])),
        states=Counter(card.state for card in cards).most_common(),
        tasks=sorted({one.task_name for one in outcomes}),
        **_figures(run, cards),
    )
    with storing(folder):
        write_atomically(folder / "report.html", page)
    return folder / "report.html"


def _template() -> Any:
    environment = Environment(
        loader=PackageLoader("teach_agents.benchmarks.reporting"),
        autoescape=select_autoescape(default=True, default_for_string=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("report.html.j2")


def _title(run: StoredRun) -> str:
    who = [str(run.settings[role]) for role in ("commander", "follower") if role in run.settings]
    return f"{_NAMES.get(run.benchmark, run.benchmark)}: {' and '.join(who)}"


def _summary(run: StoredRun) -> Mapping[str, Any]:
    if run.benchmark == TATC:
        return tatc_summary(StoredTatc(run, run.lines))
    return solo_summary(run.benchmark, run.settings, run.lines.values(), run.outcomes)


def _figures(run: StoredRun, cards: Sequence[Card]) -> dict[str, Any]:
    """Headlines, plots and tables."""
    outcomes = [card.outcome for card in cards]
    summary = _summary(run)
    return {
        "summary": summary,
        "headlines": headlines(run, summary),
        "facts": facts(run, summary),
        "plots": [tasks_plot(summary), ends_plot(Counter(card.end for card in cards))],
        "histograms": [goals_plot(run, outcomes), steps_plot(outcomes)],
        "tables": [task_table(run, summary), room_table(run, outcomes)],
        "reasons": [table for table in _reasons(summary, cards) if table.rows],
    }


def _interest(card: Card) -> tuple[bool, bool]:
    """Episodes with pictures come first, then failures; else the list's order holds."""
    return not card.pictures, card.state == "success"


def sized(cards: Iterable[Card]) -> Iterator[Card]:
    """The cards, the first with their thoughts, as many as a page can bear."""
    room = _THOUGHTS
    for card in cards:
        room -= card.thoughts_size
        yield card if room >= 0 or not card.thoughts_size else card.without_thoughts()


def _reasons(summary: Mapping[str, Any], cards: Sequence[Card]) -> list[Table]:
    """Why instances failed: what was left undone, what broke down, what the household refused."""
    failed = [card for card in cards if card.state != "success"]
    undone = Counter(words for card in failed for words in card.unmet)
    broken = Counter(_last_line(card) for card in failed if card.state != "failure")
    refused = Counter(pair for card in cards for pair in card.refused)
    rejected = summary.get("rejected_initial_states", {})
    return [
        _counted("What failed instances left undone", ("condition", "instances"), undone.items()),
        _counted("What broke down", ("reason", "instances"), broken.items()),
        _counted(
            "What the household refused",
            ("action and message", "times"),
            ((f"{action}: {message}", count) for (action, message), count in refused.items()),
        ),
        _counted("Generated states that were not solvable", ("reason", "states"), rejected.items()),
    ]


def _last_line(card: Card) -> str:
    lines = card.outcome.reason.strip().splitlines()
    return f"{card.state.replace('_', ' ')}: {lines[-1] if lines else 'no reason is known'}"


def _counted(title: str, columns: tuple[str, ...], counts: Iterable[tuple[str, int]]) -> Table:
    found = sorted(counts, key=lambda pair: (-pair[1], pair[0]))
    rows = tuple((words, str(count)) for words, count in found[:_REASONS])
    note = f"The {_REASONS} most frequent of {len(found)}." if len(found) > _REASONS else ""
    return Table(title, columns, rows, note=note)
