"""Parameters put into a definition, with TEACh's order effects (specification 3.2), never changing the definition.

An entry whose key holds a macro moves to the end of its object, as the reference's substitution makes it; so
Clean X(Plate), written {#0, sink}, is checked as {sink, Plate}.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from teach_agents.errors import DefinitionError
from teach_agents.tasks.definitions import (
    AtomicComponent,
    Component,
    Definition,
    Head,
    Relation,
    Scalar,
    is_count,
)

_MACRO = re.compile(r"#(\d+)")
V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class ResolvedComponent:
    """A component that is a task, with the task itself in place."""

    determiner: str
    task: ResolvedTask


@dataclass(frozen=True, slots=True)
class ResolvedTask:
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


def substitute(text: str, params: Sequence[str]) -> str:
    """`text` with every `#n` replaced by the n-th parameter. Every macro must have one (checked at load)."""
    return _MACRO.sub(lambda macro: params[int(macro.group(1))], text) if "#" in text else text


def _moved(entries: Mapping[str, V], params: Sequence[str]) -> dict[str, V]:
    """Entries under their substituted keys: unchanged keys first, changed ones after them; equal keys collide."""
    changed = {key: substitute(key, params) for key in entries}
    made = {key: value for key, value in entries.items() if changed[key] == key}
    for key, value in entries.items():
        if changed[key] != key:
            made[changed[key]] = value
    return made


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


def resolve(definitions: Mapping[str, Definition], name: str, params: Sequence[str]) -> ResolvedTask:
    """The task `name` with `params` in place, sub-tasks likewise.

    The definitions must have been loaded (sub-tasks known, no cycles, right numbers of parameters). Raises
    `DefinitionError` for a determiner or entity that a parameter made senseless.
    """
    definition = definitions[name]
    components: dict[str, AtomicComponent | ResolvedComponent] = {}
    for key, component in _moved(definition.components, params).items():
        components[key] = _component(definitions, component, params)
        _check_determiner(name, key, components[key])
    anchor = None if definition.anchor is None else substitute(definition.anchor, params)
    relations = tuple(_relation(relation, params) for relation in definition.relations)
    _check_entities(name, components, anchor, relations)
    desc = substitute(definition.desc, params)
    return ResolvedTask(definition.task_id, name, tuple(params), anchor, desc, tuple(components.items()), relations)


def _component(
    definitions: Mapping[str, Definition], component: Component, params: Sequence[str]
) -> AtomicComponent | ResolvedComponent:
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
        tuple(Head(substitute(head.entity, params), substitute(head.determiner, params)) for head in relation.heads),
        substitute(relation.failure_desc, params),
    )


def _check_determiner(name: str, key: str, component: AtomicComponent | ResolvedComponent) -> None:
    determiner = component.determiner
    may_be_all = isinstance(component, AtomicComponent)
    if is_count(determiner) or (may_be_all and determiner == "all"):
        return
    valid = ("a", "a decimal number such as '2'", *(("all",) if may_be_all else ()))
    raise DefinitionError(f"task {name!r}", f"component {key!r} has no determiner", value=determiner, valid=valid)


def _check_entities(
    name: str,
    components: Mapping[str, AtomicComponent | ResolvedComponent],
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
                valid = ("a", "a decimal number such as '2'", "all")
                problem = f"the relation's head {head.entity!r} has no determiner"
                raise DefinitionError(where, problem, value=head.determiner, valid=valid)
