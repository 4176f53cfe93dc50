"""Bad definitions and bad parameters are refused with where, what, and what would be valid."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teach_agents.errors import DefinitionError
from teach_agents.tasks import TaskLibrary, object_classes, type_from_id
from teach_agents.tasks.substitution import ParameterKind
from tests.tasks.objects import atom, definition, library, relation, subtask, thing

BUILTIN = TaskLibrary.builtin()

GOOD = definition(
    nparams=2,
    anchor="#0",
    components={
        "#0": atom({"objectType": "#0", "isDirty": 0}, "#1", isDirty="wash"),
        "plate": atom({"objectType": "Plate"}, shareable=True),
        "inner": subtask("Inner", "#0"),
    },
    relations=[relation("plate", "the", **{"#0": "#1"})],
)
INNER = definition("Inner", 1, nparams=1, components={"x": atom({"simbotObjectClass": "#0"})})


def _component(data: dict[str, Any], key: str = "#0") -> dict[str, Any]:
    component: dict[str, Any] = data["components"][key]
    return component


def _relation(data: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = data["relations"][0]
    return found


def test_the_definition_that_the_bad_ones_are_made_from_is_good(tmp_path: Path) -> None:
    assert library(tmp_path, GOOD, INNER).names == ["Inner", "T"]


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda d: d.pop("task_name"), "lacks the key 'task_name'"),
        (lambda d: d.update(task_name=" "), "key 'task_name': must not be empty"),
        (lambda d: d.update(task_id="1"), "key 'task_id': must be a number; got '1'"),
        (lambda d: d.update(task_id=True), "key 'task_id': must be a number; got True"),
        (lambda d: d.update(task_nparams=-1), "must not be negative; got -1"),
        (lambda d: d.update(desc=None), "key 'desc': must be a text; got 'null'"),
        (lambda d: d.update(components=[]), "key 'components': must be an object; got []"),
        (lambda d: d.update(relations={}), "key 'relations': must be a list; got {}"),
        (lambda d: d.pop("task_anchor_object"), "lacks the key 'task_anchor_object'"),
        (lambda d: d.update(task_anchor_object="plte"), "did you mean 'plate'?"),
        (lambda d: d.update(desc="a #2"), "uses #2 while task_nparams is 2; got 'a #2'"),
        (lambda d: d["components"].update({"#7": _component(d)}), "uses #7 while"),
        (lambda d: _component(d).pop("instance_shareable"), "'components'.#0: lacks the key 'instance_shareable'"),
        (lambda d: _component(d).update(instance_shareable=1), "must be true or false; got 1"),
        (
            lambda d: _component(d).update(determiner="the"),
            "determiner: is no determiner that can stand here; got 'the'",
        ),
        (lambda d: _component(d).update(determiner="-1"), "got '-1'"),
        (lambda d: _component(d).update(determiner=2), "must be a text; got 2"),
        (lambda d: _component(d, "inner").update(determiner="all"), "got 'all'; valid: a, a decimal number"),
        (lambda d: _component(d).update(primary_condition="objecttype"), "did you mean 'objectType'?"),
        (lambda d: _component(d).update(conditions={}), "is none of the conditions"),
        (lambda d: _component(d)["conditions"].update(isDirty=[0]), "must be a text, a number, true, false or null"),
        (
            lambda d: _component(d)["condition_failure_descs"].update(dirty="x"),
            "explains a property that is no condition",
        ),
        (lambda d: _component(d)["condition_failure_descs"].update(isDirty=1), "must be a text; got 1"),
        (
            lambda d: _component(d, "inner").update(task_name="Innner"),
            "is no known task; got 'Innner'; did you mean 'Inner'?",
        ),
        (lambda d: _component(d, "inner").update(task_params=[]), "task 'Inner' takes 1 parameters, not 0"),
        (lambda d: _component(d, "inner").update(task_params=[1]), "task_params: must be a list of texts; got 1"),
        (lambda d: _relation(d).update(tail_entity_list=["plate", "plate"]), "must name exactly one component"),
        (lambda d: _relation(d).update(tail_entity_list=["table"]), "is no component of this task; got 'table'"),
        (
            lambda d: _relation(d).update(tail_determiner_list=["all"]),
            "must be one determiner; got ['all']; valid: a, the",
        ),
        (lambda d: _relation(d).update(head_entity_list=["mug"]), "is no component of this task; got 'mug'"),
        (lambda d: _relation(d).update(head_entity_list=[]), "must have one determiner per head"),
        (lambda d: _relation(d).update(head_determiner_list=["a", "a"]), "1 heads, 2 determiners"),
        (lambda d: _relation(d).update(head_determiner_list=["some"]), "got 'some'"),
        (lambda d: _relation(d).pop("failure_desc"), "'relations'[0]: lacks the key 'failure_desc'"),
        (lambda d: d.update(relations=["x"]), "'relations'[0]: must be an object; got 'x'"),
    ],
)
def test_bad_definitions_are_refused_by_file_key_and_value(
    tmp_path: Path, spoil: Callable[[dict[str, Any]], object], words: str
) -> None:
    data = copy.deepcopy(GOOD)
    spoil(data)
    with pytest.raises(DefinitionError) as caught:
        library(tmp_path, data, INNER)
    assert words in str(caught.value)
    assert str(tmp_path / "0__test.json") in str(caught.value)


def test_cycles_are_found_when_definitions_are_loaded(tmp_path: Path) -> None:
    ring = [
        definition("A", 1, components={"x": subtask("B")}),
        definition("B", 2, components={"x": subtask("C")}),
        definition("C", 3, components={"x": subtask("B")}),
    ]
    with pytest.raises(DefinitionError, match="the task contains itself; got 'B -> C -> B'"):
        library(tmp_path, *ring)


@pytest.mark.parametrize(
    ("other", "same"),
    [(definition("T", 1), "'task_name': is already that of 'T'"), (definition("U", 900), "'task_id'")],
)
def test_names_and_ids_are_unique(tmp_path: Path, other: dict[str, Any], same: str) -> None:
    with pytest.raises(DefinitionError) as caught:
        library(tmp_path, definition("T", 900), other)
    assert same in str(caught.value)
    assert "0__test.json" in str(caught.value)
    assert "1__test.json" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b'{"task_id": 1', "is not JSON"),
        (b"\xff\xfe", "is not UTF-8 text"),
        (b'{"task_id": 1, "task_id": 2}', "has the same key twice in one object; got 'task_id'"),
        (b"[]", "must be an object; got []"),
    ],
)
def test_files_that_hold_no_definition_are_refused(tmp_path: Path, text: bytes, words: str) -> None:
    path = tmp_path / "bad.json"
    path.write_bytes(text)
    with pytest.raises(DefinitionError) as caught:
        TaskLibrary.load([path])
    assert str(caught.value).startswith(f"{path}: {words}")


def test_paths_that_hold_no_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DefinitionError, match="holds no .json file"):
        TaskLibrary.load([tmp_path])
    with pytest.raises(DefinitionError, match="does not exist"):
        TaskLibrary.load([tmp_path / "none.json"])


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 3) | st.sampled_from(["", "a", "all", "#0", "#9", "Toast"]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["x", "#0", "determiner"]), inner),
    max_leaves=6,
)


def _places(node: Any, way: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The way to every value below a JSON value."""
    items = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    return [place for key, value in items for place in [(*way, key), *_places(value, (*way, key))]]


