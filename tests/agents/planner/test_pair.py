"""The planner pair in real rooms: it completes tasks by talking, and does nothing useful unless it is talked to."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from teach_agents.actions import OBJECT_ACTIONS, Action, Role
from teach_agents.agents.conformance import AgentContract
from teach_agents.agents.planner import MODES, planner_commander, planner_follower
from teach_agents.core.agents.contract import Agent
from teach_agents.data import read_game
from teach_agents.errors import SpecError
from teach_agents.household.scenario import Scenario
from teach_agents.observations import Privilege
from tests.agents.planner.playing import Played, play, scenario

_TASKS = [
    scenario("Coffee", room="FloorPlan1"),
    scenario("Water Plant", room="FloorPlan3"),
    scenario("Put All X On Y", "Fork", "in", "Sink", room="FloorPlan2"),
    scenario("N Slices Of X In Y", "2", "Tomato", "on", "Plate", room="FloorPlan4"),
    scenario("Plate Of Toast", room="FloorPlan8"),
    scenario("Boil X", "Potato", room="FloorPlan10"),
    scenario("Salad", "1", "1", "1", room="FloorPlan6"),
    scenario("Put All X On Y", "RemoteControl", "on", "Sofa", room="FloorPlan227"),
]
"""Rooms as they ship; none of these scenes is in the TEACh data."""


def _ids(what: Scenario) -> str:
    return what.scenario_id


class TestPlannerCommander(AgentContract):
    """The planner Commander is an agent as any other."""

    role = Role.COMMANDER

    def make_agent(self) -> Agent:
        """A new one."""
        return planner_commander()


class TestPlannerFollower(AgentContract):
    """The planner Follower is an agent as any other."""

    role = Role.FOLLOWER

    def make_agent(self) -> Agent:
        """A new one."""
        return planner_follower()


@pytest.mark.parametrize("what", _TASKS, ids=_ids)
def test_the_pair_completes_a_task_by_talking(what: Scenario) -> None:
    played = play(what, planner_commander(), planner_follower())
    assert played.success, played.utterances
    assert played.failures < 10


@pytest.mark.parametrize("what", _TASKS, ids=_ids)
def test_without_words_the_follower_touches_nothing(what: Scenario) -> None:
    def blank(role: Role, action: Action) -> Action:
        return Action.say(" ") if role is Role.COMMANDER and action.name == "Text" else action

    played = play(what, planner_commander(), planner_follower(), blank)
    assert not played.success
    assert played.interactions == 0


def test_wrong_words_lead_to_something_else() -> None:
    def other(role: Role, action: Action) -> Action:
        return Action.say("Please slice the tomato.") if role is Role.COMMANDER and action.name == "Text" else action

    played = play(_TASKS[0], planner_commander(), planner_follower(), other)
    assert not played.success
    assert played.acted["Slice"] > 0


def test_the_commander_says_neither_ids_nor_coordinates() -> None:
    for what in _TASKS[:4]:
        played = play(what, planner_commander(), planner_follower())
        for role, said in played.utterances:
            assert not re.search(r"[|_\d]", said), (role, said)


def test_the_follower_uses_the_sixteen_actions_only() -> None:
    played = play(_TASKS[0], planner_commander(), planner_follower())
    motions = {"Forward", "Backward", "Turn Left", "Turn Right", "Look Up", "Look Down", "Pan Left", "Pan Right"}
    assert set(played.acted) <= motions | set(OBJECT_ACTIONS) | {"NoOp"}


def test_a_session_is_the_same_every_time() -> None:
    first = play(_TASKS[3], planner_commander(), planner_follower())
    again = play(_TASKS[3], planner_commander(), planner_follower())
    assert first == again


def test_an_agent_can_play_one_session_after_another() -> None:
    commander, follower = planner_commander(), planner_follower()
    play(_TASKS[2], commander, follower)
    assert play(_TASKS[0], commander, follower).success


@pytest.mark.parametrize("what", _TASKS[:3], ids=_ids)
def test_the_low_level_pair_completes_a_task(what: Scenario) -> None:
    played = play(what, planner_commander("low"), planner_follower("low"))
    assert played.success, played.utterances[-6:]


def test_the_low_level_follower_needs_no_privileges() -> None:
    assert planner_follower("low").privileges == frozenset()
    assert planner_commander("low").privileges == {Privilege.OBJECTS, Privilege.REACHABLE}
    assert planner_commander().privileges == {Privilege.OBJECTS}


def test_an_unknown_mode_is_refused_with_what_there_is() -> None:
    with pytest.raises(SpecError, match="language, low"):
        planner_commander("loud")
    with pytest.raises(SpecError, match="language, low"):
        planner_follower("loud")
    assert MODES == ("language", "low")


def _play_games(folder: Path, number: int, *, blanked: bool) -> list[Played]:
    chosen = random.Random(0).sample(sorted(folder.glob("*.game.json")), number)

    def blank(role: Role, action: Action) -> Action:
        return Action.say(" ") if blanked and role is Role.COMMANDER and action.name == "Text" else action

    scenarios = [Scenario.from_game(read_game(path)) for path in chosen]
    return [play(scenario, planner_commander(), planner_follower(), blank) for scenario in scenarios]


@pytest.mark.data
@pytest.mark.slow
def test_recorded_scenes_are_mostly_solved_with_words_and_not_without(teach_data: Path) -> None:
    folder = teach_data / "games" / "train"
    spoken = _play_games(folder, 25, blanked=False)
    silent = _play_games(folder, 25, blanked=True)
    assert sum(played.success for played in spoken) >= 15
    assert sum(played.success for played in silent) <= 0.02 * len(silent)
    assert all(played.interactions == 0 for played in silent)
