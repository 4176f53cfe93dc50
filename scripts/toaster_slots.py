"""On which side of a toaster's middle people clicked the slice of bread in it.

AI2-THOR puts a slice into one slot of a toaster, always the same of a model, and its metadata does not say which. The
final states show slices in toasters three times only; clicks that took one out show it in every session with toast.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

__all__ = ["clicked_sides"]

PICKUP, PLACE = 200, 201
EYE = 0.675
"""Height of the Follower's camera above its position, metres (fidelity notes, section 2)."""
STICKS_OUT = 0.02
"""How far below the top of the toaster's box clicks are taken to meet the slice, metres."""
NEAR = (0.15, 0.2)
"""Clicks that meet that height further than this from the toaster's middle, right and forward, miss it; metres."""

Thing = Mapping[str, Any]
Body = tuple[float, float, float, float, float]
"""x, y, z in metres, yaw and horizon in degrees."""


def clicked_sides(episode: Mapping[str, Any]) -> Iterator[tuple[str, bool]]:
    """For every slice taken out of a toaster: the toaster's prefab, and whether the click was to its right (+x)."""
    things = {t["objectId"]: t for t in episode["initial_state"]["objects"] if t["objectType"] == "Toaster"}
    if not things:
        return
    start = episode["initial_state"]["agents"][1]
    x, y, z = (start["position"][axis] for axis in "xyz")
    body: Body = (x, y, z, start["rotation"]["y"], start["cameraHorizon"])
    toaster: Thing | None = None
    for done in episode["interactions"]:
        if done["agent_id"] != 1:
            continue
        if "pose" in done:
            forward, left, _, _, horizon, turned = done["pose"]
            body = (-left, y, forward, -turned, horizon)
        target = done.get("oid") or ""
        if not done["success"]:
            continue
        if done["action_id"] == PLACE and target in things:
            toaster = things[target]
        elif done["action_id"] == PICKUP and toaster is not None and "|BreadSliced" in target:
            right, ahead = _met(body, done["x"], done["y"], toaster)
            if abs(right) < NEAR[0] and abs(ahead) < NEAR[1]:
                yield str(toaster["name"]).partition("(")[0], right > 0
            toaster = None


def _met(body: Body, click_x: float, click_y: float, toaster: Thing) -> tuple[float, float]:
    """Where a click's ray meets the height at which a slice sticks out: right and forward in the toaster's frame."""
    x, y, z, yaw, horizon = body
    box, place, turn = toaster["axisAlignedBoundingBox"], toaster["position"], math.radians(toaster["rotation"]["y"])
    height = box["center"]["y"] + box["size"]["y"] / 2 - STICKS_OUT
    across, above = 2 * click_x - 1, 1 - 2 * click_y
    tilt, heading = math.radians(horizon), math.radians(yaw)
    up, ahead = above * math.cos(tilt) - math.sin(tilt), math.cos(tilt) + above * math.sin(tilt)
    if abs(up) < 1e-6:
        return math.inf, math.inf
    reach = (height - y - EYE) / up
    dx = x + reach * (ahead * math.sin(heading) + across * math.cos(heading)) - place["x"]
    dz = z + reach * (ahead * math.cos(heading) - across * math.sin(heading)) - place["z"]
    return dx * math.cos(turn) - dz * math.sin(turn), dx * math.sin(turn) + dz * math.cos(turn)
