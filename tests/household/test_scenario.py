"""Scenarios, from scratch and from recorded games."""

from __future__ import annotations

from pathlib import Path

import pytest

from teach_agents.data import iter_games
from teach_agents.errors import InputError
from teach_agents.household import Scenario
from teach_agents.simulator.contract import Scene


def test_parameters_that_are_no_texts_are_refused_with_an_example() -> None:
    with pytest.raises(InputError, match="scenario 's': task_params must be a tuple of texts"):
        Scenario("s", "Salad", (1, 2, 1), Scene("FloorPlan1"))  # type: ignore[arg-type]  # bad input is the point
    with pytest.raises(InputError, match="got 'Mug'"):
        Scenario("s", "Clean X", "Mug", Scene("FloorPlan1"))  # type: ignore[arg-type]  # bad input is the point


def test_a_seed_that_is_no_number_is_refused() -> None:
    with pytest.raises(InputError, match="seed must be a whole number; got '7'"):
        Scenario("s", "Coffee", (), Scene("FloorPlan1"), "7")  # type: ignore[arg-type]  # bad input is the point


def test_the_room_is_the_scenes() -> None:
    assert Scenario("s", "Coffee", (), Scene("FloorPlan7")).room == "FloorPlan7"


@pytest.mark.data
def test_a_recorded_game_gives_its_task_its_room_and_its_initial_state(teach_data: Path) -> None:
    game = next(iter_games(sorted((teach_data / "games" / "valid_seen").glob("*.game.json"))[:1]))
    scenario = Scenario.from_game(game)
    stored = scenario.scene.stored
    assert stored is not None
    assert scenario.scenario_id == game.game_id
    assert (scenario.task_name, scenario.task_params) == (game.task.task_name, tuple(game.task.task_params))
    assert scenario.room == game.episode.room
    assert stored.objects == game.episode.initial_state.objects
    assert stored.agent.horizon == pytest.approx(30.0, abs=0.01)
    assert stored.commander is not None
