"""EDH instances: execution from dialogue history, the next stretch of a recorded session (specification 1.7)."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from teach_agents.actions import ACTION_TYPES, Role
from teach_agents.data.fields import Fields
from teach_agents.data.games import read_json
from teach_agents.data.interactions import Interaction, interaction_from_json

__all__ = ["EdhAction", "EdhInstance", "StateDifference", "read_edh"]

_SPEAKERS: Mapping[str, Role] = {"Commander": Role.COMMANDER, "Driver": Role.FOLLOWER}


@dataclass(frozen=True, slots=True)
class StateDifference:
    """What of the objects' metadata differs between two states: objectId to property to value.

    Numbers are rounded to four places; slices that came into being are listed with every key in which they differ
    from their base. The files' `agents` part is empty everywhere (register entry Q19) and is left out.
    """

    objects: Mapping[str, Mapping[str, Any]]

    @classmethod
    def from_fields(cls, fields: Fields) -> StateDifference:
        """Read a state difference that lies inside a file."""
        objects = fields.object("objects")
        changed = fields.mapping("objects")
        return cls({object_id: objects.mapping(object_id) for object_id in changed})


@dataclass(frozen=True, slots=True)
class EdhAction:
    """One successful action of the Follower; `x`, `y` and `object_id` belong to object interactions only."""

    action: str
    time_start: float
    object_id: str | None
    x: float | None
    y: float | None

    @classmethod
    def from_fields(cls, fields: Fields) -> EdhAction:
        """Read an entry of `driver_action_history` or `driver_actions_future`."""
        name = fields.text("action_name")
        if name not in ACTION_TYPES:
            raise fields.refuse("action_name", "names no action", name, tuple(ACTION_TYPES))
        click = {key: None if fields.value(key) is None else fields.number(key) for key in ("x", "y")}
        return cls(name, fields.number("time_start"), fields.text_or_none("oid"), click["x"], click["y"])


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
    dialogue: tuple[tuple[Role, str], ...]
    dialogue_cleaned: tuple[tuple[Role, str], ...] | None
    history: tuple[EdhAction, ...]
    history_images: tuple[str, ...]
    future: tuple[EdhAction, ...] | None
    future_images: tuple[str, ...] | None
    interactions: tuple[Interaction, ...]
    pred_start_idx: int
    init_state_diff: StateDifference | None
    final_state_diff: StateDifference | None
    state_changes: StateDifference | None
    history_subgoals: tuple[str, ...]
    future_subgoals: tuple[str, ...] | None
    goal_conditions_total: int | None
    goal_conditions_satisfied: int | None
    extra: Mapping[str, Any] = field(default_factory=dict)


def read_edh(path: str | os.PathLike[str]) -> EdhInstance:
    """Read one EDH file, of any release and split; raises `GameFileError` naming file, key and value."""
    fields = Fields(read_json(path), str(path))
    interactions = tuple(interaction_from_json(found) for found in fields.objects("interactions"))
    start = fields.integer("pred_start_idx")
    if not 0 <= start <= len(interactions):
        raise fields.refuse("pred_start_idx", f"must lie in 0 ... {len(interactions)}", start)
    future = _actions(fields, "driver_actions_future") if fields.has("driver_actions_future") else None
    return EdhInstance(
        instance_id=fields.text("instance_id"),
        game_id=fields.text("game_id"),
        dialogue=_dialogue(fields, "dialog_history"),
        dialogue_cleaned=_dialogue(fields, "dialog_history_cleaned") if fields.has("dialog_history_cleaned") else None,
        history=_actions(fields, "driver_action_history"),
        history_images=fields.texts("driver_image_history"),
        future=future,
        future_images=_texts(fields, "driver_images_future"),
        interactions=interactions,
        pred_start_idx=start,
        init_state_diff=_difference(fields, "init_state_diff"),
        final_state_diff=_difference(fields, "final_state_diff"),
        state_changes=_difference(fields, "state_changes"),
        history_subgoals=_texts(fields, "history_subgoals") or (),
        future_subgoals=_texts(fields, "future_subgoals"),
        goal_conditions_total=_count(fields, "expected_init_goal_conditions_total"),
        goal_conditions_satisfied=_count(fields, "expected_init_goal_conditions_satisfied"),
        extra=fields.rest(),
    )


def _dialogue(fields: Fields, key: str) -> tuple[tuple[Role, str], ...]:
    turns = fields.items(key)
    for turn in turns:
        pair = isinstance(turn, list) and len(turn) == 2 and all(isinstance(part, str) for part in turn)
        if not pair or turn[0] not in _SPEAKERS:
            raise fields.refuse(key, "must hold [speaker, text] pairs", turn, tuple(_SPEAKERS))
    return tuple((_SPEAKERS[speaker], text) for speaker, text in turns)


def _actions(fields: Fields, key: str) -> tuple[EdhAction, ...]:
    return tuple(EdhAction.from_fields(found) for found in fields.objects(key))


def _texts(fields: Fields, key: str) -> tuple[str, ...] | None:
    return fields.texts(key) if fields.has(key) else None


def _difference(fields: Fields, key: str) -> StateDifference | None:
    return StateDifference.from_fields(fields.object(key)) if fields.has(key) else None


def _count(fields: Fields, key: str) -> int | None:
    return fields.integer(key) if fields.has(key) else None
