"""Which tap runs into which basin, and where the running water stands.

While a tap runs, AI2-THOR shows water over the bottom of the sink. It belongs to no object: in TEACh's train sessions
clicks on the bottom of a basin chose nothing as long as its tap ran (all but a few placements and pourings there were
refused, and went well after the tap was turned off or at the rim), while clicks on walls and rim chose the sink.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from teach_agents.simulator.contract import ObjectState
from teach_agents.simulator.embedded.facts import SINKS, TUBS


def basins_by_tap(objects: Iterable[ObjectState]) -> dict[str, tuple[str, ...]]:
    """The sinks and tubs under each faucet: every one belongs to its nearest in space (TEACh specification 4.3)."""
    everything = tuple(objects)
    faucets = [obj for obj in everything if obj.object_type == "Faucet"]
    basins = sorted((obj for obj in everything if obj.object_type in SINKS | TUBS), key=lambda obj: obj.object_type)
    served: dict[str, tuple[str, ...]] = {}
    for basin in basins:
        nearest = min(faucets, key=lambda faucet: math.dist(faucet.position, basin.position), default=None)
        if nearest is not None:
            served[nearest.object_id] = (*served.get(nearest.object_id, ()), basin.object_id)
    return served
