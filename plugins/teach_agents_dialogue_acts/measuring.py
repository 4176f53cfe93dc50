"""How well tags agree with people's labels, utterance by utterance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass

from teach_agents.core.json_types import JsonObject
from teach_agents_dialogue_acts.classifier import ACTS

Pair = tuple[Set[str], Set[str]]
"""What people say that an utterance does, and the tags it was given."""


@dataclass(frozen=True, slots=True)
class Measured:
    """`f1` is, by act, that of having the act among the tags; acts that neither side has are left out. `macro_f1` is
    its mean, `accuracy` the share of utterances whose tags are exactly the labels; `n` how many utterances.
    """

    n: int
    macro_f1: float
    accuracy: float
    f1: Mapping[str, float]

    def __str__(self) -> str:
        return f"macro-F1 {self.macro_f1:.3f}, accuracy {self.accuracy:.3f}, n {self.n}"

    def to_json(self) -> JsonObject:
        """Everything, rounded."""
        f1 = {act: round(value, 4) for act, value in self.f1.items()}
        return {"n": self.n, "macro_f1": round(self.macro_f1, 4), "accuracy": round(self.accuracy, 4), "f1": f1}


def measured(pairs: Sequence[Pair]) -> Measured:
    """The agreement of tags with labels."""
    f1 = _f1(pairs)
    same = sum(labels == tags for labels, tags in pairs)
    return Measured(len(pairs), sum(f1.values()) / max(1, len(f1)), same / max(1, len(pairs)), f1)


def majority(labels: Iterable[Set[str]]) -> str:
    """The act that most utterances do."""
    counts = Counter(act for acts in labels for act in acts)
    return max(ACTS, key=lambda act: counts[act])


def _f1(pairs: Iterable[Pair]) -> dict[str, float]:
    sides: Counter[str] = Counter()
    both: Counter[str] = Counter()
    for labels, tags in pairs:
        sides.update((*labels, *tags))
        both.update(labels & tags)
    return {act: 2 * both[act] / sides[act] for act in ACTS if sides[act]}
