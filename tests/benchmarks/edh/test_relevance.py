"""Which changes have to do with a task."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from teach_agents.benchmarks.edh.generating import relevant_changes, relevant_classes
from teach_agents.data import read_game
from teach_agents.tasks import TaskLibrary, state_diff_changes


def _relevant(task: str, params: list[str], *object_ids: str) -> list[str]:
    classes = relevant_classes(TaskLibrary.builtin().task(task, params).resolved)
    return list(relevant_changes({object_id: {"isDirty": False} for object_id in object_ids}, classes))


MUG, FAUCET, MACHINE, KNIFE, BREAD = (
    "Mug|1|1|1",
    "Faucet|1|1|1",
    "CoffeeMachine|1|1|1",
    "ButterKnife|1|1|1",
    "Bread|1|1|1",
)
TOAST, CABINET, SALT = f"{BREAD}|BreadSliced_3", "Cabinet|1|1|1", "SaltShaker|1|1|1"


def test_what_a_task_names_is_relevant_by_type_and_by_class() -> None:
    assert _relevant("Coffee", [], MUG, SALT) == [MUG]
    assert _relevant("Clean All X", ["Tableware"], MUG, SALT) == [MUG, SALT]


def test_tools_are_relevant_where_what_they_bring_about_is_wanted() -> None:
    tools = (FAUCET, MACHINE, KNIFE, CABINET)
    assert _relevant("Coffee", [], *tools) == [FAUCET, MACHINE]
    assert _relevant("Water Plant", [], *tools) == []
    assert _relevant("N Slices Of X In Y", ["1", "Bread", "on", "Plate"], *tools) == [FAUCET, KNIFE]


def test_slices_come_from_a_whole() -> None:
    assert _relevant("Plate Of Toast", [], BREAD, TOAST, "Toaster|1|1|1") == [BREAD, TOAST, "Toaster|1|1|1"]
    assert _relevant("Salad", ["1", "0", "0"], BREAD, TOAST) == []


def test_what_a_task_names_is_relevant_in_whatever_number() -> None:
    breakfast = ["1", "0", "0", "Plate", "0", "Plate", "0", "0", "0", "0", "0", "0", "0", "CounterTop"]
    assert _relevant("Breakfast", breakfast, TOAST) == [TOAST]


def test_kept_objects_keep_all_their_changes() -> None:
    changes: dict[str, dict[str, Any]] = {MUG: {"isDirty": False, "simbotPickedUp": 1}, SALT: {"isPickedUp": True}}
    classes = relevant_classes(TaskLibrary.builtin().task("Coffee").resolved)
    assert relevant_changes(changes, classes) == {MUG: changes[MUG]}


@pytest.mark.data
def test_the_released_instances_keep_the_same_objects(teach_data: Path) -> None:
    library = TaskLibrary.builtin()
    kept = dropped = 0
    for path in sorted((teach_data / "edh_instances").glob("*/*.json")):
        edh = json.loads(path.read_bytes())
        game = read_game(teach_data / "games" / path.parent.name / f"{edh['game_id']}.game.json")
        task = library.task(game.task.task_name, list(game.task.task_params))
        changed = state_diff_changes(edh["init_state_diff"]["objects"], edh["final_state_diff"]["objects"])
        relevant = relevant_changes(changed, relevant_classes(task.resolved))
        assert relevant == edh["state_changes"]["objects"], path.name
        kept, dropped = kept + len(relevant), dropped + len(changed) - len(relevant)
    assert (kept, dropped) == (132, 23)
