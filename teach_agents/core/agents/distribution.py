"""How probable an agent is to do what: its own distribution where it tells one, else what it answers."""

from __future__ import annotations

import inspect
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from teach_agents.core.agents.contract import Agent, distributes, owns_loop
from teach_agents.core.errors import InputError

DISTRIBUTION, ONE_HOT = "distribution", "one_hot"
_NEAR = 1e-3
"""So far from 1 the probabilities may add up to, and are then made to."""


@dataclass(frozen=True, slots=True)
class Reading:
    """Each action with its probability, those of the most probable first; they add up to 1.

    `how` says what they are: the agent's own ("distribution"), its one answer ("one_hot"), or the shares of so many
    answers ("samples:8").
    """

    chances: tuple[tuple[Any, float], ...]
    how: str


async def distribution_of(
    agent: Agent, observation: Any, valid_actions: Sequence[Any] = (), *, samples: int | None = None
) -> Reading:
    """How probable an agent is to do what on seeing this; nothing of it is carried out.

    Its `action_distribution` counts if it has one; else it is asked `samples` times, or once. An agent that owns its
    loop is asked once. Raises `InputError` for what is no distribution, or gives a chance to what is none of the
    `valid_actions` (where there are any), and what the agent raises.
    """
    if distributes(agent):
        return Reading(
            _checked(agent, await _settled(agent.action_distribution(observation)), valid_actions), DISTRIBUTION
        )
    times, how = (1, ONE_HOT) if samples is None or owns_loop(agent) else (samples, f"samples:{samples}")
    return Reading(
        _shares((one, 1 / times) for one in [await _settled(agent.act(observation)) for _ in range(times)]), how
    )


async def _settled(value: Any) -> Any:
    return await value if inspect.isawaitable(value) else value


def _shares(pairs: Any) -> tuple[tuple[Any, float], ...]:
    """Equal actions together; whatever is no value to be looked up is told apart by comparing."""
    found: list[list[Any]] = []
    for action, share in pairs:
        same = next((one for one in found if one[0] == action), None)
        if same is None:
            found.append([action, share])
        else:
            same[1] += share
    return tuple((action, share) for action, share in sorted(found, key=lambda one: -one[1]))


def _checked(agent: Agent, told: Any, valid: Sequence[Any]) -> tuple[tuple[Any, float], ...]:
    where = f"agent {type(agent).__name__}, action_distribution"
    try:
        pairs = [(action, float(share)) for action, share in (told.items() if isinstance(told, Mapping) else told)]
    except (TypeError, ValueError) as error:
        raise InputError(where, f"must be a mapping, or pairs, from action to probability: {error}") from error
    total = math.fsum(share for _, share in pairs)
    if not all(share >= 0 for _, share in pairs) or not abs(total - 1) <= _NEAR:
        raise InputError(where, "probabilities are not negative, and add up to 1", value=total)
    for action, share in pairs:
        if share and valid and action not in valid:
            raise InputError(where, "is none of the valid actions", value=action, valid=map(repr, valid))
    return _shares((action, share / total) for action, share in pairs)
