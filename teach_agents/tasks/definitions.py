"""Task definitions as typed values, and the reading of one definition file.

The format is that of TEACh (specification 3.1): one JSON object per file. Whatever is wrong with a file is refused
here with the file, the key, the offending value and what would be valid; what needs other definitions (unknown
sub-tasks, cycles, numbers of parameters) is refused by the library when it loads.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from teach_agents.core.json_types import JsonObject
from teach_agents.errors import DefinitionError

Scalar = str | int | float | bool | None
"""What a condition can want a property to be."""

MACRO = re.compile(r"#(\d+)")
_WHOLE_MACRO = re.compile(r"#\d+")
_COUNTS = ("a", "a decimal number such as '2'", "#n")
_COUNTS_OR_ALL = (*_COUNTS, "all")


class AtomicComponent(NamedTuple):
    """Objects wanted in a state: `determiner` of them (`a`, `all`, a count), each meeting all `conditions`.

    `primary` is the condition that makes an object a candidate. A `shareable` component is needed once however many
    instances of its task are wanted. `failure_descs` holds, per property, what to say when it is not met.
    """

    determiner: str | int
    primary: str
    shareable: bool
    conditions: Mapping[str, Scalar]
    failure_descs: Mapping[str, str]


class TaskComponent(NamedTuple):
    """`determiner` instances of another task with these parameters."""

    determiner: str
    task_name: str
    task_params: tuple[str, ...]


Component = AtomicComponent | TaskComponent


class Head(NamedTuple):
    """One head of a relation: a component's key and how many of its objects must stand in the relation."""

    entity: str
    determiner: str


class Relation(NamedTuple):
    """All heads must be in `a` tail object, or together in `the` same one, judged by a list property of the head."""

    property: str
    tail: str
    tail_determiner: str
    heads: tuple[Head, ...]
    failure_desc: str


@dataclass(frozen=True, slots=True)
class Definition:
    """One task as written, `#n` standing for its parameters. `source` names the file it came from."""

    task_id: int
    name: str
    nparams: int
    anchor: str | None
    desc: str
    components: Mapping[str, Component]
    relations: tuple[Relation, ...] = ()
    param_notes: Mapping[str, str] = field(default_factory=dict)
    source: str = ""

    def subtasks(self) -> Iterator[tuple[str, TaskComponent]]:
        """The components that are tasks, with their keys."""
        for key, component in self.components.items():
            if isinstance(component, TaskComponent):
                yield key, component


Definitions = Mapping[str, Definition]
"""By name."""


def is_count(determiner: str | int) -> bool:
    """Whether a determiner is `a` or a decimal count."""
    return isinstance(determiner, int) or determiner == "a" or (determiner.isascii() and determiner.isdecimal())


def count_of(determiner: str | int) -> int:
    """The number a determiner stands for: 1 for `a`. The determiner must be one (`is_count`)."""
    return 1 if determiner == "a" else int(determiner)


def read_definition(path: Path) -> Definition:
    """Read one definition file. Raises `DefinitionError` when it cannot be read or is wrong."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=_without_duplicates)
    except OSError as error:
        raise DefinitionError(str(path), f"cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise DefinitionError(str(path), f"is not UTF-8 text ({error.reason} at byte {error.start})") from error
    except json.JSONDecodeError as error:
        raise DefinitionError(str(path), f"is not JSON ({error})") from error
    except _DuplicateKeyError as error:
        raise DefinitionError(str(path), "has the same key twice in one object", value=error.args[0]) from None
    return parse_definition(data, str(path))


class _DuplicateKeyError(Exception):
    """The same key twice in one JSON object: one of the two would be lost without a word."""


def _without_duplicates(pairs: list[tuple[str, object]]) -> dict[str, object]:
    made: dict[str, object] = {}
    for key, value in pairs:
        if key in made:
            raise _DuplicateKeyError(key)
        made[key] = value
    return made


class _Node:
    """One JSON object of a definition and the way to it, for messages."""

    def __init__(self, data: object, where: str) -> None:
        if not isinstance(data, dict):
            raise DefinitionError(where, "must be an object", value=data)
        self.data: JsonObject = data
        self.where = where

    def at(self, key: str) -> str:
        return f"{self.where}, key {key!r}" if ", key " not in self.where else f"{self.where}.{key}"

    def get(self, key: str, kind: type[Any], words: str) -> Any:
        if key not in self.data:
            raise DefinitionError(self.where, f"lacks the key {key!r} ({words})")
        value = self.data[key]
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise DefinitionError(self.at(key), f"must be {words}", value=value if value is not None else "null")
        return value

    def text(self, key: str) -> str:
        return str(self.get(key, str, "a text"))

    def texts(self, key: str) -> tuple[str, ...]:
        values = self.get(key, list, "a list of texts")
        for value in values:
            if not isinstance(value, str):
                raise DefinitionError(self.at(key), "must be a list of texts", value=value)
        return tuple(values)

    def child(self, key: str) -> _Node:
        return _Node(self.get(key, dict, "an object"), self.at(key))


def parse_definition(data: object, source: str) -> Definition:
    """A definition from its JSON. `source` is named in errors. Raises `DefinitionError`."""
    root = _Node(data, source)
    nparams = root.get("task_nparams", int, "a number")
    if nparams < 0:
        raise DefinitionError(root.at("task_nparams"), "must not be negative", value=nparams)
    name = root.text("task_name")
    if not name.strip():
        raise DefinitionError(root.at("task_name"), "must not be empty", value=name)
    listed = root.child("components")
    components = {key: _component(listed.child(key)) for key in listed.data}
    relations = root.get("relations", list, "a list")
    where = root.at("relations")
    definition = Definition(
        task_id=root.get("task_id", int, "a number"),
        name=name,
        nparams=nparams,
        anchor=_anchor(root, components),
        desc=root.text("desc"),
        components=components,
        relations=tuple(
            _relation(_Node(item, f"{where}[{index}]"), components) for index, item in enumerate(relations)
        ),
        param_notes=_notes(root),
        source=source,
    )
    _check_macros(root, nparams)
    return definition


def _notes(root: _Node) -> dict[str, str]:
    """What each parameter means; TEACh ignores it, we show it to people."""
    notes = root.data.get("comments_task_params")
    return {key: str(value) for key, value in notes.items()} if isinstance(notes, dict) else {}


def _anchor(root: _Node, components: Mapping[str, Component]) -> str | None:
    anchor = root.get("task_anchor_object", object, "a component's key, or null")
    return None if anchor is None else _known_entity(root.at("task_anchor_object"), anchor, components)


def _known_entity(where: str, entity: object, components: Iterable[str]) -> str:
    """An entity is a component's key; with macros it may only become one, which is checked on substitution."""
    if not isinstance(entity, str) or (entity not in components and "#" not in entity):
        raise DefinitionError(where, "is no component of this task", value=entity, valid=components)
    return entity


