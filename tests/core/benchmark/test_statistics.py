"""Intervals from resampled sessions and rooms; paired tests."""

from __future__ import annotations

from itertools import product
from operator import mul

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teach_agents.core.benchmark.statistics import (
    bootstrap_mean,
    bootstrap_mean_of_ratios,
    bootstrap_ratio,
    paired_p_value,
    wilson,
)


def test_the_interval_surrounds_the_mean_and_is_repeatable() -> None:
    values = [1.0] * 60 + [0.0] * 40
    mean, (low, high) = bootstrap_mean(values)
    assert mean == pytest.approx(0.6)
    assert 0.49 < low < 0.55 and 0.65 < high < 0.71
    assert bootstrap_mean(values) == (mean, [low, high])


def test_wilsons_interval_is_that_of_the_books() -> None:
    assert wilson(1.0, 12) == pytest.approx([0.7575, 1.0], abs=1e-4)
    assert wilson(0.0, 12) == pytest.approx([0.0, 0.2425], abs=1e-4)
    assert wilson(81 / 263, 263) == pytest.approx([0.2553, 0.3662], abs=1e-4)


@pytest.mark.parametrize("clusters", [None, ["a"] * 12, ["a", "b"] * 6, [f"{n}" for n in range(12)]])
def test_twelve_of_twelve_is_no_certainty(clusters: list[str] | None) -> None:
    assert bootstrap_mean([1.0] * 12, clusters=clusters) == (1.0, wilson(1.0, 12))
    assert bootstrap_mean([0.0] * 12, clusters=clusters) == (0.0, wilson(0.0, 12))


def test_the_interval_of_three_clusters_holds_wilsons() -> None:
    failed = {3, 25, 26}
    values = [float(n not in failed) for n in range(60)]
    value, (low, high) = bootstrap_mean(values, clusters=[f"{n // 20}" for n in range(60)])
    assert value == 0.95 and (low, high) == (wilson(0.95, 60)[0], 1.0)


def test_many_clusters_that_differ_are_only_resampled() -> None:
    values, clusters = [1.0] * 59 + [0.0], [f"{n // 5}" for n in range(60)]
    _, (low, high) = bootstrap_mean(values, clusters=clusters)
    assert wilson(59 / 60, 60)[0] < low < high == 1.0


def test_clusters_without_weight_are_none() -> None:
    tops, bottoms = [1.0, 1.0, *[0.0] * 18], [1.0, 1.0, *[0.0] * 18]
    assert bootstrap_ratio(tops, bottoms, clusters=[f"{n}" for n in range(20)]) == (1.0, wilson(1.0, 2))


def test_who_weighs_more_leaves_fewer_instances_to_speak_of() -> None:
    value, (low, _) = bootstrap_ratio([1.0, 1.0, 8.0], [1.0, 1.0, 8.0])
    assert value == 1.0 and low == wilson(1.0, 10**2 / 66)[0] < wilson(1.0, 3)[0]


def test_counted_cases_are_the_instances() -> None:
    assert bootstrap_ratio([30.0, 30.0], [30.0, 30.0], counted=True) == (1.0, wilson(1.0, 60))
    assert bootstrap_ratio([30.0, 30.0], [30.0, 30.0]) == (1.0, wilson(1.0, 2))


def test_shares_below_nothing_widen_the_range() -> None:
    value, (low, high) = bootstrap_mean([1.0, -1.0, 1.0, 1.0], clusters=["a"] * 4)
    scaled = wilson(0.75, 4)
    assert value == 0.5 and (low, high) == pytest.approx((2 * scaled[0] - 1, 2 * scaled[1] - 1), abs=1e-5)


def test_no_difference_of_twelve_is_no_proof_that_there_is_none() -> None:
    for clusters in (None, ["a"] * 12, [f"{n}" for n in range(12)]):
        value, (low, high) = bootstrap_mean([0.0] * 12, clusters=clusters, of="differences")
        assert value == 0.0 and -low == high == pytest.approx(1.96**2 / (12 + 1.96**2), abs=1e-4)


def test_gains_and_losses_of_few_clusters_widen_the_interval() -> None:
    balanced, (low, high) = bootstrap_mean([1.0, -1.0] * 6, clusters=["a"] * 12, of="differences")
    assert balanced == 0.0 and -low == pytest.approx(high) and 0.45 < high < 0.55
    gained, (low, high) = bootstrap_mean([1.0] * 12, clusters=["a"] * 12, of="differences")
    assert gained == 1.0 and 0.6 < low < wilson(1.0, 12)[0] and high == 1.0


def test_amounts_of_few_clusters_have_students_interval() -> None:
    value, (low, high) = bootstrap_mean([1.0, 3.0, 5.0, 7.0, 4.0, 4.0], clusters=list("aabbcc"), of="amounts")
    assert value == 4.0 and (low, high) == pytest.approx((4 - 4.302653 * 2 / 3**0.5, 4 + 4.302653 * 2 / 3**0.5))


