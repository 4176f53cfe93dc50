"""What the Follower saw is the same picture, drawn then or later."""

from __future__ import annotations

from teach_agents.agents.history import History
from teach_agents.benchmarks.edh.restoring import Restorer, remember
from teach_agents.data.follower_actions import follower_actions
from teach_agents.household import Household, Scenario
from teach_agents.simulator.embedded import EmbeddedSimulator
from tests.benchmarks.edh.sessions import errand, household


def _remembered(world: Household) -> History:
    world.reset(Scenario.from_game(errand()))
    interactions = errand().episode.interactions
    return remember(world, Restorer(world), interactions, follower_actions(interactions))


def test_pictures_are_those_of_their_moments_in_whatever_order_they_are_looked_at() -> None:
    later, at_once = _remembered(household()), _remembered(Household(EmbeddedSimulator()))
    assert later.actions == at_once.actions and len(later.views) == len(later.actions) == 11
    for one, other in list(zip(later.views, at_once.views, strict=True))[::-1]:
        assert (one.rgb == other.rgb).all()
    assert len({one.rgb.tobytes() for one in later.views}) > 4


def test_pictures_outlive_the_session() -> None:
    world = household()
    first, second = _remembered(world), _remembered(world)
    before = world.simulator.state.version
    assert all((one.rgb == other.rgb).all() for one, other in zip(first.views, second.views, strict=True))
    assert world.simulator.state.version == before, "looking back leaves the present as it is"
