"""When a click on another object counts as a click on the recorded one (fidelity specification, section 2)."""

from __future__ import annotations

from teach_agents.simulator.embedded.rooms import type_of
from teach_agents.tasks.state_diff import base_id

__all__ = ["equivalent", "type_of"]

_BASINS = {"SinkBasin": "Sink", "BathtubBasin": "Bathtub"}


def equivalent(wanted: str, found: str) -> bool:
    """Whether two object ids name the same thing, slices of one base and kind, or a sink or tub and its basin.

    The other half of a sliced loaf, `Bread_0`, is no slice of bread.
    """
    if wanted == found:
        return True
    if _whole(wanted) == _whole(found):
        return True
    base = base_id(wanted)
    return base != wanted and base == base_id(found) != found and type_of(wanted) == type_of(found)


def _whole(object_id: str) -> str:
    """The id with a basin's own last part left out: the sink's or tub's."""
    whole, _, last = object_id.rpartition("|")
    return whole if last in _BASINS else object_id
