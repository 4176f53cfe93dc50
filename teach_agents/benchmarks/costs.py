"""What a seat of a household costs; what costs are stands in `core.benchmark.costs`."""

from __future__ import annotations

from collections.abc import Sequence

from teach_agents.actions import Role
from teach_agents.core.benchmark.costs import Costs, Metered, decided, spent, talk
from teach_agents.session.format import Done

__all__ = ["Costs", "Metered", "costs_of", "spent", "talk"]


def costs_of(done: Sequence[Done], role: Role) -> Costs:
    """What a role's steps cost in talk, in answers that were no action of the role, and in decisions."""
    actions = [one.action for one in done if one.action is not None and one.action.allowed_for(role)]
    said = (action.utterance for action in actions if action.name == "Text")
    acts = (act for one in done for act in one.dialogue_acts)
    thoughts = (one.thought for one in done if one.thought is not None)
    return talk(said, acts) + Costs(invalid_actions=len(done) - len(actions)) + decided(thoughts)
