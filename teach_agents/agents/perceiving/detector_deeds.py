"""What one's own actions did to things, by TEACh's rules (specification 4.3): all that is known of states.

A detector sees a mug, not whether it is dirty. What was done to it successfully is known; where nothing was done a
state is not known, and absent. Only what can get dirty counts as dirty until it was held under water: else to be asked
to clean it would mean nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import methodcaller

import numpy as np

from teach_agents.actions import Action
from teach_agents.agents.acting.attempts import MADE
from teach_agents.agents.acting.looking import world_points
from teach_agents.agents.perceiving.detector_sights import Painting
from teach_agents.agents.perceiving.detector_tracks import Track, Tracks
from teach_agents.arrays import Float32Array, FloatArray
from teach_agents.observations import Pose

_WINDOW = 11
"""Half the width of the window about a click in which its target may lie, in nine hundredths of the picture."""
_DRAINS = "Sink", "Bathtub"
_SUITS: Mapping[str, Callable[[Track], bool]] = {
    "Pickup": lambda track: track.can("pickupable") and not track.held,
    "Place": lambda track: track.can("receptacle") and not track.held,
    **dict.fromkeys(("Open", "Close"), methodcaller("can", "openable")),
    **dict.fromkeys(("ToggleOn", "ToggleOff"), methodcaller("can", "toggleable")),
    "Slice": methodcaller("can", "sliceable"),
    "Pour": lambda track: track.can("canFillWithLiquid") or track.object_type in _DRAINS,
}
_OVENS = "Microwave", "Toaster"
"""What cooks what is in it."""
_KNOBS, _DOUBTED_KNOBS = 2, 4
"""Among how many of the knobs nearest to a burner its own is: of the 123 burners of AI2-THOR's 30 kitchens it is the
nearest of 66, the second of 53. More where places are in doubt."""
_NEAR_CLICK, _HALF = 0.25, 0.05
"""How far from a click something of the right type is what was clicked on, and half the side of what was never seen,
metres."""
_FARTHEST_SINK = 1.5
"""How far from a faucet its basin is at most, metres."""


class View:
    """A view as it was when the next action was chosen: what it showed where."""

    def __init__(self, painting: Painting, depth: Float32Array, pose: Pose) -> None:
        self._segmentation, self._covered = painting
        self._depth = depth
        self.pose = pose

    def target(self, action: Action, tracks: Tracks) -> Track | None:
        """The thing that a click was on: under it, else one nearby that the action suits, the one with most pixels."""
        ids = self._segmentation.ids
        row, column = self._pixel(action)
        reach = max(1, round(_WINDOW * max(ids.shape) / 900))
        near = ids[max(0, row - reach) : row + reach + 1, max(0, column - reach) : column + reach + 1]
        numbers, counts = np.unique(near[near >= 0], return_counts=True)
        ranked = numbers[np.argsort(-counts, kind="stable")]
        for number in [one for one in (ids[row, column], *ranked) if one >= 0]:
            track = tracks.get(self._segmentation.object_ids[number])
            if track and _SUITS[action.name](track):
                return track
        return None

    def _pixel(self, action: Action) -> tuple[int, int]:
        """The row and the column of a click."""
        height, width = self._depth.shape
        assert action.x is not None and action.y is not None, "what is done to a thing is a click"
        return min(int(action.y * height), height - 1), min(int(action.x * width), width - 1)

    def taken_for(self, target: Track, action: Action, tracks: Tracks) -> list[Track]:
        """What else that the action suits may be the same thing as the target of a click."""
        others = (tracks.get(name) for name, over in self._covered.items() if target.object_id in over)
        return [one for one in others if one and _SUITS[action.name](one)]

    def point(self, action: Action) -> FloatArray | None:
        """The world point that a click was on, metres; `None` where its depth is not known."""
        far = float(self._depth[self._pixel(action)])
        if not np.isfinite(far):
            return None
        x, y, away = np.array([[action.x], [action.y], [far]])
        return np.asarray(world_points(x, y, away, self.pose)[0])


def done_to(tracks: Tracks, action: Action, view: View, object_type: str | None = None) -> Track | None:
    """Take in that an interaction succeeded; the thing that it was done to, `None` where that is not known.

    `object_type` is what the result says was acted upon, which the eyes may have taken for something else or missed.
    """
    target = view.target(action, tracks)
    if object_type and (not target or target.object_type != object_type):
        target = _put_right(tracks, action, view, object_type, target)
    if target:
        target.touched = True
    held = tracks.held
    if action.name == "Place":
        if held:
            _put_down(held, target, view.point(action))
            for one in tracks:
                if one.states.get("isToggled"):
                    _work(one, tracks)
    elif target:
        _EFFECTS[action.name](target, tracks)
    return target


def _put_right(tracks: Tracks, action: Action, view: View, object_type: str, mistaken: Track | None) -> Track:
    """The thing of this type at a click, one that was seen there or a new one; what it was taken for is none."""
    point = view.point(action)
    if mistaken and action.name == "Pickup":
        tracks.forget([mistaken.object_id])
    if point is None:
        point = mistaken.center if mistaken else np.asarray(view.pose.position, np.float64)
    near = {one: _apart(one, point) for one in tracks.of(object_type) if not one.held}
    nearest = min(near, key=lambda one: near[one], default=None)
    if nearest and near[nearest] < _NEAR_CLICK:
        return nearest
    return tracks.meet(object_type, point - _HALF, point + _HALF)


def _apart(track: Track, point: FloatArray) -> float:
    """How far a point is from a thing's box, metres."""
    return float(np.linalg.norm(np.maximum(np.maximum(track.low - point, point - track.high), 0.0)))


