"""How a world's values are written: into records, to agents behind HTTP, to workers behind Redis.

Whatever holds such values (a record, a session over HTTP, a message) says once which world they are of and in which
version they are written; a codec refuses what it does not read.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import lru_cache
from typing import Any, Generic, TypeVar

from pydantic import TypeAdapter, ValidationError

from teach_agents.core.errors import ActionError, InputError
from teach_agents.core.json_types import JsonObject
from teach_agents.core.sizes import LONGEST_TEXT
from teach_agents.core.values import NoAction, Result, Say, Stop, Wait

InstanceT = TypeVar("InstanceT")
ActionT = TypeVar("ActionT")
ObservationT = TypeVar("ObservationT")
ValueT = TypeVar("ValueT")

_SHARED = (Say, Wait, Stop, NoAction)
_BYTES = "$bytes"
_SHOWN = 80


class Codec(Generic[InstanceT, ActionT, ObservationT]):
    """Writes and reads the values of the world called `world`, frozen dataclasses, in a `version`.

    `actions` are the classes of the world's own actions: in JSON each goes by its name under `type`, as do the core's
    `Say`, `Wait`, `Stop` and `NoAction`. `reads` are earlier versions that can be read too. Pictures are `bytes` (files
    as they are); they travel as bytes in `pack`, in base64 where all has to be JSON. A world with another form
    overrides the methods. `observation` is the class of its observations.
    """

    def __init__(
        self,
        world: str,
        *,
        instance: type[InstanceT],
        actions: Sequence[type[ActionT]],
        observation: type[ObservationT],
        version: int = 1,
        reads: Sequence[int] = (),
    ) -> None:
        self.world = world
        self.version = version
        self.reads = frozenset({version, *reads})
        self._instance = instance
        self.observation = observation
        self._actions: Mapping[str, type[ActionT]] = {one.__name__: one for one in (*_SHARED, *actions)}

    def check(self, where: str, world: object, version: object) -> None:
        """Raise `InputError` unless values of this world in this version can be read."""
        if world != self.world:
            raise InputError(where, "is of another world", value=world, valid=(self.world,))
        if type(version) is not int or version not in self.reads:
            problem = f"is written in a version of the world {self.world!r} that is not read here"
            raise InputError(where, problem, value=version, valid=sorted(self.reads))

    def instance_to_json(self, instance: InstanceT) -> JsonObject:
        """An instance as a JSON object."""
        found: JsonObject = plain(instance)
        return found

    def instance_from_json(self, data: object) -> InstanceT:
        """Read `instance_to_json`'s form. Raises `InputError` for anything else."""
        return value_of(self._instance, data, "instance")

    def action_to_json(self, action: ActionT | Say | Wait | Stop | NoAction) -> JsonObject:
        """An action as a JSON object."""
        return {"type": type(action).__name__, **plain(action)}

    def action_from_json(self, data: object) -> ActionT | Say | Wait | Stop | NoAction:
        """Read `action_to_json`'s form. Raises `InputError` for anything else."""
        named = data.get("type") if isinstance(data, Mapping) else data
        if not isinstance(data, Mapping) or not isinstance(named, str) or named not in self._actions:
            raise InputError("action", "is none of this world", value=named or data, valid=self._actions)
        return value_of(self._actions[named], {key: data[key] for key in data if key != "type"}, "action")

    def problem_of(self, answer: object) -> str:
        """Why an agent's answer is no action of this world, nor one of the core's; empty where it is one."""
        if type(answer) not in self._actions.values():
            return f"the agent answered {_short(answer)}, which is no action of the world {self.world!r}"
        return too_long(answer)

    def own(self, seat: str, action: Any) -> Any:
        """An agent's answer as the world's own action, where the world has one for an action of the core's."""
        return action

    def said(self, action: object) -> str | None:
        """What an action says to others; `None` for one that says nothing."""
        return action.text if isinstance(action, Say) else None

    def say(self, text: str) -> ActionT | Say:
        """The action that says something. Raises `ActionError` for text that cannot be said."""
        if problem := too_long(Say(text)):
            raise ActionError("say", problem)
        return Say(text)

    def wait(self) -> ActionT | Wait:
        """The action that lets a turn pass."""
        return Wait()

    def stop(self, seat: str) -> ActionT | Stop:
        """The action by which a seat ends the episode, where it may."""
        return Stop()

    def result_to_json(self, result: Any) -> JsonObject:
        """What an agent may know of a result, and what it cost, as a JSON object; the rest is recorded apart."""
        known = {"success": result.success, "message": result.message, "cost": result.cost}
        return {key: value for key, value in known.items() if key == "success" or value}

    def result_from_json(self, data: object) -> Any:
        """Read `result_to_json`'s form. Raises `InputError` for anything else."""
        if not isinstance(data, Mapping) or not isinstance(data.get("success"), bool):
            raise InputError("result", "is a JSON object with a boolean 'success'", value=data)
        return Result(data["success"], str(data.get("message", "")), cost=float(data.get("cost", 0.0)))

    def observation_to_json(self, observation: ObservationT) -> JsonObject:
        """An observation as a JSON object."""
        found: JsonObject = plain(observation)
        return found

    def observation_from_json(self, data: object) -> ObservationT:
        """Read `observation_to_json`'s form. Raises `InputError` for anything else."""
        return value_of(self.observation, data, "observation")

    def pack(self, observation: ObservationT) -> bytes:
        """An observation as bytes: the length of its JSON (8 digits), the JSON, then its pictures one after another."""
        pictures: list[bytes] = []
        written = json.dumps(plain(observation, pictures), separators=(",", ":")).encode()
        return b"%08d%b%b" % (len(written), written, b"".join(pictures))

    def unpack(self, packed: bytes) -> ObservationT:
        """Read `pack`'s form. Raises `InputError` for anything else."""
        try:
            begins = 8 + int(packed[:8])
            data = json.loads(packed[8:begins])
        except ValueError as error:
            raise InputError("observation", f"cannot be unpacked: {error}") from error
        return value_of(self.observation, data, "observation", memoryview(packed)[begins:])


