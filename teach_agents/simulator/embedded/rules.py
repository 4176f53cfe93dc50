"""What happens by itself after every action: water, heat, cold, coffee, toast (AI2-THOR specification 1.4).

AI2-THOR runs these on trigger volumes every physics tick. Here a zone acts on what it contains: directly, or inside
pickupable receptacles (a potato in a pot on the burner). It never acts through fixed receptacles: some sinks "hold"
their counter (fidelity notes, section 4).

A burner shows that it is on by being Hot: in TEACh's files its own `isToggled` is false whatever its knob says.

Simulated time is counted in actions, one second each: Hot and Cold become RoomTemp after ten actions outside any zone,
AI2-THOR's ten seconds. Queries take no time.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from teach_agents.simulator.contract import ObjectState
from teach_agents.simulator.embedded.facts import basins_by_tap, reached
from teach_agents.simulator.embedded.world import World

DECAY_ACTIONS = 10
"""Actions after which something taken out of the heat or cold is at room temperature."""

_SHOWER_REACH = 0.4
"""Horizontal distance in metres from a shower head within which things get wet."""


def contained(world: World, zone_id: str) -> tuple[str, ...]:
    """What a zone acts on: its contents, and what pickupable receptacles among them contain; no duplicates."""
    inside = world.objects[zone_id].contents
    return tuple(reached(world.objects, inside, lambda obj: obj.contents if obj.kind.pickupable else ()))


@dataclass(frozen=True, slots=True)
class RulesMemory:
    """Where the rules' clock stood, what was due when, and whether every change had been evaluated."""

    clock: int
    due: Mapping[str, int]
    settled: bool


class Rules:
    """The context rules over one world. `settle` runs them after an action; zones are evaluated only on a change."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._clock = 0
        self._seen = -1
        self._due: dict[str, int] = {}
        self._next_due = math.inf
        self._knobs = [o.object_id for o in world.objects.values() if o.kind.controls]
        self.settle(time_passes=False)

    def settle(self, *, time_passes: bool = True) -> None:
        """Apply every rule to the world as the last action left it."""
        self._clock += time_passes
        if self._world.changes != self._seen:
            self._evaluate()
        if self._clock >= self._next_due:
            self._decay()
        self._seen = self._world.changes

    def remember(self) -> RulesMemory:
        """The rules as they stand, for `recall`."""
        return RulesMemory(self._clock, dict(self._due), self._world.changes == self._seen)

    def recall(self, memory: RulesMemory) -> None:
        """Stand again as then; call it after the world has recalled the same moment."""
        self._clock = memory.clock
        self._due = dict(memory.due)
        self._expect()
        self._seen = self._world.changes if memory.settled else -1

    def _evaluate(self) -> None:
        world, objects = self._world, self._world.objects
        zones: dict[str, str] = {}
        for fridge in world.of_type("Fridge"):
            zones.update(dict.fromkeys(contained(world, fridge), "Cold"))
        for burner in self._lit_burners():
            _burner(world, burner, zones)
        for object_type, rule in _ZONES:
            for zone_id in world.of_type(object_type):
                if objects[zone_id].is_toggled:
                    rule(world, zone_id, zones)
        for object_type in ("Faucet", "ShowerHead"):
            for source in world.of_type(object_type):
                if objects[source].is_toggled:
                    self._rinse(source)
        self._warm(zones)

    def _lit_burners(self) -> list[str]:
        objects = self._world.objects
        lit = [objects[knob] for knob in self._knobs if objects[knob].is_toggled]
        return [burner for knob in lit for burner in knob.kind.controls if burner in objects]

    def _warm(self, zones: dict[str, str]) -> None:
        """Give what is in a zone its temperature and start the clock of what is in none any more."""
        for object_id, temperature in zones.items():
            self._due.pop(object_id, None)
            if self._world.objects[object_id].temperature != temperature:
                self._world.update(object_id, temperature=temperature)
        for object_id in self._world.tempered:
            if object_id not in zones:
                self._due.setdefault(object_id, self._clock + DECAY_ACTIONS)
        self._expect()

    def _expect(self) -> None:
        self._next_due = min(self._due.values(), default=math.inf)

    def _decay(self) -> None:
        for object_id in [i for i, due in self._due.items() if due <= self._clock]:
            del self._due[object_id]
            self._world.update(object_id, temperature="RoomTemp")
        self._expect()

    def _rinse(self, source: str) -> None:
        for object_id in self._under(source):
            obj = self._world.objects[object_id]
            if obj.kind.dirtyable and obj.is_dirty:
                obj = self._world.update(object_id, is_dirty=False)
            if obj.kind.fillable and not obj.is_filled and obj.exists:
                obj = self._world.update(object_id, is_filled=True, liquid="water")
            if obj.object_type == "Candle" and obj.is_toggled:
                self._world.update(object_id, is_toggled=False)

    @cached_property
    def _wet_by(self) -> Mapping[str, tuple[str, ...]]:
        return basins_by_tap(self._world.objects.values())

    def _under(self, source: str) -> Iterable[str]:
        """What the water of a faucet or shower head reaches."""
        obj = self._world.objects[source]
        if obj.object_type == "ShowerHead":
            return _below(self._world, obj)
        return [inner for sink in self._wet_by.get(source, ()) for inner in contained(self._world, sink)]


def _below(world: World, head: ObjectState) -> list[str]:
    x, y, z = head.box.center
    return [
        object_id
        for object_id, obj in world.objects.items()
        if obj.kind.pickupable and obj.exists and not obj.is_picked_up and obj.position.y < y
        if math.hypot(obj.position.x - x, obj.position.z - z) <= _SHOWER_REACH
    ]


def _cook(world: World, object_id: str) -> None:
    obj = world.objects[object_id]
    if obj.kind.cookable and not obj.is_cooked:
        world.update(object_id, is_cooked=True)


def _burner(world: World, zone_id: str, zones: dict[str, str]) -> None:
    zones[zone_id] = "Hot"
    for object_id in contained(world, zone_id):
        zones[object_id] = "Hot"
        _cook(world, object_id)
        obj = world.objects[object_id]
        if obj.object_type == "Candle" and not obj.is_toggled:
            world.update(object_id, is_toggled=True)


def _microwave(world: World, zone_id: str, zones: dict[str, str]) -> None:
    for object_id in contained(world, zone_id):
        zones[object_id] = "Hot"
        if world.objects[object_id].object_type != "BreadSliced":
            _cook(world, object_id)


def _toaster(world: World, zone_id: str, zones: dict[str, str]) -> None:
    for object_id in contained(world, zone_id):
        if world.objects[object_id].object_type == "BreadSliced":
            zones[object_id] = "Hot"
            _cook(world, object_id)


def _coffee_machine(world: World, zone_id: str, zones: dict[str, str]) -> None:
    for object_id in world.objects[zone_id].contents:
        mug = world.objects[object_id]
        if mug.object_type == "Mug" and not mug.is_filled and mug.kind.fillable:
            world.update(object_id, is_filled=True, liquid="coffee")
            zones[object_id] = "Hot"


_ZONES: tuple[tuple[str, Callable[[World, str, dict[str, str]], None]], ...] = (
    ("Microwave", _microwave),
    ("Toaster", _toaster),
    ("CoffeeMachine", _coffee_machine),
)
"""What acts while toggled on. Fridges always do; burners while a knob that controls them is on."""
