"""State objects of game files and their differences (specification 1.5, 1.7, 3.9)."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from teach_agents.actions import Action, Role
from teach_agents.data import StateRecord, iter_games
from teach_agents.household import Household, state_difference, with_classes
from teach_agents.tasks import apply_state_diff
from tests.household.fake import FakeSimulator
from tests.household.helpers import do, ready, the, walk


def by_id(state: dict[str, Any]) -> dict[str, Any]:
    return {obj["objectId"]: obj for obj in state["objects"]}


def sliced() -> tuple[Household, FakeSimulator, dict[str, Any], dict[str, Any]]:
    household, fake = ready()
    before = household.snapshot(1626387631.5)
    do(household, fake, "Pickup", "Knife")
    do(household, fake, "Slice", "Tomato")
    walk(household, "Forward")
    return household, fake, before, household.snapshot(12.5)


def test_a_snapshot_is_a_state_object_that_a_reader_reads_back() -> None:
    household, fake, before, _ = sliced()
    assert list(before) == ["time_start", "agents", "objects", "custom_object_metadata"]
    assert json.loads(json.dumps(before)) == before
    record = StateRecord.from_json(before)
    assert record.follower.position == (0.0, 0.9, 0.0)
    assert record.follower.horizon == 30.0
    assert record.commander == household.commander
    assert len(record.objects) == len(before["custom_object_metadata"])


def test_a_snapshot_describes_its_moment_and_shares_nothing() -> None:
    household, fake, before, after = sliced()
    tomato = the(fake, "Tomato")
    assert tomato in before["custom_object_metadata"]
    assert tomato not in after["custom_object_metadata"]
    kept = copy.deepcopy(after)
    do(household, fake, "Place", "CounterTop")
    walk(household, "Turn Left")
    list(household.objects)
    assert after == kept
    after["custom_object_metadata"][the(fake, "Knife")]["simbotPickedUp"] = 7
    assert household.custom_properties[the(fake, "Knife")]["simbotPickedUp"] == 1


def test_in_a_snapshot_slices_keep_their_bases_classes_until_classes_are_assigned_anew() -> None:
    _, fake, _, after = sliced()
    tomato = the(fake, "Tomato")
    piece = f"{tomato}|TomatoSliced_0"
    assert by_id(after)[piece]["simbotObjectClass"] == ["Tomato", "Food", "Fruit"]
    again = with_classes(after)
    assert by_id(again)[piece]["simbotObjectClass"] == ["TomatoSliced", "Food", "Fruit"]
    assert by_id(again)[tomato]["simbotObjectClass"] == ["Tomato", "Food", "Fruit"]
    assert again["custom_object_metadata"][piece]["simbotObjectClass"] == ["TomatoSliced", "Food", "Fruit"]
    assert "simbotObjectClass" not in by_id(after)[tomato]


def test_a_difference_holds_just_what_changed() -> None:
    household, fake, before, after = sliced()
    found = state_difference(before, after)
    assert found["agents"] == {}
    knife = found["objects"][the(fake, "Knife")]
    assert knife["isPickedUp"] is True
    assert knife["simbotPickedUp"] == 1
    assert "isDirty" not in knife
    assert found["objects"][the(fake, "Pot")].keys() == {"distance"}
    piece = found["objects"][f"{the(fake, 'Tomato')}|TomatoSliced_1"]
    assert piece["objectType"] == "TomatoSliced"
    assert "simbotObjectClass" not in piece
    assert state_difference(after, after) == {"agents": {}, "objects": {}}


def test_floats_are_rounded_to_four_places_and_smaller_changes_are_none() -> None:
    _, fake, before, _ = sliced()
    mug = the(fake, "Mug")
    after = copy.deepcopy(before)
    by_id(after)[mug]["distance"] += 0.00001
    by_id(after)[mug]["position"]["x"] += 0.123456
    assert state_difference(before, after)["objects"] == {
        mug: {"position": {"x": pytest.approx(0.4735, abs=1e-9), "y": 0.96, "z": 0.85}}
    }


def test_applying_a_difference_gives_the_later_state() -> None:
    _, fake, before, after = sliced()
    tomato = the(fake, "Tomato")
    difference = state_difference(before, after)["objects"]
    rebuilt = {obj["objectId"]: obj for obj in apply_state_diff(before["objects"], difference)}
    assert tomato not in rebuilt, "the reference leaves the base out"
    assert set(rebuilt) == set(by_id(after)) - {tomato}
    for object_id, obj in rebuilt.items():
        for key in ("objectType", "isPickedUp", "isDirty", "simbotPickedUp"):
            assert obj.get(key) == by_id(after)[object_id].get(key), (object_id, key)


@pytest.mark.data
def test_recorded_states_differ_in_what_the_follower_did(teach_data: Path) -> None:
    game = next(iter_games(sorted((teach_data / "games" / "valid_seen").glob("*.game.json"))[:1]))
    episode = game.episode
    found = state_difference(episode.initial_state.to_json(), episode.final_state.to_json())["objects"]
    touched = {obj["objectId"] for obj in episode.final_state.objects if obj.get("simbotPickedUp")}
    assert touched
    assert touched <= set(found)
    assert all(found[object_id]["simbotPickedUp"] == 1 for object_id in touched)
    household, _ = ready()
    assert household.act(Role.FOLLOWER, Action.wait()).success
