"""Dialogue hooks: what plugins may do to speech and actions, and what they are told of a session."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from teach_agents.actions import Action, ActionResult, Role
from teach_agents.observations import Observation, Utterance
from teach_agents.session.result import SessionResult
from teach_agents.session.turns import TurnRecord

__all__ = ["DialogueHook"]


class DialogueHook:
    """Override what you need. Hooks are called in order; one that raises or answers nonsense ends the session as
    crashed, by name. What it draws at random it draws by the seed of `begin`, so that sessions repeat.
    """

    spec: str = ""
    """The SPEC it was made from, which results call it by; empty for one made in Python, which goes by its class."""
    stamped: bool = True
    """Whether results name it; false for one that only watches."""

    def begin(self, session_id: str, seed: int) -> None:
        """A session begins; forget the last one. One taken up again tells `turn_executed` of the turns so far next."""

    def before_action(self, observation: Observation, action: Action) -> Action:
        """What a role does instead of `action`, chosen on seeing `observation`, which is to be read now if at all."""
        return action

    def say(self, turn: int, speaker: Role, text: str) -> str:
        """What is said instead of `text`; both roles and the record get this. Empty text lets the turn pass."""
        return text

    def heard(self, turn: int, listener: Role, utterance: Utterance) -> Sequence[str] | None:
        """The partner of the speaker has heard an utterance. May give its dialogue acts, for record and results."""
        return None

    def after_result(self, turn: int, role: Role, action: Action | None, result: ActionResult) -> str | None:
        """An action was carried out or refused. May give a hint, which `role` finds in its next `last_result.help`."""
        return None

    def turn_executed(self, record: TurnRecord) -> None:
        """A turn is over and recorded."""

    def ended(self, result: SessionResult) -> Mapping[str, Any] | None:
        """The session is over. May give notes (JSON), which the result keeps under the hook's name."""
        return None
