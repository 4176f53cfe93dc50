"""What a session starts from: a task with its parameters, a room or a stored state; and how long it may go on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from teach_agents.actions import Role
from teach_agents.data import Game
from teach_agents.errors import InputError
from teach_agents.simulator.contract import Scene, StoredState


@dataclass(frozen=True, slots=True)
class Scenario:
    """One thing to do in one room.

    `scenario_id` names it in records and reports. `task_name` and `task_params` choose the definition that judges;
    `scene` is where it happens; `seed` feeds whatever the simulator draws at random. Raises `InputError` for
    parameters that are not texts or a seed that is no whole number.
    """

    scenario_id: str
    task_name: str
    task_params: tuple[str, ...]
    scene: Scene
    seed: int = 0

    def __post_init__(self) -> None:
        where, params, seed = f"scenario {self.scenario_id!r}", self.task_params, self.seed
        if not isinstance(params, tuple) or not all(isinstance(param, str) for param in params):
            raise InputError(where, "task_params must be a tuple of texts, for example ('1', '2', '1')", value=params)
        if not isinstance(seed, int) or isinstance(seed, bool):
            raise InputError(where, "seed must be a whole number", value=seed)

    @property
    def room(self) -> str:
        """The room's name."""
        return (self.scene.stored or self.scene).room

    @classmethod
    def from_game(cls, game: Game) -> Scenario:
        """A recorded session's task and initial state.

        Custom properties are not taken from the file; they are computed anew from the scene (specification 5.7).
        """
        episode = game.episode
        initial = episode.initial_state
        stored = StoredState(episode.room, initial.objects, initial.follower, initial.commander)
        return cls(game.game_id, game.task.task_name, tuple(game.task.task_params), Scene(stored=stored))


@dataclass(frozen=True, slots=True)
class Limits:
    """When a session ends without anybody's wish.

    `max_turns` counts turns, `max_failures` the failed actions of one role (each role has its own count; reaching
    it ends the session). `None` means no limit. Raises `InputError` for a limit below 1.
    """

    max_turns: int | None = 1000
    max_failures: int | None = 30

    def __post_init__(self) -> None:
        for name in ("max_turns", "max_failures"):
            value = getattr(self, name)
            if value is not None and (not isinstance(value, int) or isinstance(value, bool) or value < 1):
                raise InputError("limits", f"{name} must be a whole number of at least 1, or None", value=value)

    @classmethod
    def live(cls) -> Limits:
        """No limits: people are at the keyboard."""
        return cls(max_turns=None, max_failures=None)

    def out_of_turns(self, turns: int) -> bool:
        """Whether `turns` turns are all that is allowed."""
        return self.max_turns is not None and turns >= self.max_turns

    def over_failed(self, failures: Mapping[Role, int]) -> Role | None:
        """The first role that has used up its failures, Commander first; `None` while neither has."""
        most = self.max_failures
        return next((role for role in Role if most is not None and failures.get(role, 0) >= most), None)
