"""EDH, TfD and TATC step by step: rewards from a task's progress, and the benchmark's record of the end."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from teach_agents.actions import Role
from teach_agents.benchmarks.metrics import GoalCounts, Outcome, Status, measure
from teach_agents.benchmarks.solo.judging import counts_of
from teach_agents.conventions.stepper import Stepper
from teach_agents.core.json_types import JsonObject
from teach_agents.errors import InputError
from teach_agents.household import Household, Limits
from teach_agents.session.environment import HouseholdEnvironment
from teach_agents.session.spaces import HouseholdSpaces
from teach_agents.tasks import Progress, Task

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

    def worth(self) -> float:
        """What the present state is worth."""
        self._last = self._standing()
        if self._reward == "success":
            return float(self._last.success)
        to_reach = self._first.counts.unmet
        return 1 - self._last.counts.unmet / to_reach if to_reach else 1.0

    def progress(self) -> JsonObject:
        """What is judged, as it stands: a leak to whoever is judged."""
        counts = self._last.counts
        return {
            "success": self._last.success,
            "goal_conditions_total": counts.total,
            "goal_conditions_satisfied": counts.satisfied,
        }

    def judgement(self, *, steps: int, stopped: bool, failures: int) -> JsonObject:
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


class HouseholdStepper(Stepper):
    """A household's instances, judged as the benchmarks do it. A subclass furnishes them, and sets `judge`.

    `told` is whether `info` has the progress.
    """

    environment: HouseholdEnvironment
    judge: Judge
    unit = "turn"

    def __init__(  # as `Stepper`
        self,
        household: Household,
        instances: Iterable[Any],
        outside: Sequence[str],
        limits: Limits,
        *,
        told: bool,
        overhead: bool,
    ) -> None:
        spaces = HouseholdSpaces(household.view_size, overhead=overhead)
        environment = HouseholdEnvironment(household, limits, judged=False)
        super().__init__(environment, instances, outside, spaces=spaces)
        self._told = told

    @property
    def length(self) -> int:
        """How long the episode is, as the benchmark counts."""
        return self.episode.turn

    def worth(self) -> float:
        """As the judge has it."""
        return self.judge.worth()

    def info(self, seat: str) -> JsonObject:
        """How the instance goes for a role; at its end the benchmark's record."""
        failures = self.environment.failures
        info: JsonObject = {"instance_id": self.instance_id, self.unit: self.episode.turn}
        info["failures"] = failures[Role(seat)]
        if self._told:
            info["progress"] = self.judge.progress()
        if self.end is not None:
            failed = sum(failures[Role(one)] for one in self.seats)
            stopped = self.end.reason in ("finished", "stopped")
            info["judgement"] = self.judge.judgement(steps=self.length, stopped=stopped, failures=failed)
        return info

    def words(self) -> str:
        """All that was said."""
        return str(self.seen(self.seats[-1])["dialogue"])
