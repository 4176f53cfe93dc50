"""A task ready to be checked: compiled once, judged on any number of states (TEACh specification 3.7, 3.10)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from teach_agents.tasks.atoms import AllAtom, CountedAtom, Found, Preconditions
from teach_agents.tasks.definitions import count_of
from teach_agents.tasks.progress import ProblemKeys, Progress, Step, SubGoal, maker
from teach_agents.tasks.relations import RelationCheck
from teach_agents.tasks.scan import BucketPlan, Objects, Scan
from teach_agents.tasks.substitution import Resolved, ResolvedComponent, ResolvedTask

FREE_PLAY = "Free Play"
"""The task without goals, which is never done: for sessions in which people only explore."""


class Task:
    """A task with its parameters. Immutable; one value can judge any number of states, from any thread.

    `task_id` is TEACh's number of the task, `params` what it was made with, `description` what is to be done in words,
    `properties` the objects' properties that it reads, `resolved` its components and relations with the parameters in
    place. Every check looks at the objects afresh: nothing is remembered between two calls.
    """

    def __init__(self, resolved: ResolvedTask) -> None:
        self.resolved = resolved
        self.task_id, self.name, self.params = resolved.task_id, resolved.name, resolved.params
        self.description = resolved.desc
        self.properties = resolved.properties
        self._plan = BucketPlan()
        self._check = _Compiler(self._plan).task(resolved, 1)
        self._preconditions = Preconditions(resolved)

    def __repr__(self) -> str:
        return f"Task({self.name!r}, {list(self.params)!r})"

    def check(self, objects: Objects, agent_position: Sequence[float] | None = None) -> Progress:
        """How far the task is, judged on objects as found in game files or a household.

        `agent_position` (x, y, z in metres) lets equally good candidates be named nearest first; without it they
        keep the objects' order.
        """
        outcome = self._check.check(Scan(self._plan, objects, agent_position))
        return Progress(
            self.description,
            outcome.success and self.name != FREE_PLAY,
            _ids(outcome.satisfied),
            _ids(outcome.candidates),
            outcome.subgoals,
            outcome.total,
            outcome.met,
        )

    def preconditions(self, objects: Objects, agent_position: Sequence[float] | None = None) -> bool:
        """Whether the objects that the task needs exist at all, slicing and cracking allowed (3.10).

        Where they are does not matter; `agent_position` is accepted for symmetry with `check` and not used.
        """
        return self._preconditions.met(objects)


def _ids(objects: Objects | None) -> tuple[str, ...] | None:
    return None if objects is None else tuple([obj["objectId"] for obj in objects])


class _Outcome(NamedTuple):
    """A task judged, with objects instead of ids."""

    success: bool
    satisfied: Objects | None
    candidates: Objects | None
    subgoals: tuple[SubGoal, ...]
    total: int
    met: int


_outcome, _sub_goal, _found = maker(_Outcome), maker(SubGoal), maker(Found)


class _TaskCheck:
    """`count` instances of one task."""

    __slots__ = ("parts", "relations")

    def __init__(
        self, parts: tuple[tuple[str, _Part], ...], relations: tuple[RelationCheck, ...], anchor: str | None
    ) -> None:
        related = frozenset(key for relation in relations for key in relation.entities)
        self.parts = tuple((key, part, key in related, key == anchor) for key, part in parts)
        """Each component, and whether a relation or the anchor asks for what it found."""
        self.relations = relations

    def check(self, scan: Scan) -> _Outcome:
        """Components in order, then relations. A component that occurs several times in a task is judged once."""
        subgoals: list[SubGoal] = []
        entities: dict[str, Objects] = {}
        satisfied: Objects | None = None
        candidates: Objects | None = None
        known = scan.results
        for key, part, is_related, is_anchor in self.parts:
            found: Found | None = known.get(part)
            if found is None:
                found = known[part] = part.find(scan)
            if found.subgoal is not None:
                subgoals.append(found.subgoal)
            if is_related:
                entities[key] = [*(found.satisfied or ()), *found.candidates]
            if is_anchor:
                satisfied, candidates = found.satisfied, found.anchor_candidates
        if self.relations:
            subgoals += [relation.find(scan, entities) for relation in self.relations]
        success, total, met = True, 0, 0
        for subgoal in subgoals:
            success = success and subgoal.success
            total += subgoal.goal_conditions_total
            met += subgoal.goal_conditions_satisfied
        return _outcome((success, satisfied, candidates, tuple(subgoals), total, met))


@dataclass(slots=True, eq=False)
class _SubTask:
    """A component that is a task: its outcome told as one sub-goal."""

    check: _TaskCheck
    desc: str

    def find(self, scan: Scan) -> Found:
        """Judge the task; relations see its satisfied objects only."""
        outcome = self.check.check(scan)
        success, satisfied, candidates, subgoals, total, met = outcome
        steps = tuple([step for subgoal in subgoals for step in subgoal.steps if not step.success])
        successes = tuple([subgoal.success for subgoal in subgoals])
        shown = _representative(outcome)
        told = _sub_goal((success, steps, _merged(subgoals), total, met, self.desc, shown, successes, False))
        return _found((satisfied, (), candidates, told))


_Part = CountedAtom | AllAtom | _SubTask


def _merged(subgoals: Sequence[SubGoal]) -> dict[str, ProblemKeys]:
    merged: dict[str, ProblemKeys] = {}
    for subgoal in subgoals:
        if subgoal.problem_keys:
            for object_id, keys in subgoal.problem_keys.items():
                merged[object_id] = (*merged[object_id], *keys) if object_id in merged else keys
    return merged


def _representative(outcome: _Outcome) -> str:
    """The object to show for a sub-task: of its anchor if it has any object, else of its steps."""
    first = (outcome.satisfied, outcome.candidates)
    for objects in first if outcome.success else (outcome.candidates, outcome.satisfied):
        if objects:
            return str(objects[0]["objectId"])
    steps: list[Step] = [step for subgoal in outcome.subgoals for step in subgoal.steps]
    done = next((step for step in steps if step.success), steps[-1] if steps else None)
    return done.object_id if done else ""


class _Compiler:
    """Turns a resolved task into checks, sharing components that ask for the same."""

    def __init__(self, plan: BucketPlan) -> None:
        self._plan = plan
        self._known: dict[object, _Part] = {}

    def task(self, task: ResolvedTask, count: int) -> _TaskCheck:
        """The check of `count` instances; components with the determiner "0" are none."""
        parts = tuple(
            (key, self._part(component, count)) for key, component in task.components if component.determiner != "0"
        )
        return _TaskCheck(parts, tuple(RelationCheck(relation, count) for relation in task.relations), task.anchor)

    def _part(self, component: Resolved, count: int) -> _Part:
        key = _identity(component, count)
        if key not in self._known:
            self._known[key] = self._made(component, count)
        return self._known[key]

    def _made(self, component: Resolved, count: int) -> _Part:
        determiner = component.determiner
        if isinstance(component, ResolvedComponent):
            desc = component.task.desc if determiner == "a" else f"{determiner} x {component.task.desc}"
            return _SubTask(self.task(component.task, count * count_of(determiner)), desc)
        if determiner == "all":
            return AllAtom(component, self._plan)
        return CountedAtom(component, count * count_of(determiner), self._plan)


def _identity(component: Resolved, count: int) -> object:
    """Equal for components that find the same in every state."""
    if isinstance(component, ResolvedComponent):
        return ("task", component.determiner, component.task.name, component.task.params, count)
    return (
        component.determiner,
        component.primary,
        component.shareable,
        tuple((name, type(wanted), wanted) for name, wanted in component.conditions.items()),
        tuple(component.failure_descs.items()),
        count,
    )
