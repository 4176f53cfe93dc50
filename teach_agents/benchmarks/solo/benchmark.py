"""EDH and TfD behind the Benchmark contract: what the two have in common."""

from __future__ import annotations

import hashlib
import traceback
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Any

from teach_agents.actions import Role
from teach_agents.agents.contract import Agent, Briefing
from teach_agents.benchmarks.contract import Benchmark
from teach_agents.benchmarks.fidelity.insisting import Insisting
from teach_agents.benchmarks.metrics import GoalCounts, Outcome, Status, measure
from teach_agents.benchmarks.selection import ordered
from teach_agents.benchmarks.solo.playing import play_alone
from teach_agents.benchmarks.solo.references import Reference
from teach_agents.data.follower_actions import FollowerAction
from teach_agents.data.games import Game, read_game
from teach_agents.errors import InputError
from teach_agents.household import Household, Limits
from teach_agents.installed import installed_tasks
from teach_agents.simulator.contract import Simulator
from teach_agents.simulator.embedded import EmbeddedSimulator
from teach_agents.specs import build
from teach_agents.tasks import Task

__all__ = ["FollowerBenchmark", "Prepared", "counts", "household_for"]

_FIGURES = (
    "success",
    "goal_condition_success",
    "completed_goal_conditions",
    "total_goal_conditions",
    "success_spl",
    "path_len_weighted_success_spl",
    "goal_condition_spl",
    "path_len_weighted_goal_condition_spl",
    "gt_path_len",
    "traj_len",
    "num_api_fails",
    "predicted_stop",
    "error",
)


@dataclass(frozen=True, slots=True)
class Prepared:
    """An instance whose state stands in the household: what is judged, from what counts on, and the ground truth.

    `future` is `None` where the instance comes without it. `overrides` says what restoring had to enforce.
    """

    task: Task
    initial: GoalCounts
    future: tuple[FollowerAction, ...] | None
    overrides: tuple[Mapping[str, Any], ...] = ()


def counts(task: Task, household: Household) -> GoalCounts:
    """Goal conditions of a task in the household's present state."""
    progress = task.check(household.objects, agent_position=household.simulator.state.agent.position)
    return GoalCounts(progress.goal_conditions_total, progress.goal_conditions_satisfied)


def household_for(simulator: str, view_size: int = 300) -> Household:
    """A household on the simulator of a SPEC; on the embedded one recorded placements can be insisted on."""
    made = build("simulator", simulator, allow_import=True)
    assert isinstance(made, Simulator)
    inner = Insisting(made) if isinstance(made, EmbeddedSimulator) else made
    return Household(inner, installed_tasks(()), view_size=view_size)


class FollowerBenchmark(Benchmark[Reference, Mapping[str, Any]]):
    """A Follower, named by a SPEC, alone in restored states of recorded sessions.

    Splits are the names of the folders that the files lie in. A record is `{"outcome": ..., "overrides": [...]}`: what
    `metrics.Outcome.from_json` reads, and what restoring had to enforce. Whatever goes wrong is in it.
    """

    name = "benchmark"

    def __init__(
        self,
        follower: str,
        simulator: str,
        references: Sequence[Reference],
        *,
        seed: int = 0,
        limits: Limits,
        view_size: int,
    ) -> None:
        self._follower = follower
        self._seed = seed
        self._limits = limits
        self._references = ordered(references)
        self.splits = tuple(sorted({one.split for one in references}))
        self._household = household_for(simulator, view_size)

    @abstractmethod
    def prepare(self, reference: Reference, game: Game, household: Household) -> Prepared:
        """Set the household up as the instance begins."""

    def instances(self, split: str) -> Sequence[Reference]:
        """The instances of a split, by id. Raises `InputError` for a split there is none of."""
        if split not in self.splits:
            raise InputError(self.name, "unknown split", value=split, valid=self.splits)
        return tuple(one for one in self._references if one.split == split)

    def run(self, instance: Reference) -> Mapping[str, Any]:
        """Restore one instance's state and let the Follower act in it."""
        known = Outcome(
            instance_id=instance.instance_id,
            game_id=instance.instance_id.rpartition(".")[0],
            task_name="unknown",
            cluster="unknown",
            status=Status.NOT_STARTED,
        )
        try:
            game = read_game(instance.game)
            known = replace(known, task_name=game.task.task_name, cluster=game.episode.room)
            prepared = self.prepare(instance, game, self._household)
            agent = self._agent(prepared)
        except Exception:  # noqa: BLE001  # a broken game or SPEC is a failed instance, never a lost one
            return {"outcome": replace(known, reason=traceback.format_exc()).to_json(), "overrides": []}
        outcome = self._played(known, prepared, agent)
        return {"outcome": outcome.to_json(), "overrides": [dict(one) for one in prepared.overrides]}

    def _agent(self, prepared: Prepared) -> Agent:
        future = prepared.future or ()
        made = build(
            "agent",
            self._follower,
            allow_import=True,
            role=Role.FOLLOWER,
            household=self._household,
            future=future,
        )
        assert isinstance(made, Agent)
        return made

    def _played(self, known: Outcome, prepared: Prepared, agent: Agent) -> Outcome:
        briefing = Briefing(known.instance_id, Role.FOLLOWER, _seed_of(self._seed, known.instance_id))
        played = play_alone(self._household, agent, briefing, self._limits)
        household = self._household
        final = prepared.task.check(household.objects, agent_position=household.simulator.state.agent.position)
        return replace(
            known,
            status=played.status,
            reason=played.reason,
            success=final.success and played.status is Status.DONE,
            initial=prepared.initial,
            final=GoalCounts(final.goal_conditions_total, final.goal_conditions_satisfied),
            reference_length=len(prepared.future or ()),
            steps=played.steps,
            predicted_stop=played.stopped,
            failed_actions=played.failed_actions,
            predicted=played.predicted,
            costs=played.costs,
        )

    def score(self, record: Mapping[str, Any]) -> Mapping[str, float]:
        """The figures of 6.6, under the reference's names."""
        figures = measure(Outcome.from_json(record["outcome"])).to_json()
        return {name: float(figures[name]) for name in _FIGURES}

    def aggregate(self, scores: Sequence[Mapping[str, float]]) -> Mapping[str, float]:
        """The rates of 6.7 and macro goal-condition success; 0 where there is nothing to divide by.

        `summary.summarize` makes more of the records: intervals, costs, tasks, reasons.
        """
        if not scores:
            raise InputError(self.name, "there are no scores to aggregate")

        def rate(top: str, bottom: str) -> float:
            below = sum(score[bottom] for score in scores)
            return sum(score[top] for score in scores) / below if below else 0.0

        return {
            "n": float(len(scores)),
            "success_rate": fmean(score["success"] for score in scores),
            "goal_condition_success_macro": fmean(score["goal_condition_success"] for score in scores),
            "goal_condition_success_micro": rate("completed_goal_conditions", "total_goal_conditions"),
            "path_length_weighted_success_rate": rate("path_len_weighted_success_spl", "gt_path_len"),
            "path_length_weighted_goal_condition_success_rate": rate(
                "path_len_weighted_goal_condition_spl", "gt_path_len"
            ),
        }


def _seed_of(seed: int, instance_id: str) -> int:
    return int.from_bytes(hashlib.sha256(f"{seed} {instance_id}".encode()).digest()[:4], "big")