def _determiner(where: str, determiner: str, valid: tuple[str, ...]) -> str:
    if determiner in valid or is_count(determiner) or _WHOLE_MACRO.fullmatch(determiner):
        return determiner
    raise DefinitionError(where, "is no determiner that can stand here", value=determiner, valid=valid)


def _component(node: _Node) -> Component:
    is_task = "task_name" in node.data
    valid = _COUNTS if is_task else _COUNTS_OR_ALL
    determiner = _determiner(node.at("determiner"), node.text("determiner"), valid)
    if is_task:
        return TaskComponent(determiner, node.text("task_name"), node.texts("task_params"))
    primary = node.text("primary_condition")
    shareable = node.get("instance_shareable", bool, "true or false")
    conditions = _conditions(node.child("conditions"))
    if primary not in conditions:
        raise DefinitionError(
            node.at("primary_condition"), "is none of the conditions", value=primary, valid=conditions
        )
    return AtomicComponent(determiner, primary, shareable, conditions, _failure_descs(node, conditions))


def _conditions(node: _Node) -> dict[str, Scalar]:
    for key, value in node.data.items():
        if isinstance(value, (dict, list)):
            raise DefinitionError(node.at(key), "must be a text, a number, true, false or null", value=value)
    return node.data


def _failure_descs(node: _Node, conditions: Mapping[str, Scalar]) -> dict[str, str]:
    child = node.child("condition_failure_descs")
    for key in child.data:
        if key not in conditions:
            raise DefinitionError(child.where, "explains a property that is no condition", value=key, valid=conditions)
    return {key: child.text(key) for key in child.data}


def _relation(node: _Node, components: Mapping[str, Component]) -> Relation:
    lists = ("tail_entity_list", "tail_determiner_list", "head_entity_list", "head_determiner_list")
    tails, tail_determiners, heads, head_determiners = map(node.texts, lists)
    if len(tails) != 1:
        raise DefinitionError(node.at("tail_entity_list"), "must name exactly one component", value=list(tails))
    if tail_determiners not in (("a",), ("the",)):
        where = node.at("tail_determiner_list")
        raise DefinitionError(where, "must be one determiner", value=list(tail_determiners), valid=("a", "the"))
    if not heads or len(heads) != len(head_determiners):
        counts = f"{len(heads)} heads, {len(head_determiners)} determiners"
        raise DefinitionError(node.at("head_determiner_list"), "must have one determiner per head", value=counts)
    _known_entity(node.at("tail_entity_list"), tails[0], components)
    pairs = tuple(map(Head, heads, head_determiners))
    for head in pairs:
        _known_entity(node.at("head_entity_list"), head.entity, components)
        _determiner(node.at("head_determiner_list"), head.determiner, _COUNTS_OR_ALL)
    return Relation(node.text("property"), tails[0], tail_determiners[0], pairs, node.text("failure_desc"))


def _check_macros(root: _Node, nparams: int) -> None:
    """Every `#n` must have its parameter; a missing one would stay in the text and never match anything."""
    for key in ("desc", "task_anchor_object", "components", "relations"):
        for text in _all_texts(root.data[key]):
            for macro in MACRO.finditer(text):
                if int(macro.group(1)) >= nparams:
                    problem = f"uses {macro.group()} while task_nparams is {nparams}"
                    raise DefinitionError(root.at(key), problem, value=text, valid=[f"#{n}" for n in range(nparams)])


def _all_texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for item in chain.from_iterable(value.items()) if isinstance(value, dict) else value:
            yield from _all_texts(item)
