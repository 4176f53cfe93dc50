"""What the environments count: rewards from a task's progress, and the benchmark's record of the end."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from teach_agents.benchmarks.metrics import GoalCounts, Outcome, Status, measure
from teach_agents.benchmarks.solo.judging import counts_of
from teach_agents.errors import InputError
from teach_agents.household import Household
from teach_agents.tasks import Progress, Task

__all__ = ["REWARDS", "Judge"]

REWARDS = ("success", "goal_conditions")
"""What a reward is the change of: the task's success (0 or 1), or the share of its missing goal conditions met."""


@dataclass(frozen=True, slots=True)
class _Standing:
    success: bool
    counts: GoalCounts


class Judge:
    """Follows the progress of a task in a household from the moment it is made.

    `known` is what was known before the first step. Rewards add up to the final success, or goal-condition success,
    less the first; they are for training: an agent that is shown them while it is judged reads the ground truth.
    """

    def __init__(self, household: Household, task: Task, known: Outcome, reward: str) -> None:
        if reward not in REWARDS:
            raise InputError("reward", "there is no such reward", value=reward, valid=REWARDS)
        self._household = household
        self._task = task
        self._reward = reward
        self._first = self._last = self._standing()
        self._known = replace(known, initial=known.initial or self._first.counts)

    def _standing(self) -> _Standing:
        body = self._household.simulator.state.agent
        found: Progress = self._task.check(self._household.objects, agent_position=body.position)
        return _Standing(found.success, counts_of(found))

    def reward(self) -> float:
        """What the last step changed."""
        before, self._last = self._last, self._standing()
        return self._worth(self._last) - self._worth(before)

    def _worth(self, standing: _Standing) -> float:
        if self._reward == "success":
            return float(standing.success)
        to_reach = self._first.counts.unmet
        return 1 - standing.counts.unmet / to_reach if to_reach else 1.0

    def progress(self) -> dict[str, Any]:
        """What is judged, as it stands: a leak to whoever is judged."""
        counts = self._last.counts
        return {
            "success": self._last.success,
            "goal_conditions_total": counts.total,
            "goal_conditions_satisfied": counts.satisfied,
        }

    def judgement(self, *, steps: int, stopped: bool, failures: int) -> dict[str, Any]:
        """The benchmark's record of the episode, in the reference's keys (specification 6.6), but for its actions."""
        outcome = replace(
            self._known,
            status=Status.DONE,
            success=self._last.success,
            final=self._last.counts,
            steps=steps,
            predicted_stop=stopped,
            failed_actions=failures,
        )
        record = measure(outcome).to_json()
        return {name: value for name, value in record.items() if name != "pred_actions"}
