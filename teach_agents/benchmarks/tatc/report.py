"""The HTML report of a run: one file, no network, pictures and dialogue included."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from teach_agents.benchmarks.folder import write_atomically
from teach_agents.benchmarks.tatc.run import TatcRun

__all__ = ["write_report"]

_SHOWN = 200


def _data_url(path: Path) -> str:
    return "data:image/jpeg;base64," + base64.b64encode(path.read_bytes()).decode("ascii")


def _pictures(folder: Path, instance_id: str) -> list[dict[str, str]]:
    titles = {"overhead_start": "room", "start": "start", "end": "end", "overhead_end": "room at the end"}
    found = []
    for name, title in titles.items():
        path = folder / "pictures" / f"{instance_id}.{name}.jpg"
        if path.exists():
            found.append({"title": title, "url": _data_url(path)})
    return found


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.1f} %"


def _bars(by_task: Mapping[str, Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Rows of the plot: ours with its interval, the paper's pair beside it, in units of the plot's width (0..1)."""
    rows = []
    for number, (name, task) in enumerate(by_task.items()):
        low, high = task["success_rate_ci"] or (0.0, 0.0)
        rows.append(
            {
                "name": name,
                "n": task["n"],
                "y": 34 * number + 12,
                "ours": task["success_rate"] or 0.0,
                "low": low,
                "high": high,
                "paper": task["rule_based_pair_success_rate"],
            }
        )
    return rows


def _cards(run: TatcRun, episodes: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Episodes to show in full: the pictured ones first, then failures, up to a limit."""
    cards = [{**episode, "pictures": _pictures(run.folder, episode["instance_id"])} for episode in episodes]
    cards.sort(key=lambda card: (not card["pictures"], bool(card.get("success"))))
    return cards[:_SHOWN]


def write_report(run: TatcRun, summary: Mapping[str, Any]) -> Path:
    """Write `report.html` into the run's folder and return its path."""
    environment = Environment(
        loader=PackageLoader("teach_agents.benchmarks.tatc"),
        autoescape=select_autoescape(default=True, default_for_string=True),
        undefined=StrictUndefined,
    )
    environment.filters["percent"] = _percent
    episodes = list(run.episodes().values())
    page = environment.get_template("report.html.j2").render(
        summary=summary,
        bars=_bars(summary["by_task"]),
        cards=_cards(run, episodes),
        shown=min(_SHOWN, len(episodes)),
        total=len(episodes),
    )
    path = run.folder / "report.html"
    write_atomically(path, page)
    return path
