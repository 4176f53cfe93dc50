"""What an instance cost: talk, actions that were none, time, decisions and calls of language models."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from statistics import median
from types import MappingProxyType
from typing import Any, Protocol, runtime_checkable

from teach_agents.actions import Role
from teach_agents.core.agents.thoughts import is_decision
from teach_agents.data.interactions import Interaction, Keyboard
from teach_agents.data.stats import tokens
from teach_agents.models.prompts import Usage
from teach_agents.session.turns import Done

__all__ = ["Costs", "Metered", "costs_of", "recorded_talk", "spent", "talk"]


@dataclass(frozen=True, slots=True)
class Costs:
    """Counts of one instance, or sums of many.

    `tokens` are words and punctuation marks said by either role (`teach_agents.data.stats.tokens`).
    `dialogue_acts` counts labels, where somebody labelled what was said; `invalid_actions` answers that were no action
    of the role at all, which are failed actions too. `wall_s` is in seconds. `model_calls` and tokens are of language
    models, `prompt_tokens` going in, `generated_tokens` coming out. `decisions` are choices that a model was asked to
    make, failed ones (`failed_decisions`) included; `candidates` counts those among candidates by how many there were.
    """

    utterances: int = 0
    tokens: int = 0
    dialogue_acts: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    invalid_actions: int = 0
    wall_s: float = 0.0
    model_calls: int = 0
    prompt_tokens: int = 0
    generated_tokens: int = 0
    decisions: int = 0
    failed_decisions: int = 0
    candidates: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))

    def __add__(self, other: Costs) -> Costs:
        """Both together."""
        added: dict[str, Any] = {name: getattr(self, name) + getattr(other, name) for name in _COUNTED}
        added |= {name: _both(getattr(self, name), getattr(other, name)) for name in _BY_KIND}
        return Costs(**added)

    @property
    def median_candidates(self) -> float | None:
        """How many candidates a decision had, by the median; `None` without decisions."""
        sizes = Counter({int(size): count for size, count in self.candidates.items()})
        return float(median(sizes.elements())) if sizes else None

    def to_json(self) -> dict[str, Any]:
        """The counts as JSON, from which `Costs(**...)` makes them again."""
        return {
            **{name: getattr(self, name) for name in _COUNTED},
            **{name: dict(getattr(self, name)) for name in _BY_KIND},
        }


_BY_KIND = ("dialogue_acts", "candidates")
_COUNTED = tuple(one.name for one in fields(Costs) if one.name not in _BY_KIND)


def _both(one: Mapping[str, int], other: Mapping[str, int]) -> dict[str, int]:
    return dict(sorted((Counter(one) + Counter(other)).items()))


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


def costs_of(done: Sequence[Done], role: Role) -> Costs:
    """What a role's steps cost in talk, in answers that were no action of the role, and in decisions."""
    actions = [one.action for one in done if one.action is not None and one.action.allowed_for(role)]
    said = (action.utterance for action in actions if action.name == "Text")
    acts = (act for one in done for act in one.dialogue_acts)
    thoughts = (one.thought for one in done if one.thought is not None)
    return talk(said, acts) + Costs(invalid_actions=len(done) - len(actions)) + _decided(thoughts)


def _decided(thoughts: Iterable[Mapping[str, Any]]) -> Costs:
    """The decisions among what was thought, one thought a step."""
    made = [one for one in thoughts if is_decision(one)]
    sizes = Counter(str(len(one["candidates"])) for one in made if isinstance(one.get("candidates"), list))
    failed = sum("error" in one for one in made)
    return Costs(decisions=len(made), failed_decisions=failed, candidates=dict(sorted(sizes.items())))


def talk(utterances: Iterable[str], dialogue_acts: Iterable[str] = ()) -> Costs:
    """What it cost to say these things; `dialogue_acts` are their labels, in any order."""
    said = list(utterances)
    return Costs(len(said), sum(map(tokens, said)), dict(sorted(Counter(dialogue_acts).items())))


def recorded_talk(interactions: Iterable[Interaction]) -> Costs:
    """What people's talk in a recorded session cost, with the annotators' dialogue acts."""
    said = [one for one in interactions if isinstance(one, Keyboard)]
    return talk((one.utterance for one in said), (act.act for one in said for act in one.dialogue_acts))
