"""An EDH or TfD instance as it is handed to an agent that asks for it."""

from __future__ import annotations

from dataclasses import dataclass

from teach_agents.data.edh import EdhInstance
from teach_agents.data.interactions import Interaction
from teach_agents.data.tfd import TfdInstance

__all__ = ["Assignment"]


@dataclass(frozen=True, slots=True)
class Assignment:
    """The instance, with its ground truth where there is one; `file` is where it lies, or would in TEACh's layout.

    `view_size` is the width and height in pixels of the run's pictures. An agent's factory that has a parameter
    `assignment` gets one: what reads its ground truth is an oracle and has to say so (`Privilege.GROUND_TRUTH`).
    """

    instance: EdhInstance | TfdInstance
    file: str
    view_size: int

    @property
    def past(self) -> tuple[Interaction, ...]:
        """The session's interactions before the Follower takes over; none in TfD."""
        instance = self.instance
        return instance.interactions[: instance.pred_start_idx] if isinstance(instance, EdhInstance) else ()
