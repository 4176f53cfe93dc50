"""What factories are handed besides their SPEC's parameters, and what an agent has to declare to be handed it.

Open to any factory with a parameter of that name are `seat` (also called `role`), `allow_import` and values whose class
is `open_context`. All else, such as a living world or what people did next, is handed to an agent's factory that
declares it by `takes`, and whose agent states the privilege `ground_truth`; a parameter of such a name is refused.
Factories of what is not judged (models, benchmarks) get what they have parameters for.
"""

from __future__ import annotations

import inspect
import keyword
from collections.abc import Callable, Collection, Mapping
from typing import NamedTuple, TypeVar

from teach_agents.core.errors import MissingParameterError, SpecError

GROUND_TRUTH = "ground_truth"
"""The privilege of an agent that is handed, when it is made, what nobody in its seat may know."""

_ALWAYS = frozenset({"seat", "role", "allow_import"})
_MARK = "__takes__"
FactoryT = TypeVar("FactoryT", bound=Callable[..., object])


class _Taken(NamedTuple):
    names: tuple[str, ...] = ()
    when: str = ""


def takes(*names: str, when: str = "") -> Callable[[FactoryT], FactoryT]:
    """Declare what else an agent's factory, a class or function, is handed: context that is not open.

    The first name decides: where it is not there, none of the others is handed out either. With `when` they are only
    handed out where the SPEC's parameter of that name is true. The agent has to state `ground_truth` in `privileges`.
    """

    def declared(factory: FactoryT) -> FactoryT:
        setattr(factory, _MARK, _Taken(names, when))
        return factory

    return declared


def is_open(name: str, value: object) -> bool:
    """Whether a part of the context holds no more than whoever sits in the seat may know."""
    return name in _ALWAYS or value is None or bool(getattr(type(value), "open_context", False))


def parameters_of(factory: Callable[..., object]) -> Mapping[str, inspect.Parameter] | None:
    """The factory's parameters by name, or `None` when it does not say (or takes any)."""
    try:
        found = inspect.signature(factory).parameters
    except (TypeError, ValueError):
        return None
    return None if any(one.kind is inspect.Parameter.VAR_KEYWORD for one in found.values()) else found


def arguments(
    where: str,
    factory: Callable[..., object],
    parameters: Mapping[str, object],
    context: Mapping[str, object],
    *,
    guarded: bool,
) -> tuple[dict[str, object], frozenset[str]]:
    """What a factory is called with, and the names of the context in it that is not open.

    Raises `SpecError` for parameters that it does not know or has not been given, and for context that it has not
    declared.
    """
    found = parameters_of(factory)
    if found is None:
        return {**parameters}, frozenset()
    known = {_as_written(name): one for name, one in found.items()}
    for key in parameters:
        if key not in known or key in context:
            raise SpecError(
                where, "unknown parameter", value=key, valid=[name for name in known if name not in context]
            )
    closed = {name for name in known if guarded and name in context and not is_open(name, context[name])}
    handed = closed & _declared(where, factory, parameters, context, closed)
    given = {name: context[name] for name in known if name in context and (name not in closed or name in handed)}
    given |= parameters
    for name, one in known.items():
        if one.default is one.empty and one.kind is not one.VAR_POSITIONAL and name not in given:
            raise MissingParameterError(where, name)
    return {known[key].name: value for key, value in given.items()}, frozenset(handed)


def _declared(
    where: str,
    factory: Callable[..., object],
    parameters: Mapping[str, object],
    context: Mapping[str, object],
    closed: Collection[str],
) -> frozenset[str]:
    """The names that the factory may be handed now. Raises `SpecError` for those that it has a parameter for only."""
    taken: _Taken = getattr(factory, _MARK, _Taken())
    names = taken.names
    for name in closed:
        if name not in names:
            said = ", ".join(map(repr, (*names, name)))
            raise SpecError(
                where,
                f"has a parameter {name!r}, which is what nobody in this seat may know: declare it by "
                f"@takes({said}) and the privilege {GROUND_TRUTH!r}, or give the parameter another name",
            )
    there = bool(names) and context.get(names[0]) is not None
    return frozenset(names if there and (not taken.when or parameters.get(taken.when) is True) else ())


def _as_written(name: str) -> str:
    """A parameter's name in a SPEC: Python's `class_` is written `class`."""
    return name[:-1] if name.endswith("_") and keyword.iskeyword(name[:-1]) else name
