"""A trained network with its vocabulary: a folder of two files, `episodic.json` and `episodic.safetensors`."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from teach_agents.core.json_types import JsonMapping
from teach_agents.errors import InputError, ModelError, ModelMissingError
from teach_agents.models.episodic.shape import Shape
from teach_agents.models.episodic.vocabulary import ACTIONS, Vocabulary
from teach_agents.models.local.packages import package
from teach_agents.models.local.weights import device_of

if TYPE_CHECKING:
    from teach_agents.models.episodic.network import EpisodicNetwork


ABOUT, WEIGHTS = "episodic.json", "episodic.safetensors"
_FORMAT: JsonMapping = {"format": "teach_agents.episodic", "version": 1}
_KEYS = {*_FORMAT, "actions", "context", "shape", "sight", "vocabulary"}


@dataclass(frozen=True)
class Trained:
    """A network and all that it takes to ask it.

    `sight` is the identity of what its features come from (`Sight.identity`); `context` is how many steps before what
    was said last it was shown in training.
    """

    network: EpisodicNetwork
    vocabulary: Vocabulary
    sight: JsonMapping
    context: int

    def files(self) -> dict[str, bytes]:
        """What is written of it, by file name."""
        about = {
            **_FORMAT,
            "context": self.context,
            "sight": dict(self.sight),
            "shape": self.network.shape.to_json(),
            "actions": list(ACTIONS),
            "vocabulary": self.vocabulary.to_json(),
        }
        weights = {name: one.detach().cpu().contiguous() for name, one in self.network.state_dict().items()}
        written: bytes = package("safetensors.torch").save(weights)
        return {WEIGHTS: written, ABOUT: (json.dumps(about, indent=1) + "\n").encode()}

    @cached_property
    def hash(self) -> str:
        """16 hexadecimal digits that stand for its weights and its vocabulary."""
        return hashlib.sha256(b"".join(self.files().values())).hexdigest()[:16]


def read_trained(folder: Path, device: str = "auto") -> Trained:
    """What `Trained.files` wrote. Raises `ModelMissingError` where there is none and `ModelError` for damaged files."""
    try:
        told = json.loads((folder / ABOUT).read_bytes())
        weights = package("safetensors.torch").load((folder / WEIGHTS).read_bytes())
    except FileNotFoundError as error:
        command = "teach-agents train episodic-transformer --data GAMES --out FOLDER"
        raise ModelMissingError(f"{error.filename}: there is no trained network here; train one: {command}") from error
    except (OSError, ValueError, package("safetensors").SafetensorError) as error:
        raise ModelError(f"{folder}: holds no trained network, or a damaged one: {error}") from error
    where = str(folder / ABOUT)
    if not isinstance(told, dict) or set(told) != _KEYS or {**told, **_FORMAT} != told:
        raise ModelError(f"{where}: is not of format {_FORMAT['format']}, version {_FORMAT['version']}")
    if told["actions"] != list(ACTIONS):
        raise ModelError(f"{where}: was trained with other actions: {told['actions']}")
    return _assembled(told, weights, where, device)


def _assembled(told: JsonMapping, weights: JsonMapping, where: str, device: str) -> Trained:
    from teach_agents.models.episodic.network import EpisodicNetwork

    try:
        vocabulary, shape = Vocabulary.from_json(told["vocabulary"]), Shape.from_json(told["shape"])
        if (shape.words, shape.objects) != (len(vocabulary.words), len(vocabulary.objects)):
            raise InputError("shape", "knows another number of words or classes than the vocabulary")
        network = EpisodicNetwork(shape)
        network.load_state_dict(dict(weights))
        sight, context = dict(told["sight"]), int(told["context"])
    except (InputError, RuntimeError, TypeError, ValueError) as error:
        raise ModelError(f"{where}: does not fit its weights or itself: {error}") from error
    return Trained(network.to(device_of(device)).eval(), vocabulary, sight, context)
