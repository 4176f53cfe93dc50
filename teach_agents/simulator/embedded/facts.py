"""What is true of object types wherever they stand (AI2-THOR specification 1.2-1.4)."""

from __future__ import annotations

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

SINKS = frozenset({"Sink", "SinkBasin"})
TUBS = frozenset({"Bathtub", "BathtubBasin"})

USED_UP = frozenset({"PaperTowelRoll", "SoapBottle", "TissueBox", "ToiletPaper"})
"""What `UseUpObject` works on; AI2-THOR's metadata never says so (`canBeUsedUp` is always false)."""

SHARES_PARENTS = frozenset({"CoffeeMachine", "DogBed", "Toaster"})
"""Receptacles that, like every pickupable one, pass their own parents on to what they hold.

Seen in TEACh's final states: a mug in the machine also lists the counter below; a knife on a table that stands on the
floor lists the table alone.
"""
