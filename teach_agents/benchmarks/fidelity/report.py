"""The HTML page of a fidelity run: one file, no network, pictures of misses included."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from teach_agents.benchmarks.fidelity.rows import ClickRow, MoveRow, SessionRows
from teach_agents.benchmarks.fidelity.summary import Measured
from teach_agents.benchmarks.fidelity.worst import click_class, move_class
from teach_agents.core.benchmark.reporting.parts import pictures_of
from teach_agents.core.json_types import JsonMapping, JsonObject

_CLASSES = 16
_PICTURES = 4


def write_report(folder: Path, figures: JsonMapping, sessions: Sequence[Measured]) -> Path:
    """Write `report.html` into the run's folder, from its figures and the pictures below it; returns its path."""
    environment = Environment(
        loader=PackageLoader("teach_agents.benchmarks.fidelity"),
        autoescape=select_autoescape(default=True, default_for_string=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["percent"] = _percent
    environment.filters["interval"] = _interval
    rows = [one.rows for one in sessions if one.rows is not None]
    page = environment.get_template("fidelity.html.j2").render(
        figures=figures,
        galleries={
            "clicks": _gallery(folder, figures["worst"]["clicks"], _clicks(rows)),
            "moves": _gallery(folder, figures["worst"]["moves"], _moves(rows)),
        },
    )
    path = folder / "report.html"
    path.write_text(page, encoding="utf8")
    return path


def _percent(figure: JsonMapping) -> str:
    return "–" if figure["value"] is None else f"{100 * figure['value']:.2f}"


def _interval(figure: JsonMapping) -> str:
    return " – ".join(f"{100 * bound:.2f}" for bound in figure["ci"])


def _gallery(
    folder: Path, worst: Sequence[JsonMapping], pictured: Mapping[str, Sequence[tuple[str, str]]]
) -> list[JsonObject]:
    """The worst classes of misses, each with a few pictures."""
    shown = []
    for one in worst[:_CLASSES]:
        files = ((caption, folder / "pictures" / name) for caption, name in _spread(pictured.get(one["class"], ())))
        shown.append({**one, "pictures": pictures_of(files)})
    return shown


def _spread(pictured: Sequence[tuple[str, str]]) -> Sequence[tuple[str, str]]:
    """A few pictures from as many places in the list as possible."""
    step = max(1, len(pictured) // _PICTURES)
    return pictured[::step][:_PICTURES]


def _clicks(sessions: Sequence[SessionRows]) -> dict[str, list[tuple[str, str]]]:
    return _by_class((session, row, click_class(row)) for session in sessions for row in session.aided.clicks)


def _moves(sessions: Sequence[SessionRows]) -> dict[str, list[tuple[str, str]]]:
    return _by_class((session, row, move_class(row)) for session in sessions for row in session.aided.moves)


def _by_class(rows: Iterator[tuple[SessionRows, ClickRow | MoveRow, str]]) -> dict[str, list[tuple[str, str]]]:
    """Captions and files of all pictures, by class of miss."""
    found: dict[str, list[tuple[str, str]]] = {}
    for session, row, name in rows:
        if row.picture:
            found.setdefault(name, []).append((f"{session.game_id}:{row.index}, {session.room}", row.picture))
    return found
