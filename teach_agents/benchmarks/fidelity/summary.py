"""From measured sessions to the figures: what `--json` writes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

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
from teach_agents.benchmarks.fidelity.tally import BalancedTally, Figure, RowT, Tally, grouped

Json = dict[str, Any]


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

    def tally(self) -> Tally:
        return Tally(len(self.every))

    def balanced(self) -> BalancedTally:
        return BalancedTally(len(self.every))

    def rows(self, of: Callable[[SessionRows], Iterable[RowT]]) -> list[tuple[int, RowT]]:
        return [(number, row) for number, session in self.measured for row in of(session)]

    def room(self, number: int, row: object) -> str:
        rows = self.every[number].rows
        assert rows is not None
        return rows.room

    def share(self, rows: Iterable[tuple[int, RowT]], hit: Callable[[RowT], bool]) -> Figure:
        tally = self.tally()
        for number, row in rows:
            tally.add(number, hit(row))
        return tally.figure()

    def of_all(self, holds: Callable[[SessionRows], bool]) -> Figure:
        """The share of all sessions for which something holds; it never does where measuring failed."""
        tally = self.tally()
        for number, one in enumerate(self.every):
            tally.add(number, one.rows is not None and holds(one.rows))
        return tally.figure()


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
            "unaided": {mode.value: _unaided(sessions, mode) for mode in ReplayMode},
            "aided": _aided(sessions),
        },
    }


def _moves(sessions: _Sessions) -> Json:
    rows = sessions.rows(lambda session: session.aided.moves)

    def table(key: Callable[[int, MoveRow], str]) -> Json:
        groups = grouped(rows, key, sessions.balanced, _add)
        return {name: _recalls(tally) for name, tally in groups.items()}

    whole = sessions.balanced()
    for number, row in rows:
        _add(whole, number, row)
    wrongly = Counter(row.blocker for _, row in rows if row.recorded and not row.predicted)
    first = [(number, row) for number, row in rows if not row.recorded and not row.repeated]
    return {
        **_recalls(whole),
        "first_blocked_recall": sessions.share(first, lambda row: not row.predicted),
        "confusion": whole.confusion("allowed", "blocked"),
        "by_action": table(lambda _, row: row.action),
        "by_room": table(sessions.room),
        "wrongly_blocked_by_type": dict(wrongly.most_common()),
    }


def _add(tally: BalancedTally, number: int, row: MoveRow | OutcomeRow) -> None:
    tally.add(number, row.recorded, row.predicted)


def _recalls(tally: BalancedTally) -> Json:
    return {
        "allowed_recall": tally.yes.figure(),
        "blocked_recall": tally.no.figure(),
        "balanced_accuracy": tally.balanced(),
    }


def _clicks(sessions: _Sessions) -> Json:
    rows = sessions.rows(lambda session: session.aided.clicks)

    def figures(some: Sequence[tuple[int, ClickRow]]) -> Json:
        untouched = [(number, row) for number, row in some if row.untouched]
        return {
            "untouched": sessions.share(untouched, lambda row: row.exact),
            "untouched_equivalent": sessions.share(untouched, lambda row: row.equivalent),
            "all": sessions.share(some, lambda row: row.equivalent),
            "all_exact": sessions.share(some, lambda row: row.exact),
        }

    def table(key: Callable[[int, ClickRow], str]) -> Json:
        groups: dict[str, list[tuple[int, ClickRow]]] = {}
        for number, row in rows:
            groups.setdefault(key(number, row), []).append((number, row))
        return {name: figures(some) for name, some in sorted(groups.items())}

    confusion: dict[str, Counter[str]] = {}
    for _, row in rows:
        found = row.wanted_type if row.equivalent else row.found_type
        confusion.setdefault(row.wanted_type, Counter())[_another(row, found)] += 1
    return {
        **figures(rows),
        "by_action": table(lambda _, row: row.action),
        "by_type": table(lambda _, row: row.wanted_type),
        "by_room": table(sessions.room),
        "confusion": {kind: dict(counts.most_common()) for kind, counts in sorted(confusion.items())},
    }


def _another(row: ClickRow, found: str) -> str:
    """How a confusion table calls what was found: another object of the same type is not the wanted one."""
    return f"another {found}" if not row.equivalent and found == row.wanted_type else found


def _outcomes(sessions: _Sessions) -> Json:
    rows = sessions.rows(lambda session: session.aided.outcomes)

    def table(key: Callable[[int, OutcomeRow], str]) -> Json:
        return {name: _judged(tally) for name, tally in grouped(rows, key, sessions.balanced, _add).items()}

    whole = sessions.balanced()
    for number, row in rows:
        _add(whole, number, row)
    return {
        **_judged(whole),
        "by_action": table(lambda _, row: row.action),
        "by_type": table(lambda _, row: row.target_type),
        "by_room": table(sessions.room),
    }


def _judged(tally: BalancedTally) -> Json:
    return {
        "balanced_accuracy": tally.balanced(),
        "success_recall": tally.yes.figure(),
        "failure_recall": tally.no.figure(),
        "confusion": tally.confusion("success", "failure"),
    }


def _unaided(sessions: _Sessions, mode: ReplayMode) -> Json:
    replays = [session.unaided[mode] for _, session in sessions.measured]
    return {
        "task_success": sessions.of_all(lambda session: session.unaided[mode].task_success),
        "pose_exact": sessions.of_all(lambda session: session.unaided[mode].pose_exact),
        "identical": sessions.of_all(lambda session: session.unaided[mode].index is None),
        "first_divergence": _divergence(replays),
    }


def _divergence(replays: Sequence[UnaidedReplay]) -> Json:
    """How far replays get: actions that did what was recorded before one did not, over sessions that diverge."""
    before = sorted(one.followed for one in replays if one.index is not None)
    kinds = Counter(one.kind.value for one in replays if one.kind is not None)
    quartiles = [before[int(part * (len(before) - 1))] for part in (0.25, 0.5, 0.75)] if before else []
    return {
        "sessions": len(before),
        "by_kind": dict(sorted(kinds.items())),
        "actions_before": dict(zip(("first_quartile", "median", "third_quartile"), quartiles, strict=False)),
    }


def _aided(sessions: _Sessions) -> Json:
    properties = sessions.rows(lambda session: session.aided.properties.items())
    checks = sessions.balanced()
    rows = sessions.rows(lambda session: session.aided.checks)
    for number, row in rows:
        checks.add(number, row.recorded, row.predicted)
    return {
        "task_success": sessions.of_all(lambda session: session.aided.task_complete),
        **_property_figures(sessions, [(number, count) for number, (_, count) in properties]),
        "sessions_flawless": sessions.of_all(lambda session: not session.aided.misses),
        "progress_check_agreement": sessions.share(rows, _agrees),
        "progress_check_confusion": checks.confusion("complete", "incomplete"),
        "by_property": {
            name: _property_figures(sessions, [(number, count) for number, (own, count) in properties if own == name])
            for name in sorted({own for _, (own, _) in properties})
        },
        "unfollowed": sum(len(session.aided.unfollowed) for _, session in sessions.measured),
    }


def _agrees(row: CheckRow) -> bool:
    return row.recorded == row.predicted


def _property_figures(sessions: _Sessions, counts: Iterable[tuple[int, PropertyCount]]) -> Json:
    every, changed = sessions.tally(), sessions.tally()
    for number, count in counts:
        every.add_many(number, count.equal, count.total)
        changed.add_many(number, count.changed_equal, count.changed)
    return {"property_agreement": every.figure(), "changed_property_agreement": changed.figure()}
