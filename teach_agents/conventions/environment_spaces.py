"""Spaces of Gymnasium for a world that has none of its own, but knows what can be done (extra `gym`)."""

from __future__ import annotations

import json
import string
from collections.abc import Mapping
from typing import Any

import numpy as np

from teach_agents.core.environment import Environment, Spaced, Valid
from teach_agents.core.errors import InputError
from teach_agents.core.json_types import JsonObject
from teach_agents.core.values import NoAction
from teach_agents.errors import MissingExtraError

try:
    from gymnasium import spaces
except ImportError as missing:
    raise MissingExtraError("gymnasium", "gym") from missing


WAIT, SAY = 0, 1
"""The numbers of the actions that any world has; what can be done comes behind them."""
_CHARACTERS = frozenset(string.printable) | {chr(code) for code in range(0xA1, 0x180)}
_UTTERANCE, _TEXT = 1_000, 100_000


class TextSpaces(Spaced):
    """What a seat sees as JSON in a text, and what it can do by number.

    An observation has `text`, all that the seat sees as the world's codec writes it, and `valid`, 1 for every
    number that stands for something now. An action has `action`: 0 waits, 1 says `utterance`, and 2 + n is the n-th of
    the world's `valid_actions`; a number that stands for nothing is no action, which the world counts as it likes. More
    than `most` valid actions at once are out of reach. Raises `InputError` for a world that does not know them.
    """

    def __init__(self, environment: Environment[Any, Any, Any], most: int = 64) -> None:
        if not isinstance(environment, Valid):
            problem = "fits no spaces: it needs the ability Spaced, or at least Valid (valid_actions)"
            raise InputError("environment", problem, value=type(environment).__name__)
        self._codec = environment.codec
        self._valid = environment
        count = 2 + most
        text, utterance = (spaces.Text(longest, min_length=0, charset=_CHARACTERS) for longest in (_TEXT, _UTTERANCE))
        self._observations = spaces.Dict({"text": text, "valid": spaces.MultiBinary(count)})
        self._actions = spaces.Dict({"action": spaces.Discrete(count), "utterance": utterance})
        self._count = count

    def spaces(self, seat: str) -> tuple[spaces.Dict, spaces.Dict]:
        """The same for every seat."""
        return self._observations, self._actions

    def to_space(self, seat: str, observation: Any) -> JsonObject:
        """What a seat sees; characters beyond ASCII are written as JSON does."""
        mask = np.zeros(self._count, np.int8)
        mask[: 2 + len(self._valid.valid_actions(seat))] = 1
        return {"text": json.dumps(self._codec.observation_to_json(observation))[-_TEXT:], "valid": mask}

    def from_space(self, seat: str, value: object) -> Any:
        """The action of a number. Raises `InputError` for none, and `ActionError` for text that cannot be said."""
        number = value.get("action") if isinstance(value, Mapping) else None
        if isinstance(number, bool) or not isinstance(number, int | np.integer) or not 0 <= number < self._count:
            raise InputError("action", f"must have an 'action', a whole number below {self._count}", value=value)
        if number == WAIT:
            return self._codec.wait()
        if number == SAY:
            assert isinstance(value, Mapping)
            return self._codec.say(str(value.get("utterance", "")))
        valid = self._valid.valid_actions(seat)
        return valid[number - 2] if number - 2 < len(valid) else NoAction(f"{number} stands for nothing now")
