"""What a room decides about the looks of its objects: which way they face, what is cut out of them."""

from __future__ import annotations

from teach_agents.simulator.contract import ObjectState, SimulatorState
from teach_agents.simulator.embedded import tables
from teach_agents.simulator.embedded.shapes.look import Setting

__all__ = ["Surroundings"]


class Surroundings:
    """The settings of a room's objects, worked out once per room."""

    def __init__(self, state: SimulatorState) -> None:
        self._room = state.room

    def setting(self, obj: ObjectState) -> Setting:
        """How the room lets `obj` stand."""
        return Setting(support=tables.support_height(self._room, obj) if obj.kind.receptacle else 0.0)
