"""Values in JSON: objects read key by key, with errors that name file, key and offending value; and written."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import MISSING, fields
from functools import cache
from types import NoneType
from typing import Any, ClassVar, NamedTuple, Self, TypeVar, Union, get_args, get_type_hints

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
            problem += ", got null"
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

    def _of(self, key: str, kind: type[ReadT], words: str) -> ReadT:
        value = self.value(key)
        if not isinstance(value, kind):
            raise self.refuse(key, f"must be {words}", value)
        return value

    def text(self, key: str) -> str:
        """A string."""
        return self._of(key, str, "text")

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
        return self._of(key, list, "a list")

    def sequence(self, key: str) -> tuple[Any, ...]:
        """A list, as a tuple."""
        return tuple(self.items(key))

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
        return self._of(key, Mapping, "an object")  # type: ignore[type-abstract]  # only looked for, not made

    def object(self, key: str) -> Fields:
        """An object, to be read key by key."""
        return Fields(self.value(key), self.where, self.at(key))

    def objects(self, key: str) -> list[Fields]:
        """A list of objects, each to be read key by key."""
        path = self.at(key)
        return [Fields(item, self.where, f"{path}[{index}]") for index, item in enumerate(self.items(key))]

    def vector(self, key: str) -> Vec3:
        """An object with numbers `x`, `y`, `z`."""
        return Vec3(*map(self.object(key).number, "xyz"))

    def rest(self) -> JsonObject:
        """The keys that nothing has asked for, in the file's order."""
        if self._source.keys() <= self._taken:
            return {}
        return {key: value for key, value in self._source.items() if key not in self._taken}


Reader = Callable[[Fields, str], Any]
_READERS: Mapping[Any, Reader] = {
    bool: Fields.flag,
    bool | None: Fields.flag_or_none,
    float: Fields.number,
    int: Fields.integer,
    str: Fields.text,
    str | None: Fields.text_or_none,
    JsonMapping: Fields.mapping,
    tuple[Any, ...]: Fields.sequence,
    tuple[float, ...]: Fields.numbers,
    tuple[str, ...]: Fields.texts,
}
"""What reads a field of a type. Those that have `from_fields`, and tuples of them, are read by that."""


class Key(NamedTuple):
    """How a value's field stands in a file, where that is not under its own name, or not as its type says.

    One without a name (`None`) does not. A `required` one must be there although the field has a default.
    """

    name: str | None = ""
    read: Reader | None = None
    write: Callable[[Any], Any] | None = None
    required: bool = False


def _reader(hint: Any) -> Reader:
    if hint in _READERS:
        return _READERS[hint]
    kind, *more = get_args(hint) or (hint,)
    if more:
        return lambda fields, key: tuple(map(kind.from_fields, fields.objects(key)))
    return lambda fields, key: kind.from_fields(fields.object(key))


@cache
def _codec(kind: type[FileValue]) -> Sequence[tuple[str, str, Reader, Any, Callable[[Any], Any]]]:
    """Of each field its name, its key, what reads it, its default and what writes it."""
    keys = {name: key for base in reversed(kind.__mro__) for name, key in vars(base).get("keys", {}).items()}
    hints, found = get_type_hints(kind), []
    for field in fields(kind):  # type: ignore[arg-type]  # all kinds are dataclasses
        key, hint = keys.get(field.name, Key()), hints[field.name]
        if field.default is None:
            hint = Union[tuple(one for one in get_args(hint) if one is not NoneType)]  # noqa: UP007  # of a tuple
        if key.name is not None and field.name != "extra":
            default = MISSING if key.required else field.default
            reader, writer = key.read or _reader(hint), key.write or plain
            found.append((field.name, key.name or field.name, reader, default, writer))
    return found


def plain(value: Any) -> Any:
    """A value as files hold it: tuples as lists, flags as 0 or 1, and what has a form of its own in that."""
    if isinstance(value, tuple):
        return [plain(one) for one in value]
    if isinstance(value, bool):
        return int(value)
    return value.to_json() if hasattr(value, "to_json") else value


class FileValue:
    """What a file holds as one object: its fields by their names and types, where `keys` does not say otherwise.

    The kinds are dataclasses whose field `extra` takes the keys that no field asks for. A field with a default may be
    missing in a file; one that is `None` by default is left out of what is written where it is.
    """

    __slots__ = ()
    keys: ClassVar[Mapping[str, Key]] = {}
    extra: JsonMapping

    @classmethod
    def read(cls, source: Fields, **known: Any) -> Self:
        """A value from a file and what is `known` besides."""
        found = {
            name: default if default is not MISSING and not source.has(key) else read(source, key)
            for name, key, read, default, _ in _codec(cls)  # type: ignore[arg-type]  # a class has a hash
        }
        return cls(**found, **{"extra": source.rest(), **known})

    @classmethod
    def from_fields(cls, fields: Fields) -> Self:
        """Read an object that lies inside a file. Raises `GameFileError`."""
        return cls.read(fields)

    def written(self) -> JsonObject:
        """The fields as a file holds them."""
        return {
            key: None if held is None else write(held)
            for name, key, _, default, write in _codec(type(self))  # type: ignore[arg-type]  # as above
            if (held := getattr(self, name)) is not None or default is not None
        }

    def to_json(self) -> JsonObject:
        """The object as in its file, its keys in TEACh's order; unknown keys last."""
        return {**self.written(), **self.extra}


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
