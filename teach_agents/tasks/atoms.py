"""Components that ask for objects: `a` or a number of them (TEACh specification 3.5), or `all` (3.6).

Whether an object's property is as wanted (TEACh specification 3.3), one test per condition. Hardened where the
reference fails: a receptacle that is missing from the state, or that has no class list, does not match.

Whether a state holds what a task needs at all (TEACh specification 3.10). Each component asks only that enough
objects meet its primary condition; what is not yet sliced or cracked counts. The reference crashes where an egg is
not yet cracked, or where `all` slices are asked for and only the base exists (Q2); here each egg counts as one, and
one base is enough for slices.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from teach_agents.tasks.classes import BASIN_TWINS
from teach_agents.tasks.definitions import AtomicComponent, Scalar, count_of
from teach_agents.tasks.progress import ProblemKey, ProblemKeys, Step, SubGoal, maker
from teach_agents.tasks.scan import BucketPlan, Objects, Scan, StateObject
from teach_agents.tasks.substitution import ResolvedTask


class Found(NamedTuple):
    """What a component found: objects for relations, for the anchor, and its sub-goal (`None`: not counted).

    `candidates` serve relations; the anchor takes `anchor_candidates`. `satisfied` and `anchor_candidates` are
    `None` where a task without an anchor was asked.
    """

    satisfied: Objects | None
    candidates: Objects
    anchor_candidates: Objects | None
    subgoal: SubGoal | None


_found, _sub_goal, _step, _problem_key = maker(Found), maker(SubGoal), maker(Step), maker(ProblemKey)
_PLAIN = SubGoal(False, (), {}, 0, 0)[5:]
"""What a sub-goal that is no task tells of itself as one: nothing."""

Flags = tuple[bool, ...]
Judged = tuple[StateObject, Flags]
"""An object and whether each condition holds, in the conditions' order."""


def bases_of(wanted: Scalar) -> tuple[str, ...]:
    """What can be made into the wanted type: Bread for BreadSliced, Egg for EggCracked."""
    if not isinstance(wanted, str):
        return ()
    return tuple(wanted.replace(word, "") for word in ("Sliced", "Cracked") if word in wanted)


def bucket_for(plan: BucketPlan, primary: str, wanted: Scalar) -> int:
    """The bucket that holds whatever can match a primary condition, or be made to match it."""
    if isinstance(wanted, str) and primary == "objectType":
        return plan.of_types([*(str(name) for name in matching_types(wanted)), *bases_of(wanted)])
    if isinstance(wanted, str) and primary == "simbotObjectClass":
        return plan.of_class(wanted)
    return plan.of_all()


class _Atom:
    """What both kinds share: the tests, and how steps and problem keys are told."""

    __slots__ = ("bucket", "keys", "primary", "size", "tests", "texts")

    def __init__(self, component: AtomicComponent, plan: BucketPlan) -> None:
        names = list(component.conditions)
        self.tests = tuple(condition_test(name, wanted) for name, wanted in component.conditions.items())
        self.size = len(names)
        self.primary = names.index(component.primary)
        self.bucket = bucket_for(plan, component.primary, component.conditions[component.primary])
        self.texts = tuple((names.index(name), text) for name, text in component.failure_descs.items())
        self.keys = tuple((component.determiner, name, wanted) for name, wanted in component.conditions.items())

    def judged(self, scan: Scan) -> Iterable[Judged]:
        """Every object of the bucket; condition by condition, because a call for each would cost more than its test."""
        objects = scan.buckets[self.bucket]
        return zip(objects, zip(*[test(objects, scan) for test in self.tests], strict=True), strict=True)

    def steps(self, problems: Sequence[Judged], representative: StateObject | None) -> tuple[Step, ...]:
        """Per explained condition: a failing step per problem object, or one done step for a representative."""
        if not problems:
            if representative is None:
                return ()
            object_id, object_type = representative["objectId"], representative["objectType"]
            return tuple([_step((True, object_id, object_type, text)) for _, text in self.texts])
        steps: list[Step] = []
        done = [] if representative is None else [representative]
        for index, text in self.texts:
            failing = [obj for obj, flags in problems if not flags[index]]
            steps += [_step((not failing, obj["objectId"], obj["objectType"], text)) for obj in failing or done]
        return tuple(steps)

    def problem_keys(self, problems: Sequence[Judged]) -> dict[str, ProblemKeys]:
        """Per problem object every condition that fails, explained or not."""
        return {
            obj["objectId"]: tuple(
                [
                    _problem_key((obj["objectType"], *key, False))
                    for key, holds in zip(self.keys, flags, strict=True)
                    if not holds
                ]
            )
            for obj, flags in problems
        }


class CountedAtom(_Atom):
    """`count` objects that meet all conditions."""

    __slots__ = ("bases", "count", "primary_name", "sliced")

    def __init__(self, component: AtomicComponent, count: int, plan: BucketPlan) -> None:
        super().__init__(component, plan)
        wanted = component.conditions[component.primary]
        self.count = 1 if component.shareable else count
        self.primary_name = component.primary
        self.bases = bases_of(wanted)
        self.sliced = isinstance(wanted, str) and "Sliced" in wanted

    def find(self, scan: Scan) -> Found:
        """Judge the objects of a state."""
        satisfied, candidates, needed = self._judge(scan)
        if len(candidates) > 1:
            away = scan.distances([obj for obj, _ in candidates])
            ranks = [(-sum(flags), far) for (_, flags), far in zip(candidates, away, strict=True)]
            candidates = [candidates[n] for n in sorted(range(len(ranks)), key=ranks.__getitem__)]
        done, count = len(satisfied), self.count
        problems = candidates[: needed - done] if needed > done else []
        ordered = [obj for obj, _ in candidates]
        representative = satisfied[0] if satisfied else ordered[0] if ordered else None
        met = self.size * (done if done < count else count)
        for _, flags in problems:
            met += sum(flags)
        steps, keys = self.steps(problems, representative), self.problem_keys(problems) if problems else {}
        told = (done >= count, steps, keys, self.size * count, met, *_PLAIN)
        return _found((satisfied, ordered, ordered, _sub_goal(told)))

    def _judge(self, scan: Scan) -> tuple[list[StateObject], list[Judged], int]:
        """Satisfied objects, candidates in list order, and how many are needed: one is, if it can be sliced."""
        satisfied: list[StateObject] = []
        candidates: list[Judged] = []
        primary, needed = self.primary, self.count
        for obj, flags in self.judged(scan):
            if False not in flags:
                satisfied.append(obj)
            elif len(satisfied) < self.count and (flags[primary] or obj.get(self.primary_name) in self.bases):
                candidates.append((obj, flags))
                if self.sliced and not flags[primary] and sum(flags) == self.size - 1:
                    needed = 1
        return satisfied, candidates, needed


