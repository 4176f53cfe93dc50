"""Intervals from resampled sessions."""

from __future__ import annotations

import pytest

from teach_agents.benchmarks.statistics import bootstrap_mean, bootstrap_mean_of_ratios, bootstrap_ratio


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
