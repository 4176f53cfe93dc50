"""The embedded simulator keeps the Simulator contract."""

from __future__ import annotations

from teach_agents.simulator import EmbeddedSimulator, Simulator
from teach_agents.simulator.conformance import SimulatorContract


class TestEmbeddedSimulator(SimulatorContract):
    """In a kitchen as it ships."""

    def make_simulator(self) -> Simulator:
        """A fresh one."""
        return EmbeddedSimulator()


class TestEmbeddedSimulatorInAnotherKitchen(SimulatorContract):
    """In a kitchen whose sink is a receptacle of its own."""

    room = "FloorPlan26"
    draws = False

    def make_simulator(self) -> Simulator:
        """A fresh one."""
        return EmbeddedSimulator()
