"""Figures that are shares of some of a run's cases."""

from __future__ import annotations

import pytest

from teach_agents.benchmarks.requests.benchmark import RequestsBenchmark
from teach_agents.benchmarks.requests.shares import SHARES, share_rows, shares_of
from teach_agents.core.benchmark.outcomes import Outcome, Status


def _outcome(number: int, words: str, **scores: float) -> Outcome:
    return Outcome(
        instance_id=str(number), cluster=f"pair {number // 2}", groups={"words": words, "kind": "plain"}, scores=scores
    )


_OUTCOMES = [
    _outcome(0, "ambiguous", asked=1, answered=1, right_then=1, wanted=1),
    _outcome(1, "ambiguous", asked=1, answered=1, wanted=1),
    _outcome(2, "ambiguous", asked=0, wanted=1, unanswered=1),
    _outcome(3, "clear", asked=1, finished=1, denied=1),
    _outcome(4, "clear", finished=1, reported=1),
    _outcome(5, "clear", finished=1),
    Outcome(instance_id="6", status=Status.CRASHED, cluster="pair 3", groups={"words": "clear", "kind": "plain"}),
]


def test_shares_are_of_those_cases_that_they_are_about() -> None:
    found = shares_of(_OUTCOMES)
    assert {name: (one["mean"], one["n"]) for name, one in found.items()} == {
        "asked_ambiguous": (pytest.approx(2 / 3), 3),
        "asked_clear": (pytest.approx(1 / 4), 4),
        "right_after_answer": (0.5, 2),
        "finished_reported": (pytest.approx(1 / 3), 3),
        "finished_denied": (pytest.approx(1 / 3), 3),
        "wanted_unanswered": (pytest.approx(1 / 3), 3),
    }
    low, high = found["asked_clear"]["ci"]
    assert 0.0 <= low < 1 / 4 < high <= 1.0


def test_where_there_are_no_such_cases_there_is_no_share() -> None:
    found = shares_of(_OUTCOMES[3:])
    assert found["asked_ambiguous"] == {"mean": None, "ci": [], "n": 0}
    assert "asked_ambiguous" not in [row["metric"] for row in share_rows(_OUTCOMES[3:])]


def test_shares_are_figures_of_results() -> None:
    benchmark = RequestsBenchmark()
    rows = [row for row in benchmark.measured_rows(_OUTCOMES) if row["metric"] in SHARES]
    assert [row["metric"] for row in rows] == list(SHARES)
    assert benchmark.metrics(_OUTCOMES).keys() >= SHARES.keys()
    assert benchmark.aggregated(_OUTCOMES)["right_after_answer"] == 0.5
