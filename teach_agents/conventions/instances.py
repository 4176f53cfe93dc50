"""The instance that a TEACh model is given: a dictionary in the released format, without what is to be found out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from teach_agents.actions import ACTION_TYPES, Role
from teach_agents.data.follower_actions import dialogue_to_json
from teach_agents.observations import Utterance

__all__ = ["GROUND_TRUTH", "blinded", "live_instance"]

GROUND_TRUTH = (
    "driver_actions_future",
    "driver_images_future",
    "final_state_diff",
    "state_changes",
    "future_subgoals",
    "expected_init_goal_conditions_total",
    "expected_init_goal_conditions_satisfied",
)
"""Keys of an instance that say what people did next, or by what it is judged."""

_TEXT = ACTION_TYPES["Text"].action_id


def blinded(instance: Mapping[str, Any]) -> dict[str, Any]:
    """An EDH or TfD instance without the ground truth.

    Of EDH's `interactions` those before the prediction's start stay, of TfD's, where nothing has been done yet, what
    was said.
    """
    left = {key: value for key, value in instance.items() if key not in GROUND_TRUTH}
    interactions = left.get("interactions")
    if isinstance(interactions, list):
        start = left.get("pred_start_idx")
        if start is None:
            left["interactions"] = [one for one in interactions if one.get("action_id") == _TEXT]
        else:
            left["interactions"] = interactions[:start]
    return left


def live_instance(session_id: str, dialogue: Sequence[Utterance]) -> dict[str, Any]:
    """A session that goes on, such as TATC's, in the form of a TfD instance whose dialogue grows."""
    return {
        "dialog_history": dialogue_to_json(tuple((Role(said.speaker), said.text) for said in dialogue)),
        "driver_action_history": [],
        "driver_image_history": [],
        "interactions": [],
        "game_id": session_id,
        "dialog_history_cleaned": dialogue_to_json(tuple((Role(said.speaker), said.text) for said in dialogue)),
    }
