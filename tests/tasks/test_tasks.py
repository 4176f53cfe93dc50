"""Tasks made of components, sub-tasks and relations; preconditions (TEACh specification 3.2, 3.7, 3.8, 3.10)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from teach_agents.tasks import Task, TaskLibrary
from tests.tasks.objects import atom, definition, library, only, relation, subtask, thing

BUILTIN = TaskLibrary.builtin()


def _counts(task: Task, *objects: dict[str, Any]) -> tuple[bool, int, int]:
    progress = task.check(objects)
    return progress.success, progress.goal_conditions_total, progress.goal_conditions_satisfied


def test_components_whose_keys_hold_macros_are_checked_last() -> None:
    assert [key for key, _ in BUILTIN.task("Clean X", ["Plate"]).resolved.components] == ["sink", "Plate"]
    progress = BUILTIN.task("Sandwich", ["1", "0"]).check([thing("Sink"), thing("Plate", isDirty=True)])
    plate = next(subgoal for subgoal in progress.subgoals if subgoal.description == "Have a clean Plate ready.")
    assert plate.step_successes == (True, False)


def test_keys_that_become_equal_collide_and_the_later_one_wins() -> None:
    task = BUILTIN.task("Put All X On Y", ["Plate", "on", "Plate"])
    (key, component), *rest = task.resolved.components
    assert (key, component.determiner, rest) == ("Plate", "a", [])


def test_wanted_values_that_become_numbers_are_numbers() -> None:
    task = BUILTIN.task("Toggle X All Y", ["on", "1", "Lights"])
    lamp = thing("FloorLamp", isToggled=True)
    assert task.resolved.components[0][0] == "1"
    assert _counts(task, lamp) == (True, 2, 2)
    assert task.check([thing("FloorLamp")]).to_json()["subgoals"][0]["problem_keys"] == {
        lamp["objectId"]: [
            {
                "objectType": "FloorLamp",
                "determiner": "all",
                "property_name": "isToggled",
                "desired_property_value": 1,
            }
        ]
    }


def test_two_digit_macros_are_not_taken_for_shorter_ones() -> None:
    params = ["1", "0", "0", "Plate", "0", "Bowl", "0", "0", "0", "0", "0", "0", "0", "DiningTable"]
    spot = dict(BUILTIN.task("Breakfast", params).resolved.components)["serving_spot"]
    assert spot.conditions == {"objectType": "DiningTable", "receptacle": 1}  # type: ignore[union-attr]


def test_making_tasks_leaves_the_definitions_alone() -> None:
    before = repr(BUILTIN.definition("N Slices Of X In Y"))
    first = BUILTIN.task("N Slices Of X In Y", ["2", "Tomato", "on", "Plate"]).resolved
    second = BUILTIN.task("N Slices Of X In Y", ["1", "Apple", "in", "Bowl"]).resolved
    assert repr(BUILTIN.definition("N Slices Of X In Y")) == before
    assert first.desc == "Prepare 2 slice(s) of Tomato, served on a clean Plate."
    assert second.desc == "Prepare 1 slice(s) of Apple, served in a clean Bowl."


def test_numbers_multiply_down_the_tree(tmp_path: Path) -> None:
    inner = definition("Inner", 1, anchor="x", components={"x": atom({"objectType": "Mug"}, "2")})
    outer = definition(
        "T", 2, components={"i": subtask("Inner", determiner="3"), "off": subtask("Inner", determiner="0")}
    )
    task = library(tmp_path, inner, outer).task("T")
    assert _counts(task, *(thing("Mug", number) for number in range(5))) == (False, 6, 5)
    assert _counts(task, *(thing("Mug", number) for number in range(7))) == (True, 6, 6)
    (subgoal,) = task.check([]).subgoals
    assert subgoal.description == "3 x inner"


def test_numbers_multiply_through_several_tasks(tmp_path: Path) -> None:
    leaf = definition("Leaf", 1, components={"x": atom({"objectType": "Mug"}, "2")})
    branch = definition("Branch", 2, components={"leaf": subtask("Leaf", determiner="3")})
    tree = definition("T", 3, components={"branch": subtask("Branch", determiner="2")})
    assert library(tmp_path, leaf, branch, tree).task("T").check([]).goal_conditions_total == 12


def test_a_subtask_that_fails_shows_a_candidate_first_and_one_that_is_met_a_satisfied_object(tmp_path: Path) -> None:
    inner = definition("Inner", 1, anchor="x", components={"x": atom({"objectType": "Mug", "isToggled": 1}, "2")})
    outer = definition("T", 2, components={"inner": subtask("Inner", determiner="1")})
    task = library(tmp_path, inner, outer).task("T")
    off, on, also = thing("Mug", 1), thing("Mug", 2, isToggled=True), thing("Mug", 3, isToggled=True)
    assert task.check([off, on]).subgoals[0].representative_object_id == off["objectId"]
    assert task.check([off, on, also]).subgoals[0].representative_object_id == on["objectId"]
    assert task.check([off, on]).subgoals[0].description == "1 x inner"


def test_a_subtask_is_told_as_one_subgoal_with_its_failing_steps_only() -> None:
    task = BUILTIN.task("Tutorial")
    clean = task.check([thing("Mug")]).subgoals[0]
    assert [step.desc for step in clean.steps] == ["This mug must be filled at the coffee machine."]
    progress = task.check([thing("Mug", isDirty=True), thing("Potato"), thing("Knife")])
    coffee, potato = progress.subgoals
    assert coffee.description == "Brew coffee into a clean mug."
    assert not any(step.success for subgoal in progress.subgoals for step in subgoal.steps)
    assert [key.property_name for key in coffee.problem_keys[thing("Mug")["objectId"]]] == [
        "isDirty",
        "simbotIsFilledWithCoffee",
    ]
    assert potato.representative_object_id == thing("Potato")["objectId"]
    assert list(coffee.to_json()) == [
        "representative_obj_id",
        "step_successes",
        "success",
        "description",
        "steps",
        "problem_keys",
        "goal_conditions_total",
        "goal_conditions_satisfied",
    ]


def test_a_subtask_without_anchor_is_represented_by_its_steps(tmp_path: Path) -> None:
    component = atom({"objectType": "HousePlant", "isDirty": 0}, isDirty="wash")
    inner = definition("Inner", 1, components={"x": component})
    task = library(tmp_path, inner, definition("T", 2, components={"i": subtask("Inner")})).task("T")
    plant = thing("HousePlant", isDirty=True)
    assert task.check([plant]).subgoals[0].representative_object_id == plant["objectId"]
    assert task.check([]).subgoals[0].representative_object_id == ""
    assert task.check([]).satisfied_objects is None


def _served(tail: str, **heads: str) -> dict[str, Any]:
    """Components and one relation of mugs and cups to plates."""
    components = {
        "mug": atom({"objectType": "Mug"}, heads.get("mug", "0")),
        "cup": atom({"objectType": "Cup"}, heads.get("cup", "0")),
        "plate": atom({"objectType": "Plate"}, shareable=True),
    }
    return {"components": components, "relations": [relation("plate", tail, **heads)]}


def test_a_tail_of_any_kind_takes_heads_apart_and_counts_beyond_what_is_needed(tmp_path: Path) -> None:
    task = only(tmp_path, **_served("a", mug="2"))
    plates = [thing("Plate", 1), thing("Plate", 2)]
    mugs = [thing("Mug", number, inside=[plates[number % 2]["objectId"]]) for number in range(3)]
    assert _counts(task, *plates, *mugs) == (True, 2 + 1 + 2, 2 + 1 + 3)
    progress = task.check([*plates, *mugs])
    assert [step.success for step in progress.subgoals[-1].steps] == [True]


def test_a_tail_of_any_kind_names_as_many_heads_as_are_missing(tmp_path: Path) -> None:
    task = only(tmp_path, **_served("a", mug="2"))
    progress = task.check([thing("Plate"), *(thing("Mug", number) for number in range(4))])
    assert list(progress.subgoals[-1].problem_keys) == [thing("Mug", 0)["objectId"], thing("Mug", 1)["objectId"]]
    key = progress.to_json()["subgoals"][-1]["problem_keys"][thing("Mug", 0)["objectId"]][0]
    assert list(key.items()) == [
        ("objectType", "Mug"),
        ("determiner", "2"),
        ("property_name", "parentReceptacles"),
        ("desired_property_value", "Plate"),
    ]


def test_several_instances_need_several_heads_in_any_tail(tmp_path: Path) -> None:
    inner = definition("Inner", 1, **_served("a", mug="a"))
    task = library(tmp_path, inner, definition("T", 2, components={"i": subtask("Inner", determiner="2")})).task("T")
    plate = thing("Plate")
    mugs = [thing("Mug", 1, inside=[plate["objectId"]]), thing("Mug", 2)]
    assert _counts(task, plate, *mugs) == (False, 2 + 1 + 2, 2 + 1 + 1)


def test_heads_that_are_met_give_no_step_while_others_fail(tmp_path: Path) -> None:
    task = only(tmp_path, **_served("a", mug="a", cup="a"))
    plate = thing("Plate")
    mug, cup = thing("Mug", inside=[plate["objectId"]]), thing("Cup")
    steps = task.check([plate, mug, cup]).subgoals[-1].steps
    assert [(step.success, step.object_id) for step in steps] == [(False, cup["objectId"])]


def test_all_heads_must_be_in_a_tail(tmp_path: Path) -> None:
    task = only(tmp_path, **_served("a", mug="all"))
    plate = thing("Plate")
    inside, outside = thing("Mug", 1, inside=[plate["objectId"]]), thing("Mug", 2)
    assert _counts(task, plate, inside, outside) == (False, 3, 2)
    assert list(task.check([plate, inside, outside]).subgoals[-1].problem_keys) == [outside["objectId"]]
    assert [step.success for step in task.check([plate, inside]).subgoals[-1].steps] == [True]
    assert _counts(task, plate) == (True, 1, 1)


def test_a_relation_without_tails_fails_and_writes_the_references_empty_list(tmp_path: Path) -> None:
    task = only(tmp_path, **_served("a", mug="a"))
    subgoal = task.check([thing("Mug")]).subgoals[-1]
    assert (subgoal.success, subgoal.goal_conditions_total, subgoal.goal_conditions_satisfied) == (False, 1, 0)
    assert subgoal.to_json()["problem_keys"] == []


def test_the_tail_must_hold_all_heads_together(tmp_path: Path) -> None:
    task = only(tmp_path, **_served("the", mug="a", cup="2"))
    plates = [thing("Plate", 1), thing("Plate", 2)]
    mug = thing("Mug", 1, inside=[plates[0]["objectId"]])
    cups = [thing("Cup", number, inside=[plates[1]["objectId"]]) for number in (1, 2)]
    assert _counts(task, *plates, mug, *cups) == (False, 4 + 3, 4 + 2)
    progress = task.check([*plates, mug, *cups])
    key = progress.to_json()["subgoals"][-1]["problem_keys"][mug["objectId"]][0]
    assert list(key) == ["determiner", "property_name", "desired_property_value", "objectType"]
    mug["parentReceptacles"] = [plates[1]["objectId"]]
    assert _counts(task, *plates, mug, *cups) == (True, 7, 7)
    assert task.check([*plates, mug, *cups]).subgoals[-1].steps == ()


def test_each_instance_needs_a_tail_of_its_own(tmp_path: Path) -> None:
    task_data = definition("Inner", 1, **_served("the", mug="a"))
    outer = definition("T", 2, components={"inner": subtask("Inner", determiner="2")})
    task = library(tmp_path, task_data, outer).task("T")
    plates = [thing("Plate", 1), thing("Plate", 2), thing("Plate", 3)]
    mugs = [thing("Mug", number, inside=[plates[0]["objectId"]]) for number in (1, 2)]
    assert _counts(task, *plates, *mugs) == (False, 2 + 1 + 2, 2 + 1 + 1)
    mugs[1]["parentReceptacles"] = [plates[2]["objectId"]]
    assert _counts(task, *plates, *mugs) == (True, 5, 5)


def test_any_clean_plate_can_stand_for_every_dish() -> None:
    """The anchor ignores the sub-task's own relations (Q12)."""
    table = thing("DiningTable")
    plate = thing("Plate", inside=[table["objectId"]])
    params = ["0", "1", "0", "Plate", "0", "Bowl", "0", "0", "0", "0", "0", "0", "0", "DiningTable"]
    progress = BUILTIN.task("Breakfast", params).check([table, plate, thing("Sink")])
    assert progress.subgoals[-1].success
    assert not progress.success


