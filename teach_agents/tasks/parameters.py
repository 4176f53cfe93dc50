"""What a task's parameters must be, found from where its definition uses them.

A parameter that ends as a wanted type or class, or as a count, is checked before the task is made, where it
matters: below a component with the determiner "0" anything goes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from teach_agents.errors import DefinitionError
from teach_agents.tasks.classes import OBJECT_CLASSES, OBJECT_TYPES
from teach_agents.tasks.definitions import AtomicComponent, Component, Definition, Scalar, is_count
from teach_agents.tasks.substitution import substitute

_MACRO = re.compile(r"#(\d+)")


class ParameterKind(StrEnum):
    """What a parameter stands for."""

    COUNT = "count"
    TYPE = "object type"
    CLASS = "object class"
    TEXT = "text"


_WANTED_KINDS = {"objectType": ParameterKind.TYPE, "simbotObjectClass": ParameterKind.CLASS}


class _Use(NamedTuple):
    """A place that holds `template`, in terms of the outermost task's parameters."""

    kind: ParameterKind
    template: str


def check_parameters(
    definitions: Mapping[str, Definition], name: str, params: Sequence[str], extra_types: frozenset[str]
) -> None:
    """Refuse parameters of the wrong number or kind. Raises `DefinitionError` naming task and parameter."""
    definition, where = definitions[name], f"task {name!r}"
    for index, param in enumerate(params):
        if not isinstance(param, str):
            raise DefinitionError(where, f"parameter {index} must be a text", value=param)
        if "#" in param:
            raise DefinitionError(where, f"parameter {index} must not hold '#'", value=param)
    if len(params) != definition.nparams:
        problem = f"takes {definition.nparams} parameters, not {len(params)}"
        raise DefinitionError(where, problem, value=list(params))
    for use in _uses(definitions, definition, _own_macros(definition), params):
        _check_use(where, use, params, _known(use.kind) | extra_types)


def parameter_kinds(definitions: Mapping[str, Definition], name: str) -> list[ParameterKind]:
    """What each parameter of a task stands for."""
    definition = definitions[name]
    kinds = [ParameterKind.TEXT] * definition.nparams
    for use in _uses(definitions, definition, _own_macros(definition), None):
        for macro in _MACRO.finditer(use.template):
            index = int(macro.group(1))
            if kinds[index] in (ParameterKind.TEXT, ParameterKind.CLASS):
                kinds[index] = use.kind
    return kinds


def _own_macros(definition: Definition) -> list[str]:
    return [f"#{index}" for index in range(definition.nparams)]


def _known(kind: ParameterKind) -> frozenset[str]:
    return OBJECT_TYPES if kind is ParameterKind.TYPE else OBJECT_CLASSES


def _uses(
    definitions: Mapping[str, Definition],
    definition: Definition,
    arguments: Sequence[str],
    params: Sequence[str] | None,
) -> Iterator[_Use]:
    """Every typed use below a definition; with `params`, only where they do not switch it off."""
    for component in definition.components.values():
        determiner = substitute(str(component.determiner), arguments)
        yield _Use(ParameterKind.COUNT, determiner)
        if params is not None and substitute(determiner, params) == "0":
            continue
        if isinstance(component, AtomicComponent):
            yield from _wanted_uses(component, arguments)
        else:
            below = [substitute(argument, arguments) for argument in component.task_params]
            yield from _uses(definitions, definitions[component.task_name], below, params)


def _wanted_uses(component: Component, arguments: Sequence[str]) -> Iterator[_Use]:
    wanted: Scalar
    if isinstance(component, AtomicComponent):
        for name, wanted in component.conditions.items():
            if name in _WANTED_KINDS and isinstance(wanted, str):
                yield _Use(_WANTED_KINDS[name], substitute(wanted, arguments))


def _check_use(where: str, use: _Use, params: Sequence[str], known: frozenset[str]) -> None:
    macros = _MACRO.findall(use.template)
    if not macros:
        return
    value = substitute(use.template, params)
    index = int(macros[0])
    if use.kind is ParameterKind.COUNT:
        if not is_count(value) and value != "all":
            problem = f"parameter {index} is no count"
            raise DefinitionError(where, problem, value=params[index], valid=("a decimal number such as '2'", "a"))
        return
    if value not in known:
        before, _, after = use.template.partition(f"#{index}")
        fits = [name[len(before) : len(name) - len(after)] for name in known if _fits(name, before, after)]
        raise DefinitionError(
            where, f"parameter {index} is no {use.kind} that fits here", value=params[index], valid=sorted(fits)
        )


def _fits(name: str, before: str, after: str) -> bool:
    return name.startswith(before) and name.endswith(after) and len(name) > len(before) + len(after)
