"""Simulators keep the contract: the embedded one in rooms of each kind, and boxes in rooms of no such kind."""

from __future__ import annotations

from teach_agents.simulator import EmbeddedSimulator, Simulator
from teach_agents.simulator.conformance import KitchenContract, RoomContract, SimulatorContract
from tests.household.fake import FakeSimulator, shed


class TestEmbeddedSimulator(KitchenContract):
    """In a kitchen as it ships."""

    def make_simulator(self) -> Simulator:
        """A fresh one."""
        return EmbeddedSimulator()


class TestEmbeddedSimulatorInAnotherKitchen(SimulatorContract):
    """In a kitchen whose sink is a receptacle of its own; by the suite's earlier name."""

    room = "FloorPlan26"
    draws = False

    def make_simulator(self) -> Simulator:
        """A fresh one."""
        return EmbeddedSimulator()


class _InAnotherRoom(RoomContract):
    draws = False

    def make_simulator(self) -> Simulator:
        """A fresh one."""
        return EmbeddedSimulator()


class TestEmbeddedSimulatorInALivingRoom(_InAnotherRoom):
    """Where nothing is cut."""

    room = "FloorPlan201"
    lacks = frozenset({"sliceable"})


class TestEmbeddedSimulatorInABedroom(_InAnotherRoom):
    """Where nothing is cut."""

    room = "FloorPlan301"
    lacks = frozenset({"sliceable"})


class TestEmbeddedSimulatorInABathroom(_InAnotherRoom):
    """Where nothing is cut, or filled by hand."""

    room = "FloorPlan401"
    lacks = frozenset({"fillable", "sliceable"})


class TestBoxesInAShed(RoomContract):
    """A simulator that shares nothing with the embedded one, in a room with neither fridge nor sink."""

    room = "Shed"

    def make_simulator(self) -> Simulator:
        """A fresh one."""
        return FakeSimulator(shed)


class TestBoxesInAKitchen(RoomContract):
    """The same with other things."""

    room = "FloorPlan1"

    def make_simulator(self) -> Simulator:
        """A fresh one."""
        return FakeSimulator()
