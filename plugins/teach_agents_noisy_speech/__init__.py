"""A bad line between the two chairs: a dialogue hook that loses words.

Written as a third party would write it, against the public API of `teach_agents` alone. How far does a pair get when
one word in ten is lost?
"""

from __future__ import annotations

import random
from collections.abc import Mapping

from teach_agents import DialogueHook, Role, hookimpl
from teach_agents.core.plugins import Target
from teach_agents.errors import InputError

__all__ = ["NoisySpeech", "dialogue_hooks"]

LOST = "..."


class NoisySpeech(DialogueHook):
    """Replaces each word by `...` with probability `loss`; the same session loses the same words."""

    def __init__(self, loss: float = 0.1) -> None:
        if not 0.0 <= loss <= 1.0:
            raise InputError("noisy_speech", "loss must be a probability", value=loss, valid=("a number in [0, 1]",))
        self._loss = loss
        self._seed = 0

    def begin(self, session_id: str, seed: int) -> None:
        """Take the session's seed."""
        self._seed = seed

    def say(self, turn: int, speaker: Role, text: str) -> str:
        """The words that get through."""
        draw = random.Random(f"{self._seed} {turn} {speaker}")
        return " ".join(LOST if draw.random() < self._loss else word for word in text.split())


@hookimpl
def dialogue_hooks() -> Mapping[str, Target]:
    """Registers `noisy_speech:loss=0.1`."""
    return {"noisy_speech": NoisySpeech}
