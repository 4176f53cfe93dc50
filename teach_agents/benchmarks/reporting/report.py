"""The report on a run of any of TEACh's benchmarks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from teach_agents.benchmarks.filmstrip import pictures_in
from teach_agents.benchmarks.reporting.cards import card_of
from teach_agents.benchmarks.reporting.plots import goals_plot, steps_plot, tasks_plot
from teach_agents.benchmarks.reporting.tables import facts, headlines, room_table, task_table
from teach_agents.core.benchmark.reporting.parts import Report, Table, ends_plot
from teach_agents.core.benchmark.stored import StoredRun


def report_on(run: StoredRun, *, reasons: Sequence[Table] = ()) -> Report:
    """What is shown of a run; `reasons` besides those that any report has."""
    outcomes, pictures, summary = run.outcomes, pictures_in(run.folder), run.kind.summary(run)
    cards = [card_of(run, one, pictures.get(one.instance_id, ())) for one in outcomes]
    return Report(
        title=f"{run.kind.title}: {' and '.join(str(run.settings[seat]) for seat in run.kind.agents)}",
        headlines=headlines(run, summary),
        facts=facts(run, summary),
        cards=cards,
        plots=[tasks_plot(summary), ends_plot(Counter(card.end for card in cards))],
        histograms=[goals_plot(run, outcomes), steps_plot(outcomes)],
        tables=[task_table(run, summary), room_table(run, outcomes)],
        reasons=reasons,
        group="task",
        first_seat="commander",
    )
