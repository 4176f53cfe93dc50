from __future__ import annotations

from pathlib import Path

import pytest

from teach_agents.actions import Action, Role
from teach_agents.agents import Agent, DemonstrationAgent
from teach_agents.agents.conformance import AgentContract, blank_observation
from teach_agents.agents.demonstration import Deed, demonstrated_turns, recorded_as_action
from teach_agents.data import (
    Episode,
    Game,
    GameTask,
    Interaction,
    StateRecord,
    game_files,
    keyboard,
    map_goal,
    motion_interaction,
    new_game,
    object_interaction,
    progress_check,
    read_game,
)
from teach_agents.observations import Pose, Vec3

_POSE = Pose(Vec3(0.0, 0.9, 0.0), 0.0, 30.0)

INTERACTIONS: tuple[Interaction, ...] = (
    keyboard(Role.FOLLOWER, "What should I do?", time_start=1.0),
    progress_check("OpenProgressCheck", time_start=2.0, success=False),
    keyboard(Role.COMMANDER, "Get the mug", time_start=3.0),
    motion_interaction(Role.FOLLOWER, "Forward", time_start=4.0, success=False, pose=_POSE),
    motion_interaction(Role.FOLLOWER, "Turn Left", time_start=5.0, success=True, pose=_POSE),
    map_goal(Role.FOLLOWER, time_start=6.0, success=True, start=(0.1, 0.1), end=(0.2, 0.2)),
    object_interaction("Pickup", time_start=7.0, success=True, x=0.5, y=0.25, object_id="Mug|1"),
    progress_check("SearchObject", time_start=8.0, success=True, query="mug", role=Role.FOLLOWER),
    progress_check("OpenProgressCheck", time_start=9.0, success=True),
)


def _game() -> Game:
    state = StateRecord.create(0.0, _POSE, _POSE, ())
    episode = Episode(
        episode_id="e",
        world="FloorPlan1_physics",
        world_type=None,
        commander_embodied=False,
        initial_state=state,
        interactions=INTERACTIONS,
        final_state=state,
    )
    task = GameTask(102, "Coffee", (), 0, None, "", {}, ())
    return new_game(task, episode, comments="")


class TestDemonstratedCommander(AgentContract):
    role = Role.COMMANDER

    def make_agent(self) -> Agent:
        return DemonstrationAgent(_game(), Role.COMMANDER)


class TestDemonstratedFollower(AgentContract):
    role = Role.FOLLOWER

    def make_agent(self) -> Agent:
        return DemonstrationAgent(_game(), Role.FOLLOWER)


def test_turns_keep_the_recorded_order_without_what_failed() -> None:
    assert demonstrated_turns(INTERACTIONS) == [
        (None, Deed(Action.say("What should I do?"), 0)),
        (Deed(Action.progress_check(), 1), None),
        (Deed(Action.say("Get the mug"), 2), Deed(Action("Turn Left"), 4)),
        (None, Deed(Action.click("Pickup", 0.5, 0.25), 6, "Mug|1")),
        (Deed(Action.progress_check(), 8), None),
    ]


def test_each_role_ends_the_session_in_its_own_way() -> None:
    for role, end in ((Role.COMMANDER, Action.finish()), (Role.FOLLOWER, Action.stop())):
        agent = DemonstrationAgent(_game(), role)
        assert agent.act(blank_observation(role, 5)) == end


@pytest.mark.data
def test_released_games_become_turns(teach_data: Path) -> None:
    for path in list(game_files(teach_data / "games" / "valid_seen"))[:5]:
        game = read_game(path)
        done = [one for one in game.episode.interactions if one.success or one.action == "OpenProgressCheck"]
        wanted = [action for one in done if (action := recorded_as_action(one)) is not None]
        turns = demonstrated_turns(game.episode.interactions)
        assert [deed.action for turn in turns for deed in turn if deed is not None] == wanted
        assert DemonstrationAgent(path, Role.FOLLOWER).act(blank_observation(Role.FOLLOWER, len(turns))).name == "Stop"
