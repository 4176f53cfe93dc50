"""Changing what an object is like: slice, break, cook, dirty, clean, fill, empty, use up, open, close, switch (AI2-THOR
2.4); and preparing a scene: random spawns and unbreakable types (2.5).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from teach_agents.errors import ActionError
from teach_agents.simulator.contract import Outcome, SimulatorAction
from teach_agents.simulator.embedded.facts import PIECES, STAYS_WHEN_BROKEN, USED_UP
from teach_agents.simulator.embedded.handlers.drawers import carry_contents, stopped_by_body
from teach_agents.simulator.embedded.handlers.setting import DONE, Handler, Setting, refuse, target
from teach_agents.simulator.embedded.slicing import pieces_of, slice_object

LIQUIDS = ("coffee", "water", "wine")
"""AI2-THOR's liquids."""
_BODY = "FPSController"
"""What AI2-THOR calls the Follower's body."""


def _slice(setting: Setting, action: SimulatorAction) -> Outcome:
    obj = target(setting, action)
    if obj.object_id == setting.world.held:
        refuse("target object cannot be sliced if it is in the agent's hand")
    if not obj.kind.sliceable or obj.object_type not in PIECES:
        refuse(f"{obj.kind.name} Does not have the CanBeSliced property!")
    if obj.exists:
        slice_object(setting.world, obj.object_id)
    return DONE


def _break(setting: Setting, action: SimulatorAction) -> Outcome:
    obj = target(setting, action)
    world = setting.world
    if not obj.kind.breakable:
        refuse(f"{obj.kind.name} does not have the CanBreak property!!")
    if obj.object_type in world.unbreakable:
        refuse(f"{obj.kind.name} was made unbreakable")
    if obj.is_broken or not obj.exists:
        return DONE
    if obj.object_type in STAYS_WHEN_BROKEN:
        world.update(obj.object_id, is_broken=True, is_toggled=False)
        return DONE
    pieces = [replace(p, parents=obj.parents) for p in pieces_of(obj)] if obj.object_type == "Egg" else []
    world.update(obj.object_id, is_broken=True, is_filled=False, liquid=None)
    world.discard(obj.object_id)
    for piece in pieces:
        world.add(piece)
    return DONE


def _changer(affordance: str, state: str, becomes: bool, unable: str, already: str) -> Handler:
    """Gives a state to what has an affordance and has the state not yet; the refusals may name the object."""

    def change(setting: Setting, action: SimulatorAction) -> Outcome:
        obj = target(setting, action)
        able = getattr(obj.kind, affordance) or (affordance == "can_be_used_up" and obj.object_type in USED_UP)
        for refused, message in ((not able, unable), (getattr(obj, state) is becomes, already)):
            if refused:
                refuse(message.format(name=obj.kind.name, id=action.object_id or obj.object_id))
        emptied = {"liquid": None} if state == "is_filled" else {}
        setting.world.update(obj.object_id, **{state: becomes}, **emptied)
        return DONE

    return change


def _fill(setting: Setting, action: SimulatorAction) -> Outcome:
    if not action.liquid:
        refuse("Missing Liquid string for FillObject action", "InvalidOperationException")
    obj = target(setting, action)
    liquid = action.liquid.lower()
    if not obj.kind.fillable:
        refuse(f"{obj.kind.name} does not have CanBeFilled property!", "ArgumentException")
    if liquid not in LIQUIDS:
        refuse(f"{action.liquid} is not a valid Liquid Type", "ArgumentException")
    if obj.is_filled:
        refuse(f"{obj.kind.name} is already Filled!", "InvalidOperationException")
    temperature = "Hot" if liquid == "coffee" else obj.temperature
    setting.world.update(obj.object_id, is_filled=True, liquid=liquid, temperature=temperature)
    return DONE


def _opener(openness: float | None) -> Handler:
    """Opens to a fixed openness, or to the action's magnitude, all the way if it has none."""

    def move(setting: Setting, action: SimulatorAction) -> Outcome:
        wanted = openness if openness is not None else 1.0 if action.magnitude is None else action.magnitude
        if not 0.0 <= wanted <= 1.0:
            refuse("openness must be in [0:1]")
        obj = target(setting, action)
        if not obj.kind.openable:
            refuse(f"{obj.object_id} is not an Openable object")
        if obj.object_type == "Microwave" and obj.is_toggled:
            refuse("Target must be OFF to open!")
        if not action.force and stopped_by_body(setting.world, obj, wanted):
            refuse(f"Openable object collided with {_BODY}")
        if obj.openness != wanted:
            carry_contents(setting.world, obj, wanted)
            setting.world.update(obj.object_id, openness=wanted)
        return DONE

    return move


def _switcher(on: bool) -> Handler:
    word = "on" if on else "off"

    def switch(setting: Setting, action: SimulatorAction) -> Outcome:
        obj = target(setting, action)
        if obj.object_type == "StoveBurner":
            refuse("target object is controlled by another sim object. target object cannot be turned on/off directly")
        if not obj.kind.toggleable:
            refuse("object is not toggleable.")
        if obj.is_toggled is on:
            refuse(f"can't toggle object {word} if it's already {word}!")
        if on and obj.object_type == "Microwave" and obj.is_open:
            refuse("Target must be closed to Toggle On!")
        if on and obj.is_broken:
            refuse("Target is broken and cannot be Toggled On!")
        setting.world.update(obj.object_id, is_toggled=on)
        return DONE

    return switch


def _make_unbreakable(setting: Setting, action: SimulatorAction) -> Outcome:
    """`object_id` holds the objectType, AI2-THOR's only parameter of this action."""
    if not action.object_id:
        raise ActionError(f"simulator action {action.name}", "needs the object type in object_id")
    setting.world.unbreakable.add(action.object_id)
    return DONE


def _random_spawn(setting: Setting, action: SimulatorAction) -> Outcome:
    """`magnitude` holds the seed, a whole number; objects move within the room, none are added."""
    from teach_agents.simulator.embedded.spawn import shuffle_places

    shuffle_places(setting.world, setting.senses, seed=int(action.magnitude or 0))
    return DONE


_NO = "{name} does not have "
HANDLERS: Mapping[str, Handler] = {
    "BreakObject": _break,
    "CleanObject": _changer("dirtyable", "is_dirty", False, _NO + "dirtyable property!", "{name} is already Clean!"),
    "CloseObject": _opener(0.0),
    "CookObject": _changer("cookable", "is_cooked", True, "target object is not cookable", "{id} is already Toasted!"),
    "DirtyObject": _changer("dirtyable", "is_dirty", True, _NO + "CanBeDirty property!", "{name} is already dirty!"),
    "EmptyLiquidFromObject": _changer(
        "fillable", "is_filled", False, _NO + "CanBeFilled property!", "object already empty"
    ),
    "FillObjectWithLiquid": _fill,
    "InitialRandomSpawn": _random_spawn,
    "MakeObjectsOfTypeUnbreakable": _make_unbreakable,
    "OpenObject": _opener(None),
    "SliceObject": _slice,
    "ToggleObjectOff": _switcher(False),
    "ToggleObjectOn": _switcher(True),
    "UseUpObject": _changer(
        "can_be_used_up", "is_used_up", True, _NO + "CanBeUsedUp property!", "object already used up!"
    ),
}
