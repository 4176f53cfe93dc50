"""JSON values that cannot be changed: dictionaries and lists to read, to compare, to write as JSON and to copy."""

from __future__ import annotations

from typing import Any, NoReturn


class FrozenDict(dict[str, Any]):
    """A dictionary whose methods do not change it; a copy is a plain one."""

    __slots__ = ()

    def __reduce__(self) -> tuple[Any, ...]:
        return dict, (dict(self),)


class FrozenList(list[Any]):
    """A list whose methods do not change it; a copy is a plain one."""

    __slots__ = ()

    def __reduce__(self) -> tuple[Any, ...]:
        return list, (list(self),)


def _refused(self: object, *args: object, **options: object) -> NoReturn:
    raise TypeError("this belongs to the world that told it and cannot be changed; change a copy")


for _name in ("__setitem__", "__delitem__", "__ior__", "clear", "pop", "popitem", "setdefault", "update"):
    setattr(FrozenDict, _name, _refused)
for _name in (
    *("__setitem__", "__delitem__", "__iadd__", "__imul__", "append", "clear", "extend", "insert", "pop"),
    *("remove", "reverse", "sort"),
):
    setattr(FrozenList, _name, _refused)
