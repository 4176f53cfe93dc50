"""EDH and TfD as Gymnasium environments: `TEACh/EDH-v0` and `TEACh/TfD-v0` (extra `gym`).

Importing this module registers them:

    import gymnasium
    import teach_agents.conventions.gymnasium_env

    environment = gymnasium.make("TEACh/EDH-v0", games="teach/games/train")
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

import numpy as np

from teach_agents.actions import Role
from teach_agents.benchmarks.base import names_of
from teach_agents.benchmarks.edh.benchmark import EdhBenchmark
from teach_agents.benchmarks.metrics import Outcome, Status
from teach_agents.benchmarks.solo.benchmark import FollowerBenchmark
from teach_agents.benchmarks.solo.judging import judging_task
from teach_agents.benchmarks.solo.player import Player, Settings
from teach_agents.benchmarks.solo.references import Reference
from teach_agents.benchmarks.tfd.benchmark import TfdBenchmark
from teach_agents.conventions.environment_gymnasium import SeatEnv
from teach_agents.conventions.judged import HouseholdStepper
from teach_agents.core.benchmark.selection import chosen, ordered
from teach_agents.data.games import read_game
from teach_agents.household import Limits

from gymnasium.envs.registration import register  # isort: skip  # behind the line that says which extra is missing


class FollowerEnv(SeatEnv):
    """A Follower alone in restored states of recorded sessions. Spaces are told in `session.spaces`.

    `instances` and `games` are folders, `names` a list of instances, shipped or in a file, `ids` picks some. A reset
    takes the instance `options={"instance_id": ...}`, or draws one by its seed. What the people said is in the first
    observation.

    The reward is the change of what is judged, `success` or `goal_conditions` (`conventions.judged`): it and, with
    `judged`, `info["progress"]` tell more than a Follower may know. Stop and the last failed action that is allowed
    terminate an episode, `max_steps` truncates it; `info["judgement"]` is then the benchmark's record. `info` has
    besides `instance_id`, `steps` and `failures`.
    """

    benchmark: ClassVar[type[FollowerBenchmark]]

    def __init__(  # noqa: PLR0913  # one keyword of `gymnasium.make` each
        self,
        *,
        instances: str = "",
        games: str = "",
        names: str = "",
        ids: Sequence[str] = (),
        simulator: str = "embedded",
        reward: str = "success",
        max_steps: int = 1000,
        max_failures: int = 30,
        view_size: int = 300,
        overhead: bool = False,
        judged: bool = False,
        render_mode: str | None = None,
    ) -> None:
        listed = names_of(names) if names else ()
        found = self.benchmark.find(instances=instances, games=games, names=listed, simulator=simulator)
        references = ordered(chosen(found, ids) if ids else found)
        player = self.benchmark.player_class()(Settings(simulator=simulator, view_size=view_size))
        limits = Limits(max_steps, max_failures)
        stepper = _Restored(
            player.household, references, (Role.FOLLOWER,), limits, reward=reward, told=judged, overhead=overhead
        )
        stepper.player = player
        super().__init__(stepper, render_mode)


class _Restored(HouseholdStepper):
    """Instances restored by a benchmark's player."""

    unit = "steps"
    player: Player

    def furnish(self, instance: Reference, rng: np.random.Generator) -> int:
        """Restore it; what failed meanwhile is not the Follower's fault."""
        game, household = read_game(instance.game), self.player.household
        prepared = self.player.prepare(instance, game, household)
        known = replace(
            Outcome.blank(instance.instance_id, Status.NOT_STARTED),
            task_name=game.task.task_name,
            cluster=game.episode.room,
            initial=prepared.stated,
            reference_length=len(prepared.future or ()),
        )
        self.judge(judging_task(prepared.judge), known)
        self.environment.stands_ready()
        return household.scenario.seed


class EdhEnv(FollowerEnv):
    """Execution from dialogue history: the changes that people made next are to be made."""

    benchmark = EdhBenchmark


class TfdEnv(FollowerEnv):
    """Trajectory from dialogue: a whole session's task, from all that was said in it."""

    benchmark = TfdBenchmark


register("TEACh/EDH-v0", entry_point=f"{__name__}:EdhEnv")
register("TEACh/TfD-v0", entry_point=f"{__name__}:TfdEnv")
