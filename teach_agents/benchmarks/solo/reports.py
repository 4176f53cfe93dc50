"""How EDH and TfD are scored, and how their runs are counted and shown."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from statistics import fmean
from typing import TYPE_CHECKING, Any

from teach_agents.benchmarks.base import TeachBenchmark
from teach_agents.benchmarks.episodes import Episode
from teach_agents.benchmarks.metrics import Outcome, Status, measure
from teach_agents.benchmarks.reporting.tables import closing_table
from teach_agents.benchmarks.solo.judging import unmet_of
from teach_agents.benchmarks.solo.log import episode_of, log_path, read_log
from teach_agents.benchmarks.solo.references import Reference
from teach_agents.benchmarks.solo.summary import summary_of
from teach_agents.core.benchmark.reporting.parts import Table
from teach_agents.core.benchmark.stored import StoredRun
from teach_agents.errors import InputError

if TYPE_CHECKING:
    pass


_FIGURES = (
    "success",
    "goal_condition_success",
    "completed_goal_conditions",
    "total_goal_conditions",
    "success_spl",
    "path_len_weighted_success_spl",
    "goal_condition_spl",
    "path_len_weighted_goal_condition_spl",
    "gt_path_len",
    "traj_len",
    "num_api_fails",
    "predicted_stop",
    "error",
)


class FollowerReports(TeachBenchmark[Reference]):
    """What is made of a Follower's lines and logs."""

    journal = "records.jsonl"
    last_column = "path weighted"

    def id_of(self, line: Mapping[str, Any]) -> str:
        """That of its outcome."""
        return str(line.get("outcome", line).get("instance_id", ""))

    def outcome_of(self, line: Mapping[str, Any]) -> Outcome:
        """The one it holds."""
        return Outcome.from_json(line["outcome"])

    def expected(self, run: StoredRun, name: str) -> Outcome:
        """What the summary says is known of it."""
        for one in run.summary.get("not_run", ()):
            if one.get("instance_id") == name:
                return Outcome.from_json(one)
        return Outcome.blank(name, Status.MISSING)

    def summary(self, run: StoredRun) -> dict[str, Any]:
        """See `summary.summary_of`."""
        return summary_of(self.name, run.settings, run.lines.values(), run.outcomes)

    def again(self, run: StoredRun, line: Mapping[str, Any]) -> dict[str, Any] | None:
        """A line with a new outcome; only the time that passed is what the run noted."""
        path = log_path(run.folder, self.id_of(line))
        then = Outcome.from_json(line["outcome"])
        log = read_log(path) if path.exists() else None
        if log is None or log.played.status is not then.status:
            return None
        outcome, final = log.judged()
        timed = replace(outcome, costs=replace(outcome.costs, wall_s=then.costs.wall_s))
        made = {**line, "outcome": timed.to_json(), "unmet": unmet_of(final)}
        found: dict[str, Any] = json.loads(json.dumps(made))
        return found

    def episode(self, run: StoredRun, line: Mapping[str, Any]) -> Episode | None:
        """From its log."""
        path = log_path(run.folder, self.id_of(line))
        return episode_of(self.outcome_of(line), read_log(path)) if path.exists() else None

    def end_of(self, run: StoredRun, outcome: Outcome) -> str:
        """By what it has used up, where the Follower did not stop."""
        if outcome.status is not Status.DONE:
            return outcome.status.value
        if outcome.predicted_stop:
            return "stopped"
        return "failure_limit" if outcome.failed_actions >= run.settings["max_failures"] else "step_limit"

    def unmet(self, run: StoredRun, line: Mapping[str, Any]) -> list[str]:
        """As the line has it."""
        return list(line["unmet"])

    def goal_success(self, run: StoredRun, outcome: Outcome) -> float:
        """As the reference counts it."""
        return measure(outcome).goal_condition_success

    def rates(self, summary: Mapping[str, Any]) -> dict[str, Any]:
        """From where the reference's aggregate has them."""
        path = "path_length_weighted_success_rate"
        return {
            **summary["status"],
            "n": summary["n"],
            "success_rate": summary["success"]["success_rate"],
            "goal_condition_success_micro": summary["goal_condition_success"]["goal_condition_success_rate"],
            "path_weighted": summary[path],
            "path_weighted_ci": summary[f"{path}_ci"],
            **{
                name: summary[name]
                for name in summary
                if name.startswith(("success_rate_", "goal_condition_success_m"))
            },
        }

    def last(self, row: Mapping[str, Any]) -> float | None:
        """Weighted by path lengths."""
        found: float | None = row["path_length_weighted_success_rate"]
        return found

    def table(self, summary: Mapping[str, Any]) -> Table:
        """By task."""
        title = f"{self.name.upper()}, {summary['follower']} on {summary['simulator']}: percent"
        return closing_table(self, summary, title, "instances", "weighted by path")

    def score(self, record: Mapping[str, Any]) -> Mapping[str, float]:
        """The figures of 6.6, under the reference's names."""
        figures = measure(Outcome.from_json(record["outcome"])).to_json()
        return {name: float(figures[name]) for name in _FIGURES}

    def aggregate(self, scores: Sequence[Mapping[str, float]]) -> Mapping[str, float]:
        """The rates of 6.7 and macro goal-condition success; 0 where there is nothing to divide by.

        `summary.summarize` makes more of the records: intervals, costs, tasks, reasons.
        """
        if not scores:
            raise InputError(self.name, "there are no scores to aggregate")

        def rate(top: str, bottom: str) -> float:
            below = sum(score[bottom] for score in scores)
            return sum(score[top] for score in scores) / below if below else 0.0

        return {
            "n": float(len(scores)),
            "success_rate": fmean(score["success"] for score in scores),
            "goal_condition_success_macro": fmean(score["goal_condition_success"] for score in scores),
            "goal_condition_success_micro": rate("completed_goal_conditions", "total_goal_conditions"),
            "path_length_weighted_success_rate": rate("path_len_weighted_success_spl", "gt_path_len"),
            "path_length_weighted_goal_condition_success_rate": rate(
                "path_len_weighted_goal_condition_spl", "gt_path_len"
            ),
        }
