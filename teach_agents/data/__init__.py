"""TEACh's files in and out: games, EDH instances, downloads, statistics.

Files say "Driver"; everything read from them says `Role.FOLLOWER`.
"""

from teach_agents.data.building import (
    draft_game,
    game_definitions,
    keyboard,
    map_goal,
    motion_interaction,
    new_game,
    object_interaction,
    progress_check,
    recorded_action,
)
from teach_agents.data.games import (
    Episode,
    Game,
    GameTask,
    RoomKind,
    game_files,
    iter_games,
    read_game,
    room_kind,
    write_game,
)
from teach_agents.data.interactions import (
    Audio,
    DialogueAct,
    Interaction,
    Keyboard,
    MapGoal,
    Motion,
    ObjectInteraction,
    ProgressCheck,
    pose_from_values,
    pose_to_values,
)
from teach_agents.data.states import StateRecord

__all__ = [
    "Audio",
    "DialogueAct",
    "Episode",
    "Game",
    "GameTask",
    "Interaction",
    "Keyboard",
    "MapGoal",
    "Motion",
    "ObjectInteraction",
    "ProgressCheck",
    "RoomKind",
    "StateRecord",
    "draft_game",
    "game_definitions",
    "game_files",
    "iter_games",
    "keyboard",
    "map_goal",
    "motion_interaction",
    "new_game",
    "object_interaction",
    "pose_from_values",
    "pose_to_values",
    "progress_check",
    "read_game",
    "recorded_action",
    "room_kind",
    "write_game",
]
