"""EDH instances: execution from dialogue history, the next stretch of a recorded session (specification 1.7)."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field

from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.data.fields import Fields
from teach_agents.data.follower_actions import (
    Dialogue,
    FollowerAction,
    dialogue_to_json,
    read_actions,
    read_dialogue,
)
from teach_agents.data.games import read_json, write_json
from teach_agents.data.interactions import Interaction, interaction_from_json


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
class EdhInstance:
    """An EDH instance.

    `interactions` is the game's list up to the end of this stretch; the part to predict begins at index
    `pred_start_idx`. `future` and `future_images` are `None` in test splits, which come without the ground truth;
    so may be the differences. `goal_conditions_total` and `_satisfied` are the evaluation task's counts at the
    beginning of the part to predict, where the file states them. Unknown keys are in `extra`.
    """

    instance_id: str
    game_id: str
    dialogue: Dialogue
    dialogue_cleaned: Dialogue | None
    history: tuple[FollowerAction, ...]
    history_images: tuple[str, ...]
    future: tuple[FollowerAction, ...] | None
    future_images: tuple[str, ...] | None
    interactions: tuple[Interaction, ...]
    pred_start_idx: int
    init_state_diff: StateDifference | None = None
    final_state_diff: StateDifference | None = None
    state_changes: StateDifference | None = None
    history_subgoals: tuple[str, ...]
    future_subgoals: tuple[str, ...] | None
    goal_conditions_total: int | None = None
    goal_conditions_satisfied: int | None = None
    extra: JsonMapping = field(default_factory=dict)

    def to_json(self) -> JsonObject:
        """The instance as in its file, keys in TEACh's order; what is `None` is left out."""
        cleaned = None if self.dialogue_cleaned is None else dialogue_to_json(self.dialogue_cleaned)
        differences = (self.init_state_diff, self.final_state_diff, self.state_changes)
        init, final, changes = (None if one is None else one.to_json() for one in differences)
        full = {
            "dialog_history": dialogue_to_json(self.dialogue),
            "driver_action_history": [one.to_json() for one in self.history],
            "driver_image_history": list(self.history_images),
            "driver_actions_future": None if self.future is None else [one.to_json() for one in self.future],
            "driver_images_future": None if self.future_images is None else list(self.future_images),
            "interactions": [one.to_json() for one in self.interactions],
            "game_id": self.game_id,
            "instance_id": self.instance_id,
            "pred_start_idx": self.pred_start_idx,
            "init_state_diff": init,
            "final_state_diff": final,
            "state_changes": changes,
            "history_subgoals": list(self.history_subgoals),
            "future_subgoals": None if self.future_subgoals is None else list(self.future_subgoals),
            "expected_init_goal_conditions_total": self.goal_conditions_total,
            "expected_init_goal_conditions_satisfied": self.goal_conditions_satisfied,
            "dialog_history_cleaned": cleaned,
        }
        return {**{key: value for key, value in full.items() if value is not None}, **self.extra}


def read_edh(path: str | os.PathLike[str]) -> EdhInstance:
    """Read one EDH file, of any release and split; raises `GameFileError` naming file, key and value."""
    return edh_from_fields(Fields(read_json(path), str(path)))


def edh_from_fields(fields: Fields) -> EdhInstance:
    """Read an EDH instance; raises `GameFileError`."""
    interactions = tuple(interaction_from_json(found) for found in fields.objects("interactions"))
    start = fields.integer("pred_start_idx")
    if not 0 <= start <= len(interactions):
        raise fields.refuse("pred_start_idx", f"must lie in 0 ... {len(interactions)}", start)
    return EdhInstance(
        instance_id=fields.text("instance_id"),
        game_id=fields.text("game_id"),
        dialogue=read_dialogue(fields, "dialog_history"),
        dialogue_cleaned=fields.optional("dialog_history_cleaned", read_dialogue),
        history=read_actions(fields, "driver_action_history"),
        history_images=fields.texts("driver_image_history"),
        future=fields.optional("driver_actions_future", read_actions),
        future_images=fields.optional("driver_images_future", Fields.texts),
        interactions=interactions,
        pred_start_idx=start,
        init_state_diff=fields.optional("init_state_diff", _difference),
        final_state_diff=fields.optional("final_state_diff", _difference),
        state_changes=fields.optional("state_changes", _difference),
        history_subgoals=fields.optional("history_subgoals", Fields.texts) or (),
        future_subgoals=fields.optional("future_subgoals", Fields.texts),
        goal_conditions_total=fields.optional("expected_init_goal_conditions_total", Fields.integer),
        goal_conditions_satisfied=fields.optional("expected_init_goal_conditions_satisfied", Fields.integer),
        extra=fields.rest(),
    )


def write_edh(instance: EdhInstance, path: str | os.PathLike[str]) -> None:
    """Write a file that `read_edh` reads back equal, whole or not at all. Raises `GameFileError`."""
    write_json(instance.to_json(), path, check=lambda data: edh_from_fields(Fields(data, str(path))))


def _difference(fields: Fields, key: str) -> StateDifference:
    return StateDifference.from_fields(fields.object(key))
