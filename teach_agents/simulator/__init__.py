"""Household simulators: the contract, its conformance suite, and the embedded simulator.

`EmbeddedSimulator` is loaded when first asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from teach_agents.simulator.contract import (
    Box,
    Camera,
    Channel,
    Frame,
    ObjectKind,
    ObjectState,
    Outcome,
    Scene,
    Simulator,
    SimulatorAction,
    SimulatorState,
    StoredState,
    follower_camera,
)

if TYPE_CHECKING:
    from teach_agents.simulator.embedded import EmbeddedSimulator

__all__ = [
    "Box",
    "Camera",
    "Channel",
    "EmbeddedSimulator",
    "Frame",
    "ObjectKind",
    "ObjectState",
    "Outcome",
    "Scene",
    "Simulator",
    "SimulatorAction",
    "SimulatorState",
    "StoredState",
    "follower_camera",
]


def __getattr__(name: str) -> object:
    if name == "EmbeddedSimulator":
        from teach_agents.simulator.embedded import EmbeddedSimulator

        return EmbeddedSimulator
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
