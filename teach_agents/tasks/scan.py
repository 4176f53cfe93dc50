"""One pass over the objects of a state, sorting them by what a task asks for; and where objects are.

A task's components ask for few types and classes. Their buckets are laid out once, when the task is compiled
(`BucketPlan`); a check sorts every object into them in one pass (`Scan`) and never looks at the rest again.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from operator import itemgetter
from typing import Any

from teach_agents.core.json_types import JsonMapping

StateObject = JsonMapping
"""AI2-THOR's metadata of one object with TEACh's custom properties, as found in game files."""

Objects = Sequence[StateObject]

_CLASS = "simbotObjectClass"


class BucketPlan:
    """Which objects each component has to look at: by type, by class, or all."""

    def __init__(self) -> None:
        self.size = 0
        self.by_type: dict[str, list[int]] = {}
        self.by_class: dict[str, list[int]] = {}
        self.unsorted: list[int] = []
        self._known: dict[tuple[str, frozenset[str]], int] = {}

    def of_types(self, types: Iterable[str]) -> int:
        """The bucket of objects of any of these types."""
        return self._bucket("type", types, self.by_type)

    def of_class(self, name: str) -> int:
        """The bucket of objects of this class."""
        return self._bucket("class", (name,), self.by_class)

    def of_all(self) -> int:
        """The bucket of all objects."""
        return self._bucket("all", (), {})

    def _bucket(self, kind: str, names: Iterable[str], index: dict[str, list[int]]) -> int:
        key = (kind, frozenset(names))
        bucket = self._known.setdefault(key, self.size)
        if bucket == self.size:
            self.size += 1
            for name in key[1]:
                index.setdefault(name, []).append(bucket)
            if kind == "all":
                self.unsorted.append(bucket)
        return bucket


class Scan:
    """The objects of one state, sorted into a plan's buckets in list order; ancestors and distances.

    `results` holds what was already found in this one check, so that a component that occurs several times in a
    task (the clean plate of Breakfast) is judged once.
    """

    __slots__ = ("_agent", "_by_id", "_objects", "buckets", "results")

    def __init__(self, plan: BucketPlan, objects: Objects, agent_position: Sequence[float] | None) -> None:
        self._objects = objects
        self._agent = agent_position
        self._by_id: dict[str, StateObject] | None = None
        self.results: dict[object, Any] = {}
        self.buckets: list[list[StateObject]] = [[] for _ in range(plan.size)]
        by_type, buckets = plan.by_type, self.buckets
        for obj in [obj for obj in objects if obj.get("objectType") in by_type]:
            for index in by_type[obj["objectType"]]:
                buckets[index].append(obj)
        for name, indexes in plan.by_class.items():  # an object names one class, or lists some
            holding = [obj for obj in objects if (classes := obj.get(_CLASS)) and name in classes]
            found = [obj for obj in holding if not isinstance(obj[_CLASS], str) or obj[_CLASS] == name]
            for index in indexes:
                buckets[index] = found
        for index in plan.unsorted:
            buckets[index] = list(objects)

    def by_id(self, object_id: str) -> StateObject | None:
        """The object with this id."""
        if self._by_id is None:
            self._by_id = {obj["objectId"]: obj for obj in self._objects}
        return self._by_id.get(object_id)

    def ancestors(self, obj: StateObject) -> Sequence[str]:
        """Ids of what holds an object (specification 3.4).

        AI2-THOR's parents where it gives any list; else the receptacle it was last placed in and what holds that.
        A ring of last receptacles, on which the reference never ends, is followed once.
        """
        parents = obj.get("parentReceptacles")
        return parents if parents is not None else self._last_parents(obj)

    def _last_parents(self, obj: StateObject) -> Sequence[str]:
        chain: list[str] = []
        seen = {obj.get("objectId")}
        while (last := obj.get("simbotLastParentReceptacle")) is not None and last not in seen:
            chain.append(last)
            seen.add(last)
            obj = self.by_id(last) or {}
            parents = obj.get("parentReceptacles")
            if parents is not None:
                return [*chain, *parents]
        return chain

    def distances(self, objects: Objects) -> list[float]:
        """Metres from the Follower's body to each object; 0 when no body was given."""
        agent = self._agent
        if agent is None:
            return [0.0] * len(objects)
        places = [obj.get("position") for obj in objects]
        return [math.inf if place is None else math.dist(agent, _XYZ(place)) for place in places]


_XYZ = itemgetter("x", "y", "z")
