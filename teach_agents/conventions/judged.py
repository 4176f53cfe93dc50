"""EDH, TfD and TATC step by step: rewards from a task's progress, and the benchmark's record of the end."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from teach_agents.actions import Role
from teach_agents.benchmarks.metrics import Outcome, Status, measure
from teach_agents.benchmarks.solo.judging import counts_of
from teach_agents.conventions.stepper import Stepper
from teach_agents.core.json_types import JsonObject
from teach_agents.errors import InputError
from teach_agents.household import Household, Limits
from teach_agents.session.environment import HouseholdEnvironment
from teach_agents.session.format import counts_of as counts_to_json
from teach_agents.session.spaces import HouseholdSpaces
from teach_agents.tasks import Progress, Task

REWARDS = ("success", "goal_conditions")
"""What a reward is the change of: the task's success (0 or 1), or the share of its missing goal conditions met."""


class HouseholdStepper(Stepper):
    """A household's instances, judged as the benchmarks do it. A subclass furnishes them, and calls `judge`.

    Rewards add up to the final success, or goal-condition success, less the first; they are for training: an agent that
    is shown them while it is judged reads the ground truth. `told` is whether `info` has the progress, which leaks too.
    """

    environment: HouseholdEnvironment
    unit = "turn"

    def __init__(  # as `Stepper`
        self,
        household: Household,
        instances: Iterable[Any],
        outside: Sequence[str],
        limits: Limits,
        *,
        reward: str,
        told: bool,
        overhead: bool,
    ) -> None:
        spaces = HouseholdSpaces(household.view_size, overhead=overhead)
        environment = HouseholdEnvironment(household, limits, judged=False)
        super().__init__(environment, instances, outside, spaces=spaces)
        self._reward = reward
        self._told = told

    def judge(self, task: Task, known: Outcome) -> None:
        """Follow the progress of a task from now on; `known` is what was known before the first step."""
        InputError.check("reward", self._reward, REWARDS, "reward")
        self._task = task
        self._last = self._checked()
        first = counts_of(self._last)
        self._to_reach = first.unmet
        self._known = replace(known, initial=known.initial or first)

    def _checked(self) -> Progress:
        household = self.environment.household
        return self._task.check(household.objects, agent_position=household.simulator.state.agent.position)

    @property
    def length(self) -> int:
        """How long the episode is, as the benchmark counts."""
        return self.episode.turn

    def worth(self) -> float:
        """What the present state is worth, as the reward has it."""
        self._last = self._checked()
        if self._reward == "success":
            return float(self._last.success)
        return 1 - counts_of(self._last).unmet / self._to_reach if self._to_reach else 1.0

    def info(self, seat: str) -> JsonObject:
        """How the instance goes for a role; at its end the benchmark's record."""
        failures = self.environment.failures
        turn = self.episode.turn
        info: JsonObject = {"instance_id": self.instance_id, self.unit: turn, "failures": failures[Role(seat)]}
        if self._told:
            info["progress"] = counts_to_json(self._last)
        if self.end:
            failed = sum(failures[Role(one)] for one in self.seats)
            info["judgement"] = self._judgement(failed, stopped=self.end.reason in ("finished", "stopped"))
        return info

    def _judgement(self, failures: int, *, stopped: bool) -> JsonObject:
        """The benchmark's record of the episode, in the reference's keys (specification 6.6), but for its actions."""
        outcome = replace(
            self._known,
            status=Status.DONE,
            success=self._last.success,
            final=counts_of(self._last),
            steps=self.length,
            predicted_stop=stopped,
            failed_actions=failures,
        )
        return {name: value for name, value in measure(outcome).to_json().items() if name != "pred_actions"}

    def words(self) -> str:
        """All that was said."""
        return str(self.seen(self.seats[-1])["dialogue"])
