"""Sessions carried out without help: where they first part from the record, and in what."""

from __future__ import annotations

from dataclasses import replace

import pytest

from teach_agents.benchmarks.fidelity.replay import replay_unaided
from teach_agents.benchmarks.fidelity.rows import Divergence, ReplayMode, UnaidedReplay
from teach_agents.data import Game, Motion, ObjectInteraction
from teach_agents.household import Household
from teach_agents.simulator.embedded import EmbeddedSimulator
from tests.benchmarks.fidelity.recording import AHEAD, BACK, CHECK, LEFT, RIGHT, changed, on, record


@pytest.fixture(scope="module")
def walk() -> Game:
    """Two turns, an apple taken, three steps of which the last is refused."""
    return record(CHECK, LEFT, RIGHT, on("Pickup", "Apple"), BACK, AHEAD, AHEAD)


def _replayed(game: Game, mode: ReplayMode = ReplayMode.ALL) -> UnaidedReplay:
    return replay_unaided(game, Household(EmbeddedSimulator()), mode)


def test_a_session_recorded_here_goes_as_recorded(walk: Game) -> None:
    assert not walk.episode.interactions[-1].success
    every, successes = _replayed(walk), _replayed(walk, ReplayMode.SUCCESSES)
    assert (every.executed, every.followed) == (6, 6) and (successes.executed, successes.followed) == (5, 5)
    assert every.index is None and every.pose_exact and not every.task_success


def test_a_success_that_fails_here_is_the_first_divergence(walk: Game) -> None:
    replay = _replayed(changed(walk, 6, lambda one: replace(one, success=True)))
    assert (replay.index, replay.kind, replay.followed) == (6, Divergence.SUCCESS, 5)


def test_another_object_is_a_divergence_that_leaves_the_pose_exact(walk: Game) -> None:
    def of_another(one: object) -> ObjectInteraction:
        assert isinstance(one, ObjectInteraction)
        return replace(one, object_id="Apple|+01.00|+01.00|+01.00")

    replay = _replayed(changed(walk, 3, of_another))
    assert (replay.index, replay.kind, replay.pose_exact) == (3, Divergence.OBJECT, True)


def test_another_pose_is_a_divergence(walk: Game) -> None:
    def elsewhere(one: object) -> Motion:
        assert isinstance(one, Motion)
        return replace(one, values=(one.values[0] + 0.25, *one.values[1:]))

    replay = _replayed(changed(walk, 1, elsewhere))
    assert (replay.index, replay.kind, replay.pose_exact, replay.followed) == (1, Divergence.POSE, False, 0)
    assert replay.executed == 6, "a replay goes on to the end"
