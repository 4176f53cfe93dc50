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

__all__ = ["ACTIONS", "QUERIES", "WITHOUT_SCENE"]

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

QUERIES = frozenset({*queries.ACTIONS, "GetInteractablePoses", "GetMapViewCameraProperties", "GetReachablePositions"})
"""Questions: nothing moves, no time passes."""

WITHOUT_SCENE = frozenset(session.ACTIONS)
"""What can be asked before a scene is loaded."""
