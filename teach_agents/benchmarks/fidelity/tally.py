"""Counting hits per session, so that every figure gets an interval over resampled sessions."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypedDict, TypeVar

from teach_agents.core.benchmark.statistics import bootstrap_mean_of_ratios

RowT = TypeVar("RowT")
TallyT = TypeVar("TallyT")


class Figure(TypedDict):
    """A fraction, of how many cases, and its 95 % interval [low, high]; null and empty where there are no cases."""

    value: float | None
    n: int
    ci: list[float]


class Tally:
    """Hits and their number, session by session."""

    def __init__(self, sessions: int) -> None:
        self.hits = [0.0] * sessions
        self.totals = [0.0] * sessions

    def add(self, session: int, hit: bool) -> None:
        """Count one case of a session."""
        self.add_many(session, hit, 1)

    def add_many(self, session: int, hits: int, total: int) -> None:
        """Count several cases of a session at once."""
        self.hits[session] += hits
        self.totals[session] += total

    def figure(self) -> Figure:
        """The share of hits over all sessions."""
        return _figure([self])


class BalancedTally:
    """How well yes and no are told apart: the mean of the recalls of both (of one where the other never occurs)."""

    def __init__(self, sessions: int) -> None:
        self.yes = Tally(sessions)
        self.no = Tally(sessions)

    def add(self, session: int, recorded: bool, predicted: bool) -> None:
        """Count one prediction."""
        (self.yes if recorded else self.no).add(session, recorded == predicted)

    def balanced(self) -> Figure:
        """The balanced accuracy."""
        return _figure([self.yes, self.no])

    def confusion(self, yes: str, no: str) -> dict[str, dict[str, int]]:
        """What was recorded, by what is predicted, in the given words."""
        right_yes, all_yes = int(sum(self.yes.hits)), int(sum(self.yes.totals))
        right_no, all_no = int(sum(self.no.hits)), int(sum(self.no.totals))
        return {yes: {yes: right_yes, no: all_yes - right_yes}, no: {yes: all_no - right_no, no: right_no}}


def _figure(parts: list[Tally]) -> Figure:
    value, interval = bootstrap_mean_of_ratios([(part.hits, part.totals) for part in parts], counted=True)
    count = int(sum(sum(part.totals) for part in parts))
    return {"value": None if value is None else round(value, 6), "n": count, "ci": interval}


def grouped(
    rows: Iterable[tuple[int, RowT]],
    key: Callable[[int, RowT], str],
    make: Callable[[], TallyT],
    add: Callable[[TallyT, int, RowT], None],
) -> dict[str, TallyT]:
    """A tally per group of (session, row) pairs, in the order of the groups' names."""
    found: dict[str, TallyT] = {}
    for session, row in rows:
        name = key(session, row)
        if name not in found:
            found[name] = make()
        add(found[name], session, row)
    return dict(sorted(found.items()))
