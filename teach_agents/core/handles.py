"""Handles: calls that reach what whoever holds them cannot."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, NoReturn, TypeVar

MadeT = TypeVar("MadeT")

_BEHIND: dict[int, Callable[[], Any]] = {}


class Handle(Generic[MadeT]):
    """A function without parameters, to be called by agents, that has neither attributes nor a closure.

    What the function refers to, such as the living world that a picture is drawn from, cannot be reached from it: it
    is kept here, for as long as the handle is. (This keeps honest code honest. In one process nothing is safe from
    code that looks for it; run what you do not trust in a process of its own.)
    """

    __slots__ = ()

    def __init__(self, behind: Callable[[], MadeT]) -> None:
        _BEHIND[id(self)] = behind

    def __call__(self) -> MadeT:
        """Call the function."""
        made: MadeT = _BEHIND[id(self)]()
        return made

    def __del__(self, forget: Callable[..., object] = _BEHIND.pop) -> None:
        forget(id(self), None)

    def __deepcopy__(self, memo: object) -> Handle[MadeT]:
        """Itself, as of a function."""
        return self

    def __reduce__(self) -> NoReturn:
        """Refused: what is behind it stays in its process."""
        raise TypeError("a handle cannot be sent to another process")
