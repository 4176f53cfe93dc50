"""Any agent playing through eyes and a memory of its own, or without hearing words, to tell what dialogue is worth."""

from __future__ import annotations

from collections.abc import Awaitable, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from teach_agents.agents.perceiving.contract import Perception
from teach_agents.core.agents.contract import Agent, Briefing
from teach_agents.core.json_types import JsonMapping
from teach_agents.errors import InputError
from teach_agents.models.prompts import Usage
from teach_agents.observations import Observation, Privilege

_GIVEN = frozenset({Privilege.SEGMENTATION, Privilege.DEPTH, Privilege.OBJECTS, Privilege.REACHABLE})
"""What a perception stands for."""


class Perceived(Agent):
    """An agent whose privileged information is what its perception has seen.

    It declares the perception's privileges in place of its own. What else is asked of it is the inner agent's, its
    usage and thoughts among it. Raises `InputError` for an agent that reads what no perception gives.
    """

    def __init__(self, agent: Agent, perception: Perception) -> None:
        beyond = sorted(agent.privileges - _GIVEN)
        if beyond:
            valid = [privilege.value for privilege in Privilege if privilege in _GIVEN]
            raise InputError(f"perception {perception.name!r}", "cannot stand for", value=beyond, valid=valid)
        self.agent = agent
        self.perception = perception
        self.privileges = perception.privileges

    @property
    def provenance(self) -> Mapping[str, str]:  # type: ignore[override]  # known when it is read, as the contract says
        """The inner agent's, with the tier of perception."""
        return MappingProxyType({**self.agent.provenance, **self.perception.provenance})

    @property
    def thought(self) -> JsonMapping | None:  # type: ignore[override]  # the same
        """The inner agent's."""
        return self.agent.thought

    @property
    def usage(self) -> object:
        """What the inner agent spent on models; nothing where it does not say."""
        return getattr(self.agent, "usage", Usage())

    def load(self) -> None:
        """Load what the inner agent needs."""
        self.agent.load()

    def begin(self, briefing: Briefing) -> Awaitable[None] | None:
        """A session begins; forget the last one."""
        self.perception.begin(briefing.seed)
        return self.agent.begin(briefing)

    def recall(self, observation: Observation) -> Awaitable[None] | None:
        """Take in what was seen before, by whoever was in this place."""
        return self.agent.recall(self.perception.perceive(observation))

    def act(self, observation: Observation) -> Any:
        """The inner agent's answer to what was perceived."""
        self.perceived = self.perception.perceive(observation)  # for dialogue hooks, which see what the agent sees
        return self.agent.act(self.perceived)


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
