"""What may take a chair."""

from __future__ import annotations

from typing import Any

import pytest

from teach_agents.actions import Action, Role
from teach_agents.agents import RandomFollower
from teach_agents.core.agents.contract import Agent, FunctionAgent, as_agent
from teach_agents.core.plugins import AGENT
from teach_agents.core.specs import build
from teach_agents.errors import InputError, SpecError
from teach_agents.observations import Observation, Privilege
from tests.session.support import session


class Nosy(Agent):
    def __init__(self, *privileges: Any) -> None:
        self.privileges = frozenset(privileges)

    def act(self, observation: Observation) -> Action:
        return Action.wait()


def test_a_function_is_an_agent_and_an_agent_stays_itself() -> None:
    def wait(observation: Observation) -> Action:
        return Action.wait()

    made, agent = as_agent(wait), Nosy(Privilege.DEPTH)
    assert isinstance(made, FunctionAgent) and made.function is wait
    assert as_agent(agent) is agent


@pytest.mark.parametrize("value", [None, 5, "planner", RandomFollower])
def test_what_cannot_act_is_refused(value: Any) -> None:
    with pytest.raises(InputError, match="must be an Agent or a function"):
        as_agent(value)


def test_privileges_that_nobody_knows_are_refused_with_those_there_are() -> None:
    with pytest.raises(InputError, match="agent Nosy, privileges: no such privilege; got 'dept'; did you mean 'depth'"):
        as_agent(Nosy("dept"), privileges=list(Privilege))
    with pytest.raises(InputError, match="no such privilege; got 'dept'"):
        session(Nosy("dept"))


class Boss(Nosy):
    """Made for one chair."""

    seats = (Role.COMMANDER,)


def test_an_agent_that_is_not_made_for_a_seat_is_refused_by_its_spec() -> None:
    spec = "tests.agents.test_contract:Boss"
    assert isinstance(build(AGENT, spec, allow_import=True, role=Role.COMMANDER), Boss)
    with pytest.raises(SpecError, match="is not made for this seat; got 'follower'; valid: commander"):
        build(AGENT, spec, allow_import=True, role=Role.FOLLOWER)
