"""How the kernels are compiled and their machine code kept; and products of vectors that many of them take."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, cast

import numpy as np
from numba import njit
from numba.core.caching import FunctionCache

from teach_agents.simulator.embedded.kernels import layout as at

F32 = np.float32
ZERO, ONE, TWO = map(F32, range(3))
TINY = F32(1e-6)


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


@inlined
def dot(a, b):  # type: ignore[no-untyped-def]  # numba infers the types
    """The scalar product of two vectors."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@inlined
def vector(array, i, first):  # type: ignore[no-untyped-def]
    """The vector that starts in row `i` of an array at `first`."""
    return array[i, first], array[i, first + 1], array[i, first + 2]


@inlined
def along(row, first, x, y, z):  # type: ignore[no-untyped-def]
    """The scalar product of (x, y, z) with the vector that starts in an array at `first`."""
    return x * row[first] + y * row[first + 1] + z * row[first + 2]


@inlined
def in_axes(row, first, x, y, z):  # type: ignore[no-untyped-def]
    """The components of (x, y, z) along the three vectors that start in an array at `first`."""
    return along(row, first, x, y, z), along(row, first + 3, x, y, z), along(row, first + 6, x, y, z)


@inlined
def seen_from(camera, x, y, z):  # type: ignore[no-untyped-def]
    """How far a world point lies to the right of a camera, above and ahead."""
    return in_axes(camera, at.RIGHT, x - camera[0], y - camera[1], z - camera[2])


@inlined
def scaled(vector, factor):  # type: ignore[no-untyped-def]
    """The vector, `factor` times as long."""
    return vector[0] * factor, vector[1] * factor, vector[2] * factor


@inlined
def moved(point, far, direction):  # type: ignore[no-untyped-def]
    """The point `far` times a direction further on."""
    return point[0] + far * direction[0], point[1] + far * direction[1], point[2] + far * direction[2]


@inlined
def away(to, point):  # type: ignore[no-untyped-def]
    """The way from a point to another one."""
    return to[0] - point[0], to[1] - point[1], to[2] - point[2]
