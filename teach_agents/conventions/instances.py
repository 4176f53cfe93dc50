"""The instance that a TEACh model is given: a dictionary in the released format, without what is to be found out."""

from __future__ import annotations

from collections.abc import Sequence

from teach_agents.actions import Role
from teach_agents.benchmarks.solo.assignment import GROUND_TRUTH, blinded
from teach_agents.core.json_types import JsonObject
from teach_agents.data.follower_actions import dialogue_to_json
from teach_agents.observations import Utterance

__all__ = ["GROUND_TRUTH", "blinded", "live_instance"]


def live_instance(session_id: str, dialogue: Sequence[Utterance]) -> JsonObject:
    """A session that goes on, such as TATC's, in the form of a TfD instance whose dialogue grows."""
    return {
        "dialog_history": dialogue_to_json(tuple((Role(said.speaker), said.text) for said in dialogue)),
        "driver_action_history": [],
        "driver_image_history": [],
        "interactions": [],
        "game_id": session_id,
        "dialog_history_cleaned": dialogue_to_json(tuple((Role(said.speaker), said.text) for said in dialogue)),
    }
