"""The household on the embedded simulator: real rooms, recorded sessions."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from teach_agents.actions import MOTIONS, OBJECT_ACTIONS, Action, ActionResult, Role
from teach_agents.data import Game, ObjectInteraction, read_game
from teach_agents.household import Household, Scenario, point_on
from teach_agents.observations import Privilege
from teach_agents.simulator.contract import Scene
from teach_agents.simulator.embedded.simulator import EmbeddedSimulator
from tests.household.helpers import LIBRARY

SESSIONS = 12
ENOUGH = 8
"""Of the first twelve recorded valid_seen sessions, replayed by click, how many must end in success at least."""


def test_a_random_follower_is_answered_in_a_real_room() -> None:
    rng = random.Random(1)
    household = Household(EmbeddedSimulator(), LIBRARY)
    household.reset(Scenario("random", "Coffee", (), Scene("FloorPlan1")))
    before = set(household.custom_properties)
    answers = []
    for _ in range(300):
        name = rng.choice((*MOTIONS, *OBJECT_ACTIONS))
        click = name in OBJECT_ACTIONS
        action = Action.click(name, rng.random(), rng.random()) if click else Action(name)
        answers.append(household.act(Role.FOLLOWER, action))
    assert {answer.success for answer in answers} == {True, False}
    assert all(answer.message for answer in answers)
    assert household.failures[Role.FOLLOWER] == sum(not answer.success for answer in answers)
    assert before <= {row["objectId"] for row in household.objects}


def test_what_a_planner_points_at_is_what_a_click_chooses() -> None:
    household = Household(EmbeddedSimulator(), LIBRARY)
    household.reset(Scenario("point", "Coffee", (), Scene("FloorPlan1")))
    chosen = 0
    for _ in range(4):
        household.act(Role.FOLLOWER, Action("Turn Right"))
        seen = household.observe(Role.FOLLOWER, {Privilege.SEGMENTATION}).privileged.segmentation
        for row in household.objects:
            click = household.click_for(str(row["objectId"]), "Open")
            if click is not None:
                assert point_on(seen, str(row["objectId"])) is not None
                result = household.act(Role.FOLLOWER, Action.click("Open", *click))
                chosen += result.object_id == row["objectId"]
                break
    assert chosen >= 1


def test_a_search_shows_everything_that_can_be_shown() -> None:
    household = Household(EmbeddedSimulator(), LIBRARY)
    household.reset(Scenario("search", "Coffee", (), Scene("FloorPlan1")))
    for row in household.objects:
        result = household.act(Role.COMMANDER, Action.select(str(row["objectId"])))
        assert result.success
        assert result.reply is not None
        assert result.reply["shown_oid"], row["objectId"]


def replayed(household: Household, game: Game) -> bool:
    """Carry out a recorded session's successful actions by click; recover as specification 6.4 means to."""
    household.reset(Scenario.from_game(game))
    for done in game.episode.interactions:
        if done.role is Role.FOLLOWER and done.success and done.action in MOTIONS:
            household.act(Role.FOLLOWER, Action(done.action))
        elif isinstance(done, ObjectInteraction) and done.success and done.object_id:
            _interact(household, done, done.object_id)
    return household.progress().success


def _interact(household: Household, done: ObjectInteraction, object_id: str) -> ActionResult:
    if object_id not in household.simulator.state.objects:
        return ActionResult(False, "no such object here")
    point = household.click_for(object_id, done.action)
    if point is not None:
        result = household.act(Role.FOLLOWER, Action.click(done.action, *point))
        if result.success:
            return result
    return household.force(done.action, object_id)


@pytest.mark.data
def test_recorded_sessions_played_again_by_click_reach_their_goals(teach_data: Path) -> None:
    household = Household(EmbeddedSimulator(), LIBRARY)
    files = sorted((teach_data / "games" / "valid_seen").glob("*.game.json"))[:SESSIONS]
    ends = {path.name: replayed(household, read_game(path)) for path in files}
    assert sum(ends.values()) >= ENOUGH, ends
