"""From what the heads say of words and parts to the likeliest tags, and how likely these are."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from teach_agents.understanding.heads.labels import OF_PARTS, Labels
from teach_agents.understanding.heads.network import Network
from teach_agents.understanding.heads.tags import Part, Span

_SIGNS = frozenset(", . : ?".split())


class Tagging(NamedTuple):
    """The likeliest parts of an utterance, and logarithms of probabilities: of what the parts are, of where they begin,
    of their slots, and of the least likely of the names.
    """

    parts: list[Part]
    names: float
    begins: float
    slots: float
    worst: float


def tagging(network: Network, labels: Labels, words: Sequence[str], encoded: Tensor) -> Tagging:
    """The tags of one utterance, whose words are encoded as 1 x W x ..."""
    told = network.tag(encoded)
    begins = told["begins"][0].log_softmax(-1)
    starts = [0] + [at for at in range(1, len(words)) if begins[at, 1] > begins[at, 0] and words[at] not in _SIGNS]
    bounds = list(zip(starts, [*starts[1:], len(words)], strict=True))
    named = {
        head: logits.log_softmax(-1) for head, logits in network.name(encoded, [(0, *one) for one in bounds]).items()
    }
    slots = told["spans"][0].log_softmax(-1)
    parts, names, in_slots, worst = [], 0.0, 0.0, 0.0
    for number, (start, end) in enumerate(bounds):
        best = {head: named[head][number].max(-1) for head in OF_PARTS}
        chosen = {head: labels.of[head][int(one.indices)] for head, one in best.items()}
        names += sum(float(one.values) for one in best.values())
        worst = min(worst, float(best["name"].values))
        spans, likely = _spans(slots[start:end], labels.of["spans"], start)
        in_slots += likely
        parts.append(Part(start, end, **chosen, spans=tuple(spans)))
    return Tagging(parts, names, float(begins[1:].amax(-1).sum()), in_slots, worst)


def _spans(scores: Tensor, names: Sequence[str], start: int) -> tuple[list[Span], float]:
    """The likeliest slots of consecutive words, none of which goes on with what did not begin (Viterbi)."""
    forbidden = _forbidden(names)
    best, back = scores[0] + forbidden[0], []
    for row in scores[1:]:
        found = (best[:, None] + forbidden).max(dim=0)
        back.append(found.indices)
        best = found.values + row
    at = int(best.argmax())
    path = [at]
    for step in reversed(back):
        at = int(step[at])
        path.append(at)
    path.reverse()
    spans: list[Span] = []
    for place, label in enumerate(path, start):
        way, _, name = names[label].partition(" ")
        if way == "B":
            spans.append(Span(name, place, place + 1))
        elif way == "I":
            spans[-1] = spans[-1]._replace(end=place + 1)
    return spans, float(best.max())


def _forbidden(names: Sequence[str]) -> Tensor:
    """-inf where the label of a column cannot follow that of a row."""
    found = torch.zeros(len(names), len(names))
    for column, name in enumerate(names):
        if name.startswith("I "):
            for row, before in enumerate(names):
                if before[2:] != name[2:] or not before:
                    found[row, column] = -math.inf
    return found
