"""New game files have TEACh's keys in TEACh's order."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from teach_agents.actions import ACTION_TYPES, COMMANDER_ACTIONS, FOLLOWER_ACTIONS, Action, ActionKind, Role
from teach_agents.data import (
    Episode,
    draft_game,
    game_definitions,
    game_files,
    keyboard,
    motion_interaction,
    new_game,
    object_interaction,
    progress_check,
    read_game,
    recorded_action,
    write_game,
)
from teach_agents.errors import GameFileError
from tests.data.samples import BODY, MUG, sample_game, sample_interactions, sample_task


def test_definitions_hold_teach_s_36_actions_in_its_order() -> None:
    definitions = game_definitions([{"task_id": 1}])
    assert [action["action_id"] for action in definitions["actions"]][13:17] == [13, 300, 200, 201]
    assert len(definitions["actions"]) == 36
    assert definitions["tasks"] == [{"task_id": 1}]
    assert [agent["agent_name"] for agent in definitions["agents"]] == ["Commander", "Driver"]


@pytest.mark.data
def test_definitions_equal_those_of_the_released_files(teach_data: Path) -> None:
    released = read_game(game_files(teach_data / "games" / "valid_seen")[0]).definitions
    ours = game_definitions()
    for key in ("agents", "actions", "status"):
        assert json.dumps(ours[key]) == json.dumps(released[key])


@pytest.mark.data
def test_new_interactions_have_the_keys_of_the_released_ones(teach_data: Path) -> None:
    released: dict[type, tuple[str, ...]] = {}
    for path in game_files(teach_data / "games" / "valid_seen")[:30]:
        for one in read_game(path).episode.interactions:
            released[type(one)] = tuple(one.to_json())
    annotations = ("is_corrected", "corrected_utterance", "da_metadata")
    for one in sample_interactions():
        keys = tuple(key for key in released[type(one)] if key not in annotations)
        assert tuple(one.to_json()) == keys


def test_times_must_grow_strictly() -> None:
    late, early = keyboard(Role.COMMANDER, "hi", time_start=2.0), keyboard(Role.FOLLOWER, "hello", time_start=2.0)
    episode = sample_game().episode
    bad = Episode.create("x", "FloorPlan1", episode.initial_state, [late, early], episode.final_state)
    with pytest.raises(GameFileError, match=r"does not begin later than Text at 2\.0; got 2\.0"):
        new_game(sample_task(), bad)


def test_values_that_are_no_json_are_refused() -> None:
    with pytest.raises(GameFileError, match="cannot be written as JSON"):
        new_game(sample_task(), sample_game().episode, task_definitions=[{"task_id": {1}}])


def test_a_draft_is_written_as_the_finished_game(tmp_path: Path) -> None:
    task, episode = sample_task(), sample_game().episode
    write_game(draft_game(task, episode, comments="now"), tmp_path / "draft.game.json")
    assert read_game(tmp_path / "draft.game.json") == new_game(task, episode, comments="now")
    with pytest.raises(GameFileError, match="cannot be written as JSON"):
        write_game(draft_game(task, episode, task_definitions=[{"task_id": {1}}]), tmp_path / "bad.game.json")
    assert not (tmp_path / "bad.game.json").exists()


def test_a_draft_with_tuples_is_written_as_lists(tmp_path: Path) -> None:
    task, episode = sample_task(), sample_game().episode
    final = episode.final_state
    first = {**final.objects[0], "parentReceptacles": ("CounterTop|1",)}
    drafted = replace(episode, final_state=replace(final, objects=(first, *final.objects[1:])))
    write_game(draft_game(task, drafted), tmp_path / "tuples.game.json")
    assert read_game(tmp_path / "tuples.game.json").episode.final_state.objects[0]["parentReceptacles"] == [
        "CounterTop|1"
    ]


def test_the_time_of_writing_is_stamped_when_none_is_given() -> None:
    game = new_game(sample_task(), sample_game().episode)
    assert game.comments.count(":") == 3


def test_a_failed_click_has_no_object() -> None:
    missed = object_interaction("Open", time_start=1.0, success=False, x=0.5, y=0.5, object_id=MUG)
    assert missed.object_id is None


def test_helpers_refuse_actions_of_another_kind() -> None:
    with pytest.raises(GameFileError, match="valid: OpenProgressCheck, SelectOid, SearchObject"):
        progress_check("Forward", time_start=1.0, success=True)
    with pytest.raises(GameFileError, match="did you mean 'Forward'"):
        motion_interaction(Role.FOLLOWER, "Forwards", time_start=1.0, success=True, pose=BODY)


def _example(name: str) -> Action:
    kind = ACTION_TYPES[name].kind
    if kind is ActionKind.OBJECT:
        return Action.click(name, 0.5, 0.5)
    return Action(name)


@pytest.mark.parametrize(
    ("role", "name"),
    [
        *((Role.COMMANDER, name) for name in COMMANDER_ACTIONS if name not in ("NoOp", "Finish")),
        *((Role.FOLLOWER, name) for name in FOLLOWER_ACTIONS if name != "NoOp"),
    ],
)
def test_every_action_of_a_session_can_be_recorded(role: Role, name: str) -> None:
    made = recorded_action(role, _example(name), time_start=1.0, success=True, pose=BODY, object_id=MUG)
    assert (made.role, made.action, made.success) == (role, name, True)
    assert made.to_json()["agent_id"] == role.agent_id
    if made.type.kind is ActionKind.MOTION:
        assert any(made.to_json()["pose"]) is (role is Role.FOLLOWER)
    if made.type.kind is ActionKind.OBJECT:
        assert made.to_json()["oid"] == MUG


@pytest.mark.parametrize(
    ("role", "action"),
    [
        (Role.COMMANDER, Action.finish()),
        (Role.FOLLOWER, Action.wait()),
        (Role.COMMANDER, Action.click("Pickup", 0.5, 0.5)),
    ],
)
def test_what_a_game_file_cannot_hold_is_refused(role: Role, action: Action) -> None:
    with pytest.raises(GameFileError, match=f"cannot hold this action of the {role}"):
        recorded_action(role, action, time_start=1.0, success=True)
