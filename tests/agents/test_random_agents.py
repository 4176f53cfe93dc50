from __future__ import annotations

from collections import Counter

from teach_agents.actions import FOLLOWER_ACTIONS, OBJECT_ACTIONS, Role
from teach_agents.agents import Agent, Briefing, RandomCommander, RandomFollower, SilentCommander
from teach_agents.agents.conformance import AgentContract, blank_observation


class TestRandomFollower(AgentContract):
    role = Role.FOLLOWER

    def make_agent(self) -> Agent:
        return RandomFollower()


class TestRandomCommander(AgentContract):
    role = Role.COMMANDER

    def make_agent(self) -> Agent:
        return RandomCommander()


class TestSilentCommander(AgentContract):
    role = Role.COMMANDER

    def make_agent(self) -> Agent:
        return SilentCommander()


def test_the_random_follower_is_uniform_over_sixteen_actions_and_stop() -> None:
    agent = RandomFollower(seed=1)
    drawn = [agent.act(blank_observation(Role.FOLLOWER, turn)) for turn in range(3400)]
    counts = Counter(action.name for action in drawn)
    assert set(counts) == set(FOLLOWER_ACTIONS) - {"Text", "NoOp"}
    assert all(140 < count < 260 for count in counts.values())
    clicks = [axis for action in drawn if action.name in OBJECT_ACTIONS for axis in (action.x, action.y)]
    assert all(axis is not None and 0 <= axis < 0.99 for axis in clicks)


def test_a_random_follower_without_stop_never_stops() -> None:
    agent = RandomFollower(stops=False)
    assert all(agent.act(blank_observation(Role.FOLLOWER, turn)).name != "Stop" for turn in range(500))


def test_seeds_matter_and_a_given_seed_wins() -> None:
    def drawn(agent: Agent, seed: int) -> list[object]:
        agent.begin(Briefing("s", Role.FOLLOWER, seed))
        return [agent.act(blank_observation(Role.FOLLOWER, turn)) for turn in range(10)]

    assert drawn(RandomFollower(), 1) != drawn(RandomFollower(), 2)
    assert drawn(RandomFollower(seed=5), 1) == drawn(RandomFollower(seed=5), 2)
