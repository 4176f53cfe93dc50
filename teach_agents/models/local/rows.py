"""Answers token by token, those of several prompts in one pass; what each does for itself: constraint, sampling, end.

What a constraint leaves no choice about is not asked for: such tokens are read together with the next that is open.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic
from typing import Any

from teach_agents.models.constraints import Choices
from teach_agents.models.local.grammar import Matcher
from teach_agents.models.local.packages import torch
from teach_agents.models.local.prefixes import Kept, shared
from teach_agents.models.local.readings import Reading, read
from teach_agents.models.local.rendering import Rendered
from teach_agents.models.local.weights import Weights
from teach_agents.models.prompts import Prompt


class Row:
    """One answer in the making: its tokens, its constraint, its dice, and how it ended."""

    def __init__(self, weights: Weights, prompt: Prompt) -> None:
        self._weights = weights
        self._settings = prompt.settings
        self._until = monotonic() + prompt.settings.timeout_s
        self._matcher = None if prompt.answer is None else Matcher(weights, prompt.answer)
        options = prompt.answer.options if isinstance(prompt.answer, Choices) else ()
        self._options = options if all(one == one.strip() for one in options) else ()  # decoding may drop blanks
        self._dice: Any = None
        self._whole = ""
        self.tokens: list[int] = []
        self.finish = ""

    def prefer(self, logits: Any) -> Any:
        """The next token's logits (vocabulary,), with nothing but the token chosen where it is drawn."""
        if self.finish:
            return logits
        if self._matcher is not None:
            allowed = torch().from_numpy(self._matcher.allowed(logits.shape[-1])).to(logits.device)
            logits = logits.masked_fill(~allowed, -torch().inf)
        return logits if self._settings.temperature == 0 else self._drawn(logits)

    def _drawn(self, logits: Any) -> Any:
        library = torch()
        if self._dice is None:
            self._dice = library.Generator().manual_seed(self._settings.seed)
        weights = (logits.float().cpu() / self._settings.temperature).softmax(-1)
        ordered, order = weights.sort(descending=True)
        kept = ordered.cumsum(-1) - ordered < self._settings.top_p
        drawn = library.multinomial(ordered * kept, 1, generator=self._dice)
        only = library.full_like(logits, -library.inf)
        only[order[drawn].to(logits.device)] = 0.0
        return only

    def forced(self) -> list[int]:
        """The tokens that must come next; none where there is a choice, or no constraint."""
        return [] if self._matcher is None else self._matcher.forced()

    def take(self, token: int) -> bool:
        """Go on by one token; whether the answer ends with it."""
        if self.finish:
            return True
        if token in self._weights.ends:
            self.finish = "stop"
            return True
        self.tokens.append(token)
        if (self._matcher is not None and self._matcher.take(token)) or self._decided() or self._stopped():
            self.finish = "stop"
        elif len(self.tokens) >= self._settings.max_tokens:
            self.finish = "length"
        elif monotonic() >= self._until:
            self.finish = "timeout"
        return bool(self.finish)

    def _decided(self) -> bool:
        """Whether one choice alone goes on like this: what is left of it need not be computed."""
        if self._options:
            text = self._decoded()
            left = [one for one in self._options if one.startswith(text)]
            self._whole = left[0] if text and len(left) == 1 else ""
        return bool(self._whole)

    def _stopped(self) -> bool:
        return any(stop in self._decoded() for stop in self._settings.stop)

    def _decoded(self) -> str:
        decode = self._weights.tokenizer.decode
        return str(decode(self.tokens, skip_special_tokens=True, clean_up_tokenization_spaces=False))

    @property
    def text(self) -> str:
        """The answer, without what it stopped at."""
        text = self._whole or self._decoded()
        for stop in self._settings.stop:
            text = text.partition(stop)[0]
        return text


class Rows:
    """Rows as transformers' logits processor (`prefer`) and stopping criterion (`take`)."""

    def __init__(self, rows: Sequence[Row]) -> None:
        self._rows = rows

    def prefer(self, tokens: Any, logits: Any) -> Any:
        """Logits (rows, vocabulary) of the next tokens."""
        return torch().stack([row.prefer(one) for row, one in zip(self._rows, logits, strict=True)])

    def take(self, tokens: Any, logits: Any, **_: object) -> Any:
        """Which rows have ended with their last token."""
        ended = [row.take(int(token)) for row, token in zip(self._rows, tokens[:, -1].tolist(), strict=True)]
        return torch().tensor(ended, device=tokens.device)


def answers(weights: Weights, batch: Sequence[Rendered]) -> list[Row]:
    """The answers to prompts by a model that `reads_rows`.

    Call it in inference mode, with the weights' lock held.
    """
    rows = [Row(weights, one.prompt) for one in batch]
    readings = _begun(weights, batch)
    unread = [one.tokens[len(reading.tokens) :] for reading, one in zip(readings, batch, strict=True)]
    logits = read(weights, readings, unread)
    for reading in readings:
        weights.prefixes.keep(reading.kept())
    places: Sequence[int] = range(len(rows))
    while True:
        ahead = {at: _taken(rows[at], mine) for at, mine in zip(places, logits, strict=True)}
        places = [at for at in places if not rows[at].finish]
        if not places:
            return rows
        logits = read(weights, [readings[at] for at in places], [ahead[at] for at in places])


def _begun(weights: Weights, batch: Sequence[Rendered]) -> list[Reading]:
    """Readings of prompts, each begun with what is known of it, or is about to be read of one before it."""
    readings: list[Reading] = []
    for one in batch:
        begun: Kept | Reading | None
        count, begun = weights.prefixes.longest(one.tokens)
        for other, reading in zip(batch, readings, strict=False):
            if (alike := shared(other.tokens, one.tokens)) > count:
                count, begun = alike, reading
        readings.append(Reading(len(one.tokens) + one.prompt.settings.max_tokens, one.tokens[:count], begun))
    return readings


def _taken(row: Row, logits: Any) -> list[int]:
    """Go on by the likeliest token, or the one that is drawn, and by those that must follow it: all of them."""
    taken = [int(row.prefer(logits).argmax())]
    row.take(taken[0])
    while not row.finish and (forced := row.forced()):
        for token in forced:
            taken.append(token)
            if row.take(token):
                break
    return taken