def told_of(tracks: Tracks, action: Action, view: View, message: str) -> None:
    """Take in what the message of an interaction that failed says of its target: its state, or that it is none."""
    target = view.target(action, tracks)
    if not target:
        return
    for words, (state, value) in _TOLD.items():
        if words in message:
            _learn(target, tracks, state, value)
    if _NOTHING not in message:
        return
    if tracks.doubt and not target.touched:
        for one in [target, *view.taken_for(target, action, tracks)]:
            one.doubted()
    elif action.name in MADE:  # what can not be opened, or switched on, most likely is open, or on, already
        _learn(target, tracks, *MADE[action.name])


def _learn(target: Track, tracks: Tracks, state: str, value: bool) -> None:
    """Take in what was not known of a thing; what turns out to run has done its work."""
    target.states[state] = value
    if state == "isToggled" and value:
        _work(target, tracks)


_TOLD: Mapping[str, tuple[str, bool]] = {
    "must be OFF to open": ("isToggled", True),
    "Receptacle is CLOSED": ("isOpen", False),
}
"""States in AI2-THOR's messages."""
_NOTHING = "Could not find a target object"
"""TEACh's words where nothing under a click can be acted upon so."""


def _pick_up(target: Track, tracks: Tracks) -> None:
    for other in tracks:
        if other.held:
            other.states["isPickedUp"] = False
    target.states["isPickedUp"] = True
    target.parents = None
    for one in [target, *_inside([target], tracks)]:
        one.heated.clear()


def _open(target: Track, tracks: Tracks) -> None:
    target.states["isOpen"] = True
    target.shut = target.low, target.high


def _close(target: Track, tracks: Tracks) -> None:
    target.states["isOpen"] = False
    if target.shut:
        target.low, target.high = target.shut


def _switch_off(target: Track, tracks: Tracks) -> None:
    _work(target, tracks)  # it may have been running all the time
    target.states["isToggled"] = False


def _put_down(held: Track, holder: Track | None, point: FloatArray | None) -> None:
    held.states["isPickedUp"] = False
    held.unseen = True
    held.parents = (holder.object_id,) if holder else None
    if point is not None:
        held.move_to(point + (0.0, (held.high - held.low)[1] / 2, 0.0))


