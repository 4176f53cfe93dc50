"""A session is carried out again; where the simulator disagrees, the record wins and that is counted."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from teach_agents.actions import Role
from teach_agents.benchmarks.edh.restoring import Restorer, Why
from teach_agents.data import Game, Interaction, Motion, ObjectInteraction, keyboard
from teach_agents.household import Household, Scenario
from tests.benchmarks.edh.sessions import BACKWARD, PICKUP, PLACE, errand, household
from tests.benchmarks.fidelity.recording import changed, with_interactions


def _restored(game: Game) -> tuple[Restorer, Household]:
    world = household()
    world.reset(Scenario.from_game(game))
    restorer = Restorer(world)
    restorer.follow(game.episode.interactions)
    return restorer, world


def _object(one: Interaction, **values: Any) -> Interaction:
    assert isinstance(one, ObjectInteraction)
    return replace(one, **values)


def _mug(game: Game) -> str:
    taken = game.episode.interactions[PICKUP]
    assert isinstance(taken, ObjectInteraction) and taken.object_id is not None
    return taken.object_id


def test_a_session_recorded_here_needs_no_override_and_ends_as_it_ended() -> None:
    game = errand()
    restorer, world = _restored(game)
    assert restorer.overrides == [] and restorer.followed == 8
    assert world.simulator.state.agent == game.episode.final_state.follower
    wanted = {one["objectId"]: one.get("simbotLastParentReceptacle") for one in game.episode.final_state.objects}
    assert {one["objectId"]: one.get("simbotLastParentReceptacle") for one in world.objects} == wanted


def test_what_was_said_is_said_again() -> None:
    game = errand()
    said = keyboard(Role.COMMANDER, "thanks", time_start=99.0)
    _, world = _restored(with_interactions(game, (*game.episode.interactions, said)))
    assert [one.text for one in world.dialogue] == [
        "a mug, please",
        "not there",
        "the table, I mean",
        "thanks",
    ]
    assert (world.dialogue[-1].speaker, world.dialogue[-1].time_ms) == (Role.COMMANDER, 99000)


def test_the_body_is_put_where_it_was_recorded() -> None:
    def farther(one: Interaction) -> Interaction:
        assert isinstance(one, Motion) and one.pose is not None
        z, minus_x, *rest = one.values
        return replace(one, values=(z + 0.5, minus_x, *rest))

    restorer, _ = _restored(changed(errand(), BACKWARD, farther))
    assert [(one.index, one.why) for one in restorer.overrides] == [(BACKWARD, Why.POSE), (BACKWARD + 1, Why.POSE)]


def test_a_click_that_misses_is_carried_out_on_the_recorded_object() -> None:
    game = errand()
    restorer, world = _restored(changed(game, PICKUP, lambda one: _object(one, x=0.99, y=0.01)))
    assert [(one.index, one.why, one.object_id) for one in restorer.overrides] == [(PICKUP, Why.CLICK, _mug(game))]
    assert world.simulator.state.held == _mug(game)


def test_a_placement_without_room_is_made_all_the_same() -> None:
    game = errand()
    toaster = next(obj["objectId"] for obj in game.episode.final_state.objects if obj["objectType"] == "Toaster")
    placed = with_interactions(game, game.episode.interactions[: PLACE + 1])
    restorer, world = _restored(changed(placed, PLACE, lambda one: _object(one, object_id=toaster)))
    assert [(one.index, one.why) for one in restorer.overrides] == [(PLACE, Why.CLICK)]
    assert world.simulator.state.objects[_mug(game)].parents[0] == toaster


def test_failures_are_not_repeated() -> None:
    game = changed(errand(), PICKUP, lambda one: _object(one, success=False, object_id=None))
    restorer, world = _restored(with_interactions(game, game.episode.interactions[:PLACE]))
    assert restorer.overrides == [] and restorer.followed == 4
    assert world.simulator.state.held is None


def test_what_the_room_does_not_hold_is_lost_and_named() -> None:
    gone = "Mug|+09.00|+09.00|+09.00"
    first = with_interactions(errand(), errand().episode.interactions[: PICKUP + 1])
    restorer, _ = _restored(changed(first, PICKUP, lambda one: _object(one, object_id=gone)))
    (lost,) = restorer.overrides
    assert (lost.why, lost.object_id) == (Why.LOST, gone)
    assert lost.to_json() == {
        "index": PICKUP,
        "action": "Pickup",
        "object_id": gone,
        "why": "lost",
        "message": lost.message,
    }
    assert lost.message


@pytest.mark.parametrize("cut", [3, PLACE])
def test_a_session_may_be_followed_in_parts(cut: int) -> None:
    game = errand()
    world = household()
    world.reset(Scenario.from_game(game))
    restorer = Restorer(world)
    restorer.follow(game.episode.interactions[:cut])
    restorer.follow(game.episode.interactions[cut:], first=cut)
    _, whole = _restored(game)
    assert list(world.objects) == list(whole.objects)
