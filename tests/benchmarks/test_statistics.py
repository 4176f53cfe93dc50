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
)


def test_the_interval_surrounds_the_mean_and_is_repeatable() -> None:
    values = [1.0] * 60 + [0.0] * 40
    mean, (low, high) = bootstrap_mean(values)
    assert mean == pytest.approx(0.6)
    assert 0.49 < low < 0.55 and 0.65 < high < 0.71
    assert bootstrap_mean(values) == (mean, [low, high])


def test_certainty_has_no_width() -> None:
    assert bootstrap_mean([1.0, 1.0, 1.0]) == (1.0, [1.0, 1.0])


def test_nothing_measured_gives_no_figure() -> None:
    assert bootstrap_mean([]) == (None, [])
    assert bootstrap_ratio([1.0], [0.0]) == (None, [])


def test_a_ratio_weighs_sessions_by_their_denominator() -> None:
    value, interval = bootstrap_ratio([1.0, 0.0], [1.0, 3.0])
    assert value == pytest.approx(0.25) and interval[0] == 0.0


def test_a_mean_of_ratios_weighs_both_alike() -> None:
    rare, common = ([1.0, 0.0], [2.0, 0.0]), ([9.0, 9.0], [10.0, 10.0])
    value, (low, high) = bootstrap_mean_of_ratios([rare, common])
    assert value == pytest.approx(0.7) and (low, high) == (0.7, 0.7)


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


def test_one_room_says_nothing_of_others() -> None:
    assert bootstrap_mean([1.0, 0.0], clusters=["a", "a"]) == (0.5, [])
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
