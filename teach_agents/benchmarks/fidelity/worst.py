"""The classes of misses that cost most, each with examples to look at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Any, NamedTuple

from teach_agents.benchmarks.fidelity.rows import ClickRow, MoveRow, SessionRows

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


class _Case(NamedTuple):
    """One case, or several: where it is, the `group` of which misses are counted, its class of miss (`""`: a hit)."""

    at: int | str
    group: str
    miss: str = ""
    apart: float | None = None
    cases: int = 1


def worst_classes(sessions: Sequence[SessionRows]) -> dict[str, list[MissClass]]:
    """By kind of figure its classes of misses, most misses first, twenty at most."""
    return {kind: _classes(sessions, cases_of) for kind, cases_of in _KINDS.items()}


def _classes(sessions: Sequence[SessionRows], cases_of: Callable[[SessionRows], Iterator[_Case]]) -> list[MissClass]:
    found: dict[str, MissClass] = {}
    cases: Counter[str] = Counter()
    groups: dict[str, str] = {}
    for session in sessions:
        for case in cases_of(session):
            cases[case.group] += case.cases
            if case.miss:
                groups[case.miss] = case.group
                one = found.setdefault(case.miss, MissClass(case.miss))
                one.add(f"{session.game_id}:{case.at}")
                one.apart += [] if case.apart is None else [case.apart]
    for name, one in found.items():
        one.of = cases[groups[name]]
    return sorted(found.values(), key=lambda one: (-one.misses, one.name))[:_KEPT]


def _moves(session: SessionRows) -> Iterator[_Case]:
    return (_Case(row.index, f"{row.action} {row.recorded}", move_class(row)) for row in session.aided.moves)


def move_class(row: MoveRow) -> str:
    """The class of a step that is wrongly allowed or blocked, `""` for a hit."""
    if row.recorded == row.predicted:
        return ""
    how = f"allowed, here {row.blocker} blocks" if row.recorded else "blocked, here it is free"
    return f"{row.action} was {how}"


def _clicks(session: SessionRows) -> Iterator[_Case]:
    for row in session.aided.clicks:
        yield _Case(row.index, f"{row.action} {row.wanted_type}", click_class(row), row.apart)


def click_class(row: ClickRow) -> str:
    """The class of a click's miss, `""` for a hit."""
    if row.equivalent:
        return ""
    return f"{row.action} {row.wanted_type}: click chooses {row.another}{row.found_type}"


def _outcomes(session: SessionRows) -> Iterator[_Case]:
    for row in session.aided.outcomes:
        held = f"{row.held_type} on " if row.action == "Place" and row.held_type else ""
        what = f"{row.action} {held}{row.target_type}"
        then, here = ("succeeded", "fails") if row.recorded else ("failed", "succeeds")
        miss = "" if row.recorded == row.predicted else f"{what} {then}, {here} here"
        yield _Case(row.index, f"{what} {row.recorded}", miss)


def _properties(session: SessionRows) -> Iterator[_Case]:
    """Object ids in values give way to a word, so that alike misses fall together."""
    for name, count in session.aided.properties.items():
        yield _Case("", name, cases=count.total)
    for miss in session.aided.misses:
        recorded, ours = ("an id" if "|" in value else value for value in (miss.recorded, miss.ours))
        told = f"{miss.object_type} {miss.name} recorded {recorded}, here {ours}"
        yield _Case(miss.object_id, miss.name, told, cases=0)


def _ends(session: SessionRows) -> Iterator[_Case]:
    miss = "" if session.aided.task_complete else f"{session.task} is not complete at the end"
    yield _Case(session.interactions, session.task, miss)


def _checks(session: SessionRows) -> Iterator[_Case]:
    for row in session.aided.checks:
        other = "was complete, here not" if row.recorded else "was not complete, here it is"
        miss = "" if row.recorded == row.predicted else f"{session.task} {other}"
        yield _Case(row.index, f"{session.task} {row.recorded}", miss)


_KINDS: Mapping[str, Callable[[SessionRows], Iterator[_Case]]] = {
    "moves": _moves,
    "clicks": _clicks,
    "outcomes": _outcomes,
    "properties": _properties,
    "tasks": _ends,
    "progress_checks": _checks,
}
