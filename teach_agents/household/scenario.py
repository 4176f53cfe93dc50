"""What a session starts from: a task with its parameters, and a room or a stored state."""

from __future__ import annotations

from dataclasses import dataclass

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
        if not isinstance(self.task_params, tuple) or not all(isinstance(param, str) for param in self.task_params):
            problem = "task_params must be a tuple of texts, for example ('1', '2', '1')"
            raise InputError(f"scenario {self.scenario_id!r}", problem, value=self.task_params)
        if not isinstance(self.seed, int) or isinstance(self.seed, bool):
            raise InputError(f"scenario {self.scenario_id!r}", "seed must be a whole number", value=self.seed)

    @property
    def room(self) -> str:
        """The room's name."""
        return self.scene.stored.room if self.scene.stored is not None else self.scene.room

    @classmethod
    def from_game(cls, game: Game) -> Scenario:
        """A recorded session's task and initial state.

        Custom properties are not taken from the file; they are computed anew from the scene (specification 5.7).
        """
        episode = game.episode
        initial = episode.initial_state
        stored = StoredState(episode.room, initial.objects, initial.follower, initial.commander)
        return cls(game.game_id, game.task.task_name, tuple(game.task.task_params), Scene(stored=stored))
