"""Stored states: what TEACh's files hold, old and new, and what is refused with the key and the value."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from teach_agents.data import iter_games
from teach_agents.errors import SceneError
from teach_agents.observations import Pose, Vec3
from teach_agents.simulator.contract import StoredState
from teach_agents.simulator.embedded.loading import load_room, load_stored
from teach_agents.simulator.embedded.rooms import room
from teach_agents.simulator.embedded.world import World
from teach_agents.simulator.metadata import object_metadata
from tests.simulator.embedded.worlds import Kitchen

_POSE = Pose(Vec3(-1.0, 0.9, 1.0), 90.0, 30.0)


def _stored(world: World, *, old_names: bool = True) -> list[dict[str, Any]]:
    return [object_metadata(obj, old_names=old_names) for obj in world.objects.values()]


def _load(objects: list[dict[str, Any]], name: str = "FloorPlan1") -> World:
    return load_stored(StoredState(name, objects, _POSE))


def _row(objects: list[dict[str, Any]], object_type: str) -> dict[str, Any]:
    return next(row for row in objects if row["objectType"] == object_type)


@pytest.mark.parametrize("old_names", [True, False])
def test_a_room_stored_and_loaded_is_the_same(old_names: bool) -> None:
    world = load_room("FloorPlan1")
    loaded = _load(_stored(world, old_names=old_names))
    assert dict(loaded.objects) == dict(world.objects)
    assert loaded.agent == _POSE


def test_the_scene_suffix_is_accepted() -> None:
    assert _load(_stored(load_room("FloorPlan1")), "FloorPlan1_physics").room == "FloorPlan1"


def test_a_state_in_the_middle_of_a_session_loads() -> None:
    kitchen = Kitchen()
    kitchen.put("Apple", "Plate")
    kitchen.do("SliceObject", "Tomato", force=True)
    kitchen.do("BreakObject", "Bowl", force=True)
    kitchen.do("FillObjectWithLiquid", "Mug", liquid="water", force=True)
    kitchen.do("PickupObject", "Mug", force=True)
    loaded = _load(_stored(kitchen.world))
    assert loaded.held == kitchen.world.held
    for object_id, obj in kitchen.world.objects.items():
        other = loaded.objects[object_id]
        assert (other.exists, other.is_sliced, other.is_broken) == (obj.exists, obj.is_sliced, obj.is_broken)
        assert set(other.parents) == set(obj.parents)
        assert (other.liquid, other.temperature) == (obj.liquid, obj.temperature)


def test_what_old_metadata_leaves_out_comes_from_the_room() -> None:
    objects = _stored(load_room("FloorPlan1"))
    for row in objects:
        for key in ("assetId", "controlledObjects", "isHeatSource", "isColdSource", "isInteractable", "fillLiquid"):
            del row[key]
    loaded = _load(objects)
    shipped = room("FloorPlan1").objects
    assert all(obj.kind == shipped[object_id].kind for object_id, obj in loaded.objects.items())


def test_a_copy_is_known_by_its_prefab() -> None:
    objects = _stored(load_room("FloorPlan1"))
    copy = dict(_row(objects, "Apple"))
    copy["objectId"] = "Apple|+01.00|+01.00|+01.00"
    copy["name"] = f"{copy['name']}(Clone)_copy_34"
    loaded = _load([*objects, copy])
    kind = loaded.objects["Apple|+01.00|+01.00|+01.00"].kind
    assert kind.asset_id == loaded.objects[loaded.of_type("Apple")[0]].kind.asset_id


def test_the_knob_decides_whether_a_burner_is_on() -> None:
    objects = _stored(load_room("FloorPlan1"))
    knob = _row(objects, "StoveKnob")
    knob["isToggled"] = True
    kitchen = Kitchen(world=_load(objects))
    burner = kitchen.world.objects[knob["controlledObjects"][0]]
    assert burner.temperature == "Hot"
    assert not burner.is_toggled


def test_null_lists_and_unknown_parents_are_taken_as_none() -> None:
    objects = _stored(load_room("FloorPlan1"))
    _row(objects, "Apple")["parentReceptacles"] = None
    _row(objects, "Mug")["parentReceptacles"] = ["Moon|1|2|3"]
    loaded = _load(objects)
    for object_type in ("Apple", "Mug"):
        assert loaded.objects[loaded.of_type(object_type)[0]].parents == ()


def test_filled_without_a_liquid_is_water_and_coffee_where_the_file_says_so() -> None:
    objects = _stored(load_room("FloorPlan1"))
    mug = _row(objects, "Mug")
    mug.update(isFilledWithLiquid=True, fillLiquid=None)
    assert _load(objects).objects[mug["objectId"]].liquid == "water"
    mug["simbotIsFilledWithCoffee"] = True
    assert _load(objects).objects[mug["objectId"]].liquid == "coffee"


@pytest.mark.parametrize(
    "change, text",
    [
        ({"position": None}, "key 'position': a point with x, y and z is needed"),
        ({"rotation": {"x": 0.0, "y": float("nan"), "z": 0.0}}, "coordinates must be finite"),
        ({"objectType": 7}, "key 'objectType': a non-empty text is needed; got 7"),
        ({"name": ""}, "key 'name'"),
        ({"ObjectTemperature": "Warm"}, "no such temperature; got 'Warm'; valid: RoomTemp, Hot, Cold"),
        ({"parentReceptacles": "Floor"}, "a list of object ids or null is needed"),
        ({"mass": "heavy"}, "a finite number is needed"),
        ({"objectOrientedBoundingBox": {"cornerPoints": [[0, 0, 0]]}}, "eight corner points are needed"),
    ],
)
def test_a_damaged_object_is_refused_with_its_key(change: dict[str, Any], text: str) -> None:
    objects = _stored(load_room("FloorPlan1"))
    _row(objects, "Apple").update(change)
    with pytest.raises(SceneError) as caught:
        _load(objects)
    assert text in str(caught.value)
    assert "stored state of FloorPlan1, object" in str(caught.value)


def test_a_clone_under_the_id_of_its_original_gets_an_id_of_its_own() -> None:
    objects = _stored(load_room("FloorPlan1"))
    world = _load([*objects, _row(objects, "Apple")])
    assert len(world.objects) == len(objects) + 1
    apples = [name for name in world.objects if name.startswith("Apple|")]
    assert apples[-1] == f"{apples[0]}_copy_{len(objects)}"


def test_two_held_objects_are_refused() -> None:
    objects = _stored(load_room("FloorPlan1"))
    for object_type in ("Apple", "Mug"):
        _row(objects, object_type)["isPickedUp"] = True
    with pytest.raises(SceneError, match="more than one object is held"):
        _load(objects)


def test_a_state_of_another_room_is_refused() -> None:
    objects = _stored(load_room("FloorPlan1"))
    with pytest.raises(SceneError, match="the state is of another room"):
        _load(objects, "FloorPlan301")
    with pytest.raises(SceneError, match="none of the room's fixed objects"):
        _load([])


def test_an_agent_nowhere_is_refused() -> None:
    objects = _stored(load_room("FloorPlan1"))
    with pytest.raises(SceneError, match="pose must be finite"):
        load_stored(StoredState("FloorPlan1", objects, Pose(Vec3(float("inf"), 0.9, 0.0), 0.0, 0.0)))


@pytest.mark.data
def test_initial_states_of_real_games_load_with_their_objects_and_places(teach_data: Path) -> None:
    count = 0
    for game in iter_games([teach_data / "games" / "valid_seen"]):
        state = game.episode.initial_state
        world = load_stored(StoredState(game.episode.room, state.objects, state.follower))
        assert len(world.objects) == len(state.objects)
        for raw in state.objects:
            obj = world.objects[str(raw["objectId"])]
            assert list(obj.position) == [raw["position"][axis] for axis in "xyz"]
            assert set(obj.parents) == set(raw["parentReceptacles"] or ())
            assert set(obj.contents) == set(raw["receptacleObjectIds"] or ())
            assert obj.is_dirty is raw["isDirty"]
        count += 1
        if count == 25:
            break
    assert count == 25
