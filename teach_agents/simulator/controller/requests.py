"""What an action is asked with: parameters checked against its signatures, and how AI2-THOR refuses (2.1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from teach_agents.core.json_types import JsonMapping
from teach_agents.observations import Vec3
from teach_agents.simulator.controller.signatures import Parameter, Signature, signatures_of

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


class Parameters(Mapping[str, Any]):
    """The checked parameters of one action; what was left out or null is not there."""

    def __init__(self, given: JsonMapping) -> None:
        self._given = {name: value for name, value in given.items() if value is not None}

    def __getitem__(self, name: str) -> Any:
        return self._given[name]

    def __iter__(self) -> Any:
        return iter(self._given)

    def __len__(self) -> int:
        return len(self._given)

    def number(self, name: str, default: float) -> float:
        """A number, or the default."""
        return float(self._given.get(name, default))

    def flag(self, name: str, default: bool = False) -> bool:
        """A truth value, or the default."""
        return bool(self._given.get(name, default))

    def text(self, name: str, default: str = "") -> str:
        """A string, or the default."""
        return str(self._given.get(name, default))

    def point(self, name: str, default: Vec3 = _ORIGIN) -> Vec3:
        """A vector; coordinates left out are the default's."""
        value = self._given.get(name, {})
        return Vec3(*(float(value.get(axis, known)) for axis, known in zip("xyz", default, strict=True)))


def accept(name: str, request: JsonMapping) -> Parameters:
    """The parameters of a request as the action may use them.

    Raises `Refusal` with one of the `CALLER_ERRORS` for an unknown action, and for parameters that are unknown,
    missing, or of a wrong type. Actions that take AI2-THOR's old bag of fields ignore what they do not know.
    """
    candidates = signatures_of(name)
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
        _check(name, parameter, given.get(parameter.name))
    return Parameters({key: value for key, value in given.items() if key in chosen.names})


def _rank(signature: Signature, given: JsonMapping) -> tuple[int, int]:
    """How well a signature fits what was given: few unknown names first, then few missing ones."""
    unknown = sum(key not in signature.names for key in given)
    missing = sum(p.required and given.get(p.name) is None for p in signature.parameters)
    return (-unknown, -missing)


def _check(name: str, parameter: Parameter, value: object) -> None:
    if value is None or parameter.holds(value):
        return
    message = (
        f"action: {name} has an invalid argument: {parameter.name} (=={value}). Cannot convert to: {parameter.type}"
    )
    raise Refusal(message, "InvalidArgument")


def _unexpected(
    name: str, unknown: Sequence[str], given: JsonMapping, candidates: Sequence[Signature], chosen: Signature
) -> str:
    several = "s" if len(unknown) > 1 else ""
    lines = [
        f'Action: "{name}" called with invalid argument{several}: {_quoted(unknown)}',
        f"Expected arguments: {', '.join(str(parameter) for parameter in chosen.parameters)}",
        f"Your arguments: {_quoted(given)}",
        f'Valid ways to call "{name}" action:',
        *(f"\t{name}({', '.join(str(parameter) for parameter in one.parameters)})" for one in candidates),
    ]
    return "".join(f"\n\t{line}" for line in lines)


def _quoted(names: Sequence[str] | JsonMapping) -> str:
    return ", ".join(f"'{name}'" for name in names)
