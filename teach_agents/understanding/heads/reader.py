"""Reading by heads on a small text encoder: what rules cannot take apart."""

from __future__ import annotations

import json
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
from teach_agents.understanding.heads.tags import acts_of
from teach_agents.understanding.noun_phrases import is_known
from teach_agents.understanding.reader import fitting
from teach_agents.understanding.tokens import tokens

if TYPE_CHECKING:
    from tokenizers import Tokenizer

    from teach_agents.understanding.heads.decoding import Tagging
    from teach_agents.understanding.heads.labels import Labels
    from teach_agents.understanding.heads.network import Network

NAME = "heads"
WEIGHTS = Path(__file__).parent / "weights.safetensors"
ALONE, BEHIND_RULES = "alone", "behind_rules"
_MOST_WORDS = 160


class Loaded(NamedTuple):
    """Everything that reading takes. `sure` are the weights by which confidence is told (see `confidence`): of all
    utterances, `alone`, and of those that rules cannot read, `behind_rules`.
    """

    network: Network
    labels: Labels
    tokenizer: Tokenizer
    sure: Mapping[str, Mapping[str, float]]
    lock: threading.Lock


class Heard(NamedTuple):
    """Words that are one part of an utterance, and what they do."""

    words: tuple[str, ...]
    acts: tuple[DialogueAct, ...]


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
        parts, sure = self.parts(text, recent)
        return Reading(tuple(act for part in parts for act in part.acts), sure, NAME)

    def parts(self, text: str, recent: Sequence[str] = (), *, behind_rules: bool = False) -> tuple[list[Heard], float]:
        """The parts of an utterance with their acts, and how sure the whole reading is.

        `behind_rules` says that rules could not read it, as hard ones are.
        """
        text, whole = fitting(text)
        words = tokens(text)[:_MOST_WORDS]
        if not words:
            return [], 0.0
        loaded, found = self._tagging(words, recent)
        acts = acts_of(words, found.parts)
        cut = [tuple(words[part.start : part.end]) for part in found.parts]
        heard = [Heard(said, (act,)) for said, act in zip(cut, acts, strict=True)]
        if not whole:
            heard.append(Heard((), (DialogueAct(Act.UNCLEAR),)))
        return heard, confidence(loaded.sure[BEHIND_RULES if behind_rules else ALONE], features(words, found, acts))

    def _tagging(self, words: Sequence[str], recent: Sequence[str]) -> tuple[Loaded, Tagging]:
        """How words are tagged behind what was said before, and by what."""
        from teach_agents.understanding.heads.decoding import tagging
        from teach_agents.understanding.heads.pieces import batch

        torch = package("torch")
        loaded = load(self._encoder, self._weights)
        with loaded.lock, _one_thread(torch), torch.inference_mode():
            encoded = loaded.network.words(batch(loaded.tokenizer, [(context(recent), words)]))
            return loaded, tagging(loaded.network, loaded.labels, words, encoded)


@contextmanager
def _one_thread(torch: Any) -> Iterator[None]:
    """Have torch compute with one thread: for a few words, waiting for others costs more than they do."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


def context(recent: Sequence[str]) -> str:
    """What the heads hear of what was said before: the last turn."""
    return recent[-1] if recent else ""


def features(words: Sequence[str], found: Tagging, acts: Sequence[DialogueAct]) -> dict[str, float]:
    """What tells whether a tagging is right: surprises, length, things that nobody knows."""
    things = [slot.phrase for act in acts for one in (act, *act.of) for slot in one.slots]
    number = len(found.parts)
    return {
        "names": _surprise(found.names / number),
        "begins": _surprise(found.begins / len(words)),
        "slots": _surprise(found.slots / len(words)),
        "worst": _surprise(found.worst),
        "length": math.log(len(words)),
        "parts": float(number),
        "unknown": float(sum(not is_known(thing) for thing in things)),
        "constant": 1.0,
    }


def _surprise(likely: float) -> float:
    """The logarithm of how unlikely something is, from that of its probability."""
    return math.log(0.01 - likely)


def confidence(weights: Mapping[str, float], told: Mapping[str, float]) -> float:
    """How likely a reading is right: a logistic function of its features."""
    score = sum(weights[name] * value for name, value in told.items())
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, score))))


@loaded_once
def load(encoder: Path, weights: Path) -> Loaded:
    """The network of a file of weights, on the encoder in a folder, ready to read with."""
    from teach_agents.understanding.heads.labels import Labels
    from teach_agents.understanding.heads.network import Network
    from teach_agents.understanding.heads.pieces import tokenizer

    safe = package("safetensors.torch")
    with package("safetensors").safe_open(weights, "pt") as file:
        told: Mapping[str, str] = file.metadata()
    labels = Labels(**json.loads(told["labels"]))
    network = Network(labels.sizes)
    network.load_encoder(safe.load_file(encoder / "model.safetensors"))
    network.load_learnt(safe.load_file(weights))
    network.merge()
    return Loaded(network.eval(), labels, tokenizer(encoder), json.loads(told["sure"]), threading.Lock())
