"""Instances from game files and by seed."""

from __future__ import annotations

from pathlib import Path

import pytest

from teach_agents.benchmarks.tatc.instances import TatcInstance, game_instances, generated_instances
from teach_agents.benchmarks.tatc.parameters import SESSION_TASKS, TASK_DRAWS
from teach_agents.errors import InputError
from teach_agents.tasks import TaskLibrary


def test_the_same_seed_draws_the_same_instances() -> None:
    assert generated_instances(30, seed=4) == generated_instances(30, seed=4)
    assert generated_instances(30, seed=4) != generated_instances(30, seed=5)


def test_twelve_instances_cover_the_twelve_session_tasks() -> None:
    assert [instance.task_name for instance in generated_instances(12)] == list(SESSION_TASKS)


def test_every_shipped_task_can_be_drawn_and_built() -> None:
    library = TaskLibrary.builtin()
    assert set(TASK_DRAWS) == set(library.names)
    for name, draws in TASK_DRAWS.items():
        for draw in draws:
            library.task(name, list(draw.params))


def test_parameters_can_be_given() -> None:
    (instance,) = generated_instances(1, tasks=["Salad:1,1,2"], rooms=["FloorPlan7"])
    assert instance.task_params == ("1", "1", "2") and instance.rooms == ("FloorPlan7",)


def test_of_several_rooms_each_instance_begins_with_one_of_its_own() -> None:
    rooms = ["FloorPlan9", "FloorPlan10", "FloorPlan29", "FloorPlan404"]
    made = generated_instances(30, tasks=["Coffee"], rooms=rooms)
    assert {one.rooms[0] for one in made} == {*rooms[:3]}
    assert all(one.rooms[-1] == "FloorPlan404" and {*one.rooms} == {*rooms} for one in made)


def test_parameters_fit_the_rooms_where_any_do() -> None:
    made = generated_instances(20, tasks=["Put All X In One Y"], rooms=["FloorPlan201"])
    fitting = [draw.params for draw in TASK_DRAWS["Put All X In One Y"] if "living room" in draw.rooms]
    assert 0 < len(fitting) < len(TASK_DRAWS["Put All X In One Y"])
    assert all(one.task_params in fitting for one in made)
    assert all(
        one.rooms == ("FloorPlan201",) for one in generated_instances(3, tasks=["Coffee"], rooms=["FloorPlan201"])
    )


def test_an_unknown_task_is_refused_with_a_suggestion() -> None:
    with pytest.raises(InputError, match="did you mean 'Coffee'"):
        generated_instances(1, tasks=["Cofee"])


def test_wrong_parameters_and_rooms_are_refused_before_anything_is_played() -> None:
    with pytest.raises(InputError, match="Salad"):
        generated_instances(1, tasks=["Salad:1"])
    with pytest.raises(InputError, match="FloorPlan99"):
        generated_instances(1, rooms=["FloorPlan99"])
    with pytest.raises(InputError, match="at least 1"):
        generated_instances(0)


def test_instances_travel_as_json() -> None:
    for instance in generated_instances(3):
        assert TatcInstance.from_json(instance.to_json()) == instance


def test_game_files_are_found_in_folders_and_sorted(tmp_path: Path) -> None:
    (tmp_path / "valid_seen").mkdir()
    for name in ("b.game.json", "a.game.json", "notes.txt"):
        (tmp_path / "valid_seen" / name).write_text("{}")
    assert [instance.instance_id for instance in game_instances([tmp_path])] == ["a", "b"]


def test_a_missing_or_empty_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        game_instances([tmp_path / "absent"])
    with pytest.raises(InputError, match="no .*game.json files"):
        game_instances([tmp_path])


def test_two_games_of_one_name_are_refused_and_one_named_twice_is_played_once(tmp_path: Path) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.game.json").touch()
    with pytest.raises(InputError, match="two files go by the name a: .*two.a.game.json"):
        game_instances([tmp_path])
    assert len(game_instances([tmp_path / "one", tmp_path / "one" / "a.game.json"])) == 1
