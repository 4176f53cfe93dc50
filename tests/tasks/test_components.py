"""Components that ask for objects, and the conditions they ask for (TEACh specification 3.3 to 3.6)."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teach_agents.tasks import TaskLibrary
from teach_agents.tasks.atoms import condition_test
from teach_agents.tasks.scan import BucketPlan, Scan
from tests.tasks.objects import atom, library, only, subtask, thing
from tests.tasks.objects import definition as task_definition


def _holds(name: str, wanted: Any, obj: dict[str, Any], *others: dict[str, Any]) -> bool:
    return condition_test(name, wanted)([obj], Scan(BucketPlan(), [obj, *others], None))[0]


@pytest.mark.parametrize(
    ("name", "wanted", "properties", "holds"),
    [
        ("isDirty", 0, {"isDirty": False}, True),
        ("isDirty", 0, {"isDirty": True}, False),
        ("isDirty", 1, {"isDirty": True}, True),
        ("isBroken", 0, {}, False),
        ("isBroken", 1, {}, False),
        ("simbotIsFilledWithWater", True, {"simbotIsFilledWithWater": 1}, True),
        ("simbotIsCooked", 1, {"simbotIsCooked": 7}, True),
        ("openness", 0.5, {"openness": 0.5}, True),
        ("slices", 3, {"slices": 3}, True),
        ("slices", 3, {"slices": 4}, False),
        ("materials", "Wood", {"materials": ["Metal", "Wood"]}, True),
        ("materials", "Wood", {"materials": ["Metal"]}, False),
        ("simbotObjectClass", "Drinkware", {}, True),
        ("simbotObjectClass", "Food", {}, False),
        ("simbotLastParentReceptacle", None, {"simbotLastParentReceptacle": None}, True),
        ("simbotLastParentReceptacle", None, {}, False),
        ("simbotLastParentReceptacle", None, {"simbotLastParentReceptacle": "Sink|1"}, False),
    ],
)
def test_a_property_is_as_wanted(name: str, wanted: Any, properties: dict[str, Any], holds: bool) -> None:
    assert _holds(name, wanted, thing("Mug", **properties)) is holds


@pytest.mark.parametrize("pair", [("Sink", "SinkBasin"), ("BathtubBasin", "Bathtub"), ("Mug", "Mug")])
def test_basins_count_as_what_they_belong_to(pair: tuple[str, str]) -> None:
    assert _holds("objectType", pair[0], thing(pair[1]))
    assert not _holds("objectType", pair[0], thing("Cup"))


def test_the_last_receptacle_matches_by_type_twin_and_class() -> None:
    basin, shelf = thing("SinkBasin"), thing("Shelf")
    mug = thing("Mug", simbotLastParentReceptacle=basin["objectId"])
    assert _holds("simbotLastParentReceptacle", "Sink", mug, basin)
    mug["simbotLastParentReceptacle"] = shelf["objectId"]
    assert _holds("simbotLastParentReceptacle", "Tables", mug, shelf)
    assert not _holds("simbotLastParentReceptacle", "Sink", mug, shelf)


def test_a_receptacle_that_is_missing_or_has_no_classes_does_not_match() -> None:
    bare = thing("Shelf")
    del bare["simbotObjectClass"]
    mug = thing("Mug", simbotLastParentReceptacle=bare["objectId"], inside=[bare["objectId"], "Gone|1|1|1"])
    for name in ("simbotLastParentReceptacle", "parentReceptacles"):
        assert not _holds(name, "Tables", mug, bare)
        assert not _holds(name, "Tables", mug)
        assert _holds(name, "Shelf", mug, bare)


def test_ancestors_are_thors_parents_where_it_gives_any_list() -> None:
    shelf, plate = thing("Shelf"), thing("Plate", inside=["Shelf|1"])
    plate["simbotLastParentReceptacle"] = shelf["objectId"]
    plate["parentReceptacles"] = []
    assert Scan(BucketPlan(), [shelf, plate], None).ancestors(plate) == []


def test_ancestors_follow_the_last_receptacles_where_thor_gives_none() -> None:
    shelf = thing("Shelf", inside=["Floor|1|1|1"])
    plate = thing("Plate", simbotLastParentReceptacle=shelf["objectId"])
    apple = thing("Apple", simbotLastParentReceptacle=plate["objectId"])
    scan = Scan(BucketPlan(), [apple, plate, shelf], None)
    assert scan.ancestors(apple) == [plate["objectId"], shelf["objectId"], "Floor|1|1|1"]


def test_a_ring_of_last_receptacles_ends() -> None:
    plate, bowl, own = thing("Plate"), thing("Bowl"), thing("Mug")
    plate["simbotLastParentReceptacle"] = bowl["objectId"]
    bowl["simbotLastParentReceptacle"] = plate["objectId"]
    own["simbotLastParentReceptacle"] = own["objectId"]
    scan = Scan(BucketPlan(), [plate, bowl, own], None)
    assert scan.ancestors(plate) == [bowl["objectId"]]
    assert scan.ancestors(own) == []


def test_a_number_counts_conditions_of_the_best_candidates(tmp_path: Path) -> None:
    task = only(tmp_path, components={"mug": atom({"objectType": "Mug", "isDirty": 0, "isToggled": 1}, "2")})
    clean = thing("Mug", 1, isDirty=False)
    dirty = thing("Mug", 2, isDirty=True)
    done = thing("Mug", 3, isToggled=True)
    progress = task.check([dirty, clean, done])
    assert (progress.success, progress.goal_conditions_total, progress.goal_conditions_satisfied) == (False, 6, 3 + 2)
    assert list(progress.subgoals[0].problem_keys) == [clean["objectId"]]
    assert [key.property_name for key in progress.subgoals[0].problem_keys[clean["objectId"]]] == ["isToggled"]


def test_equally_good_candidates_are_named_nearest_first(tmp_path: Path) -> None:
    task = only(tmp_path, anchor="mug", components={"mug": atom({"objectType": "Mug", "isToggled": 1})})
    near, far, nowhere = thing("Mug", 1), thing("Mug", 9), thing("Mug", 2)
    del nowhere["position"]
    assert task.check([nowhere, far, near], agent_position=(0.0, 0.0, 0.0)).candidate_objects == (
        near["objectId"],
        far["objectId"],
        nowhere["objectId"],
    )
    assert task.check([far, near]).candidate_objects == (far["objectId"], near["objectId"])


def test_candidates_after_success_are_not_listed_but_satisfied_ones_are(tmp_path: Path) -> None:
    task = only(tmp_path, anchor="mug", components={"mug": atom({"objectType": "Mug", "isToggled": 1})})
    first, done, later, also = thing("Mug", 1), thing("Mug", 2, isToggled=True), thing("Mug", 3), thing("Mug", 4)
    also["isToggled"] = True
    progress = task.check([first, done, later, also])
    assert progress.candidate_objects == (first["objectId"],)
    assert progress.satisfied_objects == (done["objectId"], also["objectId"])
    assert progress.goal_conditions_satisfied == progress.goal_conditions_total == 2


def test_one_base_is_proposed_for_many_slices_while_the_total_counts_them_all(tmp_path: Path) -> None:
    task = only(tmp_path, components={"t": atom({"objectType": "TomatoSliced"}, "3", objectType="cut it")})
    progress = task.check([thing("Tomato", 1), thing("Tomato", 2)])
    assert (progress.goal_conditions_total, progress.goal_conditions_satisfied) == (3, 0)
    assert [step.object_id for step in progress.subgoals[0].steps] == [thing("Tomato", 1)["objectId"]]


def test_bases_whose_other_conditions_fail_are_all_proposed(tmp_path: Path) -> None:
    task = only(tmp_path, components={"t": atom({"objectType": "BreadSliced", "isCooked": 1}, "2")})
    progress = task.check([thing("Bread", 1), thing("Bread", 2), thing("Bread", 3)])
    assert len(progress.subgoals[0].problem_keys) == 2


def test_there_is_no_such_shortcut_for_eggs(tmp_path: Path) -> None:
    task = only(tmp_path, components={"e": atom({"objectType": "EggCracked"}, "2")})
    assert len(task.check([thing("Egg", 1), thing("Egg", 2), thing("Egg", 3)]).subgoals[0].problem_keys) == 2


def test_a_shareable_component_is_needed_once_however_many_instances(tmp_path: Path) -> None:
    inner = task_definition("Inner", 1, components={"sink": atom({"objectType": "Sink"}, "4", shareable=True)})
    outer = task_definition("T", 2, components={"inner": subtask("Inner", determiner="3")})
    progress = library(tmp_path, inner, outer).task("T").check([thing("Sink")])
    assert progress.success
    assert progress.goal_conditions_total == 1


def test_steps_tell_failing_objects_or_one_that_is_done(tmp_path: Path) -> None:
    component = atom({"objectType": "Mug", "isDirty": 0, "isToggled": 1}, "2", isToggled="on", isDirty="clean")
    task = only(tmp_path, components={"mug": component})
    mugs = [thing("Mug", 1), thing("Mug", 2)]
    steps = task.check(mugs).subgoals[0].steps
    assert [(step.success, step.object_id, step.desc) for step in steps] == [
        (False, mugs[0]["objectId"], "on"),
        (False, mugs[1]["objectId"], "on"),
        (True, mugs[0]["objectId"], "clean"),
    ]
    assert task.check([]).subgoals[0].steps == ()


def test_all_needs_every_object_with_the_primary_condition(tmp_path: Path) -> None:
    component = atom({"simbotObjectClass": "Drinkware", "isDirty": 0}, "all", isDirty="wash")
    task = only(tmp_path, components={"x": component})
    clean, dirty, plate = thing("Mug", 1), thing("Cup", 2, isDirty=True), thing("Plate", 3, isDirty=True)
    progress = task.check([clean, dirty, plate])
    assert (progress.success, progress.goal_conditions_total, progress.goal_conditions_satisfied) == (False, 4, 3)
    assert [step.object_id for step in progress.subgoals[0].steps] == [dirty["objectId"]]
    met = task.check([clean, plate])
    assert met.success
    assert [step.success for step in met.subgoals[0].steps] == [True]


def test_all_that_is_met_and_has_nothing_to_tell_is_not_counted(tmp_path: Path) -> None:
    task = only(tmp_path, components={"x": atom({"objectType": "Mug", "isDirty": 0}, "all")})
    progress = task.check([thing("Mug")])
    assert progress.success
    assert (progress.subgoals, progress.goal_conditions_total) == ((), 0)
    assert not task.check([thing("Mug", isDirty=True)]).success
    assert task.check([]).success


def test_an_object_whose_class_is_listed_twice_counts_once(tmp_path: Path) -> None:
    task = only(tmp_path, components={"x": atom({"simbotObjectClass": "RoomDecor"}, "2")})
    assert thing("RoomDecor")["simbotObjectClass"] == ["RoomDecor", "RoomDecor"]
    assert not task.check([thing("RoomDecor")]).success


def test_other_primary_conditions_look_at_every_object(tmp_path: Path) -> None:
    task = only(tmp_path, components={"x": atom({"isToggled": 1, "objectType": "DeskLamp"})})
    progress = task.check([thing("Mug"), thing("Faucet", isToggled=True), {"objectId": "odd", "objectType": None}])
    assert list(progress.subgoals[0].problem_keys) == [thing("Faucet")["objectId"]]


_OBJECTS = st.lists(
    st.builds(
        lambda object_type, number, dirty, on: thing(object_type, number, isDirty=dirty, isToggled=on),
        st.sampled_from(["Mug", "Cup", "Tomato", "TomatoSliced", "SinkBasin"]),
        st.integers(0, 99),
        st.booleans(),
        st.booleans(),
    ),
    unique_by=lambda obj: obj["objectId"],
    max_size=8,
)
_CONDITIONS = st.sampled_from(
    [
        {"objectType": "Mug", "isDirty": 0},
        {"simbotObjectClass": "Drinkware", "isDirty": 0, "isToggled": 1},
        {"objectType": "TomatoSliced", "isToggled": 1},
        {"objectType": "TomatoSliced"},
        {"objectType": "Sink"},
    ]
)
_COMPONENTS = st.builds(atom, _CONDITIONS, st.sampled_from(["a", "1", "2", "5"]), shareable=st.booleans())


@given(component=_COMPONENTS, objects=_OBJECTS, order=st.randoms(use_true_random=False))
def test_counts_of_a_component_are_bounded_tell_success_and_ignore_order(
    tmp_path_factory: pytest.TempPathFactory, component: dict[str, Any], objects: list[dict[str, Any]], order: Any
) -> None:
    task = only(tmp_path_factory.mktemp("t"), components={"x": component})
    before = copy.deepcopy(objects)
    progress = task.check(objects)
    assert objects == before
    total, satisfied = progress.goal_conditions_total, progress.goal_conditions_satisfied
    assert 0 <= satisfied <= total
    assert progress.success is (satisfied == total)
    order.shuffle(objects)
    again = task.check(objects)
    assert (again.success, again.goal_conditions_total, again.goal_conditions_satisfied) == (
        progress.success,
        total,
        satisfied,
    )
    assert progress.success <= task.preconditions(objects)


def test_a_check_remembers_nothing(tmp_path: Path) -> None:
    task = TaskLibrary.builtin().task("Coffee")
    mug = thing("Mug")
    assert not task.check([mug]).success
    mug["simbotIsFilledWithCoffee"] = True
    assert task.check([mug]).success
    mug["isDirty"] = True
    assert not task.check([mug]).success