class AllAtom(_Atom):
    """Every object that meets the primary condition must meet the others; none at all is fine."""

    __slots__ = ()

    def find(self, scan: Scan) -> Found:
        """Judge the objects of a state. A sub-goal that is met and has nothing to tell is left out (Q16)."""
        satisfied: list[StateObject] = []
        problems: list[Judged] = []
        for obj, flags in self.judged(scan):
            if False not in flags:
                satisfied.append(obj)
            elif flags[self.primary]:
                problems.append((obj, flags))
        ordered = [obj for obj, _ in problems]
        steps = self.steps(problems, satisfied[0] if satisfied else None)
        met = self.size * len(satisfied) + sum(sum(flags) for _, flags in problems)
        total = self.size * (len(satisfied) + len(problems))
        told = problems or steps
        subgoal = SubGoal(not problems, steps, self.problem_keys(problems), total, met) if told else None
        return Found(satisfied, ordered, ordered, subgoal)


Test = Callable[[Objects, Scan], list[bool]]
"""Whether one condition holds, for each of some objects."""

_MISSING = object()


def matching_types(wanted: Scalar) -> tuple[Scalar, ...]:
    """The types that count as the wanted one: itself, and the basin twin of a sink or bathtub."""
    twin = BASIN_TWINS.get(wanted) if isinstance(wanted, str) else None
    return (wanted,) if twin is None else (wanted, twin)


def condition_test(name: str, wanted: Scalar) -> Test:
    """The test that property `name` is as wanted."""
    if name == "objectType":
        types = matching_types(wanted)
        return lambda objects, _: [obj.get("objectType", _MISSING) in types for obj in objects]
    if name == "simbotLastParentReceptacle" and wanted is not None:
        return _last_parent_test(wanted)
    if name == "parentReceptacles":
        return _ancestor_test(wanted)
    if type(wanted) is int and wanted in (0, 1):
        true = bool(wanted)
        return lambda objects, _: [bool(obj.get(name, not true)) is true for obj in objects]
    return _value_test(name, wanted)


def _is_a(obj: StateObject | None, wanted: Scalar) -> bool:
    """Whether a receptacle is of the wanted type or class."""
    return obj is not None and (
        obj.get("objectType") in matching_types(wanted) or wanted in (obj.get("simbotObjectClass") or ())
    )


def _last_parent_test(wanted: Scalar) -> Test:
    def stands(obj: StateObject, scan: Scan) -> bool:
        last = obj.get("simbotLastParentReceptacle")
        return last is not None and _is_a(scan.by_id(last), wanted)

    return lambda objects, scan: [stands(obj, scan) for obj in objects]


def _ancestor_test(wanted: Scalar) -> Test:
    def stands(obj: StateObject, scan: Scan) -> bool:
        holders = scan.ancestors(obj) if "parentReceptacles" in obj else ()
        return any(_is_a(scan.by_id(parent), wanted) for parent in holders)

    return lambda objects, scan: [stands(obj, scan) for obj in objects]


def _value_test(name: str, wanted: Scalar) -> Test:
    def matches(value: Any) -> bool:
        return wanted in value if isinstance(value, (list, tuple)) else bool(value == wanted)

    return lambda objects, _: [matches(obj.get(name, _MISSING)) for obj in objects]


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
        objects = scan.buckets[self.bucket]
        holds = self.test(objects, scan)
        bases = [obj for obj, held in zip(objects, holds, strict=True) if not held and obj.get(self.name) in self.bases]
        return sum(holds) + len(bases) * (self.number if self.many else 1) >= self.number


class Preconditions:
    """The needs of a task and its sub-tasks; relations do not matter."""

    def __init__(self, task: ResolvedTask) -> None:
        self._plan = BucketPlan()
        self._needs: list[_Need] = []
        self._add(task, 1)

    def _add(self, task: ResolvedTask, count: int) -> None:
        for _, component in task.components:
            determiner = component.determiner
            needed = 1 if determiner == "all" else count * count_of(determiner)
            if determiner == "0":
                continue
            if isinstance(component, AtomicComponent):
                self._needs.append(self._need(component, needed))
            else:
                self._add(component.task, needed)

    def _need(self, component: AtomicComponent, count: int) -> _Need:
        name, wanted = component.primary, component.conditions[component.primary]
        return _Need(
            bucket_for(self._plan, name, wanted),
            name,
            condition_test(name, wanted),
            bases_of(wanted),
            many=isinstance(wanted, str) and "Sliced" in wanted,
            number=1 if component.shareable else count,
        )

    def met(self, objects: Objects) -> bool:
        """Whether the objects of a state meet every need."""
        scan = Scan(self._plan, objects, None)
        return all(need.met(scan) for need in self._needs)
