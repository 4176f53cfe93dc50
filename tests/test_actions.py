"""Actions: the table that files and published agents rely on, and what an action refuses to be."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from teach_agents.actions import (
    ACTION_TYPES,
    COMMANDER_ACTIONS,
    FOLLOWER_ACTIONS,
    MOTIONS,
    OBJECT_ACTIONS,
    Action,
    ActionKind,
    ActionResult,
    Role,
)
from teach_agents.errors import ActionError


def test_the_table_is_teachs() -> None:
    stored = [row for row in ACTION_TYPES.values() if row.kind is not ActionKind.CONTROL]
    assert [row.index for row in stored] == list(range(36))
    ids = {"Stop": 0, "Forward": 2, "Turn Right": 5, "Pickup": 200, "Pour": 211, "OpenProgressCheck": 500, "Text": 100}
    assert {name: ACTION_TYPES[name].action_id for name in ids} == ids
    assert list(ACTION_TYPES["Forward"].pose_delta) == [0.25, 0, 0, 0, 0, 0]
    assert ACTION_TYPES["Turn Left"].pose_delta[-1] == -ACTION_TYPES["Turn Right"].pose_delta[-1] == 90


def test_the_follower_has_sixteen_actions_and_the_commander_cannot_touch() -> None:
    assert len(MOTIONS) + len(OBJECT_ACTIONS) == 16
    assert set(FOLLOWER_ACTIONS) == {*MOTIONS, *OBJECT_ACTIONS, "Text", "Stop", "NoOp"}
    assert not set(COMMANDER_ACTIONS) & set(OBJECT_ACTIONS)
    assert Action.progress_check().allowed_for(Role.COMMANDER) and not Action.progress_check().allowed_for(
        Role.FOLLOWER
    )
    assert Action.stop().allowed_for(Role.FOLLOWER) and not Action.stop().allowed_for(Role.COMMANDER)
    assert Action.finish().allowed_for(Role.COMMANDER) and not Action.finish().allowed_for(Role.FOLLOWER)


def test_roles_have_teachs_agent_ids_and_a_partner() -> None:
    assert {role.value: role.agent_id for role in Role} == {"commander": 0, "follower": 1}
    assert {role.value: role.partner.value for role in Role} == {"commander": "follower", "follower": "commander"}


@pytest.mark.parametrize(
    ("made", "message"),
    [
        ({"name": "Pickpu"}, "did you mean 'Pickup'"),
        ({"name": ["Pickup"]}, "unknown name"),
        ({"name": "Pickup"}, "click x, got None"),
        ({"name": "Pickup", "x": 0.5, "y": float("nan")}, "click y, got nan"),
        ({"name": "Pickup", "x": float("-inf"), "y": 0}, "click x, got -inf"),
        ({"name": "Pickup", "x": 10**400, "y": 0}, "finite click x"),
        ({"name": "Pickup", "x": True, "y": 0}, "click x, got True"),
        ({"name": "Pickup", "x": "0.5", "y": 0}, "click x, got '0.5'"),
        ({"name": "Forward", "x": 0.5, "y": 0.5}, "takes no click"),
        ({"name": "Forward", "utterance": "hello"}, "takes no utterance"),
        ({"name": "Text", "query": "mug"}, "takes no query"),
        ({"name": "Text", "utterance": 7}, "must be text; got 7"),
        ({"name": "Text", "utterance": "half \ud83e"}, "half a surrogate pair"),
        ({"name": "SearchObject", "query": "\udc00"}, "half a surrogate pair"),
    ],
)
def test_what_is_no_action_is_refused(made: dict[str, Any], message: str) -> None:
    with pytest.raises(ActionError, match=message):
        Action(**made)


def test_words_of_any_language_may_be_said() -> None:
    words = "\u05de\u05d4 \U0001f984 \x00 <b>[red]"
    assert Action.say(words).utterance == words


def test_clicks_of_any_real_type_are_floats_that_json_holds() -> None:
    numbers: list[Any] = [np.float32(0.25), np.int64(0)]
    action = Action.click("Pickup", *numbers)
    assert (action.x, action.y) == (0.25, 0.0) and type(action.x) is type(action.y) is float
    assert Action.from_json(json.loads(json.dumps(action.to_json()))) == action


def test_clicks_outside_the_frame_are_values() -> None:
    assert Action.click("Pickup", -3, 1e300).y == 1e300


@pytest.mark.parametrize("action", [Action.say("hi"), Action.search("mug"), Action.select("Mug|1"), Action.wait()])
def test_actions_survive_json(action: Action) -> None:
    assert Action.from_json(action.to_json()) == action


@pytest.mark.parametrize(
    "data", [None, [], {"name": "Forward", "speed": 1}, {"name": "Text", "utterance": None}, {"x": 1}]
)
def test_json_that_is_no_action_is_refused(data: object) -> None:
    with pytest.raises(ActionError):
        Action.from_json(data)


def test_results_leave_out_what_is_absent() -> None:
    assert ActionResult(True).to_json() == {"success": True}
    assert ActionResult(False, "no").to_json() == {"success": False, "message": "no"}
