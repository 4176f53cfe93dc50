"""What a progress check finds: sub-goals, steps, problem keys and goal-condition counts.

`Progress.to_json` gives the reference checker's output, key for key and in its order; `Progress.to_reply` what a
Commander sees when it opens the progress check (TEACh specification 3.7, 5.8).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, TypeVar

from teach_agents.core.json_types import JsonObject
from teach_agents.tasks.definitions import Scalar

_Named = TypeVar("_Named", bound=tuple[Any, ...])


def maker(kind: type[_Named]) -> Callable[[Iterable[Any]], _Named]:
    """What makes a named tuple of all its fields, in order, in a third of its constructor's time: checks make many."""
    return partial(tuple.__new__, kind)


class Step(NamedTuple):
    """One thing that is done, or remains to be done, with one object; `desc` says it in words."""

    success: bool
    object_id: str
    object_type: str
    desc: str

    def to_json(self) -> JsonObject:
        """The reference's form."""
        return dict(zip(("success", "objectId", "objectType", "desc"), self, strict=True))


class ProblemKey(NamedTuple):
    """One property of a problem object that is not as wanted.

    `type_last` only says where the reference puts the type among the keys (relations with the tail `the`).
    """

    object_type: str
    determiner: str | int
    property_name: str
    desired_property_value: Scalar
    type_last: bool = False

    def to_json(self) -> JsonObject:
        """The reference's form."""
        wanted: JsonObject = {
            "determiner": self.determiner,
            "property_name": self.property_name,
            "desired_property_value": self.desired_property_value,
        }
        kind = {"objectType": self.object_type}
        return wanted | kind if self.type_last else kind | wanted


ProblemKeys = tuple[ProblemKey, ...]
"""What is wrong with one object."""


class SubGoal(NamedTuple):
    """One component or relation of a task, judged.

    `problem_keys` maps object ids to what is wrong with them. Components that are tasks have a `description`, a
    `representative_object_id` (an object to show for it, or "") and the `step_successes` of their own sub-goals;
    these are "", `None` and `()` elsewhere. `lacks_tail` marks a relation without any object to be related to.
    """

    success: bool
    steps: tuple[Step, ...]
    problem_keys: Mapping[str, ProblemKeys]
    goal_conditions_total: int
    goal_conditions_satisfied: int
    description: str = ""
    representative_object_id: str | None = None
    step_successes: tuple[bool, ...] = ()
    lacks_tail: bool = False

    def to_json(self) -> JsonObject:
        """The reference's form; `problem_keys` is `[]` where the relation lacks a tail, as it is there."""
        keys: Any = {oid: [key.to_json() for key in found] for oid, found in self.problem_keys.items()}
        head: JsonObject = {}
        if self.representative_object_id is not None:
            head = {
                "representative_obj_id": self.representative_object_id,
                "step_successes": list(self.step_successes),
            }
        return head | {
            "success": self.success,
            "description": self.description,
            "steps": [step.to_json() for step in self.steps],
            "problem_keys": [] if self.lacks_tail else keys,
            "goal_conditions_total": self.goal_conditions_total,
            "goal_conditions_satisfied": self.goal_conditions_satisfied,
        }


@dataclass(frozen=True, slots=True)
class Progress:
    """A task judged on one state.

    The totals are sums over the sub-goals; satisfied may exceed total where several objects stand in a relation
    that needed fewer (specification 3.8). `satisfied_objects` and `candidate_objects` are the anchor's, `None`
    without an anchor.
    """

    description: str
    success: bool
    satisfied_objects: tuple[str, ...] | None
    candidate_objects: tuple[str, ...] | None
    subgoals: tuple[SubGoal, ...]
    goal_conditions_total: int
    goal_conditions_satisfied: int

    def to_json(self) -> JsonObject:
        """The reference checker's output, objects as ids."""
        return {name: getattr(self, name) for name in Progress.__slots__} | {
            "satisfied_objects": _listed(self.satisfied_objects),
            "candidate_objects": _listed(self.candidate_objects),
            "subgoals": [subgoal.to_json() for subgoal in self.subgoals],
        }

    def to_reply(self) -> JsonObject:
        """The progress check's reply: description, success and sub-goals, every success as 0 or 1."""
        return {
            "task_desc": self.description,
            "success": int(self.success),
            "subgoals": [_with_numbers(subgoal.to_json()) for subgoal in self.subgoals],
        }


def _listed(ids: Sequence[str] | None) -> list[str] | None:
    return None if ids is None else list(ids)


def _with_numbers(subgoal: JsonObject) -> JsonObject:
    subgoal["success"] = int(subgoal["success"])
    if "step_successes" in subgoal:
        subgoal["step_successes"] = [int(success) for success in subgoal["step_successes"]]
    for step in subgoal["steps"]:
        step["success"] = int(step["success"])
    return subgoal
