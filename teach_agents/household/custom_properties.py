"""TEACh's custom properties: kept per object, updated after every object interaction (specification 4.3).

What holds an object, through everything that holds its holder.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.simulator.contract import ObjectState, Simulator, SimulatorAction
from teach_agents.tasks import object_classes

Objects = Mapping[str, ObjectState]
"""A room's objects by id."""
Records = Mapping[str, JsonMapping]
"""Custom properties by objectId."""

CLASSES = "simbotObjectClass"
PICKED_UP = "simbotPickedUp"
CONTENTS = "simbotIsReceptacleOf"
WATER = "simbotIsFilledWithWater"
COFFEE = "simbotIsFilledWithCoffee"
COOKED = "simbotIsCooked"
BOILED = "simbotIsBoiled"


class Before(NamedTuple):
    """What the rules must know of the moment before an interaction: which objects existed, were filled, were cooked."""

    existing: frozenset[str]
    filled: frozenset[str]
    cooked: frozenset[str]


class CustomProperties:
    """One record of custom properties per object.

    `records` maps objectId to its properties, in the reference's order of creation. `changed` collects the ids whose
    record changed since somebody last cleared it.
    """

    def __init__(self, simulator: Simulator) -> None:
        self._simulator = simulator
        self.records: dict[str, JsonObject] = {}
        self.changed: set[str] = set()

    @property
    def _objects(self) -> Objects:
        return self._simulator.state.objects

    def begin(self) -> None:
        """An episode starts: assign the classes, then run the rules without a moment before."""
        self.changed.update(self.records)
        self.records.clear()
        for object_id, obj in self._objects.items():
            self._set(object_id, CLASSES, list(object_classes(obj.object_type)))
        self._apply_rules(None)

    def recall(self, records: Records) -> None:
        """Become what the records were when they were copied, in that order."""
        self.changed.update(self.records, records)
        self.records.clear()
        self.records.update((object_id, dict(record)) for object_id, record in records.items())

    def before(self) -> Before:
        """Remember the present moment, ahead of an interaction."""
        objects = self._objects
        return Before(
            frozenset(objects),
            frozenset(object_id for object_id, obj in objects.items() if obj.is_filled),
            frozenset(object_id for object_id, obj in objects.items() if obj.is_cooked),
        )

    def after(self, before: Before) -> None:
        """Bring everything up to date after an object interaction, successful or not."""
        if self._objects.keys() != before.existing:
            self._inherit(before)
        self._apply_rules(before)

    def picked_up(self, object_id: str) -> None:
        """An object was taken into the hand."""
        self._set(object_id, PICKED_UP, 1)
        self._take_out(object_id)
        self._set(object_id, LAST_PARENT, None)

    def placed(self, object_id: str, receptacle_id: str) -> None:
        """The held object was placed on or in the object that the click chose."""
        self._set(object_id, LAST_PARENT, receptacle_id)
        self._put_in(object_id, receptacle_id)

    def poured_out(self, object_id: str) -> None:
        """The held object's contents were poured away or into something."""
        self._set(object_id, COFFEE, False)

    def _set(self, object_id: str, key: str, value: object) -> None:
        record = self.records.setdefault(object_id, {})
        if key not in record or record[key] != value:
            record[key] = value
            self.changed.add(object_id)

    def _put_in(self, object_id: str, receptacle_id: str) -> None:
        self._set(receptacle_id, CONTENTS, [*self.records.get(receptacle_id, {}).get(CONTENTS, ()), object_id])

    def _take_out(self, object_id: str) -> None:
        for holder, record in self.records.items():
            if object_id in record.get(CONTENTS, ()):
                self._set(holder, CONTENTS, [inside for inside in record[CONTENTS] if inside != object_id])

    def _inherit(self, before: Before) -> None:
        """Hand the base's record on to its slices, then delete it everywhere."""
        bases = {}
        for object_id in [new for new in self._objects if new not in before.existing]:
            base, _, last = object_id.rpartition("|")
            if base in self.records and ("Sliced" in last or "Cracked" in last):
                record = bases[base] = self.records[base]
                for key, value in record.items():
                    self._set(object_id, key, list(value) if isinstance(value, list) else value)
                if record.get(LAST_PARENT) is not None:
                    self._put_in(object_id, record[LAST_PARENT])
        for base in bases:
            self._forget(base)

    def _forget(self, object_id: str) -> None:
        self._take_out(object_id)
        for other, record in self.records.items():
            if record.get(LAST_PARENT) == object_id:
                self._set(other, LAST_PARENT, None)
        del self.records[object_id]
        self.changed.add(object_id)

    def _apply_rules(self, before: Before | None) -> None:
        self._wash()
        self._notice_coffee(before)
        self._notice_cooked()
        if before is not None:
            self._notice_boiled(before)

    def _ancestors(self, object_id: str) -> list[str]:
        return ancestors(object_id, self._objects, self.records)

    def _wash(self) -> None:
        """Rule 1: what is in a sink whose nearest faucet runs is cleaned, and filled with water."""
        running = self._running_sinks()
        if not running:
            return
        for object_id, obj in list(self._objects.items()):
            if not (obj.kind.dirtyable or obj.kind.fillable) or running.isdisjoint(self._ancestors(object_id)):
                continue
            if obj.is_dirty:
                self._simulator.step(SimulatorAction("CleanObject", object_id=object_id, force=True))
            if obj.kind.fillable:
                if not obj.is_filled:
                    self._simulator.step(SimulatorAction("FillObjectWithLiquid", object_id, liquid="water", force=True))
                self._set(object_id, WATER, 1)

    def _running_sinks(self) -> set[str]:
        objects = self._objects.values()
        faucets = [obj for obj in objects if obj.object_type == "Faucet"]
        if not any(faucet.is_toggled for faucet in faucets):
            return set()
        sinks = [obj for obj in objects if "Sink" in obj.object_type or "Bathtub" in obj.object_type]
        nearest = ((sink, min(faucets, key=lambda tap: math.dist(tap.position, sink.position))) for sink in sinks)
        return {sink.object_id for sink, faucet in nearest if faucet.is_toggled}

    def _notice_coffee(self, before: Before | None) -> None:
        """Rule 2: what was just filled in a running coffee machine holds coffee; what held water never does."""
        already = frozenset() if before is None else before.filled
        objects = self._objects
        machines = {i for i, obj in objects.items() if obj.is_toggled and "CoffeeMachine" in obj.object_type}
        for object_id, obj in objects.items() if machines else ():
            new = obj.is_filled and obj.kind.fillable and object_id not in already
            if new and not machines.isdisjoint(self._ancestors(object_id)):
                self._set(object_id, COFFEE, True)

    def _notice_cooked(self) -> None:
        """Rule 3: what the simulator cooked is cooked, and what lies in a running microwave or on a hot burner."""
        objects = self._objects
        hot = {object_id for object_id, obj in objects.items() if _heats(obj)}
        for object_id, obj in objects.items():
            heated = hot and obj.kind.cookable and not hot.isdisjoint(self._ancestors(object_id))
            if obj.is_cooked or heated:
                self._set(object_id, COOKED, True)

    def _notice_boiled(self, before: Before) -> None:
        """Rule 4: what the simulator cooked in this step inside something filled is boiled."""
        for object_id, obj in self._objects.items():
            new = obj.is_cooked and object_id not in before.cooked
            if new and any(map(self._holds_liquid, self._ancestors(object_id))):
                self._set(object_id, BOILED, True)

    def _holds_liquid(self, object_id: str) -> bool:
        obj = self._objects.get(object_id)
        return (obj is not None and obj.is_filled) or bool(self.records.get(object_id, {}).get(WATER))


