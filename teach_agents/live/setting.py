"""What a live session is made of and starts from, where its turns are kept, and how it refuses."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

from teach_agents.actions import Role
from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.data import read_game
from teach_agents.errors import InputError, TeachAgentsError, explained
from teach_agents.household import Scenario
from teach_agents.installed import installed_tasks
from teach_agents.playing import furnished
from teach_agents.session.codec import scenario_from_json, scenario_to_json
from teach_agents.simulator.contract import Scene
from teach_agents.tasks import FREE_PLAY, TaskLibrary

HUMAN = "human"
"""What sits in a chair that a person has taken, or may take."""

REPLY_S = 4.0
"""Seconds that an agent's words leave a person to read them and to do something about them, before more are said."""

PACE_S = 0.25
"""Seconds between two actions of an agent at which a person can follow what it does."""

Refusal = Literal["ended", "paused", "closed", "not_yours", "bad_action", "no_picture", "dropped", "broken"]


class LiveError(TeachAgentsError):
    """Something a live session does not do, and why; `kind` is for programs."""

    def __init__(self, kind: Refusal, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class Journal(Protocol):
    """Keeps a session's turns, so that it survives the process that holds it."""

    async def append(self, line: JsonMapping) -> None:
        """Keep a turn's line, as JSON; it is told to nobody before this returns.

        `LiveSession.start(past=lines)` takes the lines back.
        """


@dataclass(frozen=True, slots=True)
class LiveSetting:
    """What a live session is made of.

    `chairs` says who sits where: `HUMAN`, or the SPEC of an agent. `view_size` is what agents see and clicks are
    resolved in, pixels; people may look at pictures of any size. `pace_s` is the least number of seconds between two
    actions of an agent, so that people can follow; with a person in the other chair, an agent that has spoken says no
    more for `reply_s` seconds, until the person acts or speaks, or it has acted on its words where the person sees it.
    `hooks` are the SPECs of dialogue hooks. Raises `InputError` for what is none of this.
    """

    session_id: str
    scenario: Scenario
    chairs: Mapping[Role, str]
    simulator: str = "embedded"
    view_size: int = 300
    pace_s: float = 0.0
    reply_s: float = REPLY_S
    hooks: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.session_id or not isinstance(self.session_id, str):
            raise InputError("live session", "session_id must be a text, not empty", value=self.session_id)
        for role in Role:
            chair = self.chairs.get(role)
            if not isinstance(chair, str) or not chair:
                problem = f"the {role}'s chair must hold {HUMAN!r} or the SPEC of an agent"
                raise InputError("live session", problem, value=chair)
        for name, value in (("pace_s", self.pace_s), ("reply_s", self.reply_s)):
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < math.inf:
                raise InputError("live session", f"{name} must be a number of seconds, at least 0", value=value)

    @property
    def attended(self) -> bool:
        """Whether a person has a chair."""
        return HUMAN in self.chairs.values()

    @property
    def sitters(self) -> dict[str, str]:
        """The chairs as JSON has them: who sits where, by the roles' names."""
        return {role.value: self.chairs[role] for role in Role}

    def to_json(self) -> JsonObject:
        """The JSON form; without hooks where there are none."""
        told = {
            "session_id": self.session_id,
            "scenario": scenario_to_json(self.scenario),
            "chairs": self.sitters,
            "simulator": self.simulator,
            "view_size": self.view_size,
            "pace_s": self.pace_s,
            "reply_s": self.reply_s,
        }
        return {**told, "hooks": list(self.hooks)} if self.hooks else told

    @classmethod
    def from_json(cls, data: JsonMapping) -> LiveSetting:
        """Read `to_json`'s form. Raises `InputError` for anything else."""
        try:
            return cls(
                data["session_id"],
                scenario_from_json(data["scenario"]),
                {role: data["chairs"][role.value] for role in Role},
                data["simulator"],
                data["view_size"],
                data["pace_s"],
                data.get("reply_s", REPLY_S),  # settings kept by older versions have none
                tuple(map(str, data.get("hooks", ()))),
            )
        except (KeyError, TypeError, AttributeError) as error:
            raise InputError("live session", f"the setting is damaged: {explained(error)}") from error


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
