"""TATC behind the Benchmark contract, for whoever runs benchmarks without knowing which.

`TatcRun` is the way to whole runs: many processes, durable, with a report. This plays one instance at a time.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from teach_agents.benchmarks.lists import names_of
from teach_agents.benchmarks.tatc.episode import play
from teach_agents.benchmarks.tatc.instances import TatcInstance, game_instances, generated_instances
from teach_agents.benchmarks.tatc.run import TatcSettings
from teach_agents.benchmarks.tatc.summary import score_of
from teach_agents.core.benchmark.contract import Benchmark
from teach_agents.core.benchmark.selection import chosen
from teach_agents.errors import InputError

__all__ = ["TatcBenchmark"]

_GENERATED = "generated"
_GAMES = "games"


class TatcBenchmark(Benchmark[TatcInstance, Mapping[str, Any]]):
    """Self-play of two agents, named by SPECs, over `count` generated instances or the TEACh games in a folder.

    `names` is a list of these games, shipped or in a file; without it they are all played.

    The splits are `generated` and, when `games` names a folder or file, `games`. A record is a line of a run's
    `episodes.jsonl`; whatever goes wrong in an episode is in it.
    """

    def __init__(  # noqa: PLR0913  # one parameter of a SPEC each
        self,
        commander: str = "planner",
        follower: str = "planner",
        simulator: str = "embedded",
        *,
        games: str = "",
        names: str = "",
        count: int = 12,
        seed: int = 0,
        max_turns: int = 1000,
        max_failures: int = 30,
        call_time_limit_s: float = 120.0,
    ) -> None:
        self._settings = TatcSettings(
            commander=commander,
            follower=follower,
            simulator=simulator,
            max_turns=max_turns,
            max_failures=max_failures,
            call_time_limit_s=call_time_limit_s,
            pictures=0,
            seed=seed,
        )
        self._games = games
        self._names = names_of(names) if names else ()
        self._count = count
        self.splits = (_GENERATED, _GAMES) if games else (_GENERATED,)

    def instances(self, split: str) -> Sequence[TatcInstance]:
        """The instances of `generated` or `games`. Raises `InputError` for another split or an empty folder."""
        if split not in self.splits:
            raise InputError("tatc", "unknown split", value=split, valid=self.splits)
        if split == _GAMES:
            found = game_instances([Path(self._games)], seed=self._settings.seed)
            return chosen(found, self._names) if self._names else found
        return generated_instances(self._count, seed=self._settings.seed)

    def run(self, instance: TatcInstance) -> Mapping[str, Any]:
        """Play one session."""
        with tempfile.TemporaryDirectory() as folder:
            payload = {
                "instance": instance.to_json(),
                "settings": self._settings.to_json(),
                "folder": folder,
                "pictures": False,
            }
            for name in ("records", "games"):
                Path(folder, name).mkdir()
            try:
                return play(payload)
            except Exception as error:  # noqa: BLE001  # a broken game or agent is a failed instance, never a lost one
                return {
                    "instance_id": instance.instance_id,
                    "status": "crashed",
                    "reason": f"{type(error).__name__}: {error}",
                    "task_name": instance.task_name or "unknown",
                }

    def score(self, record: Mapping[str, Any]) -> Mapping[str, float]:
        """Success, goal-condition success with its counts, actions of both agents, and the path weight."""
        score = score_of(record)
        return {
            "success": float(score.success),
            "goal_condition_success": score.goal_success,
            "goals_done": float(score.goals_done),
            "goals_to_do": float(score.goals_to_do),
            "length": float(score.length),
            "path_weight": score.path_weight,
        }

    def aggregate(self, scores: Sequence[Mapping[str, float]]) -> Mapping[str, float]:
        """Rates over all instances; `micro` is over all goal conditions (0 when there were none to reach)."""
        if not scores:
            raise InputError("tatc", "there are no scores to aggregate")
        to_do = sum(score["goals_to_do"] for score in scores)
        return {
            "n": float(len(scores)),
            "success_rate": fmean(score["success"] for score in scores),
            "goal_condition_success_macro": fmean(score["goal_condition_success"] for score in scores),
            "goal_condition_success_micro": sum(score["goals_done"] for score in scores) / to_do if to_do else 0.0,
            "mean_length": fmean(score["length"] for score in scores),
        }
