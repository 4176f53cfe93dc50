"""Picking up, putting, dropping (AI2-THOR specification 2.4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from teach_agents.observations import Vec3
from teach_agents.simulator.contract import ObjectState, Outcome, SimulatorAction
from teach_agents.simulator.embedded import tables
from teach_agents.simulator.embedded.facts import ONE_PLACE
from teach_agents.simulator.embedded.geometry import plus
from teach_agents.simulator.embedded.handlers.drawers import carry_contents, clips, pulled_out
from teach_agents.simulator.embedded.handlers.setting import DONE, Handler, Setting, look_at, refuse, target
from teach_agents.simulator.embedded.senses import Landing


def _pickup(setting: Setting, action: SimulatorAction) -> Outcome:
    obj = target(setting, action)
    if not obj.kind.pickupable:
        refuse(f"{obj.object_id} must have the property CanPickup to be picked up.", "InvalidOperationException")
    if setting.world.held is not None:
        refuse(
            "Agent hand has something in it already! Can't pick up anything else",
            "InvalidOperationException",
        )
    if not obj.exists:
        refuse("Target object not found within the specified visibility.", "NullReferenceException")
    if not action.force and clips(setting.world, obj):
        refuse("Picking up object would cause it to collide and clip into something!", "InvalidOperationException")
    setting.world.take(obj.object_id)
    return Outcome(True, value=obj.object_id)


def _put(setting: Setting, action: SimulatorAction) -> Outcome:
    world = setting.world
    if world.held is None:
        refuse("Can't place an object if Agent isn't holding anything")
    near = action.near
    if not action.object_id:
        seen = look_at(setting, action)
        near = seen.point if near is None and seen is not None else near
    receptacle = target(setting, action)
    held = world.objects[world.held]
    _check_receptacle(setting, held, receptacle, action.force)
    if action.x is not None and near is not None and receptacle.object_type not in ONE_PLACE:
        if setting.senses.crowded(world, held.object_id, receptacle.object_id, near):
            refuse("No valid positions to place object found")
    landing = _landing(setting, held.object_id, receptacle, near, action.force)
    if landing.refusal:
        refuse(landing.refusal)
    _let_go(setting, receptacle.object_id, landing)
    return DONE


def _landing(setting: Setting, held: str, receptacle: ObjectState, near: Vec3 | None, force: bool) -> Landing:
    """Where the held object lands. Placement searches a drawer as if it were shut; the find is pulled out with it."""
    world = setting.world
    carry_contents(world, receptacle, 0.0)
    landing = setting.senses.landing(world, held, receptacle.object_id, near, force)
    if receptacle.object_type != "Drawer":
        return landing
    out = pulled_out(world.room, receptacle)
    carry_contents(world, replace(receptacle, openness=0.0), receptacle.openness)
    return landing._replace(position=plus(landing.position, out))


def _check_receptacle(setting: Setting, held: ObjectState, receptacle: ObjectState, force: bool) -> None:
    objects, within = setting.world.objects, (held.object_id, *setting.world.cargo(held.object_id))
    if receptacle.kind.receptacle and receptacle.object_id in within:
        refuse("No valid Receptacle found")
    if refused := tables.refusal(held, receptacle, force):
        refuse(refused)
    taken = any(objects[inner].parents[0] == receptacle.object_id for inner in receptacle.contents)
    if receptacle.object_type in ONE_PLACE and taken:
        refuse(f"{receptacle.kind.name} is full right now")


def _let_go(setting: Setting, receptacle: str, landing: Landing) -> None:
    released = setting.world.release()
    setting.world.pose(released, landing.position, landing.rotation)
    setting.world.place(released, receptacle)


def _drop(setting: Setting, action: SimulatorAction) -> Outcome:
    world = setting.world
    if world.held is None:
        refuse("Nothing is in the agent's hand to drop!", "InvalidOperationException")
    held = world.objects[world.held]
    for floor in world.of_type("Floor"):
        landing = setting.senses.landing(world, held.object_id, floor, held.position, True)
        if not landing.refusal:
            _let_go(setting, floor, landing)
            return Outcome(True, value=landing.position)
    refuse(
        f"{held.kind.name} can't be dropped. It must be clear of all other collision first, including the Agent.",
        "InvalidOperationException",
    )


HANDLERS: Mapping[str, Handler] = {
    "DropHandObject": _drop,
    "DropHeldObject": _drop,
    "PickupObject": _pickup,
    "PlaceHeldObject": _put,
    "PutObject": _put,
}
