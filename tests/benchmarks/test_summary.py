"""The figures of a run: every instance of the list counts."""

from __future__ import annotations

import json

import pytest

from teach_agents.benchmarks.costs import talk
from teach_agents.benchmarks.metrics import GoalCounts, Status, aggregate, measure
from teach_agents.benchmarks.summary import summarize
from teach_agents.core.benchmark.outcomes import completed
from teach_agents.core.benchmark.statistics import INTERVAL_RULE, wilson
from teach_agents.errors import InputError
from tests.benchmarks.outcomes import outcome


def test_whatever_has_no_outcome_is_missing_and_has_failed() -> None:
    expected = [outcome("a", final=None, status=Status.MISSING), outcome("b", steps=0, success=True)]
    first, second = completed(expected, [outcome("a")])
    assert first == outcome("a")
    assert (second.status, second.success, second.reason) == (Status.MISSING, False, "there is no outcome of it")
    assert measure(second).gt_path_len == 10


def test_outcomes_come_in_the_order_of_the_list() -> None:
    expected = [outcome("a"), outcome("b"), outcome("c")]
    assert [one.instance_id for one in completed(expected, [outcome("c"), outcome("a")])] == ["a", "b", "c"]


def test_outcomes_of_other_instances_and_doubles_are_refused() -> None:
    with pytest.raises(InputError, match=r"not in the list; got 'aa'; did you mean 'a'"):
        completed([outcome("a")], [outcome("aa")])
    with pytest.raises(InputError, match="two of one instance"):
        completed([outcome("a")], [outcome("a"), outcome("a")])


def test_a_summary_holds_the_references_figures_and_ours() -> None:
    run = [
        outcome("a", costs=talk(["hi"])),
        outcome("b", cluster="FloorPlan2", success=False, final=GoalCounts(4, 1), costs=talk(["a mug"], ["Affirm"])),
        outcome("c", task_name="Salad", status=Status.TIMED_OUT, reason="no answer in 60 s"),
    ]
    found = summarize(run)
    reference = aggregate([measure(one) for one in run])
    assert {key: found[key] for key in reference} == reference
    assert found["goal_condition_success_macro"] == pytest.approx(1 / 3)
    assert found["goal_condition_success"]["goal_condition_success_rate"] == pytest.approx(3 / 9)
    assert found["status"] == {"done": 2, "not_started": 0, "crashed": 0, "timed_out": 1, "missing": 0}
    assert found["failures"] == [{"instance_id": "c", "status": "timed_out", "reason": "no answer in 60 s"}]
    assert found["costs"]["utterances"] == 2 and found["costs"]["dialogue_acts"] == {"Affirm": 1}
    assert list(found["by_task"]) == ["Coffee", "Salad"]
    assert found["by_task"]["Coffee"]["success_rate"] == 0.5
    assert found["by_task"]["Coffee"]["rooms"] == 2
    assert json.loads(json.dumps(found, allow_nan=False)) == found


def test_intervals_are_over_rooms() -> None:
    run = [outcome(f"{room}{k}", cluster=room, success=room == "x") for room in "xy" for k in range(20)]
    assert summarize(run)["success_rate_ci"] == [0.0, 1.0]
    one_room = summarize(run[:20])
    assert one_room["success_rate_ci"] == wilson(1.0, 20)
    assert one_room["interval_rule"] == INTERVAL_RULE


def test_micro_and_macro_differ() -> None:
    run = [outcome("a", initial=GoalCounts(4, 0)), outcome("b", initial=GoalCounts(1, 0), final=GoalCounts(1, 0))]
    found = summarize(run)
    assert found["goal_condition_success_macro"] == 0.5
    assert found["goal_condition_success"]["goal_condition_success_rate"] == 0.8


def test_no_outcomes_give_no_summary() -> None:
    with pytest.raises(InputError, match="no instances"):
        summarize([])
