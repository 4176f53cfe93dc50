"""New TEACh values for whoever records sessions: interactions, and a game file around an episode."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from itertools import pairwise

from teach_agents.actions import ACTION_TYPES, Action, ActionKind, ActionType, Role
from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.data.games import Episode, Game, GameTask
from teach_agents.data.interactions import (
    Interaction,
    Keyboard,
    MapGoal,
    Motion,
    ObjectInteraction,
    ProgressCheck,
    pose_to_values,
)
from teach_agents.errors import GameFileError
from teach_agents.observations import Pose

_DEFAULTS: Mapping[ActionKind, JsonMapping] = {
    ActionKind.MAP_GOAL: dict.fromkeys(("start_x", "start_y", "end_x", "end_y"), -1),
    ActionKind.OBJECT: {"x": -1, "y": -1},
    ActionKind.PROGRESS: {"query": ""},
    ActionKind.KEYBOARD: {"utterance": ""},
    ActionKind.AUDIO: {"utterance": "", "file_name": ""},
}
_BEEP = {"repeat": 3}
_STILL = (0,) * 6


def _definition(row: ActionType) -> JsonObject:
    defaults = _DEFAULTS.get(row.kind, {})
    if row.kind is ActionKind.MOTION:
        defaults = {"pose_delta": list(row.pose_delta)}
    elif row.name == "Beep":
        defaults = _BEEP
    return {"action_id": row.action_id, "action_name": row.name, "action_type": str(row.kind), **defaults}


def game_definitions(tasks: Iterable[JsonMapping] = ()) -> JsonObject:
    """The `definitions` of a game file: TEACh's agents, its 36 actions and 2 statuses, and `tasks` as given."""
    return {
        "agents": [
            {"agent_id": number, "agent_name": name, "agent_type": number}
            for number, name in enumerate(("Commander", "Driver"))
        ],
        "actions": [_definition(row) for row in ACTION_TYPES.values() if row.kind is not ActionKind.CONTROL],
        "status": [{"status_id": number, "status_name": name} for number, name in enumerate(("Success", "Failure"))],
        "tasks": [dict(task) for task in tasks],
    }


def new_game(
    task: GameTask,
    episode: Episode,
    *,
    task_definitions: Iterable[JsonMapping] = (),
    comments: str | None = None,
) -> Game:
    """A game file's value around one new session, equal to what `read_game` gives after `write_game`.

    `comments` defaults to the present time in TEACh's form; give it to make files reproducible. Raises
    `GameFileError` when a value is no JSON or of the wrong type, and when two interactions do not follow each other
    in time: TEACh's files tell interactions apart by `time_start`, so it must grow strictly.
    """
    game = draft_game(task, episode, task_definitions=task_definitions, comments=comments)
    try:
        settled = json.loads(json.dumps(game.to_json(), allow_nan=False))
    except (TypeError, ValueError) as error:
        raise GameFileError(f"session {episode.episode_id}", f"cannot be written as JSON: {error}") from error
    return Game.from_json(settled, f"session {episode.episode_id}")


def draft_game(
    task: GameTask,
    episode: Episode,
    *,
    task_definitions: Iterable[JsonMapping] = (),
    comments: str | None = None,
) -> Game:
    """`new_game`'s value with what it holds as it was given: for `write_game`, which checks it all by itself.

    Raises `GameFileError` when two interactions do not follow each other in time.
    """
    for before, after in pairwise(episode.interactions):
        if after.time_start <= before.time_start:
            problem = f"{after.action} does not begin later than {before.action} at {before.time_start}"
            raise GameFileError(f"session {episode.episode_id}", problem, value=after.time_start)
    stamp = datetime.now().strftime("%B %d, %Y: %H:%M:%S") if comments is None else comments
    return Game("2.0", "eqa_complex", stamp, game_definitions(task_definitions), task, (episode,))


def motion_interaction(role: Role, action: str, *, time_start: float, success: bool, pose: Pose | None) -> Motion:
    """A motion; `pose` is the Follower's after it. TEACh records zeros for the Commander: give `None`."""
    delta = _row(action, ActionKind.MOTION).pose_delta
    values = _STILL if pose is None else pose_to_values(pose)
    return Motion(role=role, action=action, time_start=time_start, success=success, pose_delta=delta, values=values)


def object_interaction(
    action: str, *, time_start: float, success: bool, x: float, y: float, object_id: str | None
) -> ObjectInteraction:
    """The Follower's click (fractions of the frame). A failed one has no object: `object_id` is dropped then."""
    _row(action, ActionKind.OBJECT)
    hit = object_id if success else None
    return ObjectInteraction(
        role=Role.FOLLOWER, action=action, time_start=time_start, success=success, x=x, y=y, object_id=hit
    )


def progress_check(
    action: str, *, time_start: float, success: bool | None, query: str = "", role: Role = Role.COMMANDER
) -> ProgressCheck:
    """OpenProgressCheck (its `success` says whether the task is complete), SelectOid or SearchObject."""
    _row(action, ActionKind.PROGRESS)
    return ProgressCheck(role=role, action=action, time_start=time_start, success=success, query=query)


def keyboard(role: Role, utterance: str, *, time_start: float) -> Keyboard:
    """Something said. New files carry no annotations, like those that the reference harness writes."""
    return Keyboard(role=role, action="Text", time_start=time_start, success=True, utterance=utterance)


def map_goal(
    role: Role, *, time_start: float, success: bool, start: tuple[float, float], end: tuple[float, float]
) -> MapGoal:
    """A walk asked for on the map, from and to fractions of it."""
    (start_x, start_y), (end_x, end_y) = start, end
    return MapGoal(
        role=role,
        action="Navigation",
        time_start=time_start,
        success=success,
        start_x=start_x,
        start_y=start_y,
        end_x=end_x,
        end_y=end_y,
    )


def recorded_action(
    role: Role,
    action: Action,
    *,
    time_start: float,
    success: bool,
    pose: Pose | None = None,
    object_id: str | None = None,
) -> Interaction:
    """The interaction that records `action` as `role` carried it out.

    `pose` is the Follower's pose after a motion, `object_id` what an object interaction acted upon. Raises
    `GameFileError` for NoOp and Finish (a game file has no place for them), for Navigation and Speech, which no
    role has in a session, and for an object interaction of the Commander.
    """
    kind = action.type.kind
    if kind is ActionKind.MOTION:
        pose = pose if role is Role.FOLLOWER else None
        return motion_interaction(role, action.name, time_start=time_start, success=success, pose=pose)
    if kind is ActionKind.OBJECT and role is Role.FOLLOWER and action.x is not None and action.y is not None:
        return object_interaction(
            action.name, time_start=time_start, success=success, x=action.x, y=action.y, object_id=object_id
        )
    if kind is ActionKind.PROGRESS:
        return progress_check(action.name, time_start=time_start, success=success, query=action.query, role=role)
    if kind is ActionKind.KEYBOARD:
        return keyboard(role, action.utterance, time_start=time_start)
    raise GameFileError("game file", f"cannot hold this action of the {role}", value=action.name)


def _row(action: str, kind: ActionKind) -> ActionType:
    row = ACTION_TYPES.get(action)
    if row is None or row.kind is not kind:
        valid = [name for name, known in ACTION_TYPES.items() if known.kind is kind]
        raise GameFileError("game file", f"not an action of kind {kind}", value=action, valid=valid)
    return row
