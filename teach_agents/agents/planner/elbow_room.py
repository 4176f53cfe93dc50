"""How much room a click to put something down needs, as people found in TEACh's train sessions.

AI2-THOR knows more than the boxes in its metadata: rims, handles, trigger boxes smaller than the receptacle. The
figures are those that `scripts/learn_crowding.py` learns from records of AI2-THOR, so they say as much of any simulator
that does as it does.
"""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["elbow_room"]

_WIDER: Mapping[float, str] = {
    0.0: "ArmChair CoffeeTable Dresser Sofa TVStand",
    0.01: "Bowl Cup GarbageCan Mug Pan SideTable SinkBasin Toilet",
    0.02: "Bathtub",
    0.04: "Bed CounterTop Desk Drawer Plate Stool",
    0.06: "BathtubBasin Cabinet Chair Floor",
    0.08: "DiningTable Fridge Microwave",
    0.1: "Pot Sink",
    0.12: "Box Ottoman",
    0.15: "Shelf",
}
"""Types of receptacles by how much wider and deeper a box that still fits must be than what is held, metres."""

_BY_TYPE = {kind: wider for wider, kinds in _WIDER.items() for kind in kinds.split()}


def elbow_room(object_type: str) -> float | None:
    """By how much a box must be wider and deeper than what is held to fit, metres; `None` where nothing is known."""
    return _BY_TYPE.get(object_type)
