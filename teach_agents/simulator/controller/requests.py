"""What an action is asked with: parameters checked against its signatures, and how AI2-THOR refuses (2.1).

The signatures of every action that can be asked for (2.3-2.5) stand in `signatures.txt`, one a line: `Name
parameter:Type parameter:Type?`, a question mark for what may be left out. A line that begins with `*` is one of
AI2-THOR's old actions, which ignore parameters that they do not know. Two lines of one name are two ways to call it.
`&NAME` stands for the parameters of the line that begins so.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from teach_agents.core.json_types import JsonMapping
from teach_agents.observations import Vec3
from teach_agents.simulator.contract import ObjectState, SimulatorAction

if TYPE_CHECKING:
    from teach_agents.simulator.controller.engine import Engine


CALLER_ERRORS = frozenset({"AmbiguousAction", "InvalidAction", "InvalidArgument", "MissingArguments"})
"""Error codes that AI2-THOR's Python client raises as `ValueError`."""

_GLOBALS = frozenset(
    "action sequenceId agentId renderImage renderObjectImage renderClassImage renderNormalsImage "
    "renderInstanceSegmentation renderSemanticSegmentation".split()
)
"""What every action takes."""


_ORIGIN = Vec3(0.0, 0.0, 0.0)


class Refusal(Exception):
    """An action that fails, with AI2-THOR's message and, rarely, an error code."""

    def __init__(self, message: str, code: str | None = None) -> None:
        super().__init__(message)
        self.code = code


class Parameters(dict[str, Any]):
    """The checked parameters of one action; what was left out or null is not there."""

    def __init__(self, given: JsonMapping) -> None:
        super().__init__({name: value for name, value in given.items() if value is not None})

    def number(self, name: str, default: float) -> float:
        """A number, or the default."""
        return float(self.get(name, default))

    def flag(self, name: str, default: bool = False) -> bool:
        """A truth value, or the default."""
        return bool(self.get(name, default))

    def text(self, name: str, default: str = "") -> str:
        """A string, or the default."""
        return str(self.get(name, default))

    def point(self, name: str, default: Vec3 = _ORIGIN) -> Vec3:
        """A vector; coordinates left out are the default's."""
        value = self.get(name, {})
        return Vec3(*(float(value.get(axis, known)) for axis, known in zip("xyz", default, strict=True)))


def accept(name: str, request: JsonMapping) -> Parameters:
    """The parameters of a request as the action may use them.

    Raises `Refusal` with one of the `CALLER_ERRORS` for an unknown action, and for parameters that are unknown,
    missing, or of a wrong type. Actions that take AI2-THOR's old bag of fields ignore what they do not know.
    """
    candidates = _table().get(name, ())
    if not candidates:
        raise Refusal(f"Invalid action: {name}", "InvalidAction")
    given = {key: value for key, value in request.items() if key not in _GLOBALS}
    chosen = max(candidates, key=lambda signature: _rank(signature, given))
    unknown = [key for key in given if key not in chosen.names]
    if unknown and not chosen.lenient:
        raise Refusal(_unexpected(name, unknown, given, candidates, chosen), "InvalidArgument")
    missing = [p.name for p in chosen.parameters if p.required and given.get(p.name) is None]
    if missing:
        raise Refusal(f"action: {name} is missing the following arguments: {','.join(missing)}", "MissingArguments")
    for parameter in chosen.parameters:
        value = given.get(parameter.name)
        if value is not None and not _TESTS[parameter.type](value):
            problem = f"has an invalid argument: {parameter.name} (=={value}). Cannot convert to: {parameter.type}"
            raise Refusal(f"action: {name} {problem}", "InvalidArgument")
    return Parameters({key: value for key, value in given.items() if key in chosen.names})


def _rank(signature: Signature, given: JsonMapping) -> tuple[int, int]:
    """How well a signature fits what was given: few unknown names first, then few missing ones."""
    unknown = sum(key not in signature.names for key in given)
    missing = sum(p.required and given.get(p.name) is None for p in signature.parameters)
    return (-unknown, -missing)


