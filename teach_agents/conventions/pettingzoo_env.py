"""TATC as a PettingZoo `ParallelEnv` with the agents `commander` and `follower` (extra `gym`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from teach_agents.actions import Role
from teach_agents.benchmarks.metrics import Outcome, Status
from teach_agents.benchmarks.solo.player import household_for
from teach_agents.benchmarks.tatc.episode import scenario_of
from teach_agents.benchmarks.tatc.instances import TatcInstance, game_instances, generated_instances
from teach_agents.conventions.environment_pettingzoo import EnvironmentParallelEnv
from teach_agents.conventions.judged import HouseholdStepper
from teach_agents.core.json_types import JsonObject
from teach_agents.data.games import read_game
from teach_agents.household import Limits


class TatcEnv(EnvironmentParallelEnv):
    """A Commander, who can ask for the task, and a Follower, who can act. Spaces are told in `session.spaces`.

    Played are the sessions in `games`, a file or folder, from their first states; without it `generate` instances,
    of `tasks` and in `rooms` where these are given. A reset takes the instance `options={"instance_id": ...}`, or
    draws one by its seed. Both act on the same observation, the Commander's action is carried out first.

    Both get the change of what is judged for a reward, `success` or `goal_conditions` (`conventions.judged`): it and,
    with `judged`, `info["progress"]` tell a Follower more than it may know. The Commander's Finish, the Follower's Stop
    and either's last failed action that is allowed terminate an episode, `max_turns` truncates it; each
    `info["judgement"]` is then the reference's record of it. `info` has besides `instance_id`, `turn` and `failures`.
    """

    metadata: JsonObject = {**EnvironmentParallelEnv.metadata, "name": "teach_tatc_v0"}

    def __init__(  # noqa: PLR0913  # one keyword each
        self,
        *,
        games: str = "",
        generate: int = 12,
        tasks: Sequence[str] = (),
        rooms: Sequence[str] = (),
        simulator: str = "embedded",
        reward: str = "success",
        max_turns: int = 1000,
        max_failures: int = 30,
        view_size: int = 300,
        overhead: bool = False,
        judged: bool = False,
        render_mode: str | None = None,
    ) -> None:
        household = household_for(simulator, view_size)
        library = household.library
        found = (
            game_instances([Path(games)])
            if games
            else generated_instances(generate, tasks=tasks, rooms=rooms, library=library)
        )
        limits = Limits(max_turns, max_failures)
        stepper = _Pair(household, found, tuple(Role), limits, reward=reward, told=judged, overhead=overhead)
        super().__init__(stepper, render_mode)


class _Pair(HouseholdStepper):
    """TATC's instances, for both roles."""

    @property
    def length(self) -> int:
        """Actions of both, apart from waiting."""
        return sum(self.episode.tally.actions.values())

    def furnish(self, instance: TatcInstance, rng: np.random.Generator) -> int:
        """Load its scenario."""
        household = self.environment.household
        scenario = scenario_of(instance, household.library)
        self.environment.reset(scenario, scenario.seed)
        known = replace(
            Outcome.blank(instance.instance_id, Status.NOT_STARTED),
            game_id=instance.instance_id,
            task_name=household.task.name,
            cluster=household.scenario.room,
            reference_length=len(read_game(instance.game).episode.interactions) if instance.game else 0,
        )
        self.judge(household.task, known)
        return scenario.seed


parallel_env: Callable[..., TatcEnv] = TatcEnv
"""The name by which PettingZoo's modules offer their environments."""
