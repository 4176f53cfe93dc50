"""The worker of a fidelity run: one game file in, everything measured on it out."""

from __future__ import annotations

from pathlib import Path

from teach_agents.benchmarks.fidelity.aided import replay_aided
from teach_agents.benchmarks.fidelity.insisting import Insisting
from teach_agents.benchmarks.fidelity.pictures import MissCamera
from teach_agents.benchmarks.fidelity.rows import ReplayMode, SessionRows
from teach_agents.benchmarks.fidelity.unaided import replay_unaided
from teach_agents.core.json_types import JsonMapping
from teach_agents.data import read_game
from teach_agents.household import Household
from teach_agents.installed import installed_tasks
from teach_agents.simulator.embedded import EmbeddedSimulator


def measure(payload: JsonMapping) -> JsonMapping:
    """The job: `game` names the file, `pictures` a folder or null; `click_size` as in `measure_game`."""
    pictures = payload["pictures"]
    folder = None if pictures is None else Path(pictures)
    return {"rows": measure_game(Path(payload["game"]), click_size=payload["click_size"], pictures=folder)}


def measure_game(path: Path, *, click_size: int = 300, pictures: Path | None = None) -> SessionRows:
    """Replay one game aided and unaided.

    `click_size` is the size of the pictures that clicks are resolved in, pixels; pictures of misses go into `pictures`.
    Raises `GameFileError`, `SceneError` or `DefinitionError` for a game that cannot be replayed.
    """
    game = read_game(path)
    simulator = Insisting(EmbeddedSimulator())
    household = Household(simulator, installed_tasks(), click_size=click_size)
    camera = None if pictures is None else MissCamera(pictures, game.game_id, simulator)
    return SessionRows(
        game.game_id,
        game.episode.room,
        game.task.task_name,
        len(game.episode.interactions),
        replay_aided(game, household, simulator, camera),
        {mode: replay_unaided(game, household, mode) for mode in ReplayMode},
    )