@given(data=st.data(), junk=_JSON)
def test_whatever_stands_anywhere_a_definition_loads_or_is_refused(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject, junk: Any
) -> None:
    spoilt = copy.deepcopy(GOOD)
    place = data.draw(st.sampled_from(_places(spoilt)))
    node: Any = spoilt
    for key in place[:-1]:
        node = node[key]
    node[place[-1]] = junk
    folder = tmp_path_factory.mktemp("t")
    try:
        made = library(folder, spoilt, INNER)
        name = next(name for name in made.names if name != "Inner")
        made.task(name, ["Mug", "2"][: made.definition(name).nparams]).check([thing("Mug"), thing("Plate")])
    except DefinitionError as error:
        assert str(folder) in str(error) or "task " in str(error)


def test_a_library_can_be_extended_with_tasks_that_use_its_own(tmp_path: Path) -> None:
    data = definition("Two Coffees", 900, components={"coffee": subtask("Coffee", determiner="2")})
    (tmp_path / "900__two_coffees.json").write_text(json.dumps(data), encoding="utf-8")
    more = BUILTIN.extended([tmp_path])
    assert set(more.names) - set(BUILTIN.names) == {"Two Coffees"}
    assert more.task("Two Coffees").check([]).goal_conditions_total == 6


def test_the_builtin_library_holds_the_25_tasks_in_the_order_of_their_ids() -> None:
    ids = [BUILTIN.definition(name).task_id for name in BUILTIN.names]
    assert len(ids) == 25
    assert ids == sorted(ids)
    assert BUILTIN.definition("Breakfast").nparams == len(BUILTIN.definition("Breakfast").param_notes) == 14


