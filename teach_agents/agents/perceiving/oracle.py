"""Perfect recognition of what is in view, true depth and ground, and a memory of the rest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from teach_agents.agents.acting.knowledge import Remembered
from teach_agents.agents.acting.looking import pixel_counts
from teach_agents.agents.perceiving.contract import Perception
from teach_agents.agents.perceiving.coverage import Seen, absent, points_of
from teach_agents.agents.perceiving.ground import Ground
from teach_agents.agents.perceiving.known import Known, Row, names_in
from teach_agents.arrays import Int32Array
from teach_agents.errors import SpecError
from teach_agents.observations import ObjectRows, Observation, Privilege, Segmentation, Vec3

GROUNDS = ("true", "seen")
"""How it is known where one can stand."""
_FEWEST = 4
"""Pixels of a thing below which it is not recognised."""
_MOVING = "Open", "Close"
"""Actions that take along what is in a drawer or behind a door."""


class RoomMap:
    """What one agent knows of a room: the objects, and what was looked at. `Knowledge`, as skills ask for it.

    `ground` is where one can stand, where that is found out step by step. `doubt` is by how much places may be wrong,
    metres for each metre of distance. `hunches` are rows of what may be there, `covered` tells by id what is seen in
    its place.
    """

    def __init__(self, doubt: float = 0.0) -> None:
        self.doubt = doubt
        self.known = Known()
        self.coverage = Seen()
        self.ground: object = None
        self.hunches: Sequence[Row] = ()
        self.covered: Mapping[str, frozenset[str]] = {}

    @property
    def in_view(self) -> frozenset[str]:
        """The ids of what is seen now."""
        return self.known.in_view


class OraclePerception(Perception):
    """Knows of an object all that is true of it while any of it is in view, and remembers it as it was last seen.

    Who sees a thing sees what it lies in or on, however little of that shows. What is in the hand is in view, and what
    one's own action acted upon is known to have been acted upon. What is in a shut thing or behind something is unknown
    until it is seen. Where one can stand is known from the beginning, or with
    `ground="seen"` as far as floor was seen (`Ground`).
    """

    name = "oracle"

    def __init__(self, ground: str = "true") -> None:
        if ground not in GROUNDS:
            raise SpecError("perception 'oracle', option 'ground'", "there is no such", value=ground, valid=GROUNDS)
        self._sees_ground = ground == "seen"
        told = () if self._sees_ground else (Privilege.REACHABLE,)
        self.privileges = frozenset({Privilege.SEGMENTATION, Privilege.DEPTH, Privilege.OBJECTS, *told})
        self.begin(0)

    @property
    def provenance(self) -> Mapping[str, str]:
        """The tier, and how the ground is known where it is not told."""
        return {**super().provenance, "ground": "seen"} if self._sees_ground else super().provenance

    def begin(self, seed: int) -> None:
        """A session begins; forget the last one."""
        self.map = RoomMap()
        self._ground = Ground()

    def perceive(self, observation: Observation) -> Observation:
        """The observation with what is in view and what is remembered in place of the truth."""
        true, pose, room = observation.privileged, observation.pose, self.map
        rows: Mapping[str, Row] = {str(row["objectId"]): row for row in true.lasting_objects}
        segmentation = recognised(true.segmentation)
        depth = true.depth
        felt = self._felt(observation, rows)
        shown = _with_wholes(_with_holders(segmentation.object_ids, rows), rows)
        room.known.forget([name for name in felt if name not in rows])
        room.known.note([rows[name] for name in dict.fromkeys([*shown, *felt]) if name in rows])
        room.known.forget(absent(_doubtful(room.known), depth, pose))
        points = points_of(depth, pose)
        room.coverage.look(points, pose)
        if self._sees_ground:
            self._ground.look(points, pose, observation.last_action, observation.last_result)
            room.ground = self._ground.reachable
        known = room.known.rows

        def visible() -> frozenset[str]:
            return frozenset(name for name in true.visible if name in room.known)

        objects = ObjectRows(known, lambda: _from_here(known, visible(), pose.position), visible)
        return replace(
            observation,
            privileged=Remembered(
                {
                    Privilege.SEGMENTATION: lambda: segmentation,
                    Privilege.DEPTH: lambda: depth,
                    Privilege.OBJECTS: lambda: objects,
                    Privilege.REACHABLE: lambda: room.ground if self._sees_ground else true.reachable,
                },
                room,
            ),
        )

    def _felt(self, observation: Observation, rows: Mapping[str, Row]) -> list[str]:
        """What is known without looking: what is and was in the hand, what was acted upon, and what moved with it."""
        known = self.map.known
        action, result = observation.last_action, observation.last_result
        felt = [name for name, row in rows.items() if row.get("isPickedUp")]
        felt += [str(row["objectId"]) for row in known.rows if row.get("isPickedUp")]
        carried = felt
        if action and result and result.success and result.object_id:
            felt = [*felt, result.object_id]
            carried = felt if action.name in _MOVING else carried
        return list(dict.fromkeys([*felt, *_contents(carried, known.rows)]))


def recognised(segmentation: Segmentation) -> Segmentation:
    """A view with only what takes up enough pixels to be recognised; `object_ids` are those alone."""
    counts = pixel_counts(segmentation)
    numbers = np.flatnonzero(counts >= _FEWEST)
    places: Int32Array = np.full(len(counts) + 1, -1, np.int32)
    places[numbers + 1] = np.arange(len(numbers), dtype=np.int32)
    names = tuple(segmentation.object_ids[number] for number in numbers.tolist())
    return Segmentation(places[segmentation.ids + 1], names)


def _with_wholes(ids: Sequence[str], rows: Mapping[str, Row]) -> list[str]:
    """Ids of what is seen, and of what these are parts of: a basin's sink, a slice's fruit. A part's id extends it."""
    wholes = (name.rpartition("|")[0] for name in ids if name.count("|") > _BARS)
    return [*ids, *(name for name in wholes if name in rows)]


