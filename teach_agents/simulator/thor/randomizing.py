"""Randomised initial states by AI2-THOR's own actions, as TEACh's collectors made them (TEACh specification 5.7)."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

__all__ = ["randomize"]

Step = Callable[[Mapping[str, Any]], Any]
_COPIES = (1, 2, 3)
_HORIZON = 30.0
_COINS: Sequence[tuple[str, str, str, str]] = (
    ("toggleable", "isToggled", "ToggleObjectOn", "ToggleObjectOff"),
    ("canFillWithLiquid", "isFilledWithLiquid", "FillObjectWithLiquid", "EmptyLiquidFromObject"),
    ("dirtyable", "isDirty", "DirtyObject", "CleanObject"),
)


def randomize(step: Step, rows: Sequence[Mapping[str, Any]], rng: random.Random) -> None:
    """Move and multiply objects, flip their states, put the body on a random cell; `step` carries out requests."""
    types = dict.fromkeys(str(row["objectType"]) for row in rows if row.get("pickupable"))
    event = step(
        {
            "action": "InitialRandomSpawn",
            "randomSeed": rng.randrange(1000),
            "forceVisible": False,
            "numPlacementAttempts": 5,
            "placeStationary": True,
            "numDuplicatesOfType": [{"objectType": kind, "count": rng.choice(_COPIES)} for kind in types],
        }
    )
    for row in event.metadata["objects"]:
        for affordance, state, on, off in _COINS:
            if row.get(affordance) and (wanted := rng.random() < 0.5) != bool(row.get(state)):
                request = {"action": on if wanted else off, "objectId": row["objectId"], "forceAction": True}
                step({**request, "fillLiquid": "water"} if request["action"] == "FillObjectWithLiquid" else request)
    _stand_somewhere(step, rng)


def _stand_somewhere(step: Step, rng: random.Random) -> None:
    places = step({"action": "GetReachablePositions"}).metadata["actionReturn"] or []
    if places:
        place = rng.choice(sorted(places, key=lambda point: (point["x"], point["z"])))
        turn = {"x": 0.0, "y": 90.0 * rng.randrange(4), "z": 0.0}
        step({"action": "TeleportFull", "position": place, "rotation": turn, "horizon": _HORIZON, "standing": True})
