"""What an agent saw in the turns so far, made again from the record."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from teach_agents.actions import Role
from teach_agents.household import Household, Scenario
from teach_agents.observations import Observation, Privilege
from teach_agents.session.turns import Done, TurnRecord

__all__ = ["chosen_in", "past_observations"]


def past_observations(
    household: Household,
    scenario: Scenario,
    turns: Sequence[TurnRecord],
    role: Role,
    privileges: Collection[Privilege],
) -> Iterator[tuple[TurnRecord, Observation]]:
    """Each turn with the observation that the role was asked on, in a household of its own that carries them out again.

    An observation is to be read before the next is asked for.
    """
    household.reset(scenario)
    before: Done | None = None
    for turn in turns:
        seen = household.observe(role, frozenset(privileges), turn=turn.turn)
        if before is not None and (before.action is None or before.hint):
            seen = replace(seen, last_action=before.action, last_result=before.told)
        yield turn, seen
        for actor, done in turn.done.items():
            if done.action is not None:
                household.act(actor, done.action, done.time_ms)
        before = turn.done[role]


def chosen_in(done: Done) -> object:
    """What the agent itself chose: before dialogue hooks made something else of it."""
    return done.action if done.chosen is None else done.chosen
