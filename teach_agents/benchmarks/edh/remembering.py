"""What the Follower of a session saw before each action, kept while the session's beginning is restored."""

from __future__ import annotations

from collections.abc import Iterable

from teach_agents.actions import Role
from teach_agents.agents.history import History
from teach_agents.benchmarks.edh.restoring import Restorer
from teach_agents.benchmarks.fidelity.insisting import Insisting
from teach_agents.data.follower_actions import FollowerAction
from teach_agents.data.interactions import Interaction
from teach_agents.household import Household
from teach_agents.observations import View
from teach_agents.simulator.contract import Channel, follower_camera
from teach_agents.simulator.embedded.simulator import Album


def remember(
    household: Household, restorer: Restorer, interactions: Iterable[Interaction], actions: tuple[FollowerAction, ...]
) -> History:
    """Carry out a session's beginning with `restorer`; the history holds what its Follower saw on the way.

    `actions` are the Follower's successful ones among `interactions`. On the embedded simulator a moment costs next to
    nothing to keep, and its picture is drawn when somebody looks; any other simulator has to draw all of them at once.
    """
    album = Album(household.view_size)
    views = []
    for index, one in enumerate(interactions):
        if one.role is Role.FOLLOWER and one.success:
            views.append(_view(household, album))
        restorer.follow((one,), first=index)
    return History(actions, tuple(views))


def _view(household: Household, album: Album) -> View:
    """What the Follower sees now, to be looked at later."""
    simulator = household.simulator
    if isinstance(simulator, Insisting):
        return View(album.keep(simulator.inner))
    frame = simulator.view(follower_camera(simulator.state.agent), frozenset({Channel.RGB}), size=household.view_size)
    assert frame.rgb is not None
    return View.of(frame.rgb)
