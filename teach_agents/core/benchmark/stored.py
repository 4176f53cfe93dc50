"""What the folder of a run of any benchmark says, read without playing and without touching it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from teach_agents.core.benchmark.folder import Journal, environments_in
from teach_agents.core.benchmark.lookup import stored_benchmark
from teach_agents.core.errors import InputError
from teach_agents.core.json_types import JsonMapping
from teach_agents.core.values import nothing

if TYPE_CHECKING:
    from teach_agents.core.benchmark.contract import Benchmark


@dataclass(frozen=True, slots=True)
class StoredRun:
    """What a folder says: the benchmark's name, its settings, and what became of every instance that was asked for.

    `asked` holds what was asked for by id, in the list's order, `lines` what the run wrote of the finished ones.
    `summary` is `summary.json`, `environments` what the run was carried out with; both are empty where there is none.
    """

    folder: Path
    benchmark: str
    settings: JsonMapping
    asked: Mapping[str, JsonMapping]
    lines: Mapping[str, JsonMapping]
    summary: JsonMapping = field(default_factory=nothing)
    environments: tuple[JsonMapping, ...] = ()

    @property
    def kind(self) -> Benchmark[Any, Any]:
        """The benchmark itself, as the run was played. Raises `SpecError` where it is not installed."""
        return stored_benchmark({"benchmark": self.benchmark, "settings": self.settings})

    @property
    def journal(self) -> Path:
        """The file of `lines`."""
        return self.folder / self.kind.journal

    @property
    def outcomes(self) -> tuple[Any, ...]:
        """The benchmark's outcome for every instance; of missing ones no more than summary or list says is known."""
        return self.kind.outcomes(self)

    @property
    def marked(self) -> tuple[str, ...]:
        """The instances into which a stranger spoke."""
        return tuple(name for name, line in self.lines.items() if line.get("marked"))

    def check_unmarked(self) -> None:
        """Raise `InputError` where a stranger spoke into a session: the run enters no comparison."""
        if marked := self.marked:
            problem = f"in {self.folder} a stranger spoke into {len(marked)} sessions: it enters no comparison; one is"
            raise InputError("run", problem, value=marked[0])


def by_id(asked: Any) -> dict[str, JsonMapping]:
    """What `settings.json` says of the instances; a name alone is one that no more is said of."""
    return {one["instance_id"]: one for one in ({"instance_id": x} if isinstance(x, str) else x for x in asked)}


def read_run(folder: Path) -> StoredRun:
    """Read the folder of a run.

    A line written twice (a run was copied together) counts once, as the last one says; lines of other instances do not
    count. Raises `InputError` for a folder that holds no run, `SpecError` for a benchmark that is not installed.
    """
    try:
        claim = json.loads((folder / "settings.json").read_bytes())
        settings, known = claim["settings"], by_id(claim["instances"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(folder, "is no folder of a run: its settings.json cannot be read") from error
    kind = stored_benchmark(claim)
    try:
        summary = json.loads((folder / "summary.json").read_bytes())
    except (OSError, ValueError):
        summary = {}
    found = {name: line for line in Journal(folder / kind.journal) if (name := kind.id_of(line)) in known}
    return StoredRun(
        folder,
        kind.name,
        settings,
        known,
        {name: found[name] for name in known if name in found},
        summary if isinstance(summary, dict) else {},
        tuple(environments_in(folder)),
    )
