"""`report.html`: one file without anything outside it, from the folder of a run of any benchmark."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from teach_agents.core.benchmark.folder import storing, write_atomically
from teach_agents.core.benchmark.reporting.parts import Card, Table
from teach_agents.core.benchmark.stored import read_run

_CARDS = 2000
_THOUGHTS = 8_000_000
"""Characters of thoughts in one report."""
_REASONS = 25


def write_report(folder: Path) -> Path:
    """Write `report.html` into the folder of a run, from what is in it, and return its path.

    The figures are counted from the run's lines, finished or not. Raises `InputError` for a folder that holds no run
    and `TeachAgentsError` where it cannot be written.
    """
    run = read_run(folder)
    report = run.kind.report(run)
    page = _template().render(
        report=report,
        version=version("teach-agents"),
        complete=len(run.lines) == len(run.asked),
        total=len(report.cards),
        cards=list(sized(sorted(report.cards, key=_interest)[:_CARDS])),
        states=Counter(card.state for card in report.cards).most_common(),
        groups=sorted({card.title for card in report.cards}),
        reasons=[table for table in (*reasons_of(report.cards), *report.reasons) if table.rows],
    )
    with storing(folder):
        write_atomically(folder / "report.html", page)
    return folder / "report.html"


def _template() -> Any:
    environment = Environment(
        loader=PackageLoader("teach_agents.core.benchmark.reporting"),
        autoescape=select_autoescape(default=True, default_for_string=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("report.html.j2")


def _interest(card: Card) -> tuple[bool, bool]:
    """Episodes with pictures come first, then failures; else the list's order holds."""
    return not card.pictures, card.state == "success"


def sized(cards: Iterable[Card]) -> Iterator[Card]:
    """The cards, the first with their thoughts, as many as a page can bear."""
    left = _THOUGHTS
    for card in cards:
        left -= card.thoughts_size
        yield card if left >= 0 or not card.thoughts_size else card.without_thoughts()


def reasons_of(cards: Sequence[Card]) -> list[Table]:
    """Why instances failed: what was left undone, what broke down, what was refused."""
    failed = [card for card in cards if card.state != "success"]
    undone = Counter(words for card in failed for words in card.unmet)
    broken = Counter(_last_line(card) for card in failed if card.state != "failure")
    refused = Counter(f"{action}: {message}" for card in cards for action, message in card.refused)
    return [
        counted("What failed instances left undone", ("condition", "instances"), undone.items()),
        counted("What broke down", ("reason", "instances"), broken.items()),
        counted("What was refused", ("action and message", "times"), refused.items()),
    ]


def _last_line(card: Card) -> str:
    lines = card.reason.strip().splitlines()
    return f"{card.state.replace('_', ' ')}: {lines[-1] if lines else 'no reason is known'}"


def counted(title: str, columns: tuple[str, ...], counts: Iterable[tuple[str, int]]) -> Table:
    """What there is most of, with how much of it."""
    found = sorted(counts, key=lambda pair: (-pair[1], pair[0]))
    rows = tuple((words, str(count)) for words, count in found[:_REASONS])
    note = f"The {_REASONS} most frequent of {len(found)}." if len(found) > _REASONS else ""
    return Table(title, columns, rows, note=note)
