"""From what the heads say of words and parts to the likeliest tags, and how likely these are."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from teach_agents.understanding.heads.labels import OF_PARTS, Labels
from teach_agents.understanding.heads.network import Network
from teach_agents.understanding.heads.tags import STATE, WHEN, Part, Span

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
        best = _named(labels, {head: one[number] for head, one in named.items()})
        names += sum(likely for _, likely in best.values())
        worst = min(worst, best["name"][1])
        chosen = {head: label for head, (label, _) in best.items()}
        barred = _barred(labels, chosen)
        spans, likely = _spans(slots[start:end] + barred, labels.of["spans"], start)
        in_slots += likely
        parts.append(Part(start, end, **chosen, spans=tuple(spans)))
    return Tagging(parts, names, float(begins[1:].amax(-1).sum()), in_slots, worst)


_SPEAKING = frozenset({"never", "allow", "not_until", "instead_do", "?can", "?how"})
"""Acts that always speak of another."""


def _named(labels: Labels, told: Mapping[str, Tensor]) -> dict[str, tuple[str, float]]:
    """The likeliest label of each head, as far as they go together, with the logarithm of its probability."""
    found: dict[str, tuple[str, float]] = {}
    for head in OF_PARTS:
        scores = told[head].clone()
        if head == "inner":
            name = found["name"][0]
            if name in _SPEAKING:
                scores[0] = -math.inf
            elif "inner" not in labels.takes.get(name, ()):
                scores[1:] = -math.inf
        if head == "when_state" and not found["when"][0]:
            scores[1:] = -math.inf
        at = int(scores.argmax())
        found[head] = (labels.of[head][at], float(told[head][at]))
    return found


def _barred(labels: Labels, chosen: Mapping[str, str]) -> Tensor:
    """-inf for slots that a part of these labels does not have."""
    has = {*labels.takes.get(chosen["inner"] or chosen["name"], ())} - {WHEN, STATE}
    has |= {WHEN} if chosen["when"] else set()
    has |= {STATE} if chosen["state"] or chosen["when_state"] else set()
    return torch.tensor([0.0 if not name or name[2:] in has else -math.inf for name in labels.of["spans"]])


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
    return _single(spans, scores, start), float(best.max())


def _single(spans: Sequence[Span], scores: Tensor, start: int) -> list[Span]:
    """One slot of each name: the one of which the words are surest."""
    likely = {span: float(scores[span.start - start : span.end - start, 1:].amax(-1).mean()) for span in spans}
    best = {
        name: max((span for span in spans if span.name == name), key=likely.__getitem__)
        for name in {s.name for s in spans}
    }
    return [span for span in spans if span in best.values()]


def _forbidden(names: Sequence[str]) -> Tensor:
    """-inf where the label of a column cannot follow that of a row."""
    found = torch.zeros(len(names), len(names))
    for column, name in enumerate(names):
        if name.startswith("I "):
            for row, before in enumerate(names):
                if before[2:] != name[2:] or not before:
                    found[row, column] = -math.inf
    return found
