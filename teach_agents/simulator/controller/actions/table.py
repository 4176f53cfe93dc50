"""Every action by AI2-THOR's name: what it does to an engine, and what it answers."""

from __future__ import annotations

from collections.abc import Mapping

from teach_agents.simulator.controller.actions import (
    arranging,
    movement,
    objects,
    planning,
    queries,
    refused,
    session,
    views,
)
from teach_agents.simulator.controller.actions.kit import Act

ACTIONS: Mapping[str, Act] = {
    **arranging.ACTIONS,
    **movement.ACTIONS,
    **objects.ACTIONS,
    **planning.ACTIONS,
    **queries.ACTIONS,
    **refused.ACTIONS,
    **session.ACTIONS,
    **views.ACTIONS,
}
"""By name."""

QUERIES = frozenset(
    "GetCoordinateFromRaycast GetInteractablePoses GetMapViewCameraProperties GetMinimalObjectMetadata "
    "GetObjectInFrame GetObjectMetadata GetReachablePositions GetVisibleObjects PerformRaycast SetObjectFilter".split()
)
"""Questions: nothing moves, no time passes, and while `fastActionEmit` is on nothing is shown anew."""

WITHOUT_SCENE = frozenset(session.ACTIONS)
"""What can be asked before a scene is loaded."""
