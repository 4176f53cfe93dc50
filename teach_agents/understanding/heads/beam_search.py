"""Beam search: from what the heads say comes next to the likeliest meanings, and how likely a given one is."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy
import torch
from torch import Tensor

from teach_agents.core.dialogue import DialogueAct
from teach_agents.errors import InputError
from teach_agents.understanding.heads.network import JOINED, LONGEST, SYMBOL, WORD, Heard, Network, Next, Written
from teach_agents.understanding.heads.pieces import batch, context
from teach_agents.understanding.heads.symbols import SAID, Place, Symbol, acts_of, keeping, symbols_of
from teach_agents.understanding.matching import same
from teach_agents.understanding.noun_phrases import singular

if TYPE_CHECKING:
    from teach_agents.understanding.heads.reader import Loaded

BEGIN, END = "<s>", "</s>"
_BEAM = 4
_MOST = 80
"""Symbols of a meaning that is written."""
_FLOOR = 1e-9


class Meaning(NamedTuple):
    """Acts, the logarithm of how likely the heads write them, and of the least likely of their symbols."""

    acts: tuple[DialogueAct, ...]
    likely: float
    worst: float


class _Row(NamedTuple):
    """A meaning as far as it is written: symbols, how the last goes into the network, logarithms of probabilities."""

    symbols: tuple[Symbol, ...]
    last: tuple[int, int, int]
    likely: float
    worst: float
    pointing: int
    """Places that have to come next."""


def places_of(words: Sequence[str]) -> dict[str, list[int]]:
    """Where each word of an utterance is, in the singular, as meanings have it."""
    found: dict[str, list[int]] = {}
    for place, word in enumerate(words):
        found.setdefault(singular(word), []).append(place)
    return found


def said_at(symbol: Symbol, places: Mapping[str, list[int]]) -> tuple[int, list[int]]:
    """How a symbol is told by words of an utterance, `WORD` or `JOINED`, and by which; 0 and none where it is not."""
    if isinstance(symbol, Place):
        return WORD, [symbol.at]
    said = places.get(symbol[1:], []) if symbol[0] in " _" else []
    return (WORD if symbol[0] == " " else JOINED, said) if said else (SYMBOL, [])


class Choices:
    """What may be written of one utterance: the symbols that are known, and its words."""

    def __init__(self, symbols: Sequence[str], numbers: Mapping[str, int], words: Sequence[str]) -> None:
        self._numbers, self._places = numbers, places_of(words)
        own = [f"{way}{word}" for way in " _" for word in self._places if f"{way}{word}" not in numbers]
        self.symbols = [*symbols, *own]
        self._own = {one: number for number, one in enumerate(own, len(symbols))}
        self._words, self._joined = (
            torch.tensor([self.number(f"{way}{singular(word)}") for word in words]) for way in " _"
        )

    def number(self, symbol: str) -> int | None:
        """The number of a symbol among the choices, `None` where it cannot be written."""
        return self._numbers.get(symbol, self._own.get(symbol))

    def merged(self, told: Next) -> Tensor:
        """T x choices: how likely each is, by its number or by any word of the utterance that it stands for."""
        found = torch.zeros(told.symbols.shape[1], len(self.symbols))
        found[:, : told.symbols.shape[-1]] = told.symbols[0].exp()
        found.index_add_(1, self._words, told.words[0].exp())
        return found.index_add_(1, self._joined, told.joined[0].exp()).clamp(min=_FLOOR).log()

    def entry(self, symbol: Symbol) -> tuple[int, int, int]:
        """How a symbol goes into the network: kind, number, place; as a word of the utterance where it is one."""
        kind, said = said_at(symbol, self._places)
        return (kind, 0, said[0]) if kind or isinstance(symbol, Place) else (SYMBOL, self._numbers.get(symbol, 0), 0)


def meanings(network: Network, choices: Choices, heard: Heard, words: Sequence[str]) -> list[Meaning]:
    """The likeliest meanings of an utterance, the likeliest first (a beam of `_BEAM`)."""
    rows = [_Row((), choices.entry(BEGIN), 0.0, 0.0, 0)]
    done: list[_Row] = []
    kept: list[tuple[Tensor, Tensor]] | tuple[()] = ()
    end = choices.number(END)
    for step in range(_MOST):
        wide = _repeated(heard, len(rows))
        told, keeping = network.write(_written([[row.last] for row in rows]), wide, kept, step)
        found = [one for number, row in enumerate(rows) for one in _following(row, number, told, choices)]
        found.sort(key=lambda one: -one[0].likely)
        done += [row for row, _, number in found[:_BEAM] if number == end]
        going = [(row, parent) for row, parent, number in found[: 2 * _BEAM] if number != end][:_BEAM]
        if not going or (len(done) >= _BEAM) or (done and max(row.likely for row in done) > going[0][0].likely + 4):
            break
        rows = [row for row, _ in going]
        parents = torch.tensor([parent for _, parent in going])
        kept = [(keys[parents], values[parents]) for keys, values in (one for one in keeping if one is not None)]
    return _meanings(sorted(done, key=lambda row: -row.likely), words)


def meanings_of(
    loaded: Loaded, words: Sequence[str], recent: Sequence[str], others: Sequence[Sequence[DialogueAct]]
) -> tuple[list[Meaning], tuple[float, ...]]:
    """The likeliest meanings of an utterance behind what was said before, and how likely other acts are."""
    choices = Choices(loaded.symbols, loaded.numbers, words)
    heard = loaded.network.hear(batch(loaded.tokenizer, [(context(recent), words)]))
    everything = ((0, len(words)),)
    told = (symbols_of(acts, everything * sum(1 for _ in keeping(acts))) for acts in others)
    return meanings(loaded.network, choices, heard, words), tuple(
        likely(loaded.network, choices, heard, one) for one in told
    )


def likely(network: Network, choices: Choices, heard: Heard, symbols: Sequence[Symbol]) -> float:
    """The logarithm of how likely the heads write these symbols, wherever the words are that are kept."""
    entries = [choices.entry(BEGIN)]
    for one in symbols:
        if isinstance(one, str) and choices.number(one) is None:
            return -math.inf
        entries.append(choices.entry(one))
    if len(entries) >= LONGEST:
        return -math.inf
    told, _ = network.write(_written([entries]), heard)
    merged = choices.merged(told)
    told_of = ((at, choices.number(one)) for at, one in enumerate([*symbols, END]) if isinstance(one, str))
    return sum(float(merged[at, number]) for at, number in told_of if number is not None)


def _following(row: _Row, number: int, told: Next, choices: Choices) -> Iterator[tuple[_Row, int, int]]:
    """The likeliest rows that a row goes on as, each with the number of the row, and of the symbol (-1: a place)."""
    own = Next(*(one[number : number + 1] for one in told))
    if row.pointing:  # wherever the words are that are kept, the meaning is the same
        yield _longer(row, Place(int(own.words[0, -1].argmax())), choices, 0.0), number, -1
        return
    scores = choices.merged(own)[-1]
    for at in scores.topk(_BEAM).indices.tolist():
        yield _longer(row, choices.symbols[at], choices, float(scores[at])), number, at


def _longer(row: _Row, symbol: Symbol, choices: Choices, likely: float) -> _Row:
    pointing = 2 if symbol == SAID else max(0, row.pointing - 1)
    last = choices.entry(symbol)
    return _Row((*row.symbols, symbol), last, row.likely + likely, min(row.worst, likely), pointing)


def _meanings(rows: Sequence[_Row], words: Sequence[str]) -> list[Meaning]:
    """What rows mean, each once, as likely as all that mean the same; rows that mean nothing are left out."""
    found: list[Meaning] = []
    for row in rows:
        try:
            acts = acts_of(row.symbols[:-1], words)
        except InputError:
            continue
        alike = next((at for at, one in enumerate(found) if same(one.acts, acts)), None)
        if alike is None:
            found.append(Meaning(acts, row.likely, row.worst))
        else:
            found[alike] = found[alike]._replace(likely=float(numpy.logaddexp(found[alike].likely, row.likely)))
    return sorted(found, key=lambda one: -one.likely)


def _written(rows: Sequence[Sequence[tuple[int, int, int]]]) -> Written:
    table = torch.tensor(rows)
    return Written(table[..., 0], table[..., 1], table[..., 2])


def _repeated(heard: Heard, times: int) -> Heard:
    """One utterance, as often as it is written of at once."""
    memory = [(keys.expand(times, -1, -1, -1), values.expand(times, -1, -1, -1)) for keys, values in heard.memory]
    return Heard(heard.there, heard.words.expand(times, -1, -1), heard.words_there, memory)
