"""TATC scores by hand-made sessions (specification 6.6, 6.7)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from teach_agents.benchmarks.metrics import GoalCounts, Outcome, Status
from teach_agents.benchmarks.tatc.summary import goal_success, goals_done, goals_to_do, summarize, weight_of
from teach_agents.core.benchmark.statistics import wilson


def _score(
    name: str, *, s0: int, s1: int, total: int = 4, length: int = 10, reference: int = 10, success: bool = False
) -> Outcome:
    return Outcome(
        instance_id=name,
        game_id=name,
        task_name="Coffee",
        cluster="",
        success=success,
        initial=GoalCounts(total, s0),
        final=GoalCounts(total, s1),
        steps=length,
        reference_length=reference,
    )


def test_satisfied_above_the_total_is_capped() -> None:
    score = _score("over", s0=2, s1=6, success=True)
    assert (goals_to_do(score), goals_done(score), goal_success(score)) == (2, 2, 1.0)


def test_undoing_gives_a_negative_goal_success() -> None:
    assert goal_success(_score("undone", s0=2, s1=1)) == -0.5


def test_nothing_to_do_counts_as_done() -> None:
    assert goal_success(_score("idle", s0=4, s1=4, success=True)) == 1.0


def test_a_shorter_path_than_the_demonstration_is_not_rewarded() -> None:
    assert weight_of(_score("short", s0=0, s1=4, length=5, reference=10)) == 1.0
    assert weight_of(_score("long", s0=0, s1=4, length=20, reference=10)) == 0.5
    assert weight_of(_score("none", s0=0, s1=4, length=0, reference=0)) == 0.0


def test_a_crashed_session_is_a_failed_session_in_every_denominator() -> None:
    crashed = replace(Outcome.blank("c", Status.CRASHED), reference_length=10)
    timed_out = Outcome.blank("t", Status.TIMED_OUT)
    summary = summarize([_score("ok", s0=0, s1=4, success=True), crashed, timed_out])
    assert summary["n"] == 3
    assert summary["success_rate"] == pytest.approx(1 / 3)
    assert summary["goal_condition_success_macro"] == pytest.approx(1 / 3)
    assert summary["goal_condition_success_micro"] == pytest.approx(1.0)
    assert summary["path_weighted_success_rate"] == pytest.approx(0.5)
    assert (summary["crashed"], summary["timed_out"], summary["path_weighted_n"]) == (1, 1, 2)


def test_micro_and_macro_differ_as_labelled() -> None:
    summary = summarize([_score("a", s0=0, s1=4, success=True), _score("b", s0=0, s1=0, total=1)])
    assert summary["goal_condition_success_macro"] == pytest.approx(0.5)
    assert summary["goal_condition_success_micro"] == pytest.approx(0.8)


def test_no_sessions_give_no_rates() -> None:
    summary = summarize([])
    assert summary["n"] == 0 and summary["success_rate"] is None and summary["success_rate_ci"] == []


def test_sessions_in_one_room_are_resampled_together() -> None:
    apart = [_score(str(n), s0=0, s1=4, success=n < 4) for n in range(8)]
    alike = [replace(one, cluster=f"FloorPlan{1 + n // 4}") for n, one in enumerate(apart)]
    assert summarize(alike)["success_rate"] == summarize(apart)["success_rate"] == 0.5
    assert summarize(alike)["success_rate_ci"] == [0.0, 1.0] != summarize(apart)["success_rate_ci"]
    assert summarize(alike[:4])["success_rate_ci"] == wilson(1.0, 4)
