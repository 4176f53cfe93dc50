"""What is kept of a state to judge it by."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from teach_agents.benchmarks.solo.judging import slim_rows
from teach_agents.household import Household
from teach_agents.tasks import TaskLibrary
from tests.household.fake import FakeSimulator
from tests.household.helpers import scenario, walk
from tests.tasks.objects import atom, definition, library


def _tasks(folder: Path, **conditions: Any) -> TaskLibrary:
    """A library of one task, `Odd`: a mug of these properties."""
    return library(folder, definition("Odd", components={"mug": atom({"objectType": "Mug", **conditions})}))


def test_shapes_and_such_are_left_out_unless_the_task_asks_for_them(tmp_path: Path) -> None:
    row = {"objectId": "m", "objectType": "Mug", "mass": 1.0, "isMoving": False, "name": "Mug_1", "distance": 2.0}
    plain = _tasks(tmp_path, isDirty=0).task("Odd", ())
    assert plain.properties == {"objectType", "isDirty"}
    assert slim_rows([row], plain) == [{"objectId": "m", "objectType": "Mug"}]
    odd = _tasks(tmp_path, mass=1, isMoving=0).task("Odd", ())
    assert slim_rows([row], odd) == [{"objectId": "m", "objectType": "Mug", "mass": 1.0, "isMoving": False}]


@pytest.mark.parametrize(
    "conditions",
    [{"visible": 1}, {"visible": 0}, {"obstructed": 1}, {"isMoving": 0}, {"mass": 1}, {"salientMaterials": "Metal"}],
)
def test_what_is_kept_is_judged_as_the_household_judges(tmp_path: Path, conditions: dict[str, Any]) -> None:
    tasks = _tasks(tmp_path, **conditions)
    household = Household(FakeSimulator(), tasks, view_size=64)
    household.reset(scenario("Odd"))
    task, seen = household.task, set()
    for _ in range(4):
        told = household.progress()
        assert task.check(slim_rows(household.objects_for(task), task)).success == told.success
        seen.add(told.success)
        mugs = [row["visible"] for row in household.objects if row["objectType"] == "Mug"]
        if "visible" in conditions:
            assert told.success is (bool(conditions["visible"]) in mugs), "as it is now, whoever looked last"
        walk(household, "Turn Right")
    assert seen == {True, False} or conditions.keys() - {"visible", "obstructed"}
