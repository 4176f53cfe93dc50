"""Object search: what the words mean, where a camera must stand to show it, what it shows (specification 5.5)."""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from teach_agents.core.json_types import JsonObject
from teach_agents.household.custom_properties import Records, ancestors
from teach_agents.household.frames import Frames
from teach_agents.household.geometry import cardinal_yaw, heading, nearest_corner, pitch_to, pixel_of
from teach_agents.household.map import RoomMap, answer
from teach_agents.observations import Vec3
from teach_agents.simulator.contract import Camera, Channel, ObjectState, Simulator

if TYPE_CHECKING:
    from teach_agents.arrays import BoolArray, ByteArray


_CELL = 10
"""Width of a hotspot on TEACh's grid of 900 pixels."""
_CELLS = 90
_WIDTH = _CELL / (_CELL * _CELLS)
_HEIGHT = 1.8
"""Height of the search camera, metres."""
_FALLBACKS = 5
_GREEN = (40, 220, 60)


class Shown(NamedTuple):
    """What the search camera shows: the object asked for, the one in the picture ("" for none), and the camera."""

    object_id: str
    shown_id: str
    camera: Camera


def similarity(object_type: str, words: str) -> int:
    """How alike a type and a query are, 0 to 100, upper and lower case counting as different."""
    return round(100 * difflib.SequenceMatcher(None, object_type, words).ratio()) if words else 0


def best_match(words: str, objects: Iterable[ObjectState], near: Vec3) -> ObjectState | None:
    """The object whose type is most like `words`, the nearest to `near` among equals; `None` when none is at all."""
    alike = cache(lambda object_type: similarity(object_type, words))
    found = max(objects, key=lambda obj: (alike(obj.object_type), -math.dist(near, obj.position)), default=None)
    return None if found is None or not alike(found.object_type) else found


def reachable(simulator: Simulator) -> list[tuple[float, float]]:
    """Grid positions (x, z) that the simulator reports reachable; raises `SimulatorError` when it gives none."""
    places = answer(simulator, "GetReachablePositions", Iterable, "reachable positions")
    return [(place.x, place.z) if isinstance(place, Vec3) else _level(place) for place in places]


def _level(place: Any) -> tuple[float, float]:
    x, z = map(place.__getitem__, "xz") if isinstance(place, Mapping) else place
    return float(x), float(z)


