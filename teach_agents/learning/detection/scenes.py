"""Households as a Follower meets them half-way through a task, and from where it looks at them."""

from __future__ import annotations

import math
import random
from collections import defaultdict
from dataclasses import replace

from teach_agents.core.json_types import JsonObject
from teach_agents.observations import Pose, Vec3
from teach_agents.simulator.contract import EYE_HEIGHT, ObjectState, SimulatorAction
from teach_agents.simulator.embedded.facts import DOORED
from teach_agents.simulator.embedded.loading import load_room
from teach_agents.simulator.embedded.senses import GeometricSenses
from teach_agents.simulator.embedded.simulator import EmbeddedSimulator
from teach_agents.simulator.embedded.spawn import randomized_room
from teach_agents.simulator.embedded.world import World

_TIDY = 0.15
"""How often a room is as it ships."""
_OPEN, _SLICED, _COOKED, _COFFEE, _HELD, _SWITCHED = 0.12, 0.3, 0.35, 0.2, 0.3, 0.15
"""How often a thing that can be is: opened, sliced, cooked, full of coffee; how often the hand holds something; how
often the switch by the door is turned."""
_HORIZONS = (0.0, 30.0, 60.0, -30.0)
_HOW_OFTEN = (0.3, 0.45, 0.15, 0.1)
_NEAREST, _FARTHEST, _FARTHEST_LARGE = 0.35, 1.8, 3.0
"""How far from a thing one stands to look at it, metres over the floor; from what nobody can lift, further."""


class Scenery:
    """One household state of a room and places in it; the same for the same room and seed.

    Objects are spawned at random as TEACh's collectors had it (sometimes left as they ship); some doors and drawers
    stand open, some food is sliced or cooked, something may be in the hand. `world` is its own.
    """

    def __init__(self, room: str, seed: int) -> None:
        self._dice = random.Random(f"scenery/{room}/{seed}")
        simulator = EmbeddedSimulator()
        tidy = self._dice.random() < _TIDY
        world = load_room(room) if tidy else randomized_room(room, seed)
        simulator.adopt(world)
        self.world: World = world
        self._live(simulator)
        self._cells = sorted(GeometricSenses().reachable(world)) or [(world.agent.position.x, world.agent.position.z)]

    def _live(self, simulator: EmbeddedSimulator) -> None:
        """Do what people do in a household."""
        for obj in list(self.world.objects.values()):
            for name, more in self._deeds(obj):
                simulator.step(SimulatorAction(name, obj.object_id, force=True, **more))
        loose = [one for one in self.world.objects.values() if one.kind.pickupable and one.exists]
        if loose and self._dice.random() < _HELD:
            simulator.step(SimulatorAction("PickupObject", self._dice.choice(loose).object_id, force=True))

    def _deeds(self, obj: ObjectState) -> list[tuple[str, JsonObject]]:
        kind, is_mug = obj.kind, obj.object_type == "Mug" and not obj.is_filled
        turned = "ToggleObjectOff" if obj.is_toggled else "ToggleObjectOn"
        could: list[tuple[bool, float, str, JsonObject]] = [
            (kind.openable, _OPEN, "OpenObject", {}),
            (kind.cookable, _COOKED, "CookObject", {}),
            (is_mug, _COFFEE, "FillObjectWithLiquid", {"liquid": "coffee"}),
            (obj.object_type == "LightSwitch", _SWITCHED, turned, {}),
            (kind.sliceable, _SLICED, "SliceObject", {}),
        ]
        return [(name, more) for can, often, name, more in could if can and self._dice.random() < often]

    def anywhere(self) -> Pose:
        """A cell drawn from those that can be reached, a heading, a horizon; level and half down most often."""
        x, z = self._dice.choice(self._cells)
        (horizon,) = self._dice.choices(_HORIZONS, _HOW_OFTEN)
        return self._standing(x, z, 90.0 * self._dice.randrange(4), horizon)

    def before_something(self) -> Pose:
        """Before a loose thing or a switch that lies open, as one stands to do something with it."""
        kinds = ((one, one.kind) for one in self.world.objects.values())
        things = [one for one, kind in kinds if (kind.pickupable or kind.toggleable) and self._lies_open(one)]
        return self._before(self._dice.choice(things), _FARTHEST) if things else self.anywhere()

    def before_type(self, wanted: str = "") -> Pose:
        """Before something of the wanted type that lies open, or else of a type drawn evenly from those that do.

        So rare types are looked at as often as common ones; furniture from further away.
        """
        by_type: dict[str, list[ObjectState]] = defaultdict(list)
        for one in self.world.objects.values():
            if self._lies_open(one):
                by_type[one.object_type].append(one)
        if not by_type:
            return self.anywhere()
        kind = wanted if wanted in by_type else self._dice.choice(sorted(by_type))
        thing = self._dice.choice(by_type[kind])
        return self._before(thing, _FARTHEST if thing.kind.pickupable else _FARTHEST_LARGE)

    def _before(self, thing: ObjectState, farthest: float) -> Pose:
        """At a cell near a thing, turned and bowed towards it; anywhere where no cell is near."""
        x, y, z = thing.box.center
        near = [cell for cell in self._cells if _NEAREST <= math.hypot(cell[0] - x, cell[1] - z) <= farthest]
        if not near:
            return self.anywhere()
        cell_x, cell_z = self._dice.choice(near)
        yaw = 90.0 * (round(math.degrees(math.atan2(x - cell_x, z - cell_z)) / 90.0) % 4)
        eyes = self.world.agent.position.y + EYE_HEIGHT
        down = math.degrees(math.atan2(eyes - y, math.hypot(x - cell_x, z - cell_z)))
        return self._standing(cell_x, cell_z, yaw, 30.0 * min(2, max(-1, round(down / 30.0))))

    def _lies_open(self, obj: ObjectState) -> bool:
        if not obj.exists or obj.is_picked_up:
            return False
        holders = (self.world.objects[name] for name in obj.parents)
        return all(one.is_open or one.object_type not in DOORED for one in holders)

    def _standing(self, x: float, z: float, yaw: float, horizon: float) -> Pose:
        agent = self.world.agent
        return replace(agent, position=Vec3(x, agent.position.y, z), yaw=yaw, horizon=horizon)
