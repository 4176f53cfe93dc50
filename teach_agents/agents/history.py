"""What a Follower may know of a session that others began: their actions and what they saw."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from teach_agents.data.follower_actions import FollowerAction
from teach_agents.observations import View


@dataclass(frozen=True, slots=True)
class History:
    """The Follower's part of a session up to where an agent takes over, oldest first (specification 1.7, rules 4, 5).

    `actions` are its successful actions, utterances and walks on the map included. `views` are the pictures that it saw
    right before each of them, of the run's size, drawn when first looked at; fewer where some are missing. What was
    said is in every observation's `dialogue`. Both are empty in TfD, which begins at the beginning.

    An agent's factory that has a parameter `history` gets one in EDH and TfD; give the parameter a default of
    `History()`, so that the agent can be made elsewhere too.
    """

    open_context: ClassVar[bool] = True
    """Any agent may have it: it is what its seat has lived through."""

    actions: tuple[FollowerAction, ...] = ()
    views: tuple[View, ...] = ()