def _pour(target: Track, tracks: Tracks) -> None:
    held = tracks.held
    if held:
        held.states |= dict.fromkeys(
            ("isFilledWithLiquid", "simbotIsFilledWithCoffee", "simbotIsFilledWithWater"), False
        )
    if target.can("canFillWithLiquid"):
        target.states |= {"isFilledWithLiquid": True}


_EFFECTS: Mapping[str, Callable[[Track, Tracks], None]] = {
    "Pickup": _pick_up,
    "Open": _open,
    "Close": _close,
    "ToggleOn": lambda target, tracks: _learn(target, tracks, "isToggled", True),
    "ToggleOff": _switch_off,
    "Slice": lambda target, tracks: target.states.update(isSliced=True),
    "Pour": _pour,
}
"""What each interaction but Place does to its target."""


def _work(switch: Track, tracks: Tracks) -> None:
    """Water, heat and coffee of what runs act on what is there."""
    if switch.object_type == "Faucet":
        for thing in _inside(_basins_of(switch, tracks), tracks):
            if thing.can("dirtyable"):
                thing.states["isDirty"] = False
            _fill(thing, "simbotIsFilledWithWater")
    elif switch.object_type == "CoffeeMachine":
        for thing in _inside([switch], tracks):
            _fill(thing, "simbotIsFilledWithCoffee")
    elif switch.object_type == "StoveKnob":
        for burner in tracks.of("StoveBurner"):
            _heat(burner, switch, tracks)
    elif switch.object_type in _OVENS:
        for thing in _inside(tracks.of(switch.object_type), tracks):
            _cook(thing, tracks)


def _fill(thing: Track, state: str) -> None:
    """Fill a vessel with what this state says."""
    if thing.can("canFillWithLiquid"):
        thing.states |= {"isFilledWithLiquid": True, state: True}


def _heat(burner: Track, knob: Track, tracks: Tracks) -> None:
    """A knob may be a burner's own: what is there counts as heated once each known one that may be was on."""
    knobs = tracks.of("StoveKnob")
    if len(knobs) < len(tracks.of("StoveBurner")) and not tracks.doubt:
        return  # its own may be one that was not seen yet
    nearest = sorted(knobs, key=lambda one: one.distance(burner.center))[: _DOUBTED_KNOBS if tracks.doubt else _KNOBS]
    for thing in _inside([burner], tracks):
        thing.heated.add(knob.object_id)
        if all(one.object_id in thing.heated for one in nearest):
            _cook(thing, tracks)


def _cook(thing: Track, tracks: Tracks) -> None:
    """Cook a thing, if it can be; in a vessel that is filled it boils (rule 4)."""
    if not thing.can("cookable") or thing.states.get("isCooked"):
        return
    thing.states |= {"isCooked": True, "simbotIsCooked": True}
    if thing in _inside([one for one in tracks if one.states.get("isFilledWithLiquid")], tracks):
        thing.states["simbotIsBoiled"] = True


def _basins_of(faucet: Track, tracks: Tracks) -> list[Track]:
    """The basins whose nearest faucet this is, if they are near: a sink and its basin may count as two things."""
    faucets = tracks.of(faucet.object_type)
    return [
        one
        for one in tracks
        if one.object_type in _DRAINS
        and one.distance(faucet.center) < _FARTHEST_SINK
        and min(faucets, key=lambda tap, basin=one: basin.distance(tap.center)) is faucet  # type: ignore[misc]
    ]


def _inside(holders: list[Track], tracks: Tracks) -> list[Track]:
    """What is in or on any of these, at any depth."""
    names = {one.object_id for one in holders}
    found: list[Track] = []
    while True:
        new = [one for one in tracks if one not in found and names & {*tracks.holders(one)}]
        if not new:
            return found
        found += new
        names |= {one.object_id for one in new}
