"""TEACh's metrics for EDH and TfD, per instance and in aggregate (specification 6.6, 6.7), to the last bit.

Ours beside them, and intervals, are in `teach_agents.benchmarks.summary`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

from teach_agents.core.benchmark.costs import Costs
from teach_agents.core.benchmark.outcomes import UNKNOWN, Figure, unit_of
from teach_agents.core.benchmark.outcomes import Status as Status
from teach_agents.core.benchmark.statistics import left_to_right
from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.data.inference import Predicted
from teach_agents.errors import InputError


@dataclass(frozen=True, slots=True)
class GoalCounts:
    """Goal conditions of a task at one moment. TEACh's checker may satisfy more than there are; `met` is capped."""

    total: int
    satisfied: int

    @property
    def met(self) -> int:
        """How many of them hold."""
        return min(self.satisfied, self.total)

    @property
    def unmet(self) -> int:
        """How many do not."""
        return self.total - self.met


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of one instance.

    `success` is the evaluation task's in the final state. `reference_length` (L) counts the Follower's actions in the
    ground truth, without a Stop; `steps` (n) those of the agent, its Stop and a step that broke down included.
    `failed_actions` are those that the simulator refused. `predicted` holds name and click, as fractions (row,
    column), of every step. `cluster` is the room, `unknown` where it is not known. `reason` says why the status is not
    done.
    """

    instance_id: str
    game_id: str
    task_name: str
    cluster: str
    status: Status = Status.DONE
    reason: str = ""
    success: bool = False
    initial: GoalCounts | None = None
    final: GoalCounts | None = None
    reference_length: int = 0
    steps: int = 0
    predicted_stop: bool = False
    failed_actions: int = 0
    predicted: tuple[Predicted, ...] = ()
    costs: Costs = Costs()

    def __post_init__(self) -> None:
        if self.status is Status.DONE and (self.initial is None or self.final is None):
            raise InputError(f"instance {self.instance_id!r}", "is done, so it needs its first and last goal counts")
        if self.reference_length < 0 or self.steps < 0:
            problem = "reference_length and steps count actions: they cannot be negative"
            raise InputError(f"instance {self.instance_id!r}", problem, value=(self.reference_length, self.steps))

    @property
    def unit(self) -> str:
        """What is resampled whole with this instance; see `unit_of`."""
        return unit_of(self.cluster, self.instance_id)

    @property
    def figures(self) -> Mapping[str, Figure]:
        """What two runs are compared by."""
        measured = measure(self)
        return {
            "success_rate": Figure(measured.success),
            "goal_condition_success_macro": Figure(measured.goal_condition_success),
            "path_length_weighted_success_rate": Figure(measured.path_len_weighted_success_spl, self.reference_length),
            "steps": Figure(self.steps, of="amounts"),
            "failed_actions": Figure(self.failed_actions, of="amounts"),
            "utterances": Figure(self.costs.utterances, of="amounts"),
            "tokens": Figure(self.costs.tokens, of="amounts"),
        }

    @classmethod
    def blank(cls, instance_id: str, status: Status) -> Outcome:
        """An outcome that knows no more than the name of an instance, `<game_id>.<which>`."""
        game_id = instance_id.rpartition(".")[0]
        return cls(instance_id=instance_id, game_id=game_id, task_name=UNKNOWN, cluster=UNKNOWN, status=status)

    def to_json(self) -> JsonObject:
        """The outcome as JSON, from which everything can be computed again."""
        known = {one.name: getattr(self, one.name) for one in fields(self)}
        goals = {name: known[name] and asdict(known[name]) for name in ("initial", "final")}
        return {**known, **goals, "predicted": _pairs(self.predicted), "costs": self.costs.to_json()}

    @classmethod
    def from_json(cls, data: JsonMapping) -> Outcome:
        """Read `to_json`'s form. Raises `InputError` for anything else."""
        try:
            goals = {name: data[name] and GoalCounts(**data[name]) for name in ("initial", "final")}
            predicted = tuple((name, click and (click[0], click[1])) for name, click in data["predicted"])
            made = {"status": Status(data["status"]), "predicted": predicted, "costs": Costs(**data["costs"]), **goals}
            return cls(**{**data, **made})
        except (KeyError, IndexError, TypeError, ValueError) as error:
            raise InputError("outcome", f"cannot be read: {error}", value=data.get("instance_id")) from error


def _pairs(predicted: Iterable[Predicted]) -> list[list[Any]]:
    return [[name, None if click is None else list(click)] for name, click in predicted]


