"""The report on a run of a benchmark that has none of its own, and the table that its command ends with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from teach_agents.core.benchmark.outcomes import Outcome, Status
from teach_agents.core.benchmark.playing import Step, read_steps
from teach_agents.core.benchmark.reporting.parts import (
    Bar,
    Bars,
    Card,
    Headline,
    Report,
    Scene,
    Table,
    alike,
    ends_plot,
    environment_facts,
    interval,
    listed,
    percent,
    state_of,
    wall_time,
)
from teach_agents.core.benchmark.reporting.thoughts import told
from teach_agents.core.benchmark.stored import StoredRun
from teach_agents.core.errors import TeachAgentsError


def figures_table(title: str, summary: Mapping[str, Any]) -> Table:
    """Success and scores of each group and of all."""
    parts = [(name, row) for found in summary["by_group"].values() for name, row in found.items()]
    return _table(title, "group", parts, summary)


def report_on(run: StoredRun) -> Report:
    """Figures by group and by cluster, why instances failed, what was said and done, and what it all is of."""
    outcomes: Sequence[Outcome] = run.outcomes
    kind, summary = run.kind, run.kind.summary(run)
    cards = [_card(run, one) for one in outcomes]
    cluster = kind.cluster_name
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
        plots=[*_plots(summary), ends_plot(Counter(card.end for card in cards))],
        tables=[table for table in tables if table.rows],
        first_seat=next(iter(run.settings["agents"]), ""),
    )


def _table(title: str, of: str, rows: Sequence[tuple[str, Mapping[str, Any]]], whole: Mapping[str, Any]) -> Table:
    names = list(whole["scores"])
    cells = tuple((name, *_cells(row, names)) for name, row in rows)
    columns = (of, "n", "success", "95 % interval", *names, "mean turns")
    return Table(title, columns, cells, ("all", *_cells(whole, names)), note=f"Intervals: {whole['interval_rule']}.")


def _cells(row: Mapping[str, Any], names: Sequence[str]) -> tuple[str, ...]:
    scores = (f"{row['scores'][name]['mean']:.3f}" if name in row["scores"] else "–" for name in names)
    rate = percent(row["success_rate"]), interval(row["success_rate_ci"])
    return str(row["n"]), *rate, *scores, f"{row['mean_turns']:.1f}"


def _headlines(summary: Mapping[str, Any]) -> list[Headline]:
    made = [Headline(percent(summary["success_rate"]), "success rate", interval(summary["success_rate_ci"]))]
    for name, found in summary["scores"].items():
        bounds = " – ".join(f"{bound:.3f}" for bound in found["ci"])
        made.append(Headline(f"{found['mean']:.3f}", name.replace("_", " "), bounds))
    counts = " / ".join(str(summary["status"][name]) for name in ("crashed", "timed_out", "missing"))
    return [*made, Headline(counts, "crashed / timed out / missing")]


def _plots(summary: Mapping[str, Any]) -> Iterator[Bars]:
    for kind, rows in summary["by_group"].items():
        bars = []
        for name, row in rows.items():
            low, high = row["success_rate_ci"] or (None, None)
            rate = row["success_rate"] or 0.0
            bars.append(Bar(f"{name} ({row['n']})", rate, f"{100 * rate:.0f} %", low, high))
        yield Bars(f"Success by {kind}", tuple(bars), in_percent=True)


def _facts(run: StoredRun, summary: Mapping[str, Any]) -> list[tuple[str, str]]:
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
        scenes=tuple(_scenes(steps)),
        refused=tuple((step.name, step.message) for step in steps if not step.success),
        problem=problem,
    )


def _scenes(steps: Sequence[Step]) -> Iterator[Scene]:
    """Words and deeds in the order in which they came about."""
    for (seat, words), some in groupby(steps, lambda step: (step.seat, step.said)):
        group = list(some)
        if words is None:
            deeds = alike(group, lambda step: (step.words, step.success, "" if step.success else step.message))
            yield Scene(seat, deeds=deeds, thoughts=told(group))
        else:
            yield from (Scene(seat, words, thoughts=told([step])) for step in group)
