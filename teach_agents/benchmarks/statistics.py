"""Confidence intervals of means, by resampling whole sessions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

__all__ = ["bootstrap_mean", "bootstrap_mean_of_ratios", "bootstrap_ratio"]

_RESAMPLES = 10_000
_SEED = 20220101


def _interval(samples: np.ndarray[tuple[int], np.dtype[np.float64]]) -> list[float]:
    low, high = np.quantile(samples, [0.025, 0.975])
    return [round(float(low), 6), round(float(high), 6)]


@lru_cache(maxsize=1)
def _draws(sessions: int) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """How often each resample draws each session; the random stream is fixed."""
    rng = np.random.default_rng(_SEED)
    return rng.multinomial(sessions, np.full(sessions, 1 / sessions), size=_RESAMPLES).astype(np.float64)


def bootstrap_ratio(numerators: Sequence[float], denominators: Sequence[float]) -> tuple[float | None, list[float]]:
    """Sum of numerators over sum of denominators with its 95 % percentile interval over resampled sessions.

    Returns (None, []) when there are no sessions or the denominators sum to zero. Resamples whose denominator is
    zero are left out. The random stream is fixed, so the same sessions give the same interval.
    """
    return bootstrap_mean_of_ratios([(numerators, denominators)])


def bootstrap_mean_of_ratios(
    ratios: Sequence[tuple[Sequence[float], Sequence[float]]],
) -> tuple[float | None, list[float]]:
    """The mean of several ratios over the same sessions, such as the recalls of a balanced accuracy.

    Each ratio is (numerators, denominators), one of each per session. Ratios whose denominators sum to zero are left
    out, and from the interval the resamples in which another denominator is zero; (None, []) when none is left.
    """
    known = [(np.asarray(top, dtype=np.float64), np.asarray(bottom, dtype=np.float64)) for top, bottom in ratios]
    known = [(top, bottom) for top, bottom in known if bottom.sum() != 0]
    if not known:
        return None, []
    counts = _draws(len(known[0][0]))
    drawn = [(counts @ top, counts @ bottom) for top, bottom in known]
    kept = np.logical_and.reduce([bottoms > 0 for _, bottoms in drawn])
    samples = np.mean([tops[kept] / bottoms[kept] for tops, bottoms in drawn], axis=0)
    return float(np.mean([top.sum() / bottom.sum() for top, bottom in known])), _interval(samples)


def bootstrap_mean(values: Sequence[float]) -> tuple[float | None, list[float]]:
    """The mean with its 95 % percentile interval over resampled sessions."""
    return bootstrap_ratio(values, [1.0] * len(values))
