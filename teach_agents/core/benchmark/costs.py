"""What an instance cost: talk, answers that were none, time, decisions and calls of language models."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from statistics import median
from typing import Any, Protocol, runtime_checkable

from teach_agents.core.agents.thoughts import is_decision
from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.core.values import nothing

_TOKEN = re.compile(r"\w+(?:['\u2019]\w+)*|[^\w\s]")


def tokens(text: str) -> int:
    """How many words and punctuation marks a text has."""
    return len(_TOKEN.findall(text))


@dataclass(frozen=True, slots=True)
class Costs:
    """Counts of one instance, or sums of many.

    `tokens` are words and punctuation marks said by anybody. `dialogue_acts` counts labels, where somebody labelled
    what was said; `invalid_actions` answers that were no action of the seat at all, which are failed actions too.
    `wall_s` is in seconds. `model_calls` and tokens are of language models, `prompt_tokens` going in,
    `generated_tokens` coming out. `decisions` are choices that a model was asked to make, failed ones
    (`failed_decisions`) included; `candidates` counts those among candidates by how many there were.
    `clarifications` are questions that an agent asked because what it was told left something open, `repairs`
    utterances that corrected it.
    """

    utterances: int = 0
    tokens: int = 0
    dialogue_acts: Mapping[str, int] = field(default_factory=nothing)
    invalid_actions: int = 0
    wall_s: float = 0.0
    model_calls: int = 0
    prompt_tokens: int = 0
    generated_tokens: int = 0
    decisions: int = 0
    failed_decisions: int = 0
    clarifications: int = 0
    repairs: int = 0
    candidates: Mapping[str, int] = field(default_factory=nothing)

    def __add__(self, other: Costs) -> Costs:
        """Both together."""
        added: JsonObject = {name: getattr(self, name) + getattr(other, name) for name in _COUNTED}
        for name in _BY_KIND:
            added[name] = dict(sorted((Counter(getattr(self, name)) + Counter(getattr(other, name))).items()))
        return Costs(**added)

    @property
    def median_candidates(self) -> float | None:
        """How many candidates a decision had, by the median; `None` without decisions."""
        sizes = Counter({int(size): count for size, count in self.candidates.items()})
        return float(median(sizes.elements())) if sizes else None

    def to_json(self) -> JsonObject:
        """The counts as JSON, from which `Costs(**...)` makes them again."""
        return {
            **{name: getattr(self, name) for name in _COUNTED},
            **{name: dict(getattr(self, name)) for name in _BY_KIND},
        }

    def total_json(self, *, timed: bool = True) -> JsonObject:
        """The same of many together: with the median number of candidates of a decision, times left out if need be."""
        found = {**self.to_json(), "median_candidates": self.median_candidates}
        return found if timed else {name: value for name, value in found.items() if name != "wall_s"}


_BY_KIND = ("dialogue_acts", "candidates")
_COUNTED = tuple(one.name for one in fields(Costs) if one.name not in _BY_KIND)


@runtime_checkable
class Metered(Protocol):
    """An agent that knows what it spends; one that is not counts as free of models."""

    @property
    def usage(self) -> Any:
        """Model calls and tokens since `begin`, and labels of what it said if it labels; no more. `Costs`, or a value
        with `model_calls`, `prompt_tokens` and `generated_tokens`."""


def spent(agent: object) -> Costs:
    """What an agent says that it spent on models; nothing where it says nothing."""
    usage = agent.usage if isinstance(agent, Metered) else Costs()
    if isinstance(usage, Costs):
        return usage
    calls, read, made = usage.model_calls, usage.prompt_tokens, usage.generated_tokens
    return Costs(model_calls=calls, prompt_tokens=read, generated_tokens=made)


def decided(thoughts: Iterable[JsonMapping]) -> Costs:
    """The decisions among what was thought, one thought a step, and what of a talk went into being understood."""
    thoughts = list(thoughts)
    made = [one for one in thoughts if is_decision(one)]
    sizes = Counter(str(len(one["candidates"])) for one in made if isinstance(one.get("candidates"), list))
    failed = sum("error" in one for one in made)
    clarified, repaired = (sum(bool(one.get(name)) for one in thoughts) for name in ("clarifies", "repairs"))
    return Costs(
        decisions=len(made),
        failed_decisions=failed,
        clarifications=clarified,
        repairs=repaired,
        candidates=dict(sorted(sizes.items())),
    )


def talk(utterances: Iterable[str], dialogue_acts: Iterable[str] = ()) -> Costs:
    """What it cost to say these things; `dialogue_acts` are their labels, in any order."""
    said = list(utterances)
    return Costs(len(said), sum(map(tokens, said)), dict(sorted(Counter(dialogue_acts).items())))
