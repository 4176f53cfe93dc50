"""The record wins: what a person did is brought about where the simulator would have refused it."""

from __future__ import annotations

from contextlib import nullcontext

from teach_agents.actions import Action, ActionResult
from teach_agents.benchmarks.fidelity.insisting import Insisting
from teach_agents.household import Household
from teach_agents.observations import Vec3
from teach_agents.simulator.contract import Simulator, SimulatorAction


def bring_about(household: Household, name: str, object_id: str, near: Vec3 | None) -> ActionResult:
    """Force an interaction on an object, if need be with a placement for which there is no room.

    `near` is where the person wanted the thing to land, in metres of the world. The last resort needs a household on
    an `Insisting` simulator; the result is a failure where nothing helped.
    """
    result = household.force(name, object_id, near=near)
    if result.success:
        return result
    simulator = household.simulator
    with simulator.insist() if isinstance(simulator, Insisting) else nullcontext():
        return household.force(name, object_id, near=near)


def point_under(simulator: Simulator, action: Action) -> Vec3 | None:
    """The world point under a click, metres; `None` for a click outside the frame or on nothing."""
    if action.x is None or action.y is None or not (0.0 <= action.x <= 1.0 and 0.0 <= action.y <= 1.0):
        return None
    value = simulator.step(SimulatorAction("GetCoordinateFromRaycast", x=action.x, y=action.y)).value
    return value if isinstance(value, Vec3) else None
