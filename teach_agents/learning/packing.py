"""Decisions packed in rows of tokens, in which what several begin with is read once; a training's steps of such rows.

The prompts of a session begin alike, and those of all sessions begin with the same instructions. A row is a tree: a
decision hangs its tokens below those that the row holds already, each token sees only those on the way to it, and its
position is how many they are. So a row's losses are those of its decisions read one by one.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain, groupby

import numpy as np

from teach_agents.arrays import IntArray


@dataclass(frozen=True, slots=True)
class Sample:
    """One decision as tokens: the prompt as the model reads it, and the right answer with what ends it.

    `allowed` are the tokens among which each of the answer's was to be chosen; none where any token was.
    """

    session: str
    prompt: tuple[int, ...]
    answer: tuple[int, ...]
    allowed: tuple[IntArray, ...] = ()

    @property
    def read(self) -> tuple[int, ...]:
        """What is read to foretell every token of the answer."""
        return self.prompt + self.answer[:-1]


@dataclass(frozen=True, slots=True)
class Span:
    """New tokens of one decision, `begin` to `end` in the row, and the places of all tokens before them on the way."""

    begin: int
    end: int
    before: IntArray


@dataclass(frozen=True)
class PackedRow:
    """Trees of tokens in an order in which each stands behind those it follows, and what is to be foretold where.

    `positions` are places on the way from a tree's root. Token `wanted[i]` of decision `owners[i]` is to be foretold at
    place `places[i]`, among `allowed[i]` if anything stands there. `samples` are the decisions in it, by their numbers
    among all; `unpacked` is how many tokens they have when each is read alone.
    """

    tokens: IntArray
    positions: IntArray
    spans: tuple[Span, ...]
    places: IntArray
    wanted: IntArray
    owners: IntArray
    allowed: tuple[IntArray, ...]
    samples: tuple[int, ...]
    unpacked: int

    def __len__(self) -> int:
        """Tokens that are read."""
        return len(self.tokens)

    @cached_property
    def logits(self) -> tuple[IntArray, IntArray]:
        """The places at which logits are wanted, each once, and for each wanted token which of these is its own."""
        places, which = np.unique(self.places, return_inverse=True)
        return places, which.astype(np.int64)


@dataclass
class _Tree:
    """A row in the making."""

    children: dict[tuple[int, int], int] = field(default_factory=dict)
    tokens: list[int] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)
    answers: list[tuple[int, int, int]] = field(default_factory=list)
    allowed: list[IntArray] = field(default_factory=list)
    samples: list[int] = field(default_factory=list)
    unpacked: int = 0

    def way(self, tokens: Sequence[int]) -> list[int]:
        """The places of the first of these tokens, as far as they are here."""
        found: list[int] = []
        place = -1
        for token in tokens:
            next_place = self.children.get((place, token))
            if next_place is None:
                break
            found.append(next_place)
            place = next_place
        return found

    def hang(self, number: int, sample: Sample, way: list[int]) -> None:
        """Add what is new of a decision, whose `way` is known."""
        read = sample.read
        begin, before = len(self.tokens), len(way)
        for token in read[before:]:
            parent, place = way[-1] if way else -1, len(self.tokens)
            self.children[parent, token] = place
            self.tokens.append(token)
            self.parents.append(parent)
            way.append(place)
        if len(self.tokens) > begin:
            self.spans.append(Span(begin, len(self.tokens), np.array(way[:before], dtype=np.int64)))
        first = len(sample.prompt) - 1
        owner = len(self.samples)
        self.answers += [(way[first + at], token, owner) for at, token in enumerate(sample.answer)]
        self.allowed += sample.allowed
        self.samples.append(number)
        self.unpacked += len(read)

    def packed(self) -> PackedRow:
        """The row as it is computed."""
        positions: list[int] = []
        for parent in self.parents:
            positions.append(0 if parent < 0 else positions[parent] + 1)
        places, wanted, owners = np.array(self.answers, dtype=np.int64).T
        return PackedRow(
            np.array(self.tokens, dtype=np.int64),
            np.array(positions, dtype=np.int64),
            tuple(self.spans),
            places,
            wanted,
            owners,
            tuple(self.allowed),
            tuple(self.samples),
            self.unpacked,
        )


def pack(samples: Iterable[tuple[int, Sample]], room: int) -> Iterator[PackedRow]:
    """Rows of at most `room` tokens, with the decisions in order.

    Decisions come with their numbers, those of a session one behind the other. One that is longer than `room` gets a
    row of its own, of its length.
    """
    tree = _Tree()
    for number, sample in samples:
        way = tree.way(sample.read)
        if tree.samples and len(tree.tokens) + len(sample.read) - len(way) > room:
            yield tree.packed()
            tree, way = _Tree(), []
        tree.hang(number, sample, way)
    if tree.samples:
        yield tree.packed()


@dataclass(frozen=True, slots=True)
class Step:
    """Rows whose gradients are summed before the weights change."""

    rows: tuple[PackedRow, ...]

    @property
    def tokens(self) -> int:
        """Tokens that are read."""
        return sum(map(len, self.rows))

    @property
    def unpacked(self) -> int:
        """Tokens that its decisions have when each is read alone."""
        return sum(row.unpacked for row in self.rows)

    @property
    def decisions(self) -> int:
        """How many decisions it holds."""
        return sum(len(row.samples) for row in self.rows)


@dataclass(frozen=True, slots=True)
class Plan:
    """All steps of a training."""

    steps: tuple[Step, ...]

    @property
    def tokens(self) -> int:
        """Tokens that will be read."""
        return sum(step.tokens for step in self.steps)


def planned(
    samples: Sequence[Sample], *, seed: int, epochs: int, tokens: int | None = None, row: int, batch: int
) -> Plan:
    """Every decision once per epoch, or as long as `tokens` last.

    Rows have at most `row` tokens, steps at least `batch`. Each epoch shuffles the sessions, which are packed in that
    order, and then the rows.
    """
    steps: list[Step] = []
    left = math.inf if tokens is None else tokens
    for epoch in range(epochs):
        for step in _steps(samples, random.Random(f"{seed} {epoch}"), row, batch):
            if left <= 0:
                break
            steps.append(step)
            left -= step.tokens
    return Plan(tuple(steps))


def _steps(samples: Sequence[Sample], dice: random.Random, room: int, batch: int) -> Iterator[Step]:
    sessions = [list(mine) for _, mine in groupby(enumerate(samples), key=lambda one: one[1].session)]
    dice.shuffle(sessions)
    rows = list(pack(chain.from_iterable(sessions), room))
    dice.shuffle(rows)
    gathered: list[PackedRow] = []
    for row in rows:
        gathered.append(row)
        if sum(map(len, gathered)) >= batch:
            yield Step(tuple(gathered))
            gathered = []
    if gathered:
        yield Step(tuple(gathered))
