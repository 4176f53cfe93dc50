"""Parameters put into a definition, with TEACh's order effects (specification 3.2), never changing the definition.

An entry whose key holds a macro moves to the end of its object, as the reference's substitution makes it; so
Clean X(Plate), written {#0, sink}, is checked as {sink, Plate}.

What a task's parameters must be, found from where its definition uses them. A parameter that ends as a wanted type or
class, or as a count, is checked before the task is made, where it matters: below a component with the determiner "0"
anything goes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple, TypeVar

from teach_agents.errors import DefinitionError
from teach_agents.tasks.classes import OBJECT_CLASSES, OBJECT_TYPES
from teach_agents.tasks.definitions import (
    MACRO,
    AtomicComponent,
    Component,
    Definition,
    Definitions,
    Head,
    Relation,
    Scalar,
    is_count,
)

V = TypeVar("V")
_DETERMINERS = ("a", "a decimal number such as '2'", "all")


class ResolvedComponent(NamedTuple):
    """A component that is a task, with the task itself in place."""

    determiner: str
    task: ResolvedTask


class ResolvedTask(NamedTuple):
    """A definition with its parameters in place, sub-tasks included; components in the order they are checked."""

    task_id: int
    name: str
    params: tuple[str, ...]
    anchor: str | None
    desc: str
    components: tuple[tuple[str, AtomicComponent | ResolvedComponent], ...]
    relations: tuple[Relation, ...]

    @property
    def properties(self) -> frozenset[str]:
        """The objects' properties that conditions and relations read, sub-tasks' too."""
        found = {relation.property for relation in self.relations}
        for _, component in self.components:
            found |= component.task.properties if isinstance(component, ResolvedComponent) else {*component.conditions}
        return frozenset(found)


Resolved = AtomicComponent | ResolvedComponent


def substitute(text: str, params: Sequence[str]) -> str:
    """`text` with every `#n` replaced by the n-th parameter. Every macro must have one (checked at load)."""
    return MACRO.sub(lambda macro: params[int(macro.group(1))], text) if "#" in text else text


def _moved(entries: Mapping[str, V], params: Sequence[str]) -> dict[str, V]:
    """Entries under their substituted keys: unchanged keys first, changed ones after them; equal keys collide."""
    changed = [(substitute(key, params), key) for key in entries]
    return {new: entries[key] for new, key in sorted(changed, key=lambda names: names[0] != names[1])}


def _wanted(value: Scalar, params: Sequence[str]) -> Scalar:
    """A wanted value; text that is a number after substitution becomes one (`isToggled: "#1"`)."""
    if not isinstance(value, str):
        return value
    text = substitute(value, params)
    return int(text) if text.isascii() and text.isdecimal() else text


def _atomic(component: AtomicComponent, params: Sequence[str]) -> AtomicComponent:
    determiner = component.determiner
    conditions = {key: _wanted(value, params) for key, value in _moved(component.conditions, params).items()}
    descs = {key: substitute(text, params) for key, text in _moved(component.failure_descs, params).items()}
    return AtomicComponent(
        substitute(determiner, params) if isinstance(determiner, str) else determiner,
        substitute(component.primary, params),
        component.shareable,
        conditions,
        descs,
    )


def resolve(definitions: Definitions, name: str, params: Sequence[str]) -> ResolvedTask:
    """The task `name` with `params` in place, sub-tasks likewise.

    The definitions must have been loaded (sub-tasks known, no cycles, right numbers of parameters). Raises
    `DefinitionError` for a determiner or entity that a parameter made senseless.
    """
    definition = definitions[name]
    components: dict[str, Resolved] = {}
    for key, component in _moved(definition.components, params).items():
        components[key] = _component(definitions, component, params)
        _check_determiner(name, key, components[key])
    anchor = None if definition.anchor is None else substitute(definition.anchor, params)
    relations = tuple(_relation(relation, params) for relation in definition.relations)
    _check_entities(name, components, anchor, relations)
    desc = substitute(definition.desc, params)
    return ResolvedTask(definition.task_id, name, tuple(params), anchor, desc, tuple(components.items()), relations)


def _component(definitions: Definitions, component: Component, params: Sequence[str]) -> Resolved:
    if isinstance(component, AtomicComponent):
        return _atomic(component, params)
    arguments = [substitute(argument, params) for argument in component.task_params]
    return ResolvedComponent(
        substitute(component.determiner, params), resolve(definitions, component.task_name, arguments)
    )


def _relation(relation: Relation, params: Sequence[str]) -> Relation:
    return Relation(
        substitute(relation.property, params),
        substitute(relation.tail, params),
        relation.tail_determiner,
        tuple(Head(*(substitute(part, params) for part in head)) for head in relation.heads),
        substitute(relation.failure_desc, params),
    )


def _check_determiner(name: str, key: str, component: Resolved) -> None:
    determiner = component.determiner
    valid = _DETERMINERS if isinstance(component, AtomicComponent) else _DETERMINERS[:2]
    if not is_count(determiner) and determiner not in valid[2:]:
        raise DefinitionError(f"task {name!r}", f"component {key!r} has no determiner", value=determiner, valid=valid)


def _check_entities(
    name: str,
    components: Mapping[str, Resolved],
    anchor: str | None,
    relations: tuple[Relation, ...],
) -> None:
    where = f"task {name!r}"
    if anchor is not None and anchor not in components:
        raise DefinitionError(where, "the anchor is no component", value=anchor, valid=components)
    for relation in relations:
        for entity in (relation.tail, *(head.entity for head in relation.heads)):
            if entity not in components:
                raise DefinitionError(where, "a relation names no component", value=entity, valid=components)
        for head in relation.heads:
            if not is_count(head.determiner) and head.determiner != "all":
                problem = f"the relation's head {head.entity!r} has no determiner"
                raise DefinitionError(where, problem, value=head.determiner, valid=_DETERMINERS)


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


def check_parameters(definitions: Definitions, name: str, params: Sequence[str], extra_types: frozenset[str]) -> None:
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
    for use in _uses(definitions, definition, None, params):
        known = OBJECT_TYPES if use.kind is ParameterKind.TYPE else OBJECT_CLASSES
        _check_use(where, use, params, known | extra_types)


def parameter_kinds(definitions: Definitions, name: str) -> list[ParameterKind]:
    """What each parameter of a task stands for."""
    definition = definitions[name]
    kinds = [ParameterKind.TEXT] * definition.nparams
    for use in _uses(definitions, definition, None, None):
        for macro in MACRO.finditer(use.template):
            index = int(macro.group(1))
            if kinds[index] in (ParameterKind.TEXT, ParameterKind.CLASS):
                kinds[index] = use.kind
    return kinds


def _uses(
    definitions: Definitions,
    definition: Definition,
    given: Sequence[str] | None,
    params: Sequence[str] | None,
) -> Iterator[_Use]:
    """Every typed use below a definition that is `given` arguments; with `params`, only what they do not switch off."""
    arguments = [f"#{index}" for index in range(definition.nparams)] if given is None else given
    for component in definition.components.values():
        determiner = substitute(str(component.determiner), arguments)
        yield _Use(ParameterKind.COUNT, determiner)
        if params is not None and substitute(determiner, params) == "0":
            continue
        if isinstance(component, AtomicComponent):
            for name, wanted in component.conditions.items():
                if name in _WANTED_KINDS and isinstance(wanted, str):
                    yield _Use(_WANTED_KINDS[name], substitute(wanted, arguments))
        else:
            below = [substitute(argument, arguments) for argument in component.task_params]
            yield from _uses(definitions, definitions[component.task_name], below, params)


def _check_use(where: str, use: _Use, params: Sequence[str], known: frozenset[str]) -> None:
    kind, template = use
    macro = MACRO.search(template)
    if macro is None:
        return
    value, index = substitute(template, params), int(macro[1])
    if kind is ParameterKind.COUNT:
        if not is_count(value) and value != "all":
            problem = f"parameter {index} is no count"
            raise DefinitionError(where, problem, value=params[index], valid=_DETERMINERS[1::-1])
    elif value not in known:
        before, _, after = template.partition(macro[0])
        fitting = re.compile(f"{re.escape(before)}(.+){re.escape(after)}")
        fits = sorted(match[1] for match in map(fitting.fullmatch, known) if match)
        problem = f"parameter {index} is no {kind} that fits here"
        raise DefinitionError(where, problem, value=params[index], valid=fits)
