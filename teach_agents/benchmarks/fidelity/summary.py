"""From measured sessions to the figures: what `--json` writes. Every figure's interval is over resampled sessions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import TypeAlias, TypedDict, TypeVar

from teach_agents.benchmarks.fidelity.rows import (
    CheckRow,
    ClickRow,
    MoveRow,
    OutcomeRow,
    PropertyCount,
    ReplayMode,
    SessionRows,
    UnaidedReplay,
)
from teach_agents.core.benchmark.statistics import bootstrap_mean_of_ratios
from teach_agents.core.json_types import JsonObject

Json = JsonObject
RowT = TypeVar("RowT")
Rows: TypeAlias = Sequence[tuple[int, RowT]]
"""Rows, each with the number of its session."""
Judged: TypeAlias = Rows[MoveRow] | Rows[OutcomeRow] | Rows[CheckRow]
"""Rows of what was recorded and what is predicted, yes or no."""


class Figure(TypedDict):
    """A fraction, of how many cases, and its 95 % interval [low, high]; null and empty where there are no cases."""

    value: float | None
    n: int
    ci: list[float]


@dataclass(frozen=True, slots=True)
class Measured:
    """A session and what was measured on it; `rows` is `None` where that failed, for `reason`."""

    game_id: str
    rows: SessionRows | None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class _Sessions:
    """All sessions, measured or not: the denominator of every figure about whole sessions."""

    every: Sequence[Measured]
    measured: Sequence[tuple[int, SessionRows]] = field(init=False)

    def __post_init__(self) -> None:
        known = [(number, one.rows) for number, one in enumerate(self.every) if one.rows is not None]
        object.__setattr__(self, "measured", known)

    def rows(self, of: Callable[[SessionRows], Iterable[RowT]]) -> list[tuple[int, RowT]]:
        return [(number, row) for number, session in self.measured for row in of(session)]

    def figure(self, *parts: Iterable[tuple[int, int, int]]) -> Figure:
        """The mean share of several parts, each of (session, hits, cases); of a part without cases there is none."""
        ratios = []
        for part in parts:
            hits, totals = [0.0] * len(self.every), [0.0] * len(self.every)
            for number, hit, total in part:
                hits[number] += hit
                totals[number] += total
            ratios.append((hits, totals))
        value, interval = bootstrap_mean_of_ratios(ratios, counted=True)
        count = int(sum(sum(totals) for _, totals in ratios))
        return {"value": None if value is None else round(value, 6), "n": count, "ci": interval}

    def share(self, rows: Iterable[tuple[int, RowT]], hit: Callable[[RowT], bool]) -> Figure:
        return self.figure((number, hit(row), 1) for number, row in rows)

    def of_all(self, holds: Callable[[SessionRows], bool]) -> Figure:
        """The share of all sessions for which something holds; it never does where measuring failed."""
        return self.share(enumerate(self.every), lambda one: one.rows is not None and holds(one.rows))

    def balanced(self, rows: Judged, yes: str, no: str) -> Json:
        """How well `yes` and `no` are told apart: both recalls, and their mean (one of them where there is no other).

        `confusion` is what was recorded, by what is predicted, in these words.
        """
        parts = [
            [(number, row.recorded == row.predicted, 1) for number, row in rows if row.recorded is recorded]
            for recorded in (True, False)
        ]
        (right_yes, all_yes), (right_no, all_no) = ((sum(hit for _, hit, _ in part), len(part)) for part in parts)
        return {
            f"{yes}_recall": self.figure(parts[0]),
            f"{no}_recall": self.figure(parts[1]),
            "balanced_accuracy": self.figure(*parts),
            "confusion": {
                yes: {yes: right_yes, no: all_yes - right_yes},
                no: {yes: all_no - right_no, no: right_no},
            },
        }

    def tables(
        self, rows: Rows[RowT], figures: Callable[[list[tuple[int, RowT]]], Json], **names: str
    ) -> dict[str, Json]:
        """The figures of parts of the rows: by what they have under these names, and by room."""
        rooms = {number: session.room for number, session in self.measured}
        keys = {key: attrgetter(name) for key, name in names.items()}
        found: dict[str, dict[str, list[tuple[int, RowT]]]] = {key: {} for key in (*keys, "by_room")}
        for number, row in rows:
            for key, groups in found.items():
                name = keys[key](row) if key in keys else rooms[number]
                groups.setdefault(name, []).append((number, row))
        return {key: {name: figures(groups[name]) for name in sorted(groups)} for key, groups in found.items()}


def summary_of(every: Sequence[Measured], *, click_size: int) -> Json:
    """All figures as JSON; deterministic, for the same sessions in the same order.

    Fractions over moves, clicks and interactions are of the sessions that could be measured; fractions of sessions are
    of all, those that failed counting as misses. Intervals come from resampling whole sessions.
    """
    sessions = _Sessions(every)
    return {
        "simulator": "embedded",
        "click_size": click_size,
        "sessions": len(every),
        "failed": [{"game_id": one.game_id, "reason": one.reason} for one in every if one.rows is None],
        "moves": _moves(sessions),
        "clicks": _clicks(sessions),
        "outcomes": _outcomes(sessions),
        "replay": {
            "unaided": {mode: _unaided(sessions, mode) for mode in ReplayMode},
            "aided": _aided(sessions),
        },
    }


def _moves(sessions: _Sessions) -> Json:
    rows = sessions.rows(lambda session: session.aided.moves)

    def figures(some: Rows[MoveRow]) -> Json:
        found = sessions.balanced(some, "allowed", "blocked")
        del found["confusion"]
        return found

    first = [(number, row) for number, row in rows if not row.recorded and not row.repeated]
    wrongly = Counter(row.blocker for _, row in rows if row.recorded and not row.predicted)
    whole = sessions.balanced(rows, "allowed", "blocked")
    confusion = whole.pop("confusion")
    return {
        **whole,
        "first_blocked_recall": sessions.share(first, lambda row: not row.predicted),
        "confusion": confusion,
        **sessions.tables(rows, figures, by_action="action"),
        "wrongly_blocked_by_type": dict(wrongly.most_common()),
    }


def _clicks(sessions: _Sessions) -> Json:
    rows = sessions.rows(lambda session: session.aided.clicks)

    def figures(some: Rows[ClickRow]) -> Json:
        untouched = [(number, row) for number, row in some if row.untouched]
        return {
            "untouched": sessions.share(untouched, lambda row: row.exact),
            "untouched_equivalent": sessions.share(untouched, lambda row: row.equivalent),
            "all": sessions.share(some, lambda row: row.equivalent),
            "all_exact": sessions.share(some, lambda row: row.exact),
        }

    confusion: dict[str, Counter[str]] = {}
    for _, row in rows:
        found = row.wanted_type if row.equivalent else f"{row.another}{row.found_type}"
        confusion.setdefault(row.wanted_type, Counter())[found] += 1
    return {
        **figures(rows),
        **sessions.tables(rows, figures, by_action="action", by_type="wanted_type"),
        "confusion": {kind: dict(counts.most_common()) for kind, counts in sorted(confusion.items())},
    }


def _outcomes(sessions: _Sessions) -> Json:
    rows = sessions.rows(lambda session: session.aided.outcomes)

    def figures(some: Rows[OutcomeRow]) -> Json:
        found = sessions.balanced(some, "success", "failure")
        return {"balanced_accuracy": found.pop("balanced_accuracy"), **found}

    return {**figures(rows), **sessions.tables(rows, figures, by_action="action", by_type="target_type")}


def _unaided(sessions: _Sessions, mode: ReplayMode) -> Json:
    return {
        "task_success": sessions.of_all(lambda session: session.unaided[mode].task_success),
        "pose_exact": sessions.of_all(lambda session: session.unaided[mode].pose_exact),
        "identical": sessions.of_all(lambda session: session.unaided[mode].index is None),
        "first_divergence": _divergence([session.unaided[mode] for _, session in sessions.measured]),
    }


def _divergence(replays: Sequence[UnaidedReplay]) -> Json:
    """How far replays get: actions that did what was recorded before one did not, over sessions that diverge."""
    before = sorted(one.followed for one in replays if one.index is not None)
    kinds = Counter(one.kind for one in replays if one.kind is not None)
    quartiles = [before[int(part * (len(before) - 1))] for part in (0.25, 0.5, 0.75)] if before else []
    return {
        "sessions": len(before),
        "by_kind": dict(sorted(kinds.items())),
        "actions_before": dict(zip(("first_quartile", "median", "third_quartile"), quartiles, strict=False)),
    }


def _aided(sessions: _Sessions) -> Json:
    properties: dict[str, list[tuple[int, PropertyCount]]] = {}
    for number, (name, count) in sessions.rows(lambda session: session.aided.properties.items()):
        properties.setdefault(name, []).append((number, count))

    def agreement(counts: Rows[PropertyCount]) -> Json:
        return {
            "property_agreement": sessions.figure((number, one.equal, one.total) for number, one in counts),
            "changed_property_agreement": sessions.figure(
                (number, one.changed_equal, one.changed) for number, one in counts
            ),
        }

    checks = sessions.rows(lambda session: session.aided.checks)
    return {
        "task_success": sessions.of_all(lambda session: session.aided.task_complete),
        **agreement([one for counts in properties.values() for one in counts]),
        "sessions_flawless": sessions.of_all(lambda session: not session.aided.misses),
        "progress_check_agreement": sessions.share(checks, lambda row: row.recorded == row.predicted),
        "progress_check_confusion": sessions.balanced(checks, "complete", "incomplete")["confusion"],
        "by_property": {name: agreement(properties[name]) for name in sorted(properties)},
        "unfollowed": sum(len(session.aided.unfollowed) for _, session in sessions.measured),
    }
