"""What models are told of an instance, and where a body stands that is told little."""

from __future__ import annotations

import copy
import math
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from teach_agents.actions import MOTIONS, Action, Role
from teach_agents.benchmarks.solo.assignment import GROUND_TRUTH, blinded
from teach_agents.conventions.teach_model import live_instance
from teach_agents.conventions.wire_follower import first_pose, reckoned
from teach_agents.household import Household, Scenario
from teach_agents.observations import Pose, Utterance, Vec3
from teach_agents.simulator.contract import Scene
from teach_agents.simulator.embedded import EmbeddedSimulator

BACK = {"Forward": "Backward", "Turn Left": "Turn Right", "Pan Left": "Pan Right"}
KEYS = (*GROUND_TRUTH, "dialog_history", "game_id", "pred_start_idx", "driver_action_history", "init_state_diff")
VALUES = st.none() | st.integers(0, 3) | st.text(max_size=3) | st.lists(st.integers(), max_size=2)
ACTIONS = st.lists(st.fixed_dictionaries({"action_id": st.sampled_from((2, 100, 200))}), max_size=5)


@given(st.dictionaries(st.sampled_from(KEYS), VALUES), ACTIONS, st.none() | st.integers(0, 5))
def test_a_blinded_instance_has_lost_the_ground_truth_and_nothing_else(
    rest: dict[str, Any], interactions: list[Any], start: int | None
) -> None:
    instance = {**rest, "interactions": interactions, "pred_start_idx": start}
    before = copy.deepcopy(instance)
    left = blinded(instance)
    assert instance == before
    assert not set(left) & set(GROUND_TRUTH)
    assert {key: left[key] for key in left if key != "interactions"} == {
        key: value for key, value in instance.items() if key not in (*GROUND_TRUTH, "interactions")
    }
    said = [one for one in interactions if one["action_id"] == 100]
    assert left["interactions"] == (said if start is None else interactions[:start])


def test_a_live_session_looks_like_an_instance_whose_dialogue_grows() -> None:
    said = (Utterance(Role.COMMANDER, "a mug"), Utterance(Role.FOLLOWER, "here?"))
    instance = live_instance("session", said)
    assert instance["dialog_history"] == [["Commander", "a mug"], ["Driver", "here?"]]
    assert instance["game_id"] == "session" and not instance["interactions"]


@given(
    st.dictionaries(
        st.sampled_from(("interactions", "pred_start_idx")),
        VALUES
        | st.lists(
            st.dictionaries(
                st.sampled_from(("pose", "agent_id")),
                st.integers(0, 1) | st.lists(st.floats() | st.just(10**400) | st.none(), max_size=7),
            ),
            max_size=3,
        ),
    )
)
def test_any_history_gives_a_first_pose(instance: dict[str, Any]) -> None:
    position = first_pose(instance).position
    assert all(map(math.isfinite, (position.x, position.y, position.z)))


@given(st.lists(st.sampled_from(sorted(BACK)), max_size=8), st.sampled_from((0.0, 90.0, 180.0, 270.0)))
def test_what_is_undone_leads_back(names: list[str], yaw: float) -> None:
    start = Pose(Vec3(0.25, 0.9, -1.5), yaw, 0.0)
    pose = start
    for name in [*names, *(BACK[name] for name in reversed(names))]:
        pose = reckoned(pose, Action(name))
    assert pose == start


@settings(max_examples=15, deadline=None)
@given(st.lists(st.sampled_from(MOTIONS), min_size=1, max_size=12))
def test_where_nothing_is_in_the_way_the_reckoning_is_right(names: list[str]) -> None:
    household = _empty_floor()
    pose = household.simulator.state.agent
    for name in names:
        if household.act(Role.FOLLOWER, Action(name)).success:
            pose = reckoned(pose, Action(name))
    found = household.simulator.state.agent
    assert abs(found.position.x - pose.position.x) + abs(found.position.z - pose.position.z) < 1e-6
    assert (found.yaw, found.horizon) == (pose.yaw, pose.horizon)


def _empty_floor() -> Household:
    household = Household(EmbeddedSimulator(), view_size=60)
    household.reset(Scenario("walk", "Coffee", (), Scene("FloorPlan201")))
    return household
