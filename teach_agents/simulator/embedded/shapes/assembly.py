"""Everything that can be seen in one world, kept up to date object by object.

An `Assembly` compares object states by identity: an object whose state is the same value as before costs one
comparison, a changed one some microseconds, and only its own rows are rewritten. Meshes are made when a picture is
next drawn; ray casts need only the part rows. An `Arena` holds all parts and meshes, rewritten slot by slot.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, compress, repeat
from operator import is_not
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from teach_agents.arrays import Float32Array
from teach_agents.simulator.contract import ObjectState, SimulatorState
from teach_agents.simulator.embedded.facts import in_hand
from teach_agents.simulator.embedded.kernels import layout as at
from teach_agents.simulator.embedded.kernels.mesh import Mesh, expand, place
from teach_agents.simulator.embedded.kernels.pool import Pool
from teach_agents.simulator.embedded.shapes.look import Look, Setting, frame_of, look_of
from teach_agents.simulator.embedded.shapes.parts import Part
from teach_agents.simulator.embedded.shapes.structure import running_water
from teach_agents.simulator.embedded.shapes.surroundings import Surroundings
from teach_agents.simulator.embedded.shapes.table import Blueprint, Span, blueprint_of, pack

_NOTHING = pack(())
_WORLD = np.array([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1], np.float32)
_NO_OBJECT = -1


class Assembly:
    """The packed parts of one world. `sync` before use; `arena` lends the arrays to the kernels.

    `object_ids` are the ids that pixels index; `in_hand` are the held object and what lies in it.
    """

    def __init__(self, state: SimulatorState) -> None:
        self.arena = Arena()
        self.surroundings = Surroundings(state)
        self.object_ids: tuple[str, ...] = ()
        self._slots: dict[str, int] = {}
        self._present: list[ObjectState] = []
        self._placed: list[tuple[Blueprint, Float32Array]] = []
        self._version = -1
        self.in_hand: tuple[str, ...] = ()
        self.sync(state)

    def slot(self, name: str) -> int:
        """The slot of an object or structure. Raises `KeyError` if there is none of that name."""
        return self._slots[name]

    def is_empty(self, slot: int) -> bool:
        """Whether nothing is drawn for a slot."""
        return not len(self._placed[slot][0].rows)

    def identity(self, slot: int) -> str | None:
        """The object id that a slot's pixels carry, `None` for structure."""
        index = int(self.arena.pool.slots[slot, at.SLOT_ID])
        return self.object_ids[index] if index >= 0 else None

    def sync(self, state: SimulatorState) -> None:
        """Take over every change of `state` since the last call."""
        version = state.version
        if version == self._version:
            return
        before, self._present = self._present, list(state.objects.values())
        for obj in compress(self._present, map(is_not, self._present, chain(before, repeat(None)))):
            slot = self._slots.get(obj.object_id)
            if slot is None:
                slot = self._add(obj.object_id, len(self.object_ids))
                self.object_ids = (*self.object_ids, obj.object_id)
            self._update(slot, obj)
        self._version = version
        self._take_in_hand(state)

    def structure(self, name: str, parts: Iterable[Part], *, stands_for: str | None = None) -> None:
        """Add or replace something given in world coordinates; its pixels carry the id of `stands_for`, or none."""
        slot = self._slots.get(name)
        if slot is None:
            slot = self._add(name, self.object_ids.index(stands_for) if stands_for else _NO_OBJECT)
        self._put(slot, pack(tuple(parts)), _WORLD)

    def placement(self, name: str) -> tuple[Blueprint, Float32Array]:
        """What fills a slot, and its frame."""
        return self._placed[self._slots[name]]

    def move(self, name: str, frame: Float32Array) -> None:
        """Put a slot into another frame, until `restore` or the object's next change."""
        slot = self._slots[name]
        self.arena.put(slot, self._placed[slot][0], frame)

    def restore(self, name: str) -> None:
        """Put a moved slot back."""
        slot = self._slots[name]
        self.arena.put(slot, *self._placed[slot])

    def _take_in_hand(self, state: SimulatorState) -> None:
        """Mark what is held, and what lies in it, so that rays pass through it."""
        now = tuple(in_hand(state))
        if now == self.in_hand:
            return
        for name in self.in_hand:
            self.arena.show(self._slots[name], at.SHOWN)
        for name in now:
            self.arena.show(self._slots[name], at.IN_HAND)
        self.in_hand = now

    def _add(self, name: str, identity: int) -> int:
        slot = self.arena.add(identity)
        self._slots[name] = slot
        self._placed.append((_NOTHING, _WORLD))
        return slot

    def _update(self, slot: int, obj: ObjectState) -> None:
        if not obj.exists:
            self._put(slot, _NOTHING, _WORLD)
            return
        look, frame = seen_as(obj, self.surroundings.setting(obj))
        self._put(slot, blueprint_of(look), frame)
        if obj.object_type == "Faucet":
            self._run(obj)

    def _run(self, tap: ObjectState) -> None:
        """Let water stand in the sinks under a tap, or not; its pixels are nobody's (see `facts`)."""
        for sink in self.surroundings.sinks_under(tap.object_id):
            name = f"water in {sink.object_id}"
            if tap.is_toggled:
                slot = self._slots[name] if name in self._slots else self._add(name, _NO_OBJECT)
                look, frame = seen_as(sink, self.surroundings.setting(sink))
                self._put(slot, pack((running_water(look),)), frame)
            elif name in self._slots:
                self._put(self._slots[name], _NOTHING, _WORLD)

    def _put(self, slot: int, plan: Blueprint, frame: Float32Array) -> None:
        self._placed[slot] = (plan, frame)
        self.arena.put(slot, plan, frame)


