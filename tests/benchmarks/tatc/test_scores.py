"""TATC scores by hand-made sessions (specification 6.6, 6.7)."""

from __future__ import annotations

import pytest

from teach_agents.benchmarks.tatc.scores import EpisodeScore, GoalCounts, summarize
from teach_agents.core.benchmark.statistics import wilson


def _score(
    name: str, *, s0: int, s1: int, total: int = 4, length: int = 10, reference: int | None = 10, success: bool = False
) -> EpisodeScore:
    return EpisodeScore(
        name, "Coffee", "done", success, GoalCounts(total, s0), GoalCounts(total, s1), length, reference
    )


def test_satisfied_above_the_total_is_capped() -> None:
    score = _score("over", s0=2, s1=6, success=True)
    assert (score.goals_to_do, score.goals_done, score.goal_success) == (2, 2, 1.0)


def test_undoing_gives_a_negative_goal_success() -> None:
    assert _score("undone", s0=2, s1=1).goal_success == -0.5


def test_nothing_to_do_counts_as_done() -> None:
    assert _score("idle", s0=4, s1=4, success=True).goal_success == 1.0


def test_a_shorter_path_than_the_demonstration_is_not_rewarded() -> None:
    assert _score("short", s0=0, s1=4, length=5, reference=10).path_weight == 1.0
    assert _score("long", s0=0, s1=4, length=20, reference=10).path_weight == 0.5
    assert _score("none", s0=0, s1=4, length=0, reference=None).path_weight == 0.0


def test_a_crashed_session_is_a_failed_session_in_every_denominator() -> None:
    crashed = EpisodeScore("c", "Coffee", "crashed", reference_length=10)
    timed_out = EpisodeScore("t", "Coffee", "timed_out")
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
    alike = [EpisodeScore(str(n), "Coffee", "done", success=n < 4, room=f"FloorPlan{1 + n // 4}") for n in range(8)]
    apart = [EpisodeScore(str(n), "Coffee", "done", success=n < 4) for n in range(8)]
    assert summarize(alike)["success_rate"] == summarize(apart)["success_rate"] == 0.5
    assert summarize(alike)["success_rate_ci"] == [0.0, 1.0] != summarize(apart)["success_rate_ci"]
    assert summarize(alike[:4])["success_rate_ci"] == wilson(1.0, 4)
