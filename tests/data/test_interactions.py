"""Recorded actions as typed values, and the frame in which TEACh's files write poses."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from teach_agents.actions import ACTION_TYPES, ActionKind, Role
from teach_agents.data import Audio, Interaction, Motion, pose_from_values, pose_to_values
from teach_agents.data.fields import Fields
from teach_agents.data.interactions import interaction_from_json
from teach_agents.errors import GameFileError
from teach_agents.observations import Pose, Vec3
from tests.data.samples import poses

COMMON = {"agent_id": 1, "action_id": 2, "time_start": 1.0, "duration": 1, "success": 1}


def _read(**keys: object) -> Interaction:
    return interaction_from_json(Fields({**COMMON, **keys}, "here"))


def test_a_recorded_pose_is_z_minus_x_y_zero_horizon_minus_yaw() -> None:
    pose = pose_from_values((1.75, -2.75, 0.9, 0, 30.0, -270.0))
    assert pose == Pose(Vec3(2.75, 0.9, 1.75), yaw=270.0, horizon=30.0)
    assert pose_to_values(pose) == (1.75, -2.75, 0.9, 0, 30.0, -270.0)


@given(poses)
def test_poses_survive_the_file_s_frame(pose: Pose) -> None:
    again = pose_from_values(pose_to_values(pose))
    assert (again.position, again.yaw, again.horizon) == (pose.position, pose.yaw, pose.horizon)


def test_zeros_are_written_without_a_sign() -> None:
    values = pose_to_values(Pose(Vec3(0.0, 0.0, 0.0), yaw=0.0, horizon=0.0))
    assert [str(value) for value in values] == ["0.0", "0.0", "0.0", "0", "0.0", "0.0"]


def test_the_commander_s_motions_carry_no_pose() -> None:
    motion = _read(agent_id=0, pose_delta=[0.25, 0, 0, 0, 0, 0], pose=[0, 0, 0, 0, 0, 0])
    assert isinstance(motion, Motion)
    assert motion.role is Role.COMMANDER
    assert motion.pose is None


def test_every_action_of_the_table_can_be_read() -> None:
    details: dict[ActionKind, dict[str, object]] = {
        ActionKind.MOTION: {"pose_delta": [], "pose": [0] * 6},
        ActionKind.OBJECT: {"x": 0, "y": 0, "oid": None},
        ActionKind.PROGRESS: {"query": ""},
        ActionKind.KEYBOARD: {"utterance": ""},
        ActionKind.MAP_GOAL: {"start_x": 0, "start_y": 0, "end_x": 0, "end_y": 0},
    }
    rows = [row for row in ACTION_TYPES.values() if row.kind is not ActionKind.CONTROL]
    assert len(rows) == 36
    for row in rows:
        keys = {**COMMON, "action_id": row.action_id, **details.get(row.kind, {})}
        read = interaction_from_json(Fields(keys, "here"))
        assert read.action == row.name
        assert read.to_json() == keys


def test_speech_keeps_its_file_and_a_beep_its_repeats() -> None:
    speech = _read(action_id=101, utterance="hello", file_name="a.wav")
    assert isinstance(speech, Audio)
    assert (speech.utterance, speech.file_name) == ("hello", "a.wav")
    assert _read(action_id=102, repeat=3).extra == {"repeat": 3}


def test_our_own_control_actions_are_no_actions_of_a_file() -> None:
    with pytest.raises(GameFileError, match="names no action"):
        _read(action_id=-1)


@given(st.sampled_from([0, 1, None]))
def test_success_is_written_as_it_was_read(success: int | None) -> None:
    written = _read(action_id=500, query="", success=success).to_json()
    assert written["success"] == success
    assert not isinstance(written["success"], bool)
