"""Any world as a PettingZoo `ParallelEnv`, an agent a seat (extra `gym`)."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

import numpy as np

from teach_agents.conventions.stepper import RENDER_MODES, SteppedEnv, Stepper
from teach_agents.core.environment import Environment, Spaced
from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.errors import MissingExtraError

try:
    from pettingzoo import ParallelEnv
except ImportError as missing:
    raise MissingExtraError("pettingzoo", "gym") from missing

ByAgent = JsonObject


class EnvironmentParallelEnv(SteppedEnv, ParallelEnv[str, Any, Any]):  # type: ignore[misc]  # PettingZoo ships no types
    """The seats that a stepper leaves to others. All get the same reward: what a step changed of the stepper's `worth`.

    A reset takes the instance `options={"instance_id": ...}`, or draws one by its seed. All see each step; who may not
    act now is told so by `info["may_act"]`, and what it is given to do is let be.
    """

    metadata: JsonObject = {"name": "teach_agents_v0", "render_modes": list(RENDER_MODES), "render_fps": 4}

    def __init__(self, stepper: Stepper, render_mode: str | None = None) -> None:
        super().__init__(stepper, render_mode)
        self._rng = np.random.default_rng()
        self.possible_agents: list[str] = list(stepper.seats)
        self.agents: list[str] = []
        self._spaces = {seat: stepper.spaces.spaces(seat) for seat in stepper.seats}

    def observation_space(self, agent: str) -> Any:
        """What an agent sees."""
        return self._spaces[agent][0]

    def action_space(self, agent: str) -> Any:
        """What an agent can do."""
        return self._spaces[agent][1]

    def reset(self, seed: int | None = None, options: JsonMapping | None = None) -> tuple[ByAgent, ByAgent]:
        """Begin an episode. Raises `InputError` for an instance there is none of."""
        if seed is not None:
            self._rng = np.random.default_rng(seed)
        self._stepper.begin(self._rng, options)
        self.agents = [] if self._stepper.end else list(self.possible_agents)
        return self._each(self._stepper.seen), self._each(self._stepper.info)

    def step(self, actions: JsonMapping) -> tuple[ByAgent, dict[str, float], ByAgent, ByAgent, ByAgent]:
        """Carry out what everybody does. Raises `InputError` for what is no action, and where one is missing."""
        stepper = self._stepper
        reward = stepper.step(actions)
        terminated, truncated = stepper.over
        self.agents = [] if terminated or truncated else self.agents
        seen, infos = self._each(stepper.seen), self._each(stepper.info)
        return seen, self._all(reward), self._all(terminated), self._all(truncated), infos

    def _all(self, value: Any) -> ByAgent:
        return dict.fromkeys(self.possible_agents, value)

    def _each(self, of: Any) -> ByAgent:
        return {seat: of(seat) for seat in self.possible_agents}


def parallel_env(
    environment: Environment[Any, Any, Any],
    instances: Iterable[Any],
    *,
    spaces: Spaced | None = None,
    max_turns: int | None = None,
    privileges: Collection[str] = (),
    render_mode: str | None = None,
) -> EnvironmentParallelEnv:
    """A world and instances of it, every seat of it an agent; see `Stepper`. It has its own spaces, or `TextSpaces`."""
    stepper = Stepper(
        environment, instances, environment.seats, spaces=spaces, max_turns=max_turns, privileges=privileges
    )
    return EnvironmentParallelEnv(stepper, render_mode)
