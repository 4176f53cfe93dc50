"""Confidence intervals of means, by resampling whole sessions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

__all__ = ["bootstrap_mean", "bootstrap_ratio"]

_RESAMPLES = 10_000
_SEED = 20220101


def _interval(samples: np.ndarray[tuple[int], np.dtype[np.float64]]) -> list[float]:
    low, high = np.quantile(samples, [0.025, 0.975])
    return [round(float(low), 6), round(float(high), 6)]


def bootstrap_ratio(numerators: Sequence[float], denominators: Sequence[float]) -> tuple[float | None, list[float]]:
    """Sum of numerators over sum of denominators with its 95 % percentile interval over resampled sessions.

    Returns (None, []) when there are no sessions or the denominators sum to zero. Resamples whose denominator is
    zero are left out. The random stream is fixed, so the same sessions give the same interval.
    """
    top = np.asarray(numerators, dtype=np.float64)
    bottom = np.asarray(denominators, dtype=np.float64)
    if not len(top) or bottom.sum() == 0:
        return None, []
    rng = np.random.default_rng(_SEED)
    counts = rng.multinomial(len(top), np.full(len(top), 1 / len(top)), size=_RESAMPLES)
    tops, bottoms = counts @ top, counts @ bottom
    kept = bottoms > 0
    return float(top.sum() / bottom.sum()), _interval(tops[kept] / bottoms[kept])


def bootstrap_mean(values: Sequence[float]) -> tuple[float | None, list[float]]:
    """The mean with its 95 % percentile interval over resampled sessions."""
    return bootstrap_ratio(values, [1.0] * len(values))
