"""Rules, heads and a small language model together: what they agree on, else what is likeliest to be meant."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from functools import cache

from teach_agents.core.dialogue import DialogueAct, Reading
from teach_agents.errors import MissingExtraError, ModelMissingError
from teach_agents.understanding.hybrid_reader import SURE, HybridReader, unclear
from teach_agents.understanding.matching import same
from teach_agents.understanding.reading_options import Option, chance
from teach_agents.understanding.small_lm.reader import NAME as MODEL
from teach_agents.understanding.small_lm.reader import SmallModelReader
from teach_agents.understanding.spelling import is_gibberish

ENOUGH = 0.8
"""From this chance on the model is not asked."""
_LOG = logging.getLogger(__name__)


class EnsembleReader:
    """Reads as rules do, as heads do, and as `HybridReader` puts both together; where none of these is likely enough to
    be right, a small language model reads too, and weighs what the others read. The likeliest counts, its chance is the
    confidence; what is not likely enough is `Act.UNCLEAR`.

    `quick` is the same without the language model, for talks in which nobody waits for a second: between agents. Where
    SmolLM2 or torch is not there, which is logged once, it reads as that does.
    """

    def __init__(self) -> None:
        self.quick = HybridReader()
        self._model = _model()

    def load(self) -> None:
        """Load the weights of the heads and the model, where these are there."""
        self.quick.load()
        if self._model is not None:
            self._model.load()

    def read(self, text: str, recent: Sequence[str] = ()) -> Reading:
        """See `Reader.read`."""
        quick = self.quick.read(text, recent)
        if self._model is None or self.quick.heads is None or not quick.acts or is_gibberish(text):
            return quick
        options, words = self.options(text, recent, quick), len(text.split())
        found = most_likely(options, words)
        if found.confidence < ENOUGH:
            found = most_likely(weighed(options, self._model, text, recent), words)
        return found if found.confidence >= SURE else unclear(found)

    def options(self, text: str, recent: Sequence[str], quick: Reading) -> list[Option]:
        """The ways in which rules and heads read an utterance, each once."""
        assert self.quick.heads is not None, "asked before"
        heads = self.quick.heads.read(text, recent)
        options: list[Option] = []
        for name, acts in (
            ("rules", self.quick.rules.read(text, recent).acts),
            ("heads", heads.acts),
            ("joined", quick.acts),
        ):
            options = _with(options, name, acts)
        return [one._replace(sure=heads.confidence * ("heads" in one.by)) for one in options]


def weighed(options: Sequence[Option], model: SmallModelReader, text: str, recent: Sequence[str]) -> list[Option]:
    """Options as a model weighs them, with what it reads itself."""
    told = model.weighed(text, recent, [one.acts for one in options])
    found = [one._replace(likely=likely) for one, likely in zip(options, told.others, strict=True)]
    found = _with(found, "model", told.reading.acts)
    return [one if one.likely is not None else one._replace(likely=told.own) for one in found]


def most_likely(options: Sequence[Option], words: int) -> Reading:
    """The option that is most likely right."""
    chances = [chance(one, options, words) for one in options]
    best = max(range(len(options)), key=chances.__getitem__)
    parts = sorted(part if part != "model" else MODEL for part in options[best].by)
    return Reading(tuple(options[best].acts), chances[best], "+".join(parts))


def _with(options: Sequence[Option], name: str, acts: Sequence[DialogueAct]) -> list[Option]:
    """Options with one more, or with one more part that reads one of them."""
    if not acts:
        return list(options)
    for at, one in enumerate(options):
        if same(one.acts, acts):
            return [*options[:at], one._replace(by=one.by | {name}), *options[at + 1 :]]
    return [*options, Option(acts, frozenset({name}))]


@cache
def _model() -> SmallModelReader | None:
    try:
        return SmallModelReader()
    except (MissingExtraError, ModelMissingError) as error:
        _LOG.warning("requests are read without the language model: %s", error)
        return None
