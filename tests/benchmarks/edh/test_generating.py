"""EDH instances with their differences, from a session carried out again."""

from __future__ import annotations

from pathlib import Path

import pytest

from teach_agents.actions import Action
from teach_agents.benchmarks.edh.generating import ALREADY_SO, IRRELEVANT, candidates
from teach_agents.data import ObjectInteraction, read_game
from teach_agents.data.edh import edh_from_game, read_edh, stretches, write_edh
from teach_agents.tasks import apply_state_diff, evaluation_task
from tests.benchmarks.edh.sessions import PICKUP, errand, household
from tests.benchmarks.fidelity.recording import on, record


def test_every_stretch_says_what_it_changes() -> None:
    game = errand()
    first, second = candidates(game, household())
    assert [one.instance.instance_id for one in (first, second)] == ["recorded.edh0", "recorded.edh1"]
    assert first.rejected == second.rejected == ""
    taken = game.episode.interactions[PICKUP]
    assert isinstance(taken, ObjectInteraction) and taken.object_id
    mug = taken.object_id
    assert first.instance.state_changes and list(first.instance.state_changes.objects) == [mug]
    assert first.instance.init_state_diff and first.instance.init_state_diff.objects == {}
    assert (first.instance.goal_conditions_total, first.instance.goal_conditions_satisfied) == (4, 2)
    assert second.instance.state_changes
    assert second.instance.state_changes.objects[mug] == {"isPickedUp": True, "simbotLastParentReceptacle": None}


def test_the_final_difference_solves_the_task_made_of_the_changes(tmp_path: Path) -> None:
    game = errand()
    for one in candidates(game, household()):
        instance = one.instance
        path = tmp_path / f"{instance.instance_id}.json"
        write_edh(instance, path)
        assert read_edh(path) == instance
        assert instance.state_changes and instance.final_state_diff and instance.init_state_diff
        task = evaluation_task(instance.state_changes.objects)
        initial = game.episode.initial_state.objects
        assert task.check(apply_state_diff(initial, instance.final_state_diff.objects)).success
        assert not task.check(apply_state_diff(initial, instance.init_state_diff.objects)).success


def test_without_differences_it_is_the_instance_that_the_rules_cut() -> None:
    game = errand()
    cut = [edh_from_game(game, stretch).to_json() for stretch in stretches(game.episode.interactions)]
    made = [one.instance.to_json() for one in candidates(game, household())]
    assert [{key: one[key] for key in two} for one, two in zip(made, cut, strict=True)] == cut


def test_a_stretch_that_has_nothing_to_do_with_the_task_is_rejected() -> None:
    game = record(Action.say("hi"), on("Pickup", "Apple"), on("Place", "CounterTop"), Action.say("ok"))
    assert [one.rejected for one in candidates(game, household())] == [IRRELEVANT]


@pytest.mark.data
def test_a_released_session_gives_the_released_instances_among_its_candidates(teach_data: Path) -> None:
    path = sorted((teach_data / "edh_instances" / "train").glob("*.json"))[0]
    released = read_edh(path)
    game = read_game(teach_data / "games" / "train" / f"{released.game_id}.game.json")
    made = {one.instance.instance_id: one for one in candidates(game, household())}
    again = made[released.instance_id]
    assert again.rejected == ""
    assert again.instance.state_changes == released.state_changes
    assert again.instance.goal_conditions_total == released.goal_conditions_total
    assert [one.rejected for one in made.values()] == ["", ALREADY_SO]
