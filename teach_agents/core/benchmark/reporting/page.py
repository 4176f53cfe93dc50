"""`report.html`: one file without anything outside it, from the folder of a run of any benchmark."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from teach_agents.core.agents.thoughts import readings
from teach_agents.core.benchmark.folder import storing, write_atomically
from teach_agents.core.benchmark.outcomes import Outcome, Status
from teach_agents.core.benchmark.playing import Step, read_steps
from teach_agents.core.benchmark.reporting.parts import (
    Card,
    Headline,
    Report,
    Table,
    broken_down,
    ends_plot,
    environment_facts,
    interval,
    listed,
    percent,
    rates_plot,
    scenes,
    state_of,
    talk_fact,
    wall_time,
)
from teach_agents.core.benchmark.stored import StoredRun, read_run
from teach_agents.core.errors import TeachAgentsError
from teach_agents.core.json_types import JsonMapping

_CARDS = 2000
_THOUGHTS = 8_000_000
"""Characters of thoughts in one report."""
_REASONS = 25
_IN_ORDER = ("success", "done")
"""States of cards that come last, behind failures; those with pictures are the first."""


def write_report(folder: Path) -> Path:
    """Write `report.html` into the folder of a run, from what is in it, and return its path.

    The figures are counted from the run's lines, finished or not. Raises `InputError` for a folder that holds no run
    and `TeachAgentsError` where it cannot be written.
    """
    run = read_run(folder)
    report = run.kind.report(run)
    cards = sorted(report.cards, key=lambda card: (not card.pictures, card.state in _IN_ORDER))
    page = template("teach_agents.core.benchmark.reporting", "report.html.j2").render(
        report=report,
        version=version("teach-agents"),
        complete=len(run.lines) == len(run.asked),
        total=len(report.cards),
        cards=list(sized(cards[:_CARDS])),
        states=Counter(card.state for card in report.cards).most_common(),
        groups=sorted({card.title for card in report.cards}),
        reasons=[table for table in (*reasons_of(report.cards), *report.reasons) if table.rows],
    )
    with storing(folder):
        write_atomically(folder / "report.html", page)
    return folder / "report.html"


def template(package: str, name: str, **filters: Any) -> Any:
    """A template of a package, with filters of its own."""
    environment = Environment(
        loader=PackageLoader(package),
        autoescape=select_autoescape(default=True, default_for_string=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(filters)
    return environment.get_template(name)


def sized(cards: Iterable[Card]) -> Iterator[Card]:
    """The cards, the first with their thoughts, as many as a page can bear."""
    left = _THOUGHTS
    for card in cards:
        left -= card.thoughts_size
        yield card if left >= 0 or not card.thoughts_size else card.without_thoughts()


def reasons_of(cards: Sequence[Card]) -> list[Table]:
    """Why instances failed: what was left undone, what broke down, what was refused."""
    failed = [card for card in cards if card.state not in _IN_ORDER]
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
    return Table(
        title, columns, rows, note=f"The {_REASONS} most frequent of {len(found)}." if len(found) > _REASONS else ""
    )


def figures_table(title: str, summary: JsonMapping) -> Table:
    """Success and scores of each group and of all."""
    groups = summary["by_group"]
    rows = [(kind, name, row) for kind, found in groups.items() for name, row in found.items()]
    one_kind = len(groups) == 1
    return _table(title, "group", [(name if one_kind else f"{kind} {name}", row) for kind, name, row in rows], summary)


def report_on(run: StoredRun) -> Report:
    """Figures by group and by cluster, why instances failed, what was said and done, and what it all is of."""
    outcomes: Sequence[Outcome] = run.outcomes
    kind, summary = run.kind, run.kind.summary(run)
    cards = [_card(run, one) for one in outcomes]
    cluster, judged = kind.cluster_name, "success_rate" in summary
    plots = [rates_plot(f"Success by {name}", rows) for name, rows in summary["by_group"].items() if judged]
    tables = [
        *(_table(f"By {name}", name, list(rows.items()), summary) for name, rows in summary["by_group"].items()),
        _table(f"By {cluster}", cluster, list(summary["by_cluster"].items()), summary),
    ]
    who = " and ".join(f"{seat} {spec}" for seat, spec in run.settings["agents"].items())
    return Report(
        title=": ".join(filter(None, (kind.title or kind.name, who))),
        headlines=_headlines(summary),
        facts=_facts(run, summary),
        cards=cards,
        plots=[*plots, ends_plot(cards)],
        tables=[table for table in tables if table.rows],
        first_seat=next(iter(run.settings["agents"]), ""),
    )


def _table(title: str, of: str, rows: Sequence[tuple[str, JsonMapping]], whole: JsonMapping) -> Table:
    names = list(whole["scores"])
    rates = ("success", "95 % interval") if "success_rate" in whole else ()

    def cells(name: str, row: JsonMapping) -> tuple[str, ...]:
        rate = (percent(row["success_rate"]), interval(row["success_rate_ci"])) if rates else ()
        scores = (f"{row['scores'][name]['mean']:.3f}" if name in row["scores"] else "–" for name in names)
        return name, str(row["n"]), *rate, *scores, f"{row['mean_turns']:.1f}"

    columns = (of, "n", *rates, *names, "mean turns")
    found = tuple(cells(*row) for row in rows)
    return Table(title, columns, found, cells("all", whole), note=f"Intervals: {whole['interval_rule']}.")


def _headlines(summary: JsonMapping) -> list[Headline]:
    made = []
    if "success_rate" in summary:
        made.append(Headline(percent(summary["success_rate"]), "success rate", interval(summary["success_rate_ci"])))
    for name, found in summary["scores"].items():
        bounds = " – ".join(f"{bound:.3f}" for bound in found["ci"])
        made.append(Headline(f"{found['mean']:.3f}", name.replace("_", " "), bounds))
    return [*made, broken_down(summary["status"])]


def _facts(run: StoredRun, summary: JsonMapping) -> list[tuple[str, str]]:
    """What the figures are of: world, agents, settings, privileges, provenance, versions."""
    told = [
        ("World", listed(summary["world"] or "none of its own")),
        ("Agents", listed(run.settings["agents"]) or "the benchmark's own"),
        ("Privileges", listed(summary["privileges"] or {}) or "none"),
        ("Models and prompts", listed(summary["provenance"]) or "none"),
        ("Dialogue hooks", listed(run.settings.get("hooks", ()))),
        ("Strangers spoke into", listed(summary["marked"])),
        ("Seed", str(run.settings["seed"])),
        ("Options", listed(run.settings["options"])),
        ("Intervals", summary["interval_rule"]),
        ("Costs", listed({seat: {k: v for k, v in of.items() if v} for seat, of in summary["costs"].items()})),
        talk_fact(summary["costs"]),
        ("Wall time", wall_time([Outcome.of_line(line).costs.wall_s for line in run.lines.values()])),
    ]
    return [*((name, words) for name, words in told if words), *environment_facts(run.environments)]


def _card(run: StoredRun, outcome: Outcome) -> Card:
    try:
        steps, problem = read_steps(run, outcome.instance_id), ""
    except TeachAgentsError as error:
        steps, problem = (), str(error)
    scores = [f"{name.replace('_', ' ')} {value:g}" for name, value in outcome.scores.items()]
    figures = scores if outcome.status is Status.DONE else []
    end = outcome.end.replace("_", " ")
    return Card(
        instance_id=outcome.instance_id,
        title=", ".join(outcome.groups.values()) or outcome.cluster or "instance",
        state=state_of(outcome),
        end=end,
        about=tuple(filter(None, (outcome.cluster, outcome.instance_id, f"{outcome.turns} turns", end, *figures))),
        reason=outcome.reason,
        scenes=tuple(
            scenes(steps, lambda step: (step.seat, step.said), _likeness, readings(step.thought for step in steps))
        ),
        refused=tuple((step.name, step.message) for step in steps if not step.success),
        problem=problem,
    )


def _likeness(step: Step) -> tuple[str, bool, str]:
    return step.words, step.success, "" if step.success else step.message