def test_relations_by_another_property_read_its_list(tmp_path: Path) -> None:
    data = _served("a", mug="a")
    data["relations"][0]["property"] = "controlledBy"
    task = only(tmp_path, **data)
    plate = thing("Plate")
    assert not task.check([plate, thing("Mug")]).success
    assert task.check([plate, thing("Mug", controlledBy=[plate["objectId"]])]).success
    assert task.check([plate, thing("Mug", controlledBy=plate["objectId"])]).success


def test_the_reply_has_numbers_for_every_success() -> None:
    reply = BUILTIN.task("Tutorial").check([thing("Mug", isDirty=True)]).to_reply()
    assert list(reply) == ["task_desc", "success", "subgoals"]
    assert "true" not in json.dumps(reply)
    assert "false" not in json.dumps(reply)


@pytest.mark.parametrize(
    ("name", "params", "objects", "met"),
    [
        ("Omelette", [], [thing("Egg")], True),
        ("Poach Egg", [], [thing("EggCracked")], True),
        ("Omelette", [], [thing("Apple")], False),
        ("Sliced X", ["Tomato"], [thing("Tomato"), thing("Knife")], True),
        ("Sliced X", ["Tomato"], [thing("Tomato")], False),
        ("Clean All X", ["Mug"], [thing("Mug", isDirty=True), thing("SinkBasin")], True),
        ("Clean All X", ["Mug"], [thing("SinkBasin")], False),
        ("Boil X", ["Potato"], [thing("Potato")], True),
        ("Coffee", [], [thing("Mug", isDirty=True)], True),
        ("Water Plant", [], [], False),
    ],
)
def test_preconditions_ask_whether_the_objects_exist(
    name: str, params: list[str], objects: list[dict[str, Any]], met: bool
) -> None:
    assert BUILTIN.task(name, params).preconditions(objects) is met


