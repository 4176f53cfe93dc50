"""Relations between components (TEACh specification 3.8): heads that stand in `a` tail, or in `the` same one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from teach_agents.tasks.definitions import Relation, count_of
from teach_agents.tasks.progress import ProblemKey, ProblemKeys, Step, SubGoal, maker
from teach_agents.tasks.scan import Objects, Scan, StateObject

Entities = Mapping[str, Objects]
"""Per component key its satisfied objects, then its candidates."""

_Placed = Sequence[tuple[StateObject, Sequence[str]]]
"""Objects, each with the ids of what it is related to."""


class _Head(NamedTuple):
    """A head that counts: its key, determiner as written, and number (0 for `all`)."""

    entity: str
    determiner: str
    number: int


class _Standing(NamedTuple):
    """How one head stands to one tail: objects outside it, how many that are needed are in, and how many are not."""

    head: _Head
    outside: list[StateObject]
    counted: int
    short: int


class _Place(NamedTuple):
    """One tail with the standing of every head, how many heads are met, and how many objects that count are in it."""

    tail: StateObject
    standings: list[_Standing]
    heads_met: int
    counted: int


_standing, _place, _step, _problem_key = maker(_Standing), maker(_Place), maker(Step), maker(ProblemKey)


class _Report:
    """Failing steps and problem keys as they are found, in order."""

    def __init__(self, relation: Relation) -> None:
        self.relation = relation
        self.steps: list[Step] = []
        self.keys: dict[str, ProblemKeys] = {}

    def problem(self, obj: StateObject, head: _Head, wanted: str, *, type_last: bool) -> None:
        """An object that ought to be in a tail of type `wanted` and is not."""
        object_id, object_type = obj["objectId"], obj["objectType"]
        self.steps.append(_step((False, object_id, object_type, self.relation.failure_desc)))
        key = _problem_key((object_type, head.determiner, self.relation.property, wanted, type_last))
        self.keys[object_id] = (*self.keys.get(object_id, ()), key)

    def done(self, obj: StateObject) -> None:
        """An object that is where it ought to be."""
        self.steps.append(_step((True, obj["objectId"], obj["objectType"], self.relation.failure_desc)))


class RelationCheck:
    """One relation for `count` instances of its task."""

    __slots__ = ("count", "entities", "heads", "relation")

    def __init__(self, relation: Relation, count: int) -> None:
        self.relation = relation
        self.count = count
        self.heads = tuple(
            _Head(entity, determiner, 0 if determiner == "all" else count_of(determiner))
            for entity, determiner in relation.heads
            if determiner == "all" or count_of(determiner) > 0
        )
        self.entities = (*(head.entity for head in self.heads), relation.tail)

    def find(self, scan: Scan, entities: Entities) -> SubGoal:
        """Judge the relation on what the components found."""
        tails = entities.get(self.relation.tail, ())
        total = sum([self.count * (head.number or len(entities.get(head.entity, ()))) for head in self.heads])
        if not tails:
            return SubGoal(False, (), {}, total, 0, lacks_tail=True)
        judge = self._in_any if self.relation.tail_determiner == "a" else self._in_one
        return judge(scan, entities, tails, total)

    def _placed(self, scan: Scan, entities: Entities, head: _Head) -> _Placed:
        name, objects = self.relation.property, entities.get(head.entity)
        if not objects:
            return ()
        if name == "parentReceptacles":
            return [(obj, scan.ancestors(obj)) for obj in objects]
        return [(obj, _listed(obj.get(name))) for obj in objects]

    def _in_any(self, scan: Scan, entities: Entities, tails: Objects, total: int) -> SubGoal:
        """Tail `a`: any tail will do, another for each object. More than are needed count too (Q11)."""
        ids = {tail["objectId"] for tail in tails}
        report = _Report(self.relation)
        inside: list[StateObject] = []
        success = True
        for head in self.heads:
            within: list[StateObject] = []
            outside: list[StateObject] = []
            for obj, places in self._placed(scan, entities, head):
                (outside if ids.isdisjoint(places) else within).append(obj)
            inside += within
            short = self.count * head.number - len(within) if head.number else len(outside)
            if short > 0:
                success = False
                for obj in outside[:short]:
                    report.problem(obj, head, tails[0]["objectType"], type_last=False)
            elif not head.number and within:
                report.done(within[0])
        if success and inside and not report.steps:
            report.done(inside[0])
        return SubGoal(success, tuple(report.steps), report.keys, total, len(inside))

    def _in_one(self, scan: Scan, entities: Entities, tails: Objects, total: int) -> SubGoal:
        """Tail `the`: all heads together in one tail, in a tail of its own for each instance of the task."""
        related = [(head, self._placed(scan, entities, head)) for head in self.heads]
        good: list[_Place] = []
        pool: list[_Place] = []
        for tail in tails:
            place = _placing(tail, related)
            if place.heads_met == len(self.heads):
                good.append(place)
                if len(good) == self.count:
                    break
            else:
                _rank(pool, place)
        del pool[self.count - len(good) :]
        report = _Report(self.relation)
        for place in pool:
            for standing in place.standings:
                for obj in standing.outside[: standing.short]:
                    report.problem(obj, standing.head, place.tail["objectType"], type_last=True)
        met = sum([place.counted for place in (*good, *pool)])
        return SubGoal(len(good) >= self.count, tuple(report.steps), report.keys, total, met)


def _listed(value: Any) -> Sequence[str]:
    if value is None:
        return ()
    return value if isinstance(value, (list, tuple)) else (value,)


def _placing(tail: StateObject, related: Sequence[tuple[_Head, _Placed]]) -> _Place:
    """How the objects of every head stand to one tail."""
    tail_id, standings, heads_met, counted = tail["objectId"], [], 0, 0
    for head, objects in related:
        outside = [obj for obj, places in objects if tail_id not in places]
        needed, inside = head.number or len(objects), len(objects) - len(outside)
        enough = inside >= needed
        standings.append(_standing((head, outside, needed if enough else inside, 0 if enough else needed - inside)))
        heads_met += enough
        counted += needed if enough else inside
    return _place((tail, standings, heads_met, counted))


def _rank(pool: list[_Place], place: _Place) -> None:
    """Insert before the first that has fewer heads met or fewer objects in; either is enough, as in the reference."""
    for index, other in enumerate(pool):
        if other.heads_met < place.heads_met or other.counted < place.counted:
            pool.insert(index, place)
            return
    pool.append(place)
