"""Which receptacle things should go to, and the instruction that says so."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence

from teach_agents.agents.acting.grounding import describe
from teach_agents.agents.acting.things import Thing, Things
from teach_agents.agents.instructing.goals import Problem
from teach_agents.understanding.english.values import Instruction, Reference, State, Verb

_ROOM_EACH = 0.03
"""Area that a thing takes up on a piece of furniture, with what is around it, square metres."""


class TargetChooser:
    """Chooses receptacles: one dish for each sub-goal, one piece of furniture for all things of a kind.

    It learns from failures: a receptacle into which something did not go comes last.
    """

    def __init__(self) -> None:
        self._dishes: dict[str, list[str]] = {}
        self._heads: dict[tuple[str, str], set[str]] = {}
        self._failures: Counter[str] = Counter()
        self._cleared: set[str] = set()
        self._tidied: set[str] = set()
        self._instead_of: dict[Instruction, tuple[str, str]] = {}
        self._moved_elsewhere: set[tuple[str, str]] = set()
        self._last = ""
        self._planned: dict[Instruction, str] = {}

    def failed(self) -> None:
        """The last PUT did not work out."""
        self._failures[self._last] += 1

    def asked(self, step: Instruction) -> None:
        """This step was chosen and is being said."""
        self._last = self._planned.get(step, "")
        if step in self._instead_of:
            self._moved_elsewhere.add(self._instead_of[step])
        if step.verb is Verb.CLEAR:
            self._tidied.add(self._last)

    def clearance(self, things: Things) -> Instruction | None:
        """Ask to clear the last target, once, when it holds things that do not belong to the task."""
        target = things.get(self._last)
        if target is None or target.object_id in self._cleared or not things.contents(target):
            return None
        if not (target.has("pickupable") or target.is_a("Sink")):
            return None
        self._cleared.add(target.object_id)
        return Instruction(Verb.CLEAR, describe(target, things, (State.CLEAN,)))

    def steps(
        self, groups: Sequence[Sequence[Problem]], problems: Sequence[Problem], things: Things
    ) -> Iterator[Instruction]:
        """One instruction for each group of things that belong together: dishes' own places, then what is large
        among what goes on a dish."""
        self._planned.clear()
        self._instead_of.clear()
        unclean = {problem.object_type for problem in problems if problem.need is Verb.CLEAN}
        ordered = sorted(groups, key=lambda group: (group[0].object_type not in _DISHES, -_extent(group[0], things)))
        for group in ordered:
            self._heads.setdefault((group[0].goal, group[0].wanted), set()).add(group[0].object_type)
        for group in ordered:
            first = group[0]
            if first.wanted in unclean:
                continue
            target = self._target(group, things)
            if target is None:
                continue
            several = first.instances > 1 and target.has("pickupable")
            drained = _draining(target, things) if several else None
            step = drained or self._tidying(target, things) or _step(group, target, things, several=several)
            self._planned[step] = target.object_id
            if not target.is_a(first.wanted):
                self._instead_of[step] = first.goal, first.object_type
            yield step

    def _tidying(self, dish: Thing, things: Things) -> Instruction | None:
        """A dish is washed, and what does not belong on it is taken off, once, before food goes on it."""
        if not dish.has("pickupable"):
            return None
        if dish.has("isDirty"):
            return Instruction(Verb.CLEAN, describe(dish, things, (State.DIRTY,)))
        contents = things.contents(dish)
        if not contents or dish.object_id in self._tidied or any(held.is_a("Slice") for held in contents):
            return None
        return Instruction(Verb.CLEAR, describe(dish, things, (State.CLEAN,)))

    def _target(self, group: Sequence[Problem], things: Things) -> Thing | None:
        first, moving = group[0], {problem.object_id for problem in group}
        candidates = [
            thing for thing in things.of(first.wanted) if thing.has("receptacle") and thing.object_id not in moving
        ]
        if not candidates:
            return None
        if candidates[0].has("pickupable"):
            return self._dish(group, candidates, things)
        moved = things.known(problem.object_id for problem in group)
        large_enough = [holder for holder in candidates if all(_is_as_wide(holder, thing) for thing in moved)]
        candidates = self._instead(group, candidates, large_enough, things) or large_enough or candidates
        heads = self._heads.setdefault((first.goal, first.wanted), set())

        def key(thing: Thing) -> tuple[float, ...]:
            contents = things.contents(thing)
            alike = sum(held.object_type in heads for held in contents)
            area = math.prod(thing.box)
            tight = alike < len(group) and area < _ROOM_EACH * (1 + len(contents) + len(group))
            return (self._failures[thing.object_id], tight, -alike, thing.has("openable"), -area / (1 + len(contents)))

        return min(candidates, key=key)

    def _instead(
        self, group: Sequence[Problem], wanted: list[Thing], large_enough: list[Thing], things: Things
    ) -> list[Thing]:
        """Furniture of the same class, once, when what is wanted is full or too small.

        A task that gathers things on some table names the type of one that holds something already; one that wants all
        things of a kind somewhere mostly means that type.
        """
        failures = sum(self._failures[thing.object_id] for thing in wanted)
        tried = (group[0].goal, group[0].object_type) in self._moved_elsewhere
        if tried or (large_enough and failures < (_STUBBORN if group[0].every else _RELUCTANT)):
            return []
        kinds = set(wanted[0].classes) - {wanted[0].object_type, "Furniture"}
        others = [thing for thing in things.of(*kinds) if thing.has("receptacle") and thing not in wanted]
        return [thing for thing in others if not thing.is_a("Shelf")] or others

    def _dish(self, group: Sequence[Problem], candidates: list[Thing], things: Things) -> Thing:
        goal, kind, instances = group[0].goal, things.get(group[0].object_id), group[0].instances
        mine = self._dishes.setdefault(goal, [])
        mine[:] = [name for name in mine if any(dish.object_id == name for dish in candidates)]
        others = {name for key, names in self._dishes.items() if key != goal for name in names}

        def key(dish: Thing) -> tuple[float, ...]:
            contents = things.contents(dish)
            alike = sum(kind is not None and held.object_type == kind.object_type for held in contents)
            served = sum(held.is_a("Slice") for held in contents)
            return (
                self._failures[dish.object_id],
                instances > 1 and alike > 0,
                dish.has("isDirty"),
                dish.object_id in others,
                -served,
                dish.object_id not in mine,
                len(contents) - served,
                bool(things.closed_around(dish)),
                dish.distance(kind.center) if kind is not None else 0.0,
            )

        chosen = min(candidates, key=key)
        if chosen.object_id not in mine:
            mine.append(chosen.object_id)
        return chosen


def _step(group: Sequence[Problem], target: Thing, things: Things, *, several: bool) -> Instruction:
    """Put a group on its target; of `several` such places, each gets one."""
    first, found = group[0], things.known(problem.object_id for problem in group)
    noun, states = found[0].object_type, _telling(found[0], things)
    where = describe(target, things, (State.CLEAN,))
    if several:
        if not things.contents(target):
            where = Reference(target.object_type, 1, False, (State.CLEAN, State.EMPTY))
        return Instruction(Verb.PUT, Reference(noun, 1, False, states), where)
    moved = things.known(name for thing in found for name in thing.parents)
    gathered = first.every or not target.has("pickupable")
    together = gathered and any(parent.is_a(first.wanted) for parent in moved)
    if together and not where.definite:
        where = Reference(where.noun, 1, True, (State.SAME,))
    if first.every or together:
        return Instruction(Verb.PUT, Reference(noun, None, True), where)
    definite = len(things.of(noun)) == len(found) and not states
    return Instruction(Verb.PUT, Reference(noun, len(found), definite, states), where)


def _draining(dish: Thing, things: Things) -> Instruction | None:
    """Water in a dish is poured out, so that it can be told from the others by being empty."""
    if not dish.has("isFilledWithLiquid"):
        return None
    return Instruction(Verb.EMPTY, describe(dish, things, (State.FULL,)))


_RELUCTANT, _STUBBORN = 2, 3
"""Failures after which another kind of furniture is tried; more where all things of a kind belong there."""


def _is_as_wide(holder: Thing, thing: Thing) -> bool:
    """Whether a thing's box fits on the map into its holder's, turned by a quarter or not."""
    sides = [sorted(one.box) for one in (thing, holder)]
    return all(mine <= room + _OVERHANG for mine, room in zip(*sides, strict=True))


def _extent(problem: Problem, things: Things) -> float:
    """The longest side of what goes on a dish, metres; 0 for what does not."""
    thing = things.get(problem.object_id)
    if thing is None or problem.wanted not in _DISHES:
        return 0.0
    return thing.longest


_OVERHANG = 0.05
_DISHES = frozenset({"Plate", "Bowl", "Pot", "Pan", "Cup"})


def _telling(thing: Thing, things: Things) -> tuple[State, ...]:
    """The adjectives that tell what is meant from others of its type: cooked or clean."""
    others = [other for other in things.of(thing.object_type) if other is not thing]
    states = []
    if thing.object_type.endswith("Sliced") and thing.is_cooked and any(not other.is_cooked for other in others):
        states.append(State.TOASTED if thing.object_type == "BreadSliced" else State.COOKED)
    if thing.has("dirtyable") and not thing.has("isDirty") and any(other.has("isDirty") for other in others):
        states.append(State.CLEAN)
    return tuple(states)
