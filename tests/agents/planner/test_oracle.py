"""The planner alone, told what is judged: it makes the changes, talks to nobody, and stops."""

from __future__ import annotations

import pytest

from teach_agents.actions import Action, Role
from teach_agents.agents.planner import PlannerFollower, PlannerOracle, planner_follower
from teach_agents.core.agents.contract import Agent, Briefing
from teach_agents.core.specs import build
from teach_agents.household import Household
from teach_agents.observations import Privilege
from teach_agents.simulator.embedded import EmbeddedSimulator
from teach_agents.tasks import Task, evaluation_task
from tests.agents.planner.playing import scenario

_STEPS = 400


@pytest.fixture(scope="module")
def household() -> Household:
    return Household(EmbeddedSimulator())


def _oracle(household: Household, task: Task) -> Agent:
    made = build("agent", "planner", role=Role.FOLLOWER, household=household, task=task)
    assert isinstance(made, PlannerOracle)
    return made


def _played(household: Household, agent: Agent) -> list[Action]:
    agent.begin(Briefing("alone", Role.FOLLOWER, seed=3))
    done: list[Action] = []
    for turn in range(_STEPS):
        action = agent.act(household.observe(Role.FOLLOWER, agent.privileges, turn=turn))
        assert isinstance(action, Action)
        done.append(action)
        household.act(Role.FOLLOWER, action)
        if action == Action.stop():
            break
    return done


def test_a_whole_task_is_carried_out_without_a_word(household: Household) -> None:
    household.reset(scenario("Put All X On Y", "Fork", "in", "Sink", room="FloorPlan2"))
    done = _played(household, _oracle(household, household.task))
    assert household.progress().success
    assert done[-1] == Action.stop()
    assert not {"Text", "NoOp"} & {one.name for one in done} and household.dialogue == ()


def test_the_changes_of_an_instance_are_made_and_what_is_to_be_held_is_held_last(household: Household) -> None:
    household.reset(scenario("Coffee", room="FloorPlan1"))
    mug, apple = (
        next(name for name in household.simulator.state.objects if name.startswith(kind)) for kind in ("Mug|", "Apple|")
    )
    wanted = evaluation_task(
        {
            mug: {"simbotPickedUp": 1, "isPickedUp": True, "simbotLastParentReceptacle": None},
            apple: {"simbotLastParentReceptacle": "Sink|0|0|0|SinkBasin"},
        }
    )
    done = _played(household, _oracle(household, wanted))
    assert wanted.check(household.objects).success and done[-1] == Action.stop()
    assert household.simulator.state.objects[mug].is_picked_up


def test_it_says_that_it_knows_what_is_judged(household: Household) -> None:
    alone = planner_follower(household=household, task=evaluation_task({}))
    assert alone.privileges == PlannerFollower.privileges | {Privilege.GROUND_TRUTH}
    assert Privilege.GROUND_TRUTH not in planner_follower().privileges


def test_with_nothing_to_change_it_stops_at_once(household: Household) -> None:
    household.reset(scenario("Coffee", room="FloorPlan1"))
    assert _played(household, _oracle(household, evaluation_task({}))) == [Action.stop()]