def test_how_far_amounts_vary_is_not_known_of_one_cluster_or_without_a_difference() -> None:
    assert bootstrap_mean([3.0, 9.0], clusters=["a", "a"], of="amounts") == (6.0, [])
    assert bootstrap_mean([3.0] * 5, of="amounts") == bootstrap_mean([3.0] * 15, of="amounts") == (3.0, [])


@given(
    values=st.lists(st.sampled_from([0.0, 0.25, 1.0]), min_size=1, max_size=40),
    clusters=st.integers(1, 9),
)
def test_of_few_clusters_no_interval_is_narrower_than_wilsons(values: list[float], clusters: int) -> None:
    value, (low, high) = bootstrap_mean(values, clusters=[f"{n % clusters}" for n in range(len(values))])
    assert value is not None
    least, most = wilson(value, len(values))
    assert low <= least < most <= high


def test_nothing_measured_gives_no_figure() -> None:
    assert bootstrap_mean([]) == (None, [])
    assert bootstrap_ratio([1.0], [0.0]) == (None, [])


def test_a_ratio_weighs_sessions_by_their_denominator() -> None:
    value, interval = bootstrap_ratio([1.0, 0.0], [1.0, 3.0])
    assert value == pytest.approx(0.25) and interval[0] == 0.0


def test_a_mean_of_ratios_weighs_both_alike() -> None:
    rare, common = ([1.0, 0.0], [2.0, 0.0]), ([9.0, 9.0], [10.0, 10.0])
    value, (low, high) = bootstrap_mean_of_ratios([rare, common])
    assert value == pytest.approx(0.7) and (low, high) == tuple(wilson(0.7, 2 / (1 / 1 + 1 / 2)))


def test_a_ratio_without_cases_is_left_out_of_the_mean() -> None:
    counted = ([1.0, 2.0], [2.0, 2.0])
    assert bootstrap_mean_of_ratios([counted, ([0.0, 0.0], [0.0, 0.0])]) == bootstrap_ratio(*counted)
    assert bootstrap_mean_of_ratios([]) == (None, [])


def test_sessions_of_one_room_are_drawn_together() -> None:
    values, rooms = [1.0] * 30 + [0.0] * 30, ["a"] * 30 + ["b"] * 30
    alone, together = bootstrap_mean(values), bootstrap_mean(values, clusters=rooms)
    assert alone[0] == together[0] == 0.5
    assert together[1] == [0.0, 1.0]
    assert alone[1][0] > 0.3


def test_rooms_of_one_session_each_are_sessions() -> None:
    values = [1.0, 0.0, 1.0, 1.0, 0.0]
    assert bootstrap_mean(values, clusters=list("abcde")) == bootstrap_mean(values)


def test_rooms_weigh_by_their_denominators_and_their_order_does_not_matter() -> None:
    tops, bottoms, rooms = [1.0, 2.0, 0.0, 4.0], [2.0, 2.0, 3.0, 4.0], ["x", "y", "x", "z"]
    found = bootstrap_ratio(tops, bottoms, clusters=rooms)
    assert found[0] == pytest.approx(7 / 11)
    assert bootstrap_ratio(tops[::-1], bottoms[::-1], clusters=rooms[::-1]) == found


def test_every_value_needs_its_cluster() -> None:
    with pytest.raises(ValueError, match="2 values and 1 clusters"):
        bootstrap_mean([1.0, 0.0], clusters=["a"])


def test_the_p_value_is_the_share_of_sign_flips_that_are_as_extreme() -> None:
    assert paired_p_value([1.0] * 5) == 2 / 2**5
    assert paired_p_value([1.0, -1.0]) == 1.0
    assert paired_p_value([2.0, 1.0]) == 0.5
    assert paired_p_value([]) == paired_p_value([0.0, 0.0]) == 1.0


def test_differences_of_one_room_flip_together() -> None:
    assert paired_p_value([1.0] * 20, clusters=["a"] * 10 + ["b"] * 10) == 0.5


def test_drawn_flips_come_close_to_all_of_them() -> None:
    differences = [1.0, 1.0, 1.0, -1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]
    exact = paired_p_value(differences)
    drawn = paired_p_value([*differences, *[0.0] * 10])
    assert exact == pytest.approx(22 / 1024)
    assert drawn == pytest.approx(exact, abs=0.006)
    assert drawn == paired_p_value([*differences, *[0.0] * 10])


@given(differences=st.lists(st.integers(-3, 3), min_size=1, max_size=10))
def test_the_p_value_is_that_of_a_plain_enumeration(differences: list[int]) -> None:
    sums = [abs(sum(map(mul, differences, signs))) for signs in product((1, -1), repeat=len(differences))]
    extreme = sum(one >= abs(sum(differences)) for one in sums)
    assert paired_p_value([float(one) for one in differences]) == pytest.approx(extreme / len(sums))