@dataclass(frozen=True, slots=True, kw_only=True)
class InstanceMetrics:
    """The reference's record of one instance, under the reference's names.

    `goal_condition_success` is negative where the agent undid more than it did.
    """

    instance_id: str
    game_id: str
    completed_goal_conditions: int = 0
    total_goal_conditions: int = 0
    goal_condition_success: float = 0.0
    success_spl: float = 0.0
    path_len_weighted_success_spl: float = 0.0
    goal_condition_spl: float = 0.0
    path_len_weighted_goal_condition_spl: float = 0.0
    gt_path_len: int = 0
    reward: float = 0.0
    success: int = 0
    traj_len: int = 0
    predicted_stop: int = 0
    num_api_fails: int = 0
    error: int = 0
    init_success: bool = True
    pred_actions: tuple[Predicted, ...] = ()

    def to_json(self) -> JsonObject:
        """The record in the reference's format and order of keys (`reward` is always 0 there)."""
        return {**asdict(self), "pred_actions": _pairs(self.pred_actions)}


def measure(outcome: Outcome) -> InstanceMetrics:
    """One instance's metrics.

    What did not start adds to no sum but the number of instances, as in the reference. What crashed, timed out or is
    missing has failed: it reached nothing of what was to be reached and still counts with its length.
    """
    if outcome.status is Status.NOT_STARTED:
        return InstanceMetrics(instance_id=outcome.instance_id, game_id=outcome.game_id, init_success=False)
    done = outcome.status is Status.DONE
    to_reach = outcome.initial.unmet if outcome.initial else 0
    unmet = outcome.final.unmet if done and outcome.final else to_reach
    goals = (1 - unmet / to_reach if to_reach else 1.0) if done else 0.0
    success = int(done and outcome.success)
    length = outcome.reference_length
    weight = path_weight(length, outcome.steps)
    return InstanceMetrics(
        instance_id=outcome.instance_id,
        game_id=outcome.game_id,
        completed_goal_conditions=to_reach - unmet,
        total_goal_conditions=to_reach,
        goal_condition_success=goals,
        success_spl=success * weight,
        path_len_weighted_success_spl=success * weight * length,
        goal_condition_spl=goals * weight,
        path_len_weighted_goal_condition_spl=goals * weight * length,
        gt_path_len=length,
        success=success,
        traj_len=outcome.steps,
        predicted_stop=int(outcome.predicted_stop),
        num_api_fails=outcome.failed_actions,
        error=int(not done),
        pred_actions=outcome.predicted,
    )


def path_weight(reference_length: int, steps: int) -> float:
    """min(1, L / max(n, L)); 0 where nothing was to be done and nothing was, for which the reference has no answer."""
    longest = max(steps, reference_length)
    return reference_length / longest if longest else 0.0


def aggregate(metrics: Sequence[InstanceMetrics], *, max_steps: int = 1000, max_failures: int = 30) -> JsonObject:
    """The reference's aggregate over one record per instance, in its format.

    Its goal-condition rate is a micro average: all conditions pooled. Where the reference would divide by zero, a rate
    of goal conditions is `None` if there were none to reach. Raises `InputError` for no instances, or two of one name.
    """
    if not metrics:
        raise InputError("metrics", "there are no instances to aggregate")
    by_id = {one.instance_id: one for one in metrics}
    if len(by_id) < len(metrics):
        raise InputError("metrics", "two records go by the name of one instance")

    def total(name: str) -> int:
        return sum(getattr(one, name) for one in metrics)

    successes, completed, to_reach = map(total, ("success", "completed_goal_conditions", "total_goal_conditions"))
    lengths = total("gt_path_len")
    weighted_success = left_to_right(one.path_len_weighted_success_spl for one in metrics)
    weighted_goals = left_to_right(one.path_len_weighted_goal_condition_spl for one in metrics)
    return {
        "success": {
            "num_successes": successes,
            "num_evals": len(metrics),
            "success_rate": successes / len(metrics),
        },
        "goal_condition_success": {
            "completed_goal_conditions": completed,
            "total_goal_conditions": to_reach,
            "goal_condition_success_rate": completed / to_reach if to_reach else None,
        },
        "path_length_weighted_success_rate": weighted_success / lengths if lengths else 0.0,
        "path_length_weighted_goal_condition_success_rate": weighted_goals / lengths if lengths else 0.0,
        "num_predicted_stops": total("predicted_stop"),
        "num_fails_by_api_limit": sum(one.num_api_fails >= max_failures for one in metrics),
        "num_fails_by_traj_len_limit": sum(one.traj_len >= max_steps for one in metrics),
        "num_fails_by_error": total("error"),
        "traj_stats": {instance_id: one.to_json() for instance_id, one in by_id.items()},
    }
