"""A dialogue hook: rules of the house, which the Follower keeps whoever plays it."""

from collections.abc import Mapping, Sequence
from typing import Any

from teach_agents import Action, ActionResult, DialogueHook, Observation, Role, SessionResult, Utterance


class HouseRules(DialogueHook):
    """Who wants to slice asks first, once a session; shut what you opened; and nobody shouts."""

    def __init__(self, ask: bool = True) -> None:
        self._ask = ask

    def begin(self, session_id: str, seed: int) -> None:
        """Forget the last session."""
        self._asked = False
        self._hints = 0

    def before_action(self, observation: Observation, action: Action) -> Action:
        """A question in place of the first cut; the Follower sees in `last_action` that it has spoken instead."""
        if action.name != "Slice" or self._asked or not self._ask:
            return action
        self._asked = True
        return Action.say("May I use the knife?")

    def say(self, turn: int, speaker: Role, text: str) -> str:
        """Words in capitals are lowered."""
        return text.capitalize() if text.isupper() else text

    def heard(self, turn: int, listener: Role, utterance: Utterance) -> Sequence[str] | None:
        """A dialogue act of our own, for the record and the results."""
        return ["AskPermission"] if utterance.text.startswith("May I") else None

    def after_result(self, turn: int, role: Role, action: Action | None, result: ActionResult) -> str | None:
        """A hint, which the role finds in its next observation's `last_result.help`."""
        if action is None or action.name != "Open" or not result.success:
            return None
        self._hints += 1
        return "Shut it again afterwards."

    def ended(self, result: SessionResult) -> Mapping[str, Any]:
        """Notes for the result."""
        return {"asked": int(self._asked), "hints": self._hints}
