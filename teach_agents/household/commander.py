"""The Commander's actions: a camera that flies through everything, the progress check, the object search."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from teach_agents.actions import DONE, MOTIONS, Action, ActionResult
from teach_agents.core.json_types import JsonMapping
from teach_agents.household.custom_properties import CustomProperties
from teach_agents.household.geometry import moved
from teach_agents.household.search import ObjectSearch
from teach_agents.observations import Pose, Vec3
from teach_agents.simulator.contract import Camera

_STEP = 0.25
_TURNS: Mapping[str, float] = {"Turn Left": -90.0, "Turn Right": 90.0}
_SLIDES: Mapping[str, tuple[float, float]] = {
    "Forward": (_STEP, 0.0),
    "Backward": (-_STEP, 0.0),
    "Pan Left": (0.0, -_STEP),
    "Pan Right": (0.0, _STEP),
}
_LIFTS: Mapping[str, float] = {"Look Up": _STEP, "Look Down": -_STEP}
"""TEACh's Commander rises and sinks where the Follower tilts its head (specification 2.3)."""


def commander_camera(pose: Pose) -> Camera:
    """The free camera's own view."""
    return Camera(pose.position, yaw=pose.yaw, pitch=pose.horizon)


@dataclass
class CommanderActions:
    """Everything a Commander can do to the world's pictures; it can touch nothing in it.

    `pose` is the free camera's. The last answers a progress check with TEACh's reply (specification 5.8).
    """

    pose: Pose
    _search: ObjectSearch
    _custom: CustomProperties
    _check: Callable[[], JsonMapping]

    def act(self, action: Action) -> ActionResult:
        """Carry out a motion of the camera, a progress check or a search."""
        if action.name in MOTIONS:
            return self._fly(action.name)
        return self._open_progress_check() if action.name == "OpenProgressCheck" else self._find(action)

    def _fly(self, name: str) -> ActionResult:
        pose = self.pose
        if name in _TURNS:
            self.pose = replace(pose, yaw=(pose.yaw + _TURNS[name]) % 360.0)
        elif name in _LIFTS:
            x, y, z = pose.position
            self.pose = replace(pose, position=Vec3(x, y + _LIFTS[name], z))
        else:
            self.pose = replace(pose, position=moved(pose.position, pose.yaw, *_SLIDES[name]))
        return DONE[name]

    def _open_progress_check(self) -> ActionResult:
        """Succeeds whatever it finds; `reply["success"]` says whether the task is complete."""
        reply = self._check()
        return ActionResult(True, f"the task is {'complete' if reply['success'] else 'not complete'}", reply=reply)

    def _find(self, action: Action) -> ActionResult:
        by_words = action.name == "SearchObject"
        find, what = (self._search.by_words, "like") if by_words else (self._search.by_id, "with the id")
        reply = find(action.query, self._custom.records)
        if not reply["success"]:
            return ActionResult(False, f"{action.name}: there is no object {what} {action.query!r}", reply=reply)
        return ActionResult(True, _told(reply["oid"], reply["shown_oid"]), object_id=reply["oid"], reply=reply)


def _told(wanted: str, shown: str) -> str:
    if shown == wanted:
        return f"showing {wanted}"
    found = f"; showing {shown}, which holds it or is near it" if shown else ", nor anything near it"
    return f"{wanted} cannot be seen{found}"
