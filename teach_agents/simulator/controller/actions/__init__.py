"""Every action by AI2-THOR's name: what it does to an engine, and what it answers."""

from __future__ import annotations

from collections.abc import Mapping

from teach_agents.simulator.controller.actions import arranging, movement, objects, scene
from teach_agents.simulator.controller.requests import Act

ACTIONS: Mapping[str, Act] = {**arranging.ACTIONS, **movement.ACTIONS, **objects.ACTIONS, **scene.ACTIONS}
"""By name."""

QUERIES = frozenset(
    "GetCoordinateFromRaycast GetInteractablePoses GetMapViewCameraProperties GetMinimalObjectMetadata "
    "GetObjectInFrame GetObjectMetadata GetReachablePositions GetVisibleObjects PerformRaycast SetObjectFilter".split()
)
"""Questions: nothing moves, no time passes, and while `fastActionEmit` is on nothing is shown anew."""

WITHOUT_SCENE = frozenset("ChangeQuality ChangeResolution CreateHouse GetScenesInBuild Initialize Reset".split())
"""What can be asked before a scene is loaded."""
