"""Two runs over the same instances, compared pair by pair."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from teach_agents.core.benchmark.outcomes import UNKNOWN, Figure
from teach_agents.core.benchmark.statistics import Values, bootstrap_ratio, left_to_right, paired_p_value
from teach_agents.core.benchmark.stored import StoredRun
from teach_agents.core.errors import InputError
from teach_agents.core.json_types import JsonObject

_NONE = Figure(0.0)


@dataclass(frozen=True, slots=True)
class Comparison:
    """One figure of two runs, `a` and `b`.

    `difference` is b - a, with its 95 % interval over resampled clusters; of few clusters and without spread
    `statistics` says what it is, [] of amounts of a single cluster or that differ by the same in all. `p_value` is
    two-sided, from sign flips of whole clusters; `higher` and `lower` count the instances in which b's figure is above
    or below a's.
    """

    figure: str
    a: float
    b: float
    difference: float
    ci: tuple[float, ...]
    p_value: float
    n: int
    clusters: int
    higher: int
    lower: int

    def to_json(self, cluster: str = "cluster") -> JsonObject:
        """The comparison as JSON; `cluster` is what the benchmark calls one."""
        told = {f"{cluster}s" if name == "clusters" else name: value for name, value in asdict(self).items()}
        return {**told, "ci": list(self.ci)}


def compare(a: Sequence[Any], b: Sequence[Any]) -> tuple[Comparison, ...]:
    """Compare two runs figure by figure.

    Both must hold one outcome of every instance of one list (see `outcomes.completed`): nothing is left out of a
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
    return tuple(
        _compared(name, pairs) for name in dict.fromkeys(name for pair in pairs for one in pair for name in one.figures)
    )


def _compared(name: str, pairs: Sequence[tuple[Any, Any]]) -> Comparison:
    units = [(one if one.cluster not in ("", UNKNOWN) else other).unit for one, other in pairs]
    figures = [(one.figures.get(name, _NONE), other.figures.get(name, _NONE)) for one, other in pairs]
    weights = [one.weight for one, _ in figures]
    total = left_to_right(weights)
    differences = [other.value - one.value for one, other in figures]
    of: Values = "amounts" if any(one.of == "amounts" for pair in figures for one in pair) else "differences"
    return Comparison(
        figure=name,
        a=left_to_right(one.value for one, _ in figures) / total if total else 0.0,
        b=left_to_right(other.value for _, other in figures) / total if total else 0.0,
        difference=left_to_right(differences) / total if total else 0.0,
        ci=tuple(bootstrap_ratio(differences, weights, clusters=units, of=of)[1]),
        p_value=paired_p_value(differences, clusters=units),
        n=len(pairs),
        clusters=len(set(units)),
        higher=sum(one > 0 for one in differences),
        lower=sum(one < 0 for one in differences),
    )


def compare_runs(first: StoredRun, second: StoredRun) -> tuple[Comparison, ...]:
    """Compare the runs of two folders.

    Raises `InputError` for runs of two benchmarks, over other instances, and for one into which a stranger spoke.
    """
    if first.benchmark != second.benchmark:
        problem = f"{first.folder} is a run of {first.benchmark}, but {second.folder} of"
        raise InputError("compare", problem, value=second.benchmark)
    for run in (first, second):
        run.check_unmarked()
    return compare(first.outcomes, second.outcomes)
