"""The classes of misses that cost most, each with examples to look at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any, NamedTuple

from teach_agents.benchmarks.fidelity.rows import ClickRow, MoveRow, OutcomeRow, PropertyMiss, SessionRows
from teach_agents.benchmarks.fidelity.tally import RowT

_EXAMPLES = 5
_KEPT = 20


@dataclass(slots=True)
class MissClass:
    """Misses of one kind: what they are, how many of how many cases, and the first examples.

    An example is `GAME_ID:INDEX`, the index counting the session's recorded interactions from 0 (for properties:
    `GAME_ID:OBJECT_ID`). `apart` holds, for clicks, the distances of `ClickRow.apart`.
    """

    name: str
    misses: int = 0
    of: int = 0
    examples: list[str] = field(default_factory=list)
    apart: list[float] = field(default_factory=list)

    def add(self, example: str) -> None:
        """Count a miss; examples come from as many sessions as possible."""
        self.misses += 1
        session = example.partition(":")[0]
        if len(self.examples) < _EXAMPLES and all(session != known.partition(":")[0] for known in self.examples):
            self.examples.append(example)

    def to_json(self) -> dict[str, Any]:
        """As JSON."""
        plain = {"class": self.name, "misses": self.misses, "of": self.of, "examples": self.examples}
        return {**plain, "median_metres_apart": round(median(self.apart), 3)} if self.apart else plain


def worst_classes(sessions: Sequence[SessionRows]) -> dict[str, list[MissClass]]:
    """By kind of figure its classes of misses, most misses first, twenty at most."""
    return {
        "moves": _classes(sessions, _moves, move_class, lambda row: f"{row.action} {row.recorded}"),
        "clicks": _classes(sessions, _clicks, click_class, lambda row: f"{row.action} {row.wanted_type}"),
        "outcomes": _classes(sessions, _outcomes, _outcome_class, _outcome_group),
        "properties": _properties(sessions),
        "tasks": _classes(sessions, _ends, _end_class, lambda row: row.task),
        "progress_checks": _classes(sessions, _checks, _check_class, lambda row: f"{row.task} {row.recorded}"),
    }


def _classes(
    sessions: Sequence[SessionRows],
    rows: Callable[[SessionRows], Iterable[tuple[int, RowT]]],
    miss: Callable[[RowT], str],
    group: Callable[[RowT], str],
) -> list[MissClass]:
    """`miss` names a row's class (`""` for a hit); `group` the cases that its misses are counted out of."""
    found: dict[str, MissClass] = {}
    cases: Counter[str] = Counter()
    groups: dict[str, str] = {}
    for session in sessions:
        for index, row in rows(session):
            cases[group(row)] += 1
            name = miss(row)
            if name:
                groups[name] = group(row)
                one = found.setdefault(name, MissClass(name))
                one.add(f"{session.game_id}:{index}")
                if isinstance(row, ClickRow) and row.apart is not None:
                    one.apart.append(row.apart)
    for name, one in found.items():
        one.of = cases[groups[name]]
    return _ranked(found.values())


def _ranked(classes: Iterable[MissClass]) -> list[MissClass]:
    return sorted(classes, key=lambda one: (-one.misses, one.name))[:_KEPT]


def _moves(session: SessionRows) -> Iterable[tuple[int, MoveRow]]:
    return ((row.index, row) for row in session.aided.moves)


def _clicks(session: SessionRows) -> Iterable[tuple[int, ClickRow]]:
    return ((row.index, row) for row in session.aided.clicks)


def _outcomes(session: SessionRows) -> Iterable[tuple[int, OutcomeRow]]:
    return ((row.index, row) for row in session.aided.outcomes)


class _Answer(NamedTuple):
    """Whether a session's task is complete: then and here."""

    task: str
    recorded: bool
    here: bool


def _ends(session: SessionRows) -> Iterable[tuple[int, _Answer]]:
    return ((session.interactions, _Answer(session.task, True, session.aided.task_complete)),)


def _checks(session: SessionRows) -> Iterable[tuple[int, _Answer]]:
    return ((row.index, _Answer(session.task, row.recorded, row.predicted)) for row in session.aided.checks)


def _end_class(row: _Answer) -> str:
    return "" if row.here else f"{row.task} is not complete at the end"


def _check_class(row: _Answer) -> str:
    if row.recorded == row.here:
        return ""
    return f"{row.task} was complete, here not" if row.recorded else f"{row.task} was not complete, here it is"


def move_class(row: MoveRow) -> str:
    """The class of a step that is wrongly allowed or blocked, `""` for a hit."""
    if row.recorded == row.predicted:
        return ""
    return (
        f"{row.action} was allowed, here {row.blocker} blocks"
        if row.recorded
        else f"{row.action} was blocked, here it is free"
    )


def click_class(row: ClickRow) -> str:
    """The class of a click's miss, `""` for a hit."""
    if row.equivalent:
        return ""
    other = "another " if row.found_type == row.wanted_type else ""
    return f"{row.action} {row.wanted_type}: click chooses {other}{row.found_type}"


def _outcome_class(row: OutcomeRow) -> str:
    if row.recorded == row.predicted:
        return ""
    then, here = ("succeeded", "fails") if row.recorded else ("failed", "succeeds")
    return f"{_what(row)} {then}, {here} here"


def _outcome_group(row: OutcomeRow) -> str:
    return f"{_what(row)} {row.recorded}"


def _what(row: OutcomeRow) -> str:
    held = f"{row.held_type} on " if row.action == "Place" and row.held_type else ""
    return f"{row.action} {held}{row.target_type}"


def _properties(sessions: Sequence[SessionRows]) -> list[MissClass]:
    found: dict[str, MissClass] = {}
    for session in sessions:
        for miss in session.aided.misses:
            name = _property_class(miss)
            found.setdefault(name, MissClass(name)).add(f"{session.game_id}:{miss.object_id}")
    for one in found.values():
        prop = one.name.split()[1]
        one.of = sum(session.aided.properties[prop].total for session in sessions)
    return _ranked(found.values())


def _property_class(miss: PropertyMiss) -> str:
    """Object ids in values give way to a word, so that alike misses fall together."""
    recorded, ours = ("an id" if "|" in value else value for value in (miss.recorded, miss.ours))
    return f"{miss.object_type} {miss.name} recorded {recorded}, here {ours}"
