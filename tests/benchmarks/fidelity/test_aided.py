"""The record wins: every action is tried, judged, and then made to be what it was."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from teach_agents.benchmarks.fidelity.pictures import MissCamera
from teach_agents.benchmarks.fidelity.record import Insisting
from teach_agents.benchmarks.fidelity.replay import replay_aided
from teach_agents.benchmarks.fidelity.rows import NOTHING, AidedReplay
from teach_agents.data import Game, Interaction, Motion, ObjectInteraction
from teach_agents.household import Household
from teach_agents.simulator.embedded import EmbeddedSimulator
from teach_agents.simulator.embedded.world import digest
from tests.benchmarks.fidelity.recording import AHEAD, BACK, CHECK, LEFT, RIGHT, changed, on, record

ERRAND = (CHECK, on("Pickup", "Apple"), LEFT, BACK, AHEAD, RIGHT, on("Place", "CounterTop"), AHEAD, AHEAD, AHEAD, CHECK)
PICKUP, BACKWARD, PLACE, BLOCKED = 1, 3, 6, 9


@pytest.fixture(scope="module")
def errand() -> Game:
    """An apple is taken, carried about, put down; then somebody runs into the counter."""
    return record(*ERRAND)


def _replayed(game: Game, camera: MissCamera | None = None) -> tuple[AidedReplay, Insisting]:
    simulator = Insisting(EmbeddedSimulator())
    return replay_aided(game, Household(simulator), simulator, camera), simulator


def _object(one: Interaction, **values: Any) -> Interaction:
    assert isinstance(one, ObjectInteraction)
    return replace(one, **values)


def test_a_session_recorded_here_agrees_with_itself(errand: Game) -> None:
    replay, _ = _replayed(errand)
    assert [row.action for row in replay.moves] == ["Backward", "Forward", "Forward", "Forward", "Forward"]
    assert not replay.moves[-1].recorded
    assert all(row.recorded == row.predicted for row in replay.moves)
    assert all(row.recorded == row.predicted for row in replay.outcomes)
    assert all(row.recorded == row.predicted for row in replay.checks)
    assert [(row.action, row.exact, row.untouched) for row in replay.clicks] == [
        ("Pickup", True, True),
        ("Place", True, False),
    ]
    assert len(replay.checks) == 2 and not replay.task_complete
    assert not replay.misses and not replay.unfollowed
    assert replay.properties["simbotPickedUp"].changed == 1 == replay.properties["simbotPickedUp"].changed_equal


def test_a_refusal_again_from_the_same_place_is_a_repetition(errand: Game) -> None:
    last = errand.episode.interactions[BLOCKED]
    again = replace(last, time_start=last.time_start + 0.5)
    interactions = (*errand.episode.interactions[: BLOCKED + 1], again)
    replay, _ = _replayed(replace(errand, episodes=(replace(errand.episode, interactions=interactions),)))
    refused = [row for row in replay.moves if not row.recorded]
    assert refused[-1].repeated and not refused[0].repeated


def test_a_step_that_the_record_refuses_is_undone(errand: Game) -> None:
    def refused(one: Interaction) -> Interaction:
        assert isinstance(one, Motion)
        earlier = errand.episode.interactions[BACKWARD - 1]
        assert isinstance(earlier, Motion)
        return replace(one, success=False, values=earlier.values)

    interactions = list(changed(errand, BACKWARD, refused).episode.interactions)
    del interactions[BACKWARD + 1]
    replay, simulator = _replayed(
        replace(errand, episodes=(replace(errand.episode, interactions=tuple(interactions)),))
    )
    assert (replay.moves[0].recorded, replay.moves[0].predicted) == (False, True)
    assert all(row.exact for row in replay.clicks), "the body stands where it stood when the apple was put down"
    assert not replay.misses


def test_a_step_that_the_record_allows_is_made(errand: Game) -> None:
    def passed(one: Interaction) -> Interaction:
        assert isinstance(one, Motion) and one.pose is not None
        z, minus_x, *rest = one.values
        return replace(one, success=True, values=(z + 0.25, minus_x, *rest))

    game = changed(errand, BLOCKED, passed)
    replay, simulator = _replayed(game)
    row = replay.moves[-1]
    assert (row.recorded, row.predicted) == (True, False) and row.blocker not in ("", NOTHING)
    last = game.episode.interactions[BLOCKED]
    assert isinstance(last, Motion) and last.pose is not None
    assert simulator.state.agent.position == pytest.approx(last.pose.position)


def test_an_interaction_that_the_record_refuses_leaves_no_trace(errand: Game) -> None:
    game = record(LEFT, RIGHT)
    clicked = _object(errand.episode.interactions[PICKUP], success=False, object_id=None, time_start=9.0)
    interactions = (*game.episode.interactions, clicked)
    replay, simulator = _replayed(replace(game, episodes=(replace(game.episode, interactions=interactions),)))
    assert [(row.recorded, row.predicted) for row in replay.outcomes] == [(False, True)]
    assert simulator.state.held is None and not replay.misses and not replay.clicks


def test_a_click_that_misses_is_carried_out_on_the_recorded_object(errand: Game, tmp_path: Path) -> None:
    game = changed(errand, PICKUP, lambda one: _object(one, x=0.99, y=0.01))
    simulator = Insisting(EmbeddedSimulator())
    camera = MissCamera(tmp_path, game.game_id, simulator)
    replay = replay_aided(game, Household(simulator), simulator, camera)
    row = replay.clicks[0]
    assert not row.equivalent and row.wanted_type == "Apple" and row.found_type.startswith(NOTHING)
    assert row.apart is not None and row.apart > 0.1
    assert [(done.recorded, done.predicted) for done in replay.outcomes] == [(True, False), (True, True)]
    assert not replay.misses, "the apple was taken all the same"
    assert (tmp_path / row.picture).stat().st_size > 1000


def test_a_placement_that_is_refused_here_is_made_where_it_was_recorded() -> None:
    game = record(on("Pickup", "Apple"), on("Place", "CounterTop"))
    toaster = next(obj["objectId"] for obj in game.episode.final_state.objects if obj["objectType"] == "Toaster")
    replay, simulator = _replayed(changed(game, 1, lambda one: _object(one, object_id=toaster)))
    apple = next(obj for obj in simulator.state.objects.values() if obj.object_type == "Apple")
    assert apple.parents[0] == toaster and simulator.state.held is None
    assert not replay.unfollowed
    assert {miss.name for miss in replay.misses} == {"simbotLastParentReceptacle"}, "only the rewritten record differs"


def test_a_thing_put_into_itself_ends_up_nowhere() -> None:
    game = record(on("Pickup", "Apple"), on("Place", "CounterTop"))
    taken = game.episode.interactions[0]
    assert isinstance(taken, ObjectInteraction)
    replay, simulator = _replayed(changed(game, 1, lambda one: _object(one, object_id=taken.object_id)))
    assert simulator.state.held is None and not replay.unfollowed
    assert simulator.state.objects[str(taken.object_id)].parents == ()


def test_what_the_room_does_not_hold_is_named() -> None:
    game = record(on("Pickup", "Apple"))
    replay, _ = _replayed(changed(game, 0, lambda one: _object(one, object_id="Apple|+09.00|+09.00|+09.00")))
    assert [one.object_id for one in replay.unfollowed] == ["Apple|+09.00|+09.00|+09.00"]
    assert {(miss.object_type, miss.name) for miss in replay.misses} == {
        ("Apple", "isPickedUp"),
        ("Apple", "simbotPickedUp"),
        ("Apple", "simbotLastParentReceptacle"),
    }


def test_an_answer_of_a_progress_check_is_compared(errand: Game) -> None:
    replay, _ = _replayed(changed(errand, 0, lambda one: replace(one, success=True)))
    assert [(row.recorded, row.predicted) for row in replay.checks] == [(True, False), (False, False)]


def test_replaying_twice_gives_the_same_rows_and_state(errand: Game) -> None:
    game = changed(errand, PICKUP, lambda one: _object(one, x=0.99, y=0.01))
    (first, one), (second, other) = _replayed(game), _replayed(game)
    assert first == second and digest(one.state) == digest(other.state)
