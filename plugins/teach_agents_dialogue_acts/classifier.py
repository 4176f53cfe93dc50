"""A softmax regression over hashed columns: learnt from labelled stretches, kept in one small file."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from pathlib import Path
from zipfile import BadZipFile

import numpy as np

from teach_agents import Role
from teach_agents.arrays import Float32Array, FloatArray, IntArray
from teach_agents.core.json_types import JsonMapping
from teach_agents.data.dialogue_acts import TEACH_LABELS
from teach_agents.errors import InputError
from teach_agents_dialogue_acts.features import Stretch, columns, stretches

ACTS = TEACH_LABELS
"""TEACh's dialogue acts, by name."""

_SCALES = 127


class Classifier:
    """Which of `ACTS` a stretch is. `weights` are width x acts; `notes` say where they come from."""

    def __init__(self, weights: Float32Array, notes: JsonMapping | None = None) -> None:
        if weights.ndim != 2 or weights.shape[1] != len(ACTS):
            raise InputError("dialogue acts", f"weights must be N x {len(ACTS)}", value=weights.shape)
        self._weights = weights
        self.notes = dict(notes or {})

    def probabilities(self, stretch: Stretch) -> FloatArray:
        """The probability of each of `ACTS`."""
        scores = self._weights[columns(stretch, len(self._weights))].sum(axis=0, dtype=np.float64)
        powers = np.exp(scores - scores.max())
        return np.asarray(powers / powers.sum())

    def act(self, stretch: Stretch) -> str:
        """The likeliest act."""
        return ACTS[int(self.probabilities(stretch).argmax())]

    @property
    def fingerprint(self) -> str:
        """A hash of the weights, 16 hexadecimal digits."""
        return blake2b(np.ascontiguousarray(self._weights).tobytes(), digest_size=8).hexdigest()

    def noted(self, notes: JsonMapping) -> Classifier:
        """The same with these notes (JSON)."""
        return Classifier(self._weights, notes)

    def save(self, path: Path) -> None:
        """Write weights, in steps of 1/127 of each act's largest, and notes."""
        largest = np.abs(self._weights).max(axis=0)
        scale = np.where(largest > 0, largest, 1).astype(np.float32) / _SCALES
        steps = np.rint(self._weights / scale).astype(np.int8)
        beside = path.with_name(path.name + ".part")
        with beside.open("wb") as file:
            np.savez_compressed(
                file, steps=steps, scale=scale, acts=np.array(ACTS), notes=np.array(json.dumps(self.notes))
            )
        beside.replace(path)

    @classmethod
    def load(cls, path: Path) -> Classifier:
        """Read `save`'s file. Raises `InputError` for any other."""
        where = f"dialogue acts {path}"
        try:
            with path.open("rb") as raw, np.load(raw, allow_pickle=False) as file:
                acts = tuple(map(str, file["acts"]))
                weights = file["steps"].astype(np.float32) * file["scale"]
                notes = json.loads(str(file["notes"]))
        except (OSError, EOFError, KeyError, ValueError, TypeError, AttributeError, BadZipFile) as error:
            raise InputError(where, f"is no file of weights: {type(error).__name__}: {error}") from error
        if acts != ACTS:
            raise InputError(where, "was learnt for other acts", value=", ".join(acts), valid=ACTS)
        return cls(weights, notes)


@dataclass(frozen=True, slots=True)
class Recipe:
    """How weights are learnt; the values were chosen by cross-validation within TEACh's training games.

    `balance` is how far rare acts are lifted: an act's examples weigh its frequency to the power of minus `balance`.
    `decay` pulls weights towards 0. Steps are AdaGrad's, of size `step`, over `batch` examples at a time.
    """

    width: int = 1 << 14
    epochs: int = 8
    batch: int = 64
    step: float = 0.07
    decay: float = 3e-3
    balance: float = 0.3
    seed: int = 0


def learn(
    examples: Sequence[tuple[Stretch, str]],
    recipe: Recipe = Recipe(),
    *,
    on_epoch: Callable[[int, float], None] | None = None,
) -> Classifier:
    """Weights for labelled stretches; the same ones every time. `on_epoch` is told the epoch and its mean loss."""
    rows = [columns(stretch, recipe.width) for stretch, _ in examples]
    goal = np.array([ACTS.index(act) for _, act in examples])
    counts = np.bincount(goal, minlength=len(ACTS)).clip(1)
    lift = (len(goal) / counts) ** recipe.balance
    importance = (lift / np.average(lift, weights=counts))[goal]
    weights = np.zeros((recipe.width, len(ACTS)), np.float32)
    squares = np.full_like(weights, 1e-8)
    rng = np.random.default_rng(recipe.seed)
    for epoch in range(recipe.epochs):
        losses = []
        order = rng.permutation(len(rows))
        for batch in np.split(order, range(recipe.batch, len(order), recipe.batch)):
            losses.append(
                _step(weights, squares, [rows[index] for index in batch], goal[batch], importance[batch], recipe)
            )
        if on_epoch:
            on_epoch(epoch, float(np.mean(losses)))
    return Classifier(weights)


def _step(
    weights: Float32Array,
    squares: Float32Array,
    rows: Sequence[IntArray],
    goal: IntArray,
    importance: FloatArray,
    recipe: Recipe,
) -> float:
    """One AdaGrad step on a batch, in place; its mean loss."""
    used, place = np.unique(np.concatenate(rows), return_inverse=True)
    owner = np.repeat(np.arange(len(rows)), [len(row) for row in rows])
    present = np.zeros((len(rows), len(used)), np.float32)
    present[owner, place] = 1
    scores = present @ weights[used]
    powers = np.exp(scores - scores.max(axis=1, keepdims=True))
    wrong = powers / powers.sum(axis=1, keepdims=True)
    right = np.arange(len(goal)), goal
    likely = wrong[right]
    wrong[right] -= 1
    slope = present.T @ (wrong * importance[:, None].astype(np.float32)) / len(goal)
    slope += recipe.decay * weights[used]
    squares[used] += slope**2
    weights[used] -= recipe.step * slope / np.sqrt(squares[used])
    return float(-np.log(likely.clip(1e-12)).mean())


@cache
def shipped() -> Classifier:
    """The tagger that comes with the package."""
    return Classifier.load(Path(__file__).parent / "weights.npz")


class Tagger:
    """Tags the utterances of a session one after another; what was said before counts."""

    def __init__(self, classifier: Classifier) -> None:
        self._classifier = classifier
        self.follows("", None)

    def follows(self, act: str, speaker: Role | None) -> None:
        """What is tagged next comes after this act of `speaker`."""
        self._act, self._speaker = act, speaker

    def acts(self, speaker: Role, text: str) -> tuple[str, ...]:
        """The acts of an utterance, in order, each once; one at least."""
        found: list[str] = []
        for number, part in enumerate(stretches(text)):
            stretch = Stretch(part, speaker, self._act, self._speaker, begins=number == 0)
            found.append(self._classifier.act(stretch))
            self.follows(found[-1], speaker)
        return tuple(dict.fromkeys(found))
