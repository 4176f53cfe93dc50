"""Reading by a small language model that was taught to: it writes the meaning, within its grammar, token by token."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from teach_agents.core.dialogue import Act, DialogueAct, Reading
from teach_agents.errors import InputError, ModelMissingError
from teach_agents.models.constraints import Regex
from teach_agents.models.local.packages import torch
from teach_agents.models.local.smollm2 import SMOLLM2
from teach_agents.models.local.weights import Source, Weights, load_weights
from teach_agents.understanding.notation import meaning_pattern, read_meaning, write_meaning
from teach_agents.understanding.reader import fitting

NAME = "small_lm"
ADAPTER = Path(__file__).parent
_MOST_TOKENS = 64
_MOST_LETTERS, _MOST_BEFORE = 400, 160


class Weighed(NamedTuple):
    """A model's own reading, and how likely it would write it and each of the readings that it was shown: logarithms of
    probabilities.
    """

    reading: Reading
    own: float
    others: tuple[float, ...]


def prompt(text: str, recent: Sequence[str]) -> str:
    """What the model reads: the last two lines of the talk, and what was said."""
    before = "".join(f"{line[:_MOST_BEFORE]}\n" for line in recent[-2:])
    return f"{before}human: {' '.join(text.split())[:_MOST_LETTERS].lower()}\nmeans:"


class SmallModelReader:
    """Reads with SmolLM2-135M and the package's adapter; its confidence is the probability of all that it wrote.

    Weights are loaded with the first utterance, once a process. Raises `MissingExtraError` without the extra `models`,
    `ModelMissingError`, naming the command that fetches it, where SmolLM2 or the adapter is not there.
    """

    def __init__(self, adapter: Path = ADAPTER) -> None:
        if not (adapter / "adapter_config.json").is_file():
            raise ModelMissingError(f"{adapter}: there is no adapter for reading")
        self._source = Source(str(SMOLLM2.found()), adapter=str(adapter))
        self._grammar = Regex(meaning_pattern())

    def load(self) -> None:
        """Load the weights, and all else that an utterance takes: one is read."""
        self.read("hello")

    def read(self, text: str, recent: Sequence[str] = ()) -> Reading:
        """See `Reader.read`."""
        return self.weighed(text, recent, ()).reading

    def weighed(self, text: str, recent: Sequence[str], others: Sequence[Sequence[DialogueAct]]) -> Weighed:
        """What the model reads, and what it makes of other readings of the same."""
        shown, whole = fitting(text)
        if not shown.strip():
            return Weighed(Reading((), 0.0, NAME), -math.inf, (-math.inf,) * len(others))
        weights, asked = load_weights(self._source), prompt(shown, recent)
        with weights.lock:
            written, likely = _written(weights, asked, self._grammar)
            told = tuple(_likely(weights, asked, f" {write_meaning(acts)}") for acts in others)
        try:
            acts = read_meaning(written.strip())
        except InputError:
            return Weighed(Reading((DialogueAct(Act.UNCLEAR),), 0.0, NAME), -math.inf, told)
        acts = acts if whole else (*acts, DialogueAct(Act.UNCLEAR))
        return Weighed(Reading(acts, math.exp(likely), NAME), likely, told)


def _written(weights: Weights, asked: str, grammar: Regex) -> tuple[str, float]:
    """What the model writes behind a text, the likeliest token each time, and how likely all of it is."""
    from teach_agents.models.local.grammar import Matcher

    library, matcher, cache = torch(), Matcher(weights, grammar), weights.cache_name
    tokens = library.tensor([weights.tokenizer(asked)["input_ids"]], device=weights.device)
    written: list[int] = []
    kept: Any = None
    likely = 0.0
    with library.inference_mode():
        while len(written) < _MOST_TOKENS:
            made = weights.model(input_ids=tokens, use_cache=True, **{cache: kept})
            kept, logits = made[cache], made.logits[0, -1].float()
            allowed = library.from_numpy(matcher.allowed(logits.shape[0])).to(weights.device)
            token = int(logits.masked_fill(~allowed, -math.inf).argmax())
            likely += float(logits.log_softmax(dim=-1)[token])
            if token in weights.ends:
                break
            written.append(token)
            if matcher.take(token):
                break
            tokens = library.tensor([[token]], device=weights.device)
    return weights.tokenizer.decode(written), likely


def _likely(weights: Weights, asked: str, answer: str) -> float:
    """The logarithm of how likely the model writes an answer behind a text."""
    library = torch()
    before = weights.tokenizer(asked)["input_ids"]
    after = [*weights.tokenizer(answer)["input_ids"], weights.ends[0]]
    tokens = library.tensor([before + after], device=weights.device)
    with library.inference_mode():
        logits = weights.model(input_ids=tokens).logits[0, len(before) - 1 : -1].float()
    return float(logits.log_softmax(dim=-1)[range(len(after)), after].sum())
