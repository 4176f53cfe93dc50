"""Two runs over the same instances."""

from __future__ import annotations

import json

import pytest

from teach_agents.benchmarks.metrics import Status
from teach_agents.core.benchmark.comparison import compare
from teach_agents.errors import InputError
from tests.benchmarks.outcomes import outcome


def test_a_run_does_not_differ_from_itself() -> None:
    run = [outcome(f"{k}", cluster=f"FloorPlan{k}", success=k % 2 == 0) for k in range(6)]
    compared = compare(run, list(reversed(run)))
    assert compared[0].ci == pytest.approx((-0.3903, 0.3903), abs=1e-4)
    assert {one.figure: one.ci for one in compared}["steps"] == ()
    for found in compared:
        assert (found.a, found.difference, found.p_value) == (found.b, 0.0, 1.0)
        assert (found.higher, found.lower, found.n, found.clusters) == (0, 0, 6, 6)


def test_a_better_run_is_told_from_a_worse_one() -> None:
    worse = [outcome(f"{k}", cluster=f"FloorPlan{k}", success=False, steps=40) for k in range(8)]
    better = [outcome(f"{k}", cluster=f"FloorPlan{k}", steps=20) for k in range(8)]
    found = {one.figure: one for one in compare(worse, better)}
    success = found["success_rate"]
    assert (success.a, success.b, success.difference, success.higher) == (0.0, 1.0, 1.0, 8)
    assert success.p_value == pytest.approx(2 / 2**8)
    assert 0.5 < success.ci[0] < success.ci[1] == 1.0
    assert found["steps"].difference == -20.0
    assert found["path_length_weighted_success_rate"].b == 0.5
    assert json.loads(json.dumps(success.to_json()))["figure"] == "success_rate"


def test_instances_of_one_room_are_no_independent_evidence() -> None:
    worse = [outcome(f"{k}", cluster=f"FloorPlan{k % 2}", success=False) for k in range(20)]
    better = [outcome(f"{k}", cluster=f"FloorPlan{k % 2}") for k in range(20)]
    assert compare(worse, better)[0].p_value == 0.5


def test_what_one_run_lost_counts_as_failed_and_is_not_left_out() -> None:
    whole = [outcome("a"), outcome("b", cluster="FloorPlan2")]
    lossy = [outcome("a"), outcome("b", cluster="FloorPlan2", status=Status.CRASHED)]
    success = compare(lossy, whole)[0]
    assert (success.a, success.b, success.n) == (0.5, 1.0, 2)
    with pytest.raises(InputError, match=r"the second run has no outcome of 1 instances of the other.*'b'"):
        compare(whole, whole[:1])
    with pytest.raises(InputError, match=r"the first run has no outcome"):
        compare(whole[:1], whole)
    with pytest.raises(InputError, match="no instances to compare"):
        compare([], [])
