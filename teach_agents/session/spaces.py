"""What the environments of Gymnasium and PettingZoo show and accept, as spaces of Gymnasium.

The one place where `gymnasium` is imported for its spaces (extra `gym`).
"""

from __future__ import annotations

import json
import string
from collections.abc import Mapping
from typing import Any

import numpy as np

from teach_agents.actions import OBJECT_ACTIONS, Action, Role
from teach_agents.actions import ROLE_ACTIONS as NAMES
from teach_agents.arrays import ByteArray
from teach_agents.core.environment import Spaced
from teach_agents.core.json_types import JsonObject
from teach_agents.errors import InputError, MissingExtraError
from teach_agents.observations import Observation, View

try:
    from gymnasium import spaces
except ImportError as missing:
    raise MissingExtraError("gymnasium", "gym") from missing


_QUERIES = ("SelectOid", "SearchObject")
_CHARACTERS = frozenset(string.printable) | {chr(code) for code in range(0xA1, 0x180)}
_UTTERANCE, _DIALOGUE, _REPLY = 1_000, 100_000, 1_000_000
"""Most characters of one utterance or message, of all that was said, of a progress check's answer."""

_FAR = 100.0
"""Metres: no room reaches so far."""


def _text(longest: int) -> spaces.Text:
    return spaces.Text(longest, min_length=0, charset=_CHARACTERS)


def action_space(role: Role) -> spaces.Dict:
    """What a role can do: `action`, its place in `ROLE_ACTIONS`, and what it takes; the rest is not looked at.

    `utterance` goes with Text. Of the Follower `click` is (x, y), fractions of the picture, x right and y down, and
    goes with the object interactions; of the Commander `query` goes with SelectOid and SearchObject.
    """
    parts: dict[str, spaces.Space[Any]] = {
        "action": spaces.Discrete(len(NAMES[role])),
        "utterance": _text(_UTTERANCE),
    }
    if role is Role.FOLLOWER:
        parts["click"] = spaces.Box(0.0, 1.0, (2,), np.float32)
    else:
        parts["query"] = _text(_UTTERANCE)
    return spaces.Dict(parts)


def observation_space(role: Role, size: int, *, overhead: bool = False) -> spaces.Dict:
    """What a role sees.

    Pictures are uint8, `size` x `size` x 3: `view`, the Follower's eyes or the Commander's free camera; with `overhead`
    the room from above; of the Commander also `follower_view` and `target_view`, black before the first search. `pose`
    is x, y, z in metres, yaw and horizon in degrees. `dialogue` has a line for everything said, oldest first, `success`
    and `message` are of the role's last action, `reply` is the JSON of the Commander's last progress check or search.
    Characters beyond Latin are shown as `?`.
    """
    low = np.array([-_FAR, -_FAR, -_FAR, 0.0, -90.0], np.float32)
    high = np.array([_FAR, _FAR, _FAR, 360.0, 90.0], np.float32)
    parts: dict[str, spaces.Space[Any]] = {
        "view": _picture(size),
        "pose": spaces.Box(low, high, dtype=np.float32),
        "dialogue": _text(_DIALOGUE),
        "success": spaces.Discrete(2),
        "message": _text(_UTTERANCE),
    }
    if overhead:
        parts["overhead"] = _picture(size)
    if role is Role.COMMANDER:
        parts |= {"follower_view": _picture(size), "target_view": _picture(size), "reply": _text(_REPLY)}
    return spaces.Dict(parts)


def _picture(size: int) -> spaces.Box:
    return spaces.Box(0, 255, (size, size, 3), np.uint8)


def shown(seen: Observation, space: spaces.Dict) -> JsonObject:
    """An observation as a value of a role's space; it shares nothing with later ones."""
    result = seen.last_result
    said = "\n".join(f"{str(one.speaker).capitalize()}: {' '.join(one.text.split())}" for one in seen.dialogue)
    pose = (*seen.pose.position, seen.pose.yaw % 360.0, seen.pose.horizon)
    made: JsonObject = {
        "pose": np.array(pose, np.float32),
        "dialogue": _within(said, _DIALOGUE),
        "success": int(result is None or result.success),
        "message": _within("" if result is None else result.message, _UTTERANCE),
    }
    if "reply" in space.spaces:
        answer = None if result is None else result.reply
        made["reply"] = "" if answer is None else _within(json.dumps(answer), _REPLY)
    for name in ("view", "overhead", "follower_view", "target_view"):
        if name in space.spaces:
            made[name] = _drawn(getattr(seen, name), space.spaces[name].shape)
    return {name: made[name] for name in space.spaces}


def _drawn(view: View | None, shape: tuple[int, ...] | None) -> ByteArray:
    assert shape is not None, "pictures have a size"
    return np.zeros(shape, np.uint8) if view is None else np.array(view.rgb, np.uint8)


def _within(text: str, longest: int) -> str:
    """The text's end, as the spaces hold it."""
    return "".join(one if one in _CHARACTERS else "?" for one in text[-longest:])


def index_of(role: Role, name: str) -> int:
    """The number of an action. Raises `InputError` for one that the role does not have."""
    names = NAMES[role]
    if name not in names:
        raise InputError("action", f"is none of the {role}'s", value=name, valid=names)
    return names.index(name)


def wait(role: Role) -> JsonObject:
    """A value of the action space that lets the turn pass; change its parts to do something."""
    made: JsonObject = {"action": index_of(role, "NoOp"), "utterance": ""}
    if role is Role.FOLLOWER:
        return {**made, "click": np.zeros(2, np.float32)}
    return {**made, "query": ""}


def action_of(role: Role, given: object) -> Action:
    """An action from a value of the role's action space.

    Raises `InputError` for anything whose parts are of a wrong kind. A click outside the picture is legal: it fails.
    """
    if not isinstance(given, Mapping) or "action" not in given:
        raise InputError("action", "must be a dictionary with the key 'action'", value=given)
    number, names = given["action"], NAMES[role]
    if isinstance(number, bool) or not isinstance(number, int | np.integer) or not 0 <= number < len(names):
        raise InputError("action", f"'action' must be a whole number from 0 to {len(names) - 1}", value=number)
    name = names[int(number)]
    if name == "Text":
        return Action.say(given.get("utterance", ""))
    if name in _QUERIES:
        return Action(name, query=given.get("query", ""))
    if name not in OBJECT_ACTIONS:
        return Action(name)
    click = np.asarray(given.get("click", ()), np.float64)
    if click.shape != (2,):
        raise InputError("action", f"{name} needs a 'click' of two fractions (x, y)", value=given.get("click"))
    return Action.click(name, float(click[0]), float(click[1]))


class HouseholdSpaces(Spaced):
    """The household in Gymnasium's spaces; `size` and `overhead` are those of `observation_space`."""

    def __init__(self, size: int, *, overhead: bool = False) -> None:
        self._observations = {role: observation_space(role, size, overhead=overhead) for role in Role}
        self._actions = {role: action_space(role) for role in Role}

    def spaces(self, seat: str) -> tuple[spaces.Dict, spaces.Dict]:
        """The spaces of a role's observations and actions."""
        return self._observations[Role(seat)], self._actions[Role(seat)]

    def to_space(self, seat: str, observation: Observation) -> JsonObject:
        """`shown`."""
        return shown(observation, self._observations[Role(seat)])

    def from_space(self, seat: str, value: object) -> Action:
        """`action_of`."""
        return action_of(Role(seat), value)
