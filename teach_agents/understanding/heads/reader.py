"""Reading by heads on a small text encoder: what rules cannot take apart."""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from teach_agents.core.dialogue import Act, DialogueAct, Reading
from teach_agents.errors import InputError, MissingExtraError
from teach_agents.models.local.packages import check_installed, loaded_once, package
from teach_agents.models.text.minilm import MINILM
from teach_agents.understanding.noun_phrases import is_known
from teach_agents.understanding.reader import fitting
from teach_agents.understanding.reading_options import FLOOR, logistic, remaining
from teach_agents.understanding.tokens import tokens

if TYPE_CHECKING:
    from tokenizers import Tokenizer

    from teach_agents.understanding.heads.beam_search import Meaning
    from teach_agents.understanding.heads.network import Network

NAME = "heads"
WEIGHTS = Path(__file__).parent / "weights.safetensors"
_MOST_WORDS = 120
_ONE_AT_A_TIME = threading.Lock()


class Loaded(NamedTuple):
    """Everything that reading takes; `sure` are the weights by which confidence is told (see `confidence`)."""

    network: Network
    symbols: Sequence[str]
    numbers: Mapping[str, int]
    tokenizer: Tokenizer
    sure: Mapping[str, float]


class Heard(NamedTuple):
    """How the heads read an utterance of `words`: its meanings, the likeliest first, and the logarithms of how likely
    they write other readings that they were shown.
    """

    words: Sequence[str]
    meanings: Sequence[Meaning]
    others: Sequence[float]


class HeadsReader:
    """Reads anything, with a confidence that is how often such readings are right; with the `weights` that ship, or
    those of another file that `scripts/train_reader.py` wrote.

    Weights are loaded with the first utterance, once a process. Raises `MissingExtraError` without the extra `models`,
    `ModelMissingError`, naming the command that fetches it, where the encoder is not there.
    """

    def __init__(self, weights: str | Path = WEIGHTS) -> None:
        check_installed()
        for name in ("tokenizers", "safetensors"):
            if find_spec(name) is None:
                raise MissingExtraError(name, "models")
        self._encoder = MINILM.found()
        self._weights = Path(weights)
        if not self._weights.exists():
            raise InputError("heads", "there is no such file of weights", value=str(weights))

    def load(self) -> None:
        """Load the weights, and all else that an utterance takes: one is read."""
        self.read("hello")

    def read(self, text: str, recent: Sequence[str] = ()) -> Reading:
        """See `Reader.read`."""
        heard = self.heard(text, recent)
        if not heard.meanings:
            return Reading((DialogueAct(Act.UNCLEAR),) if heard.words else (), 0.0, NAME)
        sure = confidence(load(self._encoder, self._weights).sure, features(heard))
        return Reading(heard.meanings[0].acts, sure, NAME)

    def heard(self, text: str, recent: Sequence[str], others: Sequence[Sequence[DialogueAct]] = ()) -> Heard:
        """What the heads read, and what they make of other readings of the same; where a text is too long to be read
        whole, the last act of each meaning is `Act.UNCLEAR`.
        """
        from teach_agents.understanding.heads.beam_search import meanings_of
        from teach_agents.understanding.heads.pieces import within

        torch = package("torch")
        shown, whole = fitting(text)
        words = tokens(shown)
        if not words:
            return Heard((), (), (-math.inf,) * len(others))
        loaded = load(self._encoder, self._weights)
        with _ONE_AT_A_TIME, one_thread(torch), torch.inference_mode():
            read = within(loaded.tokenizer, words[:_MOST_WORDS])
            found, told = meanings_of(loaded, read, recent, others)
        if not whole or len(read) < len(words):
            found = [one._replace(acts=(*one.acts, DialogueAct(Act.UNCLEAR))) for one in found]
        return Heard(read, found, told)


@contextmanager
def one_thread(torch: Any) -> Iterator[None]:
    """Have torch compute with one thread, in all of the process for that while: for a few words, waiting for others
    costs more than they do.
    """
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


def features(heard: Heard) -> dict[str, float]:
    """What tells whether the likeliest meaning is right: probabilities, its lead, length, unknown things."""
    best, others = heard.meanings[0], heard.meanings[1:]
    second = others[0].likely if others else remaining(best.likely)
    things = [slot.phrase for act in best.acts for one in (act, *act.of) for slot in one.slots]
    return {
        "likely": max(best.likely, FLOOR),
        "probable": math.exp(best.likely),
        "worst": max(best.worst, FLOOR),
        "lead": min(best.likely - second, -FLOOR),
        "length": math.log(len(heard.words)),
        "acts": float(len(best.acts)),
        "unknown": float(sum(not is_known(thing) for thing in things)),
        "constant": 1.0,
    }


def confidence(weights: Mapping[str, float], told: Mapping[str, float]) -> float:
    """How likely a reading is right: a logistic function of its features."""
    return logistic(sum(weights.get(name, 0.0) * value for name, value in told.items()))


@loaded_once
def load(encoder: Path, weights: Path) -> Loaded:
    """The network of a file of weights, on the encoder in a folder, ready to read with."""
    from teach_agents.understanding.heads.pieces import tokenizer
    from teach_agents.understanding.heads.weights import read_weights

    network, symbols, sure = read_weights(encoder, weights)
    numbers = {symbol: number for number, symbol in enumerate(symbols)}
    return Loaded(network, symbols, numbers, tokenizer(encoder), sure)