def too_long(action: object) -> str:
    """Why an action holds more text than there may be in one, or says what is none; empty where it does not."""
    said: object = action.text if isinstance(action, Say) else ""
    if not isinstance(said, str):
        return f"the agent's text is {_short(said)}, which is no text"
    for one in fields(action) if is_dataclass(action) else ():
        value = getattr(action, one.name)
        if isinstance(value, str) and len(value) > LONGEST_TEXT:
            return f"the agent's {one.name} has {len(value)} characters; at most {LONGEST_TEXT} are taken"
    return ""


def _short(value: object) -> str:
    try:
        shown = repr(value)
    except Exception:  # noqa: BLE001  # a repr can raise anything
        shown = f"a {type(value).__name__} without a repr"
    return shown if len(shown) <= _SHOWN else shown[:_SHOWN] + "..."


def plain(value: Any, pictures: list[bytes] | None = None) -> Any:
    """A value as JSON: dataclasses by their fields, `bytes` put into `pictures`, or in base64 where there are none."""
    if is_dataclass(value) and not isinstance(value, type):
        return {one.name: plain(getattr(value, one.name), pictures) for one in fields(value)}
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, bytes):
        if pictures is None:
            return {_BYTES: base64.b64encode(value).decode()}
        pictures.append(value)
        return {_BYTES: len(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(one, pictures) for key, one in value.items()}
    if isinstance(value, frozenset | set):
        return [plain(one, pictures) for one in sorted(value, key=lambda one: json.dumps(plain(one)))]
    if isinstance(value, list | tuple):
        return [plain(one, pictures) for one in value]
    return value


@lru_cache(maxsize=256)
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def value_of(kind: Callable[..., ValueT], data: object, where: str, pictures: memoryview | bytes = b"") -> ValueT:
    """Read `plain`'s form of a type. Raises `InputError` at `where` for anything else."""
    try:
        lengths: list[int] = []
        found = _with_bytes(data, pictures, lengths)
        if sum(lengths) != len(pictures):
            raise ValueError(f"{len(pictures)} bytes of pictures where {sum(lengths)} are told of")
        made: ValueT = _adapter(kind).validate_python(found)
        return made
    except (ValidationError, ValueError, TypeError) as error:
        raise InputError(where, f"cannot be read: {' '.join(str(error).split())}"[:400]) from error


def _with_bytes(one: Any, pictures: memoryview | bytes, lengths: list[int]) -> Any:
    if isinstance(one, dict):
        if one.keys() != {_BYTES}:
            return {key: _with_bytes(inner, pictures, lengths) for key, inner in one.items()}
        if isinstance(one[_BYTES], str):
            return base64.b64decode(one[_BYTES], validate=True)
        begins = sum(lengths)
        lengths.append(int(one[_BYTES]))
        return bytes(pictures[begins : begins + lengths[-1]])
    return [_with_bytes(inner, pictures, lengths) for inner in one] if isinstance(one, list) else one
