"""The arrays that hold all parts and meshes of one world, rewritten slot by slot."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from teach_agents.arrays import Float32Array
from teach_agents.simulator.embedded.kernels import layout as at
from teach_agents.simulator.embedded.kernels.mesh import Mesh, expand, place
from teach_agents.simulator.embedded.kernels.pool import Pool
from teach_agents.simulator.embedded.shapes.blueprint import Blueprint

_PARTS, _VERTICES, _FACES, _CORNERS, _SLOTS = 512, 6144, 4096, 16384, 96
_GROWTH = 1.5


class _Span(NamedTuple):
    """First index of, or room for, each kind of datum."""

    parts: int
    vertices: int
    faces: int
    corners: int


def _need(plan: Blueprint) -> _Span:
    return _Span(len(plan.rows), plan.vertices, plan.faces, plan.corners)


def _grown(array: NDArray[Any], needed: int) -> NDArray[Any]:
    """The same array with room for at least `needed` rows."""
    if needed <= len(array):
        return array
    bigger = np.zeros((max(needed, int(len(array) * _GROWTH)), *array.shape[1:]), array.dtype)
    bigger[: len(array)] = array
    return bigger


class Arena:
    """Slots of parts. A slot that outgrows its place moves to the end; places only ever grow, so this ends soon."""

    def __init__(self) -> None:
        mesh = Mesh(
            np.zeros((_VERTICES, 3), np.float32),
            np.zeros((_FACES, at.FACE_WIDTH), np.int32),
            np.zeros(_CORNERS, np.int32),
            np.zeros((_FACES, at.PLANE_WIDTH), np.float32),
        )
        self.pool = Pool(
            np.zeros((_PARTS, at.ROW_WIDTH), np.float32),
            np.zeros((_PARTS, at.INFO_WIDTH), np.int32),
            mesh,
            np.zeros((_SLOTS, at.SLOT_WIDTH), np.int32),
            np.zeros((_SLOTS, 4), np.float32),
        )
        self._places: list[tuple[_Span, _Span]] = []
        self._end = _Span(0, 0, 0, 0)
        self._stale: set[int] = set()

    def add(self, identity: int) -> int:
        """A new, empty, shown slot whose pixels carry `identity`."""
        slot = len(self._places)
        zero = _Span(0, 0, 0, 0)
        self._places.append((self._end, zero))
        pool = self.pool
        if slot >= len(pool.slots):
            self.pool = pool._replace(slots=_grown(pool.slots, slot + 1), spheres=_grown(pool.spheres, slot + 1))
        self.pool.slots[slot] = 0
        self.pool.slots[slot, at.SLOT_ID] = identity
        self.pool.slots[slot, at.SLOT_SHOWN] = at.SHOWN
        return slot

    def put(self, slot: int, plan: Blueprint, frame: Float32Array) -> None:
        """Fill a slot with `plan`, moved into the world by `frame` (float32, 13; see `kernels.mesh.place`)."""
        need = _need(plan)
        first, room = self._places[slot]
        if any(wanted > reserved for wanted, reserved in zip(need, room, strict=True)):
            first = self._end
            self._places[slot] = (first, need)
            self._end = _Span(*(a + b for a, b in zip(first, need, strict=True)))
            self._reserve()
        pool = self.pool
        pool.slots[slot, :6] = (first.vertices, need.vertices, first.faces, need.faces, first.parts, need.parts)
        if not need.parts:
            return
        rows = pool.rows[first.parts : first.parts + need.parts]
        infos = pool.infos[first.parts : first.parts + need.parts]
        place(plan.rows, frame, rows, plan.sphere, pool.spheres[slot])
        infos[:] = plan.infos
        infos[:, at.SLOT] = slot
        self._stale.add(slot)

    def show(self, slot: int, how: int) -> None:
        """Make a slot `layout.HIDDEN`, `SHOWN`, or `IN_HAND`."""
        self.pool.slots[slot, at.SLOT_SHOWN] = how

    def meshed(self) -> Pool:
        """The pool with the meshes of all slots up to date."""
        pool = self.pool
        for slot in self._stale:
            first = self._places[slot][0]
            count = int(pool.slots[slot, at.SLOT_PARTS])
            rows = pool.rows[first.parts : first.parts + count]
            infos = pool.infos[first.parts : first.parts + count]
            cursor = np.array([first.vertices, first.faces, first.corners, first.parts, 0])
            expand(rows, infos, pool.mesh, cursor)
        self._stale.clear()
        return pool

    def _reserve(self) -> None:
        pool, mesh, end = self.pool, self.pool.mesh, self._end
        if (
            end.parts <= len(pool.rows)
            and end.vertices <= len(mesh.vertices)
            and end.faces <= len(mesh.faces)
            and end.corners <= len(mesh.corners)
        ):
            return
        grown = Mesh(
            _grown(mesh.vertices, end.vertices),
            _grown(mesh.faces, end.faces),
            _grown(mesh.corners, end.corners),
            _grown(mesh.planes, end.faces),
        )
        self.pool = pool._replace(rows=_grown(pool.rows, end.parts), infos=_grown(pool.infos, end.parts), mesh=grown)
