"""What became of instances, whichever benchmark's: the list of instances is the denominator of everything.

A benchmark may have outcomes of a class of its own, with `instance_id`, `status`, `reason`, `success`, `cluster`,
`unit`, `costs` and `figures` like those of `Outcome`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, TypeVar

from teach_agents.core.benchmark.costs import Costs
from teach_agents.core.benchmark.statistics import Values
from teach_agents.core.errors import InputError
from teach_agents.core.json_types import JsonMapping
from teach_agents.core.values import NOTHING, nothing

UNKNOWN = "unknown"
"""The group or the cluster of an instance of which no more than the name is known."""
_ABSENT = "there is no outcome of it"


class Status(StrEnum):
    """What became of an instance. Whatever is not done counts as a failure."""

    DONE = "done"
    """It ran to an end of its own."""
    NOT_STARTED = "not_started"
    """Its initial state could not be made to stand."""
    CRASHED = "crashed"
    TIMED_OUT = "timed_out"
    MISSING = "missing"
    """It was never run."""


@dataclass(frozen=True, slots=True)
class Figure:
    """What an instance adds to a figure that two runs are compared by: sum of values over sum of weights.

    `of` says what its differences are, see `statistics`.
    """

    value: float
    weight: float = 1.0
    of: Values = "differences"


def unit_of(cluster: str, instance_id: str) -> str:
    """What is resampled whole: the cluster, for what happens in one is alike; the instance where it is not known."""
    return cluster if cluster not in ("", UNKNOWN) else f"instance {instance_id}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of one instance.

    `success` is `None` where nobody judges it. `scores` are the benchmark's figures; empty for what did not come to an
    end. `groups` are those that the instance is in, by kind (level, quest). `marked` says that a stranger spoke into
    it, `reason` why the status is not done.
    """

    instance_id: str
    status: Status = Status.DONE
    reason: str = ""
    success: bool | None = False
    scores: Mapping[str, float] = field(default_factory=nothing)
    cluster: str = ""
    groups: Mapping[str, str] = field(default_factory=nothing)
    turns: int = 0
    end: str = ""
    costs: Costs = Costs()
    marked: bool = False

    @property
    def unit(self) -> str:
        """What is resampled whole with this instance; see `unit_of`."""
        return unit_of(self.cluster, self.instance_id)

    @property
    def figures(self) -> Mapping[str, Figure]:
        """What two runs are compared by."""
        amounts = {"turns": self.turns, "utterances": self.costs.utterances, "tokens": self.costs.tokens}
        return {
            **({} if self.success is None else {"success_rate": Figure(float(self.success))}),
            **{
                name: Figure(value, of="differences" if 0 <= value <= 1 else "amounts")
                for name, value in self.scores.items()
                if name != "success"
            },
            **{name: Figure(float(value), of="amounts") for name, value in amounts.items()},
        }

    @classmethod
    def of_line(cls, line: JsonMapping) -> Outcome:
        """The outcome that a line of a journal tells."""
        status, said = Status(line["status"]), line.get
        success = said("success") if status is Status.DONE else False
        costs = sum((Costs(**found) for found in said("costs", {}).values()), Costs())
        return cls(
            instance_id=line["instance_id"],
            status=status,
            reason=said("reason", ""),
            success=None if success is None else bool(success),
            scores=said("scores", NOTHING) if status is Status.DONE else NOTHING,
            cluster=said("cluster", ""),
            groups=said("groups", NOTHING),
            turns=said("turns", 0),
            end=said("end_reason", "") or status.value,
            costs=costs + Costs(wall_s=said("wall_s", 0.0)),
            marked=bool(said("marked")),
        )


OutcomeT = TypeVar("OutcomeT", bound=Any)


def completed(expected: Sequence[OutcomeT], found: Iterable[OutcomeT]) -> tuple[OutcomeT, ...]:
    """One outcome for every instance of the list, in the list's order: the denominator of everything.

    `expected` says of each instance what is known before it runs; where `found` has no outcome it has failed as
    missing. Raises `InputError` for an outcome of an instance that is not in the list, and for two of one instance.
    """
    by_id: dict[str, OutcomeT] = {}
    listed = {one.instance_id for one in expected}
    for one in found:
        name = one.instance_id
        if name not in listed:
            problem = "there is an outcome of an instance that is not in the list"
            raise InputError("outcomes", problem, value=name, valid=sorted(listed))
        if name in by_id:
            raise InputError("outcomes", "there are two of one instance", value=name)
        by_id[name] = one
    return tuple(
        by_id.get(one.instance_id) or replace(one, status=Status.MISSING, reason=_ABSENT, success=False)
        for one in expected
    )
