"""A session's beginning once more, for an agent that takes it over: what its Follower observed on the way."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from teach_agents.actions import Role
from teach_agents.benchmarks.edh.restoring import Restorer
from teach_agents.data.games import Game
from teach_agents.data.interactions import Interaction
from teach_agents.household import Household, Scenario
from teach_agents.observations import Observation, Privilege


def relived(
    household: Household, game: Game, interactions: Sequence[Interaction], privileges: Collection[Privilege]
) -> Iterator[Observation]:
    """What a session's Follower observed right before each of its successful actions, oldest first.

    The session is carried out again meanwhile, from the beginning: each observation must be looked at before the next
    is asked for, and behind the last one the household stands as `interactions` left it. Turns count up to -1.
    """
    household.reset(Scenario.from_game(game))
    restorer = Restorer(household)
    own = [one.role is Role.FOLLOWER and bool(one.success) for one in interactions]
    turn = -sum(own)
    for index, (one, is_own) in enumerate(zip(interactions, own, strict=True)):
        if is_own:
            yield household.observe(Role.FOLLOWER, privileges, turn=turn)
            turn += 1
        restorer.follow((one,), first=index)
