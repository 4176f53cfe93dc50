"""One seat of any world as a Gymnasium environment; agents have the others (extra `gym`)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from teach_agents.conventions.stepper import RENDER_MODES, SteppedEnv, Stepper
from teach_agents.core.agents.contract import AgentLike
from teach_agents.core.environment import Environment, Spaced
from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.core.values import NOTHING
from teach_agents.errors import MissingExtraError

try:
    import gymnasium
except ImportError as missing:
    raise MissingExtraError("gymnasium", "gym") from missing

Shown = JsonObject


class SeatEnv(SteppedEnv, gymnasium.Env[Any, Any]):
    """The one seat that a stepper leaves to others. The reward is what a step changed of the stepper's `worth`.

    A reset takes the instance `options={"instance_id": ...}`, or draws one by its seed.
    """

    metadata: JsonObject = {"render_modes": list(RENDER_MODES), "render_fps": 4}

    def __init__(self, stepper: Stepper, render_mode: str | None = None) -> None:
        super().__init__(stepper, render_mode)
        self._seat = stepper.seats[0]
        self.observation_space, self.action_space = stepper.spaces.spaces(self._seat)

    def reset(self, *, seed: int | None = None, options: JsonMapping | None = None) -> tuple[Any, Shown]:
        """Begin an episode. Raises `InputError` for an instance there is none of."""
        super().reset(seed=seed)
        self._stepper.begin(self.np_random, options)
        return self._stepper.seen(self._seat), self._stepper.info(self._seat)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, Shown]:
        """Carry one action out. Raises `InputError` for what is no value of the action space, and after the end."""
        reward = self._stepper.step({self._seat: action})
        terminated, truncated = self._stepper.over
        return self._stepper.seen(self._seat), reward, terminated, truncated, self._stepper.info(self._seat)


def seat_env(  # noqa: PLR0913  # who plays what, how it is shown, and for how long
    environment: Environment[Any, Any, Any],
    instances: Iterable[Any],
    seat: str,
    *,
    agents: Mapping[str, AgentLike] = NOTHING,
    spaces: Spaced | None = None,
    max_turns: int | None = None,
    privileges: Collection[str] = (),
    render_mode: str | None = None,
) -> SeatEnv:
    """A seat of a world, and agents in others; seats without one are not there. See `Stepper`."""
    stepper = Stepper(
        environment, instances, (seat,), agents=agents, spaces=spaces, max_turns=max_turns, privileges=privileges
    )
    return SeatEnv(stepper, render_mode)
