"""EDH and TfD behind the Benchmark contract: what the two have in common."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any, ClassVar

from teach_agents.benchmarks.lists import names_of
from teach_agents.benchmarks.metrics import Outcome, measure
from teach_agents.benchmarks.solo.player import Player, Settings
from teach_agents.benchmarks.solo.references import THOROUGH, Reference, Search
from teach_agents.core.benchmark.contract import Benchmark
from teach_agents.core.benchmark.selection import ordered
from teach_agents.errors import InputError

__all__ = ["FollowerBenchmark"]

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


class FollowerBenchmark(Benchmark[Reference, Mapping[str, Any]]):
    """A Follower alone in restored states of recorded sessions, named by a SPEC.

    `instances` and `games` are folders, `names` a list of instances, shipped or in a file; `find` says what they hold.
    Splits are the names of the folders that the files lie in; records are those of `player.Player`.
    """

    name: ClassVar[str]
    player: ClassVar[type[Player]]

    def __init__(  # noqa: PLR0913  # one parameter of a SPEC each
        self,
        follower: str = "recorded",
        simulator: str = "embedded",
        *,
        instances: str = "",
        games: str = "",
        names: str = "",
        seed: int = 0,
        max_steps: int = 1000,
        max_failures: int = 30,
        view_size: int = 300,
        call_time_limit_s: float = 120.0,
    ) -> None:
        listed = names_of(names) if names else ()
        references = self.find(instances=instances, games=games, names=listed, simulator=simulator)
        settings = Settings(follower, simulator, seed, max_steps, max_failures, view_size, call_time_limit_s)
        self._player = self.player(settings)
        self._references = ordered(references)
        self.splits = tuple(sorted({one.split for one in references}))

    @staticmethod
    @abstractmethod
    def find(
        *,
        instances: str = "",
        games: str = "",
        names: Sequence[str] = (),
        simulator: str = "embedded",
        search: Search = THOROUGH,
    ) -> list[Reference]:
        """The instances of files, or of sessions; `simulator` carries sessions out where that tells what there is.

        `names` are ids; `search` says how sessions are looked through. Raises `InputError` when nothing is found.
        """

    def instances(self, split: str) -> Sequence[Reference]:
        """The instances of a split, by id. Raises `InputError` for a split there is none of."""
        if split not in self.splits:
            raise InputError(self.name, "unknown split", value=split, valid=self.splits)
        return tuple(one for one in self._references if one.split == split)

    def run(self, instance: Reference) -> Mapping[str, Any]:
        """Carry one instance through."""
        return self._player.play(instance)

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