@dataclass
class ObjectSearch:
    """The Commander's search for objects, and the camera that shows what was found."""

    _simulator: Simulator
    _frames: Frames
    _size: int
    _map: RoomMap
    _stands: list[tuple[float, float]] | None = None
    shown: Shown | None = None

    def by_words(self, words: str, records: Records) -> JsonObject:
        """TEACh's reply to SearchObject. What is in the hand, or has no body any more, is not looked for."""
        state = self._simulator.state
        there = (obj for obj in state.objects.values() if obj.exists and not obj.is_picked_up)
        found = best_match(words, there, state.agent.position)
        return self._show(found, records)

    def by_id(self, object_id: str, records: Records) -> JsonObject:
        """TEACh's reply to SelectOid."""
        return self._show(self._simulator.state.objects.get(object_id), records)

    def _show(self, obj: ObjectState | None, records: Records) -> JsonObject:
        if obj is None:
            return {"success": False}
        for candidate in self._candidates(obj, records):
            camera = self.camera_for(candidate)
            spots = self._hotspots(camera, candidate.object_id)
            if spots:
                self.shown = Shown(obj.object_id, candidate.object_id, camera)
                break
        else:
            self.shown = Shown(obj.object_id, "", self.camera_for(obj))
        return self._reply(obj, self.shown, spots)

    def _candidates(self, obj: ObjectState, records: Records) -> Iterator[ObjectState]:
        """The object, then its receptacles except the floor, then the five receptacles nearest to it."""
        objects = self._simulator.state.objects
        yield obj
        for holder in (objects.get(parent) for parent in ancestors(obj.object_id, objects, records)):
            if holder is not None and holder.object_type != "Floor":
                yield holder
        others = (other for other in objects.values() if other.kind.receptacle and other is not obj)
        yield from sorted(others, key=lambda other: math.dist(other.position, obj.position))[:_FALLBACKS]

    def camera_for(self, obj: ObjectState) -> Camera:
        """The search camera's pose for one object: on the nearest grid point, facing it along an axis."""
        target = obj.position
        if self._stands is None:
            self._stands = reachable(self._simulator)
        stands = self._stands or [(target.x, target.z)]
        x, z = min(stands, key=lambda stand: abs(stand[0] - target.x) + abs(stand[1] - target.z))
        eye = Vec3(x, _HEIGHT, z)
        face = target if obj.kind.pickupable else nearest_corner(obj.box, eye)
        return Camera(eye, yaw=cardinal_yaw(eye, target), pitch=pitch_to(eye, face))

    def _hotspots(self, camera: Camera, object_id: str) -> list[list[float]]:
        import numpy as np

        frame = self._frames.draw(camera, frozenset({Channel.IDS}), self._size)
        assert frame.ids is not None
        centres = [pixel_of(cell * _CELL + _CELL // 2, self._size) for cell in range(_CELLS)]
        sampled = frame.ids[np.ix_(centres, centres)]
        found = np.argwhere(sampled == _index(frame.object_ids, object_id))
        return [[int(column) * _WIDTH, int(row) * _WIDTH] for row, column in found]

    def _reply(self, obj: ObjectState, shown: Shown, spots: list[list[float]]) -> JsonObject:
        camera = shown.camera
        dx, dz = heading(camera.yaw)
        return {
            "success": True,
            "oid": shown.object_id,
            "shown_oid": shown.shown_id,
            "view_pos_norm": list(self._map.place(camera.position.x, camera.position.z)),
            "view_rot_norm": [dx, -dz],
            "pos_norm": list(self._map.place(obj.position.x, obj.position.z)),
            "view_hotspot_width": _WIDTH,
            "view_hotspots": spots,
        }

    def picture(self, shown: Shown, size: int, *, lit: bool = False) -> ByteArray:
        """What the search camera sees now, with a green line around the object shown; `lit`, it is green all over.

        The two in turns make it blink, so that its own colours show in between (paper, figure 2).
        """
        frame = self._frames.draw(shown.camera, frozenset({Channel.RGB, Channel.IDS}), size)
        assert frame.rgb is not None and frame.ids is not None
        mask = frame.ids == _index(frame.object_ids, shown.shown_id)
        return outlined(filled(frame.rgb, mask) if lit else frame.rgb, mask)


def _index(object_ids: Iterable[str], object_id: str) -> int:
    return next((number for number, known in enumerate(object_ids) if known == object_id), -2)


def filled(rgb: ByteArray, mask: BoolArray) -> ByteArray:
    """A copy of a picture in which the mask is green; light and shade on the object are still seen."""
    import numpy as np

    picture = rgb.copy()
    grey = rgb[mask].mean(axis=1, keepdims=True) / 255
    picture[mask] = (np.array(_GREEN) * (0.45 + 0.55 * grey)).astype(np.uint8)
    return picture


def outlined(rgb: ByteArray, mask: BoolArray) -> ByteArray:
    """A copy of a picture with a green line, two pixels wide, just outside the mask; the object keeps its colours."""
    picture = rgb.copy()
    picture[rim(mask)] = _GREEN
    return picture


def rim(mask: BoolArray) -> BoolArray:
    """The pixels just outside a mask, two wide, so that the object itself stays in sight."""
    import numpy as np

    grown = mask
    for _ in range(2):
        wide = np.pad(grown, 1)
        grown = wide[1:-1, 1:-1] | wide[:-2, 1:-1] | wide[2:, 1:-1] | wide[1:-1, :-2] | wide[1:-1, 2:]
    return grown & ~mask
