"""Two runs over the same instances, compared pair by pair."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from teach_agents.benchmarks.metrics import UNKNOWN, Outcome, left_to_right, measure
from teach_agents.core.benchmark.statistics import Values, bootstrap_ratio, paired_p_value
from teach_agents.errors import InputError

__all__ = ["Comparison", "compare"]


@dataclass(frozen=True, slots=True)
class Comparison:
    """One figure of two runs, `a` and `b`.

    `difference` is b - a, with its 95 % interval over resampled rooms; of few rooms and without spread `statistics`
    says what it is, [] of amounts of a single room or that differ by the same in all. `p_value` is two-sided, from sign
    flips of whole rooms; `higher` and `lower` count the instances in which b's figure is above or below a's.
    """

    figure: str
    a: float
    b: float
    difference: float
    ci: tuple[float, ...]
    p_value: float
    n: int
    rooms: int
    higher: int
    lower: int

    def to_json(self) -> dict[str, Any]:
        """The comparison as JSON."""
        return {**asdict(self), "ci": list(self.ci)}


@dataclass(frozen=True, slots=True)
class _Figure:
    """What is compared: a value and a weight per instance; the figure is sum of values over sum of weights. `of` is
    what its differences are."""

    value: Callable[[Outcome], float]
    weight: Callable[[Outcome], float] = lambda _: 1.0
    of: Values = "differences"


_FIGURES: Mapping[str, _Figure] = {
    "success_rate": _Figure(lambda one: measure(one).success),
    "goal_condition_success_macro": _Figure(lambda one: measure(one).goal_condition_success),
    "path_length_weighted_success_rate": _Figure(
        lambda one: measure(one).path_len_weighted_success_spl, lambda one: one.reference_length
    ),
    "steps": _Figure(lambda one: one.steps, of="amounts"),
    "failed_actions": _Figure(lambda one: one.failed_actions, of="amounts"),
    "utterances": _Figure(lambda one: one.costs.utterances, of="amounts"),
    "tokens": _Figure(lambda one: one.costs.tokens, of="amounts"),
}


def compare(a: Sequence[Outcome], b: Sequence[Outcome]) -> tuple[Comparison, ...]:
    """Compare two runs figure by figure.

    Both must hold one outcome of every instance of one list (see `summary.completed`): nothing is left out of a
    comparison because one of the runs lost it. Raises `InputError` naming an instance that only one of them has.
    """
    others = {one.instance_id: one for one in b}
    mine = {one.instance_id for one in a}
    for which, ids in (("the second", mine - others.keys()), ("the first", others.keys() - mine)):
        if ids:
            problem = f"{which} run has no outcome of {len(ids)} instances of the other, for example"
            raise InputError("comparison", problem, value=min(ids))
    if not a:
        raise InputError("comparison", "there are no instances to compare")
    pairs = [(one, others[one.instance_id]) for one in a]
    return tuple(_compared(name, figure, pairs) for name, figure in _FIGURES.items())


def _compared(name: str, figure: _Figure, pairs: Sequence[tuple[Outcome, Outcome]]) -> Comparison:
    rooms = [(one if one.cluster != UNKNOWN else other).unit for one, other in pairs]
    values = [(float(figure.value(one)), float(figure.value(two))) for one, two in pairs]
    weights = [float(figure.weight(one)) for one, _ in pairs]
    total = left_to_right(weights)
    differences = [second - first for first, second in values]
    return Comparison(
        figure=name,
        a=left_to_right(first for first, _ in values) / total if total else 0.0,
        b=left_to_right(second for _, second in values) / total if total else 0.0,
        difference=left_to_right(differences) / total if total else 0.0,
        ci=tuple(bootstrap_ratio(differences, weights, clusters=rooms, of=figure.of)[1]),
        p_value=paired_p_value(differences, clusters=rooms),
        n=len(pairs),
        rooms=len(set(rooms)),
        higher=sum(one > 0 for one in differences),
        lower=sum(one < 0 for one in differences),
    )
