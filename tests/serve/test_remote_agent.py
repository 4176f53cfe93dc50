"""An agent behind a server is an agent like any other."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from teach_agents_serve import create_app

from teach_agents.actions import Role
from teach_agents.agents.conformance import AgentContract
from teach_agents.agents.contract import Agent
from teach_agents.household import Household, Limits, Scenario
from teach_agents.session import read_record, run_session
from teach_agents.simulator.contract import Scene
from teach_agents.simulator.embedded.simulator import EmbeddedSimulator
from teach_agents.specs import build
from tests.serve.serving import serving

ROOM, TASK = "FloorPlan7", "Coffee"


@pytest.fixture(scope="module")
def servers() -> Iterator[tuple[str, str]]:
    with serving(create_app(commander="planner")) as first, serving(create_app("planner")) as second:
        yield first, second


@pytest.fixture(scope="module")
def random_pair() -> Iterator[str]:
    with serving(create_app("random", commander="random")) as url:
        yield url


class _Remote(AgentContract):
    @pytest.fixture(autouse=True)
    def _served(self, random_pair: str) -> None:
        self.url = random_pair

    def make_agent(self) -> Agent:
        made = build("agent", self.url, role=self.role)
        assert isinstance(made, Agent)
        return made


class TestRemoteFollower(_Remote):
    role = Role.FOLLOWER


class TestRemoteCommander(_Remote):
    role = Role.COMMANDER


def _played(agents: list[Any], record: Path) -> Any:
    household = Household(EmbeddedSimulator(), view_size=60)
    scenario = Scenario("one", TASK, (), Scene(room=ROOM, randomize=True), 5)
    result = run_session(household, agents[0], agents[1], scenario, limits=Limits(max_turns=120), record=record)
    return result, [turn.to_json() for turn in read_record(record).turns]


def test_the_planner_pair_plays_over_http_as_it_does_here(servers: tuple[str, str], tmp_path: Path) -> None:
    here = [build("agent", "planner", role=role) for role in Role]
    there = [build("agent", url, role=role) for role, url in zip(Role, servers, strict=True)]
    for mine, other in zip(here, there, strict=True):
        assert isinstance(mine, Agent) and isinstance(other, Agent)
        assert mine.privileges == other.privileges and other.provenance["remote_spec"] == "planner"
    (local, turns), (remote, same) = _played(here, tmp_path / "a"), _played(there, tmp_path / "b")
    assert local.success and remote.success and len(turns) > 10
    assert same == turns
