"""The labels that the heads tell apart, and tagged utterances as numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from teach_agents.understanding.heads.tags import SAID, SPANS, Part

_STATED = 3
"""A state that is told as often has a label; others are words of the utterance."""
OF_PARTS = ("name", "inner", "state", "when", "when_state")


@dataclass(frozen=True)
class Labels:
    """By head: what its numbers stand for. The first of each is "nothing" but for names."""

    of: Mapping[str, Sequence[str]]
    takes: Mapping[str, Sequence[str]]
    """By an act's name: the slots that it was ever told with, and "inner" if it speaks of another act."""

    @classmethod
    def told_apart(cls, parts: Iterable[Part]) -> Labels:
        """Those of tagged utterances."""
        found = {head: Counter[str]() for head in OF_PARTS}
        takes: dict[str, set[str]] = {}
        for part in parts:
            for head, counts in found.items():
                counts[getattr(part, head)] += 1
            takes.setdefault(part.inner or part.name, set()).update(span.name for span in part.spans)
            takes.setdefault(part.name, set()).update(["inner"] * bool(part.inner))
        of = {"begins": ["", "begins"], "spans": ["", *(f"{way} {name}" for name in SPANS for way in "BI")]}
        for head, counts in found.items():
            plain = sorted(one for one, often in counts.items() if one and (often >= _STATED or "state" not in head))
            of[head] = plain if head == "name" else ["", *([SAID] if "state" in head else []), *plain]
        return cls(of, {name: sorted(slots) for name, slots in sorted(takes.items())})

    @property
    def sizes(self) -> dict[str, int]:
        """How many labels each head has."""
        return {head: len(known) for head, known in self.of.items()}

    def number(self, head: str, label: str) -> int:
        """The number of a label; of words as they are, where a state has none; -100, which counts for nothing, else."""
        known = self.of[head]
        if label in known:
            return list(known).index(label)
        return list(known).index(SAID) if SAID in known else -100

    def spans(self, parts: Iterable[Part], length: int) -> list[int]:
        """The number of each word's slot."""
        found = [0] * length
        for part in parts:
            for span in part.spans:
                for at in range(span.start, span.end):
                    found[at] = self.number("spans", f"{'B' if at == span.start else 'I'} {span.name}")
        return found