def _with_holders(ids: Sequence[str], rows: Mapping[str, Row]) -> list[str]:
    """Ids of what is seen, and of what holds it: the basin of a plate. A shut thing holds nothing that is seen."""
    holders = (name for one in ids if one in rows for name in names_in(rows[one].get("parentReceptacles")))
    return [*ids, *(name for name in holders if name in rows and not _is_shut(rows[name]))]


_BARS = 3
"""Bars in the id of a whole: `Type|x|y|z`."""


def _contents(holders: Iterable[str], rows: Sequence[Row]) -> list[str]:
    """Ids of what is in or on any of these, at any depth, as `rows` say."""
    inside: list[str] = []
    waiting = list(holders)
    by_id = {str(row["objectId"]): row for row in rows} if waiting else {}
    while waiting:
        row = by_id.get(waiting.pop())
        held = names_in(row.get("receptacleObjectIds")) if row else ()
        new = [name for name in held if name not in inside]
        inside += new
        waiting += new
    return inside


def _doubtful(known: Known) -> list[Row]:
    """What may be gone from where it was last seen: loose things out of view that lie open."""
    shut = {str(row["objectId"]) for row in known.rows if _is_shut(row)}
    return [
        row
        for row in known.rows
        if row.get("pickupable")
        and row["objectId"] not in known.in_view
        and not ((row.get("sliceable") and row.get("isSliced")) or row.get("isBroken"))  # known to be no more
        and shut.isdisjoint(names_in(row.get("parentReceptacles")))
    ]


def _is_shut(row: Row) -> bool:
    return bool(row.get("openable") and not row.get("isOpen"))


def _from_here(rows: Sequence[Row], visible: frozenset[str], body: Vec3) -> list[dict[str, object]]:
    """Rows with what follows the body: whether each is visible, and how far away."""
    made = []
    for row in rows:
        seen, place = row["objectId"] in visible, row.get("position")
        x, y, z = (float(place[axis]) for axis in "xyz") if isinstance(place, Mapping) else body
        away = ((x - body.x) ** 2 + (y - body.y) ** 2 + (z - body.z) ** 2) ** 0.5
        made.append({**row, "visible": seen, "isInteractable": seen, "obstructed": not seen, "distance": away})
    return made
