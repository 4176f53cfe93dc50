"""The Commander's free camera and progress check (specification 2.3, 5.8)."""

from __future__ import annotations

import pytest

from teach_agents.actions import MOTIONS, Action, Role
from teach_agents.household import Household, Scenario
from teach_agents.observations import Pose, Vec3
from teach_agents.simulator.contract import Scene, StoredState
from tests.household.fake import FakeSimulator
from tests.household.helpers import LIBRARY, ready, scenario, the, walk


def fly(household: Household, *names: str) -> Pose:
    for name in names:
        assert household.act(Role.COMMANDER, Action(name)).success
    return household.commander


def test_the_camera_starts_a_metre_above_the_follower_looking_down() -> None:
    household, _ = ready()
    assert household.commander == Pose(Vec3(0.0, 1.9, 0.0), yaw=0.0, horizon=30.0)


def test_a_stored_camera_starts_where_it_was() -> None:
    mine = Pose(Vec3(1.0, 2.0, 3.0), yaw=90.0, horizon=0.0)
    body = Pose(Vec3(0.0, 0.9, 0.0), yaw=0.0, horizon=30.0)
    household = Household(FakeSimulator(), LIBRARY)
    household.reset(Scenario("s", "Coffee", (), Scene(stored=StoredState("FloorPlan1", (), body, mine))))
    assert household.commander == mine


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Forward", (0.25, 1.9, 0.0)),
        ("Backward", (-0.25, 1.9, 0.0)),
        ("Pan Left", (0.0, 1.9, 0.25)),
        ("Pan Right", (0.0, 1.9, -0.25)),
        ("Look Up", (0.0, 2.15, 0.0)),
        ("Look Down", (0.0, 1.65, 0.0)),
    ],
)
def test_the_camera_slides_along_its_heading_and_rises_where_a_head_would_tilt(
    name: str, expected: tuple[float, float, float]
) -> None:
    household, _ = ready()
    assert fly(household, "Turn Right", name) == Pose(Vec3(*expected), yaw=90.0, horizon=30.0)


def test_the_camera_flies_through_walls_and_turns_all_the_way_round() -> None:
    household, _ = ready()
    assert fly(household, *["Forward"] * 40).position.z == pytest.approx(10.0)
    assert fly(household, "Turn Left").yaw == 270.0
    assert fly(household, "Turn Left", "Turn Left", "Turn Left").yaw == 0.0


def test_flying_moves_nothing_in_the_world() -> None:
    household, fake = ready()
    version = fake.world.version
    fly(household, *MOTIONS)
    assert fake.world.version == version


def test_a_progress_check_answers_with_flags_as_numbers() -> None:
    household, fake = ready("Clean X", ("Mug",))
    result = household.act(Role.COMMANDER, Action.progress_check())
    assert result.success
    assert result.message == "the task is not complete"
    reply = result.reply
    assert reply is not None
    assert list(reply) == ["task_desc", "success", "subgoals"]
    assert reply["success"] == 0
    assert type(reply["success"]) is int
    fake.change(the(fake, "Mug"), is_dirty=False)
    after = household.act(Role.COMMANDER, Action.progress_check())
    assert after.success
    assert after.message == "the task is complete"
    assert after.reply is not None
    assert after.reply["success"] == 1


def test_an_incomplete_task_is_no_failed_action() -> None:
    household, _ = ready()
    household.act(Role.COMMANDER, Action.progress_check())
    assert household.failures == {Role.COMMANDER: 0, Role.FOLLOWER: 0}


def test_the_followers_walk_leaves_the_camera_where_it_is() -> None:
    household, _ = ready()
    before = household.commander
    walk(household, "Forward", "Turn Left")
    assert household.commander == before
    assert scenario().scenario_id == "test"
