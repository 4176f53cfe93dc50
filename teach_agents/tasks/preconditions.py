"""Whether a state holds what a task needs at all (TEACh specification 3.10).

Each component asks only that enough objects meet its primary condition; what is not yet sliced or cracked counts.
The reference crashes where an egg is not yet cracked, or where `all` slices are asked for and only the base exists
(Q2); here each egg counts as one, and one base is enough for slices.
"""

from __future__ import annotations

from typing import NamedTuple

from teach_agents.tasks.atoms import bases_of, bucket_for
from teach_agents.tasks.conditions import Test, condition_test
from teach_agents.tasks.definitions import AtomicComponent, count_of
from teach_agents.tasks.scan import BucketPlan, Objects, Scan
from teach_agents.tasks.substitution import ResolvedTask


class _Need(NamedTuple):
    """`number` objects that pass `test`, or are of `bases`; one base is enough where it gives `many`."""

    bucket: int
    name: str
    test: Test
    bases: tuple[str, ...]
    many: bool
    number: int

    def met(self, scan: Scan) -> bool:
        """Whether there are enough."""
        enough = 0
        objects = scan.buckets[self.bucket]
        for obj, holds in zip(objects, self.test(objects, scan), strict=True):
            if holds:
                enough += 1
            elif obj.get(self.name) in self.bases:
                enough += self.number if self.many else 1
        return enough >= self.number


class Preconditions:
    """The needs of a task and its sub-tasks; relations do not matter."""

    def __init__(self, task: ResolvedTask) -> None:
        self._plan = BucketPlan()
        self._needs: list[_Need] = []
        self._add(task, 1)

    def _add(self, task: ResolvedTask, count: int) -> None:
        for _, component in task.components:
            determiner = component.determiner
            if determiner == "0":
                continue
            needed = 1 if determiner == "all" else count * count_of(determiner)
            if isinstance(component, AtomicComponent):
                self._needs.append(self._need(component, needed))
            else:
                self._add(component.task, needed)

    def _need(self, component: AtomicComponent, count: int) -> _Need:
        name, wanted = component.primary, component.conditions[component.primary]
        return _Need(
            bucket=bucket_for(self._plan, name, wanted),
            name=name,
            test=condition_test(name, wanted),
            bases=bases_of(wanted),
            many=isinstance(wanted, str) and "Sliced" in wanted,
            number=1 if component.shareable else count,
        )

    def met(self, objects: Objects) -> bool:
        """Whether the objects of a state meet every need."""
        scan = Scan(self._plan, objects, None)
        return all(need.met(scan) for need in self._needs)
