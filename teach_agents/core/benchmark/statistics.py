"""95 % intervals of means and ratios by resampling instances or whole clusters of them; paired tests by sign flips.

Resampling says nothing where nothing differs, and too little of few clusters: where fewer than `FEW` clusters weigh, or
all resamples agree, the interval is the smallest that holds the resampled one and one that does without resampling,
chosen by what the values are (`Values`):

- `shares` of what there was to get (success, progress, path weights: 0 ... 1; less than 0 where more was undone than
  done): Wilson's of the share and n. No values in 0 ... 1 vary more than zeros and ones of the same mean do, so it is
  sound of all of them. A value outside 0 ... 1 widens the range. With weights n is (sum of w)^2 / (sum of w^2).
- `differences` of two shares of one instance, -1 ... 1: gains and losses are shares, each with Wilson's interval; the
  two are put together as Newcombe does with paired proportions. With neither gain nor loss that is
  +- z^2 / (n + z^2), as Tango's score interval has it.
- `amounts` have no bounds (steps, utterances): Student's over the clusters' sums. Of a single cluster, and where
  nothing differs, there is no interval ([]): how far amounts could vary is not known.

An interval of few clusters still tells more of these clusters than of others. Random streams are fixed: the same
figures give the same interval and the same p-value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache, reduce
from math import sqrt
from operator import add
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

FEW = 10
"""Of fewer clusters resampling alone is not trusted."""

COMPARABLE = 20
"""A figure of fewer instances is not set beside what others published."""

INTERVAL_RULE = f"95 %, clusters resampled; of fewer than {FEW}, or without spread, no narrower than Wilson's of n"
"""What a summary says of its intervals."""

Values: TypeAlias = Literal["shares", "differences", "amounts"]

_Z2 = 1.959963984540054**2
_STUDENT = (12.706205, 4.302653, 3.182446, 2.776445, 2.570582, 2.446912, 2.364624, 2.306004)
"""97.5 % quantiles of Student's t with 1, 2, ... degrees of freedom."""

_RESAMPLES = 10_000
_SEED = 20220101
_EXACT = 13
"""Up to so many clusters all 2^n sign flips are tried."""

_TIE = 1e-9
"""Sums this close to the observed one are as extreme, whatever the order of additions made of them."""

Numbers: TypeAlias = "np.ndarray[tuple[int], np.dtype[np.float64]]"
Table: TypeAlias = "np.ndarray[tuple[int, int], np.dtype[np.float64]]"
Ratio: TypeAlias = tuple[Numbers, Numbers]


class _Found(NamedTuple):
    """A figure: the mean of `ratios`, one of each per instance; `pooled` has their sums by cluster, `units` of which
    weigh. `n` is how many equal instances weigh as much."""

    value: float
    ratios: Sequence[Ratio]
    pooled: Sequence[Ratio]
    units: int
    n: float

    def reach(self) -> Numbers:
        """The figure, and each instance's own."""
        return np.concatenate(
            [np.array([self.value]), *[top[bottom > 0] / bottom[bottom > 0] for top, bottom in self.ratios]]
        )


def wilson(share: float, n: float) -> list[float]:
    """Wilson's 95 % score interval of a share (0 ... 1) of n instances."""
    middle, half = share + _Z2 / n / 2, sqrt(_Z2 / n * (share * (1 - share) + _Z2 / n / 4))
    return _rounded(max(0.0, (middle - half) / (1 + _Z2 / n)), min(1.0, (middle + half) / (1 + _Z2 / n)))


def _of_shares(found: _Found) -> list[float]:
    """Wilson's, on the range from 0 to 1 or from the lowest value to the highest."""
    reach = found.reach()
    least, most = min(0.0, float(reach.min())), max(1.0, float(reach.max()))
    low, high = wilson((found.value - least) / (most - least), found.n)
    return _rounded(least + low * (most - least), least + high * (most - least))


def _of_differences(found: _Found) -> list[float]:
    """Wilson's of gains and of losses, put together. No instance has both: their covariance is -gains x losses / n."""
    gains = _mean([(np.maximum(top, 0.0), bottom) for top, bottom in found.ratios])
    losses = gains - found.value
    scale = max(1.0, gains + losses, float(np.abs(found.reach()).max()))
    gained, lost = gains / scale, max(0.0, losses / scale)
    least_gained, most_gained = wilson(gained, found.n)
    least_lost, most_lost = wilson(lost, found.n)
    free = (1 - gained) * (1 - lost)
    opposed = sqrt(gained * lost / free) if free > 0 else 0.0

    def reached(one: float, other: float) -> float:
        return scale * sqrt(one**2 + other**2 + 2 * opposed * one * other)

    low = found.value - reached(gained - least_gained, most_lost - lost)
    high = found.value + reached(most_gained - gained, lost - least_lost)
    return _rounded(max(low, -scale), min(high, scale))


def _of_amounts(found: _Found) -> list[float]:
    """Student's, of the clusters' deviations; none of one cluster, of ones that do not deviate, and of many."""
    if not 2 <= found.units < FEW:
        return []
    off = np.mean([(top - top.sum() / bottom.sum() * bottom) / bottom.sum() for top, bottom in found.pooled], axis=0)
    half = _STUDENT[found.units - 2] * sqrt(found.units / (found.units - 1) * float((off**2).sum()))
    return _rounded(found.value - half, found.value + half) if half > _TIE else []


