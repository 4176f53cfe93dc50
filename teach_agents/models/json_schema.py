"""The part of JSON Schema (2020-12) that answers of models are described in, checked without further packages.

Types, `enum`, `const`, objects, arrays, bounds, `pattern`, `anyOf`, `oneOf`, `allOf`, `$ref` into `$defs`. Annotations
are passed over; anything else is refused when a schema comes in, so that nothing is asked for that is not checked.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator, Mapping
from types import NoneType, UnionType
from typing import Any

from teach_agents.core.json_types import JsonMapping
from teach_agents.errors import InputError

_ANNOTATIONS = frozenset({"$defs", "$schema", "default", "description", "examples", "format", "title", "discriminator"})
_DEEPEST = 64


_TYPES: Mapping[str, UnionType | type] = {
    "array": list,
    "boolean": bool,
    "integer": int | float,
    "null": NoneType,
    "number": int | float,
    "object": dict,
    "string": str,
}


def _is_a(value: Any, name: str) -> bool:
    """Whether a value is of a type of JSON Schema: `true` is no number, and 2.0 an integer."""
    if isinstance(value, bool):
        return name == "boolean"
    if name == "integer":
        return isinstance(value, int | float) and value == value // 1
    return isinstance(value, _TYPES[name])


def check_schema(schema: JsonMapping) -> None:
    """Raises `InputError` for a schema that is none, or holds a keyword that cannot be checked here."""
    if not isinstance(schema, Mapping):
        raise InputError("schema", "must be a JSON Schema: a mapping", value=schema)
    for part in _schemas(schema, 0):
        for key, value in part.items():
            if key not in _KEYWORDS and key not in _ANNOTATIONS:
                raise InputError("schema", "has a keyword that is not supported", value=key, valid=sorted(_KEYWORDS))
            if key == "type" and not set([value] if isinstance(value, str) else value) <= set(_TYPES):
                raise InputError("schema", "has an unknown type", value=value, valid=_TYPES)
        _resolved(part, schema)


def _schemas(part: Any, depth: int) -> Iterator[JsonMapping]:
    """A schema and every schema inside it, those that are `true` or `false` left out."""
    if depth > _DEEPEST:
        raise InputError("schema", f"is nested more than {_DEEPEST} deep")
    if isinstance(part, bool):
        return
    if not isinstance(part, Mapping):
        raise InputError("schema", "holds what is no schema", value=part)
    yield part
    inner = [one for key in ("properties", "$defs") for one in part.get(key, {}).values()]
    inner += [one for key in ("anyOf", "oneOf", "allOf") for one in part.get(key, ())]
    inner += [part[key] for key in ("items", "additionalProperties") if key in part]
    for one in inner:
        yield from _schemas(one, depth + 1)


def _resolved(schema: JsonMapping, root: JsonMapping) -> Any:
    """What `$ref` points at. Raises `InputError` where that is nothing."""
    reference = schema.get("$ref", "#")
    name = reference.removeprefix("#/$defs/")
    if reference == "#":
        return root
    if name == reference or name not in root.get("$defs", {}):
        valid = [f"#/$defs/{one}" for one in root.get("$defs", {})]
        raise InputError("schema", "$ref points at nothing", value=reference, valid=valid)
    return root["$defs"][name]


def misfit(value: Any, schema: JsonMapping) -> str | None:
    """What is wrong with a JSON value by a checked schema, in words; `None` where it fits."""
    return _wrong(value, schema, schema, "the JSON", 0)


def _wrong(value: Any, schema: Any, root: JsonMapping, where: str, depth: int) -> str | None:
    """What is wrong first."""
    if isinstance(schema, bool):
        return None if schema else f"{where} must not be there"
    if depth > _DEEPEST:
        return f"{where} is nested too deep"
    for key, bound in schema.items():
        if key in _PARTS:
            found = _parts(key, value, bound, where, schema, root)
            problem = next(filter(None, (_wrong(one, its, root, place, depth + 1) for one, its, place in found)), None)
            if problem:
                return problem
        elif key in _KINDS:
            problem = _of_kinds(key, [_wrong(value, one, root, where, depth + 1) for one in bound])
        else:
            problem = _limit(value, bound, *_LIMITS[key]) if key in _LIMITS else _by_itself(key, value, bound)
        if problem:
            return f"{where} {problem}"
    return None


def _parts(
    key: str, value: Any, bound: Any, where: str, schema: JsonMapping, root: JsonMapping
) -> list[tuple[Any, Any, str]]:
    """What has a schema of its own by a keyword: values, their schemas, and where they stand."""
    match key, value:
        case "$ref", _:
            return [(value, _resolved(schema, root), where)]
        case "allOf", _:
            return [(value, one, where) for one in bound]
        case "items", list():
            return [(one, bound, f"item {at} of {where}") for at, one in enumerate(value)]
        case "properties", dict():
            return [(value[name], one, repr(name)) for name, one in bound.items() if name in value]
        case "additionalProperties", dict():
            return [(one, bound, repr(name)) for name, one in value.items() if name not in schema.get("properties", {})]
    return []


def _of_kinds(key: str, problems: list[str | None]) -> str | None:
    """What is wrong with a value that these problems keep from being of some kinds."""
    fits = problems.count(None)
    if key == "anyOf":
        return None if fits else f"fits none of its kinds ({'; '.join(map(str, problems[:3]))})"
    return None if fits == 1 else f"fits {fits} of its kinds instead of one"


def _by_itself(key: str, value: Any, bound: Any) -> str | None:
    """What is wrong by a keyword that needs no other; annotations are passed over."""
    match key:
        case "type":
            names = [bound] if isinstance(bound, str) else bound
            if not any(_is_a(value, name) for name in names):
                return f"must be {' or '.join(names)}"
        case "enum" if not any(_same(value, one) for one in bound):
            return f"must be one of {list(bound)}"
        case "const" if not _same(value, bound):
            return f"must be {bound!r}"
        case "required" if isinstance(value, dict):
            return next((f"lacks {name!r}" for name in bound if name not in value), None)
        case "pattern" if isinstance(value, str) and not re.search(bound, value):
            return f"must match {bound}"
    return None


def _limit(value: Any, bound: Any, kind: str, fits: Callable[[Any, Any], bool], words: str) -> str | None:
    """What is wrong with a number itself, or with how long something else is."""
    if not _is_a(value, kind) or fits(value if kind == "number" else len(value), bound):
        return None
    return f"must {words.format(bound)}"


def _same(one: Any, other: Any) -> bool:
    """Equal as JSON: `true` is not 1, wherever it stands."""
    match one, other:
        case (bool(), _) | (_, bool()):
            return one is other
        case list(), list():
            return len(one) == len(other) and all(map(_same, one, other))
        case dict(), dict():
            return one.keys() == other.keys() and all(_same(one[key], other[key]) for key in one)
    return bool(one == other)


_PARTS = frozenset({"$ref", "additionalProperties", "allOf", "items", "properties"})
_KINDS = frozenset({"anyOf", "oneOf"})
_LIMITS: Mapping[str, tuple[str, Callable[[Any, Any], bool], str]] = {
    "exclusiveMaximum": ("number", operator.lt, "be below {}"),
    "exclusiveMinimum": ("number", operator.gt, "be above {}"),
    "maxItems": ("array", operator.le, "have at most {} items"),
    "maxLength": ("string", operator.le, "have at most {} characters"),
    "maximum": ("number", operator.le, "be at most {}"),
    "minItems": ("array", operator.ge, "have at least {} items"),
    "minLength": ("string", operator.ge, "have at least {} characters"),
    "minimum": ("number", operator.ge, "be at least {}"),
}
_KEYWORDS = frozenset({*_PARTS, *_KINDS, *_LIMITS, "const", "enum", "pattern", "required", "type"})
