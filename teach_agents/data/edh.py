"""EDH instances: execution from dialogue history, the next stretch of a recorded session (specification 1.7)."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field

from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.data.fields import Fields, FileValue, Key
from teach_agents.data.follower_actions import (
    Dialogue,
    FollowerAction,
    dialogue_to_json,
    read_dialogue,
)
from teach_agents.data.games import read_json, write_json
from teach_agents.data.interactions import Interaction


@dataclass(frozen=True, slots=True)
class StateDifference:
    """What of the objects' metadata differs between two states: objectId to property to value.

    Numbers are rounded to four places; slices that came into being are listed with every key in which they differ
    from their base. The files' `agents` part is empty everywhere (register entry Q19) and is left out.
    """

    objects: Mapping[str, JsonMapping]

    @classmethod
    def from_fields(cls, fields: Fields) -> StateDifference:
        """Read a state difference that lies inside a file."""
        objects = fields.object("objects")
        changed = fields.mapping("objects")
        return cls({object_id: objects.mapping(object_id) for object_id in changed})

    def to_json(self) -> JsonObject:
        """The difference as in an instance file."""
        return {"agents": {}, "objects": {object_id: dict(changed) for object_id, changed in self.objects.items()}}


@dataclass(frozen=True, slots=True, kw_only=True)
class EdhInstance(FileValue):
    """An EDH instance.

    `interactions` is the game's list up to the end of this stretch; the part to predict begins at index
    `pred_start_idx`. `future` and `future_images` are `None` in test splits, which come without the ground truth;
    so may be the differences. `goal_conditions_total` and `_satisfied` are the evaluation task's counts at the
    beginning of the part to predict, where the file states them. Unknown keys are in `extra`.
    """

    dialogue: Dialogue
    history: tuple[FollowerAction, ...]
    history_images: tuple[str, ...]
    future: tuple[FollowerAction, ...] | None = None
    future_images: tuple[str, ...] | None = None
    interactions: tuple[Interaction, ...]
    game_id: str
    instance_id: str
    pred_start_idx: int
    init_state_diff: StateDifference | None = None
    final_state_diff: StateDifference | None = None
    state_changes: StateDifference | None = None
    history_subgoals: tuple[str, ...] = ()
    future_subgoals: tuple[str, ...] | None = None
    goal_conditions_total: int | None = None
    goal_conditions_satisfied: int | None = None
    dialogue_cleaned: Dialogue | None = None
    extra: JsonMapping = field(default_factory=dict)
    keys = {
        "dialogue": Key("dialog_history", read_dialogue, dialogue_to_json),
        "history": Key("driver_action_history"),
        "history_images": Key("driver_image_history"),
        "future": Key("driver_actions_future"),
        "future_images": Key("driver_images_future"),
        "goal_conditions_total": Key("expected_init_goal_conditions_total"),
        "goal_conditions_satisfied": Key("expected_init_goal_conditions_satisfied"),
        "dialogue_cleaned": Key("dialog_history_cleaned", read_dialogue, dialogue_to_json),
    }


def read_edh(path: str | os.PathLike[str]) -> EdhInstance:
    """Read one EDH file, of any release and split; raises `GameFileError` naming file, key and value."""
    return edh_from_fields(Fields(read_json(path), str(path)))


def edh_from_fields(fields: Fields) -> EdhInstance:
    """Read an EDH instance; raises `GameFileError`."""
    instance = EdhInstance.read(fields)
    start, end = instance.pred_start_idx, len(instance.interactions)
    if not 0 <= start <= end:
        raise fields.refuse("pred_start_idx", f"must lie in 0 ... {end}", start)
    return instance


def write_edh(instance: EdhInstance, path: str | os.PathLike[str]) -> None:
    """Write a file that `read_edh` reads back equal, whole or not at all. Raises `GameFileError`."""
    write_json(instance.to_json(), path, check=lambda data: edh_from_fields(Fields(data, str(path))))
