"""Things over time: which sightings are of the same thing, and what is believed of it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from teach_agents.agents.perceiving.detector_kinds import KINDS, can
from teach_agents.agents.perceiving.detector_sights import Sighting
from teach_agents.agents.perceiving.known import Row
from teach_agents.arrays import FloatArray
from teach_agents.tasks.classes import object_classes

_NEAR_LOOSE, _NEAR_FIXED = 0.25, 0.15
"""How far apart the middles of two sightings of one thing may be, metres: of what can be carried, of what can not."""
_NEAR_PUT = 0.8
"""The same of what was put down by a click and not seen since: it may have come to stand or roll elsewhere, metres."""
_MARGIN, _SWING = 0.05, 0.35
"""How far outside of a fixed thing's box the middle of what is seen of it may lie, metres; of what stands open."""
_MOVED = 0.03
"""Changes of a box by less say nothing, metres."""
_FARTHER = 1.1
"""A view from so much farther away than the nearest one tells nothing of a place that is in doubt."""
_ENOUGH = 2
"""Views in which a thing must have been seen before it counts as there, where places are in doubt."""
_VAIN_VIEWS, _MOST_VAIN = 2, 2
"""How many more views it takes after each click on it that found nothing; after how many such clicks it counts as
something else for good."""
_HAND, _IN_HAND = 0.9, 0.25
"""What is in the hand is seen no farther away than this, and its middle no farther from the hand, metres."""
_THINNEST = 0.02
"""No box is thinner, metres."""
_ABOVE, _BELOW = 0.12, 0.08
"""How far above a holder's top, or below its bottom, the bottom of what stands on it is seen, metres."""


@dataclass(eq=False)
class Track:
    """One thing: its box's corners, metres, and `states`, what one's own actions made of it.

    `parents` are ids of what it was put into or on, by oneself; `None`: what it stands on is told by the boxes.
    `unseen` says that it was put down and not seen since; `shut` is the box that it had when it was opened. `away` is
    from how near it was seen, metres, in how many `views`, faint ones not counted, and `score` how sure the detector
    was of it at best; `touched` says that it was acted upon, so that it is there;
    `vain` counts the clicks on it that found nothing to act upon; `heated` are ids of the stove's knobs that were on
    while it stood there.
    """

    object_id: str
    object_type: str
    low: FloatArray
    high: FloatArray
    states: dict[str, object] = field(default_factory=dict)
    parents: tuple[str, ...] | None = None
    unseen: bool = False
    away: float = 0.0
    views: int = 1
    score: float = 1.0
    touched: bool = False
    vain: int = 0
    heated: set[str] = field(default_factory=set)
    shut: tuple[FloatArray, FloatArray] | None = None

    @property
    def center(self) -> FloatArray:
        """The middle of the box."""
        return (self.low + self.high) / 2

    @property
    def held(self) -> bool:
        """Whether it is in the hand."""
        return bool(self.states.get("isPickedUp"))

    @property
    def box(self) -> Row:
        """Its id and box, as in AI2-THOR's metadata."""
        size = np.maximum(self.high - self.low, _THINNEST)
        return {
            "objectId": self.object_id,
            "axisAlignedBoundingBox": {"center": _vector(self.center), "size": _vector(size)},
        }

    def can(self, what: str) -> bool:
        """Whether things of its type have a property, see `KINDS`."""
        return can(self.object_type, what)

    def distance(self, point: FloatArray) -> float:
        """From the middle of the box, metres."""
        return float(np.linalg.norm(point - self.center))

    def is_at(self, other: Track, doubt: float) -> bool:
        """Whether it is as near to another thing as the same thing may be placed by two views."""
        near = _NEAR_LOOSE if self.can("pickupable") else _NEAR_FIXED
        return self.distance(other.center) < near + doubt * (other.away + self.away)

    def see(self, seen: Sighting, doubt: float) -> None:
        """It was seen again. What is carried about is where it is seen now; of what stays, views add up.

        Where depth is in `doubt` (metres for each metre of distance) the nearest view counts alone, of either. A faint
        view tells nothing more of what was seen plainly than that it is in view.
        """
        low, high = seen.low, seen.high
        self.views += not seen.faint
        self.score = max(self.score, seen.score)
        if self.held:
            self.move_to(seen.center)
            return
        if not self.unseen and (seen.faint and self.views or doubt and seen.away > _FARTHER * self.away):
            return
        self.away = seen.away
        if not self.can("pickupable") and not doubt:
            low, high = np.minimum(self.low, low), np.maximum(self.high, high)
        if max(np.abs(self.low - low).max(), np.abs(self.high - high).max()) >= _MOVED:
            if not self.unseen and np.abs((low + high) / 2 - self.center).max() > _NEAR_LOOSE:
                self.parents = None
            self.low, self.high = low, high
        self.unseen = False

    def move_to(self, center: FloatArray) -> None:
        """Its middle is here. How large it is was seen before: where it is in the hand the picture's edge cuts it."""
        half = (self.high - self.low) / 2
        self.low, self.high = center - half, center + half

    def doubted(self) -> None:
        """A click on it found nothing: it may be something else. What was seen of it so far counts no more."""
        self.vain += 1
        self.views = 0

    def fits(self, seen: Sighting, doubt: float) -> float | None:
        """How far from here a sighting is, metres, if it may be of this thing; else `None`."""
        if seen.object_type != self.object_type:
            return None
        away = self.distance(seen.center)
        beyond = doubt * (seen.away + self.away)
        loose = _NEAR_PUT if self.unseen else _NEAR_LOOSE
        if away <= (loose if self.can("pickupable") else _NEAR_FIXED) + beyond:
            return away
        if self.can("pickupable"):
            return None
        margin = (_SWING if self.states.get("isOpen") else _MARGIN) + beyond
        inside = _inside(seen.center, self.low, self.high, margin) or _inside(self.center, seen.low, seen.high, margin)
        return away if inside else None


