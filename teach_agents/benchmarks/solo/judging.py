"""What an instance is judged by, and the judging of stored states: the same with and without a simulator.

`judge` is JSON: `{"state_changes": {...}}`, an EDH file's changes by object (specification 3.9), or
`{"task_name": ..., "task_params": [...]}`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from teach_agents.benchmarks.metrics import GoalCounts
from teach_agents.installed import installed_tasks
from teach_agents.tasks import Progress, Task, TaskLibrary, evaluation_task

Rows = Sequence[Mapping[str, Any]]
"""The objects of a state, one dictionary each."""

_LEFT_OUT = frozenset(
    {
        "axisAlignedBoundingBox",
        "objectOrientedBoundingBox",
        "distance",
        "isInteractable",
        "isMoving",
        "mass",
        "name",
        "obstructed",
        "rotation",
        "salientMaterials",
        "visible",
    }
)
"""What tasks seldom ask for: shapes, and what depends on where the Follower stands."""


@lru_cache(maxsize=2)
def library(added: tuple[str, ...] = ()) -> TaskLibrary:
    """The installed tasks, read once, and `added` files and folders of some."""
    return installed_tasks(added)


def judging_task(judge: Mapping[str, Any]) -> Task:
    """The task that judges. Raises `DefinitionError` for one that is not installed (any more)."""
    if "state_changes" in judge:
        return evaluation_task(judge["state_changes"])
    return library().task(judge["task_name"], list(judge["task_params"]))


def counts_of(progress: Progress) -> GoalCounts:
    """The goal conditions of a check."""
    return GoalCounts(progress.goal_conditions_total, progress.goal_conditions_satisfied)


def unmet_of(progress: Progress) -> list[str]:
    """In words, what a state lacks."""
    return sorted({step.desc for goal in progress.subgoals for step in goal.steps if not step.success})


def slim_rows(objects: Iterable[Mapping[str, Any]], task: Task) -> list[dict[str, Any]]:
    """What judging by a task needs of a state's objects: copies without shapes and such, but for what it asks for."""
    left_out = _LEFT_OUT - task.properties
    return [{key: value for key, value in one.items() if key not in left_out} for one in objects]


def kept_rows(before: Rows, after: Rows) -> list[str | Mapping[str, Any]]:
    """A later state, briefly: the id of each object that is as it was `before`, the whole row of any other."""
    known = {one["objectId"]: one for one in before}
    return [one["objectId"] if known.get(one["objectId"]) == one else one for one in after]


def restored_rows(before: Rows, kept: Iterable[str | Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The state that `kept_rows` wrote."""
    known = {one["objectId"]: one for one in before}
    return [known[one] if isinstance(one, str) else one for one in kept]
