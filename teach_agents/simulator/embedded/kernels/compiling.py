"""How the kernels are compiled and their machine code kept."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, cast

from numba import njit
from numba.core.caching import FunctionCache


def _digest() -> str:
    """Of every module of this package."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


_SOURCES: Final = _digest()


class _KernelCache(FunctionCache):
    """Numba's cache of one function, whose entries count only for the sources that they were made of.

    Numba itself compares the function's own file, but machine code holds what the function calls, too. Nothing is
    deleted, so that processes of an older and a newer version can share a folder.
    """

    def _index_key(self, sig: object, codegen: object) -> tuple[object, ...]:
        key: tuple[object, ...] = super()._index_key(sig, codegen)  # type: ignore[no-untyped-call]  # numba is untyped
        return (*key, _SOURCES)


def entry(function: Callable[..., Any]) -> Callable[..., Any]:
    """A kernel that Python calls: compiled when it is first called; its machine code is kept for other processes."""
    return _kept(function, alone=True)


def long_entry(function: Callable[..., Any]) -> Callable[..., Any]:
    """An `entry` that takes milliseconds: other threads go on meanwhile, so what it writes must be nobody else's."""
    return _kept(function, alone=False)


def _kept(function: Callable[..., Any], *, alone: bool) -> Callable[..., Any]:
    compiled: Any = njit(error_model="numpy", nogil=not alone)(function)
    compiled._cache = _KernelCache(function)  # type: ignore[no-untyped-call]
    return cast("Callable[..., Any]", compiled)


def kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """A kernel that other kernels call, compiled with them."""
    return cast("Callable[..., Any]", njit(error_model="numpy")(function))


def inlined(function: Callable[..., Any]) -> Callable[..., Any]:
    """A kernel that is written out wherever another one calls it."""
    return cast("Callable[..., Any]", njit(error_model="numpy", forceinline=True)(function))
