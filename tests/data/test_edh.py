"""EDH files of any release and split are read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from teach_agents.actions import Role
from teach_agents.data.edh import read_edh
from teach_agents.errors import GameFileError
from tests.data.samples import sample_interactions

ACTION = {
    "action_id": 200,
    "action_idx": 15,
    "obj_interaction_action": 1,
    "action_name": "Pickup",
    "time_start": 6.0,
    "oid": "Mug|1",
    "x": 0.5,
    "y": 0.25,
}


def _instance(**changes: object) -> dict[str, Any]:
    return {
        "dialog_history": [["Commander", "coffee"], ["Driver", "ok"]],
        "driver_action_history": [ACTION],
        "driver_image_history": ["driver.frame.6.0.jpeg"],
        "driver_actions_future": [{**ACTION, "action_name": "Forward", "oid": None, "x": None, "y": None}],
        "driver_images_future": ["driver.frame.7.0.jpeg"],
        "interactions": [one.to_json() for one in sample_interactions()],
        "game_id": "0123456789abcdef",
        "instance_id": "0123456789abcdef.edh0",
        "pred_start_idx": 2,
        "state_changes": {"agents": {}, "objects": {"Mug|1": {"isDirty": False}}},
        **changes,
    }


def _write(tmp_path: Path, data: dict[str, Any]) -> Path:
    path = tmp_path / "0123456789abcdef.edh0.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


def test_an_instance_is_read(tmp_path: Path) -> None:
    instance = read_edh(_write(tmp_path, _instance(dialog_history_with_das=[["Driver", "<<Affirm>> ok"]])))
    assert instance.dialogue == ((Role.COMMANDER, "coffee"), (Role.FOLLOWER, "ok"))
    assert instance.history[0].object_id == "Mug|1"
    assert instance.future is not None
    assert (instance.future[0].action, instance.future[0].x) == ("Forward", None)
    assert instance.state_changes is not None
    assert instance.state_changes.objects == {"Mug|1": {"isDirty": False}}
    assert instance.extra == {"dialog_history_with_das": [["Driver", "<<Affirm>> ok"]]}


def test_an_instance_of_a_test_split_has_no_future(tmp_path: Path) -> None:
    data = _instance()
    for key in ("driver_actions_future", "driver_images_future", "state_changes"):
        del data[key]
    instance = read_edh(_write(tmp_path, data))
    assert instance.future is None
    assert instance.state_changes is None
    assert instance.goal_conditions_total is None


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"pred_start_idx": 11}, "must lie in 0 ... 10; got 11"),
        ({"dialog_history": [["Robot", "hi"]]}, "must hold [speaker, text] pairs"),
        ({"dialog_history": ["hi"]}, "must hold [speaker, text] pairs"),
        ({"driver_action_history": [{**ACTION, "action_name": "Pick up"}]}, "did you mean 'Pickup'?"),
        ({"state_changes": {"objects": {"Mug|1": 3}}}, "'state_changes.objects.Mug|1' must be an object"),
    ],
)
def test_a_bad_instance_is_refused(tmp_path: Path, changes: dict[str, Any], said: str) -> None:
    with pytest.raises(GameFileError) as caught:
        read_edh(_write(tmp_path, _instance(**changes)))
    assert said in str(caught.value)
