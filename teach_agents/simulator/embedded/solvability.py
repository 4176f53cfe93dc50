"""Whether a state can be turned into a task's goal at all, and generated states that can.

The filter knows neither planner nor agent. It asks what a task's conditions imply: the needed types exist, often
enough and within reach of a free cell, from which they can also be clicked on and taken (under a couch nobody can);
whatever slicing, heating, washing, filling or coffee takes is within reach too; what lies in a shut receptacle counts
only if that receptacle can be opened. Every reason against a state is a short phrase, so that rejections can be
counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from teach_agents.errors import InputError
from teach_agents.simulator.contract import ObjectState
from teach_agents.simulator.embedded.access import Access
from teach_agents.simulator.embedded.facts import PIECES, SINKS, TUBS
from teach_agents.simulator.embedded.loading import load_room
from teach_agents.simulator.embedded.rules import Rules
from teach_agents.simulator.embedded.senses import GeometricSenses
from teach_agents.simulator.embedded.slicing import COOKABLE_PIECES
from teach_agents.simulator.embedded.spawn import randomized_room
from teach_agents.simulator.embedded.world import World
from teach_agents.simulator.metadata import object_metadata
from teach_agents.tasks import Task, object_classes
from teach_agents.tasks.classes import BASIN_TWINS
from teach_agents.tasks.definitions import AtomicComponent, Scalar, count_of
from teach_agents.tasks.substitution import ResolvedTask

_STRIDE = 1_000_003
"""Keeps the attempts of one instance seed apart from those of the next."""
_BASES = {piece: base for base, piece in PIECES.items()}
_KNIVES = frozenset({"ButterKnife", "Knife"})
_COOKWARE = frozenset({"Pan", "Pot"})
_BOILERS = frozenset({"Bowl", "Cup", "Mug", "Pot"})
_CARRIERS = frozenset({"Bottle", "Bowl", "Cup", "Kettle", "Mug", "Pot", "WateringCan", "WineBottle"})


@dataclass(frozen=True, slots=True)
class Generated:
    """A solvable randomised state: reset to `room`, randomised, with `seed`. `rejections` counts reasons on the way."""

    room: str
    seed: int
    rejections: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class _Need:
    """`count` objects (`None`: all there are) that match `primary`, in a state that meets `conditions`."""

    count: int | None
    primary: tuple[str, Scalar]
    conditions: Mapping[str, Scalar]


def solvability(world: World, task: Task, senses: GeometricSenses | None = None) -> list[str]:
    """Why the task cannot be solved from this state, each reason once and in order; empty when it can."""
    reasons: dict[str, None] = {}
    if not task.preconditions(_rows(world)):
        reasons["needed objects are missing"] = None
    judge = _Judge(world, senses or GeometricSenses())
    for need in _needs(task.resolved, 1):
        reasons.update(dict.fromkeys(judge.against(need)))
    return list(reasons)


def generate(room: str, task: Task, seed: int, *, attempts: int = 40) -> Generated:
    """The first randomised state of `room`, tried in the order that `seed` fixes, in which `task` can be solved.

    A state that solves the task already is rejected, too. Raises `SceneError` for an unknown room and `InputError` for
    a task that is `hopeless` there, or, naming the most frequent reason, when no attempt succeeds.
    """
    never = hopeless(room, task)
    if never is not None:
        raise never
    rejections: Counter[str] = Counter()
    for attempt in range(attempts):
        tried = seed * _STRIDE + attempt
        world = randomized_room(room, tried)
        Rules(world)
        reasons = solvability(world, task, GeometricSenses())
        if not reasons and task.check(_rows(world)).success:
            reasons = ["the task is solved already"]
        if not reasons:
            return Generated(room, tried, dict(rejections))
        rejections.update(reasons)
    often = "; ".join(f"{reason} ({count} times)" for reason, count in rejections.most_common(3))
    raise InputError(f"{task.name!r} in {room}", f"no solvable state in {attempts} attempts: {often}")


def hopeless(room: str, task: Task) -> InputError | None:
    """Why no state of a room can be made to solve a task: none of a needed type is there, or none that can be so.

    Randomising moves and duplicates, but makes no new types; a mug is never boiled. Raises `SceneError` for an unknown
    room.
    """
    where, objects = f"{task.name!r} in {room}", load_room(room).objects.values()
    for need in _needs(task.resolved, 1):
        wanted = str(need.primary[1])
        there = {obj.object_type for obj in objects if _fits(obj, need)}
        there |= {PIECES[obj.object_type] for obj in objects if _makes(obj, need)}
        if not there:
            return InputError(where, "the room has no such object", value=wanted)
        for key, (affordance, done) in _TAKES.items():
            able = _able(objects, affordance) if need.conditions.get(key) else there
            if not there & able:
                given = next((param for param in task.params if param and param in wanted), wanted)
                before, _, after = wanted.partition(given)
                others = [one for one in able if one.startswith(before) and one.endswith(after)]
                valid = sorted(one[len(before) : len(one) - len(after)] for one in others)
                return InputError(where, f"no such object can be {done}", value=given, valid=valid)
    return None


_TAKES: Mapping[str, tuple[str, str]] = {
    "isCooked": ("cookable", "cooked"),
    "simbotIsCooked": ("cookable", "cooked"),
    "simbotIsBoiled": ("cookable", "boiled"),
    "isToggled": ("toggleable", "switched on"),
    "isOpen": ("openable", "opened"),
    "isFilledWithLiquid": ("fillable", "filled"),
    "simbotIsFilledWithWater": ("fillable", "filled"),
    "simbotIsFilledWithCoffee": ("fillable", "filled"),
}
"""By property, where it is wanted: what an object must be for it, and what it would be, in words."""


def _able(objects: Iterable[ObjectState], affordance: str) -> set[str]:
    """The types, of objects and of the pieces that they can be cut into, that are something."""
    pieces = COOKABLE_PIECES if affordance == "cookable" else frozenset()
    cut = {PIECES[obj.object_type] for obj in objects if obj.kind.sliceable and obj.object_type in PIECES}
    return {obj.object_type for obj in objects if getattr(obj.kind, affordance)} | (cut & pieces)


def _rows(world: World) -> list[dict[str, object]]:
    """The objects as the task language reads them, with the custom properties that follow from their types."""
    return [
        {**object_metadata(obj), "simbotObjectClass": object_classes(obj.object_type)}
        | ({"simbotIsCooked": True} if obj.is_cooked else {})
        for obj in world.objects.values()
    ]


def _needs(task: ResolvedTask, count: int) -> Iterator[_Need]:
    for _, component in task.components:
        if component.determiner == "0":
            continue
        if isinstance(component, AtomicComponent):
            yield _need(component, count)
        else:
            yield from _needs(component.task, count * count_of(component.determiner))


def _need(component: AtomicComponent, count: int) -> _Need:
    wanted = None if component.determiner == "all" else count * count_of(component.determiner)
    if component.shareable and wanted is not None:
        wanted = 1
    primary = (component.primary, component.conditions[component.primary])
    return _Need(wanted, primary, component.conditions)


def _unless(met: bool, reason: str) -> list[str]:
    return [] if met else [reason]


class _Judge:
    """Holds what is within reach in one state."""

    def __init__(self, world: World, senses: GeometricSenses) -> None:
        self._world = world
        self.near = Access(world, senses).near

    def _any_of(self, *types: str) -> bool:
        return any(obj.object_type in types and self.near(obj) for obj in self._world.objects.values())

    def against(self, need: _Need) -> list[str]:
        """The reasons against one need."""
        wanted = need.primary[1]
        bases = [o for o in self._world.objects.values() if o.exists and _makes(o, need)]
        direct = [o for o in self._world.objects.values() if o.exists and _fits(o, need)]
        suitable = [o for o in (*direct, *bases) if self.near(o) and not _too_late(o, need)]
        reasons = []
        if need.count is None and len(suitable) < len(direct):
            reasons.append(f"a {wanted} is out of reach")
        if not _enough(need, suitable, bool(bases)):
            reasons.append(f"too few {wanted} within reach")
        return [*reasons, *self._means(need, suitable, direct)]

    def _means(self, need: _Need, suitable: list[ObjectState], direct: list[ObjectState]) -> list[str]:
        """What the conditions take beyond the objects themselves."""
        wanted = need.conditions
        type_wanted = str(need.primary[1])
        reasons = []
        if type_wanted in _BASES and not direct and not self._any_of(*_KNIVES):
            reasons.append("no knife within reach")
        for key, means in _MEANS.items():
            if key in wanted and _count_met(suitable, key, wanted[key]) < (need.count or len(suitable) or 1):
                if bool(wanted[key]) is not (key == "isDirty"):
                    reasons.extend(means(self, type_wanted))
        return reasons

    def _heat(self, object_type: str) -> list[str]:
        appliance = "Toaster" if object_type == "BreadSliced" else "Microwave"
        hot = self._any_of(appliance) or (self._burner_near() and self._any_of(*_COOKWARE))
        return _unless(hot, "nothing to cook with within reach")

    def _burner_near(self) -> bool:
        """Whether some knob and a burner that it switches are within reach."""
        objects = self._world.objects
        return any(
            self.near(knob) and any(i in objects and self.near(objects[i]) for i in knob.kind.controls)
            for knob in (objects[i] for i in self._world.of_type("StoveKnob"))
        )

    def _water(self, object_type: str) -> list[str]:
        return _unless(self._any_of("Faucet") and self._any_of(*SINKS, *TUBS), "no running water within reach")

    def _boil(self, object_type: str) -> list[str]:
        vessel = _unless(self._any_of(*_BOILERS), "no vessel to boil in within reach")
        return self._heat(object_type) + self._water(object_type) + vessel

    def _liquid(self, object_type: str) -> list[str]:
        carrier = _unless(self._any_of(*_CARRIERS), "nothing to carry water in within reach")
        return self._water(object_type) + carrier

    def _coffee(self, object_type: str) -> list[str]:
        return _unless(self._any_of("CoffeeMachine"), "no coffee machine within reach")


_MEANS: Mapping[str, Callable[[_Judge, str], list[str]]] = {
    "isCooked": _Judge._heat,
    "simbotIsCooked": _Judge._heat,
    "simbotIsBoiled": _Judge._boil,
    "isDirty": _Judge._water,
    "isFilledWithLiquid": _Judge._liquid,
    "simbotIsFilledWithWater": _Judge._liquid,
    "simbotIsFilledWithCoffee": _Judge._coffee,
}
"""What it takes to make a property true, or `isDirty` false."""

_FIELDS = {
    "isCooked": "is_cooked",
    "simbotIsCooked": "is_cooked",
    "isDirty": "is_dirty",
    "isFilledWithLiquid": "is_filled",
}


def _fits(obj: ObjectState, need: _Need) -> bool:
    """Whether an object is of the needed type or class, and a receptacle where one is asked for."""
    key, wanted = need.primary
    if need.conditions.get("receptacle") and not obj.kind.receptacle:
        return False
    if key == "simbotObjectClass":
        return wanted in object_classes(obj.object_type)
    return wanted in (obj.object_type, BASIN_TWINS.get(obj.object_type))


def _too_late(obj: ObjectState, need: _Need) -> bool:
    """Whether what is to be boiled is cooked already: only getting cooked in water boils it (TEACh rule 4)."""
    return bool(need.conditions.get("simbotIsBoiled")) and obj.is_cooked


def _makes(obj: ObjectState, need: _Need) -> bool:
    """Whether slicing or cracking the object makes the needed type."""
    return obj.kind.sliceable and obj.object_type == _BASES.get(str(need.primary[1]))


def _enough(need: _Need, suitable: list[ObjectState], from_bases: bool) -> bool:
    if need.count is None:
        return bool(suitable)
    pieces = (_LEAST_PIECES.get(obj.object_type, 1) if from_bases and obj.kind.sliceable else 1 for obj in suitable)
    return sum(pieces) >= need.count


_LEAST_PIECES = {"Apple": 3, "Bread": 4, "Lettuce": 7, "Potato": 6, "Tomato": 7}
"""Usable pieces that every prefab of the type gives at least (TEACh specification 1.5)."""


def _count_met(objects: list[ObjectState], key: str, wanted: Scalar) -> int:
    field = _FIELDS.get(key)
    return sum(getattr(obj, field) == bool(wanted) for obj in objects) if field else 0
