"""Where AI2-THOR lets things stand: the trigger boxes over a receptacle, seen from above, and the points tried in them.

AI2-THOR lays a grid of eight by eight cells over every trigger box and puts the pivot of what is placed over one of
its crossings, with all corners of the box above that same trigger box (specification 2.6). In TEACh's sessions the
pivots lie on such grids to a millimetre, so `scripts/standing_zones.py` recovers the trigger boxes of what people used.
Of other receptacles, the zone of those that are flat is
their outline; the rest have none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from teach_agents.simulator.contract import ObjectState, SimulatorState
from teach_agents.simulator.embedded import tables
from teach_agents.simulator.embedded.counters import worktop_rectangles
from teach_agents.simulator.embedded.geometry import Outline, footprint_of, outline_of

_CELLS = 8
_WHOLE = frozenset("CoffeeTable Desk DiningTable Dresser Shelf SideTable SinkBasin TVStand".split())
"""Types whose trigger box is mostly as wide and deep as their whole box."""


def zones_of(state: SimulatorState, receptacle: ObjectState) -> tuple[Outline, ...]:
    """The receptacle's zones: as recorded, else what can be told from its box; none where that tells nothing.

    A straight counter is one zone; of one round a corner or a sink it is not known how it is cut into zones.
    """
    learnt = tables.standing_zones(state.room, receptacle.object_id)
    if learnt:
        return tuple(outline_of(zone.footprint) for zone in learnt)
    if receptacle.object_type == "CounterTop":
        pieces = worktop_rectangles(state, receptacle)
        return (outline_of(pieces[0].footprint),) if len(pieces) == 1 else ()
    return (outline_of(footprint_of(receptacle)),) if receptacle.object_type in _WHOLE else ()


def grid_points(zones: Sequence[Outline]) -> Iterator[tuple[float, float, Outline]]:
    """The inner crossings (x, z) of every zone's grid, metres, each with its zone; those on its rim hold nothing."""
    inner = [step / _CELLS for step in range(1, _CELLS)]
    for zone in zones:
        (ax, az), (bx, bz), _, (dx, dz) = zone.footprint
        for u in inner:
            for v in inner:
                yield ax + u * (bx - ax) + v * (dx - ax), az + u * (bz - az) + v * (dz - az), zone
