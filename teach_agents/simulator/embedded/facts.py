"""What is true of object types wherever they stand (AI2-THOR specification 1.2-1.4), of the body, and of taps.

While a tap runs, AI2-THOR shows water over the bottom of the sink. It belongs to no object: in TEACh's train sessions
clicks on the bottom of a basin chose nothing as long as its tap ran (all but a few placements and pourings there were
refused, and went well after the tap was turned off or at the rim), while clicks on walls and rim chose the sink.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from teach_agents.simulator.contract import ObjectState, SimulatorState

TEMPERATURES = ("RoomTemp", "Hot", "Cold")
"""AI2-THOR's temperatures."""

STAYS_WHEN_BROKEN = frozenset(
    {"CellPhone", "Desktop", "Laptop", "Mirror", "ShowerDoor", "ShowerGlass", "Television", "Window"}
)
"""These crack where they are; everything else breakable falls to shards and keeps no geometry."""

DOORED = frozenset({"Box", "Cabinet", "Drawer", "Fridge", "LaundryHamper", "Microwave", "Safe"})
"""Closed, they hide what they hold and take nothing in."""

ONE_PLACE = {
    "CoffeeMachine": frozenset({"Mug"}),
    "HandTowelHolder": frozenset({"HandTowel"}),
    "StoveBurner": frozenset({"Kettle", "Pan", "Pot"}),
    "Toaster": frozenset({"BreadSliced"}),
    "ToiletPaperHanger": frozenset({"ToiletPaper"}),
    "TowelHolder": frozenset({"Towel"}),
}
"""Receptacles with one fixed place, and the types that fit it."""

PIECES = {
    "Apple": "AppleSliced",
    "Bread": "BreadSliced",
    "Egg": "EggCracked",
    "Lettuce": "LettuceSliced",
    "Potato": "PotatoSliced",
    "Tomato": "TomatoSliced",
}
"""What each sliceable type becomes."""

INTANGIBLE = frozenset("Floor Curtains Blinds Window Mirror Painting Poster LightSwitch".split())
"""What no body and no thing ever collides with."""

SINKS = frozenset({"Sink", "SinkBasin"})
TUBS = frozenset({"Bathtub", "BathtubBasin"})

USED_UP = frozenset({"PaperTowelRoll", "SoapBottle", "TissueBox", "ToiletPaper"})
"""What `UseUpObject` works on; AI2-THOR's metadata never says so (`canBeUsedUp` is always false)."""

SHARES_PARENTS = frozenset({"CoffeeMachine", "DogBed", "Toaster"})
"""Receptacles that, like every pickupable one, pass their own parents on to what they hold.

Seen in TEACh's final states: a mug in the machine also lists the counter below; a knife on a table that stands on the
floor lists the table alone.
"""


class Gaze(NamedTuple):
    """How far the body reaches, level, in metres (AI2-THOR's visibilityDistance); its eyes' field of view, degrees."""

    reach: float = 1.5
    field_of_view: float = 90.0


GAZE = Gaze()
"""As AI2-THOR ships."""


def is_shut(obj: ObjectState) -> bool:
    """Whether an object is closed and can be opened, so that nothing goes in or comes out."""
    return obj.object_type in DOORED and obj.kind.openable and not obj.is_open


def of_type(objects: Iterable[ObjectState], *types: str) -> list[ObjectState]:
    """The objects of these types, in the order given."""
    return [obj for obj in objects if obj.object_type in types]


def reached(
    objects: Mapping[str, ObjectState], start: Iterable[str], further: Callable[[ObjectState], Iterable[str]]
) -> dict[str, None]:
    """The ids among `objects` that lead from `start` on, and on from there, each once; what is unknown is left out."""
    found: dict[str, None] = {}
    pending = list(start)
    while pending:
        object_id = pending.pop()
        if object_id in objects and object_id not in found:
            found[object_id] = None
            pending.extend(further(objects[object_id]))
    return found


def in_hand(state: SimulatorState) -> dict[str, None]:
    """What moves with the body: the held object and everything in or on it."""
    return reached(state.objects, (state.held,) if state.held else (), lambda obj: obj.contents)


def basins_by_tap(objects: Iterable[ObjectState]) -> dict[str, tuple[str, ...]]:
    """The sinks and tubs under each faucet: every one belongs to its nearest in space (TEACh specification 4.3)."""
    everything = tuple(objects)
    served: dict[str, tuple[str, ...]] = {}
    if faucets := of_type(everything, "Faucet"):
        for basin in sorted(of_type(everything, *SINKS, *TUBS), key=lambda obj: obj.object_type):
            nearest = min(faucets, key=lambda faucet: math.dist(faucet.position, basin.position)).object_id
            served[nearest] = (*served.get(nearest, ()), basin.object_id)
    return served
