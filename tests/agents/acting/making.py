"""Objects as the `objects` privilege gives them, made up for tests."""

from __future__ import annotations

from collections.abc import Sequence

from teach_agents.agents.acting.things import Things
from teach_agents.tasks import object_classes

Row = dict[str, object]


def row(kind: str, number: int = 0, *parents: str, at: tuple[float, float, float] = (0, 1, 0), **flags: object) -> Row:
    """One object of a type; `flags` are metadata properties, `parents` ids of what holds it."""
    x, y, z = at
    size = flags.pop("size", 0.1)
    sides = size if isinstance(size, tuple) else (size, size, size)
    return {
        "objectId": f"{kind}|{number}",
        "objectType": kind,
        "simbotObjectClass": object_classes(kind),
        "position": {"x": x, "y": y, "z": z},
        "axisAlignedBoundingBox": {
            "center": {"x": x, "y": y, "z": z},
            "size": dict(zip("xyz", sides, strict=True)),
        },
        "parentReceptacles": list(parents) or None,
        **flags,
    }


def things(*rows: Row) -> Things:
    """The room that holds them."""
    return Things(rows)


def kitchen() -> Sequence[Row]:
    """A knife, a tomato, two plates of which one is dirty, a counter and a sink."""
    return (
        row("CounterTop", 0, receptacle=True, size=(2.0, 0.1, 1.0)),
        row("Sink", 0, receptacle=True),
        row("Knife", 0, "CounterTop|0", pickupable=True),
        row("Tomato", 0, "CounterTop|0", pickupable=True, sliceable=True, isSliced=False),
        row("Plate", 0, "CounterTop|0", pickupable=True, receptacle=True, dirtyable=True, isDirty=True),
        row("Plate", 1, "Sink|0", pickupable=True, receptacle=True, dirtyable=True, isDirty=True),
    )
