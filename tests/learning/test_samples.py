"""What of the demonstrations is learnt from: how often one answer may come, and what is held out together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest

from teach_agents.actions import Role
from teach_agents.learning.demonstrations import Demonstration
from teach_agents.learning.samples import balanced, is_held_out


def _decisions(kind: str, answers: Sequence[tuple[str, int]]) -> list[Demonstration]:
    choices = tuple(answer for answer, _ in answers)
    return [
        Demonstration(f"{answer}{number}", kind, Role.FOLLOWER, "", "", choices, answer)
        for answer, count in answers
        for number in range(count)
    ]


@pytest.mark.parametrize(
    ("counts", "kept"),
    [
        ([800, 100, 100, 100, 100, 100], [167, 100, 100, 100, 100, 100]),
        ([4000, 3000, 100, 100, 100, 100, 100], [250, 250, 100, 100, 100, 100, 100]),
        ([30, 30, 30, 30], [30, 30, 30, 30]),
        ([500], [500]),
    ],
)
def test_no_answer_is_more_than_its_share(counts: list[int], kept: list[int]) -> None:
    answers = [(f"answer {number}", count) for number, count in enumerate(counts)]
    found = Counter(one.choice for one in balanced(_decisions("alone", answers), 0.25))
    for (answer, count), wanted in zip(answers, kept, strict=True):
        assert found[answer] == wanted if wanted == count else abs(found[answer] - wanted) < 45


def test_every_kind_has_shares_of_its_own_and_the_order_stays() -> None:
    given = _decisions("alone", [("stop", 900), ("a", 50), ("b", 50)])
    given += _decisions("human", [("stop", 40), ("a", 60), ("b", 60), ("c", 60)])
    found = balanced(given, 0.5)
    assert found == [one for one in given if one in set(found)]
    assert sum(one.kind == "human" for one in found) == 220
    assert 60 < sum(one.choice == "stop" for one in found if one.kind == "alone") < 140
    assert found == balanced(given, 0.5)
    assert balanced(given, 1.0) == given


def test_self_play_of_a_recorded_session_is_held_out_with_it() -> None:
    games = [f"{number:016x}_{number:04x}" for number in range(400)]
    held = [is_held_out(game, 0.2) for game in games]
    assert held == [is_held_out(f"self-play-7-{number:05d}-{game}", 0.2) for number, game in enumerate(games)]
    assert 40 < sum(held) < 120
    made = [is_held_out(f"self-play-7-{number:05d}", 0.2) for number in range(400)]
    assert 40 < sum(made) < 120