def _heats(obj: ObjectState) -> bool:
    if obj.object_type == "StoveBurner":
        return "Hot" in obj.temperature
    return obj.object_type == "Microwave" and obj.is_toggled


LAST_PARENT = "simbotLastParentReceptacle"
"""The custom property that remembers where an object was last placed."""


def ancestors(object_id: str, objects: Objects, records: Records) -> list[str]:
    """Ids of all receptacles of an object, nearest first, each once, itself never.

    An object's receptacles are the simulator's list, or where that is empty the one it was last placed in
    (specification 3.4). Their own receptacles count only where they are pickupable (a plate, a pot): in some rooms a
    CounterTop lists a Sink as its parent, and water must not wash the whole counter (fidelity specification section 4).
    """
    found: list[str] = []
    _climb(object_id, objects, records, found)
    return [ancestor for ancestor in found if ancestor != object_id]


def _climb(below: str, objects: Objects, records: Records, found: list[str]) -> None:
    """Add what an object is in to what was found.

    No function inside `ancestors`: one that calls itself there would keep all objects until the garbage is collected.
    """
    obj = objects.get(below)
    for parent in obj.parents if obj and obj.parents else [records.get(below, {}).get(LAST_PARENT)]:
        if isinstance(parent, str) and parent != below and parent not in found:
            found.append(parent)
            if parent in objects and objects[parent].kind.pickupable:
                _climb(parent, objects, records, found)
