"""Reading one JSON object key by key, with errors that name the file, the key and the offending value."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from teach_agents.core.json_types import JsonMapping, JsonObject
from teach_agents.errors import GameFileError
from teach_agents.observations import Vec3

ReadT = TypeVar("ReadT")


class Fields:
    """One JSON object while it is read.

    `where` names the file, `path` the object inside it (`tasks[0].episodes[0]`). Every getter takes a key and
    raises `GameFileError` when the key is missing or holds the wrong type; `rest()` is what no getter asked for, so
    that unknown keys survive a read and a write.
    """

    __slots__ = ("_path", "_source", "_taken", "where")

    def __init__(self, source: object, where: str, path: str = "") -> None:
        self.where = where
        self._path = path
        if not isinstance(source, Mapping):
            raise GameFileError(where, f"{path or 'the root'} must be an object", value=source)
        self._source: JsonMapping = source
        self._taken: set[str] = set()

    def at(self, key: str) -> str:
        """The full path of a key."""
        return f"{self._path}.{key}" if self._path else key

    def refuse(self, key: str, problem: str, value: object, valid: Sequence[str] = ()) -> GameFileError:
        """The error for a bad value of a key; for the caller to raise."""
        shown = value
        if isinstance(value, str | Mapping | list) and len(repr(value)) > 80:
            shown = f"{repr(value)[:77]}..."
        if value is None:
            problem, shown = f"{problem}, got null", None
        return GameFileError(self.where, f"{self.at(key)!r} {problem}", value=shown, valid=valid)

    def has(self, key: str) -> bool:
        """Whether the key is there."""
        return key in self._source

    def optional(self, key: str, read: Callable[[Fields, str], ReadT]) -> ReadT | None:
        """What `read` (a getter, `Fields.text` for example) makes of a key; `None` where the key is missing."""
        return read(self, key) if self.has(key) else None

    def value(self, key: str) -> Any:
        """The key's value, whatever it is."""
        self._taken.add(key)
        if key not in self._source:
            raise GameFileError(self.where, f"missing key {self.at(key)!r}")
        return self._source[key]

    def text(self, key: str) -> str:
        """A string."""
        value = self.value(key)
        if not isinstance(value, str):
            raise self.refuse(key, "must be text", value)
        return value

    def text_or_none(self, key: str) -> str | None:
        """A string, or `None` where the file says null."""
        value = self.value(key)
        if value is not None and not isinstance(value, str):
            raise self.refuse(key, "must be text or null", value)
        return value

    def integer(self, key: str) -> int:
        """A whole number (a boolean is none)."""
        value = self.value(key)
        if isinstance(value, bool) or not isinstance(value, int):
            raise self.refuse(key, "must be a whole number", value)
        return value

    def number(self, key: str) -> float:
        """A finite number, kept as the int or float that the file holds."""
        value = self.value(key)
        if not _is_number(value):
            raise self.refuse(key, "must be a finite number", value)
        return value  # type: ignore[no-any-return]  # _is_number has just looked

    def numbers(self, key: str) -> tuple[float, ...]:
        """A list of finite numbers."""
        values = self.items(key)
        plain = set(map(type, values)) <= _PLAIN_NUMBERS and _are_finite(values)
        if not plain and not all(map(_is_number, values)):
            raise self.refuse(key, "must hold finite numbers only", values)
        return tuple(values)

    def flag(self, key: str) -> bool:
        """0, 1, false or true."""
        value = self.value(key)
        if value not in (0, 1) or isinstance(value, float):
            raise self.refuse(key, "must be 0 or 1", value)
        return bool(value)

    def flag_or_none(self, key: str) -> bool | None:
        """0, 1 or null."""
        return None if self.value(key) is None else self.flag(key)

    def items(self, key: str) -> list[Any]:
        """A list."""
        value = self.value(key)
        if not isinstance(value, list):
            raise self.refuse(key, "must be a list", value)
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of strings; null counts as empty."""
        values = self.value(key)
        if values is None:
            return ()
        if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
            raise self.refuse(key, "must be a list of texts", values)
        return tuple(values)

    def mapping(self, key: str) -> JsonMapping:
        """An object, as it is."""
        value = self.value(key)
        if not isinstance(value, Mapping):
            raise self.refuse(key, "must be an object", value)
        return value

    def object(self, key: str) -> Fields:
        """An object, to be read key by key."""
        return Fields(self.value(key), self.where, self.at(key))

    def objects(self, key: str) -> list[Fields]:
        """A list of objects, each to be read key by key."""
        path = self.at(key)
        return [Fields(item, self.where, f"{path}[{index}]") for index, item in enumerate(self.items(key))]

    def vector(self, key: str) -> Vec3:
        """An object with numbers `x`, `y`, `z`."""
        inner = self.object(key)
        return Vec3(inner.number("x"), inner.number("y"), inner.number("z"))

    def rest(self) -> JsonObject:
        """The keys that nothing has asked for, in the file's order."""
        if self._source.keys() <= self._taken:
            return {}
        return {key: value for key, value in self._source.items() if key not in self._taken}


_PLAIN_NUMBERS = frozenset((int, float))


def _is_number(value: object) -> bool:
    """Whether a JSON value is a finite number (booleans are none)."""
    if type(value) is float:
        return math.isfinite(value)
    return isinstance(value, int | float) and not isinstance(value, bool) and _are_finite((value,))


def _are_finite(values: Iterable[float]) -> bool:
    """Whether numbers are finite; a whole number that no float can hold counts as none."""
    try:
        return all(map(math.isfinite, values))
    except OverflowError:
        return False