def seen_as(obj: ObjectState, setting: Setting) -> tuple[Look, Float32Array]:
    """What an object looks like, and its frame as `kernels.mesh.place` reads it, at full scale."""
    (origin, (x, y, z)), size = frame_of(obj, setting.turns)
    return look_of(obj, size, setting), np.array([*origin, *x, *y, *z, 1.0], np.float32)


_KNOWN: WeakKeyDictionary[SimulatorState, Assembly] = WeakKeyDictionary()


def assembly_of(state: SimulatorState) -> Assembly:
    """The assembly of a world, up to date; one per world, dropped with it."""
    known = _KNOWN.get(state)
    if known is None:
        known = _KNOWN[state] = Assembly(state)
    else:
        known.sync(state)
    return known


def forget(state: SimulatorState) -> None:
    """Drop a world's assembly, which cannot take objects away; the next `assembly_of` makes another."""
    _KNOWN.pop(state, None)


_PARTS, _VERTICES, _FACES, _CORNERS, _SLOTS = 512, 6144, 4096, 16384, 96
_GROWTH = 1.5


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
        self._places: list[tuple[Span, Span]] = []
        self._end = _NOTHING.need
        self._stale: set[int] = set()

    def add(self, identity: int) -> int:
        """A new, empty, shown slot whose pixels carry `identity`."""
        slot = len(self._places)
        self._places.append((self._end, _NOTHING.need))
        pool = self.pool
        if slot >= len(pool.slots):
            self.pool = pool._replace(slots=_grown(pool.slots, slot + 1), spheres=_grown(pool.spheres, slot + 1))
        self.pool.slots[slot] = 0
        self.pool.slots[slot, at.SLOT_ID] = identity
        self.pool.slots[slot, at.SLOT_SHOWN] = at.SHOWN
        return slot

    def put(self, slot: int, plan: Blueprint, frame: Float32Array) -> None:
        """Fill a slot with `plan`, moved into the world by `frame` (float32, 13; see `kernels.mesh.place`)."""
        need = plan.need
        first, room = self._places[slot]
        if any(wanted > reserved for wanted, reserved in zip(need, room, strict=True)):
            first = self._end
            self._places[slot] = (first, need)
            self._end = Span(*(a + b for a, b in zip(first, need, strict=True)))
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
        grown = Mesh(*map(_grown, mesh, (end.vertices, end.faces, end.corners, end.faces)))
        self.pool = pool._replace(rows=_grown(pool.rows, end.parts), infos=_grown(pool.infos, end.parts), mesh=grown)