def test_preconditions_take_one_base_for_many_slices_and_one_egg_for_one(tmp_path: Path) -> None:
    slices = only(tmp_path, components={"s": atom({"objectType": "TomatoSliced"}, "9")})
    assert slices.preconditions([thing("Tomato")])
    assert not slices.preconditions([thing("TomatoSliced", number) for number in range(8)])
    eggs = only(tmp_path, components={"e": atom({"objectType": "EggCracked"}, "2")})
    assert not eggs.preconditions([thing("Egg")])
    assert eggs.preconditions([thing("Egg"), thing("EggCracked")])
    every = only(tmp_path, components={"s": atom({"objectType": "TomatoSliced"}, "all")})
    assert every.preconditions([thing("Tomato")])


def test_preconditions_leave_out_what_is_switched_off_and_multiply_numbers(tmp_path: Path) -> None:
    inner = definition("Inner", 1, components={"x": atom({"objectType": "Mug"}, "2")})
    off = subtask("Inner", determiner="0")
    outer = definition("T", 2, components={"i": subtask("Inner", determiner="2"), "off": off})
    task = library(tmp_path, inner, outer).task("T")
    assert not task.preconditions([thing("Mug", number) for number in range(3)])
    assert task.preconditions([thing("Mug", number) for number in range(4)])
    assert BUILTIN.task("Workspace", ["0", "0", "1"]).preconditions(
        [thing("Book"), thing("Desk"), thing("LightSwitch")]
    )
