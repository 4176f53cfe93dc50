"""Results: published figures and measured ones, each with the definition of its metric and its source.

Files of results have one format; a file that says anything else is refused as a whole.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from math import inf
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from teach_agents.core.errors import InputError

_Text = Annotated[str, Field(min_length=1)]
_Number = Annotated[float, Field(allow_inf_nan=False)]

_MOST: Mapping[str, int] = {"percent": 100, "fraction": 1}
"""The largest value of a unit that has one."""


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Metric(_Value):
    """What a figure counts. `average` says over what; `unstated` where a source does not say."""

    title: _Text
    unit: Literal["percent", "fraction", "points", "actions", "steps", "moves", "metres", "milliseconds"]
    average: Literal["instances", "sessions", "episodes", "micro", "macro", "unstated"]
    weighting: str
    definition: _Text


class Publication(_Value):
    """Where others told a figure, and what it is of as far as they say."""

    kind: Literal["publication"]
    title: _Text
    where: _Text
    simulator: _Text
    instances: _Text
    denominator: _Text
    notes: str = ""


class Measurement(_Value):
    """How we got a figure. `privileges` is what the agents read beyond what their seats see, by seat.

    `commit` ends in `+` where the checkout had changes. `seconds` is the wall time of the whole run and `load` the
    machine's load average before it, per core: a figure of time from a busy machine says so.
    """

    kind: Literal["measurement"]
    command: _Text
    commit: str
    simulator: _Text
    instances: _Text
    denominator: _Text = "every instance of the list"
    privileges: Mapping[str, tuple[str, ...]]
    seed: int
    model: str | None = None
    model_hash: str | None = None
    prompt_hash: str | None = None
    version: str = ""
    seconds: _Number | None = None
    load: _Number | None = None
    notes: str = ""


Source = Annotated[Publication | Measurement, Field(discriminator="kind")]


class Row(_Value):
    """One figure of one system on one split, of all of it unless `task` names a part: a task, a level, a turn.

    `value` is in the metric's unit, `interval` its 95 % interval, `spread` a standard deviation. `n` is how many
    instances it is of, where that is known.
    """

    system: _Text
    benchmark: _Text
    split: _Text
    task: str = ""
    metric: _Text
    value: _Number
    n: Annotated[int, Field(gt=0)] | None
    interval: tuple[_Number, _Number] | None = None
    spread: Annotated[_Number, Field(ge=0)] | None = None
    source: _Text
    notes: str = ""

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if self.interval is not None and not self.interval[0] <= self.interval[1]:
            raise ValueError(f"the interval's bounds are the wrong way round: {self.interval}")
        return self

    @property
    def key(self) -> tuple[str, ...]:
        """What no other row shares."""
        return self.system, self.benchmark, self.split, self.task, self.metric, self.source


class Results(_Value):
    """A file of results. Every row's metric and source are defined, and no figure stands there twice."""

    format: Literal[1] = 1
    metrics: Mapping[str, Metric] = {}
    sources: Mapping[str, Source] = {}
    rows: tuple[Row, ...] = ()

    @model_validator(mode="after")
    def _whole(self) -> Self:
        seen: set[tuple[str, ...]] = set()
        for number, row in enumerate(self.rows):
            for what, name, known in (("metric", row.metric, self.metrics), ("source", row.source, self.sources)):
                if name not in known:
                    raise ValueError(f"row {number}: unknown {what} {name!r}; valid: {', '.join(known)}")
            unit = self.metrics[row.metric].unit
            if row.value > _MOST.get(unit, inf):
                raise ValueError(f"row {number}: {row.value} is more than {_MOST[unit]} {unit}")
            if row.key in seen:
                raise ValueError(f"row {number}: stands there twice: {row.key}")
            seen.add(row.key)
        return self

    def joined(self, other: Results) -> Results:
        """Both together; the rows of this one come first. Raises `InputError` for a figure that both hold."""
        metrics, sources = {**self.metrics, **other.metrics}, {**self.sources, **other.sources}
        try:
            return Results(metrics=metrics, sources=sources, rows=(*self.rows, *other.rows))
        except ValidationError as error:
            raise InputError("results", _said(error)) from error


def read_results(path: Path, metrics: Mapping[str, Metric] | None = None) -> Results:
    """Read a file of results; `metrics` are known without being defined in it.

    Raises `InputError` naming the file, the place in it and what is wrong.
    """
    try:
        data: Any = json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise InputError(path, f"cannot be read: {error}") from error
    if not isinstance(data, dict):
        raise InputError(path, "must hold a JSON object", value=type(data).__name__)
    known = {name: one.model_dump() for name, one in (metrics or {}).items()}
    if isinstance(data.get("metrics", {}), dict):
        data = {**data, "metrics": {**known, **data.get("metrics", {})}}
    try:
        return Results.model_validate(data)
    except ValidationError as error:
        raise InputError(path, _said(error)) from error


def _said(error: ValidationError) -> str:
    """The first thing that is wrong, and where."""
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"])
    given = f" (got {first['input']!r})" if isinstance(first["input"], str | int | float | None) else ""
    return f"{where + ': ' if where else ''}{first['msg'].removeprefix('Value error, ')}{given}"