_ALONE: Mapping[Values, Callable[[_Found], list[float]]] = {
    "shares": _of_shares,
    "differences": _of_differences,
    "amounts": _of_amounts,
}
"""Intervals that do without resampling."""


def _rounded(low: float, high: float) -> list[float]:
    return [round(float(low), 6), round(float(high), 6)]


def _mean(ratios: Sequence[Ratio]) -> float:
    return float(np.mean([top.sum() / bottom.sum() for top, bottom in ratios]))


def _resampled(pooled: Sequence[Ratio]) -> list[float]:
    """The interval of the resamples in which no denominator is zero."""
    counts = _draws(len(pooled[0][0]))
    drawn = [(counts @ top, counts @ bottom) for top, bottom in pooled]
    kept = np.logical_and.reduce([bottoms > 0 for _, bottoms in drawn])
    return _rounded(
        *np.quantile(np.mean([tops[kept] / bottoms[kept] for tops, bottoms in drawn], axis=0), [0.025, 0.975])
    )


@lru_cache(maxsize=1)
def _draws(units: int) -> Table:
    """How often each resample draws each instance or cluster."""
    return (
        np.random.default_rng(_SEED).multinomial(units, np.full(units, 1 / units), size=_RESAMPLES).astype(np.float64)
    )


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
    numerators: Sequence[float],
    denominators: Sequence[float],
    *,
    clusters: Sequence[str] | None = None,
    of: Values = "shares",
    counted: bool = False,
) -> tuple[float | None, list[float]]:
    """Sum of numerators over sum of denominators with its 95 % interval; see `bootstrap_mean_of_ratios`."""
    return bootstrap_mean_of_ratios([(numerators, denominators)], clusters=clusters, of=of, counted=counted)


def bootstrap_mean_of_ratios(
    ratios: Sequence[tuple[Sequence[float], Sequence[float]]],
    *,
    clusters: Sequence[str] | None = None,
    of: Values = "shares",
    counted: bool = False,
) -> tuple[float | None, list[float]]:
    """The mean of several ratios over the same instances, such as the recalls of a balanced accuracy.

    Each ratio is (numerators, denominators), one of each per instance; those whose denominators sum to zero are left
    out, and (None, []) is the answer when none is left. `clusters` names what each instance is alike with: whole
    clusters are resampled then. The interval holds 95 % of the resampled figures, those with a denominator of zero left
    out; of few clusters, or ones that do not differ, it is no narrower than the module says of what the values are
    (`of`). Where denominators are themselves counts of the instances, such as the cases of a session, say `counted`.
    """
    known = [(np.asarray(top, dtype=np.float64), np.asarray(bottom, dtype=np.float64)) for top, bottom in ratios]
    known = [(top, bottom) for top, bottom in known if bottom.sum() != 0]
    if not known:
        return None, []
    pooled = [(_pooled(top, clusters), _pooled(bottom, clusters)) for top, bottom in known]
    resampled = _resampled(pooled)
    units = int(np.logical_or.reduce([bottom != 0 for _, bottom in pooled]).sum())
    sizes = [bottom.sum() if counted else bottom.sum() ** 2 / (bottom**2).sum() for _, bottom in known]
    found = _Found(_mean(known), known, pooled, units, len(sizes) / sum(1 / size for size in sizes))
    if units >= FEW and resampled[0] < resampled[1]:
        return found.value, resampled
    alone = _ALONE[of](found)
    return found.value, [min(resampled[0], alone[0]), max(resampled[1], alone[1])] if alone else []


def bootstrap_mean(
    values: Sequence[float], *, clusters: Sequence[str] | None = None, of: Values = "shares"
) -> tuple[float | None, list[float]]:
    """The mean with its 95 % interval; see `bootstrap_mean_of_ratios`."""
    return bootstrap_ratio(values, [1.0] * len(values), clusters=clusters, of=of)


def paired_p_value(differences: Sequence[float], *, clusters: Sequence[str] | None = None) -> float:
    """The two-sided p-value of a mean difference between two runs of the same instances; 1 of none.

    A permutation test: were the runs alike, each difference could as well have the other sign, those of one cluster
    together. All sign flips are tried where that is possible, else 10,000 drawn ones, the observed one counted.
    """
    sums = _pooled(differences, clusters)
    observed = abs(float(sums.sum()))
    if len(sums) <= _EXACT:
        flips = (np.arange(2 ** len(sums))[:, None] >> np.arange(len(sums)) & 1) * 2.0 - 1.0
        return float(np.mean(np.abs(flips @ sums) >= observed - _TIE))
    flips = np.random.default_rng(_SEED).integers(0, 2, size=(_RESAMPLES, len(sums))) * 2.0 - 1.0
    return float((1 + np.sum(np.abs(flips @ sums) >= observed - _TIE)) / (1 + _RESAMPLES))


def left_to_right(values: Iterable[float]) -> float:
    """The sum, added up from left to right; `sum` rounds otherwise from Python 3.12 on."""
    return reduce(add, values, 0.0)
