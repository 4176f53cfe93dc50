"""What an instance cost: talk, actions that were none, time, calls of language models."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import Any, Protocol, runtime_checkable

from teach_agents.data.interactions import Interaction, Keyboard
from teach_agents.data.stats import tokens
from teach_agents.models.prompts import Usage

__all__ = ["Costs", "Metered", "recorded_talk", "spent", "talk"]


@dataclass(frozen=True, slots=True)
class Costs:
    """Counts of one instance, or sums of many.

    `tokens` are words and punctuation marks said by either role (`teach_agents.data.stats.tokens`).
    `dialogue_acts` counts labels, where somebody labelled what was said; `invalid_actions` answers that were no action
    of the role at all, which are failed actions too. `wall_s` is in seconds. `model_calls` and tokens are of language
    models, `prompt_tokens` going in, `generated_tokens` coming out.
    """

    utterances: int = 0
    tokens: int = 0
    dialogue_acts: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    invalid_actions: int = 0
    wall_s: float = 0.0
    model_calls: int = 0
    prompt_tokens: int = 0
    generated_tokens: int = 0

    def __add__(self, other: Costs) -> Costs:
        """Both together."""
        acts = Counter(self.dialogue_acts) + Counter(other.dialogue_acts)
        added = {name: getattr(self, name) + getattr(other, name) for name in _COUNTED}
        return Costs(dialogue_acts=dict(sorted(acts.items())), **added)

    def to_json(self) -> dict[str, Any]:
        """The counts as JSON."""
        return {**{name: getattr(self, name) for name in _COUNTED}, "dialogue_acts": dict(self.dialogue_acts)}


_COUNTED = tuple(one.name for one in fields(Costs) if one.name != "dialogue_acts")


@runtime_checkable
class Metered(Protocol):
    """An agent that knows what it spends; one that is not counts as free of models."""

    @property
    def usage(self) -> Costs | Usage:
        """Model calls and tokens since `begin`, and labels of what it said if it labels; no more."""


def spent(agent: object) -> Costs:
    """What an agent says that it spent on models; nothing where it says nothing."""
    usage = agent.usage if isinstance(agent, Metered) else Costs()
    if isinstance(usage, Costs):
        return usage
    calls, read, made = usage.model_calls, usage.prompt_tokens, usage.generated_tokens
    return Costs(model_calls=calls, prompt_tokens=read, generated_tokens=made)


def talk(utterances: Iterable[str], dialogue_acts: Iterable[str] = ()) -> Costs:
    """What it cost to say these things; `dialogue_acts` are their labels, in any order."""
    said = list(utterances)
    return Costs(len(said), sum(map(tokens, said)), dict(sorted(Counter(dialogue_acts).items())))


def recorded_talk(interactions: Iterable[Interaction]) -> Costs:
    """What people's talk in a recorded session cost, with the annotators' dialogue acts."""
    said = [one for one in interactions if isinstance(one, Keyboard)]
    return talk((one.utterance for one in said), (act.act for one in said for act in one.dialogue_acts))
