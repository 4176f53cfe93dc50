"""What utterances do: a dialogue hook that tags them with dialogue acts.

Written as a third party would write it, against the public API of `teach_agents` alone. The tags stand in the
session's record and are counted in results. The tagger is a linear model of our own, learnt from the labels of TEACh's
training games by `python -m teach_agents_dialogue_acts.train`; `CARD.md` says how well it does.
"""

from __future__ import annotations

from pathlib import Path

from teach_agents import DialogueHook, Role, SessionResult, Utterance
from teach_agents.core.json_types import JsonMapping
from teach_agents.data.dialogue_acts import ACT_OF
from teach_agents.errors import SpecError
from teach_agents.session import TurnRecord
from teach_agents_dialogue_acts.classifier import Classifier, Tagger, shipped

LABELS = ("core", "teach")
"""Whose words tags are: the acts that records name everywhere, or TEACh's 18 labels, of which several are one act."""


class DialogueActs(DialogueHook):
    """Tags every utterance, in the words of `labels` (`LABELS`).

    `weights` is a file that the training program wrote; by default the package's own. Raises `SpecError` for other
    labels, `InputError` for what is no such file.
    """

    def __init__(self, weights: str = "", labels: str = "core") -> None:
        SpecError.check("dialogue_acts, labels", labels, LABELS)
        self._of_core = labels == "core"
        self._classifier = Classifier.load(Path(weights)) if weights else shipped()
        self._tagger = Tagger(self._classifier)
        self._turn = -1

    def begin(self, session_id: str, seed: int) -> None:
        """Forget the last session."""
        self._tagger.follows("", None)
        self._turn = -1

    def heard(self, turn: int, listener: Role, utterance: Utterance) -> tuple[str, ...]:
        """The utterance's acts."""
        self._turn = turn
        found = self._tagger.acts(Role(utterance.speaker), utterance.text)
        return tuple(dict.fromkeys(ACT_OF[label].value for label in found)) if self._of_core else found

    def turn_executed(self, record: TurnRecord) -> None:
        """Go on from what was said before in a session that is taken up again."""
        if record.turn <= self._turn:
            return
        for role, done in record.done.items():
            if done.dialogue_acts and done.action is not None:
                self._tagger.acts(role, done.action.utterance)

    def ended(self, result: SessionResult) -> JsonMapping:
        """Which weights it tagged with."""
        return {"weights": self._classifier.fingerprint}
