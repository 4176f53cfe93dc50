"""A run's figures computed again from its records, without playing."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from teach_agents.core.benchmark.folder import claimed, storing, write_atomically, write_json
from teach_agents.core.benchmark.stored import StoredRun, read_run
from teach_agents.core.json_types import JsonMapping

_UNCOMPARED = frozenset({"teach_agents", "interval_rule"})
"""Keys of a summary that say with what it was made."""


@dataclass(frozen=True, slots=True)
class Rescored:
    """A run judged again.

    `judged` counts the instances with a record, `unrecorded` names finished ones without (their process died, they
    never started): what the run noted of them holds. `lines` are the run's lines as they are now, `changed` the ids of
    those that are other than they were; `differences` the places, as dotted paths, in which the new `summary` is other
    than the run's. `wider` are the intervals that are no narrower than the run's, whose summary has them by another
    rule (`interval_rule`): they are no differences.
    """

    run: StoredRun
    judged: int
    unrecorded: tuple[str, ...]
    lines: Mapping[str, JsonMapping]
    changed: tuple[str, ...]
    summary: JsonMapping
    differences: tuple[str, ...]
    wider: tuple[str, ...] = ()

    @property
    def agrees(self) -> bool:
        """Whether everything is as the run has it."""
        return not self.differences and not self.changed

    def write(self) -> None:
        """Put the new figures, and the lines they come from, in place of the run's.

        Raises `InputError` while the run is being played, `TeachAgentsError` where it cannot be written.
        """
        folder = self.run.folder
        with claimed(folder), storing(folder):
            if self.changed:
                write_atomically(
                    self.run.journal, "".join(json.dumps(line, allow_nan=False) + "\n" for line in self.lines.values())
                )
            write_json(folder / "summary.json", self.summary)


def rescore(folder: Path) -> Rescored:
    """Judge every finished instance of a run again from its record, and count again.

    Raises `InputError` for a folder that holds no run, and what the benchmark raises for a damaged record, or where
    something that judges is not installed any more.
    """
    run = read_run(folder)
    lines: dict[str, JsonMapping] = {}
    unrecorded = []
    for name, line in run.lines.items():
        new = run.kind.again(run, line)
        if new is None:
            unrecorded.append(name)
        lines[name] = line if new is None else new
    now = replace(run, lines=lines)
    summary = run.kind.summary(now)
    found = dict(_differences(run.summary, json.loads(json.dumps(summary))))
    same_rule = run.summary.get("interval_rule") == summary["interval_rule"]
    wider = tuple(path for path, pair in found.items() if not same_rule and _widens(path, *pair))
    return Rescored(
        run=now,
        judged=len(lines) - len(unrecorded),
        unrecorded=tuple(unrecorded),
        lines=lines,
        changed=tuple(name for name, line in run.lines.items() if lines[name] != line),
        summary=summary,
        differences=tuple(path for path in found if path not in wider),
        wider=wider,
    )


def _widens(path: str, old: Any, new: Any) -> bool:
    """Whether a difference is that of an interval that has come to hold the one there was."""
    if not path.endswith("_ci") or not isinstance(old, list):
        return False
    return not old or (len(new) == len(old) and new[0] <= old[0] and old[1] <= new[1])


def _differences(old: Any, new: Any, path: str = "") -> Iterator[tuple[str, tuple[Any, Any]]]:
    """Where two JSON values differ, as dotted paths with both; intervals (`..._ci`) are taken whole."""
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for key in [*old, *(key for key in new if key not in old)]:
            if path or key not in _UNCOMPARED:
                yield from _differences(old.get(key), new.get(key), f"{path}.{key}" if path else str(key))
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new) and not path.endswith("_ci"):
        for number, (one, other) in enumerate(zip(old, new, strict=True)):
            yield from _differences(one, other, f"{path}[{number}]")
    elif old != new or type(old) is not type(new):
        yield path, (old, new)