@pytest.mark.parametrize(
    ("name", "params", "words"),
    [
        (
            "Clean X",
            ["Forkk"],
            "task 'Clean X': parameter 0 is no object class that fits here; got 'Forkk'; did you mean 'Fork'?",
        ),
        ("Boil X", ["Drinkware"], "parameter 0 is no object type"),
        ("Sliced X", ["Mug"], "got 'Mug'; valid: Apple, Bread, Lettuce, Potato, Tomato"),
        ("Sandwich", ["1", "two"], "task 'Sandwich': parameter 1 is no count; got 'two'"),
        ("Sandwich", ["all", "1"], "task 'Sandwich': component 'lettuce' has no determiner; got 'all'"),
        ("Sandwich", ["1"], "task 'Sandwich': takes 2 parameters, not 1; got ['1']"),
        ("Sandwich", [1, "1"], "task 'Sandwich': parameter 0 must be a text; got 1"),
        ("Clean X", ["#1"], "parameter 0 must not hold '#'"),
        ("Cofee", [], "task: is not known; got 'Cofee'; did you mean 'Coffee'?"),
        ("N Slices Of X In Y", ["2", "Tomato", "in", "Boowl"], "parameter 3 is no object class"),
    ],
)
def test_bad_parameters_are_refused_by_task_and_number(name: str, params: list[Any], words: str) -> None:
    with pytest.raises(DefinitionError) as caught:
        BUILTIN.task(name, params)
    assert words in str(caught.value)


def test_a_task_is_made_once_for_the_same_parameters_and_never_for_bad_ones() -> None:
    library = TaskLibrary.builtin()
    assert library.task("Boil X", ["Potato"]) is library.task("Boil X", ("Potato",))
    assert library.task("Boil X", ["Potato"]) is not library.task("Boil X", ["Apple"])
    for _ in range(2):
        with pytest.raises(DefinitionError):
            library.task("Boil X", [])
    assert pickle.loads(pickle.dumps(library)).names == library.names


def test_parameters_of_what_is_switched_off_do_not_matter() -> None:
    params = ["1", "0", "0", "nothing", "0", "", "0", "0", "0", "0", "0", "0", "0", "DiningTable"]
    assert BUILTIN.task("Breakfast", params).params == tuple(params)
    with pytest.raises(DefinitionError, match="parameter 3 "):
        BUILTIN.task("Breakfast", [*params[:2], "1", *params[3:]])


def test_a_library_for_another_world_brings_its_own_types(tmp_path: Path) -> None:
    brew = definition("Brew", 1, components={"x": atom({"objectType": "Teapot"})})
    fetch = definition("Fetch", 2, nparams=1, components={"x": atom({"objectType": "#0"})})
    with pytest.raises(DefinitionError, match=r"components'\.x\.conditions\.objectType: is not known; got 'Teapot'"):
        library(tmp_path, brew, fetch)
    made = TaskLibrary.load([tmp_path], extra_types=["Teapot"])
    assert made.task("Fetch", ["Teapot"]).check([thing("Teapot")]).success
    with pytest.raises(DefinitionError, match="'Teapott'"):
        made.task("Fetch", ["Teapott"])


def test_a_misspelt_type_is_refused_with_the_right_one(tmp_path: Path) -> None:
    with pytest.raises(DefinitionError, match="did you mean 'Fork'"):
        library(tmp_path, definition("Set", 1, components={"x": atom({"simbotObjectClass": "Forkk"})}))


def test_what_parameters_stand_for_is_found_from_their_uses() -> None:
    assert BUILTIN.parameter_kinds("N Slices Of X In Y") == [
        ParameterKind.COUNT,
        ParameterKind.TYPE,
        ParameterKind.TEXT,
        ParameterKind.CLASS,
    ]


def test_basins_are_of_the_class_of_their_twins() -> None:
    assert object_classes("SinkBasin") == ["SinkBasin", "Sink"]
    assert object_classes("Mug") == ["Mug", "Tableware", "Drinkware"]
    assert object_classes("SpaceShip") == ["SpaceShip"]


@pytest.mark.parametrize(
    ("object_id", "object_type"),
    [
        ("Mug|+01.00|+00.90|-00.50", "Mug"),
        ("Sink|+01.00|+00.90|-00.50|SinkBasin", "SinkBasin"),
        ("Apple|+01.00|+00.90|-00.50|AppleSliced_12", "AppleSliced"),
        ("Bread|+01.00|+00.90|-00.50|Bread_0", "Bread"),
    ],
)
def test_ids_tell_the_type(object_id: str, object_type: str) -> None:
    assert type_from_id(object_id) == object_type