class Tracks:
    """Everything that was seen, by id. Ids are `Type|det|NUMBER`, by order of appearance.

    `doubt` is by how much things may be placed wrongly, metres for each metre of distance: 0 where depth is true. Where
    it is more, what was seen once only is not told of, and what turns out to be something else's place is forgotten.
    """

    def __init__(self, doubt: float = 0.0) -> None:
        self.doubt = doubt
        self._tracks: dict[str, Track] = {}
        self._count = 0
        self._rows: dict[str, Row] = {}

    def __iter__(self) -> Iterator[Track]:
        return iter(self._tracks.values())

    def get(self, object_id: str) -> Track | None:
        """One thing, or `None`."""
        return self._tracks.get(object_id)

    def of(self, object_type: str) -> list[Track]:
        """Those of a type."""
        return [one for one in self if one.object_type == object_type]

    @property
    def held(self) -> Track | None:
        """What is in the hand, as far as one's own actions tell."""
        return next((track for track in self if track.held), None)

    def forget(self, ids: Collection[str]) -> None:
        """These are gone."""
        for name in ids:
            self._tracks.pop(name, None)
            self._rows.pop(name, None)

    def take(self, seen: Sequence[Sighting], hand: FloatArray | None = None) -> list[str]:
        """The ids of what one view shows, a new one for what was never seen; nothing is seen twice in one view.

        What is where the `hand` is (metres) is what is held, whatever it looks like.

        Pairs of a sighting and a thing of its type are matched by distance, the closest first, faint sightings last
        (Zhang et al. 2022, ByteTrack).
        """
        held = self.held
        found = dict.fromkeys(_in_hand(held, seen, hand), held) if held else {}
        standing: dict[str, list[Track]] = {}
        for track in self:
            if track is not held:
                standing.setdefault(track.object_type, []).append(track)
        pairs = [
            (one.faint, away, place, track)
            for place, one in enumerate(seen)
            if place not in found
            for track in standing.get(one.object_type, ())
            if (away := track.fits(one, self.doubt)) is not None
        ]
        taken: set[str] = set()
        for _, _, place, track in sorted(pairs, key=lambda pair: pair[:2]):
            if place not in found and track.object_id not in taken:
                found[place] = track
                taken.add(track.object_id)
        for place, one in enumerate(seen):
            if place in found:
                found[place].see(one, self.doubt)
            else:
                found[place] = track = self.meet(one.object_type, one.low, one.high, one.away)
                track.views, track.score = int(not one.faint), one.score
        if self.doubt:
            self._join({track.object_id for track in found.values()})
        return [found[place].object_id for place in range(len(seen))]

    def _join(self, seen: Collection[str]) -> None:
        """Forget what is as good as at the place of something of its type that is seen now: it was placed badly."""
        now = [self._tracks[name] for name in seen]
        for track in [one for one in self if one.object_id not in seen and not one.touched]:
            alike = [one for one in now if one.object_type == track.object_type and one.views >= track.views]
            if any(track.is_at(one, self.doubt) for one in alike):
                self.forget([track.object_id])

    def meet(self, object_type: str, low: FloatArray, high: FloatArray, away: float = 0.0) -> Track:
        """Something that was never seen before, with the corners of its box, metres."""
        self._count += 1
        track = Track(f"{object_type}|det|{self._count}", object_type, low, high, away=away)
        if track.can("dirtyable"):
            track.states["isDirty"] = True
        self._tracks[track.object_id] = track
        return track

    def holders(self, track: Track) -> tuple[str, ...]:
        """What a thing stands on or in: where it was put, else the smallest thing under it by the boxes."""
        if track.held or not track.can("pickupable"):
            return ()
        if track.parents is not None:
            return tuple(name for name in track.parents if name in self._tracks)
        return _under(track, [other for other in self if other is not track and _is_place(other)])

    def rows(self) -> list[Row]:
        """Everything as AI2-THOR's metadata has it; a row stays the same value as long as it says the same."""
        for name, track in self._tracks.items():
            if not self._is_sure(track):
                self._rows.pop(name, None)
                continue
            row = _row(track, self.holders(track))
            if self._rows.get(name) != row:
                self._rows[name] = row
        return [self._rows[name] for name in self._tracks if name in self._rows]

    @property
    def hunches(self) -> list[Row]:
        """What may be there, and was not seen plainly enough to be told of: rows, what is most likely first."""
        found = (track for track in self if not (self._is_sure(track) or track.vain))
        return [_row(track, ()) for track in sorted(found, key=lambda track: (-track.views, -track.score))]

    def _is_sure(self, track: Track) -> bool:
        """Whether a thing was seen plainly often enough to be there: once where depth is true."""
        if not self.doubt:
            return track.touched or track.views > 0
        return track.touched or (track.vain < _MOST_VAIN and track.views >= _ENOUGH + _VAIN_VIEWS * track.vain)


