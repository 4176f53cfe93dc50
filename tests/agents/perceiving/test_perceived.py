"""Any agent that reads privileged information may play through a perception."""

from __future__ import annotations

import pytest

from teach_agents.actions import Role
from teach_agents.agents.conformance import AgentContract
from teach_agents.agents.perceiving.oracle import OraclePerception
from teach_agents.agents.perceiving.perceived import Perceived
from teach_agents.agents.perceiving.tiers import perception_of
from teach_agents.agents.planner import PlannerFollower, planner_commander, planner_follower
from teach_agents.core.agents.contract import Agent, FunctionAgent, provenance_of
from teach_agents.core.specs import build
from teach_agents.errors import InputError, SpecError
from teach_agents.models.prompts import Usage
from teach_agents.observations import Privilege
from tests.agents.planner.playing import play, scenario


class TestPerceivedFollower(AgentContract):
    """The planner's Follower behind its own eyes is an agent as any other."""

    role = Role.FOLLOWER

    def make_agent(self) -> Agent:
        """A new one."""
        return planner_follower(perception="oracle")


def test_it_says_through_what_it_perceives() -> None:
    agent = build("agent", "planner:perception=oracle", role=Role.FOLLOWER)
    assert isinstance(agent, Perceived)
    assert provenance_of(agent) == {"perception": "oracle"}
    assert agent.privileges == OraclePerception().privileges
    assert isinstance(planner_follower(), PlannerFollower)


def test_usage_and_thoughts_are_the_inner_agents() -> None:
    class Thinker(PlannerFollower):
        usage = Usage(model_calls=3)
        thought = {"choice": "wait"}  # a made-up agent

    agent = Perceived(Thinker(), OraclePerception())
    assert agent.usage == Usage(model_calls=3) and agent.thought == {"choice": "wait"}
    assert Perceived(PlannerFollower(), OraclePerception()).usage == Usage()


def test_no_perception_stands_for_what_is_judged() -> None:
    oracle = FunctionAgent(lambda _: pytest.fail("never asked"), frozenset({Privilege.GROUND_TRUTH}))
    with pytest.raises(InputError, match="ground_truth"):
        Perceived(oracle, OraclePerception())


def test_unknown_tiers_and_options_are_refused() -> None:
    with pytest.raises(SpecError, match=r"clairvoyant.*oracle"):
        planner_follower(perception="clairvoyant")
    with pytest.raises(SpecError, match="colour"):
        perception_of("oracle:colour=red")


@pytest.mark.parametrize(
    ("what", "perception"),
    [
        (scenario("Put All X On Y", "Fork", "in", "Sink", room="FloorPlan2"), "oracle"),
        (scenario("Boil X", "Potato", room="FloorPlan10"), "oracle"),
        (scenario("Coffee", room="FloorPlan1"), "oracle:ground=seen"),
    ],
    ids=str,
)
def test_the_pair_completes_a_task_by_what_was_seen(what: object, perception: str) -> None:
    from teach_agents.household.scenario import Scenario

    assert isinstance(what, Scenario)
    played = play(what, planner_commander(style="plain"), planner_follower(perception=perception))
    assert played.success, played.utterances
    assert played.failures < 10
