"""An EDH or TfD instance as it is handed to an agent that asks for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from teach_agents.actions import ACTION_TYPES
from teach_agents.core.handles import Handle
from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.data.edh import EdhInstance
from teach_agents.data.interactions import Interaction
from teach_agents.data.tfd import TfdInstance

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


@dataclass(frozen=True, slots=True)
class ShownInstance:
    """The instance without its ground truth: any agent's factory that has a parameter `instance` gets it."""

    open_context: ClassVar[bool] = True

    file: str
    view_size: int
    to_json: Callable[[], JsonObject]
    """The instance as in its file, new at each call."""


@dataclass(frozen=True, slots=True)
class Assignment:
    """The instance, with its ground truth where there is one; `file` is where it lies, or would in TEACh's layout.

    `view_size` is the width and height in pixels of the run's pictures. An agent's factory gets one if it declares so,
    `@takes("assignment")`: what may read the ground truth is an oracle and has to say so (`Privilege.GROUND_TRUTH`).
    """

    instance: EdhInstance | TfdInstance
    file: str
    view_size: int

    @property
    def past(self) -> tuple[Interaction, ...]:
        """The session's interactions before the Follower takes over; none in TfD."""
        instance = self.instance
        return instance.interactions[: instance.pred_start_idx] if isinstance(instance, EdhInstance) else ()

    def to_json(self) -> JsonObject:
        """The instance as in its file."""
        return self.instance.to_json()

    def shown(self) -> ShownInstance:
        """The instance as whoever is judged may know it."""
        instance = self.instance
        return ShownInstance(self.file, self.view_size, Handle(lambda: blinded(instance.to_json())))


def blinded(instance: JsonMapping) -> JsonObject:
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