def _in_hand(held: Track, seen: Sequence[Sighting], hand: FloatArray | None) -> list[int]:
    """Places of sightings of what is held: the nearest of its type, and whatever else is seen in the hand."""
    near = [place for place, one in enumerate(seen) if one.object_type == held.object_type and one.away < _HAND]
    there = [
        place
        for place, one in enumerate(seen)
        if hand is not None and one.away < _HAND and np.linalg.norm(one.center - hand) < _IN_HAND
    ]
    return [*dict.fromkeys([*sorted(near, key=lambda place: seen[place].away)[:1], *there])]


def _inside(point: FloatArray, low: FloatArray, high: FloatArray, margin: float) -> bool:
    return bool((point >= low - margin).all() and (point <= high + margin).all())


def _is_place(track: Track) -> bool:
    """Whether something that is seen may be in or on it: what is in a shut thing is not seen."""
    return (
        track.can("receptacle") and not track.held and (not track.can("openable") or bool(track.states.get("isOpen")))
    )


def _under(thing: Track, places: Sequence[Track]) -> tuple[str, ...]:
    """The smallest of the places that a thing may stand on or in, by the boxes; none where there is none.

    Its middle is over the place, its bottom within it or at its top.
    """
    if not places:
        return ()
    low, high = np.array([one.low for one in places]), np.array([one.high for one in places])
    x, _, z = thing.center
    over = (low[:, 0] <= x) & (x <= high[:, 0]) & (low[:, 2] <= z) & (z <= high[:, 2])
    bears = over & (low[:, 1] - _BELOW <= thing.low[1]) & (thing.low[1] <= high[:, 1] + _ABOVE)
    if not bears.any():
        return ()
    areas = (high - low)[:, 0] * (high - low)[:, 2]
    return (places[int(np.argmin(np.where(bears, areas, np.inf)))].object_id,)


def _row(track: Track, parents: tuple[str, ...]) -> Row:
    return {
        **track.box,
        "objectType": track.object_type,
        "simbotObjectClass": object_classes(track.object_type),
        "position": _vector(track.center),
        "parentReceptacles": list(parents),
        **{what: True for what in KINDS if track.can(what)},
        **track.states,
        **({"receptacleObjectIds": []} if track.can("receptacle") else {}),
    }


def _vector(value: FloatArray) -> Mapping[str, float]:
    return {axis: round(float(one), 3) for axis, one in zip("xyz", value, strict=True)}
