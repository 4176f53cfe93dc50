"""TATC as a PettingZoo `ParallelEnv` with the agents `commander` and `follower` (extra `gym`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from teach_agents.actions import Action, Role
from teach_agents.benchmarks.metrics import Outcome, Status
from teach_agents.benchmarks.solo.player import household_for
from teach_agents.benchmarks.tatc.episode import scenario_of
from teach_agents.benchmarks.tatc.instances import TatcInstance, game_instances, generated_instances
from teach_agents.conventions.judged import Judge
from teach_agents.conventions.spaces import action_of, action_space, observation_space, shown
from teach_agents.data.games import read_game
from teach_agents.errors import InputError, MissingExtraError
from teach_agents.household import Limits
from teach_agents.observations import Observation

try:
    from pettingzoo import ParallelEnv
except ImportError as missing:
    raise MissingExtraError("pettingzoo", "gym") from missing

if TYPE_CHECKING:
    from gymnasium import spaces
    from numpy.typing import NDArray

__all__ = ["TatcEnv", "parallel_env"]

Shown = dict[str, Any]


class TatcEnv(ParallelEnv[str, Shown, Shown]):  # type: ignore[misc]  # PettingZoo ships no types
    """A Commander, who can ask for the task, and a Follower, who can act. Spaces are told in `conventions.spaces`.

    Played are the sessions in `games`, a file or folder, from their first states; without it `generate` instances,
    of `tasks` and in `rooms` where these are given. A reset takes the instance `options={"instance_id": ...}`, or
    draws one by its seed. Both act on the same observation, the Commander's action is carried out first.

    Both get the change of what is judged for a reward, `success` or `goal_conditions` (`conventions.judged`): it and,
    with `judged`, `info["progress"]` tell a Follower more than it may know. The Commander's Finish, the Follower's Stop
    and either's last failed action that is allowed terminate an episode, `max_turns` truncates it; each
    `info["judgement"]` is then the reference's record of it. `info` has besides `instance_id`, `turn` and `failures`.
    """

    metadata: dict[str, Any] = {"name": "teach_tatc_v0", "render_modes": ["rgb_array", "ansi"], "render_fps": 4}

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
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise InputError("render_mode", "is unknown", value=render_mode, valid=self.metadata["render_modes"])
        self._household = household_for(simulator, view_size)
        library = self._household.library
        found = (
            game_instances([Path(games)])
            if games
            else generated_instances(generate, tasks=tasks, rooms=rooms, library=library)
        )
        self._instances = {one.instance_id: one for one in found}
        self._limits = Limits(max_turns, max_failures)
        self._reward = reward
        self._judged = judged
        self._rng = np.random.default_rng()
        self._judge: Judge | None = None
        self.render_mode = render_mode
        self.possible_agents: list[str] = [role.value for role in Role]
        self.agents: list[str] = []
        self._actions = {role.value: action_space(role) for role in Role}
        self._observations = {role.value: observation_space(role, view_size, overhead=overhead) for role in Role}

    @property
    def instance_ids(self) -> tuple[str, ...]:
        """Every instance there is, in order."""
        return tuple(self._instances)

    def observation_space(self, agent: str) -> spaces.Dict:
        """What an agent sees."""
        return self._observations[agent]

    def action_space(self, agent: str) -> spaces.Dict:
        """What an agent can do."""
        return self._actions[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> tuple[Shown, Shown]:
        """Begin a session. Raises `InputError` for an instance there is none of."""
        if seed is not None:
            self._rng = np.random.default_rng(seed)
        name = (options or {}).get("instance_id")
        if name is None:
            name = self.instance_ids[int(self._rng.integers(len(self._instances)))]
        if name not in self._instances:
            raise InputError("instance_id", "there is no such instance", value=name, valid=self.instance_ids)
        self._begin(self._instances[name])
        return self._seen(), self._infos(over=False)

    def _begin(self, instance: TatcInstance) -> None:
        self._household.reset(scenario_of(instance, self._household.library))
        length = len(read_game(instance.game).episode.interactions) if instance.game else 0
        known = replace(
            Outcome.blank(instance.instance_id, Status.NOT_STARTED),
            game_id=instance.instance_id,
            task_name=self._household.task.name,
            cluster=self._household.scenario.room,
            reference_length=length,
        )
        self._judge = Judge(self._household, self._household.task, known, self._reward)
        self._instance_id = instance.instance_id
        self._turn = self._length = 0
        self._ended = False
        self.agents = list(self.possible_agents)

    def step(self, actions: Mapping[str, Shown]) -> tuple[Shown, dict[str, float], Shown, Shown, Shown]:
        """Carry both agents' actions out. Raises `InputError` for what is none, and where an agent's is missing."""
        if self._judge is None or not self.agents:
            raise InputError("step", "there is no session under way: call reset first")
        for agent in self.agents:
            if agent not in actions:
                raise InputError("step", "needs an action of every agent", value=list(actions), valid=self.agents)
        known = {role: action_of(role, actions[role.value]) for role in Role}
        for role, action in known.items():
            self._household.act(role, action, time_ms=self._turn)
        self._turn += 1
        self._length += sum(action != Action.wait() for action in known.values())
        self._ended = known[Role.COMMANDER].name == "Finish" or known[Role.FOLLOWER].name == "Stop"
        terminated = self._ended or self._limits.over_failed(self._household.failures) is not None
        truncated = not terminated and self._limits.out_of_turns(self._turn)
        reward, over = self._judge.reward(), terminated or truncated
        told = self._seen(), self._each(reward), self._each(terminated), self._each(truncated), self._infos(over=over)
        self.agents = [] if over else self.agents
        return told

    def _each(self, value: Any) -> dict[str, Any]:
        return dict.fromkeys(self.possible_agents, value)

    def _observe(self, role: Role) -> Observation:
        if self._judge is None:
            raise InputError("render", "there is no session yet: call reset first")
        return self._household.observe(role, turn=self._turn)

    def _seen(self) -> Shown:
        return {role.value: shown(self._observe(role), self._observations[role.value]) for role in Role}

    def _infos(self, *, over: bool) -> Shown:
        return {role.value: self._info(role, over) for role in Role}

    def _info(self, role: Role, over: bool) -> Shown:
        assert self._judge is not None, "asked for in a session"
        failures = self._household.failures
        info: Shown = {"instance_id": self._instance_id, "turn": self._turn, "failures": failures[role]}
        if self._judged:
            info["progress"] = self._judge.progress()
        if over:
            failed = sum(failures.values())
            info["judgement"] = self._judge.judgement(steps=self._length, stopped=self._ended, failures=failed)
        return info

    def render(self) -> NDArray[Any] | str | None:
        """What the Commander and the Follower see, side by side, or all that was said; `None` without a render mode."""
        if self.render_mode is None:
            return None
        both = [self._observe(role) for role in Role]
        if self.render_mode == "rgb_array":
            return np.concatenate([seen.view.rgb for seen in both], axis=1)
        return str(shown(both[1], self._observations[Role.FOLLOWER.value])["dialogue"])

    def close(self) -> None:
        """Nothing is held that has to be given back."""


parallel_env: Callable[..., TatcEnv] = TatcEnv
"""The name by which PettingZoo's modules offer their environments."""
