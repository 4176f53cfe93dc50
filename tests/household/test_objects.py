"""One dictionary per object, made anew only when something changed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from teach_agents.actions import Action, Role
from teach_agents.data import iter_games
from teach_agents.household import objects
from teach_agents.household.objects import ObjectTable
from teach_agents.observations import Vec3
from teach_agents.simulator.contract import ObjectState, Outcome, SimulatorAction
from tests.household.fake import COUNTER, FakeSimulator, box
from tests.household.helpers import custom, do, ready, the, walk


def test_a_dictionary_is_kept_until_its_object_or_its_record_changes() -> None:
    fake = FakeSimulator()
    properties = custom(fake)
    table = ObjectTable()
    first = list(table.current(fake.world.objects, properties.records, properties.changed))
    assert properties.changed == set()
    second = table.current(fake.world.objects, properties.records, properties.changed)
    assert all(old is new for old, new in zip(first, second, strict=True))
    fake.change(the(fake, "Mug"), is_dirty=False)
    properties.placed(the(fake, "Knife"), COUNTER)
    third = table.current(fake.world.objects, properties.records, properties.changed)
    changed = {new["objectType"] for old, new in zip(first, third, strict=True) if old is not new}
    assert changed == {"Mug", "Knife", "CounterTop"}


def test_what_changed_in_both_is_made_anew_once(monkeypatch: pytest.MonkeyPatch) -> None:
    fake = FakeSimulator()
    properties = custom(fake)
    table = ObjectTable()
    table.current(fake.world.objects, properties.records, properties.changed)
    made: list[str] = []

    def row(obj: ObjectState, records: Any) -> dict[str, Any]:
        made.append(obj.object_id)
        return {"objectId": obj.object_id}

    monkeypatch.setattr(objects, "_row", row)
    fake.change(the(fake, "Mug"), is_dirty=False)
    properties.changed.add(the(fake, "Mug"))
    table.current(fake.world.objects, properties.records, properties.changed)
    assert made == [the(fake, "Mug")]


def test_what_is_visible_is_asked_once_until_the_world_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    household, fake = ready()
    asked: list[str] = []
    step = fake.step

    def heard(action: SimulatorAction) -> Outcome:
        asked.append(action.name)
        return step(action)

    monkeypatch.setattr(fake, "step", heard)
    for _ in range(3):
        assert household.objects
    assert asked == ["GetVisibleObjects"]
    do(household, fake, "Pickup", "Knife")
    assert household.objects
    assert asked.count("GetVisibleObjects") == 2


def test_the_order_is_the_simulators_and_new_objects_join_it() -> None:
    household, fake = ready()
    assert [row["objectId"] for row in household.objects] == list(fake.world.objects)
    do(household, fake, "Pickup", "Knife")
    do(household, fake, "Slice", "Tomato")
    rows = household.objects
    assert [row["objectId"] for row in rows] == list(fake.world.objects)
    assert rows[-1]["objectType"] == "TomatoSliced"
    assert rows[-1]["simbotObjectClass"] == ["Tomato", "Food", "Fruit"]
    base = next(row for row in rows if row["objectType"] == "Tomato")
    assert base["isSliced"]
    assert "simbotObjectClass" not in base


def test_a_dictionary_shows_state_and_custom_properties() -> None:
    household, fake = ready()
    do(household, fake, "Pickup", "Mug")
    do(household, fake, "Place", "Plate")
    rows = {row["objectType"]: row for row in household.objects}
    assert rows["Mug"]["parentReceptacles"] == [the(fake, "Plate")]
    assert rows["Mug"]["simbotLastParentReceptacle"] == the(fake, "Plate")
    assert rows["Mug"]["ObjectTemperature"] == "RoomTemp"
    assert rows["StoveBurner"]["canChangeTempToHot"] is True
    assert rows["Plate"]["simbotIsReceptacleOf"] == [the(fake, "Mug")]
    assert household.objects is not household.objects
    json.dumps(list(household.objects))


def test_editing_a_dictionarys_lists_does_not_reach_the_records() -> None:
    household, fake = ready()
    row = next(row for row in household.objects if row["objectType"] == "Mug")
    row["simbotObjectClass"].append("Hat")
    assert household.custom_properties[the(fake, "Mug")]["simbotObjectClass"] == ["Mug", "Tableware", "Drinkware"]


def test_visibility_and_distance_follow_the_body() -> None:
    household, fake = ready()

    def counter() -> tuple[list[bool], float]:
        row = next(row for row in household.objects if row["objectId"] == COUNTER)
        return [row["visible"], row["isInteractable"], row["obstructed"]], row["distance"]

    seen, distance = counter()
    assert seen == [True, True, False]
    assert distance == pytest.approx((1.0 + 0.05**2) ** 0.5)
    walk(household, "Backward", "Turn Left", "Turn Left")
    seen, distance = counter()
    assert seen == [False, False, True]
    assert distance == pytest.approx((1.25**2 + 0.05**2) ** 0.5)


def test_an_object_that_vanishes_leaves_the_table() -> None:
    fake = FakeSimulator()
    table = ObjectTable()
    table.current(fake.world.objects, {}, set())
    del fake.world.objects[the(fake, "Mug")]
    extra = box("Cup", (0, 0, 0), (1, 1, 1))
    fake.world.objects[extra.object_id] = extra
    rows = table.current(fake.world.objects, {}, {"Mug|gone"})
    assert [row["objectId"] for row in rows] == list(fake.world.objects)
    table.seen_from(Vec3(0, 0, 1), {extra.object_id})
    assert (rows[-1]["visible"], rows[-1]["distance"]) == (True, 1.0)


def test_a_progress_check_reads_the_dictionaries_of_the_moment() -> None:
    household, fake = ready("Put All X On Y", ("Mug", "on", "Plate"))
    assert not household.progress().success
    do(household, fake, "Pickup", "Mug")
    do(household, fake, "Place", "Plate")
    assert household.progress().success
    household.act(Role.FOLLOWER, Action("Turn Left"))
    assert household.progress().success


@pytest.mark.data
def test_the_keys_are_those_of_recorded_games(teach_data: Path) -> None:
    game = next(iter_games(sorted((teach_data / "games" / "valid_seen").glob("*.game.json"))[:1]))
    household, _ = ready()
    ours = set(household.objects[0])
    theirs = {key for row in game.episode.initial_state.objects for key in row if not key.startswith("simbot")}
    assert theirs <= ours
