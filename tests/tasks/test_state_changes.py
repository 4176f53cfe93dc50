"""State differences and the EDH evaluation task made from them (TEACh specification 3.9)."""

from __future__ import annotations

import copy
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from teach_agents.tasks import apply_state_diff, evaluation_task, state_diff_changes
from tests.tasks.objects import thing

APPLE = "Apple|+01.00|+00.90|-00.50"
SLICE = f"{APPLE}|AppleSliced_1"
BASIN = "Sink|+01.00|+00.90|-00.50|SinkBasin"


def test_a_difference_updates_objects_without_touching_the_given_ones() -> None:
    objects = [thing("Mug"), thing("Cup")]
    before = copy.deepcopy(objects)
    after = apply_state_diff(objects, {objects[0]["objectId"]: {"isDirty": True}})
    assert objects == before
    assert [obj["isDirty"] for obj in after] == [True, False]


def test_slices_are_made_from_their_base_which_goes() -> None:
    apple = {**thing("Apple"), "objectId": APPLE, "mass": 0.2}
    after = apply_state_diff([apple, thing("Mug")], {SLICE: {"objectType": "AppleSliced"}})
    assert [obj["objectId"] for obj in after] == [thing("Mug")["objectId"], SLICE]
    assert after[-1]["mass"] == 0.2
    assert after[-1]["objectType"] == "AppleSliced"


def test_a_new_object_without_base_is_what_its_difference_says() -> None:
    diff: dict[str, dict[str, Any]] = {BASIN: {"isDirty": True}}
    assert apply_state_diff([], diff) == [{"objectId": BASIN, "isDirty": True}]


def test_changes_are_what_differs_among_tracked_properties() -> None:
    initial: dict[str, dict[str, Any]] = {
        "Mug|1": {"isDirty": True, "isOpen": False, "openness": 0.1},
        "Cup|1": {"isDirty": True},
    }
    final: dict[str, dict[str, Any]] = {
        "Mug|1": {"isDirty": True, "isOpen": True, "distance": 3.0},
        "Cup|1": {"isDirty": True},
        "Pan|1": {"isDirty": False, "position": {}},
    }
    assert state_diff_changes(initial, final) == {"Mug|1": {"isOpen": True}, "Pan|1": {"isDirty": False}}


def test_slices_are_compared_with_their_base_and_basins_with_themselves() -> None:
    initial: dict[str, dict[str, Any]] = {APPLE: {"isPickedUp": True}, BASIN.rsplit("|", 1)[0]: {"isDirty": True}}
    final: dict[str, dict[str, Any]] = {
        SLICE: {"isPickedUp": True, "objectType": "AppleSliced"},
        BASIN: {"isDirty": True},
    }
    assert state_diff_changes(initial, final) == {SLICE: {"objectType": "AppleSliced"}, BASIN: {"isDirty": True}}


def test_values_of_different_types_differ_and_close_floats_do_not() -> None:
    initial = {"Mug|1": {"simbotPickedUp": 1, "isToggled": 0.5}}
    assert state_diff_changes(initial, {"Mug|1": {"simbotPickedUp": True}}) == {"Mug|1": {"simbotPickedUp": True}}
    assert state_diff_changes(initial, {"Mug|1": {"isToggled": 0.5 + 1e-12}}) == {}


def test_equal_changes_are_counted_by_type_and_not_by_object() -> None:
    task = evaluation_task(
        {"Mug|1|1|1": {"isDirty": False}, "Mug|2|2|2": {"isDirty": False}, "Mug|3|3|3": {"isDirty": True}}
    )
    progress = task.check([thing("Mug", 1), thing("Mug", 2), thing("Cup", 3, isDirty=True)])
    assert (progress.goal_conditions_total, progress.goal_conditions_satisfied) == (6, 5)
    assert not progress.success
    assert task.name == "edh_custom"


def test_two_places_make_two_components_which_one_object_meets() -> None:
    counters = [thing("CounterTop", 1), thing("CounterTop", 2)]
    task = evaluation_task({f"Mug|{n}|1|1": {"simbotLastParentReceptacle": counters[n]["objectId"]} for n in (0, 1)})
    mug = thing("Mug", simbotLastParentReceptacle=counters[0]["objectId"])
    progress = task.check([mug, *counters])
    assert progress.success
    assert progress.goal_conditions_total == 4


def test_a_basin_as_place_is_asked_for_as_its_sink() -> None:
    task = evaluation_task({"Mug|1|1|1": {"simbotLastParentReceptacle": BASIN}})
    basin = {**thing("SinkBasin"), "objectId": BASIN}
    assert task.check([thing("Mug", simbotLastParentReceptacle=BASIN), basin]).success
    assert not task.check([thing("Mug", simbotLastParentReceptacle=None), basin]).success


def test_no_place_is_a_change_too() -> None:
    task = evaluation_task({"Mug|1|1|1": {"simbotLastParentReceptacle": None}})
    assert task.check([thing("Mug", simbotLastParentReceptacle=None)]).success
    assert not task.check([thing("Mug")]).success


def test_own_properties_replace_those_they_stand_in_for() -> None:
    task = evaluation_task(
        {
            "Potato|1|1|1": {"isCooked": True, "simbotIsCooked": True, "simbotIsBoiled": True},
            "Mug|1|1|1": {
                "isPickedUp": True,
                "simbotPickedUp": 1,
                "isFilledWithLiquid": True,
                "simbotIsFilledWithWater": 1,
            },
        }
    )
    wanted = [tuple(component.conditions) for _, component in task.resolved.components]  # type: ignore[union-attr]
    assert [names[1] for names in wanted] == ["simbotIsBoiled", "simbotPickedUp", "simbotIsFilledWithWater"]


def test_a_change_of_type_asks_for_the_type_alone() -> None:
    task = evaluation_task({SLICE: {"objectType": "AppleSliced"}})
    progress = task.check([{**thing("AppleSliced"), "objectId": SLICE}])
    assert progress.success
    assert progress.goal_conditions_total == 1


def test_determiners_stay_numbers_as_in_the_reference() -> None:
    task = evaluation_task({"Mug|1|1|1": {"isDirty": False}})
    keys = task.check([thing("Mug", isDirty=True)]).to_json()["subgoals"][0]["problem_keys"]
    assert keys[thing("Mug")["objectId"]][0]["determiner"] == 1


_STATES = st.lists(
    st.fixed_dictionaries({"isDirty": st.booleans(), "isToggled": st.booleans()}), min_size=1, max_size=5
)


@given(states=_STATES, changes=_STATES)
def test_the_state_that_changes_lead_to_solves_the_task_made_of_them(
    states: list[dict[str, bool]], changes: list[dict[str, bool]]
) -> None:
    objects = [thing("Mug", number, **state) for number, state in enumerate(states)]
    final = {obj["objectId"]: change for obj, change in zip(objects, changes, strict=False)}
    assert evaluation_task(state_diff_changes({}, final)).check(apply_state_diff(objects, final)).success
