"""Differences between two states, as EDH instances hold them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from teach_agents.benchmarks.edh.generating import state_difference
from teach_agents.data import read_game
from teach_agents.tasks import apply_state_diff

APPLE = "Apple|+01.00|+00.90|-00.50"
SLICE = f"{APPLE}|AppleSliced_1"


def _thing(object_id: str, **properties: Any) -> dict[str, Any]:
    return {"objectId": object_id, **properties}


def test_only_what_changed_is_listed_and_numbers_are_rounded() -> None:
    before = [_thing("Mug|1", isDirty=True, distance=1.00001, parentReceptacles=["Shelf|1"], mass=0.3), _thing("Cup|1")]
    after = [
        _thing("Mug|1", isDirty=False, distance=1.00002, parentReceptacles=["Shelf|2"], mass=0.3),
        _thing("Cup|1"),
    ]
    assert state_difference(before, after) == {"Mug|1": {"isDirty": False, "parentReceptacles": ["Shelf|2"]}}


def test_numbers_inside_are_rounded_too() -> None:
    box = {"corners": [[0.123456, 1], [2.0, 3.98761]], "center": {"x": 0.00004}}
    changed = state_difference([_thing("Mug|1", box=None)], [_thing("Mug|1", box=box)])
    assert changed["Mug|1"]["box"] == {"corners": [[0.1235, 1], [2.0, 3.9876]], "center": {"x": 0.0}}


def test_new_properties_are_listed_and_lost_ones_are_not() -> None:
    changed = state_difference([_thing("Mug|1", gone=1)], [_thing("Mug|1", simbotPickedUp=1)])
    assert changed == {"Mug|1": {"simbotPickedUp": 1}}


def test_a_slice_differs_from_what_it_was_cut_from() -> None:
    before = [_thing(APPLE, objectType="Apple", mass=0.2)]
    after = [_thing(APPLE, objectType="Apple", mass=0.2), _thing(SLICE, objectType="AppleSliced", mass=0.2)]
    assert state_difference(before, after) == {SLICE: {"objectId": SLICE, "objectType": "AppleSliced"}}


@pytest.mark.data
def test_a_difference_applied_leads_to_the_state_it_was_taken_from(teach_data: Path) -> None:
    path = sorted((teach_data / "games" / "train").glob("*.game.json"))[0]
    episode = read_game(path).episode
    before, after = episode.initial_state.objects, episode.final_state.objects
    difference = state_difference(before, after)
    made = {one["objectId"]: one for one in apply_state_diff(before, difference)}
    assert json.loads(json.dumps(difference, allow_nan=False)) == difference
    assert len(made) > 10
    assert state_difference(made.values(), [one for one in after if one["objectId"] in made]) == {}
