"""Dialogue hooks: what plugins may do to speech, and what they are told of a session."""

from __future__ import annotations

from teach_agents.actions import Role
from teach_agents.observations import Utterance
from teach_agents.session.turns import TurnRecord

__all__ = ["DialogueHook"]


class DialogueHook:
    """Override what you need. Hooks are called in order; one that raises ends the session as crashed, by name.

    Whatever a hook draws at random it draws by the session's seed, so that sessions repeat.
    """

    def begin(self, session_id: str, seed: int) -> None:
        """A session begins; forget the last one."""

    def say(self, turn: int, speaker: Role, text: str) -> str:
        """What is said instead of `text`; both roles and the record get this. By default the same."""
        return text

    def heard(self, turn: int, listener: Role, utterance: Utterance) -> None:
        """The partner of the speaker has heard an utterance."""

    def turn_executed(self, record: TurnRecord) -> None:
        """A turn is over and recorded."""
