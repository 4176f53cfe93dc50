"""Handles: calls that reach what whoever holds them cannot."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar
from weakref import WeakKeyDictionary

__all__ = ["Handle"]

MadeT = TypeVar("MadeT")

_BEHIND: WeakKeyDictionary[Handle[Any], Callable[[], Any]] = WeakKeyDictionary()


class Handle(Generic[MadeT]):
    """A function without parameters, to be called by agents, that has neither attributes nor a closure.

    What the function refers to, such as the living world that a picture is drawn from, cannot be reached from it: it
    is kept here, for as long as the handle is. (This keeps honest code honest. In one process nothing is safe from
    code that looks for it; run what you do not trust in a process of its own.)
    """

    __slots__ = ("__weakref__",)

    def __init__(self, behind: Callable[[], MadeT]) -> None:
        _BEHIND[self] = behind

    def __call__(self) -> MadeT:
        """Call the function."""
        made: MadeT = _BEHIND[self]()
        return made
