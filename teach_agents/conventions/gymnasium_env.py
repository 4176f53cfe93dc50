"""EDH and TfD as Gymnasium environments: `TEACh/EDH-v0` and `TEACh/TfD-v0` (extra `gym`).

Importing this module registers them:

    import gymnasium
    import teach_agents.conventions.gymnasium_env

    environment = gymnasium.make("TEACh/EDH-v0", games="teach/games/train")
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from teach_agents.actions import Role
from teach_agents.benchmarks.edh.benchmark import EdhBenchmark
from teach_agents.benchmarks.lists import names_of
from teach_agents.benchmarks.metrics import Outcome, Status
from teach_agents.benchmarks.solo.benchmark import FollowerBenchmark
from teach_agents.benchmarks.solo.judging import judging_task
from teach_agents.benchmarks.solo.player import Settings
from teach_agents.benchmarks.solo.references import Reference
from teach_agents.benchmarks.tfd.benchmark import TfdBenchmark
from teach_agents.conventions.judged import Judge
from teach_agents.conventions.spaces import action_of, action_space, observation_space, shown
from teach_agents.core.benchmark.selection import chosen, ordered
from teach_agents.data.games import read_game
from teach_agents.errors import InputError, MissingExtraError
from teach_agents.household import Household, Limits
from teach_agents.observations import Observation

try:
    import gymnasium
except ImportError as missing:
    raise MissingExtraError("gymnasium", "gym") from missing

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["EdhEnv", "FollowerEnv", "TfdEnv"]

Shown = dict[str, Any]


class FollowerEnv(gymnasium.Env[Shown, Shown]):
    """A Follower alone in restored states of recorded sessions. Spaces are told in `conventions.spaces`.

    `instances` and `games` are folders, `names` a list of instances, shipped or in a file, `ids` picks some. A reset
    takes the instance `options={"instance_id": ...}`, or draws one by its seed. What the people said is in the first
    observation.

    The reward is the change of what is judged, `success` or `goal_conditions` (`conventions.judged`): it and, with
    `judged`, `info["progress"]` tell more than a Follower may know. Stop and the last failed action that is allowed
    terminate an episode, `max_steps` truncates it; `info["judgement"]` is then the benchmark's record. `info` has
    besides `instance_id`, `steps` and `failures`.
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array", "ansi"], "render_fps": 4}
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
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise InputError("render_mode", "is unknown", value=render_mode, valid=self.metadata["render_modes"])
        listed = names_of(names) if names else ()
        found = self.benchmark.find(instances=instances, games=games, names=listed, simulator=simulator)
        self._references = {one.instance_id: one for one in ordered(chosen(found, ids) if ids else found)}
        self._player = self.benchmark.player(Settings(simulator=simulator, view_size=view_size))
        self._limits = Limits(max_steps, max_failures)
        self._reward = reward
        self._judged = judged
        self._episode: _Episode | None = None
        self.render_mode = render_mode
        self.action_space = action_space(Role.FOLLOWER)
        self._space = observation_space(Role.FOLLOWER, view_size, overhead=overhead)
        self.observation_space = self._space

    @property
    def instance_ids(self) -> tuple[str, ...]:
        """Every instance there is, in order."""
        return tuple(self._references)

    def reset(self, *, seed: int | None = None, options: Mapping[str, Any] | None = None) -> tuple[Shown, Shown]:
        """Restore an instance. Raises `InputError` for one there is none of."""
        super().reset(seed=seed)
        name = (options or {}).get("instance_id")
        if name is None:
            name = self.instance_ids[int(self.np_random.integers(len(self._references)))]
        if name not in self._references:
            raise InputError("instance_id", "there is no such instance", value=name, valid=self.instance_ids)
        self._episode = self._begin(self._references[name])
        return self._seen(), self._info(self._episode)

    def _begin(self, reference: Reference) -> _Episode:
        game = read_game(reference.game)
        prepared = self._player.prepare(reference, game, self._player.household)
        known = replace(
            Outcome.blank(reference.instance_id, Status.NOT_STARTED),
            task_name=game.task.task_name,
            cluster=game.episode.room,
            initial=prepared.stated,
            reference_length=len(prepared.future or ()),
        )
        judge = Judge(self._player.household, judging_task(prepared.judge), known, self._reward)
        return _Episode(reference.instance_id, self._player.household, judge)

    def step(self, action: Shown) -> tuple[Shown, float, bool, bool, Shown]:
        """Carry one action out. Raises `InputError` for what is no value of the action space, and after the end."""
        episode = self._episode
        if episode is None or episode.over:
            raise InputError("step", "there is no episode under way: call reset first")
        known = action_of(Role.FOLLOWER, action)
        episode.household.act(Role.FOLLOWER, known, time_ms=episode.steps)
        episode.steps += 1
        episode.stopped = known.name == "Stop"
        terminated = episode.stopped or bool(self._limits.over_failed({Role.FOLLOWER: episode.failures}))
        truncated = not terminated and self._limits.out_of_turns(episode.steps)
        episode.over = terminated or truncated
        reward = episode.judge.reward()
        return self._seen(), reward, terminated, truncated, self._info(episode)

    def _observe(self) -> Observation:
        if self._episode is None:
            raise InputError("render", "there is no episode yet: call reset first")
        return self._episode.household.observe(Role.FOLLOWER, turn=self._episode.steps)

    def _seen(self) -> Shown:
        return shown(self._observe(), self._space)

    def _info(self, episode: _Episode) -> Shown:
        info: Shown = {"instance_id": episode.instance_id, "steps": episode.steps, "failures": episode.failures}
        if self._judged:
            info["progress"] = episode.judge.progress()
        if episode.over:
            info["judgement"] = episode.judge.judgement(
                steps=episode.steps, stopped=episode.stopped, failures=episode.failures
            )
        return info

    def render(self) -> NDArray[Any] | str | None:
        """The Follower's view, or all that was said; `None` without a render mode."""
        if self.render_mode is None:
            return None
        seen = self._observe()
        return seen.view.rgb.copy() if self.render_mode == "rgb_array" else str(shown(seen, self._space)["dialogue"])


class _Episode:
    """One instance under way."""

    def __init__(self, instance_id: str, household: Household, judge: Judge) -> None:
        self.instance_id = instance_id
        self.household = household
        self.judge = judge
        self.steps = 0
        self.stopped = False
        self.over = False
        self._failed_before = household.failures[Role.FOLLOWER]

    @property
    def failures(self) -> int:
        """The Follower's failed actions; what failed while the state was restored is not its fault."""
        return self.household.failures[Role.FOLLOWER] - self._failed_before


class EdhEnv(FollowerEnv):
    """Execution from dialogue history: the changes that people made next are to be made."""

    benchmark = EdhBenchmark


class TfdEnv(FollowerEnv):
    """Trajectory from dialogue: a whole session's task, from all that was said in it."""

    benchmark = TfdBenchmark


gymnasium.register("TEACh/EDH-v0", entry_point=f"{__name__}:EdhEnv")
gymnasium.register("TEACh/TfD-v0", entry_point=f"{__name__}:TfdEnv")
