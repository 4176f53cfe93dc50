"""Changing what an object is like: slice, break, cook, dirty, clean, fill, empty, use up (AI2-THOR 2.4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from teach_agents.simulator.contract import Outcome, SimulatorAction
from teach_agents.simulator.embedded.facts import STAYS_WHEN_BROKEN, USED_UP
from teach_agents.simulator.embedded.handlers.setting import DONE, Handler, Setting, refuse, target
from teach_agents.simulator.embedded.slicing import PIECES, pieces_of, slice_object

LIQUIDS = ("coffee", "water", "wine")
"""AI2-THOR's liquids."""


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


def _cook(setting: Setting, action: SimulatorAction) -> Outcome:
    obj = target(setting, action)
    if not obj.kind.cookable:
        refuse("target object is not cookable")
    if obj.is_cooked:
        refuse(f"{action.object_id or obj.object_id} is already Toasted!")
    setting.world.update(obj.object_id, is_cooked=True)
    return DONE


def _dirty(setting: Setting, action: SimulatorAction) -> Outcome:
    obj = target(setting, action)
    if not obj.kind.dirtyable:
        refuse(f"{obj.kind.name} does not have CanBeDirty property!")
    if obj.is_dirty:
        refuse(f"{obj.kind.name} is already dirty!")
    setting.world.update(obj.object_id, is_dirty=True)
    return DONE


def _clean(setting: Setting, action: SimulatorAction) -> Outcome:
    obj = target(setting, action)
    if not obj.kind.dirtyable:
        refuse(f"{obj.kind.name} does not have dirtyable property!")
    if not obj.is_dirty:
        refuse(f"{obj.kind.name} is already Clean!")
    setting.world.update(obj.object_id, is_dirty=False)
    return DONE


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
    if liquid == "coffee":
        setting.world.update(obj.object_id, is_filled=True, liquid=liquid, temperature="Hot")
    else:
        setting.world.update(obj.object_id, is_filled=True, liquid=liquid)
    return DONE


def _empty(setting: Setting, action: SimulatorAction) -> Outcome:
    obj = target(setting, action)
    if not obj.kind.fillable:
        refuse(f"{obj.kind.name} does not have CanBeFilled property!")
    if not obj.is_filled:
        refuse("object already empty")
    setting.world.update(obj.object_id, is_filled=False, liquid=None)
    return DONE


def _use_up(setting: Setting, action: SimulatorAction) -> Outcome:
    obj = target(setting, action)
    if not (obj.kind.can_be_used_up or obj.object_type in USED_UP):
        refuse(f"{obj.kind.name} does not have CanBeUsedUp property!")
    if obj.is_used_up:
        refuse("object already used up!")
    setting.world.update(obj.object_id, is_used_up=True)
    return DONE


HANDLERS: Mapping[str, Handler] = {
    "BreakObject": _break,
    "CleanObject": _clean,
    "CookObject": _cook,
    "DirtyObject": _dirty,
    "EmptyLiquidFromObject": _empty,
    "FillObjectWithLiquid": _fill,
    "SliceObject": _slice,
    "UseUpObject": _use_up,
}
