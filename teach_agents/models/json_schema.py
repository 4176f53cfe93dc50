"""The part of JSON Schema (2020-12) that answers of models are described in, checked without further packages.

Types, `enum`, `const`, objects, arrays, bounds, `pattern`, `anyOf`, `oneOf`, `allOf`, `$ref` into `$defs`. Annotations
are passed over; anything else is refused when a schema comes in, so that nothing is asked for that is not checked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from teach_agents.core.json_types import JsonMapping
from teach_agents.errors import InputError

_ANNOTATIONS = frozenset({"$defs", "$schema", "default", "description", "examples", "format", "title", "discriminator"})
_DEEPEST = 64


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


_TYPES: Mapping[str, Callable[[Any], bool]] = {
    "array": lambda value: isinstance(value, list),
    "boolean": lambda value: isinstance(value, bool),
    "integer": lambda value: _is_number(value) and value == value // 1,
    "null": lambda value: value is None,
    "number": _is_number,
    "object": lambda value: isinstance(value, dict),
    "string": lambda value: isinstance(value, str),
}


def check_schema(schema: JsonMapping) -> None:
    """Raises `InputError` for a schema that is none, or holds a keyword that cannot be checked here."""
    if not isinstance(schema, Mapping):
        raise InputError("schema", "must be a JSON Schema: a mapping", value=schema)
    for part in _parts(schema, schema, 0):
        for key, value in part.items():
            if key not in _KEYWORDS and key not in _ANNOTATIONS:
                raise InputError("schema", "has a keyword that is not supported", value=key, valid=sorted(_KEYWORDS))
            if key == "type" and not set([value] if isinstance(value, str) else value) <= set(_TYPES):
                raise InputError("schema", "has an unknown type", value=value, valid=_TYPES)
        _resolved(part, schema)


def _parts(part: Any, root: JsonMapping, depth: int) -> Iterator[JsonMapping]:
    """A schema and every schema inside it, those that are `true` or `false` left out."""
    if depth > _DEEPEST:
        raise InputError("schema", f"is nested more than {_DEEPEST} deep")
    if isinstance(part, bool):
        return
    if not isinstance(part, Mapping):
        raise InputError("schema", "holds what is no schema", value=part)
    yield part
    inner = [*part.get("properties", {}).values(), *part.get("$defs", {}).values()]
    inner += [*part.get("anyOf", ()), *part.get("oneOf", ()), *part.get("allOf", ())]
    inner += [part[key] for key in ("items", "additionalProperties") if key in part]
    for one in inner:
        yield from _parts(one, root, depth + 1)


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
    return _Check(schema).wrong(value, schema, "the JSON", 0)


class _Check:
    def __init__(self, root: JsonMapping) -> None:
        self._root = root

    def wrong(self, value: Any, schema: Any, where: str, depth: int) -> str | None:
        """What is wrong first."""
        if isinstance(schema, bool):
            return None if schema else f"{where} must not be there"
        if depth > _DEEPEST:
            return f"{where} is nested too deep"
        for key, bound in schema.items():
            check = _KEYWORDS.get(key)
            problem = check(self, value, bound, where, depth, schema) if check else None
            if problem is not None:
                return problem
        return None

    def reference(self, value: Any, bound: Any, where: str, depth: int, schema: JsonMapping) -> str | None:
        return self.wrong(value, _resolved(schema, self._root), where, depth + 1)

    def properties(self, value: Any, bound: Any, where: str, depth: int, _: Any) -> str | None:
        if not isinstance(value, dict):
            return None
        found = (self.wrong(value[key], one, f"{key!r}", depth + 1) for key, one in bound.items() if key in value)
        return next((problem for problem in found if problem), None)

    def additional(self, value: Any, bound: Any, where: str, depth: int, schema: JsonMapping) -> str | None:
        if not isinstance(value, dict):
            return None
        extra = [key for key in value if key not in schema.get("properties", {})]
        found = (self.wrong(value[key], bound, f"{key!r}", depth + 1) for key in extra)
        return next((problem for problem in found if problem), None)

    def items(self, value: Any, bound: Any, where: str, depth: int, _: Any) -> str | None:
        if not isinstance(value, list):
            return None
        found = (self.wrong(one, bound, f"item {at} of {where}", depth + 1) for at, one in enumerate(value))
        return next((problem for problem in found if problem), None)

    def any_of(self, value: Any, bound: Any, where: str, depth: int, _: Any) -> str | None:
        found = [self.wrong(value, one, where, depth + 1) for one in bound]
        return None if None in found else f"{where} fits none of its kinds ({'; '.join(map(str, found[:3]))})"

    def one_of(self, value: Any, bound: Any, where: str, depth: int, _: Any) -> str | None:
        fits = sum(self.wrong(value, one, where, depth + 1) is None for one in bound)
        return None if fits == 1 else f"{where} fits {fits} of its kinds instead of one"

    def all_of(self, value: Any, bound: Any, where: str, depth: int, _: Any) -> str | None:
        found = (self.wrong(value, one, where, depth + 1) for one in bound)
        return next((problem for problem in found if problem), None)

    def type(self, value: Any, bound: Any, where: str, depth: int, _: Any) -> str | None:
        names = [bound] if isinstance(bound, str) else bound
        return None if any(_TYPES[name](value) for name in names) else f"{where} must be {' or '.join(names)}"

    def enum(self, value: Any, bound: Any, where: str, depth: int, _: Any) -> str | None:
        return None if any(_same(value, one) for one in bound) else f"{where} must be one of {list(bound)}"

    def const(self, value: Any, bound: Any, where: str, depth: int, _: Any) -> str | None:
        return None if _same(value, bound) else f"{where} must be {bound!r}"

    def required(self, value: Any, bound: Any, where: str, depth: int, _: Any) -> str | None:
        missing = [key for key in bound if isinstance(value, dict) and key not in value]
        return f"{where} lacks {missing[0]!r}" if missing else None

    def pattern(self, value: Any, bound: Any, where: str, depth: int, _: Any) -> str | None:
        return f"{where} must match {bound}" if isinstance(value, str) and not re.search(bound, value) else None


def _same(one: Any, other: Any) -> bool:
    """Equal as JSON: `true` is not 1, wherever it stands."""
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_same, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_same(one[key], other[key]) for key in one)
    return bool(one == other)


def _limit(kind: type, size: Callable[[Any], float], fits: Callable[[float, float], bool], words: str) -> Any:
    def check(_: _Check, value: Any, bound: Any, where: str, depth: int, schema: Any) -> str | None:
        measured = _is_number(value) if kind is float else isinstance(value, kind)
        return None if not measured or fits(size(value), bound) else f"{where} must {words.format(bound)}"

    return check


_KEYWORDS: Mapping[str, Callable[..., str | None]] = {
    "$ref": _Check.reference,
    "additionalProperties": _Check.additional,
    "allOf": _Check.all_of,
    "anyOf": _Check.any_of,
    "const": _Check.const,
    "enum": _Check.enum,
    "exclusiveMaximum": _limit(float, lambda one: one, lambda one, bound: one < bound, "be below {}"),
    "exclusiveMinimum": _limit(float, lambda one: one, lambda one, bound: one > bound, "be above {}"),
    "items": _Check.items,
    "maxItems": _limit(list, len, lambda one, bound: one <= bound, "have at most {} items"),
    "maxLength": _limit(str, len, lambda one, bound: one <= bound, "have at most {} characters"),
    "maximum": _limit(float, lambda one: one, lambda one, bound: one <= bound, "be at most {}"),
    "minItems": _limit(list, len, lambda one, bound: one >= bound, "have at least {} items"),
    "minLength": _limit(str, len, lambda one, bound: one >= bound, "have at least {} characters"),
    "minimum": _limit(float, lambda one: one, lambda one, bound: one >= bound, "be at least {}"),
    "oneOf": _Check.one_of,
    "pattern": _Check.pattern,
    "properties": _Check.properties,
    "required": _Check.required,
    "type": _Check.type,
}
