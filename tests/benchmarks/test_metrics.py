"""TEACh's metrics, by hand and against a plain transcription of the formulas (specification 6.6, 6.7)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teach_agents.benchmarks.costs import Costs
from teach_agents.benchmarks.metrics import (
    GoalCounts,
    InstanceMetrics,
    Outcome,
    Status,
    aggregate,
    measure,
    path_weight,
)
from teach_agents.errors import InputError
from tests.benchmarks.outcomes import outcome


def _plain_record(t0: int, s0: int, t1: int, s1: int, length: int, n: int, success: int) -> dict[str, float]:
    """The formulas of 6.6, written down once more."""
    if s0 > t0:
        s0 = t0
    if s1 > t1:
        s1 = t1
    remaining = t0 - s0
    g: float
    if remaining == 0:
        g = 1
    else:
        g = 1 - (t1 - s1) / remaining
    w = min(1, length / max(n, length))
    return {
        "goal_condition_success": g,
        "completed_goal_conditions": (t0 - s0) - (t1 - s1),
        "total_goal_conditions": t0 - s0,
        "success_spl": success * w,
        "goal_condition_spl": g * w,
        "path_len_weighted_success_spl": success * w * length,
        "path_len_weighted_goal_condition_spl": g * w * length,
    }


def _plain_aggregate(records: Sequence[dict[str, float]], lengths: Sequence[int], successes: int) -> list[float]:
    """The rates of 6.7, written down once more, adding up as loops do."""
    top = bottom = spl = goal_spl = 0.0
    total_length = 0
    for record, length in zip(records, lengths, strict=True):
        top += record["completed_goal_conditions"]
        bottom += record["total_goal_conditions"]
        spl += record["path_len_weighted_success_spl"]
        goal_spl += record["path_len_weighted_goal_condition_spl"]
        total_length += length
    weighted = [spl / total_length, goal_spl / total_length] if total_length else [0.0, 0.0]
    return [successes / len(records), top / bottom, *weighted]


counts = st.builds(GoalCounts, total=st.integers(0, 40), satisfied=st.integers(0, 45))
outcomes = st.builds(
    Outcome,
    instance_id=st.just("a"),
    game_id=st.just("g"),
    task_name=st.just("Coffee"),
    cluster=st.just("FloorPlan1"),
    success=st.booleans(),
    initial=counts,
    final=counts,
    reference_length=st.integers(0, 400),
    steps=st.integers(1, 1000),
)


def _transcribed(one: Outcome) -> dict[str, float]:
    assert one.initial and one.final
    goals = (one.initial.total, one.initial.satisfied, one.final.total, one.final.satisfied)
    return _plain_record(*goals, one.reference_length, one.steps, int(one.success))


@given(one=outcomes)
def test_every_record_is_that_of_the_formulas_to_the_last_bit(one: Outcome) -> None:
    record = measure(one).to_json()
    wanted = _transcribed(one)
    assert {key: record[key] for key in wanted} == wanted
    assert (record["success"], record["gt_path_len"], record["traj_len"]) == (
        int(one.success),
        one.reference_length,
        one.steps,
    )


@given(drawn=st.lists(outcomes, min_size=1, max_size=12))
def test_every_aggregate_is_that_of_the_formulas_to_the_last_bit(drawn: list[Outcome]) -> None:
    named = [InstanceMetrics(**{**_fields(measure(one)), "instance_id": str(k)}) for k, one in enumerate(drawn)]
    found = aggregate(named)
    records = [_transcribed(one) for one in drawn]
    if not sum(record["total_goal_conditions"] for record in records):
        assert found["goal_condition_success"]["goal_condition_success_rate"] is None
        return
    wanted = _plain_aggregate(records, [one.reference_length for one in drawn], sum(one.success for one in drawn))
    assert wanted == [
        found["success"]["success_rate"],
        found["goal_condition_success"]["goal_condition_success_rate"],
        found["path_length_weighted_success_rate"],
        found["path_length_weighted_goal_condition_success_rate"],
    ]


def _fields(one: InstanceMetrics) -> dict[str, Any]:
    return {name: getattr(one, name) for name in InstanceMetrics.__dataclass_fields__}


def test_a_record_by_hand() -> None:
    record = measure(outcome()).to_json()
    assert (record["completed_goal_conditions"], record["total_goal_conditions"]) == (3, 3)
    assert (record["goal_condition_success"], record["success_spl"], record["goal_condition_spl"]) == (1.0, 0.5, 0.5)
    assert (record["path_len_weighted_success_spl"], record["path_len_weighted_goal_condition_spl"]) == (5.0, 5.0)
    assert (record["success"], record["error"], record["init_success"], record["reward"]) == (1, 0, True, 0.0)


def test_more_satisfied_than_there_are_counts_as_all() -> None:
    record = measure(outcome(initial=GoalCounts(4, 2), final=GoalCounts(4, 7)))
    assert (record.completed_goal_conditions, record.goal_condition_success) == (2, 1.0)


def test_undoing_gives_a_negative_goal_success() -> None:
    record = measure(outcome(initial=GoalCounts(4, 3), final=GoalCounts(4, 0), success=False, steps=10))
    assert (record.completed_goal_conditions, record.total_goal_conditions) == (-3, 1)
    assert (record.goal_condition_success, record.goal_condition_spl) == (-3.0, -3.0)


def test_nothing_to_reach_counts_as_reached() -> None:
    record = measure(outcome(initial=GoalCounts(4, 4), final=GoalCounts(4, 2), success=False))
    assert (record.goal_condition_success, record.completed_goal_conditions, record.total_goal_conditions) == (1, -2, 0)


def test_a_path_shorter_than_the_persons_is_not_rewarded_and_lengths_may_be_zero() -> None:
    assert path_weight(10, 5) == path_weight(10, 10) == 1.0
    assert path_weight(10, 40) == 0.25
    assert path_weight(0, 3) == path_weight(0, 0) == 0.0
    assert measure(outcome(reference_length=0, steps=0)).path_len_weighted_success_spl == 0.0
    assert aggregate([measure(outcome(reference_length=0))])["path_length_weighted_success_rate"] == 0.0


@pytest.mark.parametrize("status", [Status.CRASHED, Status.TIMED_OUT, Status.MISSING])
def test_what_broke_down_failed_whatever_state_it_left_and_keeps_its_length(status: Status) -> None:
    broken = measure(outcome("b", status=status, reason="it broke"))
    assert (broken.success, broken.error, broken.gt_path_len) == (0, 1, 10)
    assert (broken.completed_goal_conditions, broken.total_goal_conditions, broken.goal_condition_success) == (0, 3, 0)
    found = aggregate([measure(outcome("a", steps=10)), broken])
    assert found["success"] == {"num_successes": 1, "num_evals": 2, "success_rate": 0.5}
    assert found["goal_condition_success"]["goal_condition_success_rate"] == 0.5
    assert found["path_length_weighted_success_rate"] == 0.5
    assert found["num_fails_by_error"] == 1


def test_what_is_missing_altogether_is_a_failure_too() -> None:
    missing = measure(outcome(status=Status.MISSING, initial=None, final=None, reference_length=0, steps=0))
    assert (missing.success, missing.total_goal_conditions, missing.error) == (0, 0, 1)


def test_what_did_not_start_counts_in_the_denominator_and_nowhere_else() -> None:
    unstarted = measure(outcome("b", status=Status.NOT_STARTED))
    assert (unstarted.init_success, unstarted.gt_path_len, unstarted.total_goal_conditions) == (False, 0, 0)
    found = aggregate([measure(outcome("a", steps=10)), unstarted])
    assert found["success"]["success_rate"] == 0.5
    assert found["goal_condition_success"]["goal_condition_success_rate"] == 1.0
    assert found["path_length_weighted_success_rate"] == 1.0


def test_ends_are_counted_by_their_limits() -> None:
    named = [
        measure(outcome("a", steps=1000)),
        measure(outcome("b", failed_actions=30)),
        measure(outcome("c", predicted_stop=True, steps=999, failed_actions=29)),
    ]
    found = aggregate(named)
    assert (found["num_fails_by_traj_len_limit"], found["num_fails_by_api_limit"]) == (1, 1)
    assert found["num_predicted_stops"] == 1
    assert aggregate(named, max_steps=999, max_failures=29)["num_fails_by_api_limit"] == 2
    assert list(found["traj_stats"]) == ["a", "b", "c"]


def test_predicted_actions_are_written_as_pairs_of_name_and_click() -> None:
    record = measure(outcome(predicted=(("Forward", None), ("Pickup", (0.25, 0.75)))))
    assert record.to_json()["pred_actions"] == [["Forward", None], ["Pickup", [0.25, 0.75]]]


def test_what_cannot_be_counted_is_refused() -> None:
    with pytest.raises(InputError, match="no instances"):
        aggregate([])
    with pytest.raises(InputError, match="the name of one instance"):
        aggregate([measure(outcome()), measure(outcome())])
    with pytest.raises(InputError, match="first and last goal counts"):
        outcome(final=None)
    with pytest.raises(InputError, match="cannot be negative"):
        outcome(steps=-1)


@given(one=outcomes, name=st.text(max_size=5), click=st.none() | st.tuples(st.floats(0, 1), st.floats(0, 1)))
def test_an_outcome_is_read_back_from_json_as_it_was(
    one: Outcome, name: str, click: tuple[float, float] | None
) -> None:
    full = replace(one, predicted=((name, click),), costs=Costs(1, 2, {"Affirm": 1}), status=Status.CRASHED)
    assert Outcome.from_json(json.loads(json.dumps(full.to_json()))) == full
    unstarted = replace(full, initial=None, final=None)
    assert Outcome.from_json(json.loads(json.dumps(unstarted.to_json()))) == unstarted


@pytest.mark.parametrize("changes", [{"status": "odd"}, {"predicted": [["Stop"]]}, {"costs": 3}, {"more": 1}])
def test_what_is_no_outcome_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        Outcome.from_json({**outcome().to_json(), **changes})