def _unexpected(
    name: str, unknown: Sequence[str], given: JsonMapping, candidates: Sequence[Signature], chosen: Signature
) -> str:
    several, quoted = "s" if len(unknown) > 1 else "", "'{}'".format
    lines = [
        f'Action: "{name}" called with invalid argument{several}: {_listed(map(quoted, unknown))}',
        f"Expected arguments: {_listed(chosen.parameters)}",
        f"Your arguments: {_listed(map(quoted, given))}",
        f'Valid ways to call "{name}" action:',
        *(f"\t{name}({_listed(one.parameters)})" for one in candidates),
    ]
    return "".join(f"\n\t{line}" for line in lines)


def _listed(things: Iterable[object]) -> str:
    return ", ".join(map(str, things))


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def _is_whole(value: object) -> bool:
    return _is_number(value) and float(value).is_integer()  # type: ignore[arg-type]  # a number by now


def _is_vector(value: object) -> bool:
    return isinstance(value, Mapping) and all(_is_number(value.get(axis, 0.0)) for axis in "xyz")


_TESTS: Mapping[str, Callable[[object], bool]] = {
    "Boolean": lambda value: isinstance(value, bool),
    "Int32": _is_whole,
    "List": lambda value: isinstance(value, list | tuple),
    "Map": lambda value: isinstance(value, Mapping),
    "Single": _is_number,
    "String": lambda value: isinstance(value, str),
    "Vector3": _is_vector,
}


class Parameter(NamedTuple):
    """One parameter: its name, its .NET type, and whether it must be given."""

    name: str
    type: str
    required: bool

    def __str__(self) -> str:
        return f"{self.type} {self.name}" + ("" if self.required else " = default")


class Signature(NamedTuple):
    """One way to call an action. `lenient` ones ignore what they do not know."""

    parameters: tuple[Parameter, ...]
    names: frozenset[str]
    lenient: bool


def action_names() -> tuple[str, ...]:
    """Every action there is, in the table's order."""
    return tuple(_table())


@lru_cache(maxsize=1)
def _table() -> Mapping[str, tuple[Signature, ...]]:
    found: dict[str, tuple[Signature, ...]] = {}
    shared: dict[str, list[str]] = {}
    for line in Path(__file__).with_name("signatures.txt").read_text(encoding="utf-8").splitlines():
        name, *words = line.split()
        words = [word for given in words for word in shared.get(given, [given])]
        if name.startswith("&"):
            shared[name] = words
        else:
            parameters = tuple(map(_parameter, words))
            signature = Signature(parameters, frozenset(one.name for one in parameters), name.startswith("*"))
            name = name.removeprefix("*")
            found[name] = (*found.get(name, ()), signature)
    return found


def _parameter(text: str) -> Parameter:
    name, _, kind = text.partition(":")
    return Parameter(name, kind.removesuffix("?"), not kind.endswith("?"))


Act = Callable[["Engine", Parameters], object]
"""An action: the engine and the checked parameters; returns the answer or raises `Refusal`."""


def aimed(name: str, given: Parameters, magnitude: float | None = None) -> SimulatorAction:
    """A simulator action on what the parameters target: an id, else a viewport point, (0, 0) if none is given."""
    action = SimulatorAction(name, given.text("objectId"), magnitude=magnitude, force=given.flag("forceAction"))
    return action if action.object_id else replace(action, x=given.number("x", 0.0), y=given.number("y", 0.0))


def known_object(engine: Engine, object_id: str) -> ObjectState:
    """The object of an id; refused as AI2-THOR refuses an unknown one."""
    obj = engine.state.objects.get(object_id)
    if obj is None:
        raise Refusal(f"ArgumentException: objectId: {object_id} is not the objectId on any object in the scene!")
    return obj


def plain(value: object) -> object:
    """An answer as JSON has it: points as mappings, tuples as lists."""
    if isinstance(value, Vec3):
        return value._asdict()
    return [plain(item) for item in value] if isinstance(value, list | tuple) else value


def shown_point(point: Vec3) -> str:
    """A point as AI2-THOR prints it."""
    return "({:.4f}, {:.4f}, {:.4f})".format(*point)
