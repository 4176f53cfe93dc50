"""What can be played live: a task in a room, free play, or a recorded TEACh session's task and room."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from teach_agents.data import read_game
from teach_agents.errors import InputError
from teach_agents.household import Scenario
from teach_agents.installed import installed_tasks
from teach_agents.playing import furnished
from teach_agents.simulator.contract import Scene
from teach_agents.tasks import FREE_PLAY, TaskLibrary


def make_scenario(  # three ways to say what is played
    task: str | None = None,
    params: Sequence[str] = (),
    room: str = "FloorPlan1",
    seed: int = 0,
    *,
    game: str | Path | None = None,
    library: TaskLibrary | None = None,
) -> Scenario:
    """What a live session starts from.

    With a task, the room is furnished at random by `seed` so that the task can be solved. Without one it is furnished
    at random for free play, in which nothing is asked for and nothing is ever done. With a game, a TEACh game file,
    task and room are the recorded session's, as they were at its beginning; nothing else is given then.

    Takes up to seconds. Raises `SceneError` for an unknown room, `DefinitionError` for an unknown task or wrong
    parameters, `GameFileError` for a game that cannot be read, and `InputError` when no state of the room was found in
    which the task can be solved, or for a seed that is none.
    """
    library = library or installed_tasks()
    if game is not None:
        if task is not None:
            raise InputError("live session", "takes a task or a game, not both", value=task)
        scenario = Scenario.from_game(read_game(game))
        library.task(scenario.task_name, list(scenario.task_params))
        return scenario
    if task is not None and task != FREE_PLAY:
        return furnished(task, params, room=room, seed=seed, library=library)
    if params:
        raise InputError("live session", "free play takes no parameters", value=list(params))
    from teach_agents.simulator.embedded.loading import load_room

    load_room(room)
    return Scenario(f"{FREE_PLAY} in {room}", FREE_PLAY, (), Scene(room=room, randomize=True), seed)
