"""How TATC is scored, and how its runs are counted and shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from statistics import fmean, pstdev
from typing import Any

from teach_agents.benchmarks.base import TeachBenchmark
from teach_agents.benchmarks.episodes import Episode
from teach_agents.benchmarks.metrics import Outcome, Status
from teach_agents.benchmarks.reporting.tables import closing_table
from teach_agents.benchmarks.solo.judging import unmet_of
from teach_agents.benchmarks.stage import GameStage, Stage
from teach_agents.benchmarks.tatc.instances import TatcInstance
from teach_agents.benchmarks.tatc.rescoring import StoredTatc, again, checks, episode_of
from teach_agents.benchmarks.tatc.summary import outcome_of, score_of, summary_of
from teach_agents.core.benchmark.reporting.parts import Report, Table
from teach_agents.core.benchmark.statistics import COMPARABLE
from teach_agents.core.benchmark.stored import StoredRun
from teach_agents.errors import InputError


class TatcReports(TeachBenchmark[TatcInstance]):
    """What is made of TATC's episodes."""

    published = True
    last_column = "paper's rule-based pair"
    simulator: str
    view_size: int

    def outcome_of(self, line: Mapping[str, Any]) -> Outcome:
        """Steps, failed actions and utterances are those of both agents."""
        return outcome_of(line)

    def expected(self, run: StoredRun, name: str) -> Outcome:
        """Of a generated instance the task."""
        blank = Outcome.blank(name, Status.MISSING)
        return replace(blank, task_name=run.asked[name].get("task_name") or blank.task_name)

    def summary(self, run: StoredRun) -> dict[str, Any]:
        """See `summary.summary_of`."""
        return summary_of(StoredTatc(run, run.lines))

    def again(self, run: StoredRun, line: Mapping[str, Any]) -> dict[str, Any] | None:
        """See `rescoring.again`."""
        return again(run, line)

    def episode(self, run: StoredRun, line: Mapping[str, Any]) -> Episode | None:
        """From its record, and its game, which says where both stood."""
        return episode_of(run, line)

    def stage(self) -> Stage:
        """Sessions from their beginning."""
        from teach_agents.benchmarks.solo.player import household_for

        return GameStage(household_for(self.simulator, self.view_size))

    def end_of(self, run: StoredRun, outcome: Outcome) -> str:
        """By the session's own word."""
        done = outcome.status is Status.DONE
        return str(run.lines[outcome.instance_id]["end_reason"]) if done else outcome.status.value

    def unmet(self, run: StoredRun, line: Mapping[str, Any]) -> list[str]:
        """Checked in the last state of its game."""
        return unmet_of(checks(run, line)[1])

    def goal_success(self, run: StoredRun, outcome: Outcome) -> float:
        """0 for what was never played."""
        line = run.lines.get(outcome.instance_id)
        return score_of(line).goal_success if line else 0.0

    def rates(self, summary: Mapping[str, Any]) -> dict[str, Any]:
        """The summary has them all, but for the paths' under another name."""
        path = "path_weighted_success_rate"
        return {**summary, "path_weighted": summary.get(path), "path_weighted_ci": summary.get(f"{path}_ci", ())}

    def last(self, row: Mapping[str, Any]) -> float | None:
        """The paper's figure, beside enough of ours."""
        return row["rule_based_pair_success_rate"] if row["n"] >= COMPARABLE else None

    def table(self, summary: Mapping[str, Any]) -> Table:
        """Beside the paper's rule-based pair."""
        title = f"TATC on {summary['simulator']}: success in percent, beside the TEACh paper's rule-based pair"
        note = f"The paper's figure stands beside ours of {COMPARABLE} sessions and more."
        return closing_table(self, summary, title, "sessions", "paper", note)

    def report(self, run: StoredRun) -> Report:
        """With the initial states that were thrown away."""
        from teach_agents.benchmarks.reporting.report import report_on
        from teach_agents.core.benchmark.reporting.page import counted

        rejected = self.summary(run)["rejected_initial_states"]
        what = "Generated states that were not solvable"
        return report_on(run, reasons=[counted(what, ("reason", "states"), rejected.items())])

    def measured_rows(self, outcomes: Sequence[Any]) -> Iterator[dict[str, Any]]:
        """The mean number of actions besides."""
        yield from super().measured_rows(outcomes)
        for task in ("", *sorted({one.task_name for one in outcomes})):
            steps = [one.steps for one in outcomes if task in ("", one.task_name)]
            mean, spread = round(fmean(steps), 2), round(pstdev(steps), 2)
            yield {"metric": "mean_actions", "task": task, "value": mean, "n": len(steps), "spread": spread}

    def score(self, record: Mapping[str, Any]) -> Mapping[str, float]:
        """Success, goal-condition success with its counts, actions of both agents, and the path weight."""
        score = score_of(record)
        return {
            "success": float(score.success),
            "goal_condition_success": score.goal_success,
            "goals_done": float(score.goals_done),
            "goals_to_do": float(score.goals_to_do),
            "length": float(score.length),
            "path_weight": score.path_weight,
        }

    def aggregate(self, scores: Sequence[Mapping[str, float]]) -> Mapping[str, float]:
        """Rates over all instances; `micro` is over all goal conditions (0 when there were none to reach)."""
        if not scores:
            raise InputError("tatc", "there are no scores to aggregate")
        to_do = sum(score["goals_to_do"] for score in scores)
        return {
            "n": float(len(scores)),
            "success_rate": fmean(score["success"] for score in scores),
            "goal_condition_success_macro": fmean(score["goal_condition_success"] for score in scores),
            "goal_condition_success_micro": sum(score["goals_done"] for score in scores) / to_do if to_do else 0.0,
            "mean_length": fmean(score["length"] for score in scores),
        }
