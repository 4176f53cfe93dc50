"""The Perception contract: from what an agent could read to what it has seen."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping

from teach_agents.observations import Observation, Privilege


class Perception(ABC):
    """One agent's eyes and memory of a room.

    `name` is the tier that results carry. `privileges` is what it reads of true observations; an agent that perceives
    through it declares these and no others.
    """

    name: str
    privileges: frozenset[Privilege]
    lasting_ids: bool = True
    """Whether it calls a thing by the id that it had before in a session that is taken up."""

    @property
    def provenance(self) -> Mapping[str, str]:
        """What results say of it: its tier, and whatever else it depends on, by name. Read when a session is over."""
        return {"perception": self.name}

    def begin(self, seed: int) -> None:  # noqa: B027  # optional: nothing to forget by default
        """A session begins; forget the last one."""

    @abstractmethod
    def perceive(self, observation: Observation) -> Observation:
        """The observation of a turn, with a `privileged` part that holds only what was seen and is remembered.

        Its `objects` are rows as AI2-THOR's metadata has them, of what was seen so far, each as it was last seen;
        `reachable` is where one can stand as far as that is known (metres, 0.25 m apart); `segmentation` and `depth`
        are of the view, by what was recognised in it. Called once a turn, in order. The part is `acting.knowledge`'s
        `Remembered`, so that skills can tell what is in view and what was never looked at.
        """
