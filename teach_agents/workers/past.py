"""What an agent saw in the turns so far, made again from the record."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from teach_agents.core.environment.contract import Environment
from teach_agents.core.session.replay import again, hear

__all__ = ["chosen_in", "past_observations"]


def past_observations(
    environment: Environment[Any, Any, Any], turns: Sequence[Any], seat: Any, privileges: Collection[Any]
) -> Iterator[tuple[Any, Any]]:
    """Each turn in which a seat was asked, with its observation, in a world that stands at the beginning.

    The turns are carried out there: an observation is to be read before the next is asked for.
    """
    for turn in turns:
        hear(environment, turn)
        if seat in turn.done:
            yield turn, environment.observe(seat, privileges)
        for actor, done in turn.done.items():
            again(environment, environment.form, turn.turn, actor, done)


def chosen_in(done: Any) -> object:
    """What the agent itself chose: before dialogue hooks made something else of it."""
    return done.action if done.chosen is None else done.chosen
