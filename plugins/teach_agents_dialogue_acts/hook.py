"""What utterances do: a dialogue hook that tags them with TEACh's 18 dialogue acts.

Written as a third party would write it, against the public API of `teach_agents` alone. The tags stand in the
session's record and are counted in results. The tagger is a linear model of our own, learnt from the labels of TEACh's
training games by `python -m teach_agents_dialogue_acts.train`; `CARD.md` says how well it does.
"""

from __future__ import annotations

from pathlib import Path

from teach_agents import DialogueHook, Role, SessionResult, Utterance
from teach_agents.core.json_types import JsonMapping
from teach_agents.session import TurnRecord
from teach_agents_dialogue_acts.classifier import Classifier, Tagger, shipped


class DialogueActs(DialogueHook):
    """Tags every utterance. `weights` is a file that the training program wrote; by default the package's own."""

    def __init__(self, weights: str = "") -> None:
        self._classifier = Classifier.load(Path(weights)) if weights else shipped()
        self._tagger = Tagger(self._classifier)

    def begin(self, session_id: str, seed: int) -> None:
        """Forget the last session."""
        self._tagger.follows("", None)

    def heard(self, turn: int, listener: Role, utterance: Utterance) -> tuple[str, ...]:
        """The utterance's acts."""
        return self._tagger.acts(Role(utterance.speaker), utterance.text)

    def turn_executed(self, record: TurnRecord) -> None:
        """Go on from what was said, in a session taken up again too."""
        for role, done in record.done.items():
            if done.dialogue_acts:
                self._tagger.follows(done.dialogue_acts[-1], role)

    def ended(self, result: SessionResult) -> JsonMapping:
        """Which weights it tagged with."""
        return {"weights": self._classifier.fingerprint}
