"""A Follower that does what the person did, from the ground truth: the upper bound of EDH and TfD."""

from __future__ import annotations

from collections.abc import Sequence

from teach_agents.actions import Action
from teach_agents.agents.demonstration import aimed
from teach_agents.core.agents.contract import Agent
from teach_agents.core.context import takes
from teach_agents.data.follower_actions import FollowerAction
from teach_agents.household import Household
from teach_agents.observations import Observation, Privilege

_UNREPEATED = frozenset({"Navigation", "Text", "OpenProgressCheck", "SelectOid", "SearchObject"})
"""What changes nothing: walks on the map are recorded step by step too, and talk is over."""


@takes("future", "household")
class RecordedFollower(Agent):
    """Repeats the successful actions of an instance's ground truth, then stops.

    Where the recorded click would choose another object than it did, it clicks on a visible pixel of the recorded one,
    as TEACh's replay does (specification 6.4); nothing is forced. An oracle: it reads the future, and objects by id.
    """

    privileges = frozenset({Privilege.SEGMENTATION, Privilege.GROUND_TRUTH})

    def __init__(self, household: Household, future: Sequence[FollowerAction]) -> None:
        self._household = household
        self._future = [one for one in future if one.action not in _UNREPEATED]

    def act(self, observation: Observation) -> Action:
        """What the person did at this step; Stop when nothing is left."""
        if observation.turn >= len(self._future):
            return Action.stop()
        one = self._future[observation.turn]
        if one.x is None or one.y is None:
            return Action(one.action)
        return aimed(self._household, Action.click(one.action, one.x, one.y), one.object_id)


class IdleFollower(Agent):
    """Stops at its first step. The floor of EDH and TfD: whatever it succeeds in needed nobody."""

    def act(self, observation: Observation) -> Action:
        """Stop."""
        return Action.stop()
