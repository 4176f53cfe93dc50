"""Confidence intervals of means and ratios by resampling whole sessions or whole rooms, and paired tests by sign flips.

Random streams are fixed: the same figures give the same interval and the same p-value.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TypeAlias

import numpy as np

__all__ = ["bootstrap_mean", "bootstrap_mean_of_ratios", "bootstrap_ratio", "paired_p_value"]

_RESAMPLES = 10_000
_SEED = 20220101
_EXACT = 13
"""Up to so many clusters all 2^n sign flips are tried."""

_TIE = 1e-9
"""Sums this close to the observed one are as extreme, whatever the order of additions made of them."""

Numbers: TypeAlias = "np.ndarray[tuple[int], np.dtype[np.float64]]"
Table: TypeAlias = "np.ndarray[tuple[int, int], np.dtype[np.float64]]"


def _interval(samples: Numbers) -> list[float]:
    low, high = np.quantile(samples, [0.025, 0.975])
    return [round(float(low), 6), round(float(high), 6)]


@lru_cache(maxsize=1)
def _draws(units: int) -> Table:
    """How often each resample draws each session or room."""
    rng = np.random.default_rng(_SEED)
    return rng.multinomial(units, np.full(units, 1 / units), size=_RESAMPLES).astype(np.float64)


def _pooled(values: Sequence[float] | Numbers, clusters: Sequence[str] | None) -> Numbers:
    """Sums by cluster, in order of the clusters' names; the values themselves without clusters."""
    known = np.asarray(values, dtype=np.float64)
    if clusters is None:
        return known
    if len(clusters) != len(known):
        raise ValueError(f"there are {len(known)} values and {len(clusters)} clusters")
    names, places = np.unique(np.asarray(clusters), return_inverse=True)
    return np.bincount(places, weights=known, minlength=len(names)).astype(np.float64)


def bootstrap_ratio(
    numerators: Sequence[float], denominators: Sequence[float], *, clusters: Sequence[str] | None = None
) -> tuple[float | None, list[float]]:
    """Sum of numerators over sum of denominators with its 95 % percentile interval over resampled sessions.

    `clusters` names each session's room: whole rooms are resampled then, for sessions in one room are alike, and there
    is no interval ([]) of a single room. Returns (None, []) when there are no sessions or the denominators sum to
    zero. Resamples whose denominator is zero are left out.
    """
    return bootstrap_mean_of_ratios([(numerators, denominators)], clusters=clusters)


def bootstrap_mean_of_ratios(
    ratios: Sequence[tuple[Sequence[float], Sequence[float]]], *, clusters: Sequence[str] | None = None
) -> tuple[float | None, list[float]]:
    """The mean of several ratios over the same sessions, such as the recalls of a balanced accuracy.

    Each ratio is (numerators, denominators), one of each per session. Ratios whose denominators sum to zero are left
    out, and from the interval the resamples in which another denominator is zero; (None, []) when none is left.
    """
    known = [(np.asarray(top, dtype=np.float64), np.asarray(bottom, dtype=np.float64)) for top, bottom in ratios]
    known = [(top, bottom) for top, bottom in known if bottom.sum() != 0]
    if not known:
        return None, []
    value = float(np.mean([top.sum() / bottom.sum() for top, bottom in known]))
    pooled = [(_pooled(top, clusters), _pooled(bottom, clusters)) for top, bottom in known]
    units = len(pooled[0][0])
    if clusters is not None and units < 2:
        return value, []
    counts = _draws(units)
    drawn = [(counts @ top, counts @ bottom) for top, bottom in pooled]
    kept = np.logical_and.reduce([bottoms > 0 for _, bottoms in drawn])
    return value, _interval(np.mean([tops[kept] / bottoms[kept] for tops, bottoms in drawn], axis=0))


def bootstrap_mean(
    values: Sequence[float], *, clusters: Sequence[str] | None = None
) -> tuple[float | None, list[float]]:
    """The mean with its 95 % percentile interval over resampled sessions, or rooms."""
    return bootstrap_ratio(values, [1.0] * len(values), clusters=clusters)


def paired_p_value(differences: Sequence[float], *, clusters: Sequence[str] | None = None) -> float:
    """The two-sided p-value of a mean difference between two runs of the same instances; 1 of none.

    A permutation test: were the runs alike, each difference could as well have the other sign, those of one cluster
    (room) together. All sign flips are tried where that is possible, else 10,000 drawn ones, the observed one counted.
    """
    sums = _pooled(differences, clusters)
    observed = abs(float(sums.sum()))
    if len(sums) <= _EXACT:
        flips = (np.arange(2 ** len(sums))[:, None] >> np.arange(len(sums)) & 1) * 2.0 - 1.0
        return float(np.mean(np.abs(flips @ sums) >= observed - _TIE))
    rng = np.random.default_rng(_SEED)
    flips = rng.integers(0, 2, size=(_RESAMPLES, len(sums))) * 2.0 - 1.0
    return float((1 + np.sum(np.abs(flips @ sums) >= observed - _TIE)) / (1 + _RESAMPLES))
