"""An agent that plays a list of actions: for tests, demonstrations and bug reports."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from teach_agents.actions import Action
from teach_agents.core.agents.contract import Agent, Briefing
from teach_agents.core.world import World
from teach_agents.errors import ActionError, InputError


class ScriptedAgent(Agent):
    """Plays `actions[turn]`, and `then` (waiting, by default) when the list has come to its end.

    It goes by the observation's turn, where that has one, and keeps no count of its own: it may be asked twice, and
    resumed. `world` is whose actions they are, by default TEACh's.
    """

    def __init__(self, actions: Iterable[Any], then: Any = None, *, world: World | None = None) -> None:
        self._actions = tuple(actions)
        waiting: Any = Action.wait() if world is None else world.codec.wait()
        self._then = then or waiting
        for number, action in enumerate((*self._actions, self._then)):
            fits = isinstance(action, Action) if world is None else not world.codec.problem_of(action)
            if not fits:
                raise ActionError(f"scripted action {number}", "must be an Action", value=action)
        self._asked = 0
        self.relives = world is not None

    @classmethod
    def from_file(cls, file: str, world: World | None = None) -> ScriptedAgent:
        """Read a JSON list of actions in the form of the world's codec, `Action.to_json` in TEACh's.

        Raises `InputError` for a file that cannot be read and `ActionError` for an action that is none.
        """
        try:
            items = json.loads(Path(file).read_text(encoding="utf8"))
        except (OSError, ValueError) as error:
            raise InputError("script", f"cannot be read: {error}", value=file) from error
        if not isinstance(items, list):
            raise InputError("script", "must hold a JSON list of actions", value=file)
        read = Action.from_json if world is None else world.codec.action_from_json
        return cls([_action(read, file, number, item) for number, item in enumerate(items)], world=world)

    def begin(self, briefing: Briefing) -> None:
        """From the first action on."""
        self._asked = 0

    def act(self, observation: Any) -> Any:
        """The action of this turn."""
        turn: int = getattr(observation, "turn", self._asked)
        self._asked += 1
        return self._actions[turn] if turn < len(self._actions) else self._then


def _action(read: Callable[[Any], Any], file: str, number: int, item: object) -> Any:
    try:
        return read(item)
    except (ActionError, InputError, TypeError) as error:
        raise ActionError(f"{file}: action {number}", str(error)) from error
