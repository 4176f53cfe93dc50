"""The HTML page of a fidelity run: one file, no network, pictures of misses included."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from teach_agents.benchmarks.fidelity.rows import ClickRow, MoveRow, SessionRows
from teach_agents.benchmarks.fidelity.summary import Measured
from teach_agents.benchmarks.fidelity.worst import click_class, move_class
from teach_agents.core.benchmark.reporting.page import template
from teach_agents.core.benchmark.reporting.parts import pictures_of
from teach_agents.core.json_types import JsonMapping, JsonObject

_CLASSES = 16
_PICTURES = 4


def write_report(folder: Path, figures: JsonMapping, sessions: Sequence[Measured]) -> Path:
    """Write `report.html` into the run's folder, from its figures and the pictures below it; returns its path."""
    shown = template(
        "teach_agents.benchmarks.fidelity",
        "fidelity.html.j2",
        percent=lambda one: "–" if one["value"] is None else f"{100 * one['value']:.2f}",
        interval=lambda one: " – ".join(f"{100 * bound:.2f}" for bound in one["ci"]),
    )
    rows = [one.rows for one in sessions if one.rows is not None]
    clicks = ((session, row, click_class(row)) for session in rows for row in session.aided.clicks)
    moves = ((session, row, move_class(row)) for session in rows for row in session.aided.moves)
    page = shown.render(
        figures=figures,
        galleries={
            "clicks": _gallery(folder, figures["worst"]["clicks"], clicks),
            "moves": _gallery(folder, figures["worst"]["moves"], moves),
        },
    )
    path = folder / "report.html"
    path.write_text(page, encoding="utf8")
    return path


def _gallery(
    folder: Path, worst: Sequence[JsonMapping], rows: Iterable[tuple[SessionRows, ClickRow | MoveRow, str]]
) -> list[JsonObject]:
    """The worst classes of misses, each with a few pictures from as many places as possible; rows have their class."""
    pictured: dict[str, list[tuple[str, Path]]] = {}
    for session, row, name in rows:
        if row.picture:
            caption = f"{session.game_id}:{row.index}, {session.room}"
            pictured.setdefault(name, []).append((caption, folder / "pictures" / row.picture))
    shown = []
    for one in worst[:_CLASSES]:
        found = pictured.get(one["class"], [])
        spread = found[:: max(1, len(found) // _PICTURES)][:_PICTURES]
        shown.append({**one, "pictures": pictures_of(spread)})
    return shown
