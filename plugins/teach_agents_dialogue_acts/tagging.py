"""Tagging a session's utterances, one after another."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from teach_agents import Role
from teach_agents_dialogue_acts.classifier import Classifier
from teach_agents_dialogue_acts.features import Stretch, stretches


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
