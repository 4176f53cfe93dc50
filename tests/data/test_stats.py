"""Counts of recorded sessions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teach_agents.actions import Role
from teach_agents.core.benchmark.costs import tokens
from teach_agents.data.stats import (
    PUBLISHED_SESSIONS,
    PUBLISHED_TASKS,
    SPLITS,
    Distribution,
    session_stats,
    summarise,
)
from tests.data.samples import sample_game


@pytest.mark.parametrize(
    ("text", "count"),
    [("", 0), ("Hi", 1), ("Don't do that!", 4), ("plate, mug... ok?", 8), ("  two  words ", 2), ("don\u2019t", 1)],
)
def test_tokens_are_words_and_punctuation_marks(text: str, count: int) -> None:
    assert tokens(text) == count


def test_one_session_is_counted_by_role() -> None:
    stats = session_stats(sample_game(), "train")
    assert (stats.task, stats.room_kind, stats.split) == ("Coffee", "Kitchen", "train")
    assert stats.utterances == {Role.COMMANDER: 1, Role.FOLLOWER: 1}
    assert stats.tokens == {Role.COMMANDER: (3,), Role.FOLLOWER: (1,)}
    assert stats.actions == {Role.COMMANDER: 4, Role.FOLLOWER: 6}
    assert stats.action_names[Role.FOLLOWER]["Forward"] == 2


def test_a_summary_counts_by_task_and_split() -> None:
    game = sample_game()
    summary = summarise([session_stats(game, "valid_seen"), session_stats(game, "mine"), session_stats(game, "train")])
    assert summary.splits == ("train", "valid_seen", "mine")
    assert summary.count("Coffee", "mine") == 1
    assert summary.count() == 3
    assert summary.count("Salad") == 0
    assert summary.utterances(Role.COMMANDER).counts == {1: 3}
    assert summary.both(lambda one: one.actions).mean == 10
    assert summary.actions(Role.FOLLOWER, "Salad").mean == 0.0


@given(st.lists(st.integers(0, 500)), st.integers(1, 50), st.integers(1, 20))
def test_histograms_lose_nothing(values: list[int], width: int, most: int) -> None:
    found = Distribution.of(values)
    rows = found.bins(width, most)
    assert sum(count for _, count in rows) == len(values) == found.n
    assert len(rows) == most
    assert found.total == sum(values)


def test_histograms_name_their_bins() -> None:
    found = Distribution.of([0, 4, 5, 11, 99])
    assert found.bins(5, 3) == (("0-4", 2), ("5-9", 1), ("10+", 2))
    assert found.bins(1, 2) == (("0", 1), ("1+", 4))
    assert (found.median, found.mean) == (5.0, 23.8)


def test_the_published_totals_agree_with_each_other() -> None:
    released = [sum(counts) for counts in zip(*PUBLISHED_TASKS.values(), strict=True)]
    assert released == [1482, 181, 612]
    assert sum(PUBLISHED_SESSIONS.values()) == 3047
    assert tuple(PUBLISHED_SESSIONS) == SPLITS
