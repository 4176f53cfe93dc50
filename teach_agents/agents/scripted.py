"""An agent that plays a list of actions: for tests, demonstrations and bug reports."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from teach_agents.actions import Action
from teach_agents.core.agents.contract import Agent
from teach_agents.errors import ActionError, InputError
from teach_agents.observations import Observation

__all__ = ["ScriptedAgent"]


class ScriptedAgent(Agent):
    """Plays `actions[turn]`, and `then` (waiting, by default) when the list has come to its end.

    It goes by the observation's turn and keeps no count of its own: it may be asked twice, and resumed.
    """

    def __init__(self, actions: Iterable[Action], then: Action | None = None) -> None:
        self._actions = tuple(actions)
        self._then = then or Action.wait()
        for number, action in enumerate((*self._actions, self._then)):
            if not isinstance(action, Action):
                raise ActionError(f"scripted action {number}", "must be an Action", value=action)

    @classmethod
    def from_file(cls, file: str) -> ScriptedAgent:
        """Read a JSON list of actions in the form of `Action.to_json`.

        Raises `InputError` for a file that cannot be read and `ActionError` for an action that is none.
        """
        try:
            items = json.loads(Path(file).read_text(encoding="utf8"))
        except (OSError, ValueError) as error:
            raise InputError("script", f"cannot be read: {error}", value=file) from error
        if not isinstance(items, list):
            raise InputError("script", "must hold a JSON list of actions", value=file)
        return cls(_action(file, number, item) for number, item in enumerate(items))

    def act(self, observation: Observation) -> Action:
        """The action of this turn."""
        turn = observation.turn
        return self._actions[turn] if turn < len(self._actions) else self._then


def _action(file: str, number: int, item: object) -> Action:
    try:
        return Action.from_json(item)
    except (ActionError, TypeError) as error:
        raise ActionError(f"{file}: action {number}", str(error)) from error
