"""Dialogue hooks: what plugins may do to speech and actions, and what they are told of a session."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from teach_agents.core.values import Utterance


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

    def before_action(self, observation: Any, action: Any) -> Any:
        """What a seat does instead of `action`, chosen on seeing `observation`, which is to be read now if at all."""
        return action

    def say(self, turn: int, speaker: Any, text: str) -> str:
        """What is said instead of `text`; everybody and the record get this. Empty text lets the turn pass."""
        return text

    def heard(self, turn: int, listener: Any, utterance: Utterance) -> Sequence[str] | None:
        """Somebody has heard an utterance. May give its dialogue acts, for record and results."""
        return None

    def after_result(self, turn: int, role: Any, action: Any, result: Any) -> str | None:
        """An action of a seat was carried out or refused. May give a hint, which the seat is told with the result."""
        return None

    def turn_executed(self, record: Any) -> None:
        """A turn is over and recorded."""

    def ended(self, result: Any) -> Mapping[str, Any] | None:
        """The session is over. May give notes (JSON), which the result keeps under the hook's name."""
        return None
