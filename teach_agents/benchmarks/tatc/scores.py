"""TATC scores: success, goal-condition success and their path-weighted forms, per session and over many.

Rules: TEACh's metrics (specification 6.6 and 6.7) with TATC's path length (7.2). A session that crashed, timed out or
never started is a failed session in every denominator.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from teach_agents.benchmarks.metrics import GoalCounts, path_weight, unit_of
from teach_agents.core.benchmark.statistics import INTERVAL_RULE, bootstrap_mean, bootstrap_ratio

__all__ = ["EpisodeScore", "GoalCounts", "summarize"]


@dataclass(frozen=True, slots=True)
class EpisodeScore:
    """One session's score. `status` is `done`, `crashed` or `timed_out`.

    `length` counts the actions of both agents other than NoOp; `reference_length` the recorded interactions of both
    people, or `None` where there is no demonstration. `initial` and `final` are `None` and `room` is "" where the
    session never started.
    """

    instance_id: str
    task_name: str
    status: str
    success: bool = False
    initial: GoalCounts | None = None
    final: GoalCounts | None = None
    length: int = 0
    reference_length: int | None = None
    room: str = ""

    @property
    def cluster(self) -> str:
        """What is resampled whole with this session; see `unit_of`."""
        return unit_of(self.room, self.instance_id)

    @property
    def goals_to_do(self) -> int:
        """Goal conditions that did not hold at the start."""
        return self.initial.unmet if self.initial else 0

    @property
    def goals_done(self) -> int:
        """Of these, how many hold at the end; negative when the agents undid more than they did."""
        return self.goals_to_do - self.final.unmet if self.final else 0

    @property
    def goal_success(self) -> float:
        """Goal-condition success of this session; 1 when nothing was left to do, 0 when it never started."""
        if self.initial is None or self.final is None:
            return 0.0
        return self.goals_done / self.goals_to_do if self.goals_to_do else 1.0

    @property
    def path_weight(self) -> float:
        """min(1, reference length / length); 0 without a demonstration."""
        return path_weight(self.reference_length or 0, self.length)


def summarize(scores: Sequence[EpisodeScore]) -> dict[str, object]:
    """The aggregate over all sessions, as JSON; every rate with its 95 % interval over rooms, by `interval_rule`."""
    rooms = [score.cluster for score in scores]
    rate, rate_ci = bootstrap_mean([float(score.success) for score in scores], clusters=rooms)
    macro, macro_ci = bootstrap_mean([score.goal_success for score in scores], clusters=rooms)
    micro, micro_ci = bootstrap_ratio(
        [float(score.goals_done) for score in scores], [float(score.goals_to_do) for score in scores], clusters=rooms
    )
    status = Counter(score.status for score in scores)
    return {
        "n": len(scores),
        "success_rate": rate,
        "success_rate_ci": rate_ci,
        "goal_condition_success_macro": macro,
        "goal_condition_success_macro_ci": macro_ci,
        "goal_condition_success_micro": micro,
        "goal_condition_success_micro_ci": micro_ci,
        **_path_weighted(scores),
        "interval_rule": INTERVAL_RULE,
        "crashed": status["crashed"],
        "timed_out": status["timed_out"],
    }


def _path_weighted(scores: Sequence[EpisodeScore]) -> dict[str, object]:
    """Path-weighted rates over the sessions that have a demonstration: weights are the demonstrations' lengths."""
    shown = [score for score in scores if score.reference_length]
    weights = [float(score.reference_length or 0) for score in shown]

    def weighted(value: Callable[[EpisodeScore], float]) -> tuple[float | None, list[float]]:
        tops = [value(score) * score.path_weight * weight for score, weight in zip(shown, weights, strict=True)]
        return bootstrap_ratio(tops, weights, clusters=[score.cluster for score in shown])

    success, success_ci = weighted(lambda score: float(score.success))
    goals, goals_ci = weighted(lambda score: score.goal_success)
    return {
        "path_weighted_success_rate": success,
        "path_weighted_success_rate_ci": success_ci,
        "path_weighted_goal_condition_success": goals,
        "path_weighted_goal_condition_success_ci": goals_ci,
        "path_weighted_n": len(shown),
    }
