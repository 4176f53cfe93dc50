"""How much room a click to put something down needs, as people found in TEACh's train sessions.

AI2-THOR knows more than the boxes in its metadata: rims, handles, trigger boxes smaller than the receptacle. The
figures are those that `scripts/learn_crowding.py` learns from records of AI2-THOR, so they say as much of any simulator
that does as it does.
"""

from __future__ import annotations

from collections.abc import Mapping

_WIDER: Mapping[float, str] = {
    0.0: "ArmChair Chair Dresser Sofa TVStand",
    0.01: "Bowl SideTable",
    0.02: "Bathtub Stool",
    0.03: "Cup GarbageCan",
    0.04: "Bed CounterTop Desk Drawer Mug Plate SinkBasin Toilet",
    0.06: "BathtubBasin Cabinet CoffeeTable Floor",
    0.08: "DiningTable Fridge Microwave Pot",
    0.1: "Pan",
    0.12: "Box Ottoman Sink",
    0.15: "Shelf",
}
"""Types of receptacles by how much wider and deeper a box that still fits must be than what is held, metres."""

_BY_TYPE = {kind: wider for wider, kinds in _WIDER.items() for kind in kinds.split()}


def elbow_room(object_type: str) -> float | None:
    """By how much a box must be wider and deeper than what is held to fit, metres; `None` where nothing is known."""
    return _BY_TYPE.get(object_type)
