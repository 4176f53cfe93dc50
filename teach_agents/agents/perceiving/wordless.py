"""The control of what dialogue is worth: a perception through which all that was said has lost its words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from teach_agents.agents.perceiving.contract import Perception
from teach_agents.observations import Observation

_BLANK = " "


class Wordless(Perception):
    """Sees as another perception does, and hears that something was said and by whom, never what."""

    def __init__(self, eyes: Perception) -> None:
        self._eyes = eyes
        self.name = eyes.name
        self.privileges = eyes.privileges

    @property
    def provenance(self) -> Mapping[str, str]:
        """As of the other, and that words were taken out."""
        return {**self._eyes.provenance, "dialogue": "blanked"}

    def begin(self, seed: int) -> None:
        """As the other."""
        self._eyes.begin(seed)

    def perceive(self, observation: Observation) -> Observation:
        """As the other, of a turn whose utterances are blanks."""
        said = tuple(replace(one, text=_BLANK) for one in observation.dialogue)
        return self._eyes.perceive(replace(observation, dialogue=said))
